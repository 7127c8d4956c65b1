/** Converts a comment to the response body. */

import type { Storage, User, Where } from '../../../contract/storage.ts'
import { type Args, dateTime, int, list, str } from '../../../core/declare/args.ts'
import type { Context } from '../../../core/declare/context.ts'
import {
  editOnly,
  exactly,
  fields,
  links,
  notEmbedded,
  openFields,
  sometimes,
  targetLinks,
} from '../../../core/declare/response-schema.ts'
import { renderComment } from '../../../render/text/comment.ts'
import { type Comment, commentsCollection } from '../../../site/comments/comment.ts'
import { addressesOf } from '../../../site/permalink.ts'
import { avatarUrls, avatarUrlsSchema } from '../users/model.ts'
import { noteStatusKey } from './args.ts'
import { type CommentedPost, type CommentedPosts, isNote, noteType, readCommentedPosts } from './model.ts'
import { commentFieldsIn } from './own-fields.ts'

type ViewContext = 'view' | 'embed' | 'edit'

const embeddable = exactly(true)

const plainMembers = {
  id: int(),
  post: notEmbedded(int()),
  parent: int({ description: 'The comment that it replies to; 0: none.' }),
  author: int({ description: 'The user; 0: a visitor.' }),
  author_name: str(),
  author_email: editOnly(str()),
  author_url: str(),
  author_ip: editOnly(str()),
  author_user_agent: editOnly(str()),
  date: dateTime({ description: 'In the time of the site.' }),
  date_gmt: notEmbedded(dateTime()),
  content: fields({ rendered: str(), raw: editOnly(str({ description: 'In the edit context.' })) }),
  link: str({ format: 'uri' }),
  status: notEmbedded(str()),
  type: str(),
  author_avatar_urls: avatarUrlsSchema,
  meta: notEmbedded(openFields({}, { description: 'Fields of notes.' })),
}

const commentSchemaWith = (members: typeof plainMembers) =>
  fields(
    {
      ...members,
      _links: fields({
        self: targetLinks,
        collection: links(),
        author: sometimes(links({ embeddable })),
        up: sometimes(links({ embeddable, post_type: str() })),
        'in-reply-to': sometimes(links({ embeddable })),
        children: sometimes(links({ embeddable })),
      }),
      _embedded: sometimes(openFields({})),
    },
    { title: 'Comment', record: 'comment' },
  )

/** The responses, with the fields of a profile. */
export function commentSchemasOf(own: Args) {
  const description = Object.keys(own).length === 0 ? 'Fields of notes.' : 'Fields of comments and notes.'
  const members = { ...plainMembers, meta: notEmbedded(openFields(own, { description })) }
  const comment = commentSchemaWith(members)
  return {
    comment,
    comments: list(comment),
    deleted: fields({ deleted: exactly(true), previous: fields(members, { title: 'Removed comment' }) }),
  }
}

interface ViewOptions {
  readonly viewContext: ViewContext
  /** The posts of the comments, where they are read already. */
  readonly posts?: CommentedPosts
}

/** In the order of the comments; the number of reads does not grow with them. */
export async function commentViews(context: Context, comments: readonly Comment[], options: ViewOptions) {
  if (comments.length === 0) return []
  const { viewContext } = options
  const posts =
    options.posts ??
    (await readCommentedPosts(
      context,
      comments.map(({ post }) => post),
    ))
  const [addresses, users, parents, allows] = await Promise.all([
    addressesById(context, [...posts.values()]),
    authorsOf(context, comments),
    repliedTo(context, comments),
    context.allowedMethods(
      context,
      '/cms/v2/comments/{id}',
      comments.map((comment) => ({ comment, posts })),
      ({ comment }) => ({ id: comment.id }),
    ),
  ])
  return comments.map((comment, index) => {
    const post = posts.get(comment.post)
    const user = users.get(comment.author)
    const link = `${addresses.get(comment.post) ?? `${context.settings.home}/`}#comment-${comment.id}`
    return {
      ...commentMembers(context, comment, { viewContext, link, user }),
      _links: commentLinks(context, comment, { post, allow: allows[index] ?? '', hasReplies: parents.has(comment.id) }),
    }
  })
}

async function addressesById(context: Context, posts: readonly CommentedPost[]): Promise<ReadonlyMap<number, string>> {
  const byType = Map.groupBy(
    posts.map(({ post }) => post),
    ({ type }) => type,
  )
  const hierarchical = new Set(posts.flatMap(({ type }) => (type?.published.isHierarchical ? [type.name] : [])))
  const found = await Promise.all(
    [...byType].map(async ([type, rows]) => {
      const addresses = await addressesOf(rows, context, hierarchical.has(type) ? type : 'page')
      return rows.map(({ id }, index) => [id, addresses[index] ?? ''] as const)
    }),
  )
  return new Map(found.flat())
}

