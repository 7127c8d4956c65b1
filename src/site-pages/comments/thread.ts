/** Reads the approved comments of a post as threads. */

import { toBoolean } from '../../contract/scalars.ts'
import type { Post } from '../../contract/storage.ts'
import { hasRoute } from '../../features/content/content-types/model.ts'
import { renderComment } from '../../render/text/comment.ts'
import { commentsCollection, toComment } from '../../site/comments/comment.ts'
import { threadsOf } from '../../site/comments/threads.ts'
import type { Visit } from '../visit.ts'

export interface ThreadComment {
  readonly id: number
  readonly name: string
  /** The address of the author; empty without one. */
  readonly url: string
  /** The date in the time zone of the site. */
  readonly date: string
  /** HTML of a visitor, filtered before it is shown. */
  readonly content: string
  readonly replies: readonly ThreadComment[]
}

export interface Thread {
  readonly comments: readonly ThreadComment[]
  readonly count: number
  /** Whether a reader without an account may comment. */
  readonly isOpen: boolean
}

/** The newest comments are shown up to this number, because a longer page would be unreadable. */
const maxComments = 500

/** Returns undefined when the profile has no comments, or the post has none and is closed. */
export async function readThread(post: Post, visit: Visit): Promise<Thread | undefined> {
  if (!hasRoute(visit.app, '/cms/v2/comments')) return undefined
  const { storage } = visit
  const [{ comments, total }, options] = await Promise.all([
    readComments(post, maxComments, visit),
    storage.options.read(['anonymous_comments']),
  ])
  const isOpen =
    post.commentStatus === 'open' && post.status === 'publish' && toBoolean(options['anonymous_comments']) === true
  if (comments.length === 0 && !isOpen) return undefined
  const { time } = visit.settings
  const shown = comments.toReversed().map(({ dateGmt, ...comment }) => ({ ...comment, date: time.toLocal(dateGmt) }))
  return { comments: threadsOf(shown), count: total, isOpen }
}

interface ReadComment extends Omit<ThreadComment, 'date' | 'replies'> {
  readonly parent: number
  readonly dateGmt: string
}

/** Reads the approved comments of a post, the newest first. */
export async function readComments(
  post: Post,
  limit: number,
  visit: Visit,
): Promise<{ readonly comments: readonly ReadComment[]; readonly total: number }> {
  const { storage, settings } = visit
  const of = (field: string, is: string | number) => ({ field, is })
  const { rows, total } = await storage.records.query(commentsCollection, {
    where: { every: [of('post', post.id), of('type', 'comment'), of('status', 'approved')] },
    order: [
      { by: 'date', descending: true },
      { by: 'id', descending: true },
    ],
    offset: 0,
    limit,
    total: true,
  })
  const read = rows.map(toComment)
  const names = await namesOf(
    read.map(({ author }) => author),
    visit,
  )
  const comments = read.map((comment) => ({
    id: comment.id,
    parent: comment.parent,
    name: comment.authorName || (names.get(comment.author) ?? ''),
    url: comment.authorUrl,
    dateGmt: comment.date,
    content: renderComment(comment.content, settings),
  }))
  return { comments, total }
}

async function namesOf(authors: readonly number[], { storage }: Visit): Promise<ReadonlyMap<number, string>> {
  const ids = [...new Set(authors)].filter((id) => id > 0)
  const order = { by: 'id', descending: false } as const
  const { rows } = await storage.users.query({ ids, order, offset: 0, limit: ids.length })
  return new Map(rows.map(({ id, displayName }) => [id, displayName]))
}
