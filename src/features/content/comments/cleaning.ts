/** Cleans what a commenter sends, before it is stored or compared. */

import { stripTags } from '../../../html/strip-tags.ts'
import { tokenize } from '../../../html/tokenize.ts'
import { filterContent, filterTitle } from '../../../render/filter/filter.ts'

/** Comments take the elements of phrases, like titles. Interface: search engines do not count their links. */
export function cleanContent(html: string, { isTrusted, home }: { isTrusted: boolean; home: string }): string {
  // Choice: scripts go from the comments of trusted users as well; a comment needs none.
  return isTrusted ? filterContent(html.trim(), { home }) : withLinkRelations(filterTitle(html.trim()))
}

const relation = ' rel="nofollow ugc"'

/** The filter keeps no `rel`, so that each link gets one. */
function withLinkRelations(html: string): string {
  if (!html.includes('<a')) return html
  let written = ''
  let from = 0
  for (const token of tokenize(html)) {
    if (token.kind !== 'open' || token.lowerName !== 'a') continue
    const end = token.isSelfClosing ? token.end - 2 : token.end - 1
    written += html.slice(from, end).trimEnd() + relation
    from = end
  }
  return written + html.slice(from)
}

export const cleanName = (text: string): string => stripTags(text).replace(/\s+/g, ' ').trim()

/** Empty for other texts than web addresses: it becomes a link. */
export function cleanAddress(text: string): string {
  const trimmed = text.trim()
  if (trimmed === '') return ''
  const whole = /^[a-z][a-z0-9+.-]*:/i.test(trimmed) ? trimmed : `http://${trimmed}`
  const url = URL.parse(whole)
  return url && /^https?:$/.test(url.protocol) && !/[\s<>"]/.test(whole) ? whole : ''
}
