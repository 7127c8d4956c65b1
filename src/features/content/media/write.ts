/** Creating, changing and removing media: the file, its row and its meta, with the rules of all ways to do it. */

import type { Json, Post, PostValues, Storage } from '../../../contract/storage.ts'
import type { ArgValues } from '../../../core/declare/args.ts'
import type { Context, HookContext } from '../../../core/declare/context.ts'
import { ApiError } from '../../../core/declare/errors.ts'
import { beforeChange, inOwnTransaction } from '../../../core/pipeline/hooks.ts'
import { stripTags } from '../../../html/strip-tags.ts'
import { freeSlug } from '../../../site/free-slug.ts'
import { alternativeTextKey, attachedFileKey, attachmentMetadataKey } from '../../../site/post-keys.ts'
import { toSlug } from '../../../site/slug.ts'
import { publicTypesOf } from '../../shared/declared-types.ts'
import { discardPending, forgetPaths, noteRemoval } from '../../shared/pending-files.ts'
import { authorFor, newState, preparedValues, stateOf } from '../posts/content-type.ts'
import type { writeArgs } from './args.ts'
import type { KeptFiles } from './kept-files.ts'
import {
  type FileDetails,
  type FoundMedium,
  findMedium,
  mediaRecordsIn,
  parentOf,
  pathsOf,
  readFileMeta,
  withPosts,
} from './model.ts'

/** Events of media that are written through the routes. */
export interface MediaEvents {
  'media.updated': { readonly id: number }
}

type WriteArgs = Partial<ArgValues<typeof writeArgs>>
export type WriteContext = Context<WriteArgs, FoundMedium | undefined>

/** Interface: of an upload only the status private is kept. */
function statusFor({ args, resource }: WriteContext): string {
  if (args.status === undefined) return resource?.status ?? 'inherit'
  return args.status === 'private' ? 'private' : 'inherit'
}

/** Prepares the columns of a medium, by the rules of all content types, and its meta fields. */
async function valuesFor(
  context: WriteContext,
): Promise<{ readonly values: PostValues; readonly meta: { readonly [key: string]: Json } }> {
  const { args, resource, storage } = context
  const parent = await parentOf(storage, args.post, resource?.parent ?? 0)
  const author = await authorFor(context as never)
  const slug = await slugFor(context)
  const renamed = {
    ...args,
    ...(args.description === undefined ? {} : { content: args.description }),
    ...(args.caption === undefined ? {} : { excerpt: args.caption }),
    // Interface: files are open for comments, whatever the default for posts.
    ...(resource || args.comment_status ? {} : { comment_status: 'open' as const }),
    slug,
  }
  const type = mediaRecordsIn(context.app.contributions)
  const stored = resource ? stateOf(resource, []) : newState(type, context)
  const { values, meta } = await preparedValues(type, { ...context, args: renamed } as never, stored, {
    requested: statusFor(context),
    author,
    parent,
  })
  return { values, meta }
}

/**
 * Interface: files share the slugs of posts and pages, because their addresses lie beside those. A slug that is not sent comes
 * from the title.
 */
async function slugFor({ args, resource, storage, app }: WriteContext): Promise<string> {
  const sent = args.slug === undefined ? undefined : toSlug(args.slug)
  if (resource && (sent === undefined || sent === resource.slug)) return resource.slug
  const base = sent || toSlug(titleOf(args.title)) || 'media'
  const types = publicTypesOf(app).flatMap(({ name, published }) => (published.isViewable === false ? [] : [name]))
  const others = types.filter((type) => type !== 'attachment')
  // One statement for a name that is new, and few more for one that many files have: other types are asked about the result only.
  if (!(await isTaken(storage, types, base))) return base
  const free = await freeSlug(base, (slugs) => storage.posts.takenSlugs('attachment', slugs), 2)
  if (!(await isTaken(storage, others, free))) return free
  return freeSlug(base, async (slugs) =>
    (await Promise.all(types.map((type) => storage.posts.takenSlugs(type, slugs)))).flat(),
  )
}

async function isTaken(storage: Storage, types: readonly string[], slug: string): Promise<boolean> {
  const order = { by: 'id', descending: false } as const
  const { idsPage } = await storage.posts.query({ types, slugs: [slug], order, offset: 0, limit: 1 })
  return idsPage.length > 0
}

const titleOf = (title: unknown): string =>
  typeof title === 'string' ? title : String((title as { raw?: unknown } | undefined)?.raw ?? '')

const alternativeOf = (text: string) => stripTags(text).replace(/\s+/g, ' ').trim()

