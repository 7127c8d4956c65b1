/**
 * The filter for what people write who have no right to unfiltered HTML: elements and attributes of an allow-list, safe
 * addresses and styles, and nothing that a browser could read as a tag besides. Works on the text as written, without
 * building a tree, so that everything allowed keeps its form; comments of blocks stay byte for byte.
 */
import { ADDRESSES, type AllowList, contentElements, ENTITIES, titleElements } from './allow-list.ts'
import { safeAddress, safeStyle } from './safe-values.ts'

/** For content and excerpts. */
export function sanitizeContent(html: string): string {
  return settled(html, contentElements())
}

/** For titles: a few elements within a line of text. */
export function sanitizeTitle(html: string): string {
  return settled(html, titleElements())
}

/** Hostile text can come out such that the filter would still change it; what is stored must not change any more. */
const maxPasses = 5

function settled(html: string, elements: AllowList): string {
  let safe = sanitize(html, elements)
  for (let pass = 1; pass < maxPasses; pass++) {
    const again = sanitize(safe, elements)
    if (again === safe) break
    safe = again
  }
  return safe
}

const CONTROLS = /[\0-\x08\x0b\x0c\x0e-\x1f]/g
const BLOCK_COMMENT = /<!--[\t-\r ]+\/?cms:[a-z][a-z0-9_/-]*[\t-\r ]+(?:\{[^<]*?\}[\t-\r ]+)?\/?-->/g

function sanitize(html: string, elements: AllowList): string {
  if (!/[<>&\0-\x08\x0b\x0c\x0e-\x1f]/.test(html)) return html
  const text = html.replace(CONTROLS, '')
  if (!text.includes('<!--')) return filter(text, elements)
  let safe = ''
  let at = 0
  for (const [comment, start] of blockComments(text)) {
    safe += filter(text.slice(at, start), elements) + comment
    at = start + comment.length
  }
  return safe + filter(text.slice(at), elements)
}

/** Comments of blocks that every reader of HTML ends at the same place: no second dash pair inside. */
function* blockComments(text: string): Generator<readonly [comment: string, start: number]> {
  const pattern = new RegExp(`^(?:${BLOCK_COMMENT.source})$`)
  for (let start = text.indexOf('<!--'); start !== -1; ) {
    const dashes = text.indexOf('--', start + 4)
    if (dashes === -1) return
    const comment = text.slice(start, dashes + 3)
    if (comment.endsWith('-->') && pattern.test(comment)) yield [comment, start]
    start = text.indexOf('<!--', comment.endsWith('-->') ? dashes + 3 : start + 4)
  }
}

/** Each piece is markup up to its `>`, or text. A `<` that meets another before its `>` was text. */
function filter(text: string, elements: AllowList): string {
  const normal = text.includes('&') ? normalEntities(text) : text
  let safe = ''
  let at = 0
  while (at < normal.length) {
    const open = normal.indexOf('<', at)
    if (open === -1) return safe + escapeEnds(normal.slice(at))
    safe += escapeEnds(normal.slice(at, open))
    at = endOfPiece(normal, open)
    const piece = normal.slice(open, at)
    safe += piece.endsWith('>') ? filterMarkup(piece, elements) : escapeText(piece)
  }
  return safe
}

function endOfPiece(text: string, open: number): number {
  let at = open + 1
  while (at < text.length && text[at] !== '<' && text[at] !== '>') at++
  if (text[at] !== '>' || !text.startsWith('<!--', open)) return text[at] === '>' ? at + 1 : at
  // A comment may hold `>`. It ends at its mark when that comes on the same line, before another `<`.
  let end = Math.max(at, open + 6)
  while (end < text.length && text[end] !== '<' && text[end] !== '\n') {
    if (text[end] === '>' && text[end - 1] === '-' && text[end - 2] === '-') return end + 1
    end++
  }
  return at + 1
}

function escapeEnds(text: string): string {
  return text.includes('>') ? text.replaceAll('>', '&gt;') : text
}

/** Interface: quotes behind a `<` that is text are escaped with it. */
function escapeText(text: string): string {
  return text.replaceAll('<', '&lt;').replaceAll('"', '&quot;').replaceAll("'", '&#039;')
}

