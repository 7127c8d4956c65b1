/** Reads the bytes of a stored picture in windows, and lists the parts of which the cut file consists. */

/** The bytes of a file, read in ranges. */
export interface ByteSource {
  readonly size: number
  chunks(range: { readonly start: number; readonly end: number }): AsyncIterable<Uint8Array>
}

/** The container says something that cannot be: the file is not cut here. */
export class Unreadable extends Error {}

const windowBytes = 64 * 1024

/** Holds one window of a source. The container formats are read forwards, so each window is read about once. */
export class ByteReader {
  readonly source: ByteSource
  #from = 0
  #held: Uint8Array = new Uint8Array(0)

  constructor(source: ByteSource) {
    this.source = source
  }

  get size(): number {
    return this.source.size
  }

  /** Loads the window that begins at `at`, if the bytes are not in the present one. Throws Unreadable beyond the end. */
  async need(at: number, length: number): Promise<void> {
    if (length === 0 || this.holds(at, length)) return
    if (at < 0 || at + length > this.size) throw new Unreadable('the file ends before its container')
    const end = Math.min(this.size, at + Math.max(windowBytes, length))
    const parts: Uint8Array[] = []
    for await (const chunk of this.source.chunks({ start: at, end })) parts.push(chunk)
    this.#held = joined(parts)
    this.#from = at
    if (this.#held.length < length) throw new Unreadable('the file is shorter than it was')
  }

  holds(at: number, length: number): boolean {
    return at >= this.#from && at + length <= this.#from + this.#held.length
  }

  /** The window from `at` to its end. The bytes are valid until the next `need`. */
  window(at: number): Uint8Array {
    return this.#held.subarray(at - this.#from)
  }

  /** A copy. */
  async bytes(at: number, length: number): Promise<Uint8Array> {
    await this.need(at, length)
    return this.window(at).slice(0, length)
  }
}

export const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

export const ascii = (bytes: Uint8Array, from: number, to: number): string =>
  String.fromCharCode(...bytes.subarray(from, to))

export const asciiBytes = (text: string): Uint8Array => Uint8Array.from(text, (letter) => letter.charCodeAt(0))

export function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

type Part = { readonly from: number; readonly to: number } | { readonly bytes: Uint8Array } | { readonly zeros: number }

/** A file that is cut into more parts is made to be slow. */
const mostParts = 10_000

/** The parts of the cut file: ranges of the source, new bytes, and zeros where a length has to stay. */
export class PartList {
  readonly #parts: Part[] = []
  size = 0

  /** Keeps bytes of the source as they are. */
  keep(from: number, to: number): void {
    if (to <= from) return
    const last = this.#parts.at(-1)
    if (last && 'from' in last && last.to === from) this.#parts[this.#parts.length - 1] = { from: last.from, to }
    else this.#add({ from, to })
    this.size += to - from
  }

  put(bytes: Uint8Array): void {
    if (bytes.length === 0) return
    this.#add({ bytes })
    this.size += bytes.length
  }

  zeros(length: number): void {
    if (length <= 0) return
    this.#add({ zeros: length })
    this.size += length
  }

  /** True: the file stays as it came. */
  isWhole(size: number): boolean {
    const [first] = this.#parts
    return this.#parts.length === 1 && first !== undefined && 'from' in first && first.from === 0 && first.to === size
  }

  async *chunksFrom(source: ByteSource): AsyncIterable<Uint8Array> {
    for (const part of this.#parts) {
      if ('bytes' in part) yield part.bytes
      else if ('zeros' in part) yield* zeroChunks(part.zeros)
      else yield* source.chunks({ start: part.from, end: part.to })
    }
  }

  #add(part: Part): void {
    if (this.#parts.length >= mostParts) throw new Unreadable('the container has too many parts')
    this.#parts.push(part)
  }
}

function* zeroChunks(length: number): Iterable<Uint8Array> {
  for (let left = length; left > 0; left -= windowBytes) yield new Uint8Array(Math.min(left, windowBytes))
}
