/** Finds shortcodes in the text of HTML: `[name a="b"]` and `[name]…[/name]`. Brackets in tags and scripts are ignored. */
import { RAW_TEXT } from '../../../html/raw-text.ts'
import { tokenize } from '../../../html/tokenize.ts'

export interface FoundShortcode {
  readonly name: string
  /** The source after the name. */
  readonly attributes: string
  readonly inner: string | undefined
  readonly start: number
  readonly end: number
  /** True: double brackets enclose the shortcode, so it is shown and not run. */
  readonly isEscaped: boolean
}

const OPEN = /\[(\[?)([a-z][\w-]{0,63})((?:\s(?:[^[\]"']|"[^"]*"|'[^']*')*)?)\/?\](\]?)/gi
const maxShortcodes = 1000

/** Returns shortcodes in source order; nested shortcodes belong to the outer one. The cost is linear in the text. */
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

/** Finds closing tags, and remembers names without further ones, so that the search stays linear. */
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
  // A single extra bracket is text.
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
