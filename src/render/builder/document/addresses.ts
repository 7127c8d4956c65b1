/** Decides which addresses may be written in `href` and `src`. */

const SCHEME = /^([a-z][a-z0-9+.-]*):/i
const LINKS: ReadonlySet<string> = new Set('http https mailto tel sms skype viber whatsapp ftp'.split(' '))
const FILES: ReadonlySet<string> = new Set(['http', 'https'])
const INLINE_IMAGE = /^data:image\/(?:png|jpeg|gif|webp);base64,[a-z0-9+/=]+$/i

/** Parsers of the URL standard remove controls and blanks at the ends, and tabs and line ends everywhere. */
const plain = (address: string): string => address.replace(/^[\0-\x20]+|[\0-\x20]+$/g, '').replace(/[\t\n\r]+/g, '')

const withScheme = (address: string, schemes: ReadonlySet<string>): string => {
  const text = plain(address)
  const scheme = SCHEME.exec(text)?.[1]?.toLowerCase()
  return scheme === undefined || schemes.has(scheme) ? text : ''
}

/** Returns an address for `href` and `action`, unescaped; empty when it could run a script. */
export const linkAddress = (address: string): string => withScheme(address, LINKS)

/** Returns an address for `src` and `url()`, unescaped; empty when its scheme is not allowed. */
export const fileAddress = (address: string): string => {
  const text = plain(address)
  return INLINE_IMAGE.test(text) ? text : withScheme(text, FILES)
}

/** Encodes a text as a part of an address. A lone surrogate, which UTF-8 cannot encode, becomes the replacement character. */
export const addressPart = (text: string): string => encodeURIComponent(text.toWellFormed())
