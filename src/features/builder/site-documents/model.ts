/**
 * Documents of every kind, written by the rules of posts: revisions, hooks, events and the rights of the caller are theirs.
 * Drafts of components are those that publishing a component merges.
 */
import type { Context } from '../../../core/declare/context.ts'
import { ApiError } from '../../../core/declare/errors.ts'
import { tagText } from '../../../core/pipeline/etag.ts'
import { lastEditorKey } from '../../../render/builder/records/keys.ts'
import { autosaveSlug, revisionSlug } from '../../../site/post-keys.ts'
import type { Json, Post } from '../../../storage/contract.ts'
import {
  createPost,
  readAutosaves,
  removePost,
  saveAutosave,
  trashPost,
  updatePost,
  type WriteContext,
  writeTag,
} from '../../content/posts/content-type.ts'
import { type FoundPost, trashStatuses } from '../../content/posts/model.ts'
import { revisionType } from '../../content/revisions/model.ts'
import {
  type BuilderElement,
  editModeKey,
  elementsKey,
  incomingElements,
  pageSettingsKey,
  parseElements,
  templateTypeKey,
  withoutScripts,
} from '../../shared/elements/model.ts'
import { findComponents, modifiedNow, openDrafts, propsKey, publishComponents, uidKey } from '../components/model.ts'
import { checkWrite, type DocumentKind, kindOf, listedStatuses, requireCreator, typeOf, typeOfKind } from './kinds.ts'

/** What a save changes; absent members stay. */
export interface DocumentChanges {
  readonly title?: string
  readonly status?: string
  readonly elements?: readonly unknown[]
  readonly settings?: { readonly [name: string]: unknown }
}

/** A document without its elements. */
export interface DocumentEntry {
  readonly post: FoundPost
  readonly kind: DocumentKind
  /** `wp-page`, `header`, …; empty when none is stored. */
  readonly type: string
  /** False: it is edited elsewhere. */
  readonly isBuilt: boolean
}

export interface FullDocument extends DocumentEntry {
  readonly elements: readonly BuilderElement[]
  readonly settings: { readonly [name: string]: Json }
  /** The newest draft of the caller that is not saved yet. */
  readonly draft: Post | undefined
  readonly tag: string
}

/** A call about one document. */
export type DocumentContext<A = { readonly [name: string]: unknown }> = Context<A, FoundPost>
type ListContext = Pick<Context, 'storage' | 'user'>

// ---------------------------------------------------------------- reading

const entryKeys = [templateTypeKey, editModeKey]

async function entriesOf(storage: ListContext['storage'], posts: readonly FoundPost[]): Promise<DocumentEntry[]> {
  const ids = posts.map(({ id }) => id)
  const meta = await storage.meta.read('post', ids, entryKeys)
  const values = new Map(meta.map(({ id, key, value }) => [`${id} ${key}`, value]))
  return posts.flatMap((post) => {
    const kind = kindOf(post)
    if (kind === undefined) return []
    const type = String(values.get(`${post.id} ${templateTypeKey}`) ?? '')
    return [{ post, kind, type, isBuilt: values.get(`${post.id} ${editModeKey}`) === 'builder' }]
  })
}

/** The last change first. */
export async function listDocuments(
  { storage, user }: ListContext,
  { kind, page, perPage }: { readonly kind: DocumentKind; readonly page: number; readonly perPage: number },
): Promise<{ readonly entries: readonly DocumentEntry[]; readonly total: number }> {
  const { heads, total } = await storage.posts.query({
    types: [typeOfKind(kind).name],
    statuses: listedStatuses(user, kind),
    order: { by: 'modified', descending: true },
    offset: (page - 1) * perPage,
    limit: perPage,
    total: true,
  })
  return { entries: await entriesOf(storage, await storage.posts.read(heads.map(({ id }) => id))), total }
}

/** The documents with these ids, without those that are no documents. */
export async function readEntries({ storage }: ListContext, ids: readonly number[]): Promise<DocumentEntry[]> {
  const posts = await storage.posts.read(ids)
  const trashed = await trashStatuses(storage, posts)
  return entriesOf(
    storage,
    posts.map((post) => ({ ...post, ...(trashed.has(post.id) ? { trashedFrom: trashed.get(post.id) ?? '' } : {}) })),
  )
}

