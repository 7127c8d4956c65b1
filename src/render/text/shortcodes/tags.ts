/** Finds known shortcodes. Typography, excerpts, rendering and documents of the builder share this. */

import { RAW_TEXT } from '../../../html/raw-text.ts'
import { tokenize } from '../../../html/tokenize.ts'
import type { Token } from '../../../html/tokens.ts'
import { isBlank, type Work } from '../typography/signs.ts'
import { builtInShortcode, type ShortcodeNames } from './names.ts'

/** A tag: `[name attributes]` or `[/name]`. */
interface ShortcodeTag {
  readonly name: string
  readonly isClosing: boolean
  readonly start: number
  readonly end: number
  /** The source between the name and the closing bracket. */
  readonly attributes: string
}

/** A shortcode with its content. */
export interface Shortcode {
  readonly name: string
  readonly attributes: string
  readonly start: number
  readonly end: number
  /** The content; null without a closing tag. */
  readonly content: string | null
  /** Whether double brackets enclose it, so that it is shown and not rendered. The span then includes them. */
  readonly isEscaped: boolean
  /** The span of the content: it is empty without a closing tag. */
  readonly inner: { readonly start: number; readonly end: number }
}

const NAME = /(?:[a-z][\w-]*)?/iy

/** A text with its tokens, and the names that are shortcodes in it. */
export interface TokenizedText {
  readonly text: string
  readonly tokens: readonly Token[]
  readonly work: Work
  readonly isShortcode: ShortcodeNames
}

/**
 * Reads the tag of a known shortcode at `at`, the offset of a `[`. Attributes may contain markup, but the tag has to end in
 * text: otherwise rendering it would expose markup inside the attributes of an element or inside a comment.
 */
export function readShortcodeTag(
  { text, tokens, work, isShortcode }: TokenizedText,
  at: number,
): ShortcodeTag | undefined {
  const isClosing = text[at + 1] === '/'
  NAME.lastIndex = at + (isClosing ? 2 : 1)
  const name = NAME.exec(text)?.[0] ?? ''
  work.steps += name.length
  if (name === '' || !isShortcode(name)) return undefined
  const nameEnd = at + (isClosing ? 2 : 1) + name.length
  const next = text[nameEnd]
  if (isClosing || (next !== ']' && next !== '/' && !isBlank(next))) {
    return isClosing && next === ']' ? { name, isClosing, start: at, end: nameEnd + 1, attributes: '' } : undefined
  }
  const close = endOfAttributes(text, nameEnd, work)
  return close === -1 || !isContent(tokens, indexAt(tokens, close, work))
    ? undefined
    : { name, isClosing, start: at, end: close + 1, attributes: text.slice(nameEnd, close) }
}

/**
 * Returns the offset of the `]` that ends the tag, or -1. Brackets between quotes belong to a value. A quote always switches
 * between inside and outside, so two scans over the same text never agree on their state; since a scan ends at a bracket
 * outside of quotes, no character is read more than three times.
 */
function endOfAttributes(text: string, from: number, work: Work): number {
  let quote = ''
  for (let at = from; at < text.length; at += 1) {
    work.steps += 1
    const sign = text[at]
    if (quote !== '') {
      if (sign === quote) quote = ''
    } else if (sign === '"' || sign === "'") quote = sign
    else if (sign === '[') return -1
    else if (sign === ']') return at
  }
  return -1
}

/** Tokens cover the text without gaps, so a binary search finds the token at an offset. */
function indexAt(tokens: readonly Token[], offset: number, work: Work): number {
  let low = 0
  let high = tokens.length - 1
  while (low < high) {
    work.steps += 1
    const middle = (low + high) >> 1
    if ((tokens[middle] as Token).end > offset) high = middle
    else low = middle + 1
  }
  return low
}

/** Returns whether a token is text of the page; text of a script or a text field is not. */
function isContent(tokens: readonly Token[], index: number): boolean {
  const before = tokens[index - 1]
  return tokens[index]?.kind === 'text' && !(before?.kind === 'open' && RAW_TEXT.has(before.lowerName))
}

/** Returns the shortcodes in source order without nested ones. The cost is linear in the length of the text. */
export function findShortcodes(
  html: string,
  work: Work = { steps: 0 },
  isShortcode: ShortcodeNames = builtInShortcode,
): Shortcode[] {
  if (!html.includes('[')) return []
  const tags = shortcodeTags({ text: html, tokens: tokenize(html), work, isShortcode })
  return tags.length === 0 ? [] : outermost(html, tags, partners(tags))
}

