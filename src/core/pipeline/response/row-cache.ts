/**
 * A cache per site of values computed from rows. An entry is valid for one version of its row and one of the settings that
 * responses show: the due time of a scheduled task makes no row old.
 */

import type { Post } from '../../../contract/storage.ts'
import type { Context } from '../../declare/context.ts'
import { createLru, type Lru } from '../../runtime/lru.ts'
import { readTagsOf } from '../../tags/read-tags.ts'

interface Entry<T> {
  readonly version: number
  readonly generation: number
  readonly value: T
  /** The tags of its sources: an answer that shows the value depends on them too. */
  readonly tags: readonly string[] | undefined
}

/** The generation of settings with which nothing is cached: it equals no other, nor itself. */
export const notCached = Number.NaN

type CacheContext = Pick<Context, 'app' | 'settings'>

interface RowCache<T> {
  get(context: CacheContext, post: Post, key: string): T | undefined
  /** `size` counts towards the maximum of the site. */
  set(context: CacheContext, post: Post, key: string, value: T, size: number): void
}

/** `showsSettings`: the values have the digest of the settings in them. */
export function createRowCache<T>(maxSize: number, options: { readonly showsSettings?: boolean } = {}): RowCache<T> {
  const caches = new WeakMap<object, Lru<Entry<T>>>()
  const cacheOf = ({ app }: CacheContext) => {
    const cache = caches.get(app) ?? createLru<Entry<T>>(maxSize)
    caches.set(app, cache)
    return cache
  }
  return {
    get(context, { version }, key) {
      const { settings } = context
      const entry = cacheOf(context).get(key)
      if (entry?.version !== version || entry.generation !== settings.generation) return undefined
      const reading = readTagsOf(settings)
      if (!reading) return entry.value
      // A value that was made while nothing was recorded is made once more.
      if (!entry.tags) return undefined
      reading.add(entry.tags)
      return entry.value
    },
    set(context, { id, version }, key, value, size) {
      const { settings } = context
      const { generation } = settings
      if (Number.isNaN(generation)) return
      const tags = readTagsOf(settings)?.ofRow(id, options)
      cacheOf(context).set(key, { version, generation, value, tags }, size)
    },
  }
}
