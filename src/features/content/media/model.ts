/** Media: what belongs to a file besides its row, and who may read and change it. */

import type { Json, Post, Storage } from '../../../contract/storage.ts'
import type { Actor } from '../../../core/declare/actor.ts'
import type { AppContext } from '../../../core/declare/app-context.ts'
import type { Context } from '../../../core/declare/context.ts'
import { ApiError } from '../../../core/declare/errors.ts'
import { forbidden, permission } from '../../../core/declare/permissions.ts'
import { recordTag } from '../../../core/pipeline/etag.ts'
import { fileAddress, isFilePath, mediaOf } from '../../../services/media.ts'
import { alternativeTextKey, attachedFileKey, attachmentMetadataKey } from '../../../site/post-keys.ts'
import { publicTypesOf } from '../../shared/declared-types.ts'
import { withOwnFields } from '../../shared/own-fields.ts'
import { actorFor, mediaType } from '../content-types/model.ts'
import {
  mayDeletePost,
  mayEditPost,
  mayReadAttached,
  mayReadTarget,
  type RecordType,
  recordTypeOf,
  type WithOwner,
} from '../posts/model.ts'

export const mediaRecords: RecordType = recordTypeOf(mediaType)

/** The same with the fields of the host. */
export const mediaRecordsIn = withOwnFields('media', mediaRecords, (own) => recordTypeOf(mediaType, own))

/** A medium with the record that it is attached to, which decides who may see it. */
export type FoundMedium = WithOwner

// ---------------------------------------------------------------- the stored file

export interface SizeFile {
  readonly file: string
  readonly width: number
  readonly height: number
  readonly filesize: number
  readonly mime_type: string
}

/** The meta value of the file: all paths but `file` are names beside it. */
export interface FileDetails {
  readonly file?: string
  readonly width?: number
  readonly height?: number
  readonly filesize?: number
  readonly sizes?: { readonly [name: string]: SizeFile }
  /** The upload, of which `file` is a smaller copy. */
  readonly original_image?: string
  /** For a picture that was made by an edit: its source. */
  readonly parent_image?: { readonly attachment_id: number; readonly file: string }
  /** The picture could not be processed: there was no library for it. */
  readonly unprocessed?: boolean
  /** The sizes, and the smaller copy of a large picture, are being made beside requests. */
  readonly sizes_pending?: boolean
  /** The metadata of the file: the members of `image_meta` that are not empty. */
  readonly image_meta?: { readonly [member: string]: Json }
  readonly optimization?: Optimization
}

/**
 * The copies that the optimization has made of a picture. Their files are in separate folders, below that of the picture.
 */
export interface Optimization {
  /** The settings by which it was made. */
  readonly settings: string
  /** Counts the bytes of all files before and after it, each in its own format. */
  readonly before: number
  readonly after: number
  /** The same with the smallest copy of each. Absent in records of earlier versions, whose `after` it was. */
  readonly best?: number
  /** Copies in formats that most browsers read: `optimized/pier.jpg.webp`. */
  readonly copies: readonly string[]
  /** The upload as it came: `originals/pier.jpg`. */
  readonly backup?: string
}

export interface MediumFileMeta {
  /** Below the folder of uploads; undefined where the record has no file. */
  readonly path: string | undefined
  readonly alternative: string
  readonly details: FileDetails
}

/** By media id; one read for all. */
export async function readFileMeta(storage: Storage, ids: readonly number[]): Promise<(id: number) => MediumFileMeta> {
  const keys = [attachedFileKey, attachmentMetadataKey, alternativeTextKey]
  const entries = await storage.meta.read('post', ids, keys)
  const values = new Map(entries.map(({ id, key, value }) => [`${id} ${key}`, value]))
  return (id) => {
    const path = values.get(`${id} ${attachedFileKey}`)
    return {
      path: typeof path === 'string' && path !== '' ? path : undefined,
      alternative: String(values.get(`${id} ${alternativeTextKey}`) ?? ''),
      details: toDetails(values.get(`${id} ${attachmentMetadataKey}`)),
    }
  }
}

