/** Permissions and writes of posts: create, update, trash and delete. The rules about values are in prepare-post.ts. */

import { ApiError } from '../../../core/declare/errors.ts'
import { forbidden, permission } from '../../../core/declare/permissions.ts'
import { beforeChange } from '../../../core/pipeline/hooks.ts'
import { all, andThen, type MaybePromise } from '../../../core/runtime/maybe-promise.ts'
import {
  categories as categoryTaxonomy,
  desiredSlugKey,
  tags as tagTaxonomy,
  trashStatusKey,
} from '../../../site/post-keys.ts'
import { trashedSlug } from '../../../site/slug.ts'
import { uniqueSlugs } from '../../../site/unique-slugs.ts'
import type { PostValues } from '../../../storage/contract.ts'
import { type MetaValues, revisionedKeys } from '../../shared/post-meta/model.ts'
import { removeRevisions, revisionType, saveRevision } from '../revisions/model.ts'
import { isFloatingStatus } from './dates.ts'
import { type Extras, readExtras } from './extras.ts'
import { type FoundPost, mayEditPost } from './model.ts'
import { type PreparedPost, preparePost, termsFor, type WriteArgs, type WriteContext } from './prepare-post.ts'
import { updateNextDue } from './schedule.ts'

/** Events for the host's listeners. */
export interface PostsEvents {
  'post.created': { readonly post: FoundPost }
  'post.updated': { readonly post: FoundPost; readonly before: FoundPost; readonly changedMeta: readonly string[] }
  'post.published': { readonly post: FoundPost }
  'post.trashed': { readonly post: FoundPost }
  'post.deleted': { readonly post: FoundPost }
  'revision.created': { readonly id: number; readonly post: number }
}

/** A stored post with all that its view needs. */
export interface WrittenPost {
  readonly post: FoundPost
  readonly extras: Extras
}

// ---------------------------------------------------------------- permissions

/**
 * Interface: another author and a change of `sticky` are refused with their own errors, also to users who may not
 * write at all.
 */
function forbiddenValue({ args, user, resource }: WriteContext): ApiError | undefined {
  const { author, sticky } = args
  if (author && author !== user.id && !user.can('edit_others_posts')) {
    return forbidden(user, 'rest_cannot_edit_others', 'You may not write in the name of another user.')
  }
  if (sticky !== undefined && sticky !== (resource?.sticky ?? false) && !user.can('edit_others_posts')) {
    return forbidden(user, 'rest_cannot_assign_sticky', 'You may not change whether a post is sticky.')
  }
  return undefined
}

export const mayCreate = permission<WriteArgs, FoundPost | undefined>('edit_posts', (context) => {
  const error = forbiddenValue(context)
  if (error) return error
  return context.user.can('edit_posts')
    ? undefined
    : forbidden(context.user, 'rest_cannot_create', 'You may not create posts.')
})

export const mayUpdate = permission<WriteArgs, FoundPost | undefined>('editors of the post', (context) => {
  const { user, resource } = context
  if (resource && !mayEditPost(user, resource)) {
    return forbidden(user, 'rest_cannot_edit', 'You may not edit this post.')
  }
  return forbiddenValue(context)
})

// ---------------------------------------------------------------- create and update

const noExtras: Extras = { terms: [], meta: {}, revisions: { count: 0, latest: 0 } }

/** Without a promise on a synchronous storage, like `preparePost` and for the same reason. */
export function createPost(context: WriteContext): MaybePromise<WrittenPost> {
  return andThen(preparePost(context, noExtras), (prepared) =>
    andThen(beforeChange(context, 'post.saving', prepared), (change) =>
      andThen(insertWithSlug(context, change.values), (post) => writeRelated(context, post, change)),
    ),
  )
}

