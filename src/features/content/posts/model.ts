/** Posts of all types for other features: finding a post, and what a user may do with it. */

import type { IdsPageEntry, Json, Post, PostValues, Storage, Term } from '../../../contract/storage.ts'
import type { Actor } from '../../../core/declare/actor.ts'
import type { AppContext } from '../../../core/declare/app-context.ts'
import type { Args } from '../../../core/declare/args.ts'
import type { Context, HookContext } from '../../../core/declare/context.ts'
import { ApiError } from '../../../core/declare/errors.ts'
import { forbidden, permission } from '../../../core/declare/permissions.ts'
import { beforeChange } from '../../../core/pipeline/hooks.ts'
import { fileAddress, mediaOf } from '../../../services/media.ts'
import { clientOf, passwordAttemptsOf } from '../../../services/visitors.ts'
import { alternativeTextKey, attachedFileKey, attachmentMetadataKey, trashStatusKey } from '../../../site/post-keys.ts'
import { publicTypesOf, typeNamesOf } from '../../shared/declared-types.ts'
import { type FieldKind, kindOfType } from '../../shared/own-fields.ts'
import { builderFields, createFields, createMetaFields, type MetaFields } from '../../shared/post-meta.ts'
import { actorFor, type ContentType, mediaType, type PublicType, type Support } from '../content-types/model.ts'

/** A post; if it is in the trash, with its status from before, which decides who may edit it. */
export type FoundPost = Post & { readonly trashedFrom?: string }

/** A post that is about to be written. */
export interface PostChange {
  /** All columns, also those that stay the same. */
  readonly values: PostValues
  /** Only the keys that are written; null removes one. */
  readonly meta: { readonly [key: string]: Json }
  /** All categories and tags of the post. Those of builder documents are not written. */
  readonly terms: readonly Pick<Term, 'id' | 'taxonomy' | 'slug'>[]
  /** The stored post; absent for a new one. */
  readonly before?: FoundPost
}

/** Before a post of any type is written or removed. */
export interface PostsChanges {
  'post.saving': PostChange
  'post.removing': { readonly post: FoundPost }
}

/** The columns to write of a stored post, after the hooks of its change. */
export async function columnsToSave(
  context: HookContext,
  before: FoundPost,
  changes: Partial<PostValues>,
): Promise<Partial<PostValues>> {
  const { id: _id, version: _version, trashedFrom: _from, ...columns } = before
  const values: PostValues = { ...columns, ...changes }
  const saved = await beforeChange(context, 'post.saving', { values, meta: {}, terms: [], before })
  return saved.values === values ? changes : saved.values
}

type Owned = Pick<IdsPageEntry, 'author' | 'status'> & { readonly trashedFrom?: string }

const isPublishedOrScheduled = (status: string | undefined) => status === 'publish' || status === 'future'

/** Visitors and the host itself have the id 0, and own nothing: a post may have no author. */
export const owns = (user: Actor, post: Pick<Post, 'author'>) => user.id !== 0 && post.author === user.id

function mayChange(user: Actor, post: Owned, verb: 'edit' | 'delete'): boolean {
  if (owns(user, post)) {
    const status = post.status === 'trash' ? post.trashedFrom : post.status
    return user.can(isPublishedOrScheduled(status) ? `${verb}_published_posts` : `${verb}_posts`)
  }
  if (!user.can(`${verb}_others_posts`)) return false
  if (isPublishedOrScheduled(post.status)) return user.can(`${verb}_published_posts`)
  return post.status !== 'private' || user.can(`${verb}_private_posts`)
}

export const mayEditPost = (user: Actor, post: Owned) => mayChange(user, post, 'edit')
export const mayDeletePost = (user: Actor, post: Owned) => mayChange(user, post, 'delete')

export function mayReadPost(user: Actor, post: Owned): boolean {
  if (post.status === 'publish') return true
  if (owns(user, post)) return user.can('read')
  if (post.status === 'private') return user.can('read_private_posts')
  return mayEditPost(user, post)
}

/** A post with the record that it belongs to, if there is one. */
export interface WithOwner extends Post {
  readonly above?: Post
}

