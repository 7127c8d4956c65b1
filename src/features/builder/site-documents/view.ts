/** Responses of the document routes. */
import { anything, bool, int, list, object, oneOf, str } from '../../../core/declare/args.ts'
import type { Context } from '../../../core/declare/context.ts'
import { either, exactly, fields, sometimes } from '../../../core/declare/response-schema.ts'
import { result } from '../../../core/declare/result.ts'
import type { ImportedDocuments } from './import.ts'
import { kindNames } from './kinds.ts'
import type { DocumentDraft, DocumentEntry, FullDocument } from './model.ts'

type ViewContext = Pick<Context, 'app'>

export const entryView = ({ app }: ViewContext, { post, kind, type, isBuilt }: DocumentEntry) => ({
  id: post.id,
  kind,
  type: app.names.toPublic(type),
  title: post.title,
  slug: post.slug,
  status: post.status,
  author: post.author,
  is_built: isBuilt,
  modified_gmt: post.modifiedGmt,
})

export const documentView = (context: ViewContext, document: FullDocument) => ({
  ...entryView(context, document),
  elements: document.elements,
  settings: document.settings,
  draft: draftView(document.draft),
})

const draftView = (draft: DocumentDraft | undefined) =>
  draft
    ? {
        ...{ id: draft.id, title: draft.title, elements: draft.elements, settings: draft.settings },
        modified_gmt: draft.modifiedGmt,
      }
    : null

/** Adds the tag that the next write sends as `If-Match`. */
export const documentResult = (context: ViewContext, document: FullDocument, status = 200) =>
  result(documentView(context, document), { status, headers: { ETag: document.tag } })

// ---------------------------------------------------------------- schemas

const entryMembers = {
  id: int(),
  kind: oneOf(kindNames),
  type: str({ description: 'Which type of document it is.' }),
  title: str(),
  slug: str(),
  status: str(),
  author: int({ description: 'The ID of the user who wrote it.' }),
  is_built: bool({ description: 'Whether the page builder edits it.' }),
  modified_gmt: str({ description: 'When it was changed last, in GMT.' }),
}

const anyMembers = { additionalProperties: true } as const

export const entrySchema = fields(entryMembers, { title: 'Document in a list' })
export const entriesSchema = list(entrySchema)

const parts = { elements: list(object({}, anyMembers)), settings: object({}, anyMembers) }

export const documentSchema = fields(
  {
    ...entryMembers,
    ...parts,
    draft: either(fields({ id: int(), title: str(), ...parts, modified_gmt: str() }), exactly(null)),
  },
  { title: 'Document' },
)

export const deletedSchema = fields({ deleted: exactly(true), trashed: bool() })

export const previewSchema = fields({
  url: str({ format: 'uri', description: 'The page of the document, for whoever has the address.' }),
  token: str(),
  until: str({ description: 'When the address stops working, in GMT.' }),
})

// ---------------------------------------------------------------- files

export const attachment = (name: string) => ({ 'Content-Disposition': `attachment; filename="${name}"` })

export const fileSchema = fields(
  {
    format: str(),
    version: int(),
    key: str({ description: 'What other files of the same export call it.' }),
    kind: oneOf(kindNames),
    type: str(),
    title: str(),
    slug: str(),
    ...parts,
    uid: sometimes(str({ description: 'Of a component.' })),
    props: sometimes(anything({ description: 'Of a component: what instances may override.' })),
  },
  { title: 'File of a document' },
)

export const importedView = (context: ViewContext, { documents, unresolved }: ImportedDocuments) => ({
  documents: documents.map((document) => documentView(context, document)),
  unresolved,
})

export const importedSchema = fields({
  documents: list(documentSchema),
  unresolved: list(str(), { description: 'References to nothing on this site.' }),
})
