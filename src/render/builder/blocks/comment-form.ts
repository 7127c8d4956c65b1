/** Draws the form for a comment, which the page of the post receives. Elsewhere a link leads to that page. */

import type { Post } from '../../../contract/storage.ts'
import type { Comment } from '../../../site/comments/comment.ts'
import { type Attributes, type Child, h } from '../html/nodes.ts'
import { commentAuthor, isOpenToComments } from '../lists/comments.ts'
import type { Block, BlockCall, Pass } from '../pass/pass.ts'
import { commentListKey, commentLists } from '../records/lists.ts'
import { currentPost, isLocked } from '../template-context/current-post.ts'
import { isShownAt, requestValue } from '../template-context/page.ts'
import { uniqueId } from './pieces.ts'
import { wrapper } from './wrapper.ts'

/** The theme of the pages has the same one, so links to the form fit both. */
export const formId = 'write-comment'

export const commentForm: Block = (call) => {
  const { scope, pass } = call
  const post = currentPost(scope, pass)
  if (!post || isLocked(post, pass) || !pass.records.source.takesComments()) return undefined
  const classes = ['comment-respond']
  if (!isOpenToComments(post, pass)) {
    return wrapper(call, { classes }, h('p', { class: ['comments-closed'] }, 'Comments are closed.'))
  }
  const address = pass.addressOf(post.id)
  if (!isShownAt(address, pass)) {
    const link = h('a', { href: `${address}#${formId}` }, 'Write a comment')
    return wrapper(call, { classes }, h('p', {}, link, ' on the page of this post.'))
  }
  return wrapper(call, { classes }, form(post, address, call))
}

/** The name of a field that only programs find. */
export const trapName = 'leave_empty'

/** No class hides the field, because the sheet of a host may have no rule for it. */
export const trapStyle = 'position:absolute;width:1px;height:1px;margin:0;overflow:hidden;clip-path:inset(50%)'

function form(post: Post, action: string, call: BlockCall): Child {
  const { pass } = call
  const parent = repliedTo(post, pass)
  const title = parent ? `Reply to ${commentAuthor(parent, pass)}` : 'Write a comment'
  const id = uniqueId('comment-field', call)
  const field = (name: string, label: string, attributes: Attributes): Child => {
    const tag = name === 'text' ? 'textarea' : 'input'
    return h(
      'p',
      { class: [`comment-form-${name}`] },
      h('label', { for: `${id}-${name}` }, label),
      h(tag, { id: `${id}-${name}`, name: `comment_${name}`, ...attributes }),
    )
  }
  return [
    h('h3', { id: formId, class: ['comment-reply-title'] }, title),
    h(
      'form',
      { class: ['comment-form'], action, method: 'post' },
      h('input', { type: 'hidden', name: 'comment_form', value: '1' }),
      parent && h('input', { type: 'hidden', name: 'comment_parent', value: parent.id }),
      h(
        'p',
        { style: trapStyle, 'aria-hidden': 'true' },
        h('label', { for: `${id}-empty` }, 'Leave this empty'),
        h('input', { id: `${id}-empty`, name: trapName, tabindex: -1, autocomplete: 'off' }),
      ),
      field('text', 'Comment', { rows: 6, required: true }),
      field('name', 'Name', { autocomplete: 'name', required: true }),
      field('email', 'Email address (not shown)', { type: 'email', autocomplete: 'email', required: true }),
      field('url', 'Website (optional)', { type: 'url', autocomplete: 'url' }),
      h('p', { class: ['form-submit'] }, h('button', { type: 'submit', class: ['cms-element-button'] }, 'Send')),
      parent && h('p', {}, h('a', { href: `${action}#${formId}` }, 'Write a comment that is no reply')),
    ),
  ]
}

/** Returns the shown comment that the address names: `?reply=12`. */
function repliedTo(post: Post, pass: Pass): Comment | undefined {
  const asked = requestValue('reply', pass)
  if (!/^\d{1,15}$/.test(asked)) return undefined
  pass.depend('query:comments')
  const shown = pass.get(commentLists, commentListKey({ post: post.id, limit: mostComments, descending: true }))
  return shown?.comments.find(({ id }) => id === Number(asked))
}

/** Longer pages would be unreadable: the newest comments up to this number are shown. */
export const mostComments = 500