type Reader = Pick<Context, 'user' | 'app'>

/** Interface: a file has the visibility of its post. */
export function mayReadAttached({ user, app }: Reader, post: WithOwner): boolean {
  if (owns(user, post)) return user.can('read')
  const { status, above } = post
  if (status !== 'inherit') return mayReadPost(user, post)
  return above === undefined || mayReadOfType(user, above, app)
}

/** Whatever the type of the post. */
export function mayReadOfType(user: Actor, post: Visibility, app: AppContext): boolean {
  const type = publicTypesOf(app).find(({ name }) => name === post.type)
  if (type === undefined) return mayReadPost(user, post)
  const actor = actorFor(type)(user)
  return (type.published.isViewable !== false || actor.can('read')) && mayReadPost(actor, post)
}

export function mayEditOfType(user: Actor, post: Owned & Pick<Post, 'type'>, app: AppContext): boolean {
  const type = publicTypesOf(app).find(({ name }) => name === post.type)
  return mayEditPost(type ? actorFor(type)(user) : user, post)
}

/** For a record that another one names: its picture, the page above, the target of a menu item. */
export async function mayReadTarget(context: Reader & { readonly storage: Storage }, post: Post): Promise<boolean> {
  const { user, app, storage } = context
  if (post.status !== 'inherit') return mayReadOfType(user, post, app)
  const [above] = post.parent > 0 ? await storage.posts.read([post.parent]) : []
  return mayReadAttached(context, above ? { ...post, above } : post)
}

// ---------------------------------------------------------------- posts that are hidden from a caller

/** These columns decide who may read a post. */
export type Visibility = Pick<IdsPageEntry, 'type' | 'status' | 'author'>

const unpublished = ['future', 'draft', 'pending', 'private', 'trash', 'auto-draft']

/** The posts of these types with a password. All statuses are named, so that an index finds the few among many files. */
export async function lockedPosts(storage: Storage, types: readonly string[]): Promise<readonly IdsPageEntry[]> {
  const statuses = ['publish', 'inherit', ...unpublished].map((status) => ({ status }))
  return (await storage.posts.query({ types, statuses, withPassword: true, ...allById })).idsPage
}

/** No user has this id. */
export const nobody = -1

/**
 * The posts of all types but files that `may` refuses: a read of those that are not published, and one of types that are closed to the
 * caller; none for a caller who may read all. Rights are asked for once per type, status and author.
 */
export async function hiddenPosts(
  { storage, app }: Pick<Context, 'storage' | 'app'>,
  may: (post: Visibility) => boolean,
): Promise<readonly IdsPageEntry[]> {
  const types = typeNamesOf(app).filter((name) => name !== mediaType.name)
  const hides = (type: string, status: string) => !may({ type, status, author: nobody })
  const closedTypes = types.filter((type) => hides(type, 'publish'))
  const statuses = unpublished.filter((status) => types.some((type) => hides(type, status)))
  const entries = await Promise.all([entriesOf(storage, types, statuses), entriesOf(storage, closedTypes, ['publish'])])
  const known = new Map<string, boolean>()
  return entries.flat().filter(({ type, status, author }) => {
    const key = `${type} ${status} ${author}`
    const isHidden = known.get(key) ?? !may({ type, status, author })
    known.set(key, isHidden)
    return isHidden
  })
}

async function entriesOf(storage: Storage, types: readonly string[], statuses: readonly string[]) {
  if (types.length === 0 || statuses.length === 0) return []
  const { idsPage } = await storage.posts.query({
    types,
    statuses: statuses.map((status) => ({ status })),
    ...allById,
  })
  return idsPage
}

/** All rows, in one order. */
export const allById = {
  order: { by: 'id', descending: false },
  offset: 0,
  limit: Number.MAX_SAFE_INTEGER,
} as const

// ---------------------------------------------------------------- files

/** Interface: a negative id means the same as the positive one. */
export const absoluteIds = (ids: readonly number[]): readonly number[] => ids.map(Math.abs)

/** A smaller copy of a picture. */
export interface PictureSize {
  readonly address: string
  readonly width: number
  readonly height: number
}

