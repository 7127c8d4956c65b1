/** Draws the comments on the current post, and the place where a page puts the form for the next one. */
import type { Post } from '../../../../contract/storage.ts'
import { renderComment } from '../../../text/comment.ts'
import { color } from '../../controls/control.ts'
import { typography } from '../../controls/typography.ts'
import { filtered } from '../../html/markup.ts'
import { type Child, h } from '../../html/nodes.ts'
import { commentsOn, linkedAuthor } from '../../lists/comments.ts'
import type { Pass } from '../../pass/pass.ts'
import { currentPost, isLocked } from '../../template-context/current-post.ts'
import { formatDate, siteFormat } from '../../template-context/dates.ts'
import { type WidgetTable, widget } from '../widget.ts'

/** A reply whose comment is not shown is at the top; deeper replies are not indented further. */
const maxDepth = 5

/** The page decides whether visitors may comment at all. */
const isOpen = (post: Post, pass: Pass): boolean =>
  post.commentStatus === 'open' && post.status === 'publish' && !isLocked(post, pass)

const postComments = widget({
  html: ({ scope, pass }) => {
    const post = currentPost(scope, pass)
    const all = post ? commentsOn(post, pass) : []
    const place = post && isOpen(post, pass) && h('div', { 'data-comment-form': post.id })
    if (all.length === 0) return place
    const ids = new Set(all.map(({ id }) => id))
    const byParent = Map.groupBy(all, ({ parent, id }) => (ids.has(parent) && parent < id ? parent : 0))
    const items = (parent: number, depth: number): readonly Child[] =>
      (byParent.get(parent) ?? []).map((comment) => {
        const below = items(comment.id, depth + 1)
        return [
          h(
            'li',
            { id: `comment-${comment.id}`, class: ['comment'] },
            h('p', { class: ['comment-author'] }, linkedAuthor(comment, ['comment-author-link'], pass)),
            h(
              'p',
              { class: ['comment-date'] },
              formatDate(pass.site.time.toLocal(comment.date), siteFormat('date_format', pass), pass),
            ),
            h('div', { class: ['comment-content'] }, filtered(renderComment(comment.content, pass.site))),
            depth < maxDepth && below.length > 0 && h('ol', { class: ['children'] }, below),
          ),
          depth >= maxDepth && below,
        ]
      })
    const title = all.length === 1 ? '1 Comment' : `${all.length} Comments`
    return h(
      'section',
      { class: ['comments-area'], 'aria-label': 'Comments' },
      h('h2', { class: ['comments-title'] }, title),
      h('ol', { class: ['comment-list'] }, items(0, 1)),
      place,
    )
  },
  controls: [color('text_color', '& .comment-content', 'color'), ...typography('typography', '& .comment-content')],
  defaults: [
    { selector: '.comments-title', color: 'primary', typography: 'primary' },
    { selector: '.comment-content', color: 'text', typography: 'text' },
  ],
  rules: `.comment-list,.comment-list .children{list-style:none;margin:0;padding:0}.comment-list .children{padding-inline-start:1.5em}
.comment-list .comment{padding-block:12px}.comment-list .comment>p{margin:0}.comment-author{font-weight:700}.comment-date{font-size:.85em}`,
  isUnread: true,
})

export const commentWidgets: WidgetTable = { 'post-comments': postComments }
