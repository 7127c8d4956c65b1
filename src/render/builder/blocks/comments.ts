/** Blocks that show the comments on the current post, each with a template. */

import type { Post } from '../../../contract/storage.ts'
import type { Comment } from '../../../site/comments/comment.ts'
import { type Threaded, threadsOf } from '../../../site/comments/threads.ts'
import { renderComment } from '../../text/comment.ts'
import { linkAddress } from '../document/addresses.ts'
import { limits } from '../document/limits.ts'
import { filtered } from '../html/markup.ts'
import { type Child, h, isNothing } from '../html/nodes.ts'
import {
  avatarOf,
  commentAddress,
  commentAuthor,
  commentCount,
  countOfComments,
  isOpenToComments,
} from '../lists/comments.ts'
import { shownTitle } from '../lists/posts.ts'
import type { Block, BlockCall, BlockTable, Pass } from '../pass/pass.ts'
import type { BlockComments } from '../pass/scope.ts'
import { queryAddress, requestedPage } from '../queries/pagination.ts'
import { commentListKey, commentLists } from '../records/lists.ts'
import { authorOf, currentPost, isLocked } from '../template-context/current-post.ts'
import { requestValue } from '../template-context/page.ts'
import { integer, isOn, text } from './attributes.ts'
import { commentForm, formId, mostComments } from './comment-form.ts'
import { dateOf } from './pieces.ts'
import { headingTag, linkAttributes } from './site.ts'
import { wrapper } from './wrapper.ts'

const threadsOfPage = 50

/** Choice: the address without a page shows the newest threads, so that a new comment is on it. */
function readComments(post: Post, pass: Pass): BlockComments {
  pass.depend('query:comments')
  const key = commentListKey({ post: post.id, limit: mostComments, descending: true })
  const { comments = [], total = 0 } = isLocked(post, pass) ? {} : (pass.get(commentLists, key) ?? {})
  const threads = threadsOf(comments.toReversed())
  const pages = Math.max(1, Math.ceil(threads.length / threadsOfPage))
  const name = pass.uniqueName('comments-page')
  const page = requestValue(name, pass) === '' ? pages : Math.min(requestedPage(name, pass), pages)
  const url = pass.addressOf(post.id)
  return {
    ...{ post, total, page, pages },
    threads: threads.slice((page - 1) * threadsOfPage, page * threadsOfPage),
    address: (wanted) => queryAddress(name, wanted, pass, { url, unnamed: pages }),
  }
}

// ---------------------------------------------------------------- the list

/** Older texts store no template. */
const comments: Block = (call) => {
  const { scope, pass } = call
  const post = currentPost(scope, pass)
  if (!post || isLocked(post, pass)) return undefined
  const found = readComments(post, pass)
  if (found.total === 0 && !isOpenToComments(post, pass)) return undefined
  const inList = { ...scope, around: { comments: found } }
  const isOlder = call.name === 'post-comments' || isOn(call, 'legacy')
  const shown = isOlder ? undefined : call.stored(inList)
  return isNothing(shown) ? olderList({ ...call, scope: inList }, found) : shown
}

const olderList = (call: BlockCall, found: BlockComments): Child => {
  const part = (name: string): BlockCall => ({ ...call, name, attributes: {} })
  const draw = (comment: Comment): Child => [
    h(
      'div',
      { class: ['comment-meta'] },
      authorName(part('comment-author-name'), comment),
      date(part('comment-date'), comment),
    ),
    content(part('comment-content'), comment),
    replyLink(part('comment-reply-link'), comment),
  ]
  return wrapper(
    { ...call, name: 'comments' },
    {},
    title({ ...part('comments-title') }),
    threadList(part('comment-template'), found.threads, draw),
    commentForm(part('post-comments-form')),
  )
}

const template: Block = (call) => {
  const { around } = call.scope
  const threads = around?.comments?.threads ?? []
  const draw = (comment: Comment) => call.inner({ ...call.scope, around: { ...around, comment } })
  return threads.length === 0 ? undefined : threadList(call, threads, draw)
}

/** Only the outermost list has the wrapper of the block. */
function threadList(call: BlockCall, threads: readonly Threaded<Comment>[], draw: (comment: Comment) => Child): Child {
  const items = (listed: readonly Threaded<Comment>[]): readonly Child[] =>
    listed
      .filter(() => call.pass.admit(limits.listedWork))
      .map((comment) => {
        const replies = items(comment.replies)
        return h(
          'li',
          { id: `comment-${comment.id}`, class: ['comment'] },
          draw(comment),
          replies.length > 0 && h('ol', { class: ['children'] }, replies),
        )
      })
  return threads.length === 0 ? undefined : wrapper(call, { tag: 'ol' }, items(threads))
}

