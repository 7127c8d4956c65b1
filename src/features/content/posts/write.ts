/** Permissions and writes of posts: create, update, trash and delete. The rules about values are in prepare-post.ts. */

import type { Post, PostValues } from '../../../contract/storage.ts'
import type { HookContext } from '../../../core/declare/context.ts'
import { ApiError } from '../../../core/declare/errors.ts'
import type { Hook } from '../../../core/declare/events.ts'
import { forbidden, permission } from '../../../core/declare/permissions.ts'
import { beforeChange, beforeStoredChange } from '../../../core/pipeline/hooks.ts'
import { toObject } from '../../../core/request/coercion.ts'
import { elementsKey } from '../../../render/builder/records/keys.ts'
import { desiredSlugKey, trashStatusKey } from '../../../site/post-keys.ts'
import { trashedSlug } from '../../../site/slug.ts'
import { uniqueSlugs } from '../../../site/unique-slugs.ts'
import { builderFields, type MetaValues } from '../../shared/post-meta.ts'
import { isBuilt, warnOfUndrawn, writeSearchText } from '../../shared/rendered-documents.ts'
import { capabilitiesOf } from '../content-types/model.ts'
import { type RevisionCounts, removeRevisions, saveRevision } from '../revisions/model.ts'
import { type FoundPost, mayEditPost, type RecordType } from './model.ts'
import { autosavedArgs } from './plain-fields.ts'
import {
  inputTexts,
  isFloatingStatus,
  newState,
  type PreparedPost,
  preparePost,
  slugScope,
  stateOf,
  termsFor,
  type WriteArgs,
  type WriteContext,
} from './prepare-post.ts'
import { type RelatedRows, readRelatedRows, readRelatedRowsToChange } from './related-rows.ts'

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
  readonly related: RelatedRows
}

// ---------------------------------------------------------------- permissions

/**
 * Interface: another author and a change of `sticky` are refused with their own errors, also to users who may not
 * write at all.
 */
function forbiddenValue(type: RecordType, { args, user, resource }: WriteContext): ApiError | undefined {
  const { author, sticky } = args
  const mayEditOthers = () => type.actor(user).can('edit_others_posts')
  if (author && author !== user.id && !mayEditOthers()) {
    return forbidden(user, 'rest_cannot_edit_others', 'You may not write in the name of another user.')
  }
  if (sticky !== undefined && sticky !== (resource?.sticky ?? false) && !mayEditOthers()) {
    return forbidden(user, 'rest_cannot_assign_sticky', 'You may not change whether a post is sticky.')
  }
  return undefined
}

export const mayCreate = (type: RecordType) => {
  const { create_posts: capability } = capabilitiesOf(type)
  return permission<WriteArgs, FoundPost | undefined>(capability, (context) => {
    const error = forbiddenValue(type, context)
    if (error) return error
    return context.user.can(capability)
      ? undefined
      : forbidden(context.user, 'rest_cannot_create', 'You may not create posts.')
  })
}

export const mayUpdate = (type: RecordType) =>
  permission<WriteArgs, FoundPost | undefined>('editors of the post', (context) => {
    const { user, resource } = context
    if (resource && !mayEditPost(type.actor(user), resource)) {
      return forbidden(user, 'rest_cannot_edit', 'You may not edit this post.')
    }
    return forbiddenValue(type, context)
  })

// ---------------------------------------------------------------- create and update

const noRelatedRows: RelatedRows = { terms: [], meta: {}, revisions: { count: 0, latest: 0 } }

export async function createPost(type: RecordType, context: WriteContext): Promise<WrittenPost> {
  const stored = newState(type, context)
  const prepared = await preparePost(type, context, stored)
  const change = await beforeChange(context, 'post.saving', prepared)
  const post = await insertWithSlug(type, context, change.values)
  return writeRelated(type, context, post, change)
}

