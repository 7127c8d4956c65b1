/** Draws the pages of records that are checked, also before they are published, and tells whether an address of the site leads somewhere. */

import type { Post, Storage } from '../contract/storage.ts'
import { isApiError } from '../core/declare/errors.ts'
import { notCached } from '../core/pipeline/response/row-cache.ts'
import { belowRoot } from '../core/request/incoming.ts'
import type { AddressKind, CheckedPage, CheckedPages, CheckPages } from '../features/integration/checks/model.ts'
import type { Settings } from '../site/settings.ts'
import { redirectOtherPath } from './address/old-addresses.ts'
import type { PagesApi } from './api.ts'
import { draftStorage } from './draft.ts'
import { createFetch, isForApi, pageFilesOf } from './handler.ts'
import { pagesOf } from './listed-pages.ts'
import type { PagesOptions } from './options.ts'
import { showPost } from './show/post.ts'
import { locatedOf, segmentsOf, visitOf } from './visits.ts'

export const createCheckPages =
  (api: PagesApi, options: PagesOptions): CheckPages =>
  (storage, settings) =>
    new PagesIn(api, options, storage, { ...settings, generation: notCached })

class PagesIn implements CheckedPages {
  readonly #api: PagesApi
  readonly #options: PagesOptions
  readonly #storage: Storage
  readonly #settings: Settings
  readonly #files: ReturnType<typeof pageFilesOf>
  readonly #fetch: (request: Request) => Promise<Response>

  constructor(api: PagesApi, options: PagesOptions, storage: Storage, settings: Settings) {
    this.#api = api
    this.#options = options
    this.#storage = storage
    this.#settings = settings
    this.#files = pageFilesOf(api, options)
    this.#fetch = createFetch(this.#apiOn(storage), options, { settings }, this.#files)
  }

  async page(post: Post): Promise<CheckedPage | undefined> {
    try {
      return await this.#draw({ ...post, status: 'publish', password: '' })
    } catch (error) {
      if (!isApiError(error)) throw error
      return undefined
    }
  }

  async kindOf(address: string): Promise<AddressKind> {
    const { pathname } = new URL(address)
    if (isForApi(pathname, this.#api)) return 'other'
    const visit = await visitOf(new Request(address), this.#site(this.#storage))
    if (!visit) return 'other'
    const { root } = this.#api.files
    const isFile = root !== '' && belowRoot(pathname, root) !== undefined
    if (isFile || visit.path.startsWith(`${this.#options.assets}/`) || /^\/(?:robots\.txt|sitemap)/.test(visit.path)) {
      const { status } = await this.#fetch(new Request(address, { method: 'HEAD' }))
      return status === 404 ? 'missing' : 'page'
    }
    if (await locatedOf(visit)) return 'page'
    const segments = segmentsOf(visit)
    const moved = segments && (await redirectOtherPath(segments, visit))
    const to = moved?.headers.get('location') ?? undefined
    return to === undefined ? 'missing' : { moved: new URL(to, address).href }
  }

  async textOf(address: string): Promise<string | undefined> {
    const response = await this.#fetch(new Request(address))
    return response.ok ? response.text() : undefined
  }

  async bytesOf(address: string): Promise<number | undefined> {
    const response = await this.#fetch(new Request(address, { method: 'HEAD' }))
    if (!response.ok) return undefined
    const length = response.headers.get('content-length')
    if (length !== null) return Number(length)
    const text = await this.textOf(address)
    return text === undefined ? undefined : new TextEncoder().encode(text).length
  }

  async #draw(post: Post): Promise<CheckedPage | undefined> {
    const { app } = this.#api['~parts']
    const storage = draftStorage(this.#storage, { post, meta: [], keys: new Set() })
    const [found] = await pagesOf([post], { storage, settings: this.#settings, app })
    if (!found) return undefined
    const { address } = found
    const visit = await visitOf(new Request(address), this.#site(storage))
    if (!visit) return undefined
    const response = await showPost({ post, address }, {}, this.#files, visit)
    return { address, html: await response.text() }
  }

  #site(storage: Storage) {
    return { api: this.#apiOn(storage), options: this.#options, tried: { settings: this.#settings } }
  }

  #apiOn(storage: Storage): PagesApi {
    return { ...this.#api, '~parts': { ...this.#api['~parts'], storage, ready: () => {} } }
  }
}
