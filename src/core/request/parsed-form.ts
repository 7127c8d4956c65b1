/**
 * A form that a parser of the host has read already, parsed by our rules all the same: its names are written out again. What the
 * host's parser has dropped is not seen.
 */
import { parseForm } from './query-string.ts'

export function fromParsedForm(parsed: object): { [name: string]: unknown } {
  const pairs: string[] = []
  for (const [name, value] of Object.entries(parsed)) addPairs(encodeURIComponent(name), value, pairs, 0)
  return parseForm(pairs.join('&'))
}

/** Deeper than any form may be nested: `parseForm` refuses it, and an endless object ends here. */
const deepest = 100

function addPairs(name: string, value: unknown, pairs: string[], depth: number): void {
  if (typeof value !== 'object' || value === null || depth > deepest) {
    pairs.push(`${name}=${encodeURIComponent(textOf(value))}`)
    return
  }
  const isList = Array.isArray(value)
  for (const [key, member] of Object.entries(value)) {
    const isPlain = typeof member !== 'object' || member === null
    addPairs(`${name}[${isList && isPlain ? '' : encodeURIComponent(key)}]`, member, pairs, depth + 1)
  }
}

/** Forms hold texts; a half of a surrogate pair can not be written. */
const textOf = (value: unknown): string =>
  value === undefined || value === null || typeof value === 'object' ? '' : String(value).toWellFormed()
