/** Comments: the stored record, the posts that comments belong to, and what a user may do with a comment. */

import type { Post, RecordValues, Storage, Where } from '../../../contract/storage.ts'
import type { Actor } from '../../../core/declare/actor.ts'
import type { Context, HookContext } from '../../../core/declare/context.ts'
import type { PersistedCollection } from '../../../core/declare/feature.ts'
import { sha256Of } from '../../../core/runtime/crypto.ts'
import { type Comment, commentsCollection, toComment } from '../../../site/comments/comment.ts'
import { publicTypesOf } from '../../shared/declared-types.ts'
import { actorFor, type PublicType } from '../content-types/model.ts'
import { isOpenedBy, mayEditPost, mayReadPost, trashStatuses } from '../posts/model.ts'

export const persistedComments: PersistedCollection = {
  collection: commentsCollection,
  references: { post: 'post', parent: 'comments', author: 'user' },
}

export type CommentValues = Omit<Comment, 'id'>

/** Events of this feature. */
export interface CommentsEvents {
  'comment.created': { readonly comment: Comment }
  'comment.updated': { readonly comment: Comment; readonly before: Comment }
  /** Also when a held one is approved later. */
  'comment.approved': { readonly comment: Comment }
  'comment.trashed': { readonly comment: Comment }
  'comment.deleted': { readonly comment: Comment }
}

/** A comment that is about to be written. */
interface CommentChange {
  readonly values: CommentValues
  /** The stored comment; absent for a new one. */
  readonly before?: Comment
}

/** Before a comment is written: a hook may give it the status `spam` or `hold`, or refuse it. */
export interface CommentsChanges {
  'comment.saving': CommentChange
}

export const noteType = 'note'
export const isNote = ({ type }: Pick<Comment, 'type'>) => type === noteType

export const toRow = (values: CommentValues): RecordValues => ({
  post: values.post,
  parent: values.parent,
  author: values.author,
  author_name: values.authorName,
  author_email: values.authorEmail,
  author_url: values.authorUrl,
  author_ip: values.authorIp,
  author_user_agent: values.authorUserAgent,
  date: values.date,
  content: values.content,
  status: values.status,
  type: values.type,
  status_before: values.statusBefore,
  status_before_post: values.statusBeforePost,
  note_status: values.noteStatus,
  content_digest: sha256Of(values.content),
  meta: values.meta ?? null,
})

/** In the order of the ids; unknown ids are left out. */
export async function readComments(storage: Storage, ids: readonly number[]): Promise<Comment[]> {
  if (ids.length === 0) return []
  const { rows } = await storage.records.query(commentsCollection, { where: { field: 'id', in: [...new Set(ids)] } })
  const byId = new Map(rows.map((row) => [row.id, toComment(row)]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

// ---------------------------------------------------------------- posts

/** The post of a comment, with what decides about its visibility. */
export interface CommentedPost {
  readonly post: Post & { readonly trashedFrom?: string }
  /** Absent for posts of a type without routes. */
  readonly type?: PublicType
  /** That of its parent for a file that inherits it. */
  readonly status: string
}

export type CommentedPosts = ReadonlyMap<number, CommentedPost>

/** The number of reads does not grow with the ids. */
export async function readCommentedPosts(
  { storage, app }: Pick<HookContext, 'storage' | 'app'>,
  ids: readonly number[],
): Promise<CommentedPosts> {
  const wanted = [...new Set(ids)].filter((id) => id > 0)
  if (wanted.length === 0) return new Map()
  const posts = await storage.posts.read(wanted)
  const heirs = posts.filter(({ status, parent }) => status === 'inherit' && parent > 0)
  const [parents, trashed] = await Promise.all([
    heirs.length === 0 ? [] : storage.posts.read([...new Set(heirs.map(({ parent }) => parent))]),
    trashStatuses(storage, posts),
  ])
  const types = new Map(publicTypesOf(app).map((type) => [type.name, type]))
  const inherited = new Map(parents.map(({ id, status }) => [id, status]))
  const entries = posts.map((post) => {
    const [type, trashedFrom] = [types.get(post.type), trashed.get(post.id)]
    const status = post.status === 'inherit' ? (inherited.get(post.parent) ?? 'publish') : post.status
    // A copy reads every column, and each change of one would end the answer.
    const found: CommentedPost['post'] = trashedFrom === undefined ? post : { ...post, trashedFrom }
    return [post.id, { post: found, status, ...(type ? { type } : {}) }] as const
  })
  return new Map(entries)
}

const actorOn = (user: Actor, { type }: CommentedPost) => (type ? actorFor(type)(user) : user)

export const mayEditCommented = (user: Actor, commented: CommentedPost) =>
  mayEditPost(actorOn(user, commented), commented.post)

const none: ReadonlySet<number> = new Set()

/** The ids of the locked posts among these that the password opens. Throws 429 for a client that has guessed too often. */
export function openedPosts(
  context: Pick<Context, 'app' | 'user' | 'incoming'>,
  posts: Iterable<CommentedPost>,
  password: string | undefined,
): ReadonlySet<number> {
  if (!password) return none
  const locked = [...posts].filter(
    (commented) => commented.post.password !== '' && !mayEditCommented(context.user, commented),
  )
  return new Set(locked.filter(({ post }) => isOpenedBy(context, post, password)).map(({ post }) => post.id))
}

/** A password opens a locked post, and so does the right to edit it. */
export function mayReadCommented(user: Actor, commented: CommentedPost, opened = none): boolean {
  const { post, type, status } = commented
  if (mayEditCommented(user, commented)) return true
  if (!type) return false
  const actor = actorOn(user, commented)
  const isVisible = (type.published.isViewable ?? true) || actor.can('read')
  // An answer does not depend on the author of a published post.
  const mayRead = status === 'publish' || mayReadPost(actor, { author: post.author, status })
  return isVisible && mayRead && (post.password === '' || opened.has(post.id))
}

// ---------------------------------------------------------------- rights

/** The capability to moderate the comments on all posts. */
export const moderation = 'moderate_comments'

/** Interface: the author of a post moderates the comments on it. */
export function mayModerate(user: Actor, comment: Comment, posts: CommentedPosts): boolean {
  const commented = posts.get(comment.post)
  const isEditor = commented !== undefined && mayEditCommented(user, commented)
  return isNote(comment) ? isEditor : isEditor || user.can('moderate_comments')
}

/** The commenter sees an own held comment. Notes are for those who may edit the post. */
export function mayReadComment(user: Actor, comment: Comment, posts: CommentedPosts, opened = none): boolean {
  if (mayModerate(user, comment, posts)) return true
  const commented = posts.get(comment.post)
  if (isNote(comment) || !commented || !mayReadCommented(user, commented, opened)) return false
  const isOwn = user.id !== 0 && comment.author === user.id
  return comment.status === 'approved' || (comment.status === 'hold' && isOwn)
}

export const nowGmt = ({ app, settings }: Pick<Context, 'app' | 'settings'>): string => settings.time.now(app.clock).gmt

/** Comments of a whole set, in windows, so that no list of them is held at once. `where` must not match what `change` returns. */
export async function updateComments(
  storage: Storage,
  where: Where,
  change: (comment: Comment) => RecordValues,
): Promise<void> {
  for (;;) {
    const { rows } = await storage.records.query(commentsCollection, { where, limit: windowSize })
    if (rows.length === 0) return
    const updates = rows.map((row) => ({ id: row.id, changes: change(toComment(row)) }))
    await storage.records.update(commentsCollection, updates)
  }
}

const windowSize = 500
