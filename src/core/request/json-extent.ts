/** How far a JSON text goes, without parsing it: many distinct keys take seconds to parse, many levels overflow the stack. */

const quote = 0x22
const backslash = 0x5c
const [comma, colon] = [0x2c, 0x3a] as const
const [openBracket, closeBracket] = [0x5b, 0x5d] as const
const [openBrace, closeBrace] = [0x7b, 0x7d] as const

interface JsonLimits {
  readonly levels: number
  /** Counts values and keys by the commas and colons outside strings. */
  readonly values?: number
}

/** Which limit the text exceeds first. It need not be valid JSON. */
export function exceededLimit(
  text: string,
  { levels, values = Number.POSITIVE_INFINITY }: JsonLimits,
): keyof JsonLimits | undefined {
  // A value or a level takes a character at least.
  if (text.length <= levels && text.length <= values) return undefined
  let depth = 0
  let count = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) at = endOfString(text, at + 1)
    else if (code === comma || code === colon) count++
    else depth += levelStep(code)
    if (depth > levels) return 'levels'
    if (count > values) return 'values'
  }
  return undefined
}

function levelStep(code: number): number {
  if (code === openBracket || code === openBrace) return 1
  return code === closeBracket || code === closeBrace ? -1 : 0
}

/** The position of the quote that ends the string, or the end of the text. */
function endOfString(text: string, start: number): number {
  let at = start
  while (at < text.length && text.charCodeAt(at) !== quote) at += text.charCodeAt(at) === backslash ? 2 : 1
  return at
}
