/**
 * Adds loading hints to pictures and frames: decoding, loading and fetchpriority, as the HTML Standard defines them. Existing
 * hints stay; only tags in lower case with double-quoted addresses are changed.
 */
import { tokenize } from '../../html/tokenize.ts'
import type { Attribute, OpenTag } from '../../html/tokens.ts'

/** The area in pixels from which an eager picture counts as the main one. */
const MAIN_PICTURE_AREA = 50_000

/** Reads the tokens once; all other markup is copied byte for byte. */
export function loadingHints(html: string): string {
  if (!html.includes('<img') && !html.includes('<iframe')) return html
  let out = ''
  let copied = 0
  let hasMainPicture = false
  for (const token of tokenize(html)) {
    if (token.kind !== 'open' || (token.name !== 'img' && token.name !== 'iframe')) continue
    const tag = readTag(html, token)
    if (tag.quoted('src') === undefined) continue
    const isMain: boolean = token.name === 'img' && !hasMainPicture && isMainPicture(tag)
    const hints = token.name === 'img' ? pictureHints(tag, isMain) : frameHints(tag)
    hasMainPicture ||= isMain || tag.quoted('fetchpriority') === 'high'
    const nameEnd = token.start + 1 + token.name.length
    out += html.slice(copied, nameEnd) + hints
    copied = nameEnd
  }
  return out + html.slice(copied)
}

interface TagReader {
  /** Returns whether the tag has the attribute, in any case, quoted or not. */
  has(name: string): boolean
  /** Returns the source of the value if name and quotes have the required form. */
  quoted(name: string): string | undefined
}

function readTag(html: string, { attributes }: OpenTag): TagReader {
  const isQuoted = ({ value, end }: Attribute) => value !== null && html[end - 1] === '"'
  return {
    has: (name) => attributes.some((attribute) => attribute.name.toLowerCase() === name),
    quoted: (name) =>
      attributes.find((attribute) => attribute.name === name && isQuoted(attribute))?.value ?? undefined,
  }
}

function pictureHints(tag: TagReader, isMain: boolean): string {
  const decoding = tag.has('decoding') ? '' : ' decoding="async"'
  if (isMain) return ` fetchpriority="high"${decoding}`
  const isLazy = hasSize(tag) && !tag.has('loading') && !tag.has('fetchpriority')
  return isLazy ? ` loading="lazy"${decoding}` : decoding
}

const frameHints = (tag: TagReader) => (hasSize(tag) && !tag.has('loading') ? ' loading="lazy"' : '')

const hasSize = (tag: TagReader) => tag.quoted('width') !== undefined && tag.quoted('height') !== undefined

/** Choice: a picture with a written priority gets no other one, and no further picture gets a high one. */
function isMainPicture(tag: TagReader): boolean {
  if (tag.quoted('loading') !== 'eager' || tag.has('fetchpriority')) return false
  return Number(tag.quoted('width')) * Number(tag.quoted('height')) >= MAIN_PICTURE_AREA
}