/** The file of a medium. */
export interface MediumFile {
  /** Relative to the uploads folder. */
  readonly path: string
  readonly address: string
  /** The size in pixels. */
  readonly width?: number
  readonly height?: number
  /** The sizes of a picture, smallest first; empty where there are none. */
  readonly sizes: readonly PictureSize[]
  /** The alternative text. */
  readonly alternative: string
}

/** By media id; media without a file are left out. */
export async function mediumFiles(
  { storage, settings, app }: Pick<Context, 'storage' | 'settings' | 'app'>,
  ids: readonly number[],
  { hasTexts = true } = {},
): Promise<ReadonlyMap<number, MediumFile>> {
  const keys = [attachedFileKey, attachmentMetadataKey, ...(hasTexts ? [alternativeTextKey] : [])]
  const entries = await storage.meta.read('post', ids, keys)
  const values = new Map(entries.map(({ id, key, value }) => [`${id} ${key}`, value]))
  const metaOf = (id: number, key: string) => values.get(`${id} ${key}`)
  const files = ids.flatMap((id) => {
    const path = metaOf(id, attachedFileKey)
    if (typeof path !== 'string') return []
    const addressOf = (file: string) => fileAddress(mediaOf(app), settings, file)
    const metadata = metaOf(id, attachmentMetadataKey)
    const alternative = String(metaOf(id, alternativeTextKey) ?? '')
    const sizes = pictureSizes(path, metadata, addressOf)
    return [[id, { path, address: addressOf(path), alternative, sizes, ...imageSize(metadata) }] as const]
  })
  return new Map(files)
}

/** The cast is safe: a value that is no object, such as a text, lacks the members. */
const membersOf = (value: Json | undefined) => (value ?? {}) as { readonly [name: string]: Json | undefined }

/** The files of the sizes are beside the picture. */
function pictureSizes(path: string, metadata: Json | undefined, addressOf: (file: string) => string): PictureSize[] {
  const folder = path.slice(0, path.lastIndexOf('/') + 1)
  const { sizes } = membersOf(metadata)
  const listed = Object.values(membersOf(sizes)).flatMap((size): PictureSize[] => {
    const { file, width, height } = membersOf(size)
    if (typeof file !== 'string' || typeof width !== 'number' || typeof height !== 'number') return []
    return [{ address: addressOf(folder + file.slice(file.lastIndexOf('/') + 1)), width, height }]
  })
  return listed.sort((a, b) => a.width - b.width)
}

function imageSize(metadata: Json | undefined): Pick<MediumFile, 'width' | 'height'> {
  const { width, height } = membersOf(metadata)
  return typeof width === 'number' && typeof height === 'number' ? { width, height } : {}
}

// ---------------------------------------------------------------- a type with routes

/** A content type with what its routes share. */
export interface RecordType extends PublicType {
  readonly meta: MetaFields
  /** Its records show these fields in the member `meta`, and those of `besideMeta` beside it. */
  readonly shownMeta: MetaFields
  readonly besideMeta: MetaFields
  /** The user with the capabilities of this type under the names of those of posts. */
  readonly actor: (user: Actor) => Actor
  /** `/cms/v2/posts`. */
  readonly route: string
  readonly isViewable: boolean
  supports(support: Support): boolean
}

/** `own` are the fields that `metaFields` adds. */
export function recordTypeOf(
  type: PublicType,
  own: Args = {},
  kind: FieldKind | 'contentType' | undefined = kindOfType(type.name),
): RecordType {
  const { restBase, fieldsBesideMeta: beside = [], isViewable = true, supports } = type.published
  const create = supports.includes('editor') ? createMetaFields : createFields
  const title = `Meta of a ${type.label.toLowerCase()}`
  const fields = { ...(supports.includes('builder') ? builderFields : {}), ...type.published.fields, ...own }
  const ifStored = type.published.showsEmptyDocument ? [] : Object.keys(builderFields)
  const options = { ifStored, ...(kind === undefined ? {} : { kind }) }
  const meta = create(fields, title, options)
  const fieldsIn = (isBeside: boolean): Args =>
    Object.fromEntries(Object.entries(fields).filter(([name]) => beside.includes(name) === isBeside))
  return {
    ...type,
    meta,
    shownMeta: beside.length === 0 ? meta : create(fieldsIn(false), title, options),
    besideMeta: createFields(fieldsIn(true), title),
    actor: actorFor(type),
    route: `/cms/v2/${restBase}`,
    isViewable,
    supports: (support) => supports.includes(support),
  }
}

