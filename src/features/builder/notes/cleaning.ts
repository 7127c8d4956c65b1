/** Cleans the texts of a note before they are stored or compared. */
import { escapeHtml } from '../../../core/runtime/escape-html.ts'
import { stripTags } from '../../../html/strip-tags.ts'

const maxTitleLength = 255
const maxUrlLength = 2048

/** Trims the text and escapes its HTML. Empty for a blank text. */
export const cleanContent = (text: string): string => escapeHtml(text.trim())

export const cleanTitle = (text: string): string => [...stripTags(text).trim()].slice(0, maxTitleLength).join('')

/** Query keys that do not identify a page: campaign tracking, previews and nonces. */
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

/** Path and query of a page URL; empty for the home page, undefined for text that is not a page URL. */
export function cleanRouteUrl(text: string): string | undefined {
  const trimmed = text.trim()
  if (trimmed.length > maxUrlLength || /[\s\p{Cc}<>"\\]/u.test(trimmed)) return undefined
  const url = URL.parse(trimmed, 'http://relative.invalid/')
  if (!url || !/^https?:/.test(url.protocol)) return undefined
  const pairs = url.search
    .slice(1)
    .split('&')
    .filter((pair) => pair !== '' && !isTransient(keyOf(pair)))
  const route = pairs.length > 0 ? `${url.pathname}?${pairs.join('&')}` : url.pathname
  return withoutTrailingSlashes(route)
}

function keyOf(pair: string): string {
  const key = pair.replace(/=.*/, '')
  try {
    return decodeURIComponent(key)
  } catch {
    return key
  }
}

function withoutTrailingSlashes(route: string): string {
  let end = route.length
  while (route[end - 1] === '/') end--
  return route.slice(0, end)
}
