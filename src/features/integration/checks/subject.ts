/** Prepares what checks ask of a record. Pages and contents are drawn once, when a check asks for them. */
import type { Post, Storage } from '../../../contract/storage.ts'
import type { AppContext } from '../../../core/declare/app-context.ts'
import { notCached } from '../../../core/pipeline/response/row-cache.ts'
import { renderOf } from '../../../render/index.ts'
import type { Settings } from '../../../site/settings.ts'
import { publicTypesOf } from '../../shared/declared-types.ts'
import { elementsKey, parseElements } from '../../shared/elements.ts'
import { renderContext } from '../../shared/post-meta.ts'
import { isBuilt, renderedDocumentOf } from '../../shared/rendered-documents.ts'
import { type CheckedSubject, type CheckPages, publishingOf } from './model.ts'

export interface CheckPlace {
  readonly storage: Storage
  readonly app: AppContext
  readonly settings: Settings
}

const defaultPageBytes = 2_000_000

export class Subjects {
  readonly #place: CheckPlace
  readonly #site: CheckedSubject['site']

  constructor({ storage, app, settings }: CheckPlace) {
    // Rows of a transaction are neither taken from caches nor left there.
    this.#place = { storage, app, settings: { ...settings, generation: notCached } }
    const { checkPages } = app.services['sitePages'] as { readonly checkPages?: CheckPages }
    this.#site = checkPages?.(storage, settings)
  }

  /** Reads the meta of these posts in one statement. */
  async of(posts: readonly Post[]): Promise<CheckedSubject[]> {
    if (posts.length === 0) return []
    const ids = posts.map(({ id }) => id)
    const entries = Map.groupBy(await this.#place.storage.meta.read('post', ids), ({ id }) => id)
    return posts.map((post) => {
      const meta = Object.fromEntries((entries.get(post.id) ?? []).map(({ key, value }) => [key, value]))
      return this.#subject(post, meta)
    })
  }

  #subject(post: Post, meta: CheckedSubject['meta']): CheckedSubject {
    const { app } = this.#place
    const site = this.#site
    return {
      ...this.#place,
      record: `post:${post.id}`,
      ...{ post, meta, site },
      type: publicTypesOf(app).find(({ name }) => name === post.type),
      elements: isBuilt(meta) ? parseElements(meta[elementsKey]) : [],
      bounds: { pageBytes: publishingOf(app).pageBytes ?? defaultPageBytes },
      html: once(() => this.#htmlOf(post, meta)),
      page: once(async () => site?.page(post)),
    }
  }

  async #htmlOf(post: Post, meta: CheckedSubject['meta']): Promise<string> {
    const built = await renderedDocumentOf(this.#place, post, meta)
    return built?.html ?? renderOf(this.#place.app).content(post.content, renderContext(post.id, meta))
  }
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => (made ??= make())
}
