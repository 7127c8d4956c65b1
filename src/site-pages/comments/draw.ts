/** Draws the comments of a post: their threads, and the form for a new one, which works without a script. */

import { trapName, trapStyle } from '../../render/builder/blocks/comment-form.ts'
import { linkAddress } from '../../render/builder/document/addresses.ts'
import { hidden } from '../challenge.ts'
import { filtered, html, type Markup, nothing } from '../content/markup.ts'
import { longDate } from '../theme/posts.ts'
import type { Visit } from '../visit.ts'
import { filled } from '../words.ts'
import type { Thread, ThreadComment } from './thread.ts'

/** A comment that the API has refused, as the reader entered it. */
export interface RefusedComment {
  readonly values: { readonly [field: string]: string }
  readonly problems: readonly string[]
  /** With this token the reader may send it once more. */
  readonly challenge?: string
}

interface Drawing {
  readonly thread: Thread
  /** The address of the page. */
  readonly address: string
  readonly refused?: RefusedComment | undefined
}

/** The parts that the content of the post does not show by its own blocks. */
export interface CommentParts {
  readonly hasList: boolean
  readonly hasForm: boolean
}

export function drawComments(
  { thread, address, refused }: Drawing,
  { hasList, hasForm }: CommentParts,
  visit: Visit,
): Markup {
  const { words } = visit.options
  const { comments, count, isOpen } = thread
  const title = count === 0 ? words.comment : filled(words.comments, { count: String(count) })
  return html`<section class="site-column site-comments" id="comments" aria-label="${words.commentsLabel}">
${count === 0 || !hasList ? nothing : html`<h2>${title}</h2>\n${list(comments, { address, isOpen }, visit)}`}
${isOpen && hasForm ? drawCommentForm({ thread, address, refused }, visit) : nothing}
</section>`
}

interface Around {
  readonly address: string
  readonly isOpen: boolean
}

const list = (comments: readonly ThreadComment[], around: Around, visit: Visit): Markup =>
  comments.length === 0 ? nothing : html`<ol>${comments.map((comment) => entry(comment, around, visit))}</ol>`

function entry({ id, name, url, date, content, replies }: ThreadComment, around: Around, visit: Visit): Markup {
  const { words } = visit.options
  const href = linkAddress(url)
  const shown = name === '' ? words.nameless : name
  const author = href === '' ? html`<b>${shown}</b>` : html`<b><a href="${href}" rel="ugc nofollow">${shown}</a></b>`
  const reply = withQuery(around.address, `reply=${id}`)
  return html`<li id="comment-${String(id)}"><article>
<p class="site-meta">${author} · <a href="#comment-${String(id)}"><time datetime="${date}">${longDate(date, visit)}</time></a></p>
<div class="site-text">${filtered(content)}</div>
${around.isOpen ? html`<p class="site-reply"><a href="${reply}#write-comment" rel="nofollow" aria-label="${filled(words.replyTo, { name: shown })}">${words.reply}</a></p>` : nothing}
</article>${list(replies, around, visit)}</li>`
}

const withQuery = (address: string, query: string): string => `${address}${address.includes('?') ? '&' : '?'}${query}`

/** Draws the form for a new comment, with what was refused. */
export function drawCommentForm({ thread, address, refused }: Drawing, visit: Visit): Markup {
  const { words } = visit.options
  const values = refused?.values ?? {}
  const value = (name: string) => values[name] ?? ''
  const asked = value('comment_parent') || (visit.query.get('reply') ?? '')
  const parent = asked === '' ? undefined : find(thread.comments, Number(asked))
  const title = parent ? filled(words.replyTo, { name: parent.name || words.nameless }) : words.comment
  const problems = refused?.problems ?? []
  return html`<h2 id="write-comment">${title}</h2>
${problems.length === 0 ? nothing : html`<div class="site-note" role="alert"><p>${words.commentProblem}</p><ul>${problems.map((text) => html`<li>${text}</li>`)}</ul></div>`}
<form class="site-form" action="${address}" method="post">
<input type="hidden" name="comment_form" value="1">
${refused?.challenge === undefined ? nothing : hidden('challenge_token', refused.challenge)}
<p style="${trapStyle}" aria-hidden="true"><label for="leave-empty">${words.leaveEmpty}</label> <input id="leave-empty" name="${trapName}" tabindex="-1" autocomplete="off"></p>
${parent ? html`<input type="hidden" name="comment_parent" value="${String(parent.id)}">` : nothing}
<label for="comment-text">${words.commentText}</label>
<textarea id="comment-text" name="comment_text" rows="6" required>${value('comment_text')}</textarea>
<label for="comment-name">${words.commentName}</label>
<input id="comment-name" name="comment_name" autocomplete="name" required value="${value('comment_name')}">
<label for="comment-email">${words.commentEmail}</label>
<input id="comment-email" name="comment_email" type="email" autocomplete="email" required value="${value('comment_email')}">
<label for="comment-url">${words.commentUrl}</label>
<input id="comment-url" name="comment_url" type="url" autocomplete="url" value="${value('comment_url')}">
<button type="submit">${words.commentSend}</button>
</form>`
}

function find(comments: readonly ThreadComment[], id: number): ThreadComment | undefined {
  for (const comment of comments) {
    const found = comment.id === id ? comment : find(comment.replies, id)
    if (found) return found
  }
  return undefined
}
