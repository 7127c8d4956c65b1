/**
 * Reads HTML as the items of the paragraph rule: texts, line breaks, block elements, paragraphs and inline markup, each with
 * its source.
 */

import { RAW_TEXT } from '../../../html/raw-text.ts'
import { tokenize } from '../../../html/tokenize.ts'
import type { OpenTag, Token } from '../../../html/tokens.ts'
import type { Work } from '../typography/signs.ts'
import {
  BLOCK_ELEMENTS,
  MEDIA_ELEMENTS,
  OPAQUE_ELEMENTS,
  QUIET_ELEMENTS,
  TIGHT_ELEMENTS,
  TIGHT_IN_MEDIA,
  TIGHT_VOIDS,
  VOID_BLOCKS,
} from './elements.ts'

/**
 * - text: line ends are `\n`
 * - break: a written `<br>` without attributes
 * - leaf: a block element as a whole
 * - open, close: the tags of elements that are no leaf and no paragraph
 * - start, end: the tags of written paragraphs
 * - markup: comments, and elements that are copied as a whole within a line
 */
export type ItemKind = 'text' | 'break' | 'leaf' | 'open' | 'close' | 'start' | 'end' | 'markup'

export interface Item {
  readonly kind: ItemKind
  source: string
  /** The element's name as written; empty for texts and comments. */
  readonly name: string
  /** Whether the tag separates the text around it. An inline element does when it contains a blank line or a block element. */
  isBlock: boolean
  /** Whether this is, or is inside, an element that opens no paragraph. */
  isQuiet: boolean
  /** The index of the matching tag, or -1. */
  partner: number
}

/** Returns the items in source order; `partner` is not set yet. */
export function readItems(html: string, work: Work): Item[] {
  const tokens = tokenize(html)
  const reader = createReader(html, work, endsOfElements(tokens))
  for (let index = 0; index < tokens.length; index += 1) {
    work.steps += 1
    index = readToken(reader, tokens, index)
  }
  return reader.items
}

function endsOfElements(tokens: readonly Token[]): ReadonlyMap<number, number> {
  const ends = new Map<number, number>()
  const open = new Map<string, number[]>()
  tokens.forEach((token, index) => {
    if (token.kind !== 'open' && token.kind !== 'close') return
    const { name } = token
    if (name !== 'textarea' && !OPAQUE_ELEMENTS.has(name)) return
    const starts = open.get(name) ?? []
    open.set(name, starts)
    const start = token.kind === 'open' ? undefined : starts.pop()
    if (token.kind === 'open') starts.push(index)
    if (start !== undefined) ends.set(start, index)
  })
  return ends
}

interface Reader {
  readonly html: string
  readonly items: Item[]
  readonly work: Work
  /** The index of the token that closes an element, by the index of the token that opens it. */
  readonly ends: ReadonlyMap<number, number>
  mediaDepth: number
  dropsBlanks: boolean
}

const createReader = (html: string, work: Work, ends: ReadonlyMap<number, number>): Reader => ({
  html,
  items: [],
  work,
  ends,
  mediaDepth: 0,
  dropsBlanks: false,
})

/** Adds the item of a token or of an opaque element, and returns the index of its last token. */
function readToken(reader: Reader, tokens: readonly Token[], index: number): number {
  const token = tokens[index] as Token
  if (token.kind === 'text') addText(reader, token)
  else if (token.kind === 'open') return readOpenTag(reader, tokens, index, token)
  else if (token.kind === 'close') readCloseTag(reader, token, token.name)
  else add(reader, 'markup', '', withLineFeeds(sourceOf(reader, token, token)))
  return index
}

const sourceOf = ({ html }: Reader, first: Token, last: Token): string => html.slice(first.start, last.end)

const withLineFeeds = (text: string): string => (text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text)

function add({ items }: Reader, kind: ItemKind, name: string, source: string): void {
  const isBlock = kind === 'leaf' || BLOCK_ELEMENTS.has(name)
  items.push({ kind, source, name, isBlock, isQuiet: QUIET_ELEMENTS.has(name), partner: -1 })
}

function addText(reader: Reader, token: Token): void {
  const source = withLineFeeds(withoutOpenTags(reader, token))
  const text = reader.dropsBlanks ? source.slice(endOfBlanks(source)) : source
  if (text === '') return
  reader.dropsBlanks = false
  reader.work.steps += source.length
  const isWhole = token.end === reader.html.length
  const plain = isRaw(reader) ? 0 : addLoneSigns(reader, text, isWhole)
  if (plain < text.length) add(reader, 'text', '', text.slice(plain))
}

