/** Draws the builder's parts of a page: the templates for its locations, and the document of its post. */

import type { AppContext } from '../../core/declare/app-context.ts'
import { isApiError } from '../../core/declare/errors.ts'
import type { BuilderRender } from '../../render/builder/assembly/builder-render.ts'
import { builderRenderOf } from '../../render/builder/assembly/lazy.ts'
import type { RenderContext, Rendered, TemplateContext } from '../../render/builder/pass/render-context.ts'
import type { PagesApi } from '../api.ts'
import { requestAddress, type Visit } from '../visit.ts'

type RenderSite = Parameters<BuilderRender['document']>[0]

/** Returns `api.render` for one request: from its storage, within its budget of work. */
export function renderWithin(site: Omit<RenderSite, 'now'>, app: AppContext): PagesApi['render'] {
  const engine = builderRenderOf(app)
  const where = () => ({ ...site, now: app.clock(), hasLayout: true })
  return {
    document: async (id, context) => engine.document(where(), id, context),
    at: async (location, shown, context) => engine.at(where(), location, shown, context),
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
}

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
  const { render, tags } = visit
  const context = contextOf(shown, visit, reader)
  const location = 'archive' in shown ? 'archive' : 'single'
  const [header, template, footer] = await Promise.all([
    drawnOrNothing(render.at('header', shown, context)),
    hasMain ? drawnOrNothing(render.at(location, shown, context)) : undefined,
    drawnOrNothing(render.at('footer', shown, context)),
  ])
  const hasDocument = template === undefined && hasMain && 'post' in shown
  const main = hasDocument ? await drawnOrNothing(render.document(shown.post, context)) : template
  for (const part of ['header', location, 'footer']) tags.add(`conditions:${part}`)
  for (const part of [header, main, footer]) for (const tag of part?.dependencies ?? []) tags.add(tag)
  return { header, main, footer, isTemplate: template !== undefined }
}

function contextOf(shown: TemplateContext, visit: Visit, reader: Reader): RenderContext {
  const { request } = visit
  const referrer = request.headers.get('referer')
  return {
    ...reader,
    templateContext: shown,
    url: requestAddress(visit),
    signal: request.signal,
    ...(referrer === null ? {} : { referrer }),
  }
}
