/** Slugs that nobody else has: the storage knows which are taken, core/slug.ts how one is varied. */

import type { Storage } from '../storage/contract.ts'
import { chain, type Eventually } from './eventually.ts'
import type { Settings } from './settings.ts'
import { isReservedSlug, suffixedSlug } from './slug.ts'

export interface WantedSlug {
  readonly type: string
  readonly base: string
  /** The slug the post has already: it stands in nobody's way. */
  readonly own?: string
}

/** For each the base, or the first of `base-2`, `base-3`, ... that is free. Asked in growing windows for all together. */
export function freeSlugs(storage: Storage, settings: Settings, wanted: readonly WantedSlug[]): Eventually<string[]> {
  // What a post has already needs no question.
  const found = wanted.map(({ base, own }) => (base === '' || base === own ? base : undefined))
  return search(storage, settings, wanted, found, 1, 1)
}

function search(
  storage: Storage,
  settings: Settings,
  wanted: readonly WantedSlug[],
  found: (string | undefined)[],
  from: number,
  size: number,
): Eventually<string[]> {
  const open = wanted.filter((_, index) => found[index] === undefined)
  const [first] = open
  if (!first) return found as string[]
  const candidates = (base: string) =>
    Array.from({ length: size }, (_, index) => (from + index === 1 ? base : suffixedSlug(base, from + index)))
  const asked = open.flatMap(({ base }) => candidates(base))
  return chain(storage.posts.takenSlugs(first.type, [...new Set(asked)]), (taken) => {
    const next = wanted.map(({ base, own }, index) => {
      const isFree = (slug: string) =>
        slug === own || !(taken.includes(slug) || isReservedSlug(slug, settings.permalink))
      return found[index] ?? candidates(base).find(isFree)
    })
    return search(storage, settings, wanted, next, from + size, from === 1 ? 9 : size * 8)
  })
}
