/** Changes of stored comments: values, status, trash and removal. */
import type { ArgValues } from '../../../core/declare/args.ts'
import type { Context } from '../../../core/declare/context.ts'
import { ApiError } from '../../../core/declare/errors.ts'
import { forbidden, permission } from '../../../core/declare/permissions.ts'
import { beforeChange } from '../../../core/pipeline/hooks.ts'
import { type Comment, commentsCollection } from '../../../site/comments/comment.ts'
import { refuseDocument } from '../../shared/post-meta.ts'
import type { updateArgs } from './args.ts'
import { cleanAddress, cleanName } from './cleaning.ts'
import { forbiddenValue, parentOf, readAccount } from './create.ts'
import {
  type CommentedPosts,
  type CommentValues,
  isNote,
  mayEditCommented,
  mayModerate,
  mayReadComment,
  mayReadCommented,
  moderation,
  openedPosts,
  readCommentedPosts,
  readComments,
  toRow,
  updateComments,
} from './model.ts'
import { metaAfter } from './own-fields.ts'
import { changedStatus, checkLengths, contentOf, dateOf, noteStatusOf } from './values.ts'

/** A comment of a route, with its post. */
export interface FoundComment {
  readonly comment: Comment
  readonly posts: CommentedPosts
}

/** The resource of the routes of one comment. Throws 404 for an id that names none. */
export async function findComment(
  context: Pick<Context, 'storage' | 'app'> & { readonly args: { readonly id?: number } },
): Promise<FoundComment> {
  const [comment] = await readComments(context.storage, [context.args.id ?? 0])
  if (!comment) throw new ApiError('rest_comment_invalid_id', 'There is no such comment.', 404)
  return { comment, posts: await readCommentedPosts(context, [comment.post]) }
}

// ---------------------------------------------------------------- permissions

export const mayRead = permission<{ readonly context: string; readonly password?: string }, FoundComment>(
  'anyone who may read the post, if it is approved; in the edit context moderate_comments (notes: editors of the post)',
  (context) => {
    const { args, user, resource } = context
    const { comment, posts } = resource
    // Interface: the author of a post changes the comments on it, and reads them without the data of their authors.
    if (args.context === 'edit' && !(isNote(comment) ? mayModerate(user, comment, posts) : user.can(moderation))) {
      return forbidden(user, 'rest_forbidden_context', 'You may not moderate this comment.')
    }
    return mayReadComment(user, comment, posts, openedPosts(context, posts.values(), args.password))
      ? undefined
      : forbidden(user, 'rest_cannot_read', 'You may not read this comment.')
  },
)

export type UpdateArgs = Partial<ArgValues<typeof updateArgs>>
export type UpdateContext = Context<UpdateArgs, FoundComment>

export const mayUpdate = permission<UpdateArgs, FoundComment>(
  'moderate_comments, or editors of the post',
  ({ args, user, resource: { comment, posts } }) => {
    if (!mayModerate(user, comment, posts)) {
      return forbidden(user, 'rest_cannot_edit', 'You may not edit this comment.')
    }
    // The editor of a post gives its comments any status.
    const { author = comment.author, author_ip = comment.authorIp } = args
    const given = {
      ...(author === comment.author ? {} : { author }),
      ...(author_ip === comment.authorIp ? {} : { author_ip }),
    }
    return forbiddenValue({ user }, given)
  },
)

export const mayDelete = permission<unknown, FoundComment>(
  'moderate_comments, or editors of the post',
  ({ user, resource: { comment, posts } }) =>
    mayModerate(user, comment, posts)
      ? undefined
      : forbidden(user, 'rest_cannot_delete', 'You may not remove this comment.'),
)

// ---------------------------------------------------------------- writes

export async function updateComment(context: UpdateContext): Promise<Comment> {
  const { args, app, resource } = context
  const { comment } = resource
  refuseDocument(Object.entries(args.meta ?? {}), app.names)
  if (args.type !== undefined && args.type !== comment.type) {
    throw new ApiError('rest_comment_invalid_type', `A comment of the type ${comment.type} keeps its type.`, 404)
  }
  return writeComment(context, comment, await changedValues(context, comment))
}

