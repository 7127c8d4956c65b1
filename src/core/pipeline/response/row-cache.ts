/**
 * A cache per site of values computed from rows. An entry is valid for one version of its row and one of the settings that
 * responses show: the due time of a scheduled task makes no row old.
 */

import type { Post } from '../../../contract/storage.ts'
import type { Context } from '../../declare/context.ts'
import { createLru, type Lru } from '../../runtime/lru.ts'

interface Entry<T> {
  readonly version: number
  readonly generation: number
  readonly value: T
}

/** The generation of settings with which nothing is cached: it equals no other, nor itself. */
export const notCached = Number.NaN

type CacheContext = Pick<Context, 'app' | 'settings'>

interface RowCache<T> {
  get(context: CacheContext, post: Post, key: string): T | undefined
  /** `size` counts towards the maximum of the site. */
  set(context: CacheContext, post: Post, key: string, value: T, size: number): void
}

export function createRowCache<T>(maxSize: number): RowCache<T> {
  const caches = new WeakMap<object, Lru<Entry<T>>>()
  const cacheOf = ({ app }: CacheContext) => {
    const cache = caches.get(app) ?? createLru<Entry<T>>(maxSize)
    caches.set(app, cache)
    return cache
  }
  return {
    get(context, { version }, key) {
      const entry = cacheOf(context).get(key)
      const isValid = entry?.version === version && entry.generation === context.settings.generation
      return isValid ? entry.value : undefined
    },
    set(context, { version }, key, value, size) {
      const { generation } = context.settings
      if (!Number.isNaN(generation)) cacheOf(context).set(key, { version, generation, value }, size)
    },
  }
}
