/** Manages the documents of the page builder for the host, by the rules of the routes: `api.site.documents`. */
import { actorOf, system } from '../../../core/declare/actor.ts'
import type { Context, HookContext } from '../../../core/declare/context.ts'
import type { ExtensionOptions } from '../../../core/declare/feature.ts'
import type { Permission } from '../../../core/declare/permissions.ts'
import { findUserById } from '../../../core/pipeline/authentication.ts'
import { checkConditions } from '../../../core/pipeline/etag.ts'
import { writeInside } from '../../../core/pipeline/hooks.ts'
import { inProcessIncoming } from '../../../core/request/incoming.ts'
import type { RoutedEndpoint } from '../../../core/routing/route.ts'
import type { FoundPost } from '../../content/posts/model.ts'
import { createDocument, duplicateDocument, type NewDocument } from './copies.ts'
import { exportDocuments } from './export.ts'
import { type DocumentFile, filesInZip, parseDocumentFile, zipOf } from './file.ts'
import { importDocuments } from './import.ts'
import { type DocumentKind, deletes, edits, findDocument, reads } from './kinds.ts'
import {
  type DocumentChanges,
  type DocumentContext,
  type DocumentDraft,
  type DocumentEntry,
  entityTag,
  type FullDocument,
  listDocuments,
  readDocument,
  readSaved,
} from './model.ts'
import { type DocumentPreview, previewOf } from './preview.ts'
import { documentsUsing } from './references.ts'
import {
  autosaveDocument,
  deleteDocument,
  discardDraft,
  publishDocument,
  restoreRevision,
  saveDocument,
} from './write.ts'

type DocumentPermission = Permission<unknown, FoundPost>

interface ActingOptions {
  /** The id of the user by whose rights the call is judged. Default: 'system', with all capabilities. */
  readonly as?: number | 'system'
}

interface WriteOptions extends ActingOptions {
  /** The `tag` that was read: the write is refused with 412 when the document has changed since. */
  readonly ifMatch?: string
}

/** A document as `api.site.documents` gives it. */
export interface SiteDocumentEntry {
  readonly id: number
  readonly kind: DocumentKind
  /** `wp-page`, `header`, …; empty when none is stored. */
  readonly type: string
  readonly title: string
  readonly slug: string
  readonly status: string
  readonly author: number
  readonly isBuilt: boolean
  /** GMT. */
  readonly modified: string | null
}

/** A document with its elements. */
export interface SiteDocumentContent extends SiteDocumentEntry {
  readonly elements: readonly { readonly [name: string]: unknown }[]
  readonly settings: { readonly [name: string]: unknown }
  /** The user's unpublished draft of the document. */
  readonly draft: DocumentDraft | undefined
  /** For `ifMatch` of the next write. */
  readonly tag: string
}

/** Reads and writes posts, pages, templates and components as documents of the page builder: `api.site.documents`. */
export interface SiteDocuments {
  /** The last change first; 100 at most unless `limit` says otherwise. */
  list(kind: DocumentKind, options?: ActingOptions & { limit?: number; page?: number }): Promise<SiteDocumentEntry[]>
  /** Rejects with the ApiError `document_not_found` for an unknown id. */
  read(id: number, options?: ActingOptions): Promise<SiteDocumentContent>
  /** A draft, unless the input says otherwise. */
  create(input: NewDocument, options?: ActingOptions): Promise<SiteDocumentContent>
  /**
   * Saves with a revision. Elements of a user without unfiltered HTML are cleaned.
   *
   * ```ts
   * const page = await api.site.documents.read(12)
   * await api.site.documents.save(12, { elements: page.elements }, { as: 3, ifMatch: page.tag })
   * ```
   */
  save(id: number, changes: DocumentChanges, options?: WriteOptions): Promise<SiteDocumentContent>
  /** Keeps a draft of the user; the document stays. */
  autosave(
    id: number,
    changes: Omit<DocumentChanges, 'status'>,
    options: WriteOptions & { readonly as: number },
  ): Promise<SiteDocumentContent>
  /** The draft of the user becomes the document. */
  publish(id: number, options?: WriteOptions): Promise<SiteDocumentContent>
  /** Removes the draft of the user. */
  discard(id: number, options: WriteOptions & { readonly as: number }): Promise<SiteDocumentContent>
  restore(id: number, revision: number, options?: WriteOptions): Promise<SiteDocumentContent>
  /** A copy, as a draft. */
  duplicate(id: number, options?: ActingOptions): Promise<SiteDocumentContent>
  /** Moves the document to the trash, or removes it for good with `force`. */
  remove(id: number, options?: WriteOptions & { readonly force?: boolean }): Promise<void>
  /** The documents that refer to this one. */
  usedBy(id: number, options?: ActingOptions): Promise<SiteDocumentEntry[]>
  /** Files of documents, in which references replace ids. */
  export(ids: readonly number[], options?: ActingOptions): Promise<DocumentFile[]>
  /** The same as a zip archive. */
  exportZip(ids: readonly number[], options?: ActingOptions): Promise<Uint8Array>
  /**
   * Creates documents as drafts. References lead to documents of the same files, else to rows of this site with the same name;
   * `unresolved` lists the others.
   *
   * ```ts
   * const files = await api.site.documents.export([12, 14])
   * const { documents } = await other.site.documents.import(files, { as: 3 })
   * ```
   */
  import(
    files: readonly unknown[] | Uint8Array,
    options?: ActingOptions,
  ): Promise<{ readonly documents: readonly SiteDocumentContent[]; readonly unresolved: readonly string[] }>
  /** An address of `site-api/pages` that shows the document before it is published. Default: for 24 hours. */
  preview(id: number, options?: ActingOptions & { readonly hours?: number }): Promise<DocumentPreview>
}

