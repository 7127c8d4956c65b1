/** The only place that creates `Markup`: each function says why its HTML may be written as it is. */
import { createContentFilter, filterContent } from '../../filter/filter.ts'
import { balanced } from './balance.ts'
import { type Child, type HtmlElement, h, Markup } from './nodes.ts'

/** Neither a tag, a reference nor a comment: the filter would not change it. */
const PLAIN = /^[^<>&\0-\x08\x0b\x0c\x0e-\x1f]*$/

/**
 * A text of users: the site's allow list for post content, whoever wrote it.
 *
 * ```ts
 * import { filtered, h } from 'site-api/render'
 *
 * export const note = (html: string) => h('div', {}, filtered(html))
 * ```
 */
export const filtered = (text: string): Child => (PLAIN.test(text) ? text : new Markup(balanced(filterContent(text))))

/**
 * What a service of the host answered.
 *
 * ```ts
 * import { h, trusted } from 'site-api/render'
 *
 * export const icon = h('span', {}, trusted('<svg></svg>'))
 * ```
 */
export const trusted = (html: string): Markup => new Markup(html)

/** A text of an author who may write unfiltered HTML. It still ends inside the element it is written in. */
export const unfiltered = (html: string): Markup => new Markup(balanced(html))

const JSON_ESCAPES: { readonly [sign: string]: string } = { '<': '\\u003c', '>': '\\u003e', '&': '\\u0026' }

/** Data of search engines: JSON in which no character can end the element. */
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

/** A text of the new generation: a few elements of phrases, in a paragraph also lists and quotations. */
export function formatted(
  text: string,
  format: keyof typeof FORMATS,
  { hasLinks }: { readonly hasLinks: boolean },
): Child {
  if (PLAIN.test(text)) return text
  return new Markup(balanced(FORMATS[format][hasLinks ? 'linked' : 'plain'](text)))
}
