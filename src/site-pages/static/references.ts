/** Finds and replaces the addresses in HTML, style sheets and other texts. Everything else is copied byte for byte. */
import { tokenTypes as css, tokenize as tokenizeCss } from 'css-tree/tokenizer'
import { escapeHtml } from '../../core/runtime/escape-html.ts'
import { tokenize } from '../../html/tokenize.ts'
import type { Attribute, OpenTag } from '../../html/tokens.ts'
import { decodeReferences } from '../../render/filter/references.ts'

export interface Reference {
  /** The address as it is written; references of HTML are decoded. */
  readonly value: string
  /** `link`: readers follow it. `resource`: the page loads it. `form`: a form is sent there. `text`: an address within another text. */
  readonly use: 'link' | 'resource' | 'form' | 'text'
  /** Machines read it apart from the page, so it has its host. */
  readonly isAbsolute?: boolean
  readonly isNoFollow?: boolean
}

/** Returns what takes the place of the reference. */
export type Replace = (reference: Reference) => string

/** Finds the addresses of one origin within other texts, also with escaped slashes, as in JSON. */
export type OriginPattern = RegExp

export function originPattern(origin: string): OriginPattern {
  const [scheme = '', host = ''] = origin.split('://')
  const written = host.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(String.raw`${scheme}:\\?/\\?/${written}(?![\w.:-])(?:[^\s"'<>\\)&]|\\/)*`, 'g')
}

/** Replaces the addresses of the origin within a text. */
export const replaceInText = (text: string, origin: OriginPattern, replace: Replace): string =>
  text.replace(origin, (found) => {
    const isEscaped = found.includes('\\/')
    const replaced = replace({ value: found.replaceAll('\\/', '/'), use: 'text', isAbsolute: true })
    return isEscaped ? replaced.replaceAll('/', '\\/') : replaced
  })

/** The names of entries in feeds: readers know by them what they have shown. */
const identity = /(<(?:guid|id)\b[^>]*>[^<]*<\/(?:guid|id)>)/

/** Replaces the addresses of a feed or a sitemap, but none that is the name of an entry. */
export const replaceInXml = (text: string, origin: OriginPattern, replace: Replace): string =>
  text
    .split(identity)
    .map((part, index) => (index % 2 === 1 ? part : replaceInText(part, origin, replace)))
    .join('')

/** Replaces the addresses of a style sheet: those of `url()` and `@import`. */
export function replaceInCss(source: string, replace: Replace): string {
  const written = new Copy(source)
  let isAddress = false
  tokenizeCss(source, (type, start, end) => {
    const text = source.slice(start, end)
    if (type === css.Url) {
      const value = text.replace(/^url\(\s*|\s*\)$/gi, '')
      replaceCssText(value, replace, (address) => written.put(start, end, `url(${address})`))
    } else if (type === css.String && isAddress) {
      replaceCssText(text.slice(1, -1), replace, (address) => written.put(start, end, address))
    }
    if (type !== css.WhiteSpace && type !== css.Comment) isAddress = takesAddress(type, text)
  })
  return written.finish()
}

