/** New comments: who may write where, and which of them wait for approval. */

import type { User, Where } from '../../../contract/storage.ts'
import type { ArgValues } from '../../../core/declare/args.ts'
import type { Context } from '../../../core/declare/context.ts'
import { ApiError } from '../../../core/declare/errors.ts'
import { forbidden, permission } from '../../../core/declare/permissions.ts'
import { beforeChange } from '../../../core/pipeline/hooks.ts'
import { sha256Of } from '../../../core/runtime/crypto.ts'
import { visitorsOf } from '../../../services/visitors.ts'
import { type Comment, commentsCollection } from '../../../site/comments/comment.ts'
import { storedSetting } from '../../../site/setting-rules.ts'
import { refuseDocument } from '../../shared/post-meta.ts'
import type { createArgs } from './args.ts'
import { cleanAddress, cleanName } from './cleaning.ts'
import {
  type CommentedPost,
  type CommentedPosts,
  type CommentValues,
  isNote,
  mayEditCommented,
  mayReadCommented,
  noteType,
  openedPosts,
  readCommentedPosts,
  readComments,
  toRow,
} from './model.ts'
import { metaAfter } from './own-fields.ts'
import { checkLengths, contentOf, dateOf, noteStatusOf, statusOf } from './values.ts'

export type CreateArgs = Partial<ArgValues<typeof createArgs>>

export interface CreateResource {
  readonly posts: CommentedPosts
  /** The option `anonymous_comments`: whether visitors may comment. */
  readonly takesVisitors: boolean
}

export type CreateContext = Context<CreateArgs, CreateResource>

const anonymousCommentsOption = 'anonymous_comments'

export async function findCreateResource(context: Context<CreateArgs, undefined>): Promise<CreateResource> {
  const { args, storage, user } = context
  const [options, posts] = await Promise.all([
    user.isVisitor ? storage.options.read([anonymousCommentsOption]) : {},
    readCommentedPosts(context, [args.post ?? 0]),
  ])
  const takesVisitors = storedSetting(anonymousCommentsOption, options[anonymousCommentsOption]) === true
  return { posts, takesVisitors }
}

// ---------------------------------------------------------------- permission

export const mayCreate = permission<CreateArgs, CreateResource>(
  'anyone whom the site lets comment, on open posts that the caller may read',
  (context) => forbiddenCaller(context) ?? forbiddenValue(context, context.args) ?? refusedPost(context),
)

function forbiddenCaller({ user, resource }: CreateContext): ApiError | undefined {
  return user.isVisitor && !resource.takesVisitors
    ? new ApiError('rest_comment_login_required', 'Only users comment here.', 401)
    : undefined
}

type ModeratedArgs = Pick<CreateArgs, 'author' | 'author_ip' | 'status' | 'type'>

/** Interface: only moderators set these. Who may edit a post holds and resolves the notes on it. */
export function forbiddenValue({ user }: Pick<Context, 'user'>, args: ModeratedArgs): ApiError | undefined {
  if (user.can('moderate_comments')) return undefined
  const refused = (name: string) =>
    forbidden(user, `rest_comment_invalid_${name}`, `You may not set the ${name} of a comment.`)
  if (args.author !== undefined && args.author !== user.id) return refused('author')
  if (args.author_ip !== undefined) return refused('author_ip')
  return args.status !== undefined && args.type !== noteType ? refused('status') : undefined
}