export async function readDocument(context: DocumentContext): Promise<FullDocument> {
  const { storage, resource } = context
  const [entries, meta, drafts, tag] = await Promise.all([
    entriesOf(storage, [resource]),
    storage.meta.read('post', [resource.id], [elementsKey, pageSettingsKey]),
    pendingDrafts(context),
    tagOfDocument(context),
  ])
  const [entry] = entries
  const values = new Map(meta.map(({ key, value }) => [key, value]))
  return {
    // The cast: the resource is a document.
    ...(entry as DocumentEntry),
    elements: parseElements(values.get(elementsKey)),
    settings: settingsOf(values.get(pageSettingsKey)),
    draft: drafts[0],
    tag,
  }
}

function settingsOf(stored: Json | undefined): { readonly [name: string]: Json } {
  const isMap = typeof stored === 'object' && stored !== null && !Array.isArray(stored)
  return isMap ? (stored as { readonly [name: string]: Json }) : {}
}

/** The caller's own autosave, where it is newer than the document. */
async function pendingDrafts({ storage, user, resource }: DocumentContext): Promise<Post[]> {
  if (user.id === 0) return []
  const autosaves = await readAutosaves(storage, resource, user.id)
  return autosaves.filter(({ modifiedGmt }) => modifiedGmt >= resource.modifiedGmt)
}

export const entityTag = (context: DocumentContext) => writeTag(typeOf(context.resource), context)

const tagOfDocument = async (context: DocumentContext) => tagText(await entityTag(context))

// ---------------------------------------------------------------- writing

/** Texts of users without unfiltered HTML are filtered by the rules of posts; so are the settings here. */
function metaOf({ user }: Pick<Context, 'user'>, { elements, settings }: DocumentChanges): { [key: string]: unknown } {
  const isTrusted = user.can('unfiltered_html')
  return {
    ...(elements === undefined ? {} : { [elementsKey]: JSON.stringify(elements), [editModeKey]: 'builder' }),
    ...(settings === undefined ? {} : { [pageSettingsKey]: isTrusted ? settings : withoutScripts(settings) }),
  }
}

const writeContext = (context: DocumentContext, changes: DocumentChanges): WriteContext => {
  const { title, status } = changes
  const args = {
    id: context.resource.id,
    ...(title === undefined ? {} : { title }),
    ...(status === undefined ? {} : { status }),
    meta: metaOf(context, changes),
  }
  // The cast: a status is one of those of posts, which the argument has checked.
  return { ...context, args: args as WriteContext['args'] }
}

async function permitted(context: WriteContext): Promise<WriteContext> {
  const error = await checkWrite(context)
  if (error) throw error
  return context
}

/** Writes the document and makes a revision. A saved component shows in all documents that use it. */
export async function saveDocument(context: DocumentContext, changes: DocumentChanges): Promise<FullDocument> {
  const { resource } = context
  const { post } = await updatePost(typeOf(resource), await permitted(writeContext(context, changes)))
  if (kindOf(post) === 'component') context.emit('component.published', { id: post.id })
  return readDocument({ ...context, resource: post })
}

/** Keeps the changes for their author, beside the document. Of one's own draft the document itself is written, as in posts. */
export async function autosaveDocument(context: DocumentContext, changes: DocumentChanges): Promise<FullDocument> {
  const { resource } = context
  const { status: _status, ...kept } = changes
  const write = await permitted(writeContext(context, kept))
  if (kindOf(resource) === 'component') {
    await draftComponent(context, kept)
    return readDocument(context)
  }
  await saveAutosave(typeOf(resource), write)
  const [post] = await context.storage.posts.read([resource.id])
  return readDocument({ ...context, resource: post ?? resource })
}

/** The draft begins as a copy of the component, so that publishing it loses nothing. */
async function draftComponent(context: DocumentContext, { title, elements }: DocumentChanges): Promise<void> {
  const { storage, user, resource } = context
  const components = await findComponents(storage, [resource.id])
  const draft = (await openDrafts(context, components)).get(resource.id)
  if (!draft) throw new ApiError('document_not_found', 'There is no such document.', 404)
  if (elements !== undefined) {
    const text = incomingElements(JSON.stringify(elements), user, 'elements')
    await storage.meta.write('post', [
      { id: draft.id, key: elementsKey, value: text },
      { id: draft.id, key: lastEditorKey, value: user.id > 0 ? user.id : null },
    ])
  }
  const changes = { ...modifiedNow(context), ...(title === undefined ? {} : { title }) }
  await storage.posts.update([{ id: draft.id, changes }])
  context.emit('component.drafted', { id: resource.id })
}