/** A title that gives no slug is replaced by the id, which is known only after the insert. */
async function insertWithSlug(
  type: RecordType,
  { storage, settings }: WriteContext,
  values: PostValues,
): Promise<FoundPost> {
  const [id = 0] = await storage.posts.insert([values])
  if (values.slug !== '' || isFloatingStatus(values.status)) return { ...values, id, version: 1 }
  const slugRequest = { type: type.name, base: String(id), ...slugScope(type, values.parent) }
  const [slug = ''] = await uniqueSlugs(storage, settings, [slugRequest])
  await storage.posts.update([{ id, changes: { slug } }])
  return { ...values, id, version: 2, slug }
}

async function writeRelated(
  type: RecordType,
  context: WriteContext,
  post: FoundPost,
  { meta, terms }: PreparedPost,
): Promise<WrittenPost> {
  await Promise.all([assignTerms(type, context, post.id, terms, []), writeMeta(context, post.id, meta)])
  const stored = mergedMeta({}, meta)
  const saved = isSearchTextDue(context, stored, meta) ? await writeSearchText(context, post, stored) : post
  context.emit('post.created', { post: saved })
  if (saved.status === 'publish') context.emit('post.published', { post: saved })
  return { post: saved, related: { terms, meta: stored, revisions: noRelatedRows.revisions } }
}

/** Returns whether a write stores the search text of a document as the content of its post: the request contains no content. */
const isSearchTextDue = (context: WriteContext, meta: MetaValues, changes: MetaValues): boolean =>
  Object.hasOwn(changes, elementsKey) && isBuilt(meta) && !inputTexts(context).content

export async function updatePost(type: RecordType, context: WriteContext): Promise<WrittenPost> {
  const before = context.resource as FoundPost
  const related = await readRelatedRowsToChange(type, context.storage, before)
  const desiredSlug = await takeSlugFromTrash(context, before)
  const prepared = await preparePost(type, context, stateOf(before, related.terms, desiredSlug))
  return writeWithRevision(type, context, before, related, prepared)
}

/**
 * Interface: an autosave of one's own draft changes the post's columns, without terms, and has no revision. Of the meta it writes the
 * document of the page builder, which would be lost otherwise.
 */
export async function autosaveInPlace(type: RecordType, context: WriteContext): Promise<WrittenPost> {
  const before = context.resource as FoundPost
  const { title, content, excerpt, status, date, date_gmt, slug, author, password } = context.args
  const texts = { title, content, excerpt, password }
  const columns = { ...texts, status, date, date_gmt, slug, author, ...autosavedArgs(context.args) }
  const narrowed = { ...context, args: { ...columns, meta: metaOfAutosave(type, context), id: before.id } }
  const [related = noRelatedRows] = await readRelatedRows(type, context.storage, [before])
  const given = await preparePost(type, narrowed, stateOf(before, related.terms))
  const prepared = await beforeChange(narrowed, 'post.saving', { ...given, before })
  const written = await writePost(type, narrowed, before, related, prepared)
  emitUpdate(context, written.post, before, Object.keys(prepared.meta))
  return written
}

/** The fields of the page builder; undeclared ones are kept for the warning that names them. */
const metaOfAutosave = ({ meta }: RecordType, { args }: WriteContext) =>
  Object.fromEntries(
    Object.entries(toObject(args.meta) ?? {}).filter(
      ([key]) => Object.hasOwn(builderFields, key) || !meta.keys.includes(key),
    ),
  )

/** The slug from before the trash, when this write takes the post out of it. Removes what the trash has stored. */
async function takeSlugFromTrash({ args, storage }: WriteContext, before: FoundPost): Promise<string | undefined> {
  if (before.status !== 'trash' || args.status === undefined) return undefined
  const [entry] = await storage.meta.read('post', [before.id], [desiredSlugKey])
  const removals = [desiredSlugKey, trashStatusKey].map((key) => ({ id: before.id, key, value: null }))
  await storage.meta.write('post', removals)
  return entry ? String(entry.value) : undefined
}

