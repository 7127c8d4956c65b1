/**
 * Replaces the shortcodes of a text: first those of the builder and the host, then those of articles. Unknown shortcodes stay
 * as typed; the drawn page has a warning that names them.
 */
import { decodeReferences } from '../../filter/references.ts'
import { readAttributes } from '../../text/shortcodes/attributes.ts'
import { renderShortcodes } from '../../text/shortcodes.ts'
import { trusted } from '../html/markup.ts'
import type { Child } from '../html/nodes.ts'
import type { Pass, Shortcode } from '../pass/pass.ts'
import type { Scope } from '../pass/scope.ts'
import { shortcodeAnswers, shortcodeKey } from '../records/service-answers.ts'
import { type FoundShortcode, findShortcodes } from './parse.ts'

interface Around {
  readonly pass: Pass
  readonly scope: Scope
  /** Writes the HTML between the shortcodes. */
  readonly write: (html: string) => Child
}

/** Shortcodes of articles, which render/text replaces in the rest of the text. */
const OF_ARTICLES: ReadonlySet<string> = new Set(['audio', 'video', 'caption', 'embed'])

export function applyShortcodes(html: string, around: Around): Child {
  const { pass, scope, write } = around
  const articleText = (text: string) => (text === '' ? undefined : write(renderShortcodes(text, { id: scope.post })))
  const hasHost = pass.records.source.services.shortcode !== undefined
  const isKnown = (name: string) => builtIn(name, pass) !== undefined || (hasHost && !OF_ARTICLES.has(name))
  const parts: Child[] = []
  let end = 0
  for (const found of findShortcodes(html, isKnown)) {
    parts.push(articleText(html.slice(end, found.start)), answer(found, html, around))
    end = found.end
  }
  parts.push(articleText(html.slice(end)))
  return parts
}

/**
 * Warns of what looks like a shortcode of an add-on in a drawn page: each text of each widget is in it. A single word in brackets among
 * others, such as `[sic]`, is text.
 */
export function warnOfShortcodes(html: string, pass: Pass): void {
  const isForeign = (name: string) => builtIn(name, pass) === undefined && !OF_ARTICLES.has(name)
  for (const { name, attributes, inner, isEscaped, start, end } of findShortcodes(html, isForeign)) {
    const isAlone = html[start - 1] === '>' && html[end] === '<'
    if (isEscaped || !(isAlone || inner !== undefined || attributes.includes('=') || /[-_]/.test(name))) continue
    const message = `[${name}] is no shortcode of this site: render.shortcodes can define it`
    pass.warnings.add('unknown_shortcode', undefined, message)
  }
}

/** Finds the template shortcode in both words: a site with a names preset stores another one. */
const builtIn = (name: string, pass: Pass): Shortcode | undefined =>
  pass.tables.shortcode(name) ??
  (/^[a-z]+-template$/.test(name) ? pass.tables.shortcode('builder-template') : undefined)

function answer(found: FoundShortcode, html: string, { pass, scope, write }: Around): Child {
  const { name, inner, start, end, isEscaped } = found
  if (isEscaped) return write(html.slice(start + 1, end - 1))
  const attributes = Object.fromEntries(
    [...readAttributes(found.attributes)].map(([key, value]) => [key, decodeReferences(value)]),
  )
  const shortcode = builtIn(name, pass)
  const common = { name, attributes, ...(inner === undefined ? {} : { inner }) }
  if (shortcode) return shortcode({ ...common, pass, scope })
  pass.depend(`shortcode:${name}`)
  const result = pass.get(shortcodeAnswers, shortcodeKey(name, attributes, inner))
  return result === undefined ? write(html.slice(start, end)) : trusted(result)
}
