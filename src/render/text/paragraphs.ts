/**
 * Paragraphs for text that was typed with blank lines between them, and line breaks for single line ends. Block elements
 * are left outside paragraphs; `pre`, scripts and what stands inside tags keep their line ends.
 */
import { BLANKS, isBlank, mapMarkup } from './markup.ts'

const BLOCK =
  '(?:table|thead|tfoot|caption|col|colgroup|tbody|tr|td|th|div|dl|dd|dt|ul|ol|li|pre|form|map|area|blockquote|address|style|p|h[1-6]|hr|fieldset|legend|section|article|aside|hgroup|header|footer|nav|figure|figcaption|details|menu|summary)'

// Signs put in for a while. They are no characters, so no text can hold them by right.
const INNER_OPEN = '\ufdd0'
const LINE_END = '\ufdd1'
const KEPT_LINE_END = '\ufdd2'

export function paragraphs(text: string): string {
  if (!/[^\t-\r \0]/.test(text)) return ''
  const kept: string[] = []
  let html = keepPre(`${text}\n`, kept)
  if (hasInnerOpening(html)) html = hideInnerOpenings(html)
  html = markup(html)
  if (html.includes(LINE_END)) html = html.replaceAll(LINE_END, '\n')
  if (html.includes(INNER_OPEN)) html = html.replaceAll(INNER_OPEN, '<')
  return kept.length === 0
    ? html
    : html.replace(/<pre pre-(\d+)><\/pre>/g, (mark, index) => kept[Number(index)] ?? mark)
}

function keepPre(text: string, kept: string[]): string {
  if (!text.includes('<pre')) return text
  const parts = text.split('</pre>')
  let html = ''
  for (const [index, part] of parts.entries()) {
    const start = index === parts.length - 1 ? -1 : part.indexOf('<pre')
    if (start === -1) {
      html += part
      continue
    }
    html += `${part.slice(0, start)}<pre pre-${kept.length}></pre>`
    kept.push(`${part.slice(start)}</pre>`)
  }
  return html
}

function hasInnerOpening(text: string): boolean {
  for (let open = text.indexOf('<'); open !== -1; ) {
    const next = text.indexOf('<', open + 1)
    if (next !== -1 && text.lastIndexOf('>', next) < open) return true
    open = next
  }
  return false
}

/** A `<` inside a tag is no tag. Hidden, every tag ends at its own `>`, and no pattern reads a stretch of text twice. */
function hideInnerOpenings(text: string): string {
  let isInside = false
  return text.replace(/<!--|<\/?[a-zA-Z]|[<>]/g, (sign) => {
    if (sign === '<!--') return sign
    if (sign === '>') {
      isInside = false
      return sign
    }
    if (isInside) return INNER_OPEN + sign.slice(1)
    isInside = sign.length > 1
    return sign
  })
}

const BREAKS = new RegExp(`<br${BLANKS}*/?>${BLANKS}*<br${BLANKS}*/?>`, 'g')
const BLOCK_OPENS = new RegExp(`<${BLOCK}[\\t-\\r />]`, 'g')
const BLOCK_CLOSES = new RegExp(`</${BLOCK}>`, 'g')
const RULE = new RegExp(`<hr${BLANKS}*/?>`, 'g')

function markup(text: string): string {
  const hasTags = text.includes('<')
  let html = text
  if (hasTags) {
    if (html.includes('<br')) html = html.replace(BREAKS, '\n\n')
    html = html.replace(BLOCK_OPENS, '\n\n$&').replace(BLOCK_CLOSES, '$&\n\n')
    if (html.includes('<hr')) html = html.replace(RULE, '$&\n\n')
  }
  if (html.includes('\r')) html = html.replace(/\r\n?/g, '\n')
  if (hasTags) html = closeUp(keepLineEnds(html))
  html = wrapped(html)
  if (hasTags) html = unwrapped(html)
  html = withBreaks(html)
  if (html.includes('<br />')) html = html.replace(BREAK_BEHIND_BLOCK, '$1').replace(BREAK_BEFORE_BLOCK, '$1')
  return html.endsWith('\n</p>\n') ? `${html.slice(0, -6)}</p>\n` : html
}

/** Line ends inside tags and comments part nothing. */
function keepLineEnds(text: string): string {
  return mapMarkup(
    text,
    (plain) => plain,
    (tag) => (tag.includes('\n') ? tag.replaceAll('\n', LINE_END) : tag),
  )
}

/** Blanks that would become paragraphs inside elements that hold no text. */
function closeUp(text: string): string {
  let html = text
  if (html.includes('<option')) {
    html = withoutBlanks(html, /<option/g, { before: true })
    html = withoutBlanks(html, /<\/option>/g, { after: true })
  }
  if (html.includes('</object>')) {
    html = withoutBlanks(html, /<object[^>]*>/g, { after: true })
    html = withoutBlanks(html, /<\/object>/g, { before: true })
    html = withoutBlanks(html, /<\/?(?:param|embed)[^>]*>/g, { before: true, after: true })
  }
  if (html.includes('<source') || html.includes('<track')) {
    html = withoutBlanks(html, /<(?:audio|video)[^>\]]*[>\]]|\[(?:audio|video)[^[>\]]*[>\]]/g, { after: true })
    html = withoutBlanks(html, /[<[]\/(?:audio|video)[>\]]/g, { before: true })
    html = withoutBlanks(html, /<(?:source|track)[^>]*>/g, { before: true, after: true })
  }
  if (html.includes('<figcaption')) {
    html = withoutBlanks(html, /<figcaption[^>]*>/g, { before: true })
    html = withoutBlanks(html, /<\/figcaption>/g, { after: true })
  }
  return html
}