async function writeWithRevision(
  type: RecordType,
  context: WriteContext,
  before: FoundPost,
  related: RelatedRows,
  given: PreparedPost,
): Promise<WrittenPost> {
  const change = { ...given, before }
  // Without transactions a refusal must come before the write, which nothing takes back.
  const exceptStored = context.storage.atomic !== undefined
  const prepared = await beforeChange(context, 'post.saving', change, { exceptStored })
  const counts = await keepWrittenContent(type, context, before, related, prepared.meta)
  const written = await writePost(type, context, before, related, prepared)
  const { post } = written
  // Beside the read of the last revision: on a storage that is asked over a network, both are one round trip.
  const asked = exceptStored ? beforeStoredChange(context, 'post.saving', change) : undefined
  if (!type.supports('revisions')) {
    await asked
    emitUpdate(context, post, before, Object.keys(prepared.meta))
    return written
  }
  const { meta, terms } = written.related
  const saved = saveRevision(context, post, revisionedMeta(type, meta), versionOf(type, counts))
  const [revision] = await Promise.all([saved, asked])
  emitUpdate(context, post, before, Object.keys(prepared.meta))
  if (revision.id === undefined) return written
  context.emit('revision.created', { id: revision.id, post: post.id })
  return { post, related: { terms, meta, revisions: revision.counts } }
}

const revisionedMeta = (type: RecordType, meta: MetaValues): MetaValues =>
  Object.fromEntries(type.meta.revisionedKeys.map((key) => [key, meta[key] ?? '']))

const versionOf = ({ meta: { versionedKeys } }: RecordType, known: RevisionCounts) => ({ versionedKeys, known })

/** A post that the page builder takes over keeps what was written in it as a revision. Returns the revisions that there are then. */
async function keepWrittenContent(
  type: RecordType,
  context: WriteContext,
  before: FoundPost,
  { meta, revisions }: RelatedRows,
  changes: MetaValues,
): Promise<RevisionCounts> {
  const isTakenOver =
    !isBuilt(meta) && before.content !== '' && isSearchTextDue(context, mergedMeta(meta, changes), changes)
  if (!isTakenOver || !type.supports('revisions')) return revisions
  return (await saveRevision(context, before, revisionedMeta(type, meta), versionOf(type, revisions))).counts
}

async function writePost(
  type: RecordType,
  context: WriteContext,
  before: FoundPost,
  related: RelatedRows,
  { values, meta, terms }: PreparedPost,
): Promise<WrittenPost> {
  const post: FoundPost = {
    ...values,
    id: before.id,
    version: before.version + 1,
    ...(values.status === 'trash' && { trashedFrom: before.trashedFrom }),
  }
  await Promise.all([
    context.storage.posts.update([{ id: before.id, changes: changedOf(before, values) }]),
    assignTerms(type, context, before.id, terms, related.terms),
    writeMeta(context, before.id, meta, related.meta),
  ])
  const stored = mergedMeta(related.meta, meta)
  const saved = isSearchTextDue(context, stored, meta) ? await writeSearchText(context, post, stored) : post
  return { post: saved, related: { terms, meta: stored, revisions: related.revisions } }
}

/** The columns that keep their values are not written: the storage then need not look after their indexes. */
const changedOf = (before: PostValues, values: PostValues): Partial<PostValues> =>
  Object.fromEntries(Object.entries(values).filter(([name, value]) => value !== before[name as keyof PostValues]))

function emitUpdate(context: WriteContext, post: FoundPost, before: FoundPost, changedMeta: readonly string[]): void {
  context.emit('post.updated', { post, before, changedMeta })
  if (post.status === 'publish' && before.status !== 'publish') context.emit('post.published', { post })
}

/** Writes only the taxonomies whose terms have changed. */
async function assignTerms(
  type: RecordType,
  { storage }: WriteContext,
  post: number,
  terms: RelatedRows['terms'],
  before: RelatedRows['terms'],
): Promise<void> {
  const changed = type.published.taxonomies.flatMap(({ name: taxonomy }) => {
    const ids = (list: RelatedRows['terms']) => list.filter((term) => term.taxonomy === taxonomy).map(({ id }) => id)
    const [next, last] = [ids(terms), ids(before)]
    return next.join() === last.join() ? [] : [{ post, taxonomy, terms: next }]
  })
  if (changed.length > 0) await storage.terms.assign(changed)
}

async function writeMeta(context: WriteContext, id: number, meta: MetaValues, before?: MetaValues): Promise<void> {
  const entries = Object.entries(meta).map(([key, value]) => ({ id, key, value }))
  if (entries.length === 0) return
  const written = context.storage.meta.write('post', entries)
  await Promise.all([written, warnOfUndrawn(context, meta, before)])
}

