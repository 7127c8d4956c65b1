/** PNG files: chunks that draw the picture stay; texts, EXIF data and packets are filtered; unknown ones and what follows the end go. */
import { ascii, asciiBytes, type ByteReader, joined, PartList, Unreadable, viewOf } from './bytes.ts'
import { exifHeader, filterExif } from './exif.ts'
import { attempt, begins, type CutParts } from './jpeg.ts'
import { decodeText, isHarmless, type PictureFacts, wordsOf } from './texts.ts'
import { filterXmp } from './xmp.ts'

const mostChunks = 100_000
/** Longer texts and EXIF data are dropped. */
const longestBlock = 1024 * 1024

/** Colours, extent, transparency, frames, and the time of the last change. Critical chunks, whose names begin in capitals, stay too. */
const keptChunks = new Set(
  'tRNS cHRM gAMA iCCP sBIT sRGB cICP mDCV mDCv cLLI cLLi bKGD hIST pHYs sPLT tIME acTL fcTL fdAT'.split(' '),
)

/** People write these texts; other keywords name programs and devices. */
const keptKeywords = new Map<string, 'title' | 'creator' | 'description' | 'copyright' | undefined>([
  ['title', 'title'],
  ['author', 'creator'],
  ['artist', 'creator'],
  ['description', 'description'],
  ['copyright', 'copyright'],
  ['disclaimer', undefined],
  ['warning', undefined],
  ['creation time', undefined],
])

interface Found {
  readonly texts: { title?: string; creator?: string; description?: string; copyright?: string }
  xmp?: PictureFacts
  exif?: PictureFacts
}

export async function cutPng(reader: ByteReader): Promise<CutParts> {
  const parts = new PartList()
  const found: Found = { texts: {} }
  parts.keep(0, 8)
  let at = 8
  for (let count = 0; count < mostChunks; count++) {
    await reader.need(at, 12)
    const length = viewOf(reader.window(at)).getUint32(0)
    const type = ascii(reader.window(at), 4, 8)
    const end = at + 12 + length
    if (end > reader.size || !/^[A-Za-z]{4}$/.test(type)) throw new Unreadable('a chunk is longer than its file')
    const kept = isDrawn(type) ? 'whole' : await keptChunk(reader, { type, at: at + 8, length }, found)
    if (kept === 'whole') parts.keep(at, end)
    else if (kept) parts.put(chunk(kept.type, kept.body))
    at = end
    if (type === 'IEND') return { parts, facts: [found.xmp, found.texts, found.exif].flatMap((facts) => facts ?? []) }
  }
  throw new Unreadable('the file has too many chunks')
}

const isDrawn = (type: string): boolean => keptChunks.has(type) || /^[A-Z]/.test(type)

interface Place {
  readonly type: string
  readonly at: number
  readonly length: number
}

/** Returns the part of a chunk without pixels that stays; undefined: none. */
async function keptChunk(reader: ByteReader, { type, at, length }: Place, found: Found) {
  if (length > longestBlock || !['eXIf', 'tEXt', 'zTXt', 'iTXt'].includes(type)) return undefined
  const body = await reader.bytes(at, length)
  const kept = type === 'eXIf' ? filteredExif(body, found) : await filteredText(type, body, found)
  return kept?.body === body ? 'whole' : kept
}

interface KeptChunk {
  readonly type: string
  /** The very body that came where nothing had to go. */
  readonly body: Uint8Array
}

function filteredExif(body: Uint8Array, found: Found): KeptChunk | undefined {
  if (found.exif) return undefined
  const block = attempt(() => filterExif(begins(body, exifHeader) ? body.subarray(exifHeader.length) : body))
  if (!block) return undefined
  found.exif = block.facts
  return block.bytes && { type: 'eXIf', body: block.bytes.buffer === body.buffer ? body : block.bytes }
}

const xmpKeyword = 'XML:com.adobe.xmp'

async function filteredText(type: string, body: Uint8Array, found: Found): Promise<KeptChunk | undefined> {
  const end = body.indexOf(0)
  if (end < 1 || end > 79) return undefined
  const keyword = ascii(body, 0, end)
  if (keyword === xmpKeyword) return filteredPacket(type, body, end + 1, found)
  const isComment = keyword.toLowerCase() === 'comment'
  if (!isComment && !keptKeywords.has(keyword.toLowerCase())) return undefined
  const text = await contentOf(type, body, end + 1)
  if (isComment) return text && isHarmless(text) ? { type, body } : undefined
  const words = wordsOf(text && decodeText(text))
  if (words === undefined) return undefined
  const member = keptKeywords.get(keyword.toLowerCase())
  if (member) found.texts[member] ??= words
  return { type, body }
}

/** Some programs compress a packet in a `zTXt` chunk; the specification has it in `iTXt`. */
async function filteredPacket(
  type: string,
  body: Uint8Array,
  at: number,
  found: Found,
): Promise<KeptChunk | undefined> {
  const text = await contentOf(type, body, at)
  if (text === undefined || found.xmp) return undefined
  const { bytes, facts } = filterXmp(text)
  found.xmp = facts
  if (bytes === undefined) return undefined
  // The chunk is not compressed, and has no language and no translated keyword.
  return bytes === text
    ? { type, body }
    : { type: 'iTXt', body: joined([asciiBytes(`${xmpKeyword}\0\0\0\0\0`), bytes]) }
}

/** The text behind the keyword; undefined where it cannot be read. */
async function contentOf(type: string, body: Uint8Array, at: number): Promise<Uint8Array | undefined> {
  if (type === 'tEXt') return body.subarray(at)
  if (type === 'zTXt') return inflated(body.subarray(at + 1))
  const isCompressed = body[at] === 1
  const language = body.indexOf(0, at + 2)
  const translated = language === -1 ? -1 : body.indexOf(0, language + 1)
  if (translated === -1) return undefined
  const text = body.subarray(translated + 1)
  return isCompressed ? inflated(text) : text
}

/** Stops at the longest text that is read: a few bytes may stand for gigabytes. */
async function inflated(bytes: Uint8Array): Promise<Uint8Array | undefined> {
  const source = new Blob([bytes as Uint8Array<ArrayBuffer>]).stream()
  const reader = source.pipeThrough(new DecompressionStream('deflate')).getReader()
  const parts: Uint8Array[] = []
  let length = 0
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return joined(parts)
      parts.push(value)
      length += value.length
      if (length > longestBlock) return undefined
    }
  } catch {
    return undefined
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

// ---------------------------------------------------------------- writing

function chunk(type: string, body: Uint8Array): Uint8Array {
  const named = joined([asciiBytes(type), body])
  const length = new Uint8Array(4)
  viewOf(length).setUint32(0, body.length)
  const check = new Uint8Array(4)
  viewOf(check).setUint32(0, crc32(named))
  return joined([length, named, check])
}

const crcTable = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1
  return value
})

function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff
  for (const byte of bytes) crc = (crcTable[(crc ^ byte) & 0xff] as number) ^ (crc >>> 8)
  return (crc ^ 0xffffffff) >>> 0
}
