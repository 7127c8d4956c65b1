/** Comments that `_embed` adds: one behind `in-reply-to`, lists behind `replies` of posts and `children` of comments. */

import type { Where } from '../../../contract/storage.ts'
import type { Context } from '../../../core/declare/context.ts'
import type { Embedder } from '../../../core/declare/feature.ts'
import { type Comment, commentsCollection, toComment } from '../../../site/comments/comment.ts'
import { mayReadComment, readCommentedPosts, readComments } from './model.ts'
import { commentViews } from './view.ts'

async function readableOf(context: Context, comments: readonly Comment[]) {
  const posts = await readCommentedPosts(
    context,
    comments.map(({ post }) => post),
  )
  const visible = comments.filter((comment) => mayReadComment(context.user, comment, posts))
  const views = await commentViews(context, visible, { viewContext: 'embed', posts })
  return visible.map((comment, index) => ({ comment, view: views[index] }))
}

const single: Embedder = {
  path: /^\/cms\/v2\/comments\/\d+$/,
  load: async (links, context) => {
    const idOf = ({ pathname }: URL) => Number(pathname.slice(pathname.lastIndexOf('/') + 1))
    const found = await readableOf(context, await readComments(context.storage, links.map(idOf)))
    const byId = new Map(found.map(({ comment, view }) => [comment.id, view]))
    return new Map(links.flatMap((link) => (byId.has(idOf(link)) ? [[link.href, byId.get(idOf(link))]] : [])))
  },
}

/** How many comments a list behind a link has at most. */
const maxEmbedded = 100

const lists: Embedder = {
  path: /^\/cms\/v2\/comments\?(?:post|parent)=\d+(?:&type=note&status=all)?$/,
  load: async (links, context) => {
    const groups = Map.groupBy(links, ({ searchParams }) => (searchParams.has('post') ? 'post' : 'parent'))
    const entries: [string, unknown][] = []
    for (const [field, group] of groups) {
      const comments = await listed(context, field, group)
      const found = await readableOf(context, comments)
      for (const link of group) {
        const isOwn = ({ comment }: { comment: Comment }) =>
          comment[field] === idIn(link, field) && (comment.type === 'note') === isOfNotes(link)
        entries.push([
          link.href,
          found
            .filter(isOwn)
            .slice(0, maxEmbedded)
            .map(({ view }) => view),
        ])
      }
    }
    return new Map(entries)
  },
}

const idIn = (link: URL, field: string) => Number(link.searchParams.get(field))
const isOfNotes = (link: URL) => link.searchParams.get('type') === 'note'

/** One read for all links; where a busy thread would crowd out the others, one for each. */
async function listed(context: Context, field: 'post' | 'parent', links: readonly URL[]): Promise<Comment[]> {
  const limit = maxEmbedded * links.length
  const ids = links.map((link) => idIn(link, field))
  const [only = 0] = ids
  const of: Where = ids.length === 1 ? { field, is: only } : { field, in: ids }
  const all = await newest(context, of, links.some(isOfNotes), limit)
  if (links.length < 2 || all.length < limit) return all
  const each = await Promise.all(
    links.map((link) => newest(context, { field, is: idIn(link, field) }, isOfNotes(link), maxEmbedded)),
  )
  return each.flat()
}

async function newest({ storage }: Context, of: Where, withNotes: boolean, limit: number): Promise<Comment[]> {
  const approved: readonly Where[] = [
    { field: 'status', is: 'approved' },
    { field: 'type', is: 'comment' },
  ]
  const notes: Where = { field: 'type', is: 'note' }
  const { rows } = await storage.records.query(commentsCollection, {
    where: { every: [of, ...(withNotes ? [{ some: [{ every: approved }, notes] }] : approved)] },
    order: [
      { by: 'date', descending: true },
      { by: 'id', descending: true },
    ],
    limit,
  })
  return rows.map(toComment)
}

export const commentEmbedders: readonly Embedder[] = [single, lists]