function shortcodeTags(source: TokenizedText): ShortcodeTag[] {
  const tags: ShortcodeTag[] = []
  source.tokens.forEach((token, index) => {
    source.work.steps += 1
    if (isContent(source.tokens, index)) addTags(source, token, tags)
  })
  return tags
}

function addTags(source: TokenizedText, { start, end }: Token, tags: ShortcodeTag[]): void {
  const text = source.text.slice(start, end)
  for (let open = text.indexOf('['); open !== -1; open = text.indexOf('[', open + 1)) {
    const at = start + open
    const tag = at < (tags.at(-1)?.end ?? 0) ? undefined : readShortcodeTag(source, at)
    if (tag !== undefined) tags.push(tag)
  }
}

/** Returns the index of the closing tag by that of the opening tag. A closing tag matches the nearest open one. */
function partners(tags: readonly ShortcodeTag[]): ReadonlyMap<number, number> {
  const found = new Map<number, number>()
  const open: number[] = []
  const openCount = new Map<string, number>()
  const count = (name: string, change: number) => openCount.set(name, (openCount.get(name) ?? 0) + change)

  tags.forEach(({ name, isClosing }, index) => {
    if (!isClosing) {
      open.push(index)
      count(name, 1)
    } else if ((openCount.get(name) ?? 0) > 0) {
      found.set(popUntil(name), index)
    }
  })
  return found

  function popUntil(name: string): number {
    for (;;) {
      const index = open.pop() as number
      const popped = (tags[index] as ShortcodeTag).name
      count(popped, -1)
      if (popped === name) return index
    }
  }
}

function outermost(html: string, tags: readonly ShortcodeTag[], closing: ReadonlyMap<number, number>): Shortcode[] {
  const found: Shortcode[] = []
  for (let index = 0; index < tags.length; index += 1) {
    const tag = tags[index] as ShortcodeTag
    if (tag.isClosing) continue
    const last = closing.get(index) ?? index
    found.push(shortcodeOf(html, tag, tags[last] as ShortcodeTag))
    index = last
  }
  return found
}

function shortcodeOf(html: string, open: ShortcodeTag, last: ShortcodeTag): Shortcode {
  const isEscaped = html[open.start - 1] === '[' && html[last.end] === ']'
  return {
    name: open.name,
    attributes: open.attributes,
    start: open.start - (isEscaped ? 1 : 0),
    end: last.end + (isEscaped ? 1 : 0),
    content: open === last ? null : html.slice(open.end, last.start),
    isEscaped,
    inner: open === last ? { start: last.end, end: last.end } : { start: open.end, end: last.start },
  }
}

// ---------------------------------------------------------------- shortcodes that nothing draws

/**
 * Returns the names of what looks like a shortcode of an add-on, in source order: readers see it as it is typed. A single word in
 * brackets among others, such as `[sic]`, is text: a shortcode is alone in its element or on its line, encloses a text, has attributes,
 * or has a name of several words.
 */
export function foreignShortcodes(html: string, isShortcode: ShortcodeNames): string[] {
  if (!html.includes('[')) return []
  const isForeign = (name: string) => !isShortcode(name)
  const tags = shortcodeTags({ text: html, tokens: tokenize(html), work: { steps: 0 }, isShortcode: isForeign })
  const closing = partners(tags)
  return tags.flatMap((tag, index) => {
    if (tag.isClosing) return []
    const last = closing.get(index)
    const { end } = tags[last ?? index] as ShortcodeTag
    const isEscaped = html[tag.start - 1] === '[' && html[end] === ']'
    const isMeant = last !== undefined || tag.attributes.includes('=') || /[-_]/.test(tag.name) || isAlone(html, tag)
    return isEscaped || !isMeant ? [] : [tag.name]
  })
}

/** Looks at a few characters around it only, so that the cost stays linear. */
const isAlone = (html: string, { start, end }: ShortcodeTag): boolean =>
  /(?:^|[>\n])[ \t]*$/.test(html.slice(Math.max(0, start - 20), start)) &&
  /^[ \t]*(?:$|[<\r\n])/.test(html.slice(end, end + 20))
