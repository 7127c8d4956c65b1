/** The view of a provider's response: the members that oEmbed names, each checked for its type, and HTML built here. */
import { stripTags } from '../../../html/strip-tags.ts'
import { escapeHtml, safeProviderHtml, secureAddress, webAddress } from './provider-html.ts'
import type { EmbedFields } from './xml.ts'

interface EmbedSource {
  /** The embedded page. */
  readonly url: URL
  /** The endpoint that has responded. */
  readonly endpoint: URL
  readonly isListed: boolean
}

type Members = ReadonlyMap<string, unknown>

/** Undefined for a response that has nothing to show. */
export function providerView(members: Members, source: EmbedSource): EmbedFields | undefined {
  const type = members.get('type')
  const html = type === 'rich' || type === 'video' ? framedHtml(members, source) : generatedHtml(type, members, source)
  if (html === undefined) return undefined
  return defined({
    version: '1.0',
    type: String(type),
    title: text(members.get('title')),
    author_name: text(members.get('author_name')),
    author_url: address(members.get('author_url')),
    provider_name: text(members.get('provider_name')),
    provider_url: address(members.get('provider_url')),
    cache_age: number(members.get('cache_age')),
    thumbnail_url: address(members.get('thumbnail_url')),
    thumbnail_width: number(members.get('thumbnail_width')),
    thumbnail_height: number(members.get('thumbnail_height')),
    width: number(members.get('width')),
    height: number(members.get('height')),
    url: type === 'photo' ? secureAddress(textOf(members.get('url'))) : undefined,
    html,
  })
}

function framedHtml(members: Members, { endpoint, isListed }: EmbedSource): string | undefined {
  const html = members.get('html')
  if (typeof html !== 'string') return undefined
  return safeProviderHtml(html, {
    isListed,
    hosts: isListed ? [endpoint.hostname.replace(/^www\./, '')] : [],
    width: number(members.get('width')),
    height: number(members.get('height')),
  })
}

/** Interface: photos and links have HTML too. */
function generatedHtml(type: unknown, members: Members, { url }: EmbedSource): string | undefined {
  const title = text(members.get('title')) ?? ''
  if (type === 'link') return `<a href="${escapeHtml(url.href)}">${title || escapeHtml(url.href)}</a>`
  const picture = type === 'photo' ? secureAddress(textOf(members.get('url'))) : undefined
  if (picture === undefined) return undefined
  const alt = title.replaceAll('"', '&quot;')
  const [width, height] = [number(members.get('width')), number(members.get('height'))]
  const size = width && height ? ` width="${width}" height="${height}"` : ''
  return `<a href="${escapeHtml(url.href)}"><img src="${escapeHtml(picture)}" alt="${alt}"${size}></a>`
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined)
const address = (value: unknown) => webAddress(textOf(value))

const maxTextLength = 1000

/** Clients insert titles into their pages as HTML, so they have no tags, and no character that could start one. */
function text(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  const plain = stripTags(value).slice(0, maxTextLength).trim()
  return plain.replaceAll('<', '&lt;').replaceAll('>', '&gt;').toWellFormed()
}

/** XML responses and some providers send numbers as texts. */
function number(value: unknown): number | undefined {
  const parsed = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value
  return typeof parsed === 'number' && Number.isFinite(parsed) && parsed >= 0 ? parsed : undefined
}

function defined(fields: { readonly [name: string]: string | number | undefined }): EmbedFields {
  return Object.fromEntries(
    Object.entries(fields).filter((entry): entry is [string, string | number] => entry[1] !== undefined),
  )
}
