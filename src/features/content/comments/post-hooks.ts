/** Comments follow their post into the trash and out of it, and go with it, in the transaction of the post's change. */
import type { HookContext } from '../../../core/declare/context.ts'
import type { Hook } from '../../../core/declare/events.ts'
import { commentsCollection } from '../../../site/comments/comment.ts'
import { updateComments } from './model.ts'

export const postHooks: Hook<HookContext> = {
  'post.trashed': ({ post }, { storage }) =>
    updateComments(storage, { every: [{ field: 'post', is: post.id }, { not: inTrash }] }, ({ status }) => ({
      status: 'post-trashed',
      status_before_post: status,
    })),
  'post.updated': async ({ post, before }, { storage }) => {
    if (before.status !== 'trash' || post.status === 'trash') return
    await updateComments(storage, { every: [{ field: 'post', is: post.id }, inTrash] }, ({ statusBeforePost }) => ({
      status: statusBeforePost || 'hold',
      status_before_post: '',
    }))
  },
  'post.deleted': async ({ post }, { storage }) => {
    await storage.records.remove(commentsCollection, { field: 'post', is: post.id })
  },
}

const inTrash = { field: 'status', is: 'post-trashed' }
