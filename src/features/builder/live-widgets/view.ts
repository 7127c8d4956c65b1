/** Draws one widget of a document: what the page shows, for other filters, another page or a search. */

import type { TermTree } from '../../../contract/storage.ts'
import type { Context } from '../../../core/declare/context.ts'
import { builderRenderOf } from '../../../render/builder/assembly/lazy.ts'
import type { RenderedPart } from '../../../render/builder/assembly/render.ts'
import { idOf } from '../../../render/builder/document/values.ts'
import { type BuilderElement, settingsOf } from '../../shared/elements.ts'
import type { BuilderDocument } from './model.ts'

type ViewContext = Pick<Context, 'app' | 'settings' | 'storage' | 'user'>

interface WidgetRequest {
  readonly document: BuilderDocument
  readonly element: BuilderElement
  /** The element is not saved: the rights of the caller count. */
  readonly isUnsaved: boolean
  /** The page number, which starts at 1. */
  readonly page: number
  readonly terms?: readonly TermTree[]
  /** The address of the page around, which links to other pages begin with. */
  readonly url?: string
}

/** The HTML inside the widget; empty when it shows nothing. */
export async function widgetHtml(context: ViewContext, request: WidgetRequest): Promise<string> {
  return (await draw(context, request))?.html ?? ''
}

function draw(
  { app, settings, storage, user }: ViewContext,
  { document, element, isUnsaved, page, terms = [], url }: WidgetRequest,
  search?: string,
): Promise<RenderedPart | undefined> {
  const { id } = document.post
  const where = { storage, site: settings, now: app.clock(), isPermitted: true }
  const refresh = { element: String(element['id']), page, terms }
  const part = { element, refresh, ...(isUnsaved ? { editor: user.id } : {}) }
  const address = search === undefined ? url : `${settings.home}/?${new URLSearchParams({ s: search })}`
  return builderRenderOf(app).part(where, id, part, {
    ...(user.id > 0 ? { user: user.id } : {}),
    ...(address === undefined ? {} : { url: address }),
    templateContext: search === undefined ? { post: id } : { archive: 'search' },
    unlocked: [id],
  })
}

// ---------------------------------------------------------------- loops and searches

/** A loop without a template has cards of the posts widget, in a container with its id. */
export async function loopHtml(context: ViewContext, request: WidgetRequest): Promise<Refreshed> {
  const element = { widgetType: 'loop-grid', ...request.element }
  const isWhole = idOf(settingsOf(element)['template_id']) !== undefined || element.widgetType !== 'loop-grid'
  const drawn = await draw(context, { ...request, element: isWhole ? element : asPosts(element) })
  const html = drawn?.html ?? ''
  // The page has the rules of the template, but not those of other posts.
  const ofItems = (drawn?.css ?? []).filter(({ key }) => key.endsWith('-items'))
  return { data: isWhole ? html : contained(element, html), css: rulesOf(ofItems) }
}

interface Refreshed {
  readonly data: string
  readonly css: string
}

const rulesOf = (sheets: RenderedPart['css']): string => sheets.map(({ css }) => css).join('')

/** Sheets of the site: a page whose parts are replaced has all of them. */
const ofSite = /^(?:base(?:-\d+)?|variables|kit)$/

const contained = (element: BuilderElement, html: string): string =>
  html === '' ? '' : `<div data-id="${String(element['id']).replace(/[^\w-]+/g, '')}">${html}</div>`

/** The posts widget calls the settings of a list by another prefix. */
function asPosts(element: BuilderElement): BuilderElement {
  const settings = Object.entries(settingsOf(element)).map(([name, value]) => [
    name.replace(/^post_query_/, 'posts_'),
    value,
  ])
  return { ...element, widgetType: 'posts', settings: Object.fromEntries(settings) }
}

interface SearchResults extends Refreshed {
  /** Links to the other pages. */
  readonly pagination: string
}

/** The results as the loop of a page of results: in the template of the widget, where it has one. */
export async function searchResults(
  context: ViewContext,
  request: WidgetRequest,
  text: string,
): Promise<SearchResults> {
  if (text.trim() === '') return { data: '', pagination: '', css: '' }
  const own = settingsOf(request.element)
  const settings = {
    ...own,
    post_query_post_type: 'current_query',
    posts_per_page: own['number_of_items'] ?? own['posts_per_page'] ?? 6,
    pagination_type: own['pagination_type'] || 'numbers',
  }
  const loop = { ...request.element, widgetType: 'loop-grid', settings }
  const hasTemplate = idOf(own['template_id']) !== undefined
  const whole = hasTemplate ? loop : asPosts(loop)
  const drawn = await draw(context, { ...request, element: whole }, text)
  const { html = '', pagination = '', css = [] } = drawn ?? {}
  // The links follow the list.
  const data = html.slice(0, html.length - pagination.length)
  const rules = rulesOf(css.filter(({ key }) => !ofSite.test(key)))
  return { data: hasTemplate ? data : contained(loop, data), pagination, css: rules }
}
