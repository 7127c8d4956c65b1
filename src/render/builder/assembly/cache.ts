/**
 * Keeps results while what they were made of stays the same. A result is kept with a digest of every record that it read; before
 * it is answered again, those records are read again, all of a kind in one call, and compared. So no process answers a stale
 * result, whoever changed the records. While the token of `storage.changes()` stays, stored records need not be compared.
 */

import type { RenderContext, Rendered } from '../pass/render-context.ts'
import { documents } from '../records/documents.ts'
import {
  addresses,
  media,
  options,
  postLists,
  postMeta,
  posts,
  postTerms,
  terms,
  termsBelow,
  userMeta,
  users,
} from '../records/kinds.ts'
import { isCurrent, type Reading, type RecordSource, type Records } from '../records/records.ts'

/** Kinds that only the storage changes. All others are compared each time: files and the host's services. */
const STORED: ReadonlySet<object> = new Set([
  ...[addresses, documents, media, options, postLists, postMeta],
  ...[posts, postTerms, terms, termsBelow, userMeta, users],
])

interface Kept {
  readonly rendered: Rendered
  readonly readings: readonly Reading[]
  /** What the result varies by, as text. */
  readonly reader: string
  token: number | string | undefined
}

interface CacheRequest {
  readonly source: RecordSource
  readonly context: RenderContext
  readonly now: number
  readonly isPermitted: boolean
}

interface CachedPage {
  readonly id: number
  readonly part?: object
  readonly location?: string
}

/** The token of the storage before anything is read. */
export const tokenOf = ({ source }: CacheRequest): number | string | undefined => source.storage.changes?.()

const maxPages = 500
const maxReaders = 20
const maxCharacters = 32 * 1024 * 1024

export class RenderCache {
  /** The most recently used last. */
  readonly #pages = new Map<string, Kept[]>()
  #characters = 0

  async find(request: CacheRequest, page: CachedPage): Promise<Rendered | undefined> {
    const key = keyOf(request, page)
    const kept = this.#pages
      .get(key)
      ?.find(({ rendered, reader }) => readerOf(request, rendered.dependencies) === reader)
    if (!kept) return undefined
    const token = tokenOf(request)
    const isUnchanged = token !== undefined && token === kept.token
    const readings = isUnchanged ? kept.readings.filter(({ kind }) => !STORED.has(kind)) : kept.readings
    const current = await Promise.all(readings.map((reading) => isCurrent(reading, request.source)))
    if (current.includes(false)) {
      this.#remove(key, kept)
      return undefined
    }
    kept.token = token
    const list = this.#pages.get(key)
    if (list) {
      this.#pages.delete(key)
      this.#pages.set(key, list)
    }
    return kept.rendered
  }

  keep(
    request: CacheRequest,
    page: CachedPage,
    made: { readonly rendered: Rendered; readonly records: Records; readonly token: Kept['token'] },
  ): void {
    const { rendered, records, token } = made
    const key = keyOf(request, page)
    const kept: Kept = {
      rendered,
      token,
      readings: records.readings(),
      reader: readerOf(request, rendered.dependencies),
    }
    const list = this.#pages.get(key) ?? []
    this.#pages.delete(key)
    this.#pages.set(key, list)
    for (const same of list.filter(({ reader }) => reader === kept.reader)) this.#remove(key, same)
    // Removing the last one of a list takes the list away.
    this.#pages.set(key, list)
    list.push(kept)
    this.#characters += sizeOf(rendered)
    if (list.length > maxReaders && list[0]) this.#remove(key, list[0])
    this.#shrink()
  }

  #shrink(): void {
    while (this.#pages.size > maxPages || this.#characters > maxCharacters) {
      const [oldest] = this.#pages
      if (!oldest) return
      for (const kept of [...oldest[1]]) this.#remove(oldest[0], kept)
      this.#pages.delete(oldest[0])
    }
  }

  #remove(key: string, kept: Kept): void {
    const list = this.#pages.get(key)
    const at = list?.indexOf(kept) ?? -1
    if (!list || at === -1) return
    list.splice(at, 1)
    this.#characters -= sizeOf(kept.rendered)
    if (list.length === 0) this.#pages.delete(key)
  }
}

const sizeOf = ({ html, css, text }: Rendered): number =>
  css.reduce((sum, sheet) => sum + sheet.css.length, html.length + text.length)

/** What every result depends on. */
const keyOf = ({ source, context, isPermitted }: CacheRequest, { id, location, part }: CachedPage): string => {
  const { post, place, page, unlocked = [] } = context
  const { tag, home } = source.site
  return JSON.stringify([id, location, part, isPermitted, tag, home, post, place, page, [...unlocked].sort()])
}

/** What only some results depend on: they say so. */
function readerOf({ context, now }: CacheRequest, dependencies: readonly string[]): string {
  const varies = (name: string) => dependencies.includes(`vary:${name}`)
  return JSON.stringify([
    varies('user') ? (context.user ?? 0) : null,
    varies('time') ? now : null,
    varies('request') ? [context.url, context.referrer] : null,
  ])
}
