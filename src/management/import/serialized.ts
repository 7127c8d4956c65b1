/**
 * Parses values in the serialized form of PHP: `a:1:{s:4:"file";s:5:"a.jpg";}`. Lengths count bytes. Objects and references are
 * never read: what holds one, or does not parse to the last byte, is a problem as a whole.
 */
import type { Json } from '../../contract/storage.ts'

const maxDepth = 100

/** Longer ones stay texts: parsing takes several times their size in memory. */
const maxCharacters = 16 * 1024 * 1024

/** Objects (`O`, `C`, `E`) count, although they are never read. */
const form = /^(?:[ads]:.*[;}]|[bi]:-?\d+;|[OCE]:\d+:".*[;}]|N;)$/s

/** The value of a text of an export. `problem`: it is serialized, and does not parse. */
type MetaText = { readonly value: Json } | { readonly problem: true }

/** Texts that are not serialized stay as they are. */
export function readMetaText(text: string): MetaText {
  if (!isSerialized(text)) return { value: text }
  const value = text.length > maxCharacters ? undefined : readSerialized(text)
  return value === undefined ? { problem: true } : { value }
}

/** By its beginning and its end; any other text is a plain value. */
const isSerialized = (text: string): boolean =>
  /^(?:[as]:\d+:[{"]|[bdi]:[-+.\dIN]|[OCE]:\d+:"|N;)/.test(text) && form.test(text)

/** Undefined for a text that does not parse. */
function readSerialized(text: string): Json | undefined {
  const reader = new Reader(text)
  const value = reader.value(0)
  return reader.isAtEnd ? value : undefined
}

class Reader {
  /** A character for each byte. */
  readonly #text: string
  /** Absent for a text in ASCII, whose characters are its bytes. */
  readonly #bytes: Uint8Array | undefined
  #at = 0

  constructor(text: string) {
    const bytes = new TextEncoder().encode(text)
    const isPlain = bytes.length === text.length
    this.#text = isPlain ? text : new TextDecoder('windows-1252').decode(bytes)
    this.#bytes = isPlain ? undefined : bytes
  }

  get isAtEnd(): boolean {
    return this.#at === this.#text.length
  }

  /** Returns undefined after a mistake; the reader can not be used any further then. */
  value(depth: number): Json | undefined {
    const type = this.#until(this.#text[this.#at + 1] === ';' ? ';' : ':')
    if (type === 'N') return null
    if (type === 'b') return readBoolean(this.#until(';'))
    if (type === 'i' || type === 'd') return readNumber(this.#until(';'))
    if (type === 's') return this.#string()
    return type === 'a' && depth < maxDepth ? this.#list(depth) : undefined
  }

  #string(): string | undefined {
    const length = readCount(this.#until(':'))
    if (length === undefined || !this.#consume('"')) return undefined
    const end = this.#at + length
    if (end > this.#text.length) return undefined
    const text = this.#bytes
      ? new TextDecoder().decode(this.#bytes.subarray(this.#at, end))
      : this.#text.slice(this.#at, end)
    this.#at = end
    return this.#consume('";') ? text : undefined
  }

  #list(depth: number): Json | undefined {
    const count = readCount(this.#until(':'))
    if (count === undefined || !this.#consume('{')) return undefined
    const entries: [string, Json][] = []
    for (let index = 0; index < count; index++) {
      const key = this.value(maxDepth)
      const value = this.value(depth + 1)
      if ((typeof key !== 'string' && typeof key !== 'number') || value === undefined) return undefined
      entries.push([String(key), value])
    }
    if (!this.#consume('}')) return undefined
    const isList = entries.every(([key], index) => key === String(index))
    return isList ? entries.map(([, value]) => value) : Object.fromEntries(entries)
  }

  #consume(expected: string): boolean {
    const isThere = this.#text.startsWith(expected, this.#at)
    this.#at += expected.length
    return isThere
  }

  /** The ASCII word before the next delimiter; moves past the delimiter. */
  #until(delimiter: string): string {
    const near = this.#text.slice(this.#at, this.#at + 40)
    const end = near.indexOf(delimiter)
    if (end === -1) return ''
    this.#at += end + 1
    return near.slice(0, end)
  }
}

const readCount = (word: string) => (/^\d{1,9}$/.test(word) ? Number(word) : undefined)
const readBoolean = (word: string) => (word === '1' || word === '0' ? word === '1' : undefined)

/** Integers that a number can not hold are texts, so that no digit is lost. */
function readNumber(word: string): number | string | undefined {
  const number = /^[+-]?[\d.]+(?:E[+-]?\d+)?$/i.test(word) ? Number(word) : Number.NaN
  if (/^[+-]?\d+$/.test(word) && !Number.isSafeInteger(number)) return word
  return Number.isFinite(number) ? number : undefined
}