/** Values that an import has stored may have any form. */
function toDetails(value: Json | undefined): FileDetails {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return {}
  const { sizes, image_meta: meta, ...details } = value as { readonly [name: string]: Json }
  const isSize = (size: Json | undefined) => typeof (size as { file?: unknown } | null)?.file === 'string'
  const listed = Object.entries(isMap(sizes) ? sizes : {}).filter(([, size]) => isSize(size))
  // The cast: members of other types are shown as they are.
  return {
    ...details,
    sizes: Object.fromEntries(listed),
    ...(isMap(meta) ? { image_meta: meta } : {}),
  } as unknown as FileDetails
}

const isMap = (value: Json | undefined): value is { readonly [name: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1)
export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** All files of a medium that are stored here, by their paths below the folder of uploads. */
export function pathsOf({ path, details }: MediumFileMeta): readonly string[] {
  if (path === undefined) return []
  const folder = folderOf(path)
  const names = [...Object.values(details.sizes ?? {}).map(({ file }) => file), details.original_image ?? '']
  const { copies = [], backup } = details.optimization ?? {}
  const made = [...copies, ...(backup === undefined ? [] : [backup])].map((name) => folder + name)
  const paths = [path, ...names.filter((name) => name !== '').map((name) => folder + nameOf(name)), ...made]
  // Names that an import noted may be addresses, or unusable as names of files.
  return [...new Set(paths)].filter(isFilePath)
}

export const addressOf = ({ app, settings }: Pick<Context, 'app' | 'settings'>, path: string): string =>
  fileAddress(mediaOf(app), settings, path)

// ---------------------------------------------------------------- rights

/** Interface: a file has the visibility of its post. */
const visibilityOf = ({ status, above }: FoundMedium): string =>
  status === 'inherit' ? (above?.status ?? 'publish') : status

const owned = (medium: FoundMedium) => ({ author: medium.author, status: visibilityOf(medium) })

export const mayEditMedium = (user: Actor, medium: FoundMedium): boolean => mayEditPost(user, owned(medium))
const mayDeleteMedium = (user: Actor, medium: FoundMedium): boolean => mayDeletePost(user, owned(medium))

/** The media with the records that they are attached to, in one read. */
export async function withPosts(storage: Storage, media: readonly Post[]): Promise<readonly FoundMedium[]> {
  const parents = [...new Set(media.map(({ parent }) => parent).filter((id) => id > 0))]
  const rows = parents.length === 0 ? [] : await storage.posts.read(parents)
  const byId = new Map(rows.map((row) => [row.id, row]))
  return media.map((medium) => {
    const above = byId.get(medium.parent)
    return above === undefined ? medium : { ...medium, above }
  })
}

/** The resource of the routes of one medium. */
export async function findMedium({
  args,
  storage,
}: {
  readonly args: { readonly id?: number }
  readonly storage: Storage
}): Promise<FoundMedium> {
  const [row] = await storage.posts.read([args.id ?? 0])
  if (row?.type !== mediaRecords.name) throw new ApiError('rest_post_invalid_id', 'There is no such medium.', 404)
  const [found] = await withPosts(storage, [row])
  return found as FoundMedium
}

export const mayRead = permission<{ readonly context: string }, FoundMedium>(
  'anyone who may read the post that the file belongs to; in the edit context its editors',
  (context) => {
    const { args, user, resource } = context
    if (args.context === 'edit' && !mayEditMedium(user, resource)) {
      return forbidden(user, 'rest_forbidden_context', 'You may not edit this medium.')
    }
    return mayReadAttached(context, resource) ? undefined : forbidden(user)
  },
)

const noEdit = (user: Actor) => forbidden(user, 'rest_cannot_edit', 'You may not edit this medium.')

export const mayProcess = permission<unknown, FoundMedium>('editors of the medium', ({ user, resource }) =>
  mayEditMedium(user, resource) ? undefined : noEdit(user),
)

export const mayEditPicture = permission<unknown, FoundMedium>(
  'upload_files, and the right to edit the medium',
  ({ user, resource }) => {
    if (!user.can('upload_files')) return forbidden(user, 'rest_cannot_edit_image', 'You may not upload files.')
    return mayEditMedium(user, resource) ? undefined : noEdit(user)
  },
)

export const mayDelete = permission<unknown, FoundMedium>('those who may delete the medium', ({ user, resource }) =>
  mayDeleteMedium(user, resource)
    ? undefined
    : forbidden(user, 'rest_cannot_delete', 'You may not remove this medium.'),
)

interface AuthorArgs {
  readonly author?: number | undefined
}

/** Interface: another author is refused with a separate error, also to users who may not upload at all. */
function forbiddenAuthor(args: AuthorArgs, user: Actor): ApiError | undefined {
  const isOther = args.author !== undefined && args.author !== 0 && args.author !== user.id
  return isOther && !user.can('edit_others_posts')
    ? forbidden(user, 'rest_cannot_edit_others', 'You may not write in the name of another user.')
    : undefined
}

interface PostArgs extends AuthorArgs {
  readonly post?: number | undefined
}

/** The posts that a stored file may be moved to: those that its editor may edit, or those that the editor may read. */
export type MovesTo = 'edited posts' | 'readable posts'

const whoMoves: { readonly [to in MovesTo]: string } = {
  'edited posts': 'editors of the medium, and of the post that it is attached to anew',
  'readable posts': 'editors of the medium',
}

export const mayUpdate = (to: MovesTo) =>
  permission<PostArgs, FoundMedium>(whoMoves[to], (context) => {
    const { args, user, resource } = context
    if (!mayEditMedium(user, resource)) return noEdit(user)
    const isMoved = args.post !== undefined && Math.abs(args.post) !== resource.parent
    return forbiddenAuthor(args, user) ?? (isMoved ? forbiddenPost(context, to) : undefined)
  })

export const noUpload = (user: Actor): ApiError => forbidden(user, 'rest_cannot_create', 'You may not upload files.')

/** Interface: an unknown post is refused like one of others. */
export const mayUpload = permission<PostArgs, unknown>('upload_files, and the right to edit the post', (context) => {
  const { args, user } = context
  const refused = forbiddenAuthor(args, user)
  if (refused) return refused
  return user.can('upload_files') ? forbiddenPost(context, 'edited posts') : noUpload(user)
})

async function forbiddenPost(
  context: Pick<Context<PostArgs>, 'args' | 'user' | 'storage' | 'app'>,
  to: MovesTo,
): Promise<ApiError | undefined> {
  const { args, user, storage, app } = context
  if (!args.post) return undefined
  const [post] = await storage.posts.read([Math.abs(args.post)])
  // `parentOf` refuses posts that take no files.
  const isAllowed =
    post && (mayEditAbove(user, post, app) || (to === 'readable posts' && (await mayReadTarget(context, post))))
  return isAllowed ? undefined : forbidden(user, 'rest_cannot_edit', 'You may not edit this post.')
}

/** Media and revisions are refused as parents later, by their own rule. */
function mayEditAbove(user: Actor, post: Post, app: AppContext): boolean {
  if (noParents.includes(post.type)) return true
  const type = publicTypesOf(app).find(({ name }) => name === post.type)
  return mayEditPost(type ? actorFor(type)(user) : user, post)
}

const noParents: readonly string[] = ['attachment', 'revision']

/** The post that a file is attached to; 0: none. Throws for what can have no files. */
export async function parentOf(storage: Storage, post: number | undefined, before: number): Promise<number> {
  if (post === undefined) return before
  if (post === 0) return 0
  const [row] = await storage.posts.read([Math.abs(post)])
  if (!row || noParents.includes(row.type)) {
    throw new ApiError('rest_invalid_param', 'Files can not be attached to this record.', 400)
  }
  return row.id
}

/** The members that a write can change. The files are not part of it: making sizes must not fail the save of an editor. */
export async function mediumTag({
  storage,
  app,
  user,
  resource,
}: Pick<Context<unknown, FoundMedium>, 'storage' | 'app' | 'user' | 'resource'>) {
  const { meta } = mediaRecordsIn(app.contributions)
  const keys = [alternativeTextKey, ...meta.keys.filter((key) => meta.mayRead(key, user))]
  const { version: _version, above: _above, ...row } = resource
  return recordTag(row, await storage.meta.read('post', [row.id], keys))
}
