/** `api.site.documents`: the documents of the page builder for the host, by the rules of the routes. */
import { actorOf, system } from '../../../core/declare/actor.ts'
import type { Context } from '../../../core/declare/context.ts'
import type { ApiError } from '../../../core/declare/errors.ts'
import type { PendingEvent } from '../../../core/declare/events.ts'
import type { ExtensionOptions } from '../../../core/declare/feature.ts'
import type { Permission } from '../../../core/declare/permissions.ts'
import { findUserById } from '../../../core/pipeline/authentication.ts'
import { checkConditions } from '../../../core/pipeline/etag.ts'
import { runHooks } from '../../../core/pipeline/hooks.ts'
import { inProcessIncoming } from '../../../core/request/incoming.ts'
import type { RoutedEndpoint } from '../../../core/routing/route.ts'
import type { FoundPost } from '../../content/posts/model.ts'
import { atomically } from '../../shared/transactions/model.ts'
import { type DocumentKind, deletes, edits, findDocument, reads } from './kinds.ts'
import {
  autosaveDocument,
  type DocumentChanges,
  type DocumentContext,
  type DocumentEntry,
  deleteDocument,
  discardDraft,
  duplicateDocument,
  entityTag,
  type FullDocument,
  listDocuments,
  publishDocument,
  readDocument,
  restoreRevision,
  saveDocument,
} from './model.ts'
import { type DocumentPreview, previewOf } from './preview.ts'
import { documentsUsing } from './references.ts'

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
  /** The id of the caller's draft that is not published yet. */
  readonly draft: number | undefined
  /** For `ifMatch` of the next write. */
  readonly tag: string
}

/** `api.site.documents`: posts, pages, templates and components as documents of the page builder. */
export interface SiteDocuments {
  /** The last change first; 100 at most unless `limit` says otherwise. */
  list(kind: DocumentKind, options?: ActingOptions & { limit?: number; page?: number }): Promise<SiteDocumentEntry[]>
  /** Rejects with the ApiError `document_not_found` for an unknown id. */
  read(id: number, options?: ActingOptions): Promise<SiteDocumentContent>
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
  /** An address of `site-api/pages` that shows the document before it is published. Default: for 24 hours. */
  preview(id: number, options?: ActingOptions & { readonly hours?: number }): Promise<DocumentPreview>
}

const entryOf = ({ post, kind, type, isBuilt }: DocumentEntry): SiteDocumentEntry => ({
  ...{ id: post.id, kind, type, title: post.title, slug: post.slug, status: post.status, author: post.author },
  ...{ isBuilt, modified: post.modifiedGmt },
})

const contentOf = (document: FullDocument): SiteDocumentContent => ({
  ...entryOf(document),
  ...{ elements: document.elements, settings: document.settings, draft: document.draft?.id, tag: document.tag },
})

export function createSiteDocuments({ storage, app, ready, hooks, emit }: ExtensionOptions): SiteDocuments {
  async function actor(as: ActingOptions['as'] = 'system') {
    if (as === 'system') return system
    const [settings, user] = [await app.settings.read(storage), await findUserById(storage, as)]
    if (!user || user.blocked) throw new TypeError(`there is no user ${as}`)
    return actorOf(user, settings.roles)
  }

  /** Runs the work like an endpoint: in a transaction, with hooks, events after the commit. */
  async function run<T>({ as, ifMatch }: WriteOptions, work: (context: Context) => Promise<T>): Promise<T> {
    await ready()
    const events: PendingEvent[] = []
    const [user, settings] = [await actor(as), await app.settings.read(storage)]
    const done = await atomically(storage, async (transaction) => {
      // The transaction may run more than once.
      events.length = 0
      const headers = ifMatch === undefined ? {} : { 'if-match': ifMatch }
      const incoming = inProcessIncoming('call', 'POST', '/site-api/v1/documents', '', undefined, headers)
      const parts = { args: {}, user, settings, app, storage: transaction, incoming, resource: undefined, warnings: [] }
      const queue = (name: PendingEvent['name'], payload: unknown) =>
        void events.push({ name, payload } as PendingEvent)
      // The cast: the rules of documents use no other member.
      const context = { ...parts, emit: queue } as unknown as Context
      const worked = await work(context)
      await runHooks(events, 0, hooks, context)
      return worked
    })
    emit(events)
    return done
  }

  /** The same for one document, once the user may do it and the document is the one that was read. */
  const runOn = <T>(
    id: number,
    permission: Permission<unknown, FoundPost>,
    options: WriteOptions,
    work: (context: DocumentContext) => Promise<T>,
  ): Promise<T> =>
    run(options, async (context) => {
      const found = { ...context, args: { id }, resource: await findDocument({ ...context, args: { id } }) }
      const error: ApiError | undefined = await permission.check(found as Context<never, never>)
      if (error) throw error
      // The cast: the conditions look at the tag alone.
      const endpoint = { endpoint: { etag: entityTag }, writes: true } as unknown as RoutedEndpoint
      await checkConditions(endpoint, found as Context)
      return work(found)
    })

  return {
    list: (kind, { limit = 100, page = 1, ...options } = {}) =>
      run(options, async (context) => {
        const { entries } = await listDocuments(context, { kind, page, perPage: limit })
        return entries.map(entryOf)
      }),
    read: (id, options = {}) => runOn(id, reads, options, async (context) => contentOf(await readDocument(context))),
    save: (id, changes, options = {}) =>
      runOn(id, edits, options, async (context) => contentOf(await saveDocument(context, changes))),
    autosave: (id, changes, options) =>
      runOn(id, edits, options, async (context) => contentOf(await autosaveDocument(context, changes))),
    publish: (id, options = {}) =>
      runOn(id, edits, options, async (context) => contentOf(await publishDocument(context))),
    discard: (id, options) => runOn(id, edits, options, async (context) => contentOf(await discardDraft(context))),
    restore: (id, revision, options = {}) =>
      runOn(id, edits, options, async (context) => contentOf(await restoreRevision(context, revision))),
    duplicate: (id, options = {}) =>
      runOn(id, edits, options, async (context) => contentOf(await duplicateDocument(context))),
    remove: (id, { force = false, ...options } = {}) =>
      runOn(id, deletes, options, (context) => deleteDocument(context, { isForced: force })),
    usedBy: (id, options = {}) =>
      runOn(id, reads, options, async (context) => (await documentsUsing(context, id)).map(entryOf)),
    preview: (id, { hours = 24, ...options } = {}) =>
      runOn(id, edits, options, (context) => previewOf(context, context.resource, hours)),
  }
}
