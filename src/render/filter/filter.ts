/**
 * Filters texts of users without the right to unfiltered HTML: an allow list over tokens, and a serializer. It neither closes
 * nor nests elements. Every `<` of the result belongs to a listed tag or a comment, so a parser in any state finds no other
 * markup, and filtering the result again changes nothing.
 */
import { tokenize } from '../../html/tokenize.ts'
import type { OpenTag } from '../../html/tokens.ts'
import { safeAttributes } from './attributes.ts'
import { type Filter, OpenBlocks, safeComment, safeMarker } from './comments.ts'
import { type AllowList, attributesOf, CONTENT, partOfContent, TITLE } from './elements.ts'
import { safeText } from './references.ts'

interface FilterOptions {
  /** The address of the site. Without it no `object` is allowed. */
  readonly home?: string
}

/** The C0 controls except tab and line ends. */
const CONTROLS = /[\0-\x08\x0b\x0c\x0e-\x1f]+/g

/** Filters contents and excerpts: the elements of articles and block markers are allowed. */
export function filterContent(html: string, { home }: FilterOptions = {}): string {
  if (isPlain(html)) return html
  const rules: Rules = { list: CONTENT, home, hasBlocks: true }
  return filtered(html.replace(CONTROLS, ''), rules)
}

/** Filters titles: a few phrase elements are allowed. Blanks at both ends stay. */
export const filterTitle = (html: string): string =>
  isPlain(html) ? html : filtered(html.replace(CONTROLS, ''), TITLE_RULES)

/** Creates a filter that allows only some elements of articles. */
export function createContentFilter(names: readonly string[]): (html: string) => string {
  const rules: Rules = { list: partOfContent(names), home: undefined, hasBlocks: false }
  return (html) => (isPlain(html) ? html : filtered(html.replace(CONTROLS, ''), rules))
}

/** Returns whether the text contains none of the characters that the filter looks for, like most titles. */
function isPlain(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code <= GREATER_THAN && IS_SPECIAL[code]) return false
  }
  return true
}

const GREATER_THAN = 62
const IS_SPECIAL: readonly boolean[] = Array.from({ length: GREATER_THAN + 1 }, (_, code) =>
  /[\0-\x08\x0b\x0c\x0e-\x1f&<>]/.test(String.fromCharCode(code)),
)

interface Rules {
  readonly list: AllowList
  readonly home: string | undefined
  readonly hasBlocks: boolean
}

const TITLE_RULES: Rules = { list: TITLE, home: undefined, hasBlocks: false }

/** Only a whole text has blocks: inside attributes of a marker and inside comments, markers are ordinary comments. */
function filtered(html: string, rules: Rules): string {
  const inner: Rules = { ...rules, hasBlocks: false }
  const filterString: Filter = (text) => filtered(text.replace(CONTROLS, ''), inner)
  const filterInside: Filter = (text) => serialized(text, rules, (_comment, source) => safeText(source))
  const blocks = new OpenBlocks()
  const readMarker = (comment: string): string | undefined => {
    const found = rules.hasBlocks ? safeMarker(comment, filterString) : undefined
    return found && blocks.write(found.marker, found.source)
  }
  const written = serialized(
    html,
    rules,
    (comment) => readMarker(comment) ?? safeComment(comment, filterInside, readMarker),
  )
  return written + blocks.end()
}

/** `writeComment` receives the text and the source of a comment. */
function serialized(html: string, rules: Rules, writeComment: (text: string, source: string) => string): string {
  const { list, home } = rules
  const parts: string[] = []
  // The tags of scripts and styles are removed, so their content is read as markup.
  for (const token of tokenize(html, { rawText: false })) {
    const { kind, start, end } = token
    if (kind === 'text') parts.push(textWithTags(html.slice(start, end), list))
    else if (kind === 'comment') parts.push(writeComment(token.text, html.slice(start, end)))
    else if (kind === 'close' && attributesOf(list, token.lowerName)) parts.push(`</${token.name}>`)
    else if (kind === 'open') parts.push(safeOpenTag(html, token, list, home))
  }
  return parts.join('')
}

function safeOpenTag(html: string, token: OpenTag, list: AllowList, home: string | undefined): string {
  const attributes = safeAttributes(token, list, home)
  if (attributes === undefined) return ''
  // Interface: a slash before the end of the tag stays, even as the last character of an unquoted value.
  return `<${token.name}${attributes}${html.charAt(token.end - 2) === '/' ? ' />' : '>'}`
}

const SPACED_TAG = /<[\t\n\r ]+(\/?)([a-z][a-z0-9]*)[\t\n\r ]*>/gi

/** Interface: a listed element counts as a tag even with blanks after `<`, which HTML reads as text. */
function textWithTags(source: string, list: AllowList): string {
  if (!source.includes('<')) return safeText(source)
  let written = ''
  let from = 0
  for (const { 0: tag, 1: slash, 2: name = '', index } of source.matchAll(SPACED_TAG)) {
    if (attributesOf(list, name.toLowerCase()) === undefined) continue
    written += `${safeText(source.slice(from, index))}<${slash}${name}>`
    from = index + tag.length
  }
  return written + safeText(source.slice(from))
}
