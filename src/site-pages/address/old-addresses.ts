/** Redirects addresses with an old slug of a record or of a page above it, and paths in which parents are missing. */

import type { Post } from '../../contract/storage.ts'
import { viewableTypes } from '../../features/shared/declared-types.ts'
import { ownersOfOldSlug } from '../../site/addresses/old-slugs.ts'
import { postsAtShortPath, postsNamed } from '../../site/addresses/post-at-path.ts'
import { maxDepth, postAtPath } from '../../site/permalink.ts'
import type { Visit } from '../visit.ts'
import { canonicalRedirect } from './canonical.ts'
import { recordAt } from './locate.ts'
import { endingOf, hierarchicalPath } from './lookup.ts'

/**
 * Returns undefined when no record that visitors may see ever had the address, or has a longer one. Called only for
 * addresses that no current record has.
 */
export async function redirectOtherPath(segments: readonly string[], visit: Visit): Promise<Response | undefined> {
  const ending = endingOf(segments, visit.query)
  const { path } = ending
  if (path.length === 0 || path.length > maxDepth) return undefined
  for (const find of [oldOwners, longerPaths]) {
    for (const post of await find(path, visit)) {
      const located = await recordAt(post, ending, visit)
      if (located) return canonicalRedirect(located, visit)
    }
  }
  return undefined
}

async function oldOwners(path: readonly string[], visit: Visit): Promise<readonly Post[]> {
  const { type, slugs } = hierarchicalPath(path, visit)
  const post = (await nestedOwner(slugs, type, visit)) ?? (await flatOwner(path, visit))
  return post ? [post] : []
}

/** Old links name a page without its parents, and a post without the other parts of its permalink. */
async function longerPaths(path: readonly string[], visit: Visit): Promise<readonly Post[]> {
  const { storage, settings } = visit
  const { type, slugs } = hierarchicalPath(path, visit)
  const pages = await postsAtShortPath(slugs, type, visit)
  return path.length > 1 || settings.permalink === ''
    ? pages
    : [...pages, ...(await postsNamed(path[0], ['post'], storage))]
}

/** Finds a page by the path of slugs, of which each may be a current or an old slug of a child page. */
async function nestedOwner(path: readonly string[], type: string, { storage }: Visit): Promise<Post | undefined> {
  let found: Post | undefined
  for (const slug of path) {
    const parent: number = found?.id ?? 0
    const query = { types: [type], slugs: [slug], parents: [parent], order: { by: 'id', descending: false } as const }
    const { idsPage } = await storage.posts.query({ ...query, offset: 0, limit: 1 })
    const [current] = await storage.posts.read(idsPage.map(({ id }) => id))
    const owners = current ? [current] : await ownersOfOldSlug(storage, slug, [type])
    found = owners.find((post) => post.parent === parent)
    if (!found) return undefined
  }
  return found?.status === 'publish' ? found : undefined
}

async function flatOwner(segments: readonly string[], visit: Visit): Promise<Post | undefined> {
  const { slug } = postAtPath(`/${segments.join('/')}`, visit.settings.permalink)
  const types = viewableTypes(visit.app).flat.filter((type) => type !== 'attachment')
  return slug === undefined ? undefined : (await ownersOfOldSlug(visit.storage, slug, types))[0]
}