/** The caller's draft becomes the document, which is published. Of a component, the newest draft of all users. */
export async function publishDocument(context: DocumentContext): Promise<FullDocument> {
  const { storage, resource } = context
  if (kindOf(resource) === 'component') {
    await permitted(writeContext(context, {}))
    await publishComponents(context, [resource.id])
    const [post] = await storage.posts.read([resource.id])
    return readDocument({ ...context, resource: post ?? resource })
  }
  const [draft] = await pendingDrafts(context)
  const changes = draft ? await changesOf(context, draft) : {}
  const saved = await saveDocument(context, { ...changes, status: 'publish' })
  await removeDrafts(context)
  return { ...saved, draft: undefined }
}

/** What an autosave or a revision has. Interface: an empty title of an autosave was not edited. */
async function changesOf({ storage }: DocumentContext, stored: Post): Promise<DocumentChanges> {
  const meta = await storage.meta.read('post', [stored.id], [elementsKey, pageSettingsKey])
  const values = new Map(meta.map(({ key, value }) => [key, value]))
  return {
    ...(stored.title === '' ? {} : { title: stored.title }),
    ...(values.has(elementsKey) ? { elements: parseElements(values.get(elementsKey)) } : {}),
    ...(values.has(pageSettingsKey) ? { settings: settingsOf(values.get(pageSettingsKey)) } : {}),
  }
}

async function removeDrafts({ storage, user, resource }: DocumentContext): Promise<void> {
  const drafts = user.id === 0 ? [] : await readAutosaves(storage, resource, user.id)
  await storage.posts.remove(drafts.map(({ id }) => id))
}

/** Removes what the caller has not saved; the document stays. */
export async function discardDraft(context: DocumentContext): Promise<FullDocument> {
  await permitted(writeContext(context, {}))
  await removeDrafts(context)
  return readDocument(context)
}

/** Writes the elements, settings and title of a revision again, as a save of the caller. */
export async function restoreRevision(context: DocumentContext, revision: number): Promise<FullDocument> {
  const { storage, resource } = context
  const [stored] = await storage.posts.read([revision])
  const slugs = [revisionSlug(resource.id), autosaveSlug(resource.id)]
  if (stored?.type !== revisionType || stored.parent !== resource.id || !slugs.includes(stored.slug)) {
    throw new ApiError('revision_not_found', 'The document has no such revision.', 404)
  }
  return saveDocument(context, { elements: [], ...(await changesOf(context, stored)) })
}

// ---------------------------------------------------------------- creating and removing

export interface NewDocument extends DocumentChanges {
  readonly kind: DocumentKind
  readonly type?: string
  /** Meta of the kind that is stored as it is. */
  readonly meta?: { readonly [key: string]: Json }
}

/** A draft, unless the changes say otherwise. */
export async function createDocument(context: Context, input: NewDocument): Promise<FullDocument> {
  const { storage, user } = context
  const { kind, type, meta = {}, ...changes } = input
  requireCreator(user, kind)
  const args = { status: 'draft', title: '', ...changes, meta: metaOf(context, { elements: [], ...changes }) }
  // The cast: as in `writeContext`.
  const write = { ...context, args, resource: undefined } as unknown as WriteContext
  const { post } = await createPost(typeOfKind(kind), write)
  const own = { ...meta, ...(type ? { [templateTypeKey]: type } : {}) }
  await storage.meta.write(
    'post',
    Object.entries(own).map(([key, value]) => ({ id: post.id, key, value })),
  )
  if (kind === 'template') context.emit('template.created', { id: post.id, type: type ?? '' })
  if (kind === 'component') {
    context.emit('component.created', { id: post.id, uid: String(meta[uidKey] ?? ''), status: post.status })
  }
  return readDocument({ ...context, resource: post })
}

/** The copy is a draft of the caller. */
export async function duplicateDocument(context: DocumentContext): Promise<FullDocument> {
  const { kind, type, elements, settings, post } = await readDocument(context)
  return createDocument(context, {
    ...{ kind, type, elements, settings, title: `${post.title} (copy)` },
    meta: kind === 'component' ? await componentMeta(context) : {},
  })
}

/** A component needs a uid of its own. */
async function componentMeta({ storage, resource }: DocumentContext): Promise<{ [key: string]: Json }> {
  const [props] = await storage.meta.read('post', [resource.id], [propsKey])
  return { [uidKey]: crypto.randomUUID(), ...(props ? { [propsKey]: props.value } : {}) }
}

export async function deleteDocument(context: DocumentContext, { isForced }: { readonly isForced: boolean }) {
  const type = typeOf(context.resource)
  const write = writeContext(context, {})
  if (isForced) await removePost(type, write)
  else await trashPost(type, write)
}
