/**
 * What is kept of the HTML that another site sends: never the markup itself. A frame is written anew around its address
 * and cannot touch the page; of a quotation its words and links are kept.
 */
import { Parser } from 'htmlparser2'

export interface ProviderOrigin {
  /** Hosts that may be themselves inside their frame; none for sites that are not on the list of providers. */
  readonly hosts: readonly string[]
  /** True for providers on the list: their quotations stand for themselves. */
  readonly isListed: boolean
  readonly width?: number
  readonly height?: number
}

/** Undefined when nothing safe is in it. */
export function safeProviderHtml(html: string, origin: ProviderOrigin): string | undefined {
  const { frame, quotation } = partsOf(html)
  if (frame) return frameHtml(frame, origin)
  return origin.isListed && quotation !== '' ? `<blockquote>${quotation}</blockquote>` : undefined
}

type Attributes = { readonly [name: string]: string }

/** What is inside these is no text for people. */
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
  /** Whether each link that is open was kept. */
  const links: boolean[] = []
  const parser = new Parser({
    onopentag: (name, attributes) => {
      if (name === 'iframe' && hidden === 0 && isFrameAddress(attributes.src)) frame ??= attributes
      if (nonTextElements.includes(name)) hidden++
      if (name === 'blockquote') quoted++
      if (quoted === 0 || hidden > 0) return
      if (name === 'br') quotation += '<br>'
      if (name === 'p') quotation += '<p>'
      if (name !== 'a') return
      const href = webAddress(attributes.href)
      links.push(href !== undefined)
      if (href !== undefined) quotation += `<a href="${escapeHtml(href)}" rel="nofollow noopener">`
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

/** Choice: https only; a frame or picture without it would not be shown on most pages anyway. */
export function secureAddress(text: string | undefined): string | undefined {
  const address = webAddress(text)
  return address?.startsWith('https:') ? address : undefined
}

const isFrameAddress = (src: string | undefined) => secureAddress(src) !== undefined

/** An address for people's browsers: http or https, without credentials. */
export function webAddress(text: string | undefined): string | undefined {
  if (text === undefined || !URL.canParse(text)) return undefined
  const url = new URL(text)
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:'
  return isWeb && url.username === '' && url.password === '' ? url.href : undefined
}

function frameHtml(attributes: Attributes, { hosts, width, height }: ProviderOrigin): string {
  const src = secureAddress(attributes.src) ?? ''
  const isAtHome = hosts.some((host) => isBelow(new URL(src).hostname, host))
  // With an origin of its own a frame keeps its cookies and players work. Only a listed provider's own host gets one.
  const sandbox = isAtHome
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

const entities: { readonly [sign: string]: string } = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

export const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (sign) => entities[sign] as string)
