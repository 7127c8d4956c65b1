/** The documents of the page builder, of every kind, in one place: below a namespace of this package. */

import { paging } from '../../../core/declare/args.ts'
import { endpoint } from '../../../core/declare/endpoint.ts'
import { ApiError } from '../../../core/declare/errors.ts'
import { feature } from '../../../core/declare/feature.ts'
import { pageOf } from '../../../core/declare/page.ts'
import { digits } from '../../../core/declare/pattern.ts'
import { can } from '../../../core/declare/permissions.ts'
import { nonJsonBody } from '../../../core/declare/response-schema.ts'
import { result, Stream } from '../../../core/declare/result.ts'
import { zipBody } from '../../../core/request/zip-body.ts'
import { drawsDocuments } from '../../shared/rendered-documents.ts'
import { created, drafted, files, force, hours, id, ids, kind, revision, saved } from './args.ts'
import { createDocument, duplicateDocument } from './copies.ts'
import { editLocks } from './edit-locks.ts'
import { exportDocuments } from './export.ts'
import { type DocumentFile, filesInZip, parseDocumentFile, zipOf } from './file.ts'
import { importDocuments } from './import.ts'
import { deletes, edits, findDocument, reads } from './kinds.ts'
import { createSiteDocuments } from './management.ts'
import { type DocumentChanges, entityTag, listDocuments, readDocument, readSaved, storedDocument } from './model.ts'
import { previewOf } from './preview.ts'
import { documentsUsing } from './references.ts'
import {
  attachment,
  deletedSchema,
  documentResult,
  documentSchema,
  documentView,
  entriesSchema,
  entryView,
  fileSchema,
  importedSchema,
  importedView,
  previewSchema,
} from './view.ts'
import {
  autosaveDocument,
  deleteDocument,
  discardDraft,
  publishDocument,
  restoreRevision,
  revisionValues,
  saveDocument,
} from './write.ts'

/** An import comes as JSON or as a zip archive. */
const receiveZip = zipBody({
  isAllowed: ({ user }) => user.can('edit_posts'),
  maxBytes: ({ app }) => app.limits.bodyBytes,
})

/** Throws 400 for a request without files, and for files that are none. */
function filesOf({
  args,
  body,
}: {
  readonly args: { readonly documents?: readonly object[] | undefined }
  readonly body: unknown
}): DocumentFile[] {
  if (body instanceof Uint8Array) return filesInZip(body)
  if (args.documents === undefined) {
    throw new ApiError('rest_missing_callback_param', 'documents is missing, or a zip archive as the body.', 400)
  }
  return args.documents.map(parseDocumentFile)
}

const base = '/documents'
const one = `${base}/${digits('id')}` as const
const document = { resource: findDocument, responses: { 200: documentSchema } }
const written = { ...document, permission: edits, etag: entityTag }

/** The cast: absent arguments have no member. */
const changesIn = (args: object): DocumentChanges => {
  const { title, status, elements, settings } = args as DocumentChanges
  return {
    ...(title === undefined ? {} : { title }),
    ...(status === undefined ? {} : { status }),
    ...(elements === undefined ? {} : { elements }),
    ...(settings === undefined ? {} : { settings }),
  }
}

