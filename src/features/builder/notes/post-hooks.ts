/** Notes share the fate of their posts, in the same transaction. */
import type { HookContext } from '../../../core/declare/context.ts'
import type { Hook } from '../../../core/declare/events.ts'
import { andThen } from '../../../core/runtime/maybe-promise.ts'
import { followPosts } from './model.ts'

const elementsKey = '_builder_data'

export const withPosts: Hook<HookContext> = {
  'post.trashed': ({ post }, context) => andThen(followPosts(context, { trashed: [post.id] }), () => undefined),
  'post.deleted': ({ post }, context) => andThen(followPosts(context, { deleted: [post.id] }), () => undefined),
  'post.updated': ({ post, before, changedMeta }, context) => {
    const isBack = before.status === 'trash' && post.status !== 'trash'
    const restored = isBack ? followPosts(context, { restored: [post.id] }) : undefined
    return andThen(restored, () => {
      if (!changedMeta.includes(elementsKey)) return undefined
      return andThen(context.storage.meta.read('post', [post.id], [elementsKey]), ([entry]) =>
        andThen(
          followPosts(context, { saved: [{ post: post.id, elements: String(entry?.value ?? '') }] }),
          () => undefined,
        ),
      )
    })
  },
}
