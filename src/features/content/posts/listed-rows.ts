/** The rows of a page of ids. The page says the version of each, so a row that is cached with its version is not read again. */
import type { IdsPageEntry, Post } from '../../../contract/storage.ts'
import type { Context } from '../../../core/declare/context.ts'
import { createLru, type Lru } from '../../../core/runtime/lru.ts'
import { readTagsOf } from '../../../core/tags/read-tags.ts'

/** The bound in characters, for each site. */
const maxCachedCharacters = 16 * 1024 * 1024
/** The short columns of a row take about as many characters. */
const rowCharacters = 600

const caches = new WeakMap<object, Lru<Post>>()

function cacheOf({ app }: Context): Lru<Post> {
  const cache = caches.get(app) ?? createLru<Post>(maxCachedCharacters)
  caches.set(app, cache)
  return cache
}

/** In the order of the entries, each once; without those that were removed meanwhile. `onRead` gets the ids of rows that are being read. */
export async function readListed(
  context: Context,
  entries: readonly IdsPageEntry[],
  onRead?: (ids: readonly number[]) => void,
): Promise<readonly Post[]> {
  const { settings, storage } = context
  const ids = [...new Set(entries.map(({ id }) => id))]
  // Versions of the past are not those of now.
  const mayCache = !Number.isNaN(settings.generation) && (readTagsOf(settings)?.noteRows(ids) ?? true)
  if (!mayCache) return storage.posts.read(ids)
  const cache = cacheOf(context)
  const found = new Map<number, Post>()
  for (const { id, version } of entries) {
    const row = cache.get(String(id))
    if (row?.version === version) found.set(id, row)
  }
  const missing = ids.filter((id) => !found.has(id))
  if (missing.length > 0) onRead?.(missing)
  for (const row of missing.length > 0 ? await storage.posts.read(missing) : []) {
    found.set(row.id, row)
    cache.set(String(row.id), row, rowCharacters + row.title.length + row.excerpt.length + row.content.length)
  }
  return ids.flatMap((id) => found.get(id) ?? [])
}