function refusedPost(context: CreateContext): ApiError | undefined {
  const { args, user, resource } = context
  const { type = 'comment' } = args
  const commented = resource.posts.get(args.post ?? 0)
  if (!commented) return new ApiError('rest_comment_invalid_post_id', 'A comment needs a post.', 403)
  if (type === noteType) {
    return mayEditCommented(user, commented)
      ? undefined
      : forbidden(user, 'rest_cannot_create_note', 'Notes are for those who may edit the post.')
  }
  const { post, status } = commented
  if (status === 'draft' || status === 'auto-draft' || status === 'pending') {
    return new ApiError('rest_comment_draft_post', 'The post is not published.', 403)
  }
  if (status === 'trash') return new ApiError('rest_comment_trash_post', 'The post is in the trash.', 403)
  if (!mayReadCommented(user, commented, openedPosts(context, [commented], args.password))) {
    return forbidden(user, 'rest_cannot_read_post', 'You may not read the post.')
  }
  return post.commentStatus === 'open' && commented.type
    ? undefined
    : new ApiError('rest_comment_closed', 'The post takes no comments.', 403)
}

// ---------------------------------------------------------------- write

export async function createComment(context: CreateContext): Promise<Comment> {
  const { args, app, storage } = context
  refuseDocument(Object.entries(args.meta ?? {}), app.names)
  if (args.type !== undefined && args.type !== '' && args.type !== 'comment' && args.type !== noteType) {
    throw new ApiError('rest_invalid_comment_type', 'A comment has the type comment or note.', 400)
  }
  const prepared = await prepareComment(context)
  if (!isNote(prepared)) await checkRepeated(context, prepared)
  const { values } = await beforeChange(context, 'comment.saving', { values: prepared })
  const [id = 0] = await storage.records.insert(commentsCollection, [toRow(values)])
  const comment = { ...values, id }
  context.emit('comment.created', { comment })
  if (comment.status === 'approved' && !isNote(comment)) context.emit('comment.approved', { comment })
  return comment
}

async function prepareComment(context: CreateContext): Promise<CommentValues> {
  const { args, resource, user } = context
  const type = args.type || 'comment'
  const noteStatus = noteStatusOf(args)
  const content = contentOf(context, args.content)
  // A note may be resolved without a word.
  if (content === '' && noteStatus === '') {
    throw new ApiError('rest_comment_content_invalid', 'A comment needs a content.', 400)
  }
  const author = await authorOf(context)
  const post = args.post ?? 0
  const values = {
    post,
    parent: await parentOf(context, post, type),
    ...author,
    ...senderOf(context),
    date: (user.isVisitor ? undefined : dateOf(context, args)) ?? context.settings.time.now(context.app.clock).gmt,
    content,
    type,
    statusBefore: '',
    statusBeforePost: '',
    noteStatus,
    ...metaAfter(context, args),
  }
  checkLengths(values)
  const requested = args.status === undefined ? undefined : statusOf(args.status)
  const own = resource.posts.get(post)
  const status = requested ?? (type === noteType ? 'hold' : await usualStatus(context, values, own))
  return { ...values, status }
}

type Author = Pick<CommentValues, 'author' | 'authorName' | 'authorEmail' | 'authorUrl'>

async function authorOf(context: CreateContext): Promise<Author> {
  const { args, user } = context
  const account = await accountOf(context)
  // Choice: only moderators write under another name than that of the account.
  const mayNameOthers = account === undefined || user.can('moderate_comments')
  const [name, email, url] = mayNameOthers ? [args.author_name, args.author_email, args.author_url] : []
  const author = {
    author: account?.id ?? 0,
    authorName: cleanName(name ?? account?.displayName ?? ''),
    authorEmail: email ?? account?.email ?? '',
    authorUrl: cleanAddress(url ?? account?.url ?? ''),
  }
  if (!account && (author.authorName === '' || author.authorEmail === '') && user.isVisitor) {
    throw new ApiError(
      'rest_comment_author_data_required',
      'A comment needs the name and the address of its author.',
      400,
    )
  }
  return author
}

/** The account that the comment is of: the named one, else the caller's. */
export async function accountOf({ args, user, storage }: CreateContext): Promise<User | undefined> {
  const { author } = args
  if (author === undefined || author === user.id) return user.user
  if (author === 0) return undefined
  return readAccount({ storage }, author)
}

