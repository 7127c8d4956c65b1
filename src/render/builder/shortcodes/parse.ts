/** Finds shortcodes in the text of HTML: `[name a="b"]` and `[name]…[/name]`. Brackets in tags and in scripts are none. */
import { RAW_TEXT } from '../../../html/raw-text.ts'
import { tokenize } from '../../../html/tokenize.ts'

export interface FoundShortcode {
  readonly name: string
  /** As written, behind the name. */
  readonly attributes: string
  readonly inner: string | undefined
  readonly start: number
  readonly end: number
  /** Double brackets stand around it: it is shown, not run. */
  readonly isEscaped: boolean
}

const OPEN = /\[(\[?)([a-z][\w-]{0,63})((?:\s(?:[^[\]"']|"[^"]*"|'[^']*')*)?)\/?\](\]?)/gi
const maxShortcodes = 1000

/** In the order of the text; what is inside another one is left to it. The cost is linear in the text. */
export function findShortcodes(html: string, isKnown: (name: string) => boolean): FoundShortcode[] {
  if (!html.includes('[')) return []
  const closing = closingTags(html)
  const found: FoundShortcode[] = []
  for (const span of textSpans(html)) {
    for (const match of html.slice(span.start, span.end).matchAll(OPEN)) {
      const start = span.start + match.index
      if (start < (found.at(-1)?.end ?? 0) || !isKnown(match[2] ?? '')) continue
      if (found.length >= maxShortcodes) return found
      found.push(readMatch(html, match, start, closing))
    }
  }
  return found
}

type ClosingTag = (name: string, from: number) => number

/** Finds closing tags, and remembers the names that have none any more. */
function closingTags(html: string): ClosingTag {
  const unclosed = new Set<string>()
  return (name, from) => {
    const at = unclosed.has(name) ? -1 : html.indexOf(`[/${name}]`, from)
    if (at === -1) unclosed.add(name)
    return at
  }
}

function readMatch(html: string, match: RegExpMatchArray, at: number, closing: ClosingTag): FoundShortcode {
  const [whole, before = '', name = '', attributes = '', after = ''] = match
  const common = { name, attributes }
  if (before !== '' && after !== '')
    return { ...common, inner: undefined, start: at, end: at + whole.length, isEscaped: true }
  // A lone bracket beside it is text.
  const start = at + before.length
  const end = at + whole.length - after.length
  const close = closing(name, end)
  const inner = close === -1 ? undefined : html.slice(end, close)
  return { ...common, inner, start, end: close === -1 ? end : close + name.length + 3, isEscaped: false }
}

function* textSpans(html: string): Generator<{ readonly start: number; readonly end: number }> {
  if (!html.includes('<')) {
    yield { start: 0, end: html.length }
    return
  }
  let isRaw = false
  for (const token of tokenize(html)) {
    if (token.kind === 'text' && !isRaw) yield token
    isRaw = token.kind === 'open' && RAW_TEXT.has(token.lowerName)
  }
}