const siteDocuments = feature(
  'site-documents',
  'site-api/v1',
  [
    endpoint({
      path: base,
      methods: ['GET'],
      args: { kind: kind(), ...paging() },
      paged: true,
      summary: 'List documents of a kind that you may edit',
      permission: can('edit_posts'),
      responses: { 200: entriesSchema },
      handler: async (context) => {
        const { kind, page, per_page: perPage } = context.args
        const { entries, total } = await listDocuments(context, { kind, page, perPage })
        return pageOf(context, { rows: entries.map((entry) => entryView(context, entry)), total, page, perPage })
      },
    }),
    endpoint({
      path: base,
      methods: ['POST'],
      args: { kind: kind(), ...created },
      summary: 'Create a document, as a draft unless you say otherwise',
      permission: can('edit_posts'),
      responses: { 201: documentSchema },
      handler: async (context) => {
        const { kind, type } = context.args
        const input = { ...changesIn(context.args), kind, ...(type === undefined ? {} : { type }) }
        return documentResult(context, await createDocument(context, input), 201)
      },
    }),
    endpoint({
      ...document,
      path: one,
      methods: ['GET'],
      args: { id: id() },
      summary: 'Read a document with its elements, and your draft of it',
      permission: reads,
      etag: entityTag,
      handler: async (context) => documentView(context, await readDocument(context)),
    }),
    endpoint({
      ...written,
      path: one,
      methods: ['POST'],
      args: { id: id(), ...saved },
      summary: 'Save a document, with a revision',
      merges: {
        keepsAbsent: true,
        revision: async (context, revision) => {
          const values = await revisionValues(context, revision)
          return values && { ...values }
        },
      },
      handler: async (context) => documentResult(context, await saveDocument(context, changesIn(context.args))),
    }),
    endpoint({
      path: one,
      methods: ['DELETE'],
      args: { id: id(), force: force() },
      summary: 'Move a document to the trash, or remove it',
      resource: findDocument,
      permission: deletes,
      etag: entityTag,
      responses: { 200: deletedSchema },
      handler: async (context) => {
        const { force: isForced } = context.args
        await deleteDocument(context, { isForced })
        return { deleted: true, trashed: !isForced }
      },
    }),
    endpoint({
      ...written,
      path: `${one}/autosave`,
      methods: ['POST'],
      args: { id: id(), ...drafted },
      summary: 'Keep changes as a draft beside the document',
      handler: async (context) => documentResult(context, await autosaveDocument(context, changesIn(context.args))),
    }),
    endpoint({
      ...written,
      path: `${one}/publish`,
      methods: ['POST'],
      args: { id: id() },
      summary: 'Publish a document with its draft',
      handler: async (context) => documentResult(context, await publishDocument(context)),
    }),
    endpoint({
      ...written,
      path: `${one}/discard`,
      methods: ['POST'],
      args: { id: id() },
      summary: 'Discard your draft of a document',
      handler: async (context) => documentResult(context, await discardDraft(context)),
    }),
    endpoint({
      ...written,
      path: `${one}/restore`,
      methods: ['POST'],
      args: { id: id(), revision: revision() },
      summary: 'Save a revision of a document again',
      handler: async (context) => documentResult(context, await restoreRevision(context, context.args.revision)),
    }),
    endpoint({
      path: `${one}/duplicate`,
      methods: ['POST'],
      args: { id: id() },
      summary: 'Copy a document to a draft',
      resource: findDocument,
      permission: edits,
      responses: { 201: documentSchema },
      stored: storedDocument,
      handler: async (context) => documentResult(context, await duplicateDocument(context), 201),
    }),
    endpoint({
      path: `${one}/preview`,
      methods: ['POST'],
      args: { id: id(), hours: hours() },
      summary: 'Make an address that shows the document to whoever has it',
      resource: findDocument,
      permission: edits,
      responses: { 200: previewSchema },
      stored: storedDocument,
      handler: (context) => previewOf(context, context.resource, context.args.hours),
    }),
    endpoint({
      path: `${one}/export`,
      methods: ['GET'],
      args: { id: id() },
      summary: 'Export a document as a file with references in place of ids',
      resource: findDocument,
      permission: reads,
      responses: { 200: fileSchema },
      handler: async (context) => {
        const [file] = await exportDocuments(context, await readSaved(context, [context.resource.id]))
        return result(file, { headers: attachment(`document-${context.resource.id}.json`) })
      },
    }),
    endpoint({
      path: `${base}/export`,
      methods: ['GET'],
      args: { ids: ids() },
      summary: 'Export several documents as a zip archive of their files',
      permission: can('edit_posts'),
      responses: { 200: nonJsonBody('application/zip', { description: 'A JSON file for each document.' }) },
      handler: async (context) => {
        const zip = zipOf(await exportDocuments(context, await readSaved(context, context.args.ids)))
        return result(new Stream(zip, 'application/zip'), { headers: attachment('documents.zip') })
      },
    }),
    endpoint({
      path: `${base}/import`,
      methods: ['POST'],
      args: { documents: files() },
      summary: 'Create documents of exported files: as JSON, or a zip archive with the type application/zip',
      permission: can('edit_posts'),
      receive: receiveZip,
      responses: { 201: importedSchema },
      handler: async (context) => {
        const imported = await importDocuments(context, filesOf(context))
        return result(importedView(context, imported), { status: 201 })
      },
    }),
    endpoint({
      path: `${one}/used-by`,
      methods: ['GET'],
      args: { id: id() },
      summary: 'List the documents that refer to this one',
      resource: findDocument,
      permission: reads,
      responses: { 200: entriesSchema },
      handler: async (context) => {
        const entries = await documentsUsing(context, context.resource.id)
        return entries.map((entry) => entryView(context, entry))
      },
    }),
  ],
  { siteExtensions: { documents: createSiteDocuments }, services: drawsDocuments, isHistorical: true },
)

/**
 * Reads, saves and publishes the documents of the page builder over HTTP, below `site-api/v1/documents`, and as
 * `api.site.documents`. Every profile but `content` has it; the indexes of `d1` and `d2` do not list its routes.
 *
 * ```ts
 * import { content, documentFeatures, profile } from 'site-api'
 *
 * export const site = profile({ ...content, features: [...content.features, ...documentFeatures] })
 * ```
 */
export const documentFeatures = [siteDocuments, editLocks] as const
