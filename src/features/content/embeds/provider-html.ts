/**
 * Safe HTML from the HTML of a provider, never its own markup. A frame is rebuilt around its URL and cannot reach the
 * page; of a quotation the text and links remain.
 */

import { Parser } from 'htmlparser2'
import { lookupTable } from '../../../contract/lookup-table.ts'

interface ProviderOrigin {
  /** Hosts whose frames get their own origin; empty for sites that are not on the list of providers. */
  readonly hosts: readonly string[]
  /** True for providers on the list, whose quotations are accepted without a frame. */
  readonly isListed: boolean
  readonly width?: number
  readonly height?: number
}

/** Undefined when the HTML has no safe part. */
export function safeProviderHtml(html: string, origin: ProviderOrigin): string | undefined {
  const { frame, quotation } = partsOf(html)
  if (frame) return frameHtml(frame, origin)
  return origin.isListed && quotation !== '' ? `<blockquote>${quotation}</blockquote>` : undefined
}

type Attributes = { readonly [name: string]: string }

/** Elements whose content is not shown as text. */
const nonTextElements: readonly string[] = [
  'script',
  'style',
  'template',
  'noscript',
  'svg',
  'math',
  'iframe',
  'object',
  'title',
]

function partsOf(html: string): { readonly frame: Attributes | undefined; readonly quotation: string } {
  let frame: Attributes | undefined
  let quotation = ''
  let quoted = 0
  let hidden = 0
  /** For each open link, whether it is written. */
  const links: boolean[] = []
  const parser = new Parser({
    onopentag: (name, attributes) => {
      if (name === 'iframe' && hidden === 0 && isFrameAddress(attributes.src)) frame ??= attributes
      if (nonTextElements.includes(name)) hidden++
      if (name === 'blockquote') quoted++
      if (quoted > 0 && hidden === 0) quotation += openingTag(name, attributes, links)
    },
    ontext: (text) => {
      if (quoted > 0 && hidden === 0) quotation += escapeHtml(text)
    },
    onclosetag: (name) => {
      if (nonTextElements.includes(name)) hidden--
      else if (quoted > 0 && hidden === 0 && name === 'p') quotation += '</p>'
      else if (quoted > 0 && hidden === 0 && name === 'a' && links.pop()) quotation += '</a>'
      if (name === 'blockquote') quoted--
    },
  })
  parser.end(html)
  return { frame, quotation: quotation.trim() }
}

/** The tag of a line break, a paragraph or a link; any other tag is dropped. */
function openingTag(name: string, attributes: Attributes, links: boolean[]): string {
  if (name === 'br' || name === 'p') return `<${name}>`
  if (name !== 'a') return ''
  const href = webAddress(attributes.href)
  links.push(href !== undefined)
  return href === undefined ? '' : `<a href="${escapeHtml(href)}" rel="nofollow noopener">`
}

/** Choice: https only; most pages block frames and images without it anyway. */
export function secureAddress(text: string | undefined): string | undefined {
  const address = webAddress(text)
  return address?.startsWith('https:') ? address : undefined
}

const isFrameAddress = (src: string | undefined) => secureAddress(src) !== undefined

/** A URL for browsers: http or https, without credentials. */
export function webAddress(text: string | undefined): string | undefined {
  if (text === undefined || !URL.canParse(text)) return undefined
  const url = new URL(text)
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:'
  return isWeb && url.username === '' && url.password === '' ? url.href : undefined
}

function frameHtml(attributes: Attributes, { hosts, width, height }: ProviderOrigin): string {
  const src = secureAddress(attributes.src) ?? ''
  const isProviderHost = hosts.some((host) => isBelow(new URL(src).hostname, host))
  // Players need their own origin for cookies. Only the host of a listed provider gets one.
  const sandbox = isProviderHost
    ? 'allow-scripts allow-same-origin allow-popups allow-presentation'
    : 'allow-scripts allow-popups'
  const sizes = [
    size('width', attributes.width) ?? size('width', width),
    size('height', attributes.height) ?? size('height', height),
  ]
  return [
    `<iframe sandbox="${sandbox}" src="${escapeHtml(src)}"`,
    ...sizes,
    ...(attributes.title ? [`title="${escapeHtml(attributes.title)}"`] : []),
    'loading="lazy" referrerpolicy="strict-origin-when-cross-origin" frameborder="0" allowfullscreen></iframe>',
  ]
    .filter((part) => part !== undefined)
    .join(' ')
}

const isBelow = (host: string, above: string) => host === above || host.endsWith(`.${above}`)

const size = (name: string, value: string | number | undefined) =>
  value !== undefined && /^\d{1,5}$/.test(String(value)) ? `${name}="${value}"` : undefined

const entities: { readonly [character: string]: string } = lookupTable({
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
})

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => entities[character] as string)
