/**
 * Values in the text form of the language that the file's system is written in: `a:1:{s:4:"file";s:5:"a.jpg";}`. Lengths
 * count bytes. Only plain values: an object, or anything that does not fit to the last byte, is not read.
 */
import type { Json } from '../../storage/contract.ts'

const maxDepth = 100

/** Whether a text has the form of such a list; others are texts that mean themselves. */
export const isSerialized = (text: string): boolean =>
  /^(?:a:\d+:\{[\s\S]*\}|s:\d+:"[\s\S]*";|[bid]:[^;]*;|N;)$/.test(text)

/** Undefined: it can not be read. */
export function readSerialized(text: string): Json | undefined {
  const reader = new Reader(new TextEncoder().encode(text))
  const value = reader.value(0)
  return reader.isAtEnd ? value : undefined
}

class Reader {
  readonly #bytes: Uint8Array
  #at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length
  }

  /** Undefined from the first mistake on: what follows does not fit any more. */
  value(depth: number): Json | undefined {
    const type = this.#until(this.#bytes[this.#at + 1] === 0x3b ? ';' : ':')
    if (type === 'N') return null
    if (type === 'b') return readBoolean(this.#until(';'))
    if (type === 'i' || type === 'd') return readNumber(this.#until(';'))
    if (type === 's') return this.#text()
    return type === 'a' && depth < maxDepth ? this.#list(depth) : undefined
  }

  #text(): string | undefined {
    const length = readCount(this.#until(':'))
    if (length === undefined || !this.#takes('"')) return undefined
    const end = this.#at + length
    if (end > this.#bytes.length) return undefined
    const text = new TextDecoder().decode(this.#bytes.subarray(this.#at, end))
    this.#at = end
    return this.#takes('";') ? text : undefined
  }

  #list(depth: number): Json | undefined {
    const count = readCount(this.#until(':'))
    if (count === undefined || !this.#takes('{')) return undefined
    const entries: [string, Json][] = []
    for (let index = 0; index < count; index++) {
      const key = this.value(maxDepth)
      const value = this.value(depth + 1)
      if ((typeof key !== 'string' && typeof key !== 'number') || value === undefined) return undefined
      entries.push([String(key), value])
    }
    if (!this.#takes('}')) return undefined
    const isList = entries.every(([key], index) => key === String(index))
    return isList ? entries.map(([, value]) => value) : Object.fromEntries(entries)
  }

  #takes(signs: string): boolean {
    for (const sign of signs) if (this.#bytes[this.#at++] !== sign.charCodeAt(0)) return false
    return true
  }

  /** A short word of ASCII before a sign, which is passed over. */
  #until(sign: string): string {
    const end = this.#bytes.subarray(this.#at, this.#at + 40).indexOf(sign.charCodeAt(0))
    if (end === -1) return ''
    const word = String.fromCharCode(...this.#bytes.subarray(this.#at, this.#at + end))
    this.#at += end + 1
    return word
  }
}

const readCount = (word: string) => (/^\d{1,9}$/.test(word) ? Number(word) : undefined)
const readBoolean = (word: string) => (word === '1' || word === '0' ? word === '1' : undefined)

function readNumber(word: string): number | undefined {
  const number = /^[+-]?[\d.]+(?:E[+-]?\d+)?$/i.test(word) ? Number(word) : Number.NaN
  return Number.isFinite(number) ? number : undefined
}
