/**
 * Plain semantic HTML of a builder document: what it says, not how it looks. Texts are escaped, markup in them is filtered
 * whoever wrote it, and addresses are made harmless. A host that draws its pages itself puts its own in place.
 */

import { attributes } from '../text/attributes.ts'
import { type BuilderNode, isNode, text, widgets } from './widgets.ts'

interface BuilderHtmlOptions {
  /**
   * The HTML of a widget that this file cannot draw, e.g. a list of posts; undefined leaves it to the table of widgets.
   * What it answers is taken as it is.
   */
  readonly widget?: (element: BuilderNode) => string | undefined
}

/** What lies deeper is left out. */
export const maxDepth = 50

export function builderHtml(elements: readonly unknown[], options: BuilderHtmlOptions = {}): string {
  return children(elements, options, 0)
}

function children(elements: unknown, options: BuilderHtmlOptions, depth: number): string {
  if (!Array.isArray(elements) || depth >= maxDepth) return ''
  let html = ''
  for (const element of elements) if (isNode(element)) html += elementHtml(element, options, depth)
  return html
}

function elementHtml(element: BuilderNode, options: BuilderHtmlOptions, depth: number): string {
  const { elType, widgetType } = element
  const inner = () => children(element['elements'], options, depth + 1)
  if (elType !== 'widget' && typeof widgetType !== 'string') return containerHtml(element, inner())
  const own = options.widget?.(element)
  if (own !== undefined) return own
  const draw = typeof widgetType === 'string' && Object.hasOwn(widgets, widgetType) ? widgets[widgetType] : undefined
  const settings = element['settings']
  // What is not known may still hold something that is.
  return draw ? draw(isNode(settings) ? settings : {}, inner) : inner()
}

const containerTags: ReadonlySet<string> = new Set(['section', 'header', 'footer', 'main', 'article', 'aside', 'nav'])

function containerHtml(element: BuilderNode, inner: string): string {
  if (inner === '') return ''
  const settings = isNode(element['settings']) ? element['settings'] : {}
  const named = text(settings['html_tag']) || text(settings['tag'])
  const tag = containerTags.has(named) ? named : element['elType'] === 'section' ? 'section' : 'div'
  return `<${tag}${attributes({ 'data-id': text(element['id']) })}>${inner}</${tag}>`
}
