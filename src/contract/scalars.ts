/**
 * Reads numbers, booleans and lists of texts from what a client sends: in a query, a path and a form everything is a text, and clients
 * send texts in JSON too. A value that does not fit becomes `invalid`; nothing is rounded or cut.
 */

export const invalid: unique symbol = Symbol('invalid')

/** Interface: numeric text as in PHP (`05`, `5.0`, ` 5`, `1e3`); hexadecimal is not. */
const numeric = /^[ \t\n\r\v\f]*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?[ \t\n\r\v\f]*$/

export function toNumber(value: unknown): unknown {
  // `1e999` in a body parses to Infinity.
  if (typeof value === 'number') return Number.isFinite(value) ? value : invalid
  if (typeof value !== 'string') return invalid
  const short = shortDigits(value)
  if (short !== undefined) return short
  if (!numeric.test(value)) return invalid
  const number = Number(value)
  return Number.isFinite(number) ? number : invalid
}

/** Matches the usual numbers: digits only, short enough to be exact. */
function shortDigits(text: string): number | undefined {
  const { length } = text
  if (length === 0 || length > 15) return undefined
  let number = 0
  for (let at = 0; at < length; at++) {
    const digit = text.charCodeAt(at) - 48
    if (digit < 0 || digit > 9) return undefined
    number = number * 10 + digit
  }
  return number
}

/** Rejects integers beyond 2^53, which would silently become a neighbour. */
export function toInteger(value: unknown): unknown {
  const number = toNumber(value)
  return Number.isSafeInteger(number) ? Number(number) + 0 : invalid
}

export function toBoolean(value: unknown): unknown {
  if (typeof value === 'boolean') return value
  if (value === 1 || value === '1') return true
  if (value === 0 || value === '0') return false
  if (typeof value !== 'string') return invalid
  const lower = value.toLowerCase()
  return lower === 'true' ? true : lower === 'false' ? false : invalid
}

/** `1,2` and `1 2` are lists of two. */
export function splitList(text: string): string[] {
  const parts: string[] = []
  let from = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    // Whitespace beyond ASCII goes to a regular expression.
    if (code > 127) return text.split(/[\s,]+/).filter((part) => part !== '')
    if (code !== 44 && code !== 32 && (code < 9 || code > 13)) continue
    if (at > from) parts.push(text.slice(from, at))
    from = at + 1
  }
  if (text.length > from) parts.push(text.slice(from))
  return parts
}