export async function readAccount({ storage }: Pick<Context, 'storage'>, id: number): Promise<User> {
  const order = { by: 'id', descending: false } as const
  const { rows } = await storage.users.query({ ids: [id], order, offset: 0, limit: 1 })
  if (!rows[0]) throw new ApiError('rest_comment_author_invalid', 'There is no such author.', 400)
  return rows[0]
}

/** The members of the request that a host may look at; its functions may be taken apart from it. */
const senderIn = (incoming: CreateContext['incoming']) => ({
  header: (name: string) => incoming.header(name),
  native: incoming.native,
})

function senderOf({ args, app, incoming }: CreateContext): Pick<CommentValues, 'authorIp' | 'authorUserAgent'> {
  const agent = args.author_user_agent ?? incoming.header('user-agent') ?? ''
  return {
    authorIp: args.author_ip ?? visitorsOf(app).addressOf(senderIn(incoming)) ?? '',
    authorUserAgent: agent
      .replace(/\p{Cc}+/gu, ' ')
      .slice(0, maxAgentLength)
      .toWellFormed(),
  }
}

const maxAgentLength = 254

/** Choice: a reply to an id that is no comment on this post begins a new thread. */
export async function parentOf(
  { args, storage }: Pick<CreateContext, 'args' | 'storage'>,
  post: number,
  type: string,
): Promise<number> {
  const [parent] = await readComments(storage, args.parent ? [Math.abs(args.parent)] : [])
  return parent && parent.post === post && (parent.type === noteType) === (type === noteType) ? parent.id : 0
}

// ---------------------------------------------------------------- moderation

/**
 * The first comment of an author waits for approval; those of moderators and of the author of the post do not. A visitor is known by
 * name and address together: the address alone may be that of somebody else.
 */
async function usualStatus(
  { storage, user }: CreateContext,
  values: Author,
  commented: CommentedPost | undefined,
): Promise<'approved' | 'hold'> {
  if (user.can('moderate_comments')) return 'approved'
  if (commented && user.id !== 0 && commented.post.author === user.id) return 'approved'
  const sameAuthor: Where =
    values.author > 0
      ? { field: 'author', is: values.author }
      : {
          every: [
            { field: 'author_email', is: values.authorEmail },
            { field: 'author_name', is: values.authorName },
            { field: 'author', is: 0 },
          ],
        }
  const { rows } = await storage.records.query(commentsCollection, {
    where: {
      every: [
        ...('every' in sameAuthor ? sameAuthor.every : [sameAuthor]),
        { field: 'status', is: 'approved' },
        { field: 'type', is: 'comment' },
      ],
    },
    // Along an index: the first one ends the search.
    order: [
      { by: 'date', descending: true },
      { by: 'id', descending: true },
    ],
    limit: 1,
  })
  return rows.length > 0 ? 'approved' : 'hold'
}

async function checkRepeated(context: CreateContext, values: CommentValues): Promise<void> {
  const { storage, user, app, incoming } = context
  const { rows } = await storage.records.query(commentsCollection, {
    where: {
      every: [
        { field: 'content_digest', is: sha256Of(values.content) },
        { field: 'post', is: values.post },
        ...(values.author > 0
          ? [{ field: 'author', is: values.author }]
          : [
              { field: 'author_email', is: values.authorEmail },
              { field: 'author_name', is: values.authorName },
            ]),
        { field: 'parent', is: values.parent },
        { field: 'content', is: values.content },
        { not: { field: 'status', is: 'trash' } },
      ],
    },
    limit: 1,
  })
  if (rows.length > 0) throw new ApiError('comment_duplicate', 'This comment has been written already.', 409)
  if (user.can('moderate_comments')) return
  const seconds = Math.ceil(await visitorsOf(app).take(senderIn(incoming), user.id))
  if (seconds > 0) {
    throw new ApiError('comment_flood', `Too many comments: wait ${seconds} seconds.`, 429, { retry_after: seconds })
  }
}
