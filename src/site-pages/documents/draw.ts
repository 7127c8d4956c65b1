/** Draws the builder's parts of a page: the templates for its locations, and the document of its post. */

import type { RenderContext, Rendered, TemplateContext } from '../../render/builder/pass/render-context.ts'
import { requestAddress, type Visit } from '../visit.ts'

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
    render.at('header', shown, context),
    hasMain ? render.at(location, shown, context) : undefined,
    render.at('footer', shown, context),
  ])
  const main = template ?? (hasMain && 'post' in shown ? await render.document(shown.post, context) : undefined)
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
