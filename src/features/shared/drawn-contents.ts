/** Renders stored texts whose blocks show other rows: their lists, their author, the site. All other texts cost no read. */
import type { Post } from '../../contract/storage.ts'
import type { Context } from '../../core/declare/context.ts'
import { requestWork } from '../../core/pipeline/request-work.ts'
import { Work } from '../../core/runtime/work.ts'
import type { BuilderRender } from '../../render/builder/assembly/engine.ts'
import { builderRenderOf } from '../../render/builder/assembly/lazy.ts'
import { isStoredTag } from './rendered-documents.ts'

type DrawnContext = Pick<Context, 'storage' | 'settings' | 'app'> & Partial<Pick<Context, 'user' | 'incoming'>>

/** A text of a row, with the meta value that it shows. */
interface DrawableText {
  readonly row: Post
  /** The id of the post that its blocks are about. Default: the row. */
  readonly current?: number
  readonly footnotes?: unknown
}

export interface DrawnContent {
  /** HTML under neutral names. */
  readonly html: string
  /** Whether the result depends only on the storage and the reader, and not on the time or a service of the host. */
  readonly isStored: boolean
}

export const isDrawn = ({ app }: Pick<Context, 'app'>, { content }: Pick<Post, 'content'>): boolean =>
  builderRenderOf(app).isDrawn(content)

type Contents = BuilderRender['contents']

/** Renders such texts of records that the reader may see. Undefined: one takes more work than is left, or becomes too large. */
export const renderContents = (
  { storage, settings, app, work }: Pick<Context, 'storage' | 'settings' | 'app'> & { readonly work: Work },
  contents: Parameters<Contents>[1],
  context: Parameters<Contents>[2],
): ReturnType<Contents> => {
  const { charactersOfRecord: mostHtml } = work
  const where = { storage, site: settings, now: app.clock(), isPermitted: true, work, mostHtml }
  return builderRenderOf(app).contents(where, contents, context)
}

/**
 * Returns the contents in the order of the texts. Undefined: it has no such blocks, or takes more work than is left, and is rendered
 * without them.
 */
export async function drawnContents(
  { storage, settings, app, user, incoming }: DrawnContext,
  texts: readonly (DrawableText | undefined)[],
): Promise<readonly (DrawnContent | undefined)[]> {
  const drawn = texts.flatMap((text, index) => (text && isDrawn({ app }, text.row) ? [{ ...text, index }] : []))
  if (drawn.length === 0) return texts.map(() => undefined)
  const work = incoming === undefined ? new Work(app.limits.requestWork) : requestWork({ app, incoming })
  const contents = drawn.map(({ row, current, footnotes }) => ({
    row,
    ...(current === undefined ? {} : { current }),
    ...(typeof footnotes === 'string' ? { footnotes } : {}),
  }))
  const reader = user !== undefined && user.id > 0 ? { user: user.id } : {}
  const rendered = await renderContents({ storage, settings, app, work }, contents, reader)
  const byIndex = new Map(drawn.map(({ index }, at) => [index, rendered[at]]))
  return texts.map((_, index) => {
    const found = byIndex.get(index)
    return found && { html: found.html, isStored: found.dependencies.every(isStoredTag) }
  })
}
