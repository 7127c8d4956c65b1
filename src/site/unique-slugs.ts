/** Makes slugs unique: the storage finds taken ones, slug.ts adds suffixes. */

import type { Storage } from '../contract/storage.ts'
import { slugWindows } from './free-slug.ts'
import type { Settings } from './settings.ts'
import { isReservedSlug } from './slug.ts'

interface SlugRequest {
  readonly type: string
  readonly base: string
  /** Where slugs are unique below a parent only: that parent. */
  readonly parent?: number
  /** The current slug of the post; it does not count as taken. */
  readonly own?: string
}

/**
 * For each request the base, or the first free one of `base-2`, `base-3`, ... Candidates are looked up in growing
 * windows, for all requests in one call.
 */
export async function uniqueSlugs(
  storage: Storage,
  settings: Settings,
  requests: readonly SlugRequest[],
): Promise<string[]> {
  // A slug that the post has already needs no lookup.
  let found = requests.map(({ base, own }) => (base === '' || base === own ? base : undefined))
  for (const window of slugWindows()) {
    const candidates = requests.map(({ base }, index) => (found[index] === undefined ? window(base) : []))
    const slugs = [...new Set(candidates.flat())]
    if (slugs.length === 0) break
    const isTaken = await takenSlugs(storage, requests, slugs)
    const isFree = (slug: string, parent: number | undefined) =>
      !(isTaken(slug, parent) || isReservedSlug(slug, settings.permalink))
    found = requests.map(
      ({ own, parent }, index) =>
        found[index] ?? candidates[index]?.find((slug) => slug === own || isFree(slug, parent)),
    )
  }
  // The cast: the loop ends when each request has its slug.
  return found as string[]
}

type IsTaken = (slug: string, parent: number | undefined) => boolean

/** One read for requests of one parent. For several parents, the rows with these slugs are read. */
async function takenSlugs(
  storage: Storage,
  requests: readonly SlugRequest[],
  slugs: readonly string[],
): Promise<IsTaken> {
  // The cast: there is a request, as there are slugs.
  const [{ type, parent }] = requests as [SlugRequest]
  if (requests.every((request) => request.parent === parent)) {
    const taken = await storage.posts.takenSlugs(type, slugs, parent)
    return (slug) => taken.includes(slug)
  }
  const order = { by: 'id', descending: false } as const
  const query = { types: [type], slugs, order, offset: 0, limit: Number.MAX_SAFE_INTEGER }
  const { idsPage } = await storage.posts.query(query)
  const rows = await storage.posts.read(idsPage.map(({ id }) => id))
  const taken = new Set(rows.map((row) => `${row.parent} ${row.slug}`))
  return (slug: string, below: number | undefined) => taken.has(`${below} ${slug}`)
}