const entryOf = ({ post, kind, type, isBuilt }: DocumentEntry): SiteDocumentEntry => ({
  ...{ id: post.id, kind, type, title: post.title, slug: post.slug, status: post.status, author: post.author },
  ...{ isBuilt, modified: post.modifiedGmt },
})

const contentOf = (document: FullDocument): SiteDocumentContent => ({
  ...entryOf(document),
  ...{ elements: document.elements, settings: document.settings, draft: document.draft, tag: document.tag },
})

const filesOf = async (context: Context, ids: readonly number[]) =>
  exportDocuments(context, await readSaved(context, ids))

export function createSiteDocuments(options: ExtensionOptions): SiteDocuments {
  const { storage, app, ready } = options

  async function actor(as: ActingOptions['as'] = 'system') {
    if (as === 'system') return system
    const [settings, user] = [await app.settings.read(storage), await findUserById(storage, as)]
    if (!user || user.blocked) throw new TypeError(`there is no user ${as}`)
    return actorOf(user, settings.roles)
  }

  /** A call as its route has it. */
  function callOf<A>(context: HookContext, args: A, ifMatch?: string): Context<A, undefined> {
    const headers: { readonly [name: string]: string } = ifMatch === undefined ? {} : { 'if-match': ifMatch }
    const incoming = inProcessIncoming('call', 'POST', '/site-api/v1/documents', '', undefined, headers)
    // The cast: the rules of documents use no other member.
    return { ...context, args, incoming, resource: undefined, warnings: [] } as unknown as Context<A, undefined>
  }

  async function read<T>({ as }: ActingOptions, work: (context: Context) => Promise<T>): Promise<T> {
    await ready()
    const [user, settings] = [await actor(as), await app.settings.read(storage)]
    return work(callOf({ storage, app, settings, user, emit: () => undefined }, {}))
  }

  /** Finds the document, if the user may do this with it. */
  async function found(context: Context, id: number, permission: DocumentPermission): Promise<DocumentContext> {
    const args = { id }
    const call = { ...context, args, resource: await findDocument({ args, storage: context.storage }) }
    const error = await permission.check(call as Context<never, never>)
    if (error) throw error
    return call
  }

  const readOne = <T>(id: number, options: ActingOptions, work: (context: DocumentContext) => Promise<T>) =>
    read(options, async (context) => work(await found(context, id, reads)))

  /** Runs like an endpoint: in a transaction, with hooks, events after the commit. */
  async function write<T>({ as, ifMatch }: WriteOptions, work: (context: Context) => Promise<T>): Promise<T> {
    await ready()
    return writeInside(options, (context) => work(callOf(context, {}, ifMatch)), await actor(as))
  }

  const writeOne = <T>(
    id: number,
    permission: DocumentPermission,
    writeOptions: WriteOptions,
    work: (context: DocumentContext) => Promise<T>,
  ): Promise<T> =>
    write(writeOptions, async (context) => {
      const call = await found(context, id, permission)
      // The cast: the conditions look at the tag alone.
      const endpoint = { endpoint: { etag: entityTag }, writes: true } as unknown as RoutedEndpoint
      await checkConditions(endpoint, call as Context)
      return work(call)
    })

  return {
    list: (kind, { limit = 100, page = 1, ...options } = {}) =>
      read(options, async (context) => {
        const { entries } = await listDocuments(context, { kind, page, perPage: limit })
        return entries.map(entryOf)
      }),
    read: (id, options = {}) => readOne(id, options, async (context) => contentOf(await readDocument(context))),
    create: (input, options = {}) => write(options, async (context) => contentOf(await createDocument(context, input))),
    save: (id, changes, options = {}) =>
      writeOne(id, edits, options, async (context) => contentOf(await saveDocument(context, changes))),
    autosave: (id, changes, options) =>
      writeOne(id, edits, options, async (context) => contentOf(await autosaveDocument(context, changes))),
    publish: (id, options = {}) =>
      writeOne(id, edits, options, async (context) => contentOf(await publishDocument(context))),
    discard: (id, options) => writeOne(id, edits, options, async (context) => contentOf(await discardDraft(context))),
    restore: (id, revision, options = {}) =>
      writeOne(id, edits, options, async (context) => contentOf(await restoreRevision(context, revision))),
    duplicate: (id, options = {}) =>
      writeOne(id, edits, options, async (context) => contentOf(await duplicateDocument(context))),
    remove: (id, { force = false, ...options } = {}) =>
      writeOne(id, deletes, options, (context) => deleteDocument(context, { isForced: force })),
    usedBy: (id, options = {}) =>
      readOne(id, options, async (context) => (await documentsUsing(context, id)).map(entryOf)),
    export: (ids, options = {}) => read(options, (context) => filesOf(context, ids)),
    exportZip: (ids, options = {}) => read(options, async (context) => zipOf(await filesOf(context, ids))),
    import: (files, options = {}) =>
      write(options, async (context) => {
        const parsed = files instanceof Uint8Array ? filesInZip(files) : files.map(parseDocumentFile)
        const { documents, unresolved } = await importDocuments(context, parsed)
        return { documents: documents.map(contentOf), unresolved }
      }),
    preview: (id, { hours = 24, ...options } = {}) =>
      writeOne(id, edits, options, (context) => previewOf(context, context.resource, hours)),
  }
}
