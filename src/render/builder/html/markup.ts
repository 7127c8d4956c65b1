/** The only file that creates `Markup`. Each function states why its HTML may be written unescaped. */
import { lookupTable } from '../../../contract/lookup-table.ts'
import { createContentFilter, filterContent } from '../../filter/filter.ts'
import { balanced } from './balance.ts'
import { type Child, type HtmlElement, h, Markup } from './nodes.ts'

/** Matches a text without tags, references and comments, which the filter would not change. */
const PLAIN = /^[^<>&\0-\x08\x0b\x0c\x0e-\x1f]*$/

/**
 * Filters a text of users by the site's allow list for post content.
 *
 * ```ts
 * import { filtered, h } from 'site-api/render'
 *
 * export const note = (html: string) => h('div', {}, filtered(html))
 * ```
 */
export const filtered = (text: string): Child => (PLAIN.test(text) ? text : new Markup(balanced(filterContent(text))))

/**
 * Marks HTML of a service of the host as safe.
 *
 * ```ts
 * import { h, trusted } from 'site-api/render'
 *
 * export const icon = h('span', {}, trusted('<svg></svg>'))
 * ```
 */
export const trusted = (html: string): Markup => new Markup(html)

/** Marks HTML of an author with the right to unfiltered HTML as safe. It is balanced, so that it ends inside its element. */
export const unfiltered = (html: string): Markup => new Markup(balanced(html))

const JSON_ESCAPES: { readonly [sign: string]: string } = lookupTable({
  '<': '\\u003c',
  '>': '\\u003e',
  '&': '\\u0026',
})

/** Writes JSON for search engines. No character of it can end the script element. */
export const jsonLd = (value: object): HtmlElement =>
  h(
    'script',
    { type: 'application/ld+json' },
    new Markup(JSON.stringify(value).replace(/[<>&]/g, (sign) => JSON_ESCAPES[sign] ?? sign)),
  )

const PHRASES = ['b', 'strong', 'em', 'i', 'u', 'del', 'span', 'br']
const PARAGRAPH = [...PHRASES, 'ul', 'ol', 'li', 'blockquote']
const FORMATS = {
  phrases: { linked: createContentFilter([...PHRASES, 'a']), plain: createContentFilter(PHRASES) },
  paragraph: { linked: createContentFilter([...PARAGRAPH, 'a']), plain: createContentFilter(PARAGRAPH) },
} as const

/** Filters a text of a new-generation element: phrase elements, in a paragraph also lists and quotations. */
export function formatted(
  text: string,
  format: keyof typeof FORMATS,
  { hasLinks }: { readonly hasLinks: boolean },
): Child {
  if (PLAIN.test(text)) return text
  return new Markup(balanced(FORMATS[format][hasLinks ? 'linked' : 'plain'](text)))
}
