/** Addresses in `href` and `src`: which may be written. */

const SCHEME = /^([a-z][a-z0-9+.-]*):/i
const LINKS: ReadonlySet<string> = new Set('http https mailto tel sms skype viber whatsapp ftp'.split(' '))
const FILES: ReadonlySet<string> = new Set(['http', 'https'])
const INLINE_IMAGE = /^data:image\/(?:png|jpeg|gif|webp);base64,[a-z0-9+/=]+$/i

/** The URL standard drops these: controls and blanks at the ends, tabs and line ends everywhere. */
const plain = (address: string): string => address.replace(/^[\0-\x20]+|[\0-\x20]+$/g, '').replace(/[\t\n\r]+/g, '')

const withScheme = (address: string, schemes: ReadonlySet<string>): string => {
  const text = plain(address)
  const scheme = SCHEME.exec(text)?.[1]?.toLowerCase()
  return scheme === undefined || schemes.has(scheme) ? text : ''
}

/** For `href` and `action`; empty when the address could run a script. Not escaped. */
export const linkAddress = (address: string): string => withScheme(address, LINKS)

/** For `src` of images, videos and audio, and for `url()`; empty when it is none of ours. Not escaped. */
export const fileAddress = (address: string): string => {
  const text = plain(address)
  return INLINE_IMAGE.test(text) ? text : withScheme(text, FILES)
}

/** A text as a part of an address. Half of a surrogate pair, which has no form there, becomes the replacement character. */
export const addressPart = (text: string): string => encodeURIComponent(text.toWellFormed())
