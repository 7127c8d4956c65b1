/** Checks addresses of shortcodes and lines, writes them as HTML, and detects the kind of file that they name. */
import { lookupTable } from '../../../contract/lookup-table.ts'
import { escapeHtml } from '../../../core/runtime/escape-html.ts'
import { escapeAmpersands } from '../typography/references.ts'

export type MediaKind = 'audio' | 'video'

/**
 * Media types of files that browsers play (IANA media types; RFC 3003, 5334, 9639). Interface: a player of MPEG-4 audio
 * names the type of MP3, which older browsers know.
 */
const MEDIA_TYPES: { readonly [kind in MediaKind]: { readonly [extension: string]: string } } = lookupTable({
  audio: {
    aac: 'audio/aac',
    flac: 'audio/flac',
    m4a: 'audio/mpeg',
    m4b: 'audio/mpeg',
    mp3: 'audio/mpeg',
    oga: 'audio/ogg',
    ogg: 'audio/ogg',
    opus: 'audio/ogg',
    wav: 'audio/wav',
    weba: 'audio/webm',
  },
  video: {
    m4v: 'video/mp4',
    mp4: 'video/mp4',
    ogv: 'video/ogg',
    webm: 'video/webm',
  },
})

export const mediaExtensions = (kind: MediaKind): readonly string[] => Object.keys(MEDIA_TYPES[kind])

/** Returns the media type of the address by its extension, or undefined. */
export function mediaType(address: string, kind: MediaKind): string | undefined {
  const extension = /\.([a-z0-9]{2,4})$/.exec(parsed(address)?.pathname.toLowerCase() ?? '')?.[1] ?? ''
  return Object.hasOwn(MEDIA_TYPES[kind], extension) ? MEDIA_TYPES[kind][extension] : undefined
}

export const mediaKind = (address: string): MediaKind | undefined =>
  mediaType(address, 'audio') !== undefined ? 'audio' : mediaType(address, 'video') !== undefined ? 'video' : undefined

const anywhere = 'http://relative.invalid/'

function parsed(address: string): URL | undefined {
  return URL.canParse(address, anywhere) ? new URL(address, anywhere) : undefined
}

/** Returns whether the address is http, https or relative. A reference in front of the path may hide another protocol. */
export function isWebAddress(address: string): boolean {
  const head = /^[^/?#]*/.exec(address)?.[0] ?? ''
  const protocol = head.includes('&') ? undefined : parsed(address)?.protocol
  return protocol === 'http:' || protocol === 'https:'
}

/** Characters that addresses contain in encoded form only. */
const UNSAFE = /["'<>\\^`{|}\s]/g

const encoded = (address: string): string =>
  address.replace(UNSAFE, (sign) => (sign === "'" ? '%27' : encodeURIComponent(sign)))

/** Writes the address for an attribute. References in it stay. */
export const asAttribute = (address: string): string => escapeAmpersands(encoded(address))

/** Writes the address as readable text; it may be HTML already. */
export const asText = (address: string): string => escapeHtml(withoutReferences(address))

/** Decodes `&amp;` and `&#038;`; addresses contain no other references. */
export const withoutReferences = (address: string): string => address.replace(/&(?:amp|#0?38);/g, '&')
