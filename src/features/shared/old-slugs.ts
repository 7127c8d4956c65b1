/** Keeps the old slug of a published record whose slug changes, in the transaction of the change. */

import type { HookContext } from '../../core/declare/context.ts'
import type { EventPayloads } from '../../core/declare/events.ts'
import type { PersistedCollection } from '../../core/declare/feature.ts'
import { addOldSlugs, oldSlugs, removeOldSlugsOf } from '../../site/addresses/old-slugs.ts'

export const persistedOldSlugs: PersistedCollection = {
  collection: oldSlugs,
  references: { post: 'post' },
  isHistorical: true,
}

export async function storeOldSlug(
  { post, before }: EventPayloads['post.updated'],
  { storage }: HookContext,
): Promise<void> {
  if (before.status !== 'publish' || before.slug === '' || before.slug === post.slug || post.status === 'trash') return
  await addOldSlugs(storage, [{ slug: before.slug, type: post.type, post: post.id }])
}

export const removeOldSlugs = ({ post }: EventPayloads['post.deleted'], { storage }: HookContext): Promise<void> =>
  removeOldSlugsOf(storage, post.id)
