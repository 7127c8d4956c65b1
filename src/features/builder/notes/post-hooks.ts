/** Notes share the fate of their posts, in the same transaction. */
import type { Following } from '../../../core/declare/endpoint.ts'
import type { Follower } from '../../../core/declare/events.ts'
import { chain } from '../../../core/runtime/maybe-promise.ts'
import { followPosts } from './model.ts'

const elementsKey = '_builder_data'

export const withPosts: Follower<Following> = {
  'post.trashed': ({ post }, call) => chain(followPosts(call, { trashed: [post.id] }), () => undefined),
  'post.deleted': ({ post }, call) => chain(followPosts(call, { deleted: [post.id] }), () => undefined),
  'post.updated': ({ post, before, changedMeta }, call) => {
    const isBack = before.status === 'trash' && post.status !== 'trash'
    const restored = isBack ? followPosts(call, { restored: [post.id] }) : undefined
    return chain(restored, () => {
      if (!changedMeta.includes(elementsKey)) return undefined
      return chain(call.storage.meta.read('post', [post.id], [elementsKey]), ([entry]) =>
        chain(followPosts(call, { saved: [{ post: post.id, elements: String(entry?.value ?? '') }] }), () => undefined),
      )
    })
  },
}
