/** Puts the form for the next comment where the document of a page has its place: in the widget of the comments. */

import type { Post } from '../../contract/storage.ts'
import type { Drawn } from '../documents/draw.ts'
import type { Visit } from '../visit.ts'
import { drawCommentForm, type RefusedComment } from './draw.ts'
import { readThread } from './thread.ts'

interface Commented {
  readonly post: Post
  readonly address: string
  readonly refused?: RefusedComment | undefined
}

/** Returns undefined when the document has no place for comments of this post. */
export async function withCommentForm(
  drawn: Drawn,
  { post, address, refused }: Commented,
  visit: Visit,
): Promise<Drawn | undefined> {
  const place = `<div data-comment-form="${post.id}"></div>`
  const { main } = drawn
  if (!main?.html.includes(place)) return undefined
  const thread = await readThread(post, visit)
  if (!thread?.isOpen) return drawn
  const form = drawCommentForm({ thread, address, refused }, visit).markup
  // Ids are unique in a page: a second widget of comments has no form.
  return {
    ...drawn,
    main: { ...main, html: main.html.replace(place, () => `<div class="site-comments">${form}</div>`) },
  }
}
