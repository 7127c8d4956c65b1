/** Dynamic tags about the current post. */
import type { TagTable } from '../engine/pass.ts'

export const postTags: TagTable = {
  'post-title': ({ pass, scope }) => {
    const post = scope.post > 0 ? pass.post(scope.post) : undefined
    return post && pass.tables.text.title(post.title)
  },
  'post-id': ({ scope }) => (scope.post > 0 ? scope.post : undefined),
  'post-url': ({ pass, scope }) => {
    const post = scope.post > 0 ? pass.post(scope.post) : undefined
    return post && { url: pass.addressOf(post.id) }
  },
}
