/**
 * Lists the media that a gallery or a playlist shows: those that it names (`ids`, `include`), or those that are attached to a post
 * without those of `exclude`.
 */
import { limits } from '../document/limits.ts'
import { idOf } from '../document/values.ts'
import type { ShortcodeCall } from '../pass/pass.ts'
import { type Medium, postListKey, postLists } from '../records/kinds.ts'
import { currentPost, isLocked, visiblePost } from '../template-context/current-post.ts'

/** Returns media whose type begins with `type`. Each takes a unit of work. */
export function listedMedia(call: ShortcodeCall, type: string): Medium[] {
  const { attributes, pass } = call
  const ids = idsIn(attributes['ids'] ?? attributes['include']) ?? attached(call)
  const media = ids.slice(0, limits.items).flatMap((id) => {
    const medium = pass.medium(id)
    return medium?.mimeType.startsWith(type) ? medium : []
  })
  // The pseudo-random order is the same in each render, so that the result can be cached.
  if (attributes['orderby'] === 'rand') media.sort((a, b) => ((a.id * 7919) % 1009) - ((b.id * 7919) % 1009))
  const end = media.findIndex(() => !pass.admit())
  return end === -1 ? media : media.slice(0, end)
}

const idsIn = (written: string | undefined): number[] | undefined =>
  written?.split(',').flatMap((text) => idOf(text.trim()) ?? [])

function attached({ attributes, pass, scope }: ShortcodeCall): number[] {
  const { id } = attributes
  const post = id === undefined ? currentPost(scope, pass) : visiblePost(idOf(id.trim()) ?? 0, pass)
  if (!post || (id !== undefined && post.id !== scope.post && isLocked(post, pass))) return []
  pass.depend('query:attachment')
  const query = {
    types: ['attachment'],
    parents: [post.id],
    order: { by: 'id', descending: false },
    offset: 0,
    limit: limits.items,
  } as const
  const excluded = new Set(idsIn(attributes['exclude']))
  return (pass.get(postLists, postListKey(query))?.ids ?? []).filter((one) => !excluded.has(one))
}