function withoutBlanks(
  text: string,
  tag: RegExp,
  where: { readonly before?: boolean; readonly after?: boolean },
): string {
  let html = ''
  let at = 0
  for (const found of text.matchAll(tag)) {
    let start = Math.max(found.index, at)
    const end = found.index + found[0].length
    if (where.before) while (start > at && isBlank(text.charCodeAt(start - 1))) start--
    html += text.slice(at, start) + found[0]
    at = end
    if (where.after) while (isBlank(text.charCodeAt(at))) at++
  }
  return html + text.slice(at)
}

/** Blank lines part paragraphs. One of blanks alone is none. */
function wrapped(text: string): string {
  let html = ''
  for (const part of text.split(/\n[\t-\r ]*\n/)) {
    if (part === '') continue
    const inner = withoutLineEnds(part)
    if (!/^[\t-\r ]*$/.test(inner)) html += `<p>${inner}</p>\n`
    else html += '\n'
  }
  return html
}

function withoutLineEnds(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && text[start] === '\n') start++
  while (end > start && text[end - 1] === '\n') end--
  return text.slice(start, end)
}

const EMPTY = new RegExp(`<p>${BLANKS}*</p>`, 'g')
const ALONE = new RegExp(`<p>${BLANKS}*(</?${BLOCK}[^>]*>)${BLANKS}*</p>`, 'g')
const OPENED_BEFORE = new RegExp(`<p>${BLANKS}*(</?${BLOCK}[^>]*>)`, 'g')
const CLOSED_BEHIND = new RegExp(`(</?${BLOCK}[^>]*>)${BLANKS}*</p>`, 'g')

function unwrapped(text: string): string {
  return text
    .replace(EMPTY, '')
    .replace(/<p>([^<]+)<\/(div|address|form)>/g, '<p>$1</p></$2>')
    .replace(ALONE, '$1')
    .replace(/<p>(<li[^\n]+?)<\/p>/g, '$1')
    .replace(/<p><blockquote([^>]*)>/gi, '<blockquote$1><p>')
    .replaceAll('</blockquote></p>', '</p></blockquote>')
    .replace(OPENED_BEFORE, '$1')
    .replace(CLOSED_BEHIND, '$1')
}

const BREAK_BEHIND_BLOCK = new RegExp(`(</?${BLOCK}[^>]*>)${BLANKS}*<br />`, 'g')
const BREAK_BEFORE_BLOCK = new RegExp(`<br />(${BLANKS}*</?(?:p|li|div|dl|dd|dt|th|pre|td|ul|ol)[^>]*>)`, 'g')

function withBreaks(text: string): string {
  let html = keepElements(text)
  if (html.includes('<br')) html = html.replaceAll('<br>', '<br />').replaceAll('<br/>', '<br />')
  html = brokenLines(html)
  return html.includes(KEPT_LINE_END) ? html.replaceAll(KEPT_LINE_END, '\n') : html
}

/** The line ends of a run of blanks become one break, unless a break stands before the first of them. */
function brokenLines(text: string): string {
  let html = ''
  let at = 0
  for (let line = text.indexOf('\n'); line !== -1; line = text.indexOf('\n', at)) {
    let start = line
    while (start > at && isBlank(text.charCodeAt(start - 1))) start--
    let last = line
    for (let end = line + 1; isBlank(text.charCodeAt(end)); end++) if (text.charCodeAt(end) === 10) last = end
    if (text.startsWith('<br />', start - 6)) start++
    if (last < start) html += text.slice(at, last + 1)
    // Behind a block no break stays; most line ends are such ones.
    else html += text.slice(at, start) + (text.startsWith('</p>', start - 4) ? '\n' : '<br />\n')
    at = last + 1
  }
  return html + text.slice(at)
}

/** Scripts and drawings from their first tag to their last. */
function keepElements(text: string): string {
  if (!/<(?:script|style|svg|math)/.test(text)) return text
  const unclosed = new Set<string>()
  const opening = /<(script|style|svg|math)/g
  let html = ''
  let at = 0
  for (let found = opening.exec(text); found !== null; found = opening.exec(text)) {
    const closing = `</${found[1]}>`
    const end = unclosed.has(closing) ? -1 : text.indexOf(closing, opening.lastIndex)
    if (end === -1) {
      unclosed.add(closing)
      continue
    }
    opening.lastIndex = end + closing.length
    html += text.slice(at, found.index) + text.slice(found.index, opening.lastIndex).replaceAll('\n', KEPT_LINE_END)
    at = opening.lastIndex
  }
  return html + text.slice(at)
}
