/**
 * The two folds of texts. `identityFold` decides whether two names are the same name; `fold` is for searches and for the order of names.
 * All storages compare the same characters, so they agree.
 */
import { lookupTable } from './lookup-table.ts'

const BEYOND_ASCII = /[^\0-\x7f]/

/**
 * The table of marks that a search leaves out. Marks of all other scripts are vowels, tones or parts of letters, as in Devanagari, Tamil,
 * Bengali, Thai and kana: another mark makes another word there.
 *
 * - Latin, Greek, Cyrillic: all marks.
 * - Hebrew: points and cantillation, which most texts are written without.
 * - Arabic: harakat and the signs of recitation. Hamza and madda stay, except on an alef, where many writers leave them out.
 * - Syriac: points.
 * - Every script: variation selectors, which choose the look of a character.
 */
const EUROPEAN = /([\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])\p{M}+/gu
const POINTS =
  /(?:[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u0652\u0656-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u0730-\u074a\u08ca-\u08e1\u08e3-\u08ff]|[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]|[\u180b-\u180d]|\u180f|\u0640)+/gu
const ALEF = /\u0627[\u0653-\u0655]+/g

/** Small Latin letters that Unicode does not take apart into a letter and marks. */
export const latinLetters: { readonly [letter: string]: string } = lookupTable({
  æ: 'ae',
  ð: 'd',
  đ: 'd',
  ħ: 'h',
  ı: 'i',
  ĸ: 'k',
  ł: 'l',
  ŋ: 'n',
  ø: 'o',
  œ: 'oe',
  ß: 'ss',
  þ: 'th',
  ŧ: 't',
})
const LATIN = /[æðđħıĸłŋøœßþŧ]/g

/**
 * For searches and orders: without case, and without the marks that the table above names. Folding twice changes nothing.
 *
 * ```ts
 * import { fold } from 'site-api/storage'
 *
 * export const isFound = fold('Un CAFÉ').includes(fold('café'))
 * ```
 */
export function fold(text: string): string {
  if (!BEYOND_ASCII.test(text)) return text.toLowerCase()
  const lower = text.normalize('NFKD').toLowerCase().normalize('NFKD')
  const bare = lower.replace(POINTS, '').replace(EUROPEAN, '$1').replace(ALEF, '\u0627')
  // A final sigma has another code point, but part of the word has to match it.
  return bare
    .replaceAll('ς', 'σ')
    .replace(LATIN, (letter) => latinLetters[letter] as string)
    .normalize('NFC')
}

/**
 * For identity: the same letters in the form NFC, without regard to case. `año` is not `ano`. Folding twice changes nothing.
 *
 * ```ts
 * import { identityFold } from 'site-api/storage'
 *
 * export const isSame = identityFold('CAFÉ') === identityFold('café')
 * ```
 */
export function identityFold(text: string): string {
  if (!BEYOND_ASCII.test(text)) return text.toLowerCase()
  // The two small forms of sigma are one letter of capitals.
  return text.normalize('NFC').toLowerCase().replaceAll('ς', 'σ').normalize('NFC')
}

/**
 * Order by code point. JavaScript's `<` compares UTF-16 units and sorts emoji before U+E000 to U+FFFF.
 *
 * ```ts
 * import { compareText } from 'site-api/storage'
 *
 * export const sorted = ['Über', 'apple'].sort(compareText)
 * ```
 */
export function compareText(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let index = 0; index < length; index++) {
    const left = a.charCodeAt(index)
    const right = b.charCodeAt(index)
    if (left !== right) return byCodePoint(left) - byCodePoint(right)
  }
  return a.length - b.length
}

/** Moves surrogates above all other units. */
function byCodePoint(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit
}
