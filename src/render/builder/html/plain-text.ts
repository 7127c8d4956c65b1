/**
 * Extracts the readable text of a tree, for search and excerpts. Each block ends with a line break; scripts, styles and labels
 * are left out.
 */

import { stripTags } from '../../../html/strip-tags.ts'
import { tokenize } from '../../../html/tokenize.ts'
import type { Token } from '../../../html/tokens.ts'
import { decodeReferences } from '../../filter/references.ts'
import { type Child, isList, Markup, Unread } from './nodes.ts'

const BLOCKS: ReadonlySet<string> = new Set(
  (
    'address article aside blockquote br button caption dd details dialog div dl dt fieldset figcaption figure footer ' +
    'form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre search section summary table tbody td tfoot th thead tr ul'
  ).split(' '),
)
const UNREAD: ReadonlySet<string> = new Set(
  'iframe noscript object script select style svg template textarea'.split(' '),
)

export function plainText(child: Child): string {
  const parts: string[] = []
  read(child, parts)
  return parts
    .join('')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n[ \n]*/g, '\n')
    .replace(/^\s+/, '')
}

function read(child: Child, parts: string[]): void {
  if (typeof child === 'string') parts.push(child)
  else if (typeof child === 'number') parts.push(String(child))
  else if (child === undefined || child === false || child instanceof Unread) return
  else if (child instanceof Markup) readMarkup(child.html, parts)
  else if (isList(child)) for (const one of child) read(one, parts)
  else if (!UNREAD.has(child.tag)) {
    for (const one of child.children) read(one, parts)
    if (BLOCKS.has(child.tag)) parts.push('\n')
  }
}

function readMarkup(html: string, parts: string[]): void {
  /** The open element whose content is no plain text. */
  let open: string | undefined
  for (const token of tokenize(html)) {
    if (open !== undefined) {
      if (token.kind === 'close' && token.lowerName === open) open = undefined
      continue
    }
    open = unreadElement(token)
    if (token.kind === 'text') parts.push(decodeReferences(html.slice(token.start, token.end)))
    else if ((token.kind === 'open' || token.kind === 'close') && BLOCKS.has(token.lowerName)) parts.push('\n')
  }
}

const unreadElement = (token: Token): string | undefined =>
  token.kind === 'open' && UNREAD.has(token.lowerName) ? token.lowerName : undefined

/** Strips the markup of a text, for attributes. */
export const withoutMarkup = (html: string): string => decodeReferences(stripTags(html)).replace(/\s+/g, ' ').trim()
