/** WebP files: chunks that draw the picture stay; EXIF data and packets are filtered; unknown chunks and what follows the end go. */
import { ascii, asciiBytes, type ByteReader, joined, PartList, Unreadable, viewOf } from './bytes.ts'
import { exifHeader, filterExif } from './exif.ts'
import { attempt, begins, type CutParts } from './jpeg.ts'
import type { PictureFacts } from './texts.ts'
import { filterXmp } from './xmp.ts'

const mostChunks = 100_000
const longestBlock = 1024 * 1024
const keptChunks = new Set(['VP8X', 'VP8 ', 'VP8L', 'ICCP', 'ALPH', 'ANIM', 'ANMF'])
/** Bits of the first byte of `VP8X`. */
const flags = { exif: 0x08, xmp: 0x04 }

interface Found {
  exif?: PictureFacts
  xmp?: PictureFacts
}

type Piece = { readonly from: number; readonly to: number } | Uint8Array

export async function cutWebp(reader: ByteReader): Promise<CutParts> {
  const pieces: Piece[] = []
  const found: Found = {}
  const stays = { exif: false, xmp: false }
  await reader.need(0, 12)
  const last = Math.min(reader.size, 8 + viewOf(reader.window(4)).getUint32(0, true))
  let extended: Extended | undefined
  let at = 12
  for (let count = 0; at + 8 <= last; count++) {
    if (count > mostChunks) throw new Unreadable('the file has too many chunks')
    const place = await chunkAt(reader, at)
    const { type, length, end } = place
    if (type === 'VP8X' && length === 10 && !extended) extended = { at, bytes: await reader.bytes(at, 18) }
    if (keptChunks.has(type)) pieces.push({ from: at, to: end })
    const kind = kinds.get(type)
    const kept = kind && (await filteredChunk(reader, place, kind, found))
    if (kind && kept) {
      stays[kind] = true
      pieces.push(kept)
    }
    at = end
  }
  return { parts: partsOf(reader, pieces, extended && withFlags(extended, stays)), facts: factsOf(found) }
}

const kinds: ReadonlyMap<string, 'exif' | 'xmp'> = new Map([
  ['EXIF', 'exif'],
  ['XMP ', 'xmp'],
])

interface Place {
  readonly type: string
  readonly at: number
  readonly length: number
  readonly end: number
}

async function chunkAt(reader: ByteReader, at: number): Promise<Place> {
  await reader.need(at, 8)
  const type = ascii(reader.window(at), 0, 4)
  const length = viewOf(reader.window(at)).getUint32(4, true)
  if (at + 8 + length > reader.size) throw new Unreadable('a chunk is longer than its file')
  // Some writers leave out the padding of the last chunk.
  return { type, at, length, end: Math.min(at + 8 + length + (length % 2), reader.size) }
}

/** Returns the part of the chunk that stays; undefined: none. */
async function filteredChunk(
  reader: ByteReader,
  { type, at, length, end }: Place,
  kind: 'exif' | 'xmp',
  found: Found,
): Promise<Piece | undefined> {
  if (found[kind] !== undefined || length > longestBlock) return undefined
  const body = await reader.bytes(at + 8, length)
  const block = attempt(() => (kind === 'exif' ? filterExif(withoutHeader(body)) : filterXmp(body)))
  found[kind] = block?.facts ?? {}
  if (block?.bytes === undefined) return undefined
  return block.bytes.buffer === body.buffer ? { from: at, to: end } : chunk(type, block.bytes)
}

const factsOf = ({ xmp, exif }: Found) => [xmp, exif].flatMap((facts) => facts ?? [])

const withoutHeader = (body: Uint8Array) => (begins(body, exifHeader) ? body.subarray(exifHeader.length) : body)

type Extended = { readonly at: number; readonly bytes: Uint8Array }

/** The header says which blocks the file has. */
function withFlags({ at, bytes }: Extended, stays: { readonly exif: boolean; readonly xmp: boolean }): Extended {
  const changed = bytes.slice()
  const before = changed[8] as number
  changed[8] = (before & ~(flags.exif | flags.xmp)) | (stays.exif ? flags.exif : 0) | (stays.xmp ? flags.xmp : 0)
  return { at, bytes: changed }
}

function partsOf(reader: ByteReader, pieces: readonly Piece[], extended: Extended | undefined): PartList {
  const lengthOf = (piece: Piece) => (piece instanceof Uint8Array ? piece.length : piece.to - piece.from)
  const size = 12 + pieces.reduce((sum, piece) => sum + lengthOf(piece), 0)
  const padding = size % 2
  const parts = new PartList()
  // Where nothing went, the file is the same.
  if (size === reader.size && pieces.every((piece) => !(piece instanceof Uint8Array))) {
    parts.keep(0, reader.size)
    return parts
  }
  const head = new Uint8Array(12)
  head.set(asciiBytes('RIFF\0\0\0\0WEBP'))
  viewOf(head).setUint32(4, size - 8 + padding, true)
  parts.put(head)
  for (const piece of pieces) {
    if (piece instanceof Uint8Array) parts.put(piece)
    else if (piece.from === extended?.at) parts.put(extended.bytes)
    else parts.keep(piece.from, piece.to)
  }
  parts.zeros(padding)
  return parts
}

function chunk(type: string, body: Uint8Array): Uint8Array {
  const head = new Uint8Array(8)
  head.set(asciiBytes(type))
  viewOf(head).setUint32(4, body.length, true)
  return joined([head, body, new Uint8Array(body.length % 2)])
}
