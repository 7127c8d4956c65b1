/** Finds the row that a path below home names: pages by the slugs of their parents, other types by the permalink setting. */

import type { Post, Storage } from '../contract/storage.ts'
import { maxDepth, postAtPath } from './permalink.ts'
import type { Settings } from './settings.ts'

interface Place {
  readonly storage: Storage
  readonly settings: Settings
}

/** Splits a path below home into segments in the form of slugs: lower case, percent-encoded. Undefined outside of it. */
export function segmentsBelowHome(pathname: string, { home }: Pick<Settings, 'home'>): string[] | undefined {
  const base = segmentsOf(new URL(home).pathname)
  const path = segmentsOf(pathname)
  if (!base || !path || base.some((segment, index) => path[index] !== segment)) return undefined
  return path.slice(base.length)
}

function segmentsOf(pathname: string): string[] | undefined {
  try {
    return pathname
      .split('/')
      .filter((part) => part !== '')
      .map((part) => encodeURIComponent(decodeURIComponent(part)).toLowerCase())
  } catch {
    return undefined
  }
}

/** The segments are the slugs of the parents, then its own. */
export async function hierarchicalPostAt(
  path: readonly string[],
  type: string,
  { storage }: Pick<Place, 'storage'>,
): Promise<Post | undefined> {
  if (path.length > maxDepth) return undefined
  const slugs = [...new Set(path)]
  const order = { by: 'slugs' } as const
  // A slug is unique below each parent only, so there may be more rows than slugs.
  const { idsPage } = await storage.posts.query({ types: [type], slugs, order, offset: 0, limit: maxRows })
  const rows = await storage.posts.read(idsPage.map(({ id }) => id))
  let found: Post | undefined
  for (const slug of path) {
    const parent: number = found?.id ?? 0
    found = rows.find((candidate) => candidate.slug === slug && candidate.parent === parent)
    if (!found) return undefined
  }
  return found
}

const maxRows = 1000

/**
 * Finds a post by the id or slug in the path; the first of `types` that has one wins. The rest of the path may differ from the
 * permalink.
 */
export async function permalinkPostAt(
  path: readonly string[],
  types: readonly string[],
  { storage, settings }: Place,
): Promise<Post | undefined> {
  const { id, slug } = postAtPath(`/${path.join('/')}`, settings.permalink)
  const found = id === undefined ? await bySlug(slug, types, storage) : await storage.posts.read([id])
  for (const type of types) {
    const post = found.find((candidate) => candidate.type === type)
    if (post) return post
  }
  return undefined
}

async function bySlug(slug: string | undefined, types: readonly string[], storage: Storage): Promise<Post[]> {
  if (slug === undefined) return []
  const order = { by: 'id', descending: false } as const
  const { idsPage } = await storage.posts.query({ types, slugs: [slug], order, offset: 0, limit: maxRows })
  return storage.posts.read(idsPage.map(({ id }) => id))
}
