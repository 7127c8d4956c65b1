/**
 * Expands addresses in `[embed]` and addresses of files that are alone on a line. It fetches nothing, so only names of files
 * decide which of them become players.
 */
import { tokenize } from '../../../html/tokenize.ts'
import { readAttributes } from './attributes.ts'
import { findShortcodes, type Shortcode } from './tags.ts'
import { asAttribute, asText, isWebAddress, mediaKind, withoutReferences } from './web-address.ts'

/**
 * Writes embeds as links, and addresses of audio and video files as `[audio]` and `[video]`. It runs before blocks and
 * paragraphs are rendered: links belong to their paragraph, and typography must not change an address.
 */
export function expandAddresses(content: string): string {
  const embedded = content.includes('[embed') ? expandEmbeds(content) : content
  return embedded.includes('://') && LINE_WITH_ADDRESS.test(embedded) ? expandLines(embedded) : embedded
}

/** Matches a line that begins with an address. Most contents have none, and are not tokenized then. */
const LINE_WITH_ADDRESS = /^[ \t]*https?:\/\//im

function expandEmbeds(content: string): string {
  const parts: string[] = []
  let end = 0
  for (const shortcode of findShortcodes(content)) {
    if (shortcode.name !== 'embed' || shortcode.isEscaped) continue
    parts.push(content.slice(end, shortcode.start), embed(shortcode))
    end = shortcode.end
  }
  return parts.join('') + content.slice(end)
}

/** Returns the shortcode of a player, or a link. The address is the content, or the attribute `src`. Markup is no address and stays. */
export function embed({ attributes, content }: Pick<Shortcode, 'attributes' | 'content'>): string {
  const address = content?.trim() || (readAttributes(attributes).get('src') ?? '').trim()
  if (address === '' || address.includes('<')) return address
  return mediaShortcode(address) ?? link(withoutReferences(address))
}

/** Characters that would end the shortcode or its attribute cannot be part of the address. */
function mediaShortcode(address: string): string | undefined {
  if (!/^https?:\/\/[^\s"'[\]<>]+$/i.test(address)) return undefined
  const kind = mediaKind(withoutReferences(address))
  return kind === undefined ? undefined : `[${kind} src="${address}"]`
}

/**
 * Interface: an embedded address without a protocol starts with a host. Choice: an embedded address whose protocol is not of
 * the web stays text.
 */
function link(address: string): string {
  const isAbsolute = /^[a-z][a-z0-9+.-]*:/i.test(address)
  const target = isAbsolute || /^[/?#]/.test(address) ? address : `http://${address}`
  return isAbsolute && !isWebAddress(address)
    ? asText(address)
    : `<a href="${asAttribute(target)}">${asText(address)}</a>`
}

/** The text of these elements is no content, or is a link already. */
const CLOSED_ELEMENTS: ReadonlySet<string> = new Set([
  ...['a', 'code', 'kbd', 'pre', 'script', 'style', 'textarea', 'title', 'tt'],
])

function expandLines(content: string): string {
  const parts: string[] = []
  const open: string[] = []
  for (const token of tokenize(content)) {
    const source = content.slice(token.start, token.end)
    if (token.kind === 'open' && CLOSED_ELEMENTS.has(token.lowerName)) open.push(token.lowerName)
    if (token.kind === 'close' && open.at(-1) === token.lowerName) open.pop()
    const isContent = token.kind === 'text' && open.length === 0 && source.includes('://')
    const edges = { isFirst: token.start === 0, isLast: token.end === content.length }
    parts.push(isContent ? expandLinesOfText(source, edges) : source)
  }
  return parts.join('')
}

/** A line that touches a tag is not alone. */
function expandLinesOfText(text: string, { isFirst, isLast }: { isFirst: boolean; isLast: boolean }): string {
  const lines = text.split(/(\r\n?|\n)/)
  const isWhole = (index: number) => (index > 0 || isFirst) && (index < lines.length - 1 || isLast)
  return lines.map((line, index) => (isWhole(index) ? (mediaShortcode(line.trim()) ?? line) : line)).join('')
}
