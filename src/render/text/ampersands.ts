/** Escapes lone ampersands of titles and excerpts, also where typography changes nothing, such as in code. */
import { tokenize } from '../../html/tokenize.ts'
import { escapeAmpersands } from './typography/references.ts'

/** Browsers do not decode the text of these elements. */
const UNDECODED: ReadonlySet<string> = new Set(['script', 'style'])

/** Escapes in text and in tags; comments, scripts and styles stay. */
export function escapeLoneAmpersands(html: string): string {
  if (!html.includes('&')) return html
  let out = ''
  let isRaw = false
  for (const token of tokenize(html)) {
    const source = html.slice(token.start, token.end)
    const isDecoded = token.kind === 'open' || (token.kind === 'text' && !isRaw)
    out += isDecoded ? escapeAmpersands(source) : source
    isRaw = token.kind === 'open' && UNDECODED.has(token.lowerName)
  }
  return out
}
