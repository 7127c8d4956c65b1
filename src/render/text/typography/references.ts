/** Recognises character references in text by their form (HTML standard, section 13.1.4), without decoding them. */
import { SIGNS, type Work } from './signs.ts'

const isAlphanumeric = (code: number): boolean =>
  (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122)

const isHexadecimal = (code: number): boolean =>
  (code >= 48 && code <= 57) || (code >= 65 && code <= 70) || (code >= 97 && code <= 102)

const isDecimal = (code: number): boolean => code >= 48 && code <= 57

function endOfRun(text: string, from: number, matches: (code: number) => boolean): number {
  let at = from
  while (at < text.length && matches(text.charCodeAt(at))) at += 1
  return at
}

/**
 * Returns the offset after the reference that starts at `start`, or `start` without one. A name matches by its form: a letter
 * and at least one more letter or digit, whether or not the standard knows it. The final `;` is required.
 */
export function endOfReference(text: string, start: number, work: Work): number {
  const isNumeric = text[start + 1] === '#'
  const isHex = isNumeric && (text[start + 2] === 'x' || text[start + 2] === 'X')
  const first = start + (isHex ? 3 : isNumeric ? 2 : 1)
  const end = endOfRun(text, first, isHex ? isHexadecimal : isNumeric ? isDecimal : isAlphanumeric)
  work.steps += end - start + 1
  const isLongEnough = isNumeric ? end > first : end > first + 1 && !isDecimal(text.charCodeAt(first))
  return isLongEnough && text[end] === ';' ? end + 1 : start
}

/** Escapes every `&` that starts no reference. */
export function escapeAmpersands(text: string, work: Work = { steps: 0 }): string {
  let at = text.indexOf('&')
  if (at === -1) return text
  let escaped = ''
  let copied = 0
  while (at !== -1) {
    const end = endOfReference(text, at, work)
    if (end === at) {
      escaped += text.slice(copied, at) + SIGNS.ampersand
      copied = at + 1
    }
    at = text.indexOf('&', Math.max(end, at + 1))
  }
  return escaped + text.slice(copied)
}
