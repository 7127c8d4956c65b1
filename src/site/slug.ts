/**
 * Slugs: the readable part of an address, made from a title or from what a client asks for. Plain rules; whether a slug is
 * taken is the storage's knowledge.
 */
import { stripTags } from './strip-tags.ts'

/** In ASCII letters; a character of another script counts its percent signs. */
const MAX_LENGTH = 200

/** Letters that are no base letter with marks, or that are written with two. */
const LETTERS: Readonly<Record<string, string>> = {
  ...{ ª: 'a', º: 'o', Æ: 'AE', æ: 'ae', Ð: 'D', ð: 'd', Ø: 'O', ø: 'o', Þ: 'TH', þ: 'th', ß: 's', Đ: 'D', đ: 'd' },
  ...{ Ħ: 'H', ħ: 'h', ı: 'i', Ĳ: 'IJ', ĳ: 'ij', ĸ: 'k', Ŀ: 'L', ŀ: 'l', Ł: 'L', ł: 'l', ŉ: 'n', Ŋ: 'N', ŋ: 'n' },
  ...{ Œ: 'OE', œ: 'oe', Ŧ: 'T', ŧ: 't', ſ: 's', Ə: 'E', ǝ: 'e', ɑ: 'a', '€': 'E', '£': '' },
}
/** Latin letters that lose their marks. Letters of other scripts, and rarer Latin ones, stay and are percent-encoded. */
const MARKED = /[ªºÀ-ÖØ-öø-ſƏƠơƯưǍ-ǝȘ-țɑẠ-ỹ€£]/g
const BEYOND_ASCII = /[^\0-\x7f]/
const MARKS = /\p{M}+/gu

function withoutAccents(text: string): string {
  if (!BEYOND_ASCII.test(text)) return text
  return text
    .normalize('NFC')
    .replace(MARKED, (letter) => LETTERS[letter] ?? letter.normalize('NFD').replace(MARKS, ''))
}

/** Signs that stand between words: blanks with a width, line ends, the short and the long dash, a slash. */
const BETWEEN = /[\u00a0\u2013\u2014\u2000-\u200a\u2028\u2029\u202f/]|&(?:nbsp|ndash|mdash|#160|#8211|#8212);/g
/** Signs that vanish: quotes, bullets, trade marks, single accents, anything without a width. */
const WITHIN = new RegExp(
  [
    '[\u00a1\u00a9\u00ab\u00ad\u00ae\u00b0\u00b4\u00bb\u00bf\u02ca\u2018-\u201f\u2022\u2026\u2039\u203a\u2122',
    '\u200b-\u200f\u202a-\u202e\ufeff\ufffc]|[\u0300\u0301\u0304\u030c\u0341]',
  ].join(''),
  'g',
)

/** The slug of a title: lower case, words joined by hyphens, other scripts percent-encoded. Empty when nothing is left. */
export function toSlug(title: string): string {
  const plain = stripTags(withoutAccents(title)).replace(/%(?![a-fA-F0-9]{2})/g, '')
  const encoded = encode(plain.toLowerCase(), MAX_LENGTH).toLowerCase()
  if (encoded === '' || /^[a-z0-9_]+$/.test(encoded)) return encoded
  const slug = withoutSigns(encoded)
    .replace(/&[^;\n]+;/g, '')
    .replaceAll('.', '-')
    .replace(/[^%a-z0-9 _-]/g, '')
    .replace(/[ -]+/g, '-')
    .replace(/^-|-$/g, '')
  return withoutHidden(slug)
}

/**
 * Choice: a dot, a slash or any other ASCII sign that arrives percent-encoded is dropped, since an address with it is read
 * as another one.
 */
function withoutHidden(slug: string): string {
  let safe = slug
  while (HIDDEN.test(safe)) safe = safe.replace(HIDDEN, '')
  return safe === slug ? slug : safe.replace(/-+/g, '-').replace(/^-|-$/g, '')
}

const HIDDEN = /%[0-7][0-9a-f]/

/** The signs are looked for after cutting, so that a long title is cut where its encoded form reaches the limit. */
function withoutSigns(encoded: string): string {
  const signs = encoded.includes('%') ? encoded.replace(/(?:%[89a-f][0-9a-f])+/g, decodeSigns) : encoded
  return signs.replace(BETWEEN, '-')
}

function decodeSigns(octets: string): string {
  const text = decode(octets)
  if (text === undefined) return octets
  return encode(text.replace(BETWEEN, '-').replace(WITHIN, '').replaceAll('×', 'x'), Number.POSITIVE_INFINITY)
}

function decode(octets: string): string | undefined {
  try {
    return decodeURIComponent(octets)
  } catch {
    return undefined
  }
}

/** As people read it. Octets that are no text stay as they are. */
export function readableSlug(slug: string): string {
  return slug.replace(/(?:%[89a-f][0-9a-f])+/g, (octets) => decode(octets) ?? octets)
}

/** Percent-encodes all but ASCII, up to a length, never cutting a character in half. */
function encode(text: string, limit: number): string {
  if (!BEYOND_ASCII.test(text)) return text.length > limit ? text.slice(0, limit) : text
  let encoded = ''
  for (const character of text) {
    const code = character.codePointAt(0) as number
    const isHalf = code >= 0xd800 && code <= 0xdfff
    const piece = code < 0x80 ? character : isHalf ? '%ef%bf%bd' : encodeURIComponent(character).toLowerCase()
    if (encoded.length + piece.length > limit) return encoded
    encoded += piece
  }
  return encoded
}

/** `base-2`, `base-3` …; the base gives way when the whole would be too long, a percent-encoded character as a whole. */
export function suffixedSlug(base: string, n: number): string {
  const suffix = `-${n}`
  return `${shortened(base, MAX_LENGTH - suffix.length)}${suffix}`
}

const TRASHED = '__trashed'

/** The slug a post has in the trash, where it leaves its own to others. */
export function trashedSlug(slug: string): string {
  return slug.endsWith(TRASHED) ? slug : `${shortened(slug, MAX_LENGTH - TRASHED.length)}${TRASHED}`
}

/** One character: its octets together, so that a cut never leaves half of it. */
const CHARACTER = /%[c-f][0-9a-f](?:%[89ab][0-9a-f])+|%[0-9a-f]{2}|[\s\S]/g

function shortened(slug: string, length: number): string {
  let end = slug.length
  if (end > length) {
    end = 0
    for (const [character] of slug.matchAll(CHARACTER)) {
      if (end + character.length > length) break
      end += character.length
    }
  }
  while (end > 0 && slug[end - 1] === '-') end--
  return slug.slice(0, end)
}

const FEEDS: ReadonlySet<string> = new Set(['feed', 'rdf', 'rss', 'rss2', 'atom', 'embed'])

/**
 * Whether a slug may not be given to a post although nobody has it: the names of feeds and embeds, and numbers where the
 * address of a post could be read as a year, month or day. A post that has such a slug already keeps it.
 */
export function isReservedSlug(slug: string, permalink: string): boolean {
  if (FEEDS.has(slug)) return true
  if (!/^[0-9]+$/.test(slug) || Number(slug) === 0) return false
  const parts = permalink.split('/').filter((part) => part !== '')
  const index = parts.indexOf('{slug}')
  if (index === 0) return true
  const before = parts[index - 1]
  if (before === '{year}') return Number(slug) <= 12
  return (before === '{monthnum}' || before === '{month}') && Number(slug) <= 31
}
