/**
 * Text without its markup, as slugs and excerpts are made from it. Not a filter against scripts: what is left may hold
 * signs like `<` and must still be escaped or filtered.
 */

const BLANK = /\s/

/** Drops tags, comments and declarations. A `<` before a blank is a sign; a tag that never ends takes the rest with it. */
export function stripTags(text: string): string {
  const first = text.indexOf('<')
  if (first === -1) return text.includes('\0') ? text.replaceAll('\0', '') : text
  let plain = ''
  let at = 0
  while (at < text.length) {
    const open = text.indexOf('<', at)
    if (open === -1) return (plain + text.slice(at)).replaceAll('\0', '')
    plain += text.slice(at, open)
    if (BLANK.test(text[open + 1] ?? '')) {
      plain += '<'
      at = open + 1
    } else {
      at = endOfMarkup(text, open)
    }
  }
  return plain.replaceAll('\0', '')
}

function endOfMarkup(text: string, open: number): number {
  if (text.startsWith('<!--', open)) return after(text, '-->', open + 3)
  if (text.startsWith('<?', open)) return after(text, '?>', open + 2)
  return endOfTag(text, open + 1)
}

function after(text: string, mark: string, from: number): number {
  const found = text.indexOf(mark, from)
  return found === -1 ? text.length : found + mark.length
}

/** Quotes hide a `>`, and a `<` inside a tag needs a `>` of its own. */
function endOfTag(text: string, from: number): number {
  let quote = ''
  let depth = 0
  for (let at = from; at < text.length; at++) {
    const sign = text[at] as string
    if (quote !== '') {
      if (sign === quote) quote = ''
    } else if (sign === '"' || sign === "'") {
      quote = sign
    } else if (sign === '<' && !BLANK.test(text[at + 1] ?? '')) {
      depth++
    } else if (sign === '>') {
      if (depth === 0) return at + 1
      depth--
    }
  }
  return text.length
}

/** Drops scripts and styles with what they hold, and then all tags. */
export function stripMarkup(html: string): string {
  return stripTags(withoutElement(withoutElement(html, SCRIPT), STYLE))
}

const SCRIPT = { opening: /<script[^>]*>/gi, closing: /<\/script>/gi }
const STYLE = { opening: /<style[^>]*>/gi, closing: /<\/style>/gi }

/** Takes elements out with what they hold. One that nothing closes stays. */
function withoutElement(html: string, { opening, closing }: typeof SCRIPT): string {
  if (html.search(closing) === -1) return html
  let kept = ''
  let at = 0
  opening.lastIndex = 0
  for (let found = opening.exec(html); found !== null; found = opening.exec(html)) {
    closing.lastIndex = opening.lastIndex
    const end = closing.exec(html)
    if (end === null) break
    kept += html.slice(at, found.index)
    at = closing.lastIndex
    opening.lastIndex = at
  }
  return kept + html.slice(at)
}