async function changedValues(context: UpdateContext, before: Comment): Promise<CommentValues> {
  const { args } = context
  const { id: _, meta, ...stored } = before
  const post = await postFor(context, before)
  const content = args.content === undefined ? before.content : contentOf(context, args.content)
  if (args.content !== undefined && content === '' && !isNote(before)) {
    throw new ApiError('rest_comment_content_invalid', 'A comment needs a content.', 400)
  }
  const values: CommentValues = {
    ...stored,
    post,
    // Interface: a reply that moves to another post is a reply to the same comment.
    parent: isSameParent(args, before) ? before.parent : await parentFor(context, before, post),
    ...(await authorFor(context, before)),
    authorIp: args.author_ip ?? before.authorIp,
    authorUserAgent: args.author_user_agent ?? before.authorUserAgent,
    date: dateOf(context, args) ?? before.date,
    content,
    ...(args.status === undefined ? {} : changedStatus(before, args.status)),
    noteStatus: args.meta === undefined ? before.noteStatus : noteStatusOf(args),
    ...metaAfter(context, args, meta),
  }
  checkLengths(values)
  return values
}

const isSameParent = ({ parent }: UpdateArgs, before: Comment) =>
  parent === undefined || Math.abs(parent) === before.parent

async function postFor(context: UpdateContext, before: Comment): Promise<number> {
  const { args, user } = context
  if (args.post === undefined || args.post === before.post) return before.post
  const commented = (await readCommentedPosts(context, [args.post])).get(args.post)
  if (!commented) throw new ApiError('rest_comment_invalid_post_id', 'A comment needs a post.', 403)
  if (!mayReadCommented(user, commented)) {
    throw forbidden(user, 'rest_cannot_read_post', 'You may not read the post.')
  }
  // Whoever moderates the comments on an own post would write on that of another past its moderation.
  if (!user.can(moderation) && !mayEditCommented(user, commented)) {
    throw forbidden(user, 'rest_cannot_edit', 'You may not moderate the comments on this post.')
  }
  return args.post
}

/** A comment never replies to itself or to one of its replies. */
async function parentFor(context: UpdateContext, before: Comment, post: number): Promise<number> {
  const parent = await parentOf({ ...context, args: { parent: context.args.parent } } as never, post, before.type)
  const above = new Set<number>()
  for (let at = parent; at !== 0 && !above.has(at); ) {
    above.add(at)
    if (at === before.id) return 0
    at = (await readComments(context.storage, [at]))[0]?.parent ?? 0
  }
  return parent
}

type AuthorFields = Pick<CommentValues, 'author' | 'authorName' | 'authorEmail' | 'authorUrl'>

async function authorFor(context: UpdateContext, before: Comment): Promise<AuthorFields> {
  const { args } = context
  const isOther = args.author !== undefined && args.author !== before.author
  const account = isOther && args.author ? await readAccount(context, args.author) : undefined
  const known = account
    ? { authorName: account.displayName, authorEmail: account.email, authorUrl: account.url }
    : before
  return {
    author: args.author ?? before.author,
    authorName: args.author_name === undefined ? known.authorName : cleanName(args.author_name),
    authorEmail: args.author_email ?? known.authorEmail,
    authorUrl: args.author_url === undefined ? known.authorUrl : cleanAddress(args.author_url),
  }
}

async function writeComment(
  context: Context<unknown, unknown>,
  before: Comment,
  next: CommentValues,
): Promise<Comment> {
  const { values } = await beforeChange(context as Context, 'comment.saving', { values: next, before })
  await context.storage.records.update(commentsCollection, [{ id: before.id, changes: toRow(values) }])
  const comment = { ...values, id: before.id }
  context.emit('comment.updated', { comment, before })
  const becomes = (status: Comment['status']) => comment.status === status && before.status !== status
  if (becomes('approved') && !isNote(comment)) context.emit('comment.approved', { comment })
  if (becomes('trash')) context.emit('comment.trashed', { comment })
  return comment
}

export async function trashComment(context: Context<unknown, FoundComment>): Promise<Comment> {
  const { comment } = context.resource
  if (comment.status === 'trash')
    throw new ApiError('rest_already_trashed', 'The comment is in the trash already.', 410)
  const { id: _, ...stored } = comment
  return writeComment(context, comment, { ...stored, ...changedStatus(comment, 'trash') })
}

/** Removes the comment for good; its replies move up to its parent. */
export async function removeComment(context: Context<unknown, FoundComment>): Promise<void> {
  const { storage, resource } = context
  const { comment } = resource
  await updateComments(storage, { field: 'parent', is: comment.id }, () => ({ parent: comment.parent }))
  await storage.records.remove(commentsCollection, { field: 'id', is: comment.id })
  context.emit('comment.deleted', { comment })
}
