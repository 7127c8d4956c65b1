/**
 * Renders stored texts whose blocks or shortcodes show other rows. The texts of a list share their records, so that the number of
 * storage calls does not grow with the posts.
 */

import type { Post } from '../../../contract/storage.ts'
import { inTurn } from '../../../core/runtime/work.ts'
import { limits } from '../document/limits.ts'
import { articleHtml } from '../elements/content-blocks.ts'
import { Kit } from '../kit/kit.ts'
import { Pass } from '../pass/pass.ts'
import type { Scope } from '../pass/scope.ts'
import { withoutElements } from '../records/documents.ts'
import { kitKeys } from '../records/keys.ts'
import { options } from '../records/kinds.ts'
import { Records } from '../records/records.ts'
import type { RenderRequest } from './render.ts'

/** The stored text that a post, or a version of it, has. */
export interface StoredContent {
  readonly row: Post
  /** The id of the post that its blocks are about. Default: the row. */
  readonly current?: number
  /** Default: the content of the row. */
  readonly content?: string
  /** The meta value `footnotes`, as JSON text. */
  readonly footnotes?: string
  /** Whether blocks get the classes of their layouts. Default: false. */
  readonly hasLayout?: boolean
}

export interface RenderedContent {
  readonly html: string
  /** The records on which it depends, as in `Rendered`. */
  readonly dependencies: readonly string[]
}

/** Returns undefined in place of a text that takes more work than is left, or becomes too large. */
export async function renderContents(
  request: RenderRequest,
  contents: readonly StoredContent[],
): Promise<(RenderedContent | undefined)[]> {
  const { source, work } = request
  const records = new Records(source)
  for (const name of kitKeys) records.want(options, name)
  await records.load()
  const kit = new Kit((name) => records.get(options, name), request.context)
  const rendered: (RenderedContent | undefined)[] = contents.map(() => undefined)
  /** Draws once; returns the units of work when records were missing. */
  const attempt = async ({ content, index, units }: OpenContent): Promise<OpenContent | undefined> => {
    if (!work.begin()) return undefined
    const missed = records.missed
    const pass = passOf(request, content, records, kit)
    const html = await inTurn(() => draw(content, pass))
    work.spend(pass.units)
    if (records.missed === missed) rendered[index] = finished(html, pass, request)
    else if (units + pass.units <= limits.redrawn * work.ofRecord) return { content, index, units: units + pass.units }
    return undefined
  }
  let open: readonly OpenContent[] = contents.map((content, index) => ({ content, index, units: 0 }))
  for (let round = 1; open.length > 0 && round <= limits.rounds; round++) {
    const incomplete: OpenContent[] = []
    for (const one of open) {
      const again = await attempt(one)
      if (again) incomplete.push(again)
    }
    open = incomplete
    if (open.length > 0) await records.load()
  }
  return rendered
}

/** A text that is not drawn yet, and the work that it has taken. */
interface OpenContent {
  readonly content: StoredContent
  readonly index: number
  readonly units: number
}

function passOf(
  { tables, context, now, work, mayRead }: RenderRequest,
  content: StoredContent,
  records: Records,
  kit: Kit,
): Pass {
  const post = content.current ?? content.row.id
  // The caller has checked that the reader may read the text: its own parts are not locked in it.
  const shown = { ...context, post, unlocked: [...(context.unlocked ?? []), post] }
  const { hasLayout } = content
  return new Pass({ records, tables, kit, context: shown, now, units: work.ofRecord, mayRead, hasLayout })
}

function draw({ row, current = row.id, content = row.content, footnotes }: StoredContent, pass: Pass): string {
  const scope: Scope = { document: withoutElements(row), post: current, stack: [row.id], depth: 0, loops: 0 }
  pass.openPosts.add(current)
  return articleHtml(content, { id: row.id, ...(footnotes === undefined ? {} : { footnotes }) }, scope, pass)
}

function finished(html: string, { dependencies }: Pass, { mostHtml = limits.output }: RenderRequest) {
  return html.length > mostHtml ? undefined : { html, dependencies: [...dependencies].sort() }
}
