/** Hooks on post events that trash, restore and remove the notes of a post, in the transaction of the post's change. */
import type { HookContext } from '../../../core/declare/context.ts'
import type { Hook } from '../../../core/declare/events.ts'
import { elementsKey } from '../../shared/elements.ts'
import { updateNotesOfPosts } from './model.ts'

export const postHooks: Hook<HookContext> = {
  'post.trashed': ({ post }, context) => updateNotesOfPosts(context, { trashed: [post.id] }),
  'post.deleted': ({ post }, context) => updateNotesOfPosts(context, { deleted: [post.id] }),
  'post.updated': async ({ post, before, changedMeta }, context) => {
    if (before.status === 'trash' && post.status !== 'trash') await updateNotesOfPosts(context, { restored: [post.id] })
    if (!changedMeta.includes(elementsKey)) return
    const [entry] = await context.storage.meta.read('post', [post.id], [elementsKey])
    await updateNotesOfPosts(context, { saved: [{ post: post.id, elements: String(entry?.value ?? '') }] })
  },
}
