/** Records what each response of the site is made from, by the tags that changes of the site touch. */
import type { ReadTags } from '../../core/tags/read-tags.ts'
import { digest } from '../../core/tags/tag-names.ts'
import type { PagesApi } from '../api.ts'
import { sourcesOf } from '../visit.ts'

/** Every request for a file has the same one. */
const request = 'vary:request'

export class Reads {
  /** The api, whose pages are recorded. */
  readonly api: PagesApi
  #recorders: ReadTags[] = []
  readonly #digests = new Map<string, string>()

  constructor(api: PagesApi) {
    const { readTagsAt, ...parts } = api['~parts']
    this.api = {
      ...api,
      '~parts': {
        ...parts,
        // Without a state no list is named by one tag: such names count only while every process that writes knows them.
        readTagsAt: async () => {
          const recorder = await readTagsAt({ token: undefined })
          this.#recorders.push(recorder)
          return recorder
        },
      },
    }
  }

  /** Forgets what was recorded. */
  begin(): void {
    this.#recorders = []
  }

  /** Returns the digests of the tags since the beginning; undefined where tags do not tell all, such as of the time. */
  end(): ReadonlySet<string> | undefined {
    const recorders = this.#recorders
    const isTold = recorders.every((one) => one.isComplete && [...sourcesOf(one)].every((source) => source === request))
    if (recorders.length === 0 || !isTold) return undefined
    return new Set(recorders.flatMap(({ tags }) => [...tags].map((tag) => this.#digestOf(tag))))
  }

  #digestOf(tag: string): string {
    const known = this.#digests.get(tag) ?? tagDigest(tag)
    this.#digests.set(tag, known)
    return known
  }
}

/** The folder of the files may be public, and tags tell ids and names of fields. */
export const tagDigest = (tag: string): string => digest(tag).slice(1)
