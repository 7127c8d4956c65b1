/** Redirects old addresses: those with an old slug of a record or of a page above it. */

import type { Post } from '../../contract/storage.ts'
import { ownersOfOldSlug } from '../../features/shared/old-slugs.ts'
import { addressesOf, maxDepth, postAtPath } from '../../site/permalink.ts'
import { redirect } from '../response.ts'
import type { Visit } from '../visit.ts'
import { viewableTypes } from './locate.ts'

/** Returns undefined when no record ever had the address. Called only for addresses that no current record has. */
export async function redirectOldAddress(segments: readonly string[], visit: Visit): Promise<Response | undefined> {
  if (segments.length === 0 || segments.length > maxDepth) return undefined
  const { hierarchical } = viewableTypes(visit)
  const [base = ''] = segments
  const isNested = base !== 'page' && hierarchical.includes(base)
  const post =
    (isNested ? await nestedOwner(segments.slice(1), base, visit) : await nestedOwner(segments, 'page', visit)) ??
    (await flatOwner(segments, visit))
  if (!post) return undefined
  const [address] = await addressesOf([post], visit, hierarchical.includes(post.type) ? post.type : 'page')
  return address === undefined ? undefined : redirect(address)
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
  const types = viewableTypes(visit).flat.filter((type) => type !== 'attachment')
  return slug === undefined ? undefined : (await ownersOfOldSlug(visit.storage, slug, types))[0]
}
