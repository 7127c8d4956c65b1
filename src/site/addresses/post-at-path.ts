/** Finds the row that a path below home names: pages by the slugs of their parents, other types by the permalink setting. */

import type { Post, Storage } from '../../contract/storage.ts'
import { maxDepth, pagePaths, postAtPath } from '../permalink.ts'
import type { Settings } from '../settings.ts'

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

/** The segments are the slugs of the parents, then its own. A parent without a slug has no segment. */
export async function hierarchicalPostAt(
  path: readonly string[],
  type: string,
  { storage }: Pick<Place, 'storage'>,
): Promise<Post | undefined> {
  const rows = await pagesNamed(path, type, storage)
  let found: Post | undefined
  for (const slug of path) {
    const parent: number = found?.id ?? 0
    found = rows.find((candidate) => candidate.slug === slug && candidate.parent === parent)
    if (!found) break
  }
  if (found) return found
  const nested = await nestedWithPaths(path, rows, storage)
  return nested.find(({ slugs }) => slugs.join('/') === path.join('/'))?.page
}

/**
 * Finds the pages whose path becomes this one when parents are left out of it: `/kid/` for `/parent/kid/`. The page with the fewest
 * parents comes first, then the oldest.
 */
export async function postsAtShortPath(
  path: readonly string[],
  type: string,
  { storage }: Pick<Place, 'storage'>,
): Promise<Post[]> {
  const rows = await pagesNamed(path.slice(-1), type, storage)
  const nested = await nestedWithPaths(path, rows, storage)
  return nested
    .filter(({ slugs }) => isShortFor(path, slugs))
    .toSorted((a, b) => a.slugs.length - b.slugs.length || a.page.id - b.page.id)
    .map(({ page }) => page)
}

/** A slug is unique below each parent only, so there may be more rows than slugs. */
async function pagesNamed(path: readonly string[], type: string, storage: Storage): Promise<Post[]> {
  if (path.length === 0 || path.length > maxDepth) return []
  const query = { types: [type], slugs: [...new Set(path)], order: { by: 'slugs' } as const }
  const { idsPage } = await storage.posts.query({ ...query, offset: 0, limit: maxRows })
  return storage.posts.read(idsPage.map(({ id }) => id))
}

interface PageWithPath {
  readonly page: Post
  readonly slugs: readonly string[]
}

/** Pages at the top have no other path than their slug. */
async function nestedWithPaths(
  path: readonly string[],
  rows: readonly Post[],
  storage: Storage,
): Promise<PageWithPath[]> {
  const pages = rows.filter(({ slug, parent }) => slug === path.at(-1) && parent !== 0)
  const paths = await pagePaths(pages, storage)
  return pages.map((page, index) => ({ page, slugs: paths[index] ?? [] }))
}

/** The last segments are the same already. */
function isShortFor(path: readonly string[], slugs: readonly string[]): boolean {
  const above = path.slice(0, -1)
  let at = 0
  for (const slug of slugs.slice(0, -1)) if (slug === above[at]) at++
  return at === above.length
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
  const found = id === undefined ? await postsNamed(slug, types, storage) : await storage.posts.read([id])
  for (const type of types) {
    const post = found.find((candidate) => candidate.type === type)
    if (post) return post
  }
  return undefined
}

/** Returns the records of these types with the slug, the oldest first. */
export async function postsNamed(
  slug: string | undefined,
  types: readonly string[],
  storage: Storage,
): Promise<Post[]> {
  if (slug === undefined) return []
  const order = { by: 'id', descending: false } as const
  const { idsPage } = await storage.posts.query({ types, slugs: [slug], order, offset: 0, limit: maxRows })
  return storage.posts.read(idsPage.map(({ id }) => id))
}
