/**
 * Writes documents by the rules of posts: revisions, hooks, events and the rights of the caller are theirs. Drafts of components
 * are those that publishing a component merges.
 */

import type { Post } from '../../../contract/storage.ts'
import type { Context } from '../../../core/declare/context.ts'
import { ApiError } from '../../../core/declare/errors.ts'
import { lastEditorKey } from '../../../render/builder/records/keys.ts'
import { autosaveSlug, revisionSlug } from '../../../site/post-keys.ts'
import {
  readAutosaves,
  removePost,
  saveAutosave,
  trashPost,
  updatePost,
  type WriteContext,
} from '../../content/posts/content-type.ts'
import { revisionType } from '../../content/revisions/model.ts'
import {
  editModeKey,
  elementsKey,
  incomingElements,
  isObject,
  pageSettingsKey,
  withoutScripts,
} from '../../shared/elements.ts'
import { warnOfUnknownTypes } from '../../shared/rendered-documents.ts'
import {
  findComponents,
  modifiedNow,
  openDrafts,
  publishComponents,
  validateElements,
  validateTitle,
} from '../components/model.ts'
import { checkWrite, kindOf, typeOf } from './kinds.ts'
import {
  type DocumentChanges,
  type DocumentContext,
  type FullDocument,
  pendingDrafts,
  readDocument,
  readStored,
} from './model.ts'

/** Texts of users without unfiltered HTML are filtered by the rules of posts; so are the settings here. */
export function metaOf(
  { user }: Pick<Context, 'user'>,
  { elements, settings }: DocumentChanges,
): { [key: string]: unknown } {
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

/** Throws where this caller may not write these values, or the kind of document does not take them. */
async function permitted(context: DocumentContext, changes: DocumentChanges): Promise<WriteContext> {
  const write = writeContext(context, changes)
  const error = await checkWrite(write)
  if (error) throw error
  if (kindOf(context.resource) === 'component') await checkComponent(context, changes)
  return write
}

async function checkComponent({ storage, resource }: DocumentContext, { title, elements }: DocumentChanges) {
  if (title !== undefined) await validateTitle(storage, resource.id, title)
  if (elements !== undefined) await validateElements(storage, resource, elements.filter(isObject))
}

/** Writes the document and makes a revision. A saved component shows in all documents that use it. */
export async function saveDocument(context: DocumentContext, changes: DocumentChanges): Promise<FullDocument> {
  const { resource } = context
  const { post } = await updatePost(typeOf(resource), await permitted(context, changes))
  if (kindOf(post) === 'component' && post.status === 'publish') context.emit('component.published', { id: post.id })
  // The draft has other elements than those that the caller has just saved.
  if (changes.elements !== undefined) await removeDrafts(context)
  return readDocument({ ...context, resource: post })
}

/** Keeps the changes for their author, beside the document. Of one's own draft the document itself is written, as in posts. */
export async function autosaveDocument(context: DocumentContext, changes: DocumentChanges): Promise<FullDocument> {
  const { resource } = context
  const { status: _status, ...kept } = changes
  const write = await permitted(context, kept)
  if (kindOf(resource) === 'component') await draftComponent(context, kept)
  else await saveAutosave(typeOf(resource), write)
  return readAgain(context)
}

async function readAgain(context: DocumentContext): Promise<FullDocument> {
  const { storage, resource } = context
  const [post] = await storage.posts.read([resource.id])
  return readDocument({ ...context, resource: post ? { ...resource, ...post } : resource })
}

/** The draft begins as a copy of the component, so that publishing it loses nothing. */
async function draftComponent(context: DocumentContext, { title, elements }: DocumentChanges): Promise<void> {
  const { storage, user, resource } = context
  const components = await findComponents(storage, [resource.id])
  const draft = (await openDrafts(context, components)).get(resource.id)
  if (!draft) throw new ApiError('document_not_found', 'The component is in the trash.', 404)
  if (elements !== undefined) {
    const text = incomingElements(JSON.stringify(elements), user, 'elements')
    await warnOfUnknownTypes(context, elements, 'elements')
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
  const { resource } = context
  if (kindOf(resource) === 'component') {
    await permitted(context, {})
    await publishComponents(context, [resource.id])
    return readAgain(context)
  }
  const [draft] = await pendingDrafts(context)
  const changes = draft ? await changesOf(context, draft) : {}
  await saveDocument(context, { ...changes, status: 'publish' })
  await removeDrafts(context)
  return readAgain(context)
}

/** The changes of an autosave or a revision. Interface: an empty title of an autosave was not edited. */
async function changesOf({ storage }: DocumentContext, stored: Post): Promise<DocumentChanges> {
  return { ...(stored.title === '' ? {} : { title: stored.title }), ...(await readStored(storage, stored.id)) }
}

async function removeDrafts({ storage, user, resource }: DocumentContext): Promise<void> {
  const drafts = user.id === 0 ? [] : await readAutosaves(storage, resource, user.id)
  await storage.posts.remove(drafts.map(({ id }) => id))
}

/** Removes what the caller has not saved; the document stays. */
export async function discardDraft(context: DocumentContext): Promise<FullDocument> {
  await permitted(context, {})
  await removeDrafts(context)
  return readDocument(context)
}

/** The title, elements and settings of a revision. */
export async function revisionValues(context: DocumentContext, revision: number): Promise<DocumentChanges | undefined> {
  const stored = await findRevision(context, revision)
  return stored && changesOf(context, stored)
}

async function findRevision({ storage, resource }: DocumentContext, revision: number): Promise<Post | undefined> {
  const [stored] = await storage.posts.read([revision])
  const slugs = [revisionSlug(resource.id), autosaveSlug(resource.id)]
  const isOne = stored?.type === revisionType && stored.parent === resource.id && slugs.includes(stored.slug)
  return isOne ? stored : undefined
}

/** Writes the elements, settings and title of a revision again, as a save of the caller. */
export async function restoreRevision(context: DocumentContext, revision: number): Promise<FullDocument> {
  const stored = await findRevision(context, revision)
  if (!stored) throw new ApiError('revision_not_found', 'The document has no such revision.', 404)
  const changes = await changesOf(context, stored)
  if (changes.elements === undefined) {
    throw new ApiError('revision_not_built', 'The revision is from before the page builder, and has no elements.', 422)
  }
  return saveDocument(context, changes)
}

export async function deleteDocument(
  context: DocumentContext,
  { isForced }: { readonly isForced: boolean },
): Promise<void> {
  const type = typeOf(context.resource)
  const write = writeContext(context, {})
  if (isForced) await removePost(type, write)
  else await trashPost(type, write)
}
