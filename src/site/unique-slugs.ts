/** Makes slugs unique: the storage finds taken ones, slug.ts adds suffixes. */

import type { Storage } from '../contract/storage.ts'
import { NumberSearch, numberedSlug } from './free-slug.ts'
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
 * For each request the base, or a free one of `base-2`, `base-3`, ...: the rule is that of `NumberSearch`. One read looks up the
 * candidates of all requests.
 */
export async function uniqueSlugs(
  storage: Storage,
  settings: Settings,
  requests: readonly SlugRequest[],
): Promise<string[]> {
  // A slug that the post has already needs no lookup.
  const found = requests.map(({ base, own }) => (base === '' || base === own ? base : undefined))
  const searches = requests.map(({ base, own }) => new NumberSearch(1, numberOf(base, own)))
  for (;;) {
    const candidates = requests.map(({ base }, index) =>
      found[index] === undefined ? searches[index]?.next().map((number) => numberedSlug(base, number)) : undefined,
    )
    const slugs = [...new Set(candidates.flatMap((some) => some ?? []))]
    // The cast: the loop ends when each request has its slug.
    if (slugs.length === 0) return found as string[]
    const isTaken = await takenSlugs(storage, requests, slugs)
    for (const [index, { base, parent }] of requests.entries()) {
      if (found[index] !== undefined) continue
      const isFree = (slug: string) => !(isTaken(slug, parent) || isReservedSlug(slug, settings.permalink))
      const number = searches[index]?.settle((one) => isFree(numberedSlug(base, one)))
      if (number !== undefined) found[index] = numberedSlug(base, number)
    }
  }
}

/** The number of the slug that a post has already; undefined where it is not one of the base. */
function numberOf(base: string, own: string | undefined): number | undefined {
  const number = Number(/-([1-9]\d{0,9})$/.exec(own ?? '')?.[1] ?? 0)
  return number > 1 && numberedSlug(base, number) === own ? number : undefined
}

type IsTaken = (slug: string, parent: number | undefined) => boolean

/** One read for requests of one parent. For several parents, the rows with these slugs below them are read. */
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
  const parents = [...new Set(requests.map(({ parent: below }) => below))].filter((below) => below !== undefined)
  const order = { by: 'id', descending: false } as const
  const query = { types: [type], slugs, parents, order, offset: 0, limit: Number.MAX_SAFE_INTEGER }
  const { idsPage } = await storage.posts.query(query)
  const rows = await storage.posts.read(idsPage.map(({ id }) => id))
  const taken = new Set(rows.map((row) => `${row.parent} ${row.slug}`))
  return (slug: string, below: number | undefined) => taken.has(`${below} ${slug}`)
}
