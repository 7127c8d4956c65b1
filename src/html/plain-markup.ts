/**
 * The front part of HTML that needs no state machine: text, and tags and comments in the one form that editors write. Its
 * tokens are the tokenizer's, found with searches instead of a step for each character.
 */
import { RAW_TEXT } from './raw-text.ts'
import type { Attribute, Comment, OpenTag, Token } from './tokens.ts'

/**
 * Adds the tokens up to the first markup in another form and gives the offset where it, or the text before it, begins; the
 * length of the source when there is none. A token ends there, so that a tokenizer may begin anew.
 */
export function readPlainMarkup(html: string, tokens: Token[], rawText: boolean): number {
  let next = 0
  for (let open = html.indexOf('<'); open !== -1; open = html.indexOf('<', Math.max(next, open + 1))) {
    if (isLoneLessThan(html, open)) continue
    const token = readMarkup(html, open)
    if (token === undefined || (rawText && token.kind === 'open' && RAW_TEXT.has(token.name))) return next
    if (open > next) tokens.push({ kind: 'text', start: next, end: open })
    tokens.push(token)
    next = token.end
  }
  if (html.length > next) tokens.push({ kind: 'text', start: next, end: html.length })
  return html.length
}

const TAB = 9
const LINE_FEED = 10
const BLANK = 32
const EXCLAMATION = 33
const DOUBLE_QUOTE = 34
const SINGLE_QUOTE = 39
const HYPHEN = 45
const SLASH = 47
const EQUALS = 61
const GREATER = 62
const QUESTION = 63

const isLowerCase = (code: number): boolean => code >= 97 && code <= 122
const isUpperCase = (code: number): boolean => code >= 65 && code <= 90
const isDigit = (code: number): boolean => code >= 48 && code <= 57
const isBlank = (code: number): boolean => code === BLANK || code === LINE_FEED || code === TAB

/** A `<` in front of these would start markup. At the end of the source it is left to the tokenizer. */
function isLoneLessThan(html: string, open: number): boolean {
  const code = html.charCodeAt(open + 1)
  const startsMarkup = code === SLASH || code === EXCLAMATION || code === QUESTION || isLowerCase(code)
  return !startsMarkup && !isUpperCase(code) && open + 1 < html.length
}

function readMarkup(html: string, open: number): Token | undefined {
  const code = html.charCodeAt(open + 1)
  if (isLowerCase(code)) return readOpenTag(html, open)
  if (code === SLASH) return readCloseTag(html, open)
  return code === EXCLAMATION ? readComment(html, open) : undefined
}

/** Names in lower case need no second form. */
function endOfName(html: string, start: number): number {
  let end = start
  for (let code = html.charCodeAt(end); isLowerCase(code) || isDigit(code); code = html.charCodeAt(end)) end += 1
  return end
}

function readCloseTag(html: string, open: number): Token | undefined {
  const start = open + 2
  if (!isLowerCase(html.charCodeAt(start))) return undefined
  const end = endOfName(html, start)
  if (html.charCodeAt(end) !== GREATER) return undefined
  const name = html.slice(start, end)
  return { kind: 'close', start: open, end: end + 1, name, lowerName: name }
}

/** Two hyphens in a comment end it, or come near to it. */
function readComment(html: string, open: number): Comment | undefined {
  const start = open + 4
  const first = html.charCodeAt(start)
  if (!html.startsWith('<!--', open) || first === HYPHEN || first === GREATER) return undefined
  const hyphens = html.indexOf('--', start)
  if (hyphens === -1 || html.charCodeAt(hyphens + 2) !== GREATER) return undefined
  return { kind: 'comment', start: open, end: hyphens + 3, text: html.slice(start, hyphens) }
}

const NO_ATTRIBUTES: readonly Attribute[] = []

function readOpenTag(html: string, open: number): OpenTag | undefined {
  const nameEnd = endOfName(html, open + 1)
  const name = html.slice(open + 1, nameEnd)
  if (html.charCodeAt(nameEnd) === GREATER) return openTag(name, open, nameEnd + 1, NO_ATTRIBUTES, false)
  const attributes: Attribute[] = []
  let at = nameEnd
  for (;;) {
    const behind = endOfBlanks(html, at)
    const code = html.charCodeAt(behind)
    if (code === GREATER) return openTag(name, open, behind + 1, attributes, false)
    if (code === SLASH) {
      const isEnd = html.charCodeAt(behind + 1) === GREATER
      return isEnd ? openTag(name, open, behind + 2, attributes, true) : undefined
    }
    const attribute = behind === at ? undefined : readAttribute(html, behind)
    if (attribute === undefined) return undefined
    attributes.push(attribute)
    at = attribute.end
  }
}

const openTag = (
  name: string,
  start: number,
  end: number,
  attributes: readonly Attribute[],
  isSelfClosing: boolean,
): OpenTag => ({ kind: 'open', start, end, name, lowerName: name, isSelfClosing, attributes })

function endOfBlanks(html: string, start: number): number {
  let end = start
  while (isBlank(html.charCodeAt(end))) end += 1
  return end
}

/** `name="value"` or `name='value'`. */
function readAttribute(html: string, start: number): Attribute | undefined {
  const nameEnd = endOfAttributeName(html, start)
  const quote = html.charCodeAt(nameEnd + 1)
  const isQuoted = quote === DOUBLE_QUOTE || quote === SINGLE_QUOTE
  if (nameEnd === start || html.charCodeAt(nameEnd) !== EQUALS || !isQuoted) return undefined
  const valueEnd = html.indexOf(quote === DOUBLE_QUOTE ? '"' : "'", nameEnd + 2)
  if (valueEnd === -1) return undefined
  return { name: html.slice(start, nameEnd), value: html.slice(nameEnd + 2, valueEnd), start, end: valueEnd + 1 }
}

function endOfAttributeName(html: string, start: number): number {
  let end = start
  for (let code = html.charCodeAt(end); isOfAttributeName(code); code = html.charCodeAt(end)) end += 1
  return end
}

const isOfAttributeName = (code: number): boolean =>
  isLowerCase(code) || isUpperCase(code) || isDigit(code) || code === HYPHEN