const ELEMENT = /^<[\t-\r ]*(\/[\t-\r ]*)?([a-zA-Z0-9-]+)([^>]*)>$/

function filterMarkup(markup: string, elements: AllowList): string {
  if (markup.startsWith('<!--')) return filterComment(markup)
  // Browsers take these for comments.
  if (/^<(?:\/[^a-zA-Z]|![a-z])/.test(markup)) return markup
  const [, slash, name, attributes] = ELEMENT.exec(markup) ?? []
  if (name === undefined || attributes === undefined) return ''
  const allowed = elements.get(name.toLowerCase())
  if (allowed === undefined) return ''
  if (slash !== undefined) return `</${name}>`
  const end = /\/[\t-\r ]*$/.test(attributes) ? ' /' : ''
  return `<${name}${allowed.size === 0 ? '' : filterAttributes(attributes.replaceAll('\\"', '"'), allowed)}${end}>`
}

function filterComment(comment: string): string {
  const end = comment.endsWith('-->') && comment.length >= 7 ? -3 : -1
  const text = comment.slice(4, end).replaceAll('>', '&gt;').replace(/--+/g, '-').replace(/-$/, '')
  return text === '' ? '' : `<!--${text}-->`
}

const ATTRIBUTE = /([^\t-\r "'=/<>]+)(?:[\t-\r ]*=[\t-\r ]*(?:"([^"]*)"|'([^']*)'|([^\t-\r "'=<>`]+)))?|[\s\S]/g

/** Of attributes with one name the first counts. Values without quotes get some. */
function filterAttributes(text: string, allowed: ReadonlySet<string>): string {
  if (!/[^\t-\r /]/.test(text)) return ''
  const seen = new Set<string>()
  let safe = ''
  for (const [, name, double, single, bare] of text.matchAll(ATTRIBUTE)) {
    if (name === undefined) continue
    const key = name.toLowerCase()
    if (seen.has(key)) continue
    seen.add(key)
    if (!allowed.has(key) && !(allowed.has('data-') && /^data-[a-z0-9_-]+$/.test(key))) continue
    const value = double ?? single ?? bare
    const kept = value === undefined ? undefined : safeValue(key, value)
    if (value !== undefined && kept === undefined) continue
    safe += kept === undefined ? ` ${name}` : ` ${name}=${quoted(kept, single === undefined ? '"' : "'")}`
  }
  return safe
}

/** A backslash at the end would be read as part of the quote the next time. */
function quoted(value: string, quote: '"' | "'"): string {
  const text = value.replaceAll(quote, quote === '"' ? '&quot;' : '&#039;')
  return quote + text.replace(/\\+$/, (slashes) => '&#092;'.repeat(slashes.length)) + quote
}

/** Undefined when the attribute has to go. */
function safeValue(name: string, value: string): string | undefined {
  if (name === 'style') return safeStyle(value) || undefined
  // A name for the file could lead people to open it.
  if (name === 'download') return undefined
  return ADDRESSES.has(name) ? safeAddress(value) : value
}

const ENTITY = /&(?:([A-Za-z]{2,8}[0-9]{0,2})|#(0*[0-9]{1,7})|#[Xx](0*[0-9A-Fa-f]{1,6}));|&/g

/** Known entities in one form; every other `&` is a sign. */
function normalEntities(text: string): string {
  return text.replace(ENTITY, (whole, name?: string, decimal?: string, hex?: string) => {
    if (name !== undefined) return ENTITIES.has(name) ? whole : `&amp;${whole.slice(1)}`
    if (decimal !== undefined && isCharacter(Number(decimal)))
      return `&#${decimal.replace(/^0+/, '').padStart(3, '0')};`
    if (hex !== undefined && isCharacter(Number.parseInt(hex, 16))) return `&#x${hex.replace(/^0+/, '')};`
    return `&amp;${whole.slice(1)}`
  })
}

function isCharacter(code: number): boolean {
  if (code < 32) return code === 9 || code === 10 || code === 13
  return code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) && code !== 0xfffe && code !== 0xffff
}
