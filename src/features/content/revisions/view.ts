/** The view of revisions and autosaves. */

import type { Post } from '../../../contract/storage.ts'
import { dateTime, int, list, str } from '../../../core/declare/args.ts'
import type { Context } from '../../../core/declare/context.ts'
import {
  editOnly,
  exactly,
  fields,
  links,
  type MemberValues,
  notEmbedded,
  type ResponseSchema,
  type Sometimes,
  sometimes,
} from '../../../core/declare/response-schema.ts'
import { requestWork } from '../../../core/pipeline/request-work.ts'
import { publicRecord } from '../../../names/record.ts'
import { editModeKey } from '../../../render/builder/records/keys.ts'
import { siteRenderOf } from '../../../render/index.ts'
import { type DrawnContent, drawnContents } from '../../shared/drawn-contents.ts'
import { type MetaValues, renderContext } from '../../shared/post-meta.ts'
import { type RenderedDocument, renderedDocumentOf } from '../../shared/rendered-documents.ts'
import type { RecordType } from '../posts/model.ts'

type ViewContext = 'view' | 'embed' | 'edit'
type RenderContext = Pick<Context, 'storage' | 'app' | 'settings' | 'user' | 'incoming'>

const text = fields({ raw: editOnly(str({ description: 'In the edit context.' })), rendered: str() })

const members = {
  author: int({ description: 'Who has saved it.' }),
  date: dateTime({ description: 'In the time of the site.' }),
  date_gmt: notEmbedded(dateTime()),
  id: int(),
  modified: notEmbedded(dateTime()),
  modified_gmt: notEmbedded(dateTime()),
  parent: int({ description: 'The post.' }),
  slug: str(),
  guid: notEmbedded(text),
  title: text,
  content: notEmbedded(text),
  excerpt: text,
}

type Members<M> = typeof members & { readonly meta: Sometimes<M> }
type Linked<M> = Members<M> & {
  readonly preview_link: Sometimes<string>
  readonly _links: Sometimes<{ readonly parent: readonly { readonly href: string }[] }>
}

/** The responses of the routes of revisions and autosaves. */
export interface RevisionSchemas<M = unknown> {
  readonly revision: ResponseSchema<MemberValues<Linked<M>>>
  readonly revisions: ResponseSchema<readonly MemberValues<Linked<M>>[]>
  readonly removed: ResponseSchema<{ readonly deleted: true; readonly previous: MemberValues<Members<M>> }>
}

export function revisionSchemasOf<M>(type: RecordType): RevisionSchemas<M> {
  const own = { ...members, meta: notEmbedded(type.meta.schema) }
  const revision = fields(
    {
      ...own,
      preview_link: sometimes(
        str({ format: 'uri', description: 'Shows your autosave in place of the post, for a day or two.' }),
      ),
      _links: sometimes(fields({ parent: links() })),
    },
    { title: 'Revision', record: `${type.name}-revision`, readonly: false },
  )
  // The cast: the meta of the type has the members of `M`.
  return {
    revision,
    revisions: list(revision),
    removed: fields({ deleted: exactly(true), previous: fields(own) }, { title: 'Removed revision' }),
  } as unknown as RevisionSchemas<M>
}

/** The views of these rows, in order; their meta is read in one query. */
export async function revisionViews(
  type: RecordType,
  context: RenderContext,
  rows: readonly Post[],
  viewContext: ViewContext,
): Promise<readonly object[]> {
  const ids = rows.map((row) => row.id)
  const keys = [...new Set([...type.meta.keys, editModeKey])]
  const entries = viewContext === 'embed' ? [] : await context.storage.meta.read('post', ids, keys)
  const metas = rows.map(
    ({ id }): MetaValues =>
      Object.fromEntries(entries.filter((entry) => entry.id === id).map(({ key, value }) => [key, value])),
  )
  const texts = rows.map((row, index) =>
    viewContext === 'embed'
      ? undefined
      : { row, ...(row.parent > 0 ? { current: row.parent } : {}), footnotes: metas[index]?.['footnotes'] },
  )
  const drawn = await drawnContents(context, texts)
  return Promise.all(
    rows.map(async (row, index) => {
      // The cast: one for each row.
      const meta = metas[index] as MetaValues
      // Dynamic values are those of the post that the revision belongs to.
      const built = await renderedDocumentOf(context, { id: row.id, current: row.parent }, meta)
      return publicRecord(
        toView(type, context, { row, meta, built, drawn: drawn[index] }, viewContext),
        context.app.names,
      )
    }),
  )
}

export async function revisionView(
  type: RecordType,
  context: RenderContext,
  row: Post,
  viewContext: ViewContext,
): Promise<object> {
  const [view] = await revisionViews(type, context, [row], viewContext)
  return view as object
}

interface RenderedRow {
  readonly row: Post
  readonly meta: MetaValues
  readonly built: RenderedDocument | undefined
  readonly drawn: DrawnContent | undefined
}

function toView(
  type: RecordType,
  context: RenderContext,
  { row, meta, built, drawn }: RenderedRow,
  viewContext: ViewContext,
) {
  const { app, settings } = context
  const { names } = app
  const render = siteRenderOf(app, settings, requestWork(context))
  const isEdit = viewContext === 'edit'
  const raw = (text: string) => (isEdit ? { raw: text } : {})
  // Interface: types that visitors can not see have the stored texts in the view context too; versions of them are rendered besides.
  const stored = (text: string) => (isEdit || (viewContext === 'view' && !type.isViewable) ? { raw: text } : {})
  const author = { author: row.author, date: row.date }
  const title = { ...stored(row.title), rendered: render.title(row.title) }
  // Interface: unlike that of a post, the excerpt of a revision stays empty when none was written.
  const excerptHtml = render.excerpt({ excerpt: row.excerpt, content: '' })
  const excerpt = { ...raw(names.swapMarkup(row.excerpt)), rendered: names.swapMarkup(excerptHtml) }
  const parent = `${settings.apiRoot}${names.toPublic(type.route)}/${row.parent}`
  const links = row.parent > 0 ? { _links: { parent: [{ href: parent }] } } : {}
  if (viewContext === 'embed') {
    return { ...author, id: row.id, parent: row.parent, slug: row.slug, title, excerpt, ...links }
  }
  const guid = `${settings.home}/?p=${row.id}`
  return {
    ...author,
    date_gmt: row.dateGmt ?? settings.time.toGmt(row.date),
    id: row.id,
    modified: row.modified,
    modified_gmt: row.modifiedGmt,
    parent: row.parent,
    slug: row.slug,
    guid: { rendered: guid, ...raw(guid) },
    title,
    content: {
      ...stored(names.swapMarkup(row.content)),
      rendered:
        built?.html ?? names.swapMarkup(drawn?.html ?? render.content(row.content, renderContext(row.id, meta))),
    },
    excerpt,
    meta: type.meta.view(meta, viewContext, context),
    ...links,
  }
}
