/** JSON values as text, checked for what not every database can store. */

import type { Json } from '../contract/storage.ts'
import { checkedText } from './checked-text.ts'

/**
 * The JSON text of a value. Throws a TypeError for a NUL in a text and for a number that JSON can't write; replaces lone
 * surrogates, which databases refuse, by U+FFFD.
 *
 * ```ts
 * import { jsonText } from 'site-api/storage'
 *
 * export const stored = jsonText({ tags: ['tide', 'pier'] })
 * ```
 */
export function jsonText(value: Json): string {
  // Without a replacer, which takes several times as long; what JSON can't write becomes `null`.
  const text = JSON.stringify(value)
  if (text === undefined) throw new TypeError(`a ${typeof value} is not a JSON value`)
  if (text.includes('null')) assertFinite(value)
  // Only a hint: the text may contain an escaped backslash before `u0000`, so the value is checked.
  if (text.includes('\\u0000')) assertNoNul(value)
  return text.includes('\\ud') ? wellFormed(text) : text
}

/** Replaces lone surrogates as text columns do. JSON.stringify escapes no other characters as `\ud...`. */
function wellFormed(text: string): string {
  return text.replace(/\\(?:ud[89a-f][0-9a-f]{2}|.)/g, (match) => (/^\\ud/.test(match) ? '\\ufffd' : match))
}

function assertFinite(value: unknown): void {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new TypeError(`${value} is not a JSON value`)
  if (value !== null && typeof value === 'object') for (const member of Object.values(value)) assertFinite(member)
}

function assertNoNul(value: Json): void {
  if (typeof value === 'string') checkedText(value)
  else if (value !== null && typeof value === 'object') {
    for (const [key, member] of Object.entries(value)) {
      checkedText(key)
      if (member !== undefined) assertNoNul(member)
    }
  }
}
