/** Names of uploaded files: portable, without folders, and without endings that a server might run. */
import { plainLetter } from './slug.ts'

const MAX_LENGTH = 100
/** File systems take 255 bytes for a name; numbers and sizes are added to it. */
const MAX_BYTES = 180

/** Endings before the last one that some servers take for a program. */
const PROGRAM = /^(?:php\d?|phtml|phar|pl|py|rb|cgi|asp|aspx|jsp|exe|sh|bat|cmd|js|mjs|html?|svg|xml)$/i
/** Names of devices, which Windows opens in place of a file, whatever follows the first dot. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i

/** The part of a path behind its last slash, in either direction. */
const lastPart = (path: string): string => path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)

const withoutEnding = (name: string): string => name.replace(/\.[^.]*$/, '')

/**
 * A name of letters, digits, signs such as emoji, `_`, `-` and dots between them; its ending is `extension`. Latin letters lose their
 * accents as in slugs, letters of other scripts stay.
 */
export const safeFileName = (given: string, extension: string): string => `${plainStem(given)}.${extension}`

const plainStem = (given: string) => stemOf(given.normalize('NFC').replace(LATIN, plainLatin))

/**
 * The title that the name of a file in a header gives: the portable name with the accents of its letters. Empty where that is the
 * stored name, which then gives the title with its number.
 */
export function portableTitleOfFile(given: string): string {
  const title = stemOf(given)
  return title === plainStem(given) ? '' : title
}

function stemOf(given: string): string {
  const parts = portable(withoutEnding(lastPart(given)))
    .split('.')
    .map((part, index) => (index > 0 && PROGRAM.test(part.normalize('NFKC')) ? `${part}_` : part))
  const clean = cut(
    parts
      .join('.')
      .replace(/-{2,}/g, '-')
      .replace(/\.{2,}/g, '.')
      .replace(/^[-.\p{M}]+|[-.]+$/gu, ''),
  ).replace(/[-.]+$/, '')
  const [first = '', ...others] = clean.split('.')
  const name = DEVICE.test(first.normalize('NFKC')) ? [`${first}_`, ...others].join('.') : clean
  return name === '' ? 'file' : name
}

const LATIN = /\p{Script=Latin}\p{M}*/gu

/** Characters without a width go: some of them turn the direction of what follows. */
const portable = (text: string): string =>
  text
    .normalize('NFC')
    .replace(/\p{Cf}/gu, '')
    .replace(/[^\p{L}\p{M}\p{N}\p{So}_.-]+/gu, '-')

function plainLatin(letter: string): string {
  const [base = ''] = letter
  const small = base.toLowerCase()
  const plain = plainLetter(small)
  return base === small ? plain : plain.charAt(0).toUpperCase() + plain.slice(1)
}

const encoder = new TextEncoder()

/** Cuts between characters. */
function cut(name: string): string {
  let kept = ''
  let bytes = 0
  for (const character of name) {
    bytes += encoder.encode(character).length
    if (bytes > MAX_BYTES || kept.length + character.length > MAX_LENGTH) break
    kept += character
  }
  return kept
}

/** Control characters, and those that turn the direction of what follows: a name could show another ending than it has. */
const UNSEEN = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu

/** The title that the name of a file in a form gives. Browsers write a quote in such a name as `%22`. Empty where nothing is left. */
export const titleOfFile = (given: string): string =>
  withoutEnding(lastPart(given)).replaceAll('%22', '"').toWellFormed().normalize('NFC').replace(UNSEEN, '').trim()

/** The name in a `Content-Disposition` header: undefined without one. The form of RFC 8187 wins over the plain one. */
export function dispositionName(header: string): string | undefined {
  const parameters = parametersOf(header)
  const encoded = /^utf-8'[^']*'(.+)$/i.exec(parameters.get('filename*')?.trim() ?? '')?.[1]
  const plain = parameters.get('filename')
  const name = (encoded && decodeOrUndefined(encoded)) ?? (plain && utf8Of(plain))
  return name?.trim() || undefined
}

/** A value in quotes may contain semicolons; one without them reaches to the next, blanks included. A name may have no value. */
const PARAMETER = /\s*;\s*(?:([^\s=;"]+)\s*(?:=\s*(?:"((?:[^"\\]|\\.)*)"|([^";]*)))?)?/y

function parametersOf(header: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  PARAMETER.lastIndex = Math.max(0, header.indexOf(';'))
  for (let match = PARAMETER.exec(header); match !== null; match = PARAMETER.exec(header)) {
    const [, name = '', quoted, bare = ''] = match
    const key = name.toLowerCase()
    if (!found.has(key)) found.set(key, quoted?.replace(/\\(["\\])/g, '$1') ?? bare)
  }
  return found
}

const strictUtf8 = new TextDecoder('utf-8', { fatal: true })

/** Servers read headers as Latin-1: UTF-8 in one arrives as a character for each byte. */
function utf8Of(text: string): string {
  if (!/[\x80-\xff]/.test(text) || /[^\0-\xff]/.test(text)) return text
  try {
    return strictUtf8.decode(Uint8Array.from(text, (sign) => sign.charCodeAt(0)))
  } catch {
    return text
  }
}

function decodeOrUndefined(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