async function authorsOf({ storage }: Context, comments: readonly Comment[]): Promise<ReadonlyMap<number, User>> {
  const ids = [...new Set(comments.map(({ author }) => author))].filter((id) => id > 0)
  if (ids.length === 0) return new Map()
  const order = { by: 'id', descending: false } as const
  const { rows } = await storage.users.query({ ids, order, offset: 0, limit: ids.length })
  return new Map(rows.map((user) => [user.id, user]))
}

/** Returns the ids of the comments whose replies their readers see. */
async function repliedTo({ storage }: Context, comments: readonly Comment[]): Promise<ReadonlySet<number>> {
  const [notes, others] = [comments.filter(isNote), comments.filter((comment) => !isNote(comment))]
  const sets = await Promise.all([
    parentsAmong(storage, others, [
      { field: 'type', is: 'comment' },
      { field: 'status', is: 'approved' },
    ]),
    parentsAmong(storage, notes, [{ field: 'type', is: noteType }]),
  ])
  return new Set(sets.flat())
}

/** One count each, which storages keep: a single query for all of them would read every reply of a long thread. */
async function parentsAmong(storage: Storage, comments: readonly Comment[], kind: readonly Where[]): Promise<number[]> {
  const counts = await Promise.all(
    comments.map(({ id }) =>
      storage.records.query(commentsCollection, {
        where: { every: [{ field: 'parent', is: id }, ...kind] },
        limit: 0,
        total: true,
      }),
    ),
  )
  return comments.flatMap(({ id }, index) => (counts[index]?.total ? [id] : []))
}

function commentMembers(
  context: Context,
  comment: Comment,
  { viewContext, link, user }: { viewContext: ViewContext; link: string; user: User | undefined },
) {
  const { settings } = context
  const isEdit = viewContext === 'edit'
  const isEmbed = viewContext === 'embed'
  const name = comment.authorName || (user?.displayName ?? '')
  return {
    id: comment.id,
    ...(isEmbed ? {} : { post: comment.post }),
    parent: comment.parent,
    author: comment.author,
    author_name: name,
    ...(isEdit ? { author_email: comment.authorEmail || (user?.email ?? '') } : {}),
    author_url: comment.authorUrl || (user?.url ?? ''),
    ...(isEdit ? { author_ip: comment.authorIp, author_user_agent: comment.authorUserAgent } : {}),
    date: settings.time.toLocal(comment.date),
    ...(isEmbed ? {} : { date_gmt: comment.date }),
    content: { rendered: renderComment(comment.content, settings), ...(isEdit ? { raw: comment.content } : {}) },
    link,
    ...(isEmbed ? {} : { status: comment.status }),
    type: comment.type,
    author_avatar_urls: avatarUrls({ displayName: name }, settings),
    ...(isEmbed ? {} : { meta: metaView(context, comment, viewContext) }),
  }
}

/** Shows the status of a note, and the fields of the host. */
export const metaView = (
  context: Pick<Context, 'app' | 'user'>,
  { noteStatus, meta = {} }: Comment,
  viewContext: 'view' | 'edit',
) => ({
  [context.app.names.toPublic(noteStatusKey)]: noteStatus,
  ...commentFieldsIn(context.app.contributions).view(meta, viewContext, context),
})

function commentLinks(
  { settings, app }: Context,
  comment: Comment,
  { post, allow, hasReplies }: { post: CommentedPost | undefined; allow: string; hasReplies: boolean },
) {
  const { names } = app
  const root = `${settings.apiRoot}/${names.toPublic('cms/v2')}`
  const collection = `${root}/comments`
  const isEmbeddable = { embeddable: true } as const
  const self = `${collection}/${comment.id}`
  const ofNotes = isNote(comment) ? `&type=${noteType}&status=all` : ''
  return {
    self: [{ href: self, ...(allow === '' ? {} : { targetHints: { allow: allow.split(', ') } }) }],
    collection: [{ href: collection }],
    ...(comment.author > 0 ? { author: [{ ...isEmbeddable, href: `${root}/users/${comment.author}` }] } : {}),
    ...(post?.type
      ? {
          up: [
            {
              ...isEmbeddable,
              post_type: names.toPublic(post.post.type),
              href: `${root}/${names.toPublic(post.type.published.restBase)}/${comment.post}`,
            },
          ],
        }
      : {}),
    ...(comment.parent > 0 ? { 'in-reply-to': [{ ...isEmbeddable, href: `${collection}/${comment.parent}` }] } : {}),
    ...(hasReplies ? { children: [{ ...isEmbeddable, href: `${collection}?parent=${comment.id}${ofNotes}` }] } : {}),
  }
}