/**
 * Returns the offset of the text that is left. Interface: a `<` that starts no tag counts as one that ends with the next `>`, and keeps
 * the line ends inside; without a `>` it ends with the text, and a line end follows.
 */
function addLoneSigns(reader: Reader, text: string, isWhole: boolean): number {
  let at = 0
  for (let open = text.indexOf('<'); open !== -1; open = text.indexOf('<', at)) {
    const close = text.indexOf('>', open)
    if (close === -1 && !isWhole) break
    if (open > at) add(reader, 'text', '', text.slice(at, open))
    at = close === -1 ? text.length : close + 1
    add(reader, 'markup', '', close === -1 ? `${text.slice(open).trimEnd()}\n` : text.slice(open, at))
  }
  return at
}

/** A tag that never ends would consume the closing tag of its paragraph, so its `<` becomes a reference. */
function withoutOpenTags(reader: Reader, token: Token): string {
  const source = sourceOf(reader, token, token)
  if (token.end < reader.html.length || isRaw(reader)) return source
  return source.replace(/<(?=[a-z/])/gi, '&lt;')
}

/** Whether the text that follows is that of an element without markup. */
function isRaw({ items }: Reader): boolean {
  const last = items.at(-1)
  return last?.kind === 'open' && RAW_TEXT.has(last.name.toLowerCase())
}

function endOfBlanks(text: string): number {
  let end = 0
  while (isPlainBlank(text.charCodeAt(end))) end += 1
  return end
}

/** Accepts tab, line end, form feed and blank. A non-breaking blank is text. */
const isPlainBlank = (code: number): boolean => code === 32 || code === 9 || code === 10 || code === 12

/** Removes the blanks at the end of the last text. */
function dropBlanksBefore({ items }: Reader): void {
  const last = items.at(-1)
  if (last?.kind !== 'text') return
  let end = last.source.length
  while (isPlainBlank(last.source.charCodeAt(end - 1))) end -= 1
  if (end === 0) items.pop()
  else last.source = last.source.slice(0, end)
}

function readOpenTag(reader: Reader, tokens: readonly Token[], index: number, token: OpenTag): number {
  const { name } = token
  const isTightVoid = TIGHT_VOIDS.has(name) || (reader.mediaDepth > 0 && TIGHT_IN_MEDIA.has(name))
  if (isTightVoid || TIGHT_ELEMENTS.has(name)) dropBlanksBefore(reader)
  reader.dropsBlanks = isTightVoid
  if (MEDIA_ELEMENTS.has(name)) reader.mediaDepth += 1
  const last = reader.ends.get(index)
  if (last !== undefined) addElement(reader, tokens, index, last, token)
  else add(reader, kindOf(token), name, withLineFeeds(sourceOf(reader, token, token)))
  return last ?? index
}

function kindOf({ name, attributes }: OpenTag): ItemKind {
  if (name === 'p') return 'start'
  if (name === 'br' && attributes.length === 0) return 'break'
  return VOID_BLOCKS.has(name) ? 'leaf' : 'open'
}

function addElement(reader: Reader, tokens: readonly Token[], index: number, last: number, { name }: OpenTag): void {
  const source = sourceOf(reader, tokens[index] as Token, tokens[last] as Token)
  const text = name === 'pre' ? source : withLineFeeds(source)
  if (BLOCK_ELEMENTS.has(name)) add(reader, 'leaf', name, text)
  else if (OPAQUE_ELEMENTS.has(name)) add(reader, 'markup', name, text)
  else add(reader, 'markup', name, withBreaks(reader, text, tokens[index] as Token))
}

/**
 * Interface: single line ends in a text field become breaks. Choice: a text field that contains a blank line stays unchanged.
 */
function withBreaks({ html }: Reader, text: string, open: Token): string {
  const tag = withLineFeeds(html.slice(open.start, open.end))
  const content = text.slice(tag.length)
  return content.includes('\n\n') ? text : tag + content.replaceAll('\n', '<br />\n')
}

function readCloseTag(reader: Reader, token: Token, name: string): void {
  const isTight = TIGHT_ELEMENTS.has(name)
  reader.dropsBlanks = isTight || TIGHT_VOIDS.has(name)
  if (MEDIA_ELEMENTS.has(name) && reader.mediaDepth > 0) reader.mediaDepth -= 1
  add(reader, name === 'p' ? 'end' : 'close', name, withLineFeeds(sourceOf(reader, token, token)))
}
