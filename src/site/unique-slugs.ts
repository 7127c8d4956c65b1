/** Makes slugs unique: the storage finds taken ones, slug.ts adds suffixes. */

import { andThen, type MaybePromise } from '../contract/maybe-promise.ts'
import type { Storage } from '../contract/storage.ts'
import { slugWindow } from './free-slug.ts'
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
export function uniqueSlugs(
  storage: Storage,
  settings: Settings,
  requests: readonly SlugRequest[],
): MaybePromise<string[]> {
  // A slug that the post has already needs no lookup.
  const found = requests.map(({ base, own }) => (base === '' || base === own ? base : undefined))
  return search(storage, settings, requests, found, 1, 1)
}

function search(
  storage: Storage,
  settings: Settings,
  requests: readonly SlugRequest[],
  found: (string | undefined)[],
  from: number,
  size: number,
): MaybePromise<string[]> {
  const candidates = requests.map(({ base }, index) => (found[index] === undefined ? slugWindow(base, from, size) : []))
  const slugs = [...new Set(candidates.flat())]
  const [first] = requests
  if (!first || slugs.length === 0) return found as string[]
  return andThen(takenSlugs(storage, requests, slugs), (isTaken) => {
    const isFree = (slug: string, parent: number | undefined) =>
      !(isTaken(slug, parent) || isReservedSlug(slug, settings.permalink))
    const next = requests.map(
      ({ own, parent }, index) =>
        found[index] ?? candidates[index]?.find((slug) => slug === own || isFree(slug, parent)),
    )
    return search(storage, settings, requests, next, from + size, from === 1 ? 9 : size * 8)
  })
}

type IsTaken = (slug: string, parent: number | undefined) => boolean

/** One read for requests of one parent. For several parents, the rows with these slugs are read. */
function takenSlugs(
  storage: Storage,
  requests: readonly SlugRequest[],
  slugs: readonly string[],
): MaybePromise<IsTaken> {
  // The cast: there is a request, as there are slugs.
  const [{ type, parent }] = requests as [SlugRequest]
  if (requests.every((request) => request.parent === parent)) {
    return andThen(storage.posts.takenSlugs(type, slugs, parent), (taken) => (slug) => taken.includes(slug))
  }
  const order = { by: 'id', descending: false } as const
  const found = storage.posts.query({ types: [type], slugs, order, offset: 0, limit: Number.MAX_SAFE_INTEGER })
  return andThen(found, ({ heads }) =>
    andThen(storage.posts.read(heads.map(({ id }) => id)), (rows) => {
      const taken = new Set(rows.map((row) => `${row.parent} ${row.slug}`))
      return (slug: string, below: number | undefined) => taken.has(`${below} ${slug}`)
    }),
  )
}