const title: Block = (call) => {
  const found = call.scope.around?.comments
  if (!found || found.total === 0) return undefined
  const hasCount = isOn(call, 'showCommentsCount', true)
  const count = hasCount ? countOfComments(found.total) : found.total === 1 ? 'Comment' : 'Comments'
  const name = isOn(call, 'showPostTitle', true) && [' on “', shownTitle(found.post, call.pass), '”']
  return wrapper(call, { tag: headingTag(call, 2), attributes: { id: 'comments' } }, count, name)
}

// ---------------------------------------------------------------- parts of a comment

/** A block of the comment that a template is drawn for; nothing without one. */
const ofComment =
  (draw: (call: BlockCall, comment: Comment) => Child): Block =>
  (call) => {
    const comment = call.scope.around?.comment
    return comment && draw(call, comment)
  }

function authorName(call: BlockCall, comment: Comment): Child {
  const name = commentAuthor(comment, call.pass)
  const href = isOn(call, 'isLink', true) ? linkAddress(comment.authorUrl) : ''
  const link = { ...linkAttributes(call, href), rel: 'external nofollow ugc' }
  return wrapper(call, {}, href === '' ? name : h('a', link, name))
}

const content = (call: BlockCall, comment: Comment): Child =>
  wrapper(call, {}, filtered(renderComment(comment.content, call.pass.site)))

function date(call: BlockCall, comment: Comment): Child {
  const { pass } = call
  const time = dateOf(pass.site.time.toLocal(comment.date), '', pass, text(call, 'format'))
  const href = commentAddress(comment, pass)
  return wrapper(call, {}, isOn(call, 'isLink', true) ? h('a', { href }, time) : time)
}

function replyLink(call: BlockCall, comment: Comment): Child {
  const { pass } = call
  const post = pass.post(comment.post)
  if (!post || !isOpenToComments(post, pass)) return undefined
  const href = `${queryAddress('reply', comment.id, pass, { url: pass.addressOf(post.id), unnamed: 0 })}#${formId}`
  const label = `Reply to ${commentAuthor(comment, pass)}`
  return wrapper(call, {}, h('a', { rel: 'nofollow', href, 'aria-label': label }, 'Reply'))
}

/** Shows the picture of the author of the comment, else of the post. */
const avatar: Block = (call) => {
  const { scope, pass } = call
  const comment = scope.around?.comment
  const post = comment ? undefined : currentPost(scope, pass)
  const author = comment ? commentAuthor(comment, pass) : post && authorOf(post, pass)?.displayName
  if (author === undefined) return undefined
  const width = integer(call, call.name === 'avatar' ? 'size' : 'width', 96, [16, 512])
  const className = call.name === 'avatar' ? 'cms-block-avatar__image' : ''
  return wrapper(call, {}, avatarOf(author, width, pass, [className]))
}

// ---------------------------------------------------------------- numbers

const commentsLink: Block = (call) => {
  const { scope, pass } = call
  const post = currentPost(scope, pass)
  if (!post || isLocked(post, pass)) return undefined
  const count = commentCount(post, pass)
  const label = count === 0 ? 'No comments' : countOfComments(count)
  const of = h('span', { class: ['screen-reader-text'] }, ' on ', shownTitle(post, pass))
  return wrapper(call, {}, h('a', { href: `${pass.addressOf(post.id)}#comments` }, label, of))
}

const commentsCount: Block = (call) => {
  const post = currentPost(call.scope, call.pass)
  return post && !isLocked(post, call.pass) ? wrapper(call, {}, String(commentCount(post, call.pass))) : undefined
}

export const commentBlocks: BlockTable = {
  avatar,
  'comment-author-avatar': avatar,
  'comment-author-name': ofComment(authorName),
  'comment-content': ofComment(content),
  'comment-date': ofComment(date),
  'comment-reply-link': ofComment(replyLink),
  'comment-template': template,
  comments,
  'comments-title': title,
  'post-comments': comments,
  'post-comments-count': commentsCount,
  'post-comments-form': commentForm,
  'post-comments-link': commentsLink,
}
