/**
 * Caches rendered documents. Each entry holds a digest of every record that the render read. Before the cache returns an entry,
 * it reads those records again, in one call per kind, and compares the digests: no process returns a stale document, whichever
 * process wrote the records. While the token of `storage.changes()` is the same, stored records are not read again.
 */

import type { ApiError } from '../../../core/declare/errors.ts'
import { type ReadTags, readTagsOf, unrecorded } from '../../../core/tags/read-tags.ts'
import { optionTag } from '../../../core/tags/tag-names.ts'
import type { RenderContext, Rendered } from '../pass/render-context.ts'
import { documents } from '../records/documents.ts'
import { kitOptions, kitParts } from '../records/keys.ts'
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
import { commentLists, postPeriods, termLists } from '../records/lists.ts'
import { isCurrent, type Reading, type RecordSource, type Records, unrecordedSource } from '../records/records.ts'

/** Only the storage changes these kinds. Files and services of the host are compared on each hit. */
const STORED: ReadonlySet<object> = new Set([
  ...[addresses, documents, media, options, postLists, postMeta],
  ...[commentLists, postPeriods, posts, postTerms, termLists, terms, termsBelow, userMeta, users],
])

/** Holds a rendered document, or the error with which its render failed. */
export type RenderOutcome = { readonly dependencies: readonly string[] } & (
  | { readonly rendered: Rendered }
  | { readonly failure: ApiError }
)

interface CachedDocument {
  readonly outcome: RenderOutcome
  readonly readings: readonly Reading[]
  /** The reader, time and request on which the result depends, as JSON. */
  readonly reader: string
  token: number | string | undefined
  /** The tags of its sources. */
  readonly tags: Pick<ReadTags, 'tags' | 'isComplete'>
}

interface CacheRequest {
  readonly source: RecordSource
  readonly context: RenderContext
  readonly now: number
  readonly isPermitted: boolean
  readonly mostHtml?: number | undefined
  readonly hasLayout?: boolean | undefined
  readonly hasSheets?: boolean | undefined
}

interface CachedPage {
  readonly id: number
  readonly part?: object
  readonly location?: string
}

/** The options that change nothing but sheets. */
const sheetTags: ReadonlySet<string> = new Set(
  [kitOptions.colors, kitOptions.typography, kitOptions.variables, kitParts.variableNames, kitOptions.classes].map(
    optionTag,
  ),
)

/** Leaves out the tags on which the HTML alone does not depend. */
export const withoutSheets = ({ tags, isComplete }: CachedDocument['tags']) => ({
  tags: new Set([...tags].filter((tag) => !sheetTags.has(tag))),
  isComplete,
})

/** Reads the token of the storage before the render reads any record. */
export const tokenOf = ({ source }: CacheRequest): number | string | undefined => source.storage.changes?.()

const maxPages = 500
const maxReaders = 20
const maxCharacters = 32 * 1024 * 1024

export class RenderCache {
  /** Entries by document, least recently used first. */
  readonly #pages = new Map<string, CachedDocument[]>()
  #characters = 0

  async find(request: CacheRequest, page: CachedPage): Promise<RenderOutcome | undefined> {
    const key = keyOf(request, page)
    const cached = this.#pages
      .get(key)
      ?.find(({ outcome, reader }) => readerOf(request, outcome.dependencies) === reader)
    if (!cached) return undefined
    const token = tokenOf(request)
    const source = unrecordedSource(request.source)
    const isUnchanged = token !== undefined && token === cached.token
    const readings = isUnchanged ? cached.readings.filter(({ kind }) => !STORED.has(kind)) : cached.readings
    const current = await Promise.all(readings.map((reading) => isCurrent(reading, source)))
    if (current.includes(false)) {
      this.#remove(key, cached)
      return undefined
    }
    cached.token = token
    readTagsOf(request.source.storage)?.addPart(request.hasSheets === false ? withoutSheets(cached.tags) : cached.tags)
    const list = this.#pages.get(key)
    if (list) {
      this.#pages.delete(key)
      this.#pages.set(key, list)
    }
    return cached.outcome
  }

  store(
    request: CacheRequest,
    page: CachedPage,
    made: { readonly outcome: RenderOutcome; readonly records: Records } & Pick<CachedDocument, 'token' | 'tags'>,
  ): void {
    const { outcome, records, token, tags } = made
    const key = keyOf(request, page)
    const cached: CachedDocument = {
      outcome,
      ...{ token, tags },
      readings: records.readings(),
      reader: readerOf(request, outcome.dependencies),
    }
    const list = this.#pages.get(key) ?? []
    this.#pages.delete(key)
    this.#pages.set(key, list)
    for (const same of list.filter(({ reader }) => reader === cached.reader)) this.#remove(key, same)
    // `#remove` deletes an empty list, so the list is set once more.
    this.#pages.set(key, list)
    list.push(cached)
    this.#characters += sizeOf(outcome)
    if (list.length > maxReaders && list[0]) this.#remove(key, list[0])
    this.#shrink()
  }

  #shrink(): void {
    while (this.#pages.size > maxPages || this.#characters > maxCharacters) {
      const [oldest] = this.#pages
      if (!oldest) return
      for (const cached of [...oldest[1]]) this.#remove(oldest[0], cached)
      this.#pages.delete(oldest[0])
    }
  }

  #remove(key: string, cached: CachedDocument): void {
    const list = this.#pages.get(key)
    const at = list?.indexOf(cached) ?? -1
    if (!list || at === -1) return
    list.splice(at, 1)
    this.#characters -= sizeOf(cached.outcome)
    if (list.length === 0) this.#pages.delete(key)
  }
}

function sizeOf(outcome: RenderOutcome): number {
  if ('failure' in outcome) return 0
  const { html, css, text } = outcome.rendered
  return css.reduce((sum, sheet) => sum + sheet.css.length, html.length + text.length)
}

/** The inputs on which every result depends. */
const keyOf = (request: CacheRequest, { id, location, part }: CachedPage): string => {
  const { source, context, isPermitted, mostHtml, hasLayout } = request
  const { post, templateContext, page, unlocked = [], preview } = context
  const { tag, home } = unrecorded(source.site)
  const ofContext = [post, templateContext, page, [...unlocked].sort(), preview]
  return JSON.stringify([id, location, part, isPermitted, mostHtml, hasLayout, tag, home, ...ofContext])
}

/** Adds an input only where the dependencies of the result name it. */
function readerOf({ source, context, now }: CacheRequest, dependencies: readonly string[]): string {
  const varies = (name: string) => dependencies.includes(`vary:${name}`)
  return JSON.stringify([
    varies('user') ? (context.user ?? 0) : null,
    varies('time') ? Math.floor(now / 1000) : null,
    varies('day') ? source.site.time.now(() => now).local.slice(0, 10) : null,
    varies('request') ? [context.url, context.referrer] : null,
  ])
}
