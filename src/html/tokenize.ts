/** Splits HTML into tokens. Builds no tree and decodes no character references. */
import { readAnyMarkup } from './any-markup.ts'
import { readPlainMarkup } from './plain-markup.ts'
import type { Token } from './tokens.ts'

interface TokenizeOptions {
  /** Whether tags inside `script`, `style`, `textarea`, `title` and the like are text, as in a browser. Default: true. */
  readonly rawText?: boolean
}

/**
 * The tokens of the source: first those of plain markup, then from the first markup of another form on those of
 * htmlparser2's tokenizer. The cost is linear in the length of the source.
 */
export function tokenize(html: string, { rawText = true }: TokenizeOptions = {}): Token[] {
  const list: Token[] = []
  const plainEnd = readPlainMarkup(html, list, rawText)
  if (plainEnd < html.length) readAnyMarkup(html, list, { from: plainEnd, rawText })
  return list
}
