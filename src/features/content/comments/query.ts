/** Lists of comments: who may use which filter, and the query that the arguments mean. */

import { lookupTable } from '../../../contract/lookup-table.ts'
import type { IdsPageEntry, Where } from '../../../contract/storage.ts'
import type { ArgValues } from '../../../core/declare/args.ts'
import type { Context } from '../../../core/declare/context.ts'
import type { ApiError } from '../../../core/declare/errors.ts'
import { pageOf } from '../../../core/declare/page.ts'
import { forbidden, permission } from '../../../core/declare/permissions.ts'
import { type Comment, type CommentStatus, commentsCollection, toComment } from '../../../site/comments/comment.ts'
import type { Settings } from '../../../site/settings.ts'
import { publicTypesOf, typeNamesOf } from '../../shared/declared-types.ts'
import { actorFor, mediaType, postType } from '../content-types/model.ts'
import {
  absoluteIds,
  allById,
  hiddenPosts,
  lockedPosts,
  mayEditPost,
  mayReadOfType,
  nobody,
  type Visibility,
} from '../posts/model.ts'
import type { listArgs } from './args.ts'
import {
  type CommentedPosts,
  mayEditCommented,
  mayReadComment,
  mayReadCommented,
  noteType,
  openedPosts,
  readCommentedPosts,
} from './model.ts'
import { commentViews } from './view.ts'

type ListArgs = ArgValues<typeof listArgs>
type ListContext = Context<ListArgs, CommentedPosts>

/** The posts that the list is asked for. */
export const findListedPosts = (context: Context<ListArgs, undefined>) =>
  readCommentedPosts(context, context.args.post ?? [])

/** `Allow` is computed without the arguments of the list, so that each may be absent here. */
export const mayList = permission<ListArgs, CommentedPosts>(
  'anyone; some filters need edit_posts, the edit context moderate_comments',
  (context) => unreadablePost(context) ?? forbiddenContext(context) ?? forbiddenFilter(context),
)

/** The password opens the named posts, and no others. */
const openedIn = (context: ListContext) => openedPosts(context, context.resource.values(), context.args.password)

function unreadablePost(context: ListContext): ApiError | undefined {
  const { args, user, resource } = context
  const opened = openedIn(context)
  for (const id of args.post ?? []) {
    const post = resource.get(id)
    if (id === 0 && !user.can('moderate_comments')) return forbidden(user, 'rest_cannot_read', 'No post has the ID 0.')
    if (post && !mayReadCommented(user, post, opened)) {
      return forbidden(user, 'rest_cannot_read_post', 'You may not read the post.')
    }
  }
  return undefined
}

function forbiddenContext({ args, user, resource }: ListContext): ApiError | undefined {
  if (args.context !== 'edit' || user.can('moderate_comments')) return undefined
  const posts = [...resource.values()]
  // Notes belong to whoever may edit the post.
  const isOwn = args.type === noteType && posts.length > 0 && posts.every((post) => mayEditCommented(user, post))
  return isOwn ? undefined : forbidden(user, 'rest_forbidden_context', 'You may not moderate comments.')
}

function forbiddenFilter({ args, user }: ListContext): ApiError | undefined {
  const { author, author_exclude, author_email, status = defaultStatus, type = defaultType } = args
  const isPlain =
    author === undefined &&
    author_exclude === undefined &&
    !author_email &&
    status === defaultStatus &&
    type === defaultType
  return isPlain || user.can('edit_posts')
    ? undefined
    : forbidden(user, 'rest_forbidden_param', 'You may not filter by author, status or type.')
}

const defaultStatus = 'approve'
const defaultType = 'comment'

/** Interface: totals count what the query finds, before comments that the caller may not read are left out. */
export async function listComments(context: ListContext) {
  const { args, storage, user } = context
  const { comments, total } = await matchingComments(context)
  const posts = await readCommentedPosts(
    context,
    comments.map(({ post }) => post),
  )
  const opened = openedIn(context)
  const visible = comments.filter((comment) => mayReadComment(user, comment, posts, opened))
  const rows = await commentViews({ ...context, storage }, visible, { viewContext: args.context, posts })
  return pageOf(context, { rows, total, page: args.page, perPage: args.per_page })
}

async function matchingComments(context: ListContext): Promise<{ comments: Comment[]; total: number }> {
  const { args, storage } = context
  const offset = args.offset === undefined ? (args.page - 1) * args.per_page : Math.max(0, args.offset)
  const every = await conditions(context)
  const where: Where = { every }
  if (args.orderby === 'include' && args.include.length > 0) {
    const { rows } = await storage.records.query(commentsCollection, { where })
    const places = new Map(absoluteIds(args.include).map((id, place) => [id, place]))
    const sorted = rows.map(toComment).sort((a, b) => (places.get(a.id) ?? 0) - (places.get(b.id) ?? 0))
    return { comments: sorted.slice(offset, offset + args.per_page), total: sorted.length }
  }
  const descending = args.order === 'desc'
  const order = [
    ...(args.orderby === 'id' ? [] : [{ by: fieldOf[args.orderby], descending }]),
    { by: 'id', descending },
  ]
  const found = await storage.records.query(commentsCollection, {
    where,
    order,
    offset,
    limit: args.per_page,
    total: true,
  })
  return { comments: found.rows.map(toComment), total: found.total }
}

/** The local date follows the date in GMT. */
const fieldOf = {
  date: 'date',
  date_gmt: 'date',
  include: 'date',
  post: 'post',
  parent: 'parent',
  type: 'type',
} as const