/** A title that gives no slug is replaced by the id, which is known only after the insert. */
function insertWithSlug(context: WriteContext, values: PostValues): MaybePromise<FoundPost> {
  return andThen(context.storage.posts.insert([values]), ([id = 0]) =>
    values.slug !== '' || isFloatingStatus(values.status)
      ? { ...values, id, version: 1 }
      : writeIdAsSlug(context, values, id),
  )
}

async function writeIdAsSlug({ storage, settings }: WriteContext, values: PostValues, id: number): Promise<FoundPost> {
  const [slug = ''] = await uniqueSlugs(storage, settings, [{ type: values.type, base: String(id) }])
  await storage.posts.update([{ id, changes: { slug } }])
  return { ...values, id, version: 2, slug }
}

function writeRelated(
  context: WriteContext,
  post: FoundPost,
  { meta, terms }: PreparedPost,
): MaybePromise<WrittenPost> {
  const written = all([
    assignTerms(context, post.id, terms, []),
    writeMeta(context, post.id, meta),
    updateNextDue(context, post),
  ])
  return andThen(written, () => {
    context.emit('post.created', { post })
    if (post.status === 'publish') context.emit('post.published', { post })
    return { post, extras: { terms, meta: mergedMeta({}, meta), revisions: noExtras.revisions } }
  })
}

export async function updatePost(context: WriteContext): Promise<WrittenPost> {
  const before = context.resource as FoundPost
  const [extras = noExtras] = await readExtras(context.storage, [before])
  const desiredSlug = await takeSlugFromTrash(context, before)
  const prepared = await preparePost(context, extras, desiredSlug)
  return writeWithRevision(context, before, extras, prepared)
}

/** Interface: an autosave of one's own draft changes the post's columns, without terms and meta, and has no revision. */
export async function autosaveInPlace(context: WriteContext): Promise<FoundPost> {
  const before = context.resource as FoundPost
  const { title, content, excerpt, status, date, date_gmt, slug, author, password } = context.args
  const { comment_status, ping_status } = context.args
  const texts = { title, content, excerpt, password }
  const columns = { ...texts, status, date, date_gmt, slug, author, comment_status, ping_status }
  const narrowed = { ...context, args: { ...columns, id: before.id } }
  const [extras = noExtras] = await readExtras(context.storage, [before])
  const given = await preparePost(narrowed, extras)
  const prepared = await beforeChange(narrowed, 'post.saving', { ...given, before })
  const { post } = await writePost(narrowed, before, extras, prepared)
  emitUpdate(context, post, before, Object.keys(prepared.meta))
  return post
}

/** The slug from before the trash, when this write takes the post out of it. Removes what the trash has stored. */
async function takeSlugFromTrash({ args, storage }: WriteContext, before: FoundPost): Promise<string | undefined> {
  if (before.status !== 'trash' || args.status === undefined) return undefined
  const [entry] = await storage.meta.read('post', [before.id], [desiredSlugKey])
  const removals = [desiredSlugKey, trashStatusKey].map((key) => ({ id: before.id, key, value: null }))
  await storage.meta.write('post', removals)
  return entry ? String(entry.value) : undefined
}

async function writeWithRevision(
  context: WriteContext,
  before: FoundPost,
  extras: Extras,
  given: PreparedPost,
): Promise<WrittenPost> {
  const prepared = await beforeChange(context, 'post.saving', { ...given, before })
  const written = await writePost(context, before, extras, prepared)
  const { post } = written
  const { meta, terms } = written.extras
  const revisionedMeta = Object.fromEntries(revisionedKeys.map((key) => [key, meta[key] ?? '']))
  const revision = await saveRevision(context, post, revisionedMeta)
  emitUpdate(context, post, before, Object.keys(prepared.meta))
  if (revision === undefined) return written
  context.emit('revision.created', { id: revision, post: post.id })
  const [revisions = noExtras.revisions] = await context.storage.posts.families(revisionType, [post.id])
  return { post, extras: { terms, meta, revisions } }
}