const invalidPostId = () => new ApiError('rest_post_invalid_id', 'There is no such post.', 404)
const invalidParent = () => new ApiError('rest_post_invalid_parent', 'There is no such post.', 404)

/** The resource of the routes of one post. Throws 404 for an id that names no post of this type. */
export const findPost =
  (type: ContentType) =>
  ({ args, storage }: { args: { readonly id?: number }; storage: Storage }) =>
    readPost(storage, type.name, args.id, invalidPostId)

/** The same for routes below a post, which call its id `parent`. */
export const findParent =
  (type: ContentType) =>
  ({ args, storage }: { args: { readonly parent?: number }; storage: Storage }) =>
    readPost(storage, type.name, args.parent, invalidParent)

async function readPost(
  storage: Storage,
  type: string,
  id: number | undefined,
  notFound: () => ApiError,
): Promise<FoundPost> {
  const [post] = await storage.posts.read([id ?? 0])
  if (post?.type !== type) throw notFound()
  // A copy: a storage may give the same row to several requests, and what a request reads for a row is kept with it.
  if (post.status !== 'trash') return { ...post }
  const trashed = await trashStatuses(storage, [post])
  return { ...post, trashedFrom: trashed.get(post.id) ?? 'draft' }
}

/** By id, the statuses that the posts in the trash had before. */
export async function trashStatuses(
  storage: Storage,
  posts: readonly Pick<Post, 'id' | 'status'>[],
): Promise<ReadonlyMap<number, string>> {
  const trashed = posts.filter((post) => post.status === 'trash').map((post) => post.id)
  if (trashed.length === 0) return new Map()
  const entries = await storage.meta.read('post', trashed, [trashStatusKey])
  return new Map(entries.map(({ id, value }) => [id, String(value)]))
}

/** Interface: records of types that visitors can not see need the capability `read` of the type, published ones too. */
export function mayReadRecord(type: Pick<RecordType, 'actor' | 'isViewable'>, user: Actor, post: Owned): boolean {
  const actor = type.actor(user)
  return (type.isViewable || actor.can('read')) && mayReadPost(actor, post)
}

/** Whether the password opens the post. A wrong one counts against the client, except in calls of the host. Throws 429. */
export function isOpenedBy(
  { app, user, incoming }: Pick<Context, 'app' | 'user' | 'incoming'>,
  post: Pick<Post, 'id' | 'password'>,
  entered: string,
): boolean {
  if (incoming.source === 'call') return post.password !== '' && entered === post.password
  const sender = { header: (name: string) => incoming.header(name), native: incoming.native }
  return passwordAttemptsOf(app).opens(post, entered, clientOf(app, sender, user))
}

export const mayRead = (type: RecordType) =>
  permission<{ readonly context: string; readonly password?: string }, FoundPost>(
    'anyone who may read the post; in the edit context its editors',
    (context) => {
      const { args, user, resource } = context
      if (args.context === 'edit' && !mayEditPost(type.actor(user), resource)) {
        return forbidden(user, 'rest_forbidden_context', 'You may not edit this post.')
      }
      // Interface: a wrong password is refused even when the post has none; an empty one counts as not sent.
      if (args.password !== undefined && args.password !== '' && !isOpenedBy(context, resource, args.password)) {
        return new ApiError('rest_post_incorrect_password', 'The password of the post is wrong.', 403)
      }
      return mayReadRecord(type, user, resource) ? undefined : forbidden(user)
    },
  )

export const mayDelete = (type: RecordType) =>
  permission<unknown, FoundPost>('those who may delete the post', ({ user, resource }) =>
    mayDeletePost(type.actor(user), resource)
      ? undefined
      : forbidden(user, 'rest_cannot_delete', 'You may not remove this post.'),
  )
