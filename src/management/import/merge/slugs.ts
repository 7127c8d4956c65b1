/** Chooses unique slugs for a batch of rows. */

import type { Storage } from '../../../contract/storage.ts'
import { freeSlug } from '../../../site/free-slug.ts'
import { isReservedSlug, suffixedSlug } from '../../../site/slug.ts'

interface SlugRequest {
  readonly type: string
  readonly slug: string
  /** The current slug of the row. */
  readonly own?: string
}

interface SlugChooser {
  choose(transaction: Storage, requests: readonly SlugRequest[], permalink: string): Promise<string[]>
}

/** Candidates per query. */
const windowSize = 20

export function createSlugChooser(): SlugChooser {
  // Thousands of items may share a title: counting resumes at the last suffix. A failed write leaves a gap at most.
  const lastSuffix = new Map<string, number>()
  return {
    async choose(transaction, requests, permalink) {
      const taken = new Set<string>()
      for (const type of new Set(requests.map((request) => request.type))) {
        const slugs = requests.filter((request) => request.type === type && request.slug !== '').map(({ slug }) => slug)
        for (const slug of await transaction.posts.takenSlugs(type, [...new Set(slugs)])) taken.add(`${type} ${slug}`)
      }
      const chosen: string[] = []
      for (const request of requests) {
        const slug = await chooseOne(transaction, request, taken, permalink)
        if (slug !== '') taken.add(`${request.type} ${slug}`)
        chosen.push(slug)
      }
      return chosen
    },
  }

  async function chooseOne(
    transaction: Storage,
    { type, slug, own }: SlugRequest,
    taken: ReadonlySet<string>,
    permalink: string,
  ): Promise<string> {
    const isFree = (candidate: string) => !taken.has(`${type} ${candidate}`) && !isReservedSlug(candidate, permalink)
    if (slug === '' || slug === own || isFree(slug)) return slug
    const key = `${type} ${slug}`
    const takenOf = async (candidates: readonly string[]) => {
      const stored = new Set(await transaction.posts.takenSlugs(type, candidates))
      return candidates.filter((candidate) => candidate !== own && (stored.has(candidate) || !isFree(candidate)))
    }
    const last = lastSuffix.get(key)
    const resumed =
      last === undefined ? [] : Array.from({ length: windowSize }, (_, at) => suffixedSlug(slug, last + at))
    const takenAfter = resumed.length === 0 ? [] : await takenOf(resumed)
    const chosen = resumed.find((candidate) => !takenAfter.includes(candidate)) ?? (await freeSlug(slug, takenOf, 2))
    lastSuffix.set(key, Number(/\d+$/.exec(chosen)?.[0]))
    return chosen
  }
}
