/**
 * Finds where the entries of a site document are in a file of any size, without parsing them: the file is read once, and each
 * entry can then be read alone. Checks the punctuation between entries only.
 */

/** A file that parts are read of; a Blob is one. */
export interface DocumentFile {
  readonly size: number
  slice(start: number, end: number): { arrayBuffer(): Promise<ArrayBuffer> }
}

/** Where a value is: the first byte, and the one after the last. */
export interface Extent {
  readonly start: number
  readonly end: number
}

interface JsonIndex {
  /** Members of the document that are neither lists nor `records`. */
  readonly values: ReadonlyMap<string, Extent>
  /** The entries of lists, by member. Collections are called `records.notes`. */
  readonly lists: ReadonlyMap<string, Extents>
}

/** The extents of the entries of one list, as few bytes as possible for each. */
export class Extents {
  #bounds = new Float64Array(64)
  #count = 0

  get length(): number {
    return this.#count
  }

  add({ start, end }: Extent): void {
    if (this.#count * 2 === this.#bounds.length) {
      const larger = new Float64Array(this.#bounds.length * 2)
      larger.set(this.#bounds)
      this.#bounds = larger
    }
    this.#bounds[this.#count * 2] = start
    this.#bounds[this.#count * 2 + 1] = end
    this.#count++
  }

  at(index: number): Extent {
    return { start: this.#bounds[index * 2] ?? 0, end: this.#bounds[index * 2 + 1] ?? 0 }
  }
}

const code = (character: string): number => character.charCodeAt(0)
const quote = code('"')
const backslash = code('\\')
const comma = code(',')
const colon = code(':')
const openBrace = code('{')
const closeBrace = code('}')
const openBracket = code('[')
const closeBracket = code(']')

const isSpace = (byte: number) => byte === 32 || byte === 10 || byte === 13 || byte === 9
/** The byte order mark of UTF-8, which some editors write at the start of a file. */
const byteOrderMark = [0xef, 0xbb, 0xbf]

const chunkSize = 1 << 20
/** No name of a member of a document is longer. */
const longestName = 1 << 16

/** Throws a SyntaxError where the text is no JSON object, as far as it looks. */
export async function indexDocument(file: DocumentFile): Promise<JsonIndex> {
  const cursor = new Cursor(file)
  const values = new Map<string, Extent>()
  const lists = new Map<string, Extents>()
  await cursor.skipMark()
  await eachMember(cursor, async (name) => {
    const first = await cursor.peek()
    dropMember(name, values, lists)
    if (first === openBracket) lists.set(name, await listExtents(cursor))
    else if (name === 'records' && first === openBrace) await collections(cursor, values, lists)
    else values.set(name, await cursor.skipValue())
  })
  if ((await cursor.peek()) !== undefined) throw cursor.unexpected()
  return { values, lists }
}

/** As in JSON.parse, the last of several members with one name counts. */
function dropMember(name: string, values: Map<string, Extent>, lists: Map<string, Extents>): void {
  values.delete(name)
  lists.delete(name)
  if (name === 'records') for (const list of lists.keys()) if (list.startsWith('records.')) lists.delete(list)
}

async function collections(cursor: Cursor, values: Map<string, Extent>, lists: Map<string, Extents>) {
  await eachMember(cursor, async (collection) => {
    const name = `records.${collection}`
    dropMember(name, values, lists)
    if ((await cursor.peek()) === openBracket) lists.set(name, await listExtents(cursor))
    else values.set(name, await cursor.skipValue())
  })
}

async function eachMember(cursor: Cursor, member: (name: string) => Promise<void>): Promise<void> {
  await cursor.take(openBrace)
  if ((await cursor.peek()) === closeBrace) return cursor.take(closeBrace)
  for (;;) {
    const name = await cursor.takeName()
    await cursor.take(colon)
    await member(name)
    if ((await cursor.peek()) === closeBrace) return cursor.take(closeBrace)
    await cursor.take(comma)
  }
}

async function listExtents(cursor: Cursor): Promise<Extents> {
  const extents = new Extents()
  await cursor.take(openBracket)
  if ((await cursor.peek()) === closeBracket) {
    await cursor.take(closeBracket)
    return extents
  }
  for (;;) {
    extents.add(await cursor.skipValue())
    const next = await cursor.peek()
    await cursor.take(next === comma ? comma : closeBracket)
    if (next !== comma) return extents
  }
}

/** Reads a file forward, in chunks. */
class Cursor {
  readonly #file: DocumentFile
  #chunk = new Uint8Array(0)
  /** The chunk begins here in the file. */
  #start = 0
  #at = 0

  constructor(file: DocumentFile) {
    this.#file = file
  }

  async skipMark(): Promise<void> {
    await this.#fill()
    if (byteOrderMark.every((byte, index) => this.#chunk[index] === byte)) this.#at = byteOrderMark.length
  }

  /** The next byte that is no white space; undefined at the end of the file. */
  async peek(): Promise<number | undefined> {
    for (;;) {
      while (this.#at < this.#chunk.length) {
        const byte = this.#chunk[this.#at] as number
        if (!isSpace(byte)) return byte
        this.#at++
      }
      if (!(await this.#fill())) return undefined
    }
  }

  async take(byte: number): Promise<void> {
    if ((await this.peek()) !== byte) throw this.unexpected()
    this.#at++
  }

  async takeName(): Promise<string> {
    if ((await this.peek()) !== quote) throw this.unexpected()
    const extent = await this.skipValue()
    if (extent.end - extent.start > longestName) throw new SyntaxError(`the name at byte ${extent.start} is too long`)
    return JSON.parse(await readText(this.#file, extent)) as string
  }

  /** Goes on to the end of a value: to the byte after its last bracket or quote, or before a comma, bracket or space. */
  async skipValue(): Promise<Extent> {
    const first = await this.peek()
    if (first === undefined || first === comma || first === colon) throw this.unexpected()
    const start = this.#start + this.#at
    const scan = new ValueScan()
    for (;;) {
      this.#at = scan.advance(this.#chunk, this.#at)
      const end = this.#start + this.#at
      if (scan.isDone) {
        if (end === start) throw this.unexpected()
        return { start, end }
      }
      if (!(await this.#fill())) throw this.unexpected()
    }
  }

  unexpected(): SyntaxError {
    const at = this.#start + this.#at
    const byte = this.#chunk[this.#at]
    const what = byte === undefined ? 'end' : `character ${JSON.stringify(String.fromCharCode(byte))}`
    return new SyntaxError(`unexpected ${what} at byte ${at}`)
  }

  /** The next chunk; false at the end of the file. */
  async #fill(): Promise<boolean> {
    this.#start += this.#chunk.length
    const end = Math.min(this.#start + chunkSize, this.#file.size)
    this.#at = 0
    this.#chunk =
      end > this.#start ? new Uint8Array(await this.#file.slice(this.#start, end).arrayBuffer()) : new Uint8Array(0)
    return this.#chunk.length > 0
  }
}

/** Finds the end of one value over several chunks: only brackets and strings matter. */
class ValueScan {
  isDone = false
  #depth = 0
  #isInString = false
  #isEscaped = false
  #hasBegun = false

  /** Returns where it stopped: after the value, or at the end of the chunk. */
  advance(chunk: Uint8Array, from: number): number {
    for (let at = from; at < chunk.length; at++) {
      const byte = chunk[at] as number
      if (this.#isInString) this.#stringByte(byte)
      else if (this.#endsBefore(byte)) return this.#done(at)
      else this.#structureByte(byte)
      if (this.#isClosed(byte)) return this.#done(at + 1)
    }
    return chunk.length
  }

  #stringByte(byte: number): void {
    if (this.#isEscaped) this.#isEscaped = false
    else if (byte === backslash) this.#isEscaped = true
    else if (byte === quote) this.#isInString = false
  }

  #structureByte(byte: number): void {
    this.#hasBegun = true
    if (byte === quote) this.#isInString = true
    else if (byte === openBrace || byte === openBracket) this.#depth++
    else if (byte === closeBrace || byte === closeBracket) this.#depth--
  }

  /** Numbers and words end where something else begins. */
  #endsBefore(byte: number): boolean {
    if (this.#depth > 0) return false
    return byte === comma || byte === closeBrace || byte === closeBracket || (this.#hasBegun && isSpace(byte))
  }

  /** True after the last quote or bracket of the value. */
  #isClosed(byte: number): boolean {
    if (this.#depth > 0 || this.#isInString || !this.#hasBegun) return false
    return byte === quote || byte === closeBrace || byte === closeBracket
  }

  #done(at: number): number {
    this.isDone = true
    return at
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Throws a SyntaxError for bytes that are no UTF-8. */
export function textOf(bytes: ArrayBuffer, { start, end }: Extent): string {
  try {
    return decoder.decode(new Uint8Array(bytes, start, end - start))
  } catch (cause) {
    throw new SyntaxError('the text is no UTF-8', { cause })
  }
}

export async function readText(file: DocumentFile, { start, end }: Extent): Promise<string> {
  return textOf(await file.slice(start, end).arrayBuffer(), { start: 0, end: end - start })
}
