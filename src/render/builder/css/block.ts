/** Parses custom CSS inside one rule: declarations and nested rules. Input after an unmatched closing bracket is dropped. */
import { tokenTypes as css, tokenize } from 'css-tree/tokenizer'
import { isRefusedDeclaration, REFUSED_RULES } from './refused.ts'

interface Token {
  readonly type: number
  readonly text: string
}

interface Reader {
  readonly tokens: readonly Token[]
  at: number
}

const maxLength = 100_000
const maxDepth = 20

/** Returns the cleaned content of a rule; empty when nothing is left. */
export function customBlock(source: string): string {
  if (source.length > maxLength) return ''
  const tokens: Token[] = []
  tokenize(source, (type, start, end) => {
    if (type !== css.Comment) tokens.push({ type, text: type === css.WhiteSpace ? ' ' : source.slice(start, end) })
  })
  return readBlock({ tokens, at: 0 }, 0)
}

/** Reads up to the bracket that closes the block. */
function readBlock(reader: Reader, depth: number): string {
  const parts: string[] = []
  while (reader.at < reader.tokens.length) {
    if (reader.tokens[reader.at]?.type === css.RightCurlyBracket) {
      reader.at++
      break
    }
    const part = readItem(reader, depth)
    if (part !== '') parts.push(part)
  }
  return parts.map((part, at) => (part.endsWith('}') || at === parts.length - 1 ? part : `${part};`)).join('')
}

/** Reads one declaration or one nested rule. */
function readItem(reader: Reader, depth: number): string {
  const start = reader.at
  const end = endOfItem(reader.tokens, start)
  const item = reader.tokens.slice(start, end)
  const next = reader.tokens[end]?.type
  const isSound = item.every(isClosed)
  const text = item
    .map((token) => token.text)
    .join('')
    .trim()
  reader.at = next === css.RightCurlyBracket ? end : end + 1
  if (next !== css.LeftCurlyBracket) return isSound ? declaration(text) : ''
  const content = readBlock(reader, depth + 1)
  return isSound && depth < maxDepth && mayOpen(text) && content !== '' ? `${text}{${content}}` : ''
}

/** Returns the index of the `;`, `{` or `}` that ends the item, outside of nested brackets. */
function endOfItem(tokens: readonly Token[], start: number): number {
  let open = 0
  for (let at = start; at < tokens.length; at++) {
    const type = tokens[at]?.type ?? 0
    if (type === css.LeftCurlyBracket || type === css.RightCurlyBracket) return at
    if (type === css.Semicolon && open === 0) return at
    if (OPENING.has(type)) open++
    else if (CLOSING.has(type)) open = Math.max(0, open - 1)
  }
  return tokens.length
}

const OPENING: ReadonlySet<number> = new Set([css.Function, css.LeftParenthesis, css.LeftSquareBracket])
const CLOSING: ReadonlySet<number> = new Set([css.RightParenthesis, css.RightSquareBracket])

/** An unclosed string or address would reach into the rest of the sheet. */
function isClosed({ type, text }: Token): boolean {
  if (type === css.String) return text.length > 1 && text.at(-1) === text.charAt(0) && !text.endsWith('\\')
  if (type === css.Url) return text.endsWith(')')
  return !REFUSED_TOKENS.has(type)
}

const REFUSED_TOKENS: ReadonlySet<number> = new Set([css.BadString, css.BadUrl, css.CDO, css.CDC])

function declaration(text: string): string {
  const colon = text.indexOf(':')
  const name = text.slice(0, colon).trim()
  const value = text.slice(colon + 1).trim()
  if (colon < 0 || value === '' || !/^-?-?[a-z_][\w-]*$/i.test(name) || !isBalanced(value)) return ''
  return isRefusedDeclaration(name, value) ? '' : `${name}:${value}`
}

const mayOpen = (prelude: string): boolean =>
  isBalanced(prelude) && !REFUSED_RULES.has(/^@([\w-]+)/.exec(prelude)?.[1]?.toLowerCase() ?? '')

/** Returns whether brackets outside of strings match. */
function isBalanced(text: string): boolean {
  const open: string[] = []
  let isSound = true
  tokenize(text, (type, start, end) => {
    if (type === css.Function || type === css.LeftParenthesis) open.push(')')
    else if (type === css.LeftSquareBracket) open.push(']')
    else if (CLOSING.has(type) && open.pop() !== text.slice(start, end)) isSound = false
  })
  return isSound && open.length === 0
}
