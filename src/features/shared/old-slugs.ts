/** Stores the old slugs of published records, so that their old addresses redirect after a slug has changed. */

import type { Collection, Post, Storage } from '../../contract/storage.ts'
import type { HookContext } from '../../core/declare/context.ts'
import type { EventPayloads } from '../../core/declare/events.ts'
import type { PersistedCollection } from '../../core/declare/feature.ts'

const oldSlugs: Collection = {
  name: 'former_slugs',
  fields: { slug: 'text', type: 'text', post: 'integer' },
  indexed: ['slug'],
  orders: [['post', 'slug']],
}

export const persistedOldSlugs: PersistedCollection = { collection: oldSlugs, references: { post: 'post' } }

/** Runs in the transaction of the change. */
export async function storeOldSlug(
  { post, before }: EventPayloads['post.updated'],
  { storage }: HookContext,
): Promise<void> {
  if (before.status !== 'publish' || before.slug === '' || before.slug === post.slug || post.status === 'trash') return
  const where = { every: [same('post', post.id), same('slug', before.slug)] }
  const { rows } = await storage.records.query(oldSlugs, { where, limit: 1 })
  if (rows.length > 0) return
  await storage.records.insert(oldSlugs, [{ slug: before.slug, type: post.type, post: post.id }])
}

export async function removeOldSlugs({ post }: EventPayloads['post.deleted'], { storage }: HookContext): Promise<void> {
  await storage.records.remove(oldSlugs, same('post', post.id))
}

const same = (field: string, is: string | number) => ({ field, is })

/** A bound above the number of records that ever had one slug. */
const maxRows = 100

/** Returns the published records of these types that once had the slug; the one that lost it last comes first. */
export async function ownersOfOldSlug(storage: Storage, slug: string, types: readonly string[]): Promise<Post[]> {
  const { rows } = await storage.records.query(oldSlugs, {
    where: { every: [same('slug', slug), { field: 'type', in: types }] },
    order: [{ by: 'id', descending: true }],
    limit: maxRows,
  })
  const posts = await storage.posts.read([...new Set(rows.map(({ post }) => Number(post)))])
  return posts.filter(({ status, type }) => status === 'publish' && types.includes(type))
}
