/**
 * A cache per site of values computed from rows. An entry is valid for one version of its row and one of the settings that
 * responses show: the due time of a scheduled task makes no row old.
 */

import type { Post } from '../../../contract/storage.ts'
import type { Context } from '../../declare/context.ts'
import { createLru, type Lru } from '../../runtime/lru.ts'
import { readTagsOf, type TagNote } from '../../tags/read-tags.ts'
import { allSettings, anyColumn, columnTag, rowTag } from '../../tags/tag-names.ts'

interface Entry<T> {
  readonly version: number
  readonly generation: number
  readonly value: T
  /** The tags of its sources: an answer that shows the value depends on them too. Undefined: it was made while nothing was recorded. */
  tags: readonly string[] | undefined
}

/** The generation of settings with which nothing is cached: it equals no other, nor itself. */
export const notCached = Number.NaN

type CacheContext = Pick<Context, 'app' | 'settings'>

interface RowCache<T> {
  get(context: CacheContext, post: Post, key: string): T | undefined
  /**
   * Returns a value that was made while nothing was recorded, after the answer has read the related rows of its row once more, and gives
   * it their tags. `related` names the rows whose columns it may show. The value itself is not made again.
   */
  getUntagged(context: CacheContext, post: Post, key: string, related: Iterable<string>): T | undefined
  /** `size` counts towards the maximum of the site. `noted`: what was read for the value, by `noteReads`. */
  set(
    context: CacheContext,
    post: Post,
    key: string,
    value: T,
    kept: { readonly size: number; readonly noted: TagNote | undefined },
  ): void
}

/** Begins to note what a value is made from; undefined while nothing is recorded. */
export const noteReads = ({ settings }: Pick<CacheContext, 'settings'>): TagNote | undefined =>
  readTagsOf(settings)?.note()

/** `showsSettings`: the values have the digest of the settings in them. */
export function createRowCache<T>(maxSize: number, options: { readonly showsSettings?: boolean } = {}): RowCache<T> {
  const caches = new WeakMap<object, Lru<Entry<T>>>()
  const cacheOf = ({ app }: CacheContext) => {
    const cache = caches.get(app) ?? createLru<Entry<T>>(maxSize)
    caches.set(app, cache)
    return cache
  }
  const validEntry = (context: CacheContext, { version }: Post, key: string) => {
    const entry = cacheOf(context).get(key)
    return entry?.version === version && entry.generation === context.settings.generation ? entry : undefined
  }
  return {
    get(context, post, key) {
      const entry = validEntry(context, post, key)
      const reading = readTagsOf(context.settings)
      if (!entry || !reading) return entry?.value
      if (!entry.tags) return undefined
      reading.add(entry.tags)
      return entry.value
    },
    getUntagged(context, post, key, related) {
      const entry = validEntry(context, post, key)
      const reading = readTagsOf(context.settings)
      if (!entry || !reading) return undefined
      const { id } = post
      reading.add([rowTag('post', id), columnTag('post', id, anyColumn), allSettings, ...related])
      entry.tags ??= reading.ofRow(id, related, { showsSettings: true })
      return entry.value
    },
    set(context, { id, version }, key, value, { size, noted }) {
      const { settings } = context
      const { generation } = settings
      if (Number.isNaN(generation)) return
      noted?.end()
      const tags = noted && readTagsOf(settings)?.ofRow(id, noted.tags, options)
      cacheOf(context).set(key, { version, generation, value, tags }, size)
    },
  }
}
