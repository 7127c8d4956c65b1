/** JPEG files: segments before and between the scans, and what follows the end of the picture. */
import { ascii, asciiBytes, type ByteReader, joined, PartList, Unreadable, viewOf } from './bytes.ts'
import { exifHeader, filterExif } from './exif.ts'
import { filterResources, resourcesHeader } from './iptc.ts'
import { isHarmless, type PictureFacts } from './texts.ts'
import { filterXmp } from './xmp.ts'

export interface CutParts {
  readonly parts: PartList
  /** The blocks of facts, the most telling first. */
  readonly facts: readonly PictureFacts[]
}

const marker = {
  start: 0xd8,
  end: 0xd9,
  scan: 0xda,
  app0: 0xe0,
  app1: 0xe1,
  app2: 0xe2,
  app13: 0xed,
  app14: 0xee,
  comment: 0xfe,
}
const xmpHeader = asciiBytes('http://ns.adobe.com/xap/1.0/\0')
const mostSegments = 10_000
const longestSegment = 0xffff - 2

/** Facts by their rank: XMP has all letters, IPTC most of them. */
interface Found {
  xmp?: PictureFacts
  iptc?: PictureFacts
  exif?: PictureFacts
}

const blocks = [
  { header: exifHeader, name: 'exif', filter: filterExif },
  { header: xmpHeader, name: 'xmp', filter: filterXmp },
  { header: resourcesHeader, name: 'iptc', filter: filterResources },
] as const

export async function cutJpeg(reader: ByteReader): Promise<CutParts> {
  const parts = new PartList()
  const found: Found = {}
  parts.keep(0, 2)
  let at = 2
  for (let count = 0; count < mostSegments; count++) {
    const kind = await kindAt(reader, at)
    if (kind === marker.end) {
      // The video of a moving photo, other pictures and the notes of telephones follow.
      parts.keep(at, at + 2)
      return { parts, facts: [found.xmp, found.iptc, found.exif].flatMap((facts) => facts ?? []) }
    }
    // Fill bytes may precede a marker.
    if (kind === 0xff) at += 1
    else at = await takeSegment(reader, { kind, at }, parts, found)
    // Some writers leave out the marker of the end.
    if (at === reader.size) return { parts, facts: [found.xmp, found.iptc, found.exif].flatMap((facts) => facts ?? []) }
  }
  throw new Unreadable('the file has too many segments')
}

async function kindAt(reader: ByteReader, at: number): Promise<number> {
  await reader.need(at, 2)
  const [fill, kind = 0] = reader.window(at)
  if (fill !== 0xff) throw new Unreadable('a segment does not begin')
  if (kind < 2 || (kind >= 0xd0 && kind <= marker.start)) throw new Unreadable('a segment has no length')
  return kind
}

interface Segment {
  readonly kind: number
  readonly at: number
  readonly end: number
}

/** Takes a segment into `parts`, and the data of a scan behind it. Returns where they end. */
async function takeSegment(
  reader: ByteReader,
  { kind, at }: Omit<Segment, 'end'>,
  parts: PartList,
  found: Found,
): Promise<number> {
  await reader.need(at, 4)
  const length = viewOf(reader.window(at)).getUint16(2)
  const end = at + 2 + length
  if (length < 2 || end > reader.size) throw new Unreadable('a segment is longer than its file')
  const body = isDrawn(kind) ? undefined : await keptBody(reader, { kind, at, end }, found)
  if (isDrawn(kind) || body === 'whole') parts.keep(at, end)
  else if (body !== undefined) parts.put(segment(kind, body))
  if (kind !== marker.scan) return end
  const next = await endOfScan(reader, end)
  parts.keep(end, next)
  return next
}

/** Tables, frames, scans; colours of Adobe's programs, without which pictures are inverted. */
const isDrawn = (kind: number): boolean => (kind < marker.app0 && kind >= 0xc0) || kind === marker.app14

type Kept = Uint8Array | 'whole' | undefined

/** The body without what has to go; undefined: all of it goes. */
async function keptBody(reader: ByteReader, { kind, at, end }: Segment, found: Found): Promise<Kept> {
  const filter = filters.get(kind)
  return filter?.(await reader.bytes(at + 4, end - at - 4), found)
}

const filters = new Map<number, (body: Uint8Array, found: Found) => Kept>([
  [marker.app0, filteredHead],
  [marker.app1, filteredBlock],
  [marker.app2, (body) => (ascii(body, 0, 12) === 'ICC_PROFILE\0' ? 'whole' : undefined)],
  [marker.app13, filteredBlock],
  [marker.comment, (body) => (isHarmless(body) ? 'whole' : undefined)],
])

/** With a thumbnail the head is followed by its pixels. */
function filteredHead(body: Uint8Array): Kept {
  if (ascii(body, 0, 5) !== 'JFIF\0' || body.length < 14) return undefined
  const isPlain = body.length === 14 && body[12] === 0 && body[13] === 0
  return isPlain ? 'whole' : joined([body.subarray(0, 12), new Uint8Array(2)])
}

function filteredBlock(body: Uint8Array, found: Found): Kept {
  const reading = blocks.find(({ header }) => begins(body, header))
  if (!reading || found[reading.name] !== undefined) return undefined
  const { header, name, filter } = reading
  const block = attempt(() => filter(body.subarray(header.length)))
  if (block === undefined) return undefined
  found[name] = block.facts
  if (block.bytes === undefined || block.bytes.length + header.length > longestSegment) return undefined
  return block.bytes.buffer === body.buffer ? 'whole' : joined([header, block.bytes])
}

/** A block that cannot be read is dropped, since it may have a place in it. */
export function attempt<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof Unreadable || error instanceof RangeError) return undefined
    throw error
  }
}

export const begins = (bytes: Uint8Array, head: Uint8Array): boolean =>
  head.every((byte, index) => bytes[index] === byte)

function segment(kind: number, body: Uint8Array): Uint8Array {
  const head = new Uint8Array(4)
  head.set([0xff, kind])
  viewOf(head).setUint16(2, body.length + 2)
  return joined([head, body])
}

/** The place of the next marker that is no part of the data, or the end of the file. */
async function endOfScan(reader: ByteReader, from: number): Promise<number> {
  let at = from
  while (at + 2 <= reader.size) {
    await reader.need(at, 2)
    const window = reader.window(at)
    const index = markerIn(window)
    if (index + 1 < window.length) return at + index
    at += index
  }
  return reader.size
}

/** The place of the first marker; that of a last byte which may begin one; else the length. */
function markerIn(window: Uint8Array): number {
  let index = window.indexOf(0xff)
  while (index !== -1 && index + 1 < window.length) {
    const next = window[index + 1] as number
    // A zero stands for the byte itself; restart markers divide the data.
    if (next !== 0 && next !== 0xff && (next < 0xd0 || next > 0xd7)) return index
    index = window.indexOf(0xff, next === 0xff ? index + 1 : index + 2)
  }
  return index === -1 ? window.length : index
}
