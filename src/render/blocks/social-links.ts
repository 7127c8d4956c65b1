/** Draws a link of the social-link block: an icon and the name of the service. */
import { lookupTable } from '../../contract/lookup-table.ts'
import { escapeHtml } from '../../core/runtime/escape-html.ts'
import type { BlockAttributes } from '../../html/block-markers.ts'
import { harmlessAddress } from '../text/attributes.ts'

/** Services whose name is not their slug in title case, as the services write them. */
const SERVICE_NAMES: { readonly [service: string]: string } = lookupTable({
  chain: 'Link',
  codepen: 'CodePen',
  deviantart: 'DeviantArt',
  feed: 'RSS Feed',
  fivehundredpx: '500px',
  github: 'GitHub',
  gitlab: 'GitLab',
  lastfm: 'Last.fm',
  linkedin: 'LinkedIn',
  soundcloud: 'SoundCloud',
  tiktok: 'TikTok',
  vk: 'VK',
  whatsapp: 'WhatsApp',
  youtube: 'YouTube',
})

/** Draws two links of a chain. Choice: one icon represents all services, because their logos are trademarks. */
const ICON =
  '<svg width="24" height="24" viewBox="0 0 24 24" aria-hidden="true" focusable="false">' +
  '<path d="M3 12a5 5 0 0 1 5-5h3v2H8a3 3 0 0 0 0 6h3v2H8a5 5 0 0 1-5-5zm10-5h3a5 5 0 0 1 0 10h-3v-2h3a3 3 0 0 0 0-6h-3zM8 11h8v2H8z"/>' +
  '</svg>'

/** Writes nothing without an address, or when content does not allow its protocol. */
export function socialLinkHtml({ url, service, label }: BlockAttributes): string {
  const address = typeof url === 'string' ? harmlessAddress(url.trim()) : ''
  if (address === '') return ''
  const slug = typeof service === 'string' && /^[a-z0-9-]+$/.test(service) ? service : 'chain'
  const text = typeof label === 'string' && label.trim() !== '' ? label : serviceName(slug)
  return (
    `<li class="cms-social-link cms-social-link-${slug} cms-block-social-link">` +
    `<a href="${escapeHtml(address)}" class="cms-block-social-link-anchor">${ICON}` +
    `<span class="cms-block-social-link-label screen-reader-text">${escapeHtml(text)}</span></a></li>`
  )
}

const serviceName = (slug: string) =>
  Object.hasOwn(SERVICE_NAMES, slug) ? (SERVICE_NAMES[slug] as string) : slug.charAt(0).toUpperCase() + slug.slice(1)
