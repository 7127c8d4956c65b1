/** Documents of every kind, as they are stored: posts with elements in their meta, and the drafts beside them. */

import type { Json, Post, Storage } from '../../../contract/storage.ts'
import type { Context } from '../../../core/declare/context.ts'
import type { EntityTag } from '../../../core/declare/endpoint.ts'
import { tagText } from '../../../core/pipeline/etag.ts'
import { readAutosaves, writeTag } from '../../content/posts/content-type.ts'
import { type FoundPost, trashStatuses } from '../../content/posts/model.ts'
import {
  type BuilderElement,
  editModeKey,
  elementsKey,
  pageSettingsKey,
  parseElements,
  templateTypeKey,
} from '../../shared/elements.ts'
import { type DocumentKind, kindOf, listedStatuses, notFound, reads, typeOf, typeOfKind } from './kinds.ts'

/** The changes of a save; absent members stay. */
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

export interface SavedDocument extends DocumentEntry {
  readonly elements: readonly BuilderElement[]
  readonly settings: { readonly [name: string]: Json }
}

export interface FullDocument extends SavedDocument {
  /** The caller's unpublished draft of the document. */
  readonly draft: DocumentDraft | undefined
  /** Computes the entity tag of the document and of the caller's draft. */
  readonly tag: string
}

export interface DocumentDraft {
  readonly id: number
  readonly title: string
  readonly elements: readonly BuilderElement[]
  readonly settings: { readonly [name: string]: Json }
  readonly modifiedGmt: string | null
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
  const { idsPage, total } = await storage.posts.query({
    types: [typeOfKind(kind).name],
    statuses: listedStatuses(user, kind),
    order: { by: 'modified', descending: true },
    offset: (page - 1) * perPage,
    limit: perPage,
    total: true,
  })
  return { entries: await entriesOf(storage, await storage.posts.read(idsPage.map(({ id }) => id))), total }
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
  const [entries, stored, drafts, tag] = await Promise.all([
    entriesOf(storage, [resource]),
    readStored(storage, resource.id),
    pendingDrafts(context),
    entityTag(context),
  ])
  const [entry] = entries
  const [draft] = drafts
  return {
    // The cast: the resource is a document.
    ...(entry as DocumentEntry),
    elements: stored.elements ?? [],
    settings: stored.settings ?? {},
    draft: draft && (await draftOf(context, draft, stored)),
    tag: tagText(tag),
  }
}

/** Documents as they are saved, without drafts: in this order, and read in sets. Throws where one is not there or not for the user. */
export async function readSaved(context: Context, ids: readonly number[]): Promise<SavedDocument[]> {
  const { storage, user } = context
  const [entries, stored] = await Promise.all([readEntries({ storage, user }, ids), readStoredOf(storage, ids)])
  const byId = new Map(entries.map((entry) => [entry.post.id, entry]))
  return Promise.all(
    ids.map(async (id) => {
      const entry = byId.get(id)
      if (!entry || entry.post.status === 'auto-draft') throw notFound()
      const error = await reads.check({ ...context, resource: entry.post } as Context<never, never>)
      if (error) throw error
      const { elements = [], settings = {} } = stored.get(id) ?? {}
      return { ...entry, elements, settings }
    }),
  )
}

/** The members of a document, a revision or an autosave; absent where nothing is stored. */
interface StoredParts {
  readonly elements?: readonly BuilderElement[]
  readonly settings?: { readonly [name: string]: Json }
}

export async function readStored(storage: Storage, id: number): Promise<StoredParts> {
  return (await readStoredOf(storage, [id])).get(id) ?? {}
}

async function readStoredOf(storage: Storage, ids: readonly number[]): Promise<ReadonlyMap<number, StoredParts>> {
  const byPost = Map.groupBy(await storage.meta.read('post', ids, [elementsKey, pageSettingsKey]), ({ id }) => id)
  return new Map([...byPost].map(([id, entries]) => [id, partsIn(entries)]))
}

function partsIn(entries: readonly { readonly key: string; readonly value: Json }[]): StoredParts {
  const values = new Map(entries.map(({ key, value }) => [key, value]))
  return {
    ...(values.has(elementsKey) ? { elements: parseElements(values.get(elementsKey)) } : {}),
    ...(values.has(pageSettingsKey) ? { settings: settingsOf(values.get(pageSettingsKey)) } : {}),
  }
}

/** Interface: an empty title of an autosave was not edited. Drafts of components have no separate settings. */
async function draftOf(
  { storage, resource }: DocumentContext,
  { id, title, modifiedGmt }: Post,
  document: StoredParts,
): Promise<DocumentDraft> {
  const { elements = [], settings = {} } = { ...document, ...(await readStored(storage, id)) }
  return { id, title: title || resource.title, elements, settings, modifiedGmt }
}

function settingsOf(stored: Json | undefined): { readonly [name: string]: Json } {
  const isMap = typeof stored === 'object' && stored !== null && !Array.isArray(stored)
  return isMap ? (stored as { readonly [name: string]: Json }) : {}
}

/** The caller's own autosave, where it is newer than the document; the newest first. */
export async function pendingDrafts({ storage, user, resource }: DocumentContext): Promise<Post[]> {
  if (user.id === 0) return []
  const autosaves = await readAutosaves(storage, resource, user.id)
  return autosaves.filter(({ modifiedGmt }) => (modifiedGmt ?? '') >= (resource.modifiedGmt ?? ''))
}

/** Writes compare the state of the document; a read changes with the draft of the caller, too. */
export async function entityTag(context: DocumentContext): Promise<EntityTag> {
  const [{ state, view }, [draft]] = await Promise.all([
    writeTag(typeOf(context.resource), context),
    pendingDrafts(context),
  ])
  return { state, view: draft ? `${view}d${draft.id}x${draft.version}` : view }
}

/** Copies and previews show the document, and do not change it. */
export const storedDocument = async (context: DocumentContext) => ({
  state: (await entityTag(context)).state,
  exists: true,
})
