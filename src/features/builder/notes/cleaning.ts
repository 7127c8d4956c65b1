/** What is made of the texts of a note before they are stored or compared. */
import { escapeHtml } from '../../../core/runtime/escape-html.ts'
import { stripTags } from '../../../html/strip-tags.ts'

const maxTitleLength = 255
const maxUrlLength = 2048

/** Without blanks at its ends and with all markup made visible text; empty when nothing is left. */
export const cleanContent = (text: string): string => escapeHtml(text.trim())

export const cleanTitle = (text: string): string => [...stripTags(text).trim()].slice(0, maxTitleLength).join('')

/** Keys that say how somebody came to a page, not which page it is. */
const transientKeys: ReadonlySet<string> = new Set([
  'fbclid',
  'builder-preview',
  'ver',
  'preview_id',
  'preview_nonce',
  'preview',
  'theme_template_id',
  'nonce',
])
const isTransient = (key: string) => key.startsWith('utm_') || key.endsWith('_nonce') || transientKeys.has(key)

/** Path and query of a page, the home page being an empty text; undefined for what is no address of one. */
export function cleanRouteUrl(text: string): string | undefined {
  const sent = text.trim()
  if (sent.length > maxUrlLength || /[\s\p{Cc}<>"\\]/u.test(sent)) return undefined
  const url = URL.parse(sent, 'http://relative.invalid/')
  if (!url || !/^https?:$/.test(url.protocol)) return undefined
  const pairs = url.search
    .slice(1)
    .split('&')
    .filter((pair) => pair !== '' && !isTransient(keyOf(pair)))
  const route = pairs.length > 0 ? `${url.pathname}?${pairs.join('&')}` : url.pathname
  return withoutEnd(route)
}

function keyOf(pair: string): string {
  const key = pair.split('=', 1)[0] ?? ''
  try {
    return decodeURIComponent(key)
  } catch {
    return key
  }
}

function withoutEnd(route: string): string {
  let end = route.length
  while (end > 0 && route[end - 1] === '/') end--
  return route.slice(0, end)
}
