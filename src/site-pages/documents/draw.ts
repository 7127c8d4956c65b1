/** Draws the builder's parts of a page: the templates for its locations, and the document of its post. */

import type { AppContext } from '../../core/declare/app-context.ts'
import { isApiError } from '../../core/declare/errors.ts'
import type { BuilderRender } from '../../render/builder/assembly/engine.ts'
import { builderRenderOf } from '../../render/builder/assembly/lazy.ts'
import type {
  RenderContext,
  Rendered,
  RenderedOverlay,
  TemplateContext,
} from '../../render/builder/pass/render-context.ts'
import { noteSources, type PageRender, requestAddress, type Visit } from '../visit.ts'

type RenderSite = Parameters<BuilderRender['document']>[0]

/** Returns `api.render` for one request: from its storage, within its budget of work. */
export function renderWithin(site: Omit<RenderSite, 'now'>, app: AppContext): PageRender {
  const engine = builderRenderOf(app)
  const where = () => ({ ...site, now: app.clock(), hasLayout: true })
  return {
    document: async (id, context) => engine.document(where(), id, context),
    withoutSheets: async (id) => engine.document({ ...where(), hasSheets: false }, id),
    at: async (location, shown, context) => engine.at(where(), location, shown, context),
    overlays: async (shown, context, opened) => engine.overlays(where(), shown, context, opened),
  }
}

/** A document over the budget, or one that becomes too large, leaves its place to the stored text of its post. */
export async function drawnOrNothing(drawing: Promise<Rendered | undefined>): Promise<Rendered | undefined> {
  try {
    return await drawing
  } catch (error) {
    if (isApiError(error)) return undefined
    throw error
  }
}

export interface Drawn {
  readonly header: Rendered | undefined
  readonly main: Rendered | undefined
  readonly footer: Rendered | undefined
  /** Whether the main part is a template, which shows the title of its post itself. */
  readonly isTemplate: boolean
  /** Popups and floating buttons. */
  readonly overlays: readonly RenderedOverlay[]
}

/** Returns all that the builder has drawn for a page, in its order. */
export const drawnParts = ({ header, main, footer, overlays }: Omit<Drawn, 'isTemplate'>): readonly Rendered[] =>
  [header, main, footer, ...overlays].filter((part) => part !== undefined)

interface Reader {
  /** The page of the archive. */
  readonly page?: number
  /** The protected posts whose password the reader has entered. */
  readonly unlocked?: readonly number[]
  /** The user whose rights apply to a post that is not published. */
  readonly user?: number
}

interface DrawOptions {
  readonly reader?: Reader
  /** False: the reader may not see the main part. */
  readonly hasMain?: boolean
}

/** Draws header, main part and footer. Without a template the main part is the document of the post. */
export async function drawTemplates(
  shown: TemplateContext,
  visit: Visit,
  { reader = {}, hasMain = true }: DrawOptions = {},
): Promise<Drawn> {
  const { render } = visit
  const context = contextOf(shown, visit, reader)
  const location = 'archive' in shown ? 'archive' : 'single'
  const [header, template, footer] = await Promise.all([
    drawnOrNothing(render.at('header', shown, context)),
    hasMain ? drawnOrNothing(render.at(location, shown, context)) : undefined,
    drawnOrNothing(render.at('footer', shown, context)),
  ])
  const hasDocument = template === undefined && hasMain && 'post' in shown
  const main = hasDocument ? await drawnOrNothing(render.document(shown.post, context)) : template
  const built = { header, main, footer, overlays: [] }
  const overlays = await drawOverlays(drawnParts(built), { shown, context, render })
  const parts = { ...built, overlays }
  for (const { dependencies } of drawnParts(parts)) noteSources(dependencies, visit)
  return { ...parts, isTemplate: template !== undefined }
}

interface OverlaysOf {
  readonly shown: TemplateContext
  readonly context: RenderContext
  readonly render: PageRender
}

/** Popups may link popups, and these others. */
const maxRounds = 4

/** Draws the overlays that the page names, and the popups that its links open. */
async function drawOverlays(
  parts: readonly Rendered[],
  { shown, context, render }: OverlaysOf,
): Promise<readonly RenderedOverlay[]> {
  const linked = new Set(parts.flatMap(({ popups }) => popups))
  for (let round = 1; ; round++) {
    const overlays = await render.overlays(shown, context, [...linked])
    const further = overlays.flatMap(({ popups }) => popups).filter((id) => !linked.has(id))
    if (round === maxRounds || further.every((id) => overlays.some((overlay) => overlay.id === id))) return overlays
    for (const id of further) linked.add(id)
  }
}

function contextOf(shown: TemplateContext, visit: Visit, reader: Reader): RenderContext {
  const { request, isPreview = false } = visit
  const referrer = request.headers.get('referer')
  return {
    ...reader,
    templateContext: shown,
    url: requestAddress(visit),
    signal: request.signal,
    ...(isPreview ? { preview: true } : {}),
    ...(referrer === null ? {} : { referrer }),
  }
}