async function writePost(
  context: WriteContext,
  before: FoundPost,
  extras: Extras,
  { values, meta, terms }: PreparedPost,
): Promise<WrittenPost> {
  const post: FoundPost = {
    ...values,
    id: before.id,
    version: before.version + 1,
    ...trashedFrom(before, values.status),
  }
  await Promise.all([
    context.storage.posts.update([{ id: before.id, changes: values }]),
    assignTerms(context, before.id, terms, extras.terms),
    writeMeta(context, before.id, meta),
    updateNextDue(context, post),
  ])
  return { post, extras: { terms, meta: mergedMeta(extras.meta, meta), revisions: extras.revisions } }
}

function emitUpdate(context: WriteContext, post: FoundPost, before: FoundPost, changedMeta: readonly string[]): void {
  context.emit('post.updated', { post, before, changedMeta })
  if (post.status === 'publish' && before.status !== 'publish') context.emit('post.published', { post })
}

const trashedFrom = (before: FoundPost, status: string) =>
  status === 'trash' && before.trashedFrom !== undefined ? { trashedFrom: before.trashedFrom } : {}

/** Writes only the taxonomies whose terms have changed. */
function assignTerms(
  { storage }: WriteContext,
  post: number,
  terms: Extras['terms'],
  before: Extras['terms'],
): MaybePromise<void> {
  const changed = [categoryTaxonomy, tagTaxonomy].flatMap((taxonomy) => {
    const ids = (list: Extras['terms']) => list.filter((term) => term.taxonomy === taxonomy).map(({ id }) => id)
    const [next, last] = [ids(terms), ids(before)]
    return next.join() === last.join() ? [] : [{ post, taxonomy, terms: next }]
  })
  return changed.length > 0 ? storage.terms.assign(changed) : undefined
}

function writeMeta({ storage }: WriteContext, id: number, meta: MetaValues): MaybePromise<void> {
  const entries = Object.entries(meta).map(([key, value]) => ({ id, key, value }))
  return entries.length > 0 ? storage.meta.write('post', entries) : undefined
}

const mergedMeta = (before: MetaValues, changes: MetaValues): MetaValues =>
  Object.fromEntries(Object.entries({ ...before, ...changes }).filter(([, value]) => value !== null))

// ---------------------------------------------------------------- trash and delete

export async function trashPost(context: WriteContext): Promise<WrittenPost> {
  const before = context.resource as FoundPost
  const { storage, settings } = context
  if (before.status === 'trash') throw new ApiError('rest_already_trashed', 'The post is in the trash already.', 410)
  const slugRequest = { type: 'post', base: trashedSlug(before.slug), own: before.slug }
  const [[extras = noExtras], [slug = '']] = await Promise.all([
    readExtras(storage, [before]),
    uniqueSlugs(storage, settings, [slugRequest]),
  ])
  await storage.meta.write('post', [
    { id: before.id, key: trashStatusKey, value: before.status },
    { id: before.id, key: desiredSlugKey, value: before.slug },
  ])
  const now = settings.time.now(context.app.clock)
  const { id: _id, version: _version, trashedFrom: _from, ...rest } = before
  // Interface: a post in the trash is no longer sticky.
  const values = { ...rest, slug, sticky: false, status: 'trash', modified: now.local, modifiedGmt: now.gmt }
  const terms = await termsFor({ ...context, args: {} }, extras.terms)
  const trashed = { ...before, trashedFrom: before.status }
  const written = await writeWithRevision(context, trashed, extras, { values, meta: {}, terms })
  context.emit('post.trashed', { post: written.post })
  return written
}

/** Deletes the post and its revisions for good. */
export async function removePost(context: WriteContext): Promise<void> {
  const post = context.resource as FoundPost
  await beforeChange(context, 'post.removing', { post })
  await removeRevisions(context.storage, [post.id])
  await context.storage.posts.remove([post.id])
  context.emit('post.deleted', { post })
}