async function conditions(context: ListContext): Promise<Where[]> {
  const { args, settings } = context
  const within = (field: string, ids: readonly number[] = []): Where[] =>
    ids.length === 0 ? [] : [oneOf(field, absoluteIds(ids))]
  const outside = (field: string, ids: readonly number[] = []): Where[] =>
    within(field, ids).map((condition) => ({ not: condition }))
  return [
    ...within('id', args.include),
    ...within('post', args.post),
    ...within('parent', args.parent),
    ...within('author', args.author),
    ...(args.author_email ? [await hasAddress(context, args.author_email)] : []),
    ...statusCondition(args.status),
    args.type === 'all' ? { not: { field: 'type', is: noteType } } : { field: 'type', is: args.type || defaultType },
    ...outside('id', args.exclude),
    ...outside('parent', args.parent_exclude),
    ...outside('author', args.author_exclude),
    ...dateConditions(args, settings),
    ...(args.search ? [searchCondition(context, args.search), ...(await reached(context))] : []),
  ]
}

/** One value is in the order of an index, several are not. */
const oneOf = (field: string, ids: readonly number[]): Where =>
  ids.length === 1 ? { field, is: ids[0] ?? 0 } : { field, in: ids }

/** Interface: `all` has approved and held ones; a word that is no status of a list, such as `approved`, finds nothing. */
function statusCondition(status: string): Where[] {
  if (status === 'any') return []
  const stored = statusWords[status] ?? []
  const [only] = stored
  return [only !== undefined && stored.length === 1 ? { field: 'status', is: only } : { field: 'status', in: stored }]
}

const statusWords: { readonly [word: string]: readonly CommentStatus[] } = lookupTable({
  approve: ['approved'],
  hold: ['hold'],
  all: ['approved', 'hold'],
  spam: ['spam'],
  trash: ['trash'],
  'post-trashed': ['post-trashed'],
  '1': ['approved'],
  '0': ['hold'],
})

/** Comments of an account have its address, also where only the account is stored. */
async function hasAddress({ storage }: ListContext, address: string): Promise<Where> {
  const order = { by: 'id', descending: false } as const
  const { rows } = await storage.users.query({ emails: [address], order, offset: 0, limit: 1 })
  const own: Where = { field: 'author_email', is: address }
  return rows.length === 0 ? own : { some: [own, ...rows.map(({ id }): Where => ({ field: 'author', is: id }))] }
}

function dateConditions({ after, before }: ListArgs, { time }: Settings): Where[] {
  const gmt = (text: string) => time.parseDate(text, { isGmt: false })?.gmt ?? text
  if (after === undefined && before === undefined) return []
  return [
    {
      field: 'date',
      ...(after === undefined ? {} : { above: gmt(after) }),
      ...(before === undefined ? {} : { below: gmt(before) }),
    },
  ]
}

/** Choice: words are looked for in the comments that the caller may read, as `mayReadComment` says. */
async function reached(context: ListContext): Promise<Where[]> {
  const { args, user } = context
  const isOfNotes = args.type === noteType
  if (user.can('moderate_comments') && !isOfNotes) return []
  const edited = await onEditedPosts(context)
  if (isOfNotes) return [edited]
  const hidden = await unreadPosts(context)
  const own: Where = {
    every: [
      { field: 'status', is: 'hold' },
      { field: 'author', is: user.id },
    ],
  }
  const isSeen: Where = { some: [{ field: 'status', is: 'approved' }, ...(user.id === 0 ? [] : [own])] }
  return [{ some: [edited, { every: [{ not: { field: 'post', in: hidden } }, isSeen] }] }]
}

const mayEdit = ({ user, app }: ListContext) => {
  const types = new Map(publicTypesOf(app).map((type) => [type.name, type]))
  return (post: Visibility) => {
    const type = types.get(post.type)
    return mayEditPost(type ? actorFor(type)(user) : user, post)
  }
}

/** Who may edit the posts of others lacks few of them; whoever may not has few. */
async function onEditedPosts(context: ListContext): Promise<Where> {
  const { storage, app, user } = context
  const may = mayEdit(context)
  if (may({ type: postType.name, status: 'publish', author: nobody })) {
    const others = await hiddenPosts(context, may)
    return { not: { field: 'post', in: others.map(({ id }) => id) } }
  }
  if (user.id === 0 || !user.can('edit_posts')) return { field: 'post', in: [] }
  const { idsPage } = await storage.posts.query({ ...allById, types: typeNamesOf(app), authors: [user.id] })
  return { field: 'post', in: idsPage.filter(may).map(({ id }) => id) }
}

/** Those that the caller may not read, those whose password was not sent, and the files of the former. */
async function unreadPosts(context: ListContext): Promise<readonly number[]> {
  const { storage, app, user } = context
  const types = new Set(publicTypesOf(app).map(({ name }) => name))
  const hidden = await hiddenPosts(context, (post) => types.has(post.type) && mayReadOfType(user, post, app))
  const parents = hidden.map(({ id }) => id)
  const [files, locked] = await Promise.all([
    parents.length === 0 ? undefined : storage.posts.query({ ...allById, types: [mediaType.name], parents }),
    lockedPosts(storage, typeNamesOf(app)),
  ])
  const [opened, may] = [openedIn(context), mayEdit(context)]
  const isOthers = ({ author }: Visibility) => user.id === 0 || author !== user.id
  const isLocked = (post: IdsPageEntry) => !opened.has(post.id) && !may(post)
  const more = [...(files?.idsPage.filter(isOthers) ?? []), ...locked.filter(isLocked)]
  return [...parents, ...more.map(({ id }) => id)]
}

/** Choice: only those who see addresses search them. */
function searchCondition({ user }: ListContext, text: string): Where {
  const open = ['author_name', 'author_url', 'content']
  const fields = user.can('moderate_comments') ? [...open, 'author_email', 'author_ip'] : open
  return { some: fields.map((field) => ({ field, holds: text })) }
}