const mergedMeta = (before: MetaValues, changes: MetaValues): MetaValues =>
  Object.fromEntries(Object.entries({ ...before, ...changes }).filter(([, value]) => value !== null))

// ---------------------------------------------------------------- trash and delete

export async function trashPost(type: RecordType, context: WriteContext): Promise<WrittenPost> {
  const before = context.resource as FoundPost
  const { storage, settings } = context
  if (before.status === 'trash') throw new ApiError('rest_already_trashed', 'The post is in the trash already.', 410)
  const scope = slugScope(type, before.parent)
  const slugRequest = { type: type.name, base: trashedSlug(before.slug), own: before.slug, ...scope }
  const [[related = noRelatedRows], [slug = '']] = await Promise.all([
    readRelatedRows(type, storage, [before]),
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
  const terms = await termsFor(type, { ...context, args: {} }, related.terms)
  const trashed = { ...before, trashedFrom: before.status }
  const written = await writeWithRevision(type, context, trashed, related, { values, meta: {}, terms })
  context.emit('post.trashed', { post: written.post })
  return written
}

/** Deletes the post and its revisions for good. */
export async function removePost(type: RecordType, context: WriteContext): Promise<void> {
  const post = context.resource as FoundPost
  await beforeChange(context, 'post.removing', { post })
  await removeRevisions(context.storage, [post.id])
  await context.storage.posts.remove([post.id])
  await moveChildrenUp(type, context, post)
  context.emit('post.deleted', { post })
}

/** After the removal of a record: its children move to its own parent, with slugs that are free there. */
async function moveChildrenUp(
  type: RecordType,
  { storage, settings }: Pick<HookContext, 'storage' | 'settings'>,
  removed: FoundPost,
): Promise<void> {
  if (!type.published.isHierarchical) return
  const order = { by: 'id', descending: false } as const
  const below = { types: [type.name], parents: [removed.id], order, offset: 0, limit: Number.MAX_SAFE_INTEGER }
  const { idsPage } = await storage.posts.query(below)
  if (idsPage.length === 0) return
  const children = await storage.posts.read(idsPage.map(({ id }) => id))
  const { parent } = removed
  const slugs = children.map(({ slug }) => slug).filter((slug) => slug !== '')
  const taken = new Set(await storage.posts.takenSlugs(type.name, slugs, parent))
  const isFree = ({ slug }: Post) => slug === '' || !taken.has(slug)
  await storage.posts.update(children.filter(isFree).map(({ id }) => ({ id, changes: { parent } })))
  // One after the other: each takes a slug that the next one may have wanted.
  for (const { id, slug: base } of children.filter((child) => !isFree(child))) {
    const [slug = ''] = await uniqueSlugs(storage, settings, [{ type: type.name, base, parent }])
    await storage.posts.update([{ id, changes: { parent, slug } }])
  }
}

// ---------------------------------------------------------------- removed users

/** Rows per read. */
const windowSize = 100

/** The posts of a removed user go to the trash, unless another user gets them. */
export const trashWithUser = (type: RecordType): Hook<HookContext> => ({
  'user.removed': async ({ id, reassign }, context) => {
    if (reassign !== null || !type.supports('author')) return
    for (;;) {
      const posts = await untrashedPosts(type, context, id)
      if (posts.length === 0) return
      // The cast: what moving to the trash reads of a request is in the context of a hook.
      for (const resource of posts) await trashPost(type, { ...context, args: {}, resource } as unknown as WriteContext)
    }
  },
})

/** The first of them: those in the trash are not found again. */
async function untrashedPosts(type: RecordType, { storage }: HookContext, author: number): Promise<FoundPost[]> {
  const statuses = ['publish', 'future', 'draft', 'pending', 'private', 'auto-draft'].map((status) => ({ status }))
  const order = { by: 'id', descending: false } as const
  const query = { types: [type.name], authors: [author], statuses, order, offset: 0, limit: windowSize }
  const { idsPage } = await storage.posts.query(query)
  return storage.posts.read(idsPage.map(({ id }) => id))
}
