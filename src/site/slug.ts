/** Slugs: the part of an address that names a post. Which of them are taken is not decided here. */
import { lookupTable } from '../contract/lookup-table.ts'
import { latinLetters } from '../contract/text-fold.ts'
import { stripTags } from '../html/strip-tags.ts'

const MAX_LENGTH = 200
const TRASHED = '__trashed'

/** References to signs that part words, by name or number; all other references go. */
const REFERENCE = /&(?:#?\w+);/g
const PARTING_REFERENCE = /^&(?:nbsp|ndash|mdash|#(?:160|8211|8212|x(?:a0|201[34])));$/i

/** Matches a percent-encoded character of UTF-8, a single escape, or any other character. */
const UNIT =
  /%[cd][0-9a-f]%[89ab][0-9a-f]|%e[0-9a-f](?:%[89ab][0-9a-f]){2}|%f[0-7](?:%[89ab][0-9a-f]){3}|%[0-9a-f]{2}|./isuy

/** Blanks of Unicode, the hyphen that does not break, and the two common dashes. */
const PARTING = /[\u2011\u2013\u2014\p{Zs}]/u
/** Signs of ASCII that part words. */
const PARTING_ASCII = ' ./-'

/** Quotes, signs beside words that are no part of them, and characters without a width. */
const DROPPED = /[¡£©«\u00ad®°»¿\u2018-\u201f\u2022\u2026\u2039\u203a™\u200b-\u200f\u2060\ufeff]/

/** Letters that slugs write in another way than searches, compatibility letters, and the two signs that are read as letters. */
const PLAIN: { readonly [letter: string]: string } = lookupTable({
  ª: 'a',
  ĳ: 'ij',
  ŀ: 'l',
  ŉ: 'n',
  º: 'o',
  ß: 's',
  ſ: 's',
  '€': 'e',
  '×': 'x',
})

/** The plain form of a small Latin letter; other characters as they are, without marks. */
export const plainLetter = (letter: string): string =>
  PLAIN[letter] ?? latinLetters[letter] ?? letter.normalize('NFD').charAt(0)

/** Choice: escapes of control characters and of the dot are dropped; in an address, `%2e%2e` leads to the folder above. */
const UNSAFE_ESCAPE = /^%(?:[01].|7f|2e)$/
const COMBINING = /[\u0300-\u036f]/

/**
 * The slug of a title, or of a slug that a client sent: `a-z`, `0-9`, `-`, `_` and percent-encoded characters, at most 200
 * of them. Empty when nothing is left. Doing it twice changes nothing.
 */
export function toSlug(title: string): string {
  const text = withoutReferences(stripTags(title)).replaceAll('ẞ', SHARP_S).normalize('NFC').toLowerCase()
  let slug = ''
  let at = 0
  while (at < text.length && slug.length < MAX_LENGTH) {
    const end = endOfWord(text, at)
    // Text outside of words is read character by character.
    const unit = end > at ? '' : unitAt(text, at)
    const part = end > at ? text.slice(at, Math.min(end, at + MAX_LENGTH - slug.length)) : partOf(unit, slug)
    at = end + unit.length
    if (part === '-' && (slug === '' || slug.endsWith('-'))) continue
    if (slug.length + part.length > MAX_LENGTH) break
    slug += part
  }
  return withoutHyphensAtEnd(slug)
}

/** Interface: the capital sharp s stays a sharp s in a slug, where the small one becomes an s. */
const SHARP_S = '%c3%9f'

const withoutReferences = (text: string): string =>
  text.includes('&') ? text.replace(REFERENCE, (reference) => (PARTING_REFERENCE.test(reference) ? '-' : '')) : text

/** Behind the letters, digits and underscores from `start` on. */
function endOfWord(text: string, start: number): number {
  let end = start
  while (end < text.length && isOfWord(text.charCodeAt(end))) end++
  return end
}

const isOfWord = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || code === UNDERSCORE

const UNDERSCORE = 95

function unitAt(text: string, at: number): string {
  if (text.charCodeAt(at) < 128 && text[at] !== '%') return text.charAt(at)
  UNIT.lastIndex = at
  return UNIT.exec(text)?.[0] ?? ''
}

/** Converts one character. `before` is the slug so far: a combining mark goes with the letter it belongs to. */
function partOf(unit: string, before: string): string {
  if (unit.length > 2 && unit.startsWith('%')) return UNSAFE_ESCAPE.test(unit) ? '' : unit
  if (unit <= '\x9f') return PARTING_ASCII.includes(unit) ? '-' : ''
  if (PARTING.test(unit)) return '-'
  if (DROPPED.test(unit)) return ''
  if (COMBINING.test(unit) && /[a-z]$/.test(before)) return ''
  const plain = plainLetter(unit)
  if (/^[a-z]/.test(plain)) return plain
  return isLoneSurrogate(unit) ? '' : encodeURIComponent(unit).toLowerCase()
}

const isLoneSurrogate = (unit: string) => unit.length === 1 && unit >= '\ud800' && unit <= '\udfff'

/** Cut between characters, never inside an escape. */
function cut(slug: string, length: number): string {
  if (slug.length <= length) return slug
  let kept = 0
  for (let unit = unitAt(slug, 0); kept + unit.length <= length; unit = unitAt(slug, kept)) kept += unit.length
  return slug.slice(0, kept)
}

function withoutHyphensAtEnd(slug: string): string {
  let end = slug.length
  while (slug.charAt(end - 1) === '-') end--
  return slug.slice(0, end)
}

/** Other scripts as characters, for showing. Escapes that are no valid UTF-8, and those of ASCII signs, stay. */
export function readableSlug(slug: string): string {
  return slug.replace(/(?:%[89a-f][0-9a-f])+/gi, (escapes) => {
    try {
      return decodeURIComponent(escapes)
    } catch {
      return escapes
    }
  })
}

/** The base with a number behind it, shortened to fit. */
export function suffixedSlug(base: string, n: number): string {
  const suffix = `-${n}`
  return withoutHyphensAtEnd(cut(base, MAX_LENGTH - suffix.length)) + suffix
}

/** The slug of a post in the trash, so that a new post may take the old one. */
export function trashedSlug(slug: string): string {
  return slug.endsWith(TRASHED) ? slug : cut(slug, MAX_LENGTH - TRASHED.length) + TRASHED
}

const RESERVED: ReadonlySet<string> = new Set(['atom', 'embed', 'feed', 'rdf', 'rss', 'rss2'])

/** Whether an address with this slug would be read as another one: a feed, an embed, or a part of a date. */
export function isReservedSlug(slug: string, permalink: string): boolean {
  if (RESERVED.has(slug)) return true
  if (!/^\d+$/.test(slug)) return false
  const parts = permalink.split('/').filter((part) => part !== '')
  const place = parts.indexOf('{slug}')
  const number = Number(slug)
  if (place === -1 || number === 0) return false
  if (place === 0) return true
  const before = parts[place - 1] as string
  return number <= (before === '{year}' ? 12 : before.startsWith('{month') ? 31 : 0)
}
