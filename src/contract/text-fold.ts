/**
 * The folded form of a text, used by search and text order. All storages compare the same characters, so they agree.
 */

const BEYOND_ASCII = /[^\0-\x7f]/
const MARKS = /\p{M}+/gu

/**
 * Without case and accents: NFKD, marks dropped, lower case. Folding twice changes nothing.
 *
 * ```ts
 * import { fold } from 'site-api/storage'
 *
 * export const isSame = fold('CAFÉ') === fold('café')
 * ```
 */
export function fold(text: string): string {
  if (!BEYOND_ASCII.test(text)) return text.toLowerCase()
  const bare = text.normalize('NFKD').replace(MARKS, '').toLowerCase()
  // A final sigma has another code point, but part of the word has to match it. Lower case can bring new marks.
  return bare.replaceAll('ς', 'σ').normalize('NFKD').replace(MARKS, '')
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
