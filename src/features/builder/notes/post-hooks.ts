/** Notes share the fate of their posts, in the same transaction. */
import type { HookContext } from '../../../core/declare/context.ts'
import type { Hook } from '../../../core/declare/events.ts'
import { andThen } from '../../../core/runtime/maybe-promise.ts'
import { followPosts } from './model.ts'

const elementsKey = '_builder_data'

export const withPosts: Hook<HookContext> = {
  'post.trashed': ({ post }, call) => andThen(followPosts(call, { trashed: [post.id] }), () => undefined),
  'post.deleted': ({ post }, call) => andThen(followPosts(call, { deleted: [post.id] }), () => undefined),
  'post.updated': ({ post, before, changedMeta }, call) => {
    const isBack = before.status === 'trash' && post.status !== 'trash'
    const restored = isBack ? followPosts(call, { restored: [post.id] }) : undefined
    return andThen(restored, () => {
      if (!changedMeta.includes(elementsKey)) return undefined
      return andThen(call.storage.meta.read('post', [post.id], [elementsKey]), ([entry]) =>
        andThen(
          followPosts(call, { saved: [{ post: post.id, elements: String(entry?.value ?? '') }] }),
          () => undefined,
        ),
      )
    })
  },
}