function metaEntries(id: number, { alt_text: alternative }: WriteArgs, meta: { readonly [key: string]: Json }) {
  const own = Object.entries(meta).map(([key, value]) => ({ id, key, value }))
  return alternative === undefined
    ? own
    : [...own, { id, key: alternativeTextKey, value: alternativeOf(alternative) || null }]
}

/**
 * Writes the record of files that are stored already, and makes them no longer pending, in one transaction. When that
 * fails, the files go again.
 */
export async function writeMedium(
  context: WriteContext,
  { path, type: mimeType, stem, details, paths }: KeptFiles,
  more: Pick<FileDetails, 'parent_image'> = {},
): Promise<FoundMedium> {
  const args = { ...context.args, title: context.args.title ?? stem }
  let post: Post
  try {
    post = await inOwnTransaction({ ...context, args }, async (inside) => {
      const { storage } = inside
      const { values, meta } = await valuesFor(inside)
      const saved = await beforeChange(inside, 'post.saving', { values: { ...values, mimeType }, meta, terms: [] })
      const [id = 0] = await storage.posts.insert([saved.values])
      await storage.meta.write('post', [
        { id, key: attachedFileKey, value: path },
        { id, key: attachmentMetadataKey, value: { file: path, ...details, ...more } as unknown as Json },
        ...metaEntries(id, args, saved.meta),
      ])
      if (!(await forgetPaths(storage, paths))) {
        throw tooSlow()
      }
      inside.emit('media.created', { id })
      return { ...saved.values, id, version: 1 }
    })
  } catch (error) {
    await discardPending(context, paths, error)
    throw error
  }
  return found(context.storage, post)
}

async function found(storage: Storage, post: Post): Promise<FoundMedium> {
  const [medium] = await withPosts(storage, [post])
  return medium as FoundMedium
}

export async function updateMedium(context: WriteContext & { readonly resource: FoundMedium }): Promise<FoundMedium> {
  const { above: _above, ...before } = context.resource
  const given = await valuesFor(context)
  const change = { values: { ...given.values, mimeType: before.mimeType }, meta: given.meta, terms: [], before }
  const { values, meta } = await beforeChange(context, 'post.saving', change)
  await context.storage.posts.update([{ id: before.id, changes: values }])
  await context.storage.meta.write('post', metaEntries(before.id, context.args, meta))
  context.emit('media.updated', { id: before.id })
  return found(context.storage, { ...values, id: before.id, version: before.version + 1 })
}

/** Writes new details of the file of a medium, whose new files are pending. When that fails, the files go again. */
export async function writeDetails(
  context: HookContext,
  medium: FoundMedium,
  details: FileDetails,
  paths: readonly string[],
): Promise<void> {
  try {
    await inOwnTransaction(context, async ({ storage, emit }) => {
      // Another request may have removed it meanwhile.
      await findMedium({ args: { id: medium.id }, storage })
      // The row too: its version is that of all that belongs to it.
      await storage.posts.update([{ id: medium.id, changes: {} }])
      await storage.meta.write('post', [
        { id: medium.id, key: attachmentMetadataKey, value: details as unknown as Json },
      ])
      if (!(await forgetPaths(storage, paths))) throw tooSlow()
      emit('media.updated', { id: medium.id })
    })
  } catch (error) {
    await discardPending(context, paths, error)
    throw error
  }
}

/** The files of a record were removed as those of a process that has ended. */
const tooSlow = () => new ApiError('rest_upload_too_slow', 'Storing the file took longer than an hour.', 503)

/** Removes the record and its files; posts lose it as their featured picture. */
export async function removeMedium(context: HookContext, medium: Post): Promise<void> {
  await inOwnTransaction(context, async (inside) => {
    const { storage } = inside
    await beforeChange(inside, 'post.removing', { post: medium })
    const files = pathsOf((await readFileMeta(storage, [medium.id]))(medium.id))
    await clearFeatured(inside, medium.id)
    await storage.posts.remove([medium.id])
    inside.emit('media.removed', { id: medium.id }, { afterCommit: await noteRemoval(inside, files) })
  })
}

const windowSize = 500

async function clearFeatured({ storage, app }: Pick<Context, 'storage' | 'app'>, medium: number): Promise<void> {
  const order = { by: 'id', descending: false } as const
  const types = publicTypesOf(app).map(({ name }) => name)
  for (;;) {
    const { idsPage } = await storage.posts.query({
      ...{ types, featuredMedia: [medium], order, offset: 0, limit: windowSize },
    })
    if (idsPage.length === 0) return
    await storage.posts.update(idsPage.map(({ id }) => ({ id, changes: { featuredMedia: 0 } })))
  }
}
