/** Lists approved comments on posts that visitors may read, for blocks and classic widgets. */

import { toBoolean } from '../../../contract/scalars.ts'
import type { Post } from '../../../contract/storage.ts'
import { avatarAddress, avatarSizes } from '../../../site/comments/avatar-address.ts'
import type { Comment } from '../../../site/comments/comment.ts'
import { linkAddress } from '../document/addresses.ts'
import { limits } from '../document/limits.ts'
import { type Child, h } from '../html/nodes.ts'
import type { Pass } from '../pass/pass.ts'
import { options } from '../records/kinds.ts'
import { commentCounts, commentListKey, commentLists } from '../records/lists.ts'
import { isLocked } from '../template-context/current-post.ts'

interface ListedComment {
  readonly comment: Comment
  readonly post: Post
}

/** Comments on hidden posts are left out, so more are read than are shown. */
const readPerShown = 5

/** Returns the newest comments on published posts without a password. */
export function latestComments(number: number, pass: Pass): readonly ListedComment[] {
  const wanted = Math.min(Math.max(number, 0), limits.listed)
  pass.depend('query:comments')
  const key = commentListKey({ limit: wanted * readPerShown, descending: true })
  const found = (pass.get(commentLists, key)?.comments ?? []).flatMap((comment): ListedComment[] => {
    const post = comment.post > 0 ? pass.post(comment.post) : undefined
    return post?.status === 'publish' && post.password === '' ? [{ comment, post }] : []
  })
  return found.slice(0, wanted).filter(() => pass.admit(limits.listedWork))
}

/** Returns whether visitors may comment on a post. */
export function isOpenToComments(post: Post, pass: Pass): boolean {
  if (post.commentStatus !== 'open' || post.status !== 'publish' || isLocked(post, pass)) return false
  pass.depend('option:anonymous_comments')
  return pass.records.source.takesComments() && toBoolean(pass.get(options, 'anonymous_comments')) === true
}

/** Returns the number of approved comments; none of a post whose password the reader has not entered. */
export function commentCount(post: Post, pass: Pass): number {
  pass.depend('query:comments')
  return isLocked(post, pass) ? 0 : (pass.get(commentCounts, post.id) ?? 0)
}

export const countOfComments = (count: number): string => (count === 1 ? '1 comment' : `${count} comments`)

/** Returns the approved comments on a post, oldest first; none of a post whose password the reader has not entered. */
export function commentsOn(post: Post, pass: Pass): readonly Comment[] {
  if (isLocked(post, pass)) return []
  pass.depend('query:comments')
  const key = commentListKey({ post: post.id, limit: limits.listed, descending: false })
  return (pass.get(commentLists, key)?.comments ?? []).filter(() => pass.admit(limits.listedWork))
}

export function commentAuthor(comment: Comment, pass: Pass): string {
  const name = comment.authorName || (comment.author > 0 ? (pass.user(comment.author)?.displayName ?? '') : '')
  return name === '' ? 'Anonymous' : name
}

/** Returns the name, in a link to the address that the author has given. */
export function linkedAuthor(comment: Comment, classes: readonly string[], pass: Pass): Child {
  const href = linkAddress(comment.authorUrl)
  const name = commentAuthor(comment, pass)
  return href === ''
    ? h('span', { class: classes }, name)
    : h('a', { class: classes, href, rel: 'ugc external nofollow' }, name)
}

export const commentAddress = ({ id, post }: Comment, pass: Pass): string => `${pass.addressOf(post)}#comment-${id}`

/** Returns the picture of a name, in the size of the service that is at least as large. */
export function avatarOf(displayName: string, width: number, pass: Pass, classes: readonly string[] = []): Child {
  const size = avatarSizes.find((one) => one >= width) ?? 96
  return h('img', {
    alt: `${displayName} avatar`,
    src: avatarAddress({ displayName }, size, pass.site),
    class: ['avatar', `avatar-${width}`, 'photo', ...classes],
    height: width,
    width,
    loading: 'lazy',
    decoding: 'async',
  })
}