const takesAddress = (type: number, text: string): boolean =>
  (type === css.Function && /^url\($/i.test(text)) || (type === css.AtKeyword && /^@import$/i.test(text))

function replaceCssText(source: string, replace: Replace, put: (quoted: string) => void): void {
  // Signs other than digits are escaped by a backslash alone.
  const value = source.replace(/\\(?=[^\da-f\n])/gi, '')
  const address = replace({ value, use: 'resource' })
  if (address !== value) put(`"${address.replace(/["\\\n]/g, (sign) => encodeURIComponent(sign))}"`)
}

/** Copies a text, with other text in some places. */
class Copy {
  readonly #source: string
  #written = ''
  #at = 0

  constructor(source: string) {
    this.#source = source
  }

  put(start: number, end: number, text: string): void {
    this.#written += this.#source.slice(this.#at, start) + text
    this.#at = end
  }

  finish(): string {
    return this.#written + this.#source.slice(this.#at)
  }
}

/** The attributes that have one address, for any element. */
const addresses: ReadonlyMap<string, Reference['use']> = new Map([
  ['href', 'link'],
  ['xlink:href', 'resource'],
  ['src', 'resource'],
  ['poster', 'resource'],
  ['data', 'resource'],
  ['background', 'resource'],
  ['action', 'form'],
  ['formaction', 'form'],
])
const sets = new Set(['srcset', 'imagesrcset'])
/** These elements load what their `href` names. */
const drawn = new Set(['use', 'image', 'feimage'])
/** Machines read these relations of `link` apart from the page. */
const relations = /(?:^|\s)(?:canonical|alternate|shortlink|next|prev)(?:\s|$)/i

/** Replaces the addresses of a page: in attributes, in styles, and within scripts and other attributes. */
export function replaceInHtml(source: string, origin: OriginPattern, replace: Replace): string {
  const written = new Copy(source)
  let within = ''
  for (const token of tokenize(source)) {
    const { start, end } = token
    if (token.kind === 'open') replaceInTag(token, written, origin, replace)
    else if (within === 'style') written.put(start, end, replaceInCss(source.slice(start, end), replace))
    else if (within === 'script') written.put(start, end, replaceInText(source.slice(start, end), origin, replace))
    within = token.kind === 'open' ? token.lowerName : ''
  }
  return written.finish()
}

function replaceInTag(tag: OpenTag, written: Copy, origin: OriginPattern, replace: Replace): void {
  const { start, name, lowerName, attributes } = tag
  // A form without the attribute is sent to its page.
  if (lowerName === 'form' && !hasAttribute(tag, 'action')) {
    const behindName = start + 1 + name.length
    written.put(behindName, behindName, ` action="${escapeHtml(replace({ value: '', use: 'form' }))}"`)
  }
  for (const attribute of attributes) {
    if (attribute.value === null) continue
    const value = decodeReferences(attribute.value)
    const replaced = attributeOf(tag, attribute, value, origin, replace)
    if (replaced !== value) written.put(attribute.start, attribute.end, `${attribute.name}="${escapeHtml(replaced)}"`)
  }
}

function attributeOf(
  tag: OpenTag,
  { name }: Attribute,
  value: string,
  origin: OriginPattern,
  replace: Replace,
): string {
  const lower = name.toLowerCase()
  if (lower === 'style') return replaceInCss(value, replace)
  if (sets.has(lower)) return replaceInSet(value, replace)
  const use = addresses.get(lower)
  if (use === undefined) return replaceInText(value, origin, replace)
  if (tag.lowerName === 'link') return replace(linkOf(tag, value))
  if (tag.lowerName === 'base') return value
  const isNoFollow = /(?:^|\s)nofollow(?:\s|$)/i.test(attributeValue(tag, 'rel'))
  const isFrame = tag.lowerName === 'iframe' || tag.lowerName === 'frame'
  return replace({ value, use: isFrame ? 'link' : drawn.has(tag.lowerName) ? 'resource' : use, isNoFollow })
}

function linkOf(tag: OpenTag, value: string): Reference {
  const isRelation = relations.test(attributeValue(tag, 'rel')) && !/stylesheet/i.test(attributeValue(tag, 'rel'))
  return isRelation ? { value, use: 'link', isAbsolute: true } : { value, use: 'resource' }
}

const attributeValue = (tag: OpenTag, name: string): string =>
  decodeReferences(tag.attributes.find((one) => one.name.toLowerCase() === name)?.value ?? '')

const hasAttribute = (tag: OpenTag, name: string): boolean =>
  tag.attributes.some((one) => one.name.toLowerCase() === name)

/** A candidate ends with a comma behind a blank, or behind its descriptor: addresses may contain commas. */
const replaceInSet = (value: string, replace: Replace): string =>
  value.replace(/([^\s,]\S*[^\s,]|[^\s,])(\s+[\d.]+[wxh])?(?=\s*(?:,|$))/g, (_, address: string, descriptor = '') => {
    return replace({ value: address, use: 'resource' }) + descriptor
  })
