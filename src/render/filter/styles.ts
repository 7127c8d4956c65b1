/** Filters style attributes: each declaration stays as written or is removed whole. Values are read as css-tree's tokens. */
import { tokenTypes as css, tokenize } from 'css-tree/tokenizer'
import { isSafeAddress } from './addresses.ts'
import { FUNCTIONS, GRADIENTS, INNER_FUNCTIONS, PROPERTIES, WITH_ADDRESS, WITH_GRADIENT } from './style-properties.ts'

/**
 * Characters that no declaration may contain: escapes, references, assignments of old filters, blocks, comments and the byte
 * order mark.
 */
const FORBIDDEN = /[\\&={}\ufeff]|\/\*|\*\//
/** CSS Syntax, whitespace. Names may contain all other blanks of Unicode. */
const BLANKS = '\t\n\f\r '
const CUSTOM = /^--[\w-]+$/
/** A part without a colon is no declaration. A browser skips it if it has only these characters. */
const SKIPPED_BY_BROWSERS = /^[\w #%+,./)!-]+$/

/** Returns the allowed declarations, joined by `;`. `style` is decoded; the caller escapes the result. */
export const safeStyle = (style: string): string => style.split(';').map(trimmed).filter(isSafePart).join(';')

function trimmed(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && BLANKS.includes(text.charAt(start))) start++
  while (end > start && BLANKS.includes(text.charAt(end - 1))) end--
  return text.slice(start, end)
}

function isSafePart(part: string): boolean {
  if (part === '' || FORBIDDEN.test(part)) return false
  const colon = part.indexOf(':')
  if (colon === -1) return SKIPPED_BY_BROWSERS.test(part)
  const name = trimmed(part.slice(0, colon))
  const isCustom = CUSTOM.test(name)
  if (!(isCustom || PROPERTIES.has(name))) return false
  const value = trimmed(part.slice(colon + 1))
  if (value === '') return false
  return isSafeValue(value, {
    mayHoldAddress: isCustom || WITH_ADDRESS.has(name),
    mayHoldGradient: isCustom || WITH_GRADIENT.has(name),
  })
}

interface AllowedValues {
  readonly mayHoldAddress: boolean
  readonly mayHoldGradient: boolean
  /** Functions that may be outermost, besides those that every property accepts. */
  readonly functions?: ReadonlySet<string>
}

/**
 * Returns whether a value is safe in any declaration of a style sheet: it ends neither the declaration nor the rule, and loads
 * nothing.
 */
export const isSafeCssValue = (value: string, functions: ReadonlySet<string>): boolean =>
  value !== '' &&
  !FORBIDDEN.test(value) &&
  isSafeValue(value, { mayHoldAddress: false, mayHoldGradient: true, functions })

/** Names an open bracket around a token: a function name, `(`, `[`, or `url(` with quotes. */
type Open = string

/** Token types that are safe at every depth. */
const INERT: ReadonlySet<number> = new Set([
  ...[css.Ident, css.Hash, css.Number, css.Percentage, css.Dimension, css.WhiteSpace],
  ...[css.Colon, css.Comma],
])

/** Operators that values may contain. */
const OPERATORS = '+-*/!'

/** Returns whether every token is allowed in its context and every bracket is closed. */
function isSafeValue(value: string, allowed: AllowedValues): boolean {
  const around: Open[] = []
  let isSafe = true
  tokenize(value, (type, start, end) => {
    if (!isSafe || type === css.WhiteSpace) return
    const source = value.slice(start, end)
    isSafe = around.at(-1) === 'url(' ? mayStandInUrl(type, source, around) : mayStand(type, source, around, allowed)
  })
  return isSafe && around.length === 0
}

function mayStand(type: number, source: string, around: Open[], allowed: AllowedValues): boolean {
  if (INERT.has(type)) return true
  if (type === css.Delim) return OPERATORS.includes(source)
  if (type === css.String) return isClosedString(source)
  if (type === css.Url) return around.length === 0 && allowed.mayHoldAddress && isSafeUrl(source)
  if (type === css.Function) return mayOpen(source, around, allowed)
  if (type === css.LeftParenthesis) return around.length > 0 && around.push('(') > 0
  if (type === css.LeftSquareBracket) return around.push('[') > 0
  if (type === css.RightParenthesis) return around.length > 0 && around.pop() !== '['
  if (type === css.RightSquareBracket) return around.pop() === '['
  return false
}

/** `source` is the function name with its bracket, in its original case. */
function mayOpen(source: string, around: Open[], allowed: AllowedValues): boolean {
  const name = source.slice(0, -1)
  const isOutermost = around.length === 0
  around.push(source)
  if (name === 'url') return isOutermost && allowed.mayHoldAddress
  if (GRADIENTS.has(name)) return isOutermost && allowed.mayHoldGradient
  if (allowed.functions?.has(name)) return true
  return FUNCTIONS.has(name) || (!isOutermost && INNER_FUNCTIONS.has(name))
}

/** Between `url(` and its end, only one quoted address is allowed. */
function mayStandInUrl(type: number, source: string, around: Open[]): boolean {
  if (type === css.String) return isClosedString(source) && isSafeAddress(source.slice(1, -1))
  return type === css.RightParenthesis && around.pop() !== undefined
}

/** An unquoted address is a single token from `url(` to the closing bracket, if there is one. */
const isSafeUrl = (source: string): boolean =>
  source.startsWith('url(') && source.endsWith(')') && isSafeAddress(source.slice(4, -1))

const isClosedString = (source: string): boolean => source.length > 1 && source.at(-1) === source.charAt(0)
