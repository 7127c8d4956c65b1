/**
 * AVIF and HEIC files (boxes). The data of the picture are found by their places in the file, so nothing is moved: what has to go is
 * overwritten where it lies, and only boxes at the end are cut off.
 */
import { ascii, asciiBytes, type ByteReader, joined, PartList, Unreadable, viewOf } from './bytes.ts'
import { exifHeader, filterExif } from './exif.ts'
import { attempt, begins, type CutParts } from './jpeg.ts'
import type { PictureFacts } from './texts.ts'
import { filterXmp } from './xmp.ts'

const mostBoxes = 1000
const mostItems = 10_000
const mostRanges = 50_000
const longestMeta = 8 * 1024 * 1024
const longestBlock = 1024 * 1024

interface Range {
  readonly from: number
  readonly to: number
}

interface Box extends Range {
  readonly type: string
  /** Where the content begins. */
  readonly body: number
}

/** A range that is written anew. Undefined: with zeros. */
interface Patch extends Range {
  readonly bytes?: Uint8Array
}

/** Boxes of the list of pictures that draw nothing. */
const toldBoxes = new Set(['xml ', 'bxml', 'uuid', 'udta'])

/** Boxes that draw the picture. Others have places, devices, or the video of a moving photo. */
const keptBoxes = new Set(['ftyp', 'styp', 'meta', 'mdat', 'moov', 'moof', 'mfra', 'sidx', 'idat'])

export async function cutBoxes(reader: ByteReader): Promise<CutParts> {
  const boxes = await boxesIn(reader, { from: 0, to: reader.size }, { mayEnd: true })
  if (boxes[0]?.type !== 'ftyp') throw new Unreadable('the file has no type')
  const meta = boxes.find(({ type }) => type === 'meta')
  if (!meta || meta.to - meta.from > longestMeta) throw new Unreadable('the file has no list of its pictures')
  const found: { exif?: PictureFacts; xmp?: PictureFacts } = {}
  const patches: Patch[] = []
  const list = await reader.bytes(meta.body, meta.to - meta.body)
  const items = readItems(list, meta.body, reader.size)
  for (const box of boxesOf(list, 4)) if (toldBoxes.has(box.type)) patches.push(...freed(moved(box, meta.body)))
  for (const item of items.metadata) patches.push(...(await itemPatches(reader, item, found)))
  for (const moov of boxes.filter(({ type }) => type === 'moov')) patches.push(...(await moviePatches(reader, moov)))
  // A box at the end goes whole where the places of the picture are known.
  const hasMovie = boxes.some(({ type }) => type === 'moov' || type === 'moof')
  const used = [...boxes.filter(({ type }) => keptBoxes.has(type)), ...items.pictures]
  const end = hasMovie ? reader.size : used.reduce((last, { to }) => Math.max(last, to), 0)
  for (const box of boxes) if (!keptBoxes.has(box.type)) patches.push(...freed(box))
  return {
    parts: patched(patches, items.pictures, { size: reader.size, end }),
    facts: [found.xmp, found.exif].flatMap((facts) => facts ?? []),
  }
}

/** `mayEnd`: what follows the last box, such as the notes of a telephone, is given as a box without a type. */
async function boxesIn(reader: ByteReader, { from, to }: Range, { mayEnd = false } = {}): Promise<readonly Box[]> {
  const boxes: Box[] = []
  let at = from
  const rest = (): readonly Box[] => {
    if (!mayEnd || !boxes.some(({ type }) => type === 'meta')) throw new Unreadable('a box is longer than its file')
    return [...boxes, { type: '', from: at, to, body: at }]
  }
  while (at < to) {
    if (boxes.length >= mostBoxes) throw new Unreadable('the file has too many boxes')
    if (at + 8 > to) return rest()
    await reader.need(at, 8)
    const small = viewOf(reader.window(at)).getUint32(0)
    const type = ascii(reader.window(at), 4, 8)
    let body = at + 8
    let end = at + small
    if (small === 0) end = to
    else if (small === 1) {
      if (at + 16 > to) return rest()
      await reader.need(at, 16)
      end = at + Number(viewOf(reader.window(at)).getBigUint64(8))
      body = at + 16
    }
    if (end < body || end > to) return rest()
    boxes.push({ type, from: at, to: end, body })
    at = end
  }
  return boxes
}

const freeType = asciiBytes('free')

/** The box keeps its length, and says that it has nothing. */
const freed = ({ type, from, body, to }: Box): readonly Patch[] =>
  type === ''
    ? [{ from, to }]
    : [
        { from: from + 4, to: from + 8, bytes: freeType },
        { from: body, to },
      ]

const moved = ({ type, from, to, body }: Box, by: number): Box => ({
  type,
  from: from + by,
  to: to + by,
  body: body + by,
})

// ---------------------------------------------------------------- items

interface Item {
  readonly kind: 'exif' | 'xmp' | 'other'
  readonly ranges: readonly Range[]
}

interface Items {
  readonly metadata: readonly Item[]
  /** The data of pictures, which must not be changed. */
  readonly pictures: readonly Range[]
}

/** `meta` is the content of the box that begins at `base`. */
function readItems(meta: Uint8Array, base: number, size: number): Items {
  const inner = boxesOf(meta, 4)
  const infos = inner.find(({ type }) => type === 'iinf')
  const places = inner.find(({ type }) => type === 'iloc')
  if (!infos || !places) return { metadata: [], pictures: [] }
  const stored = inner.find(({ type }) => type === 'idat')
  const rangesOf = readPlaces(meta, places, {
    size,
    stored: stored && { from: base + stored.body, to: base + stored.to },
  })
  const kinds = readKinds(meta, infos)
  const metadata: Item[] = []
  const pictures: Range[] = []
  for (const [id, ranges] of rangesOf) {
    const kind = kinds.get(id)
    if (kind === undefined) pictures.push(...ranges)
    else metadata.push({ kind, ranges })
  }
  return { metadata, pictures }
}

function boxesOf(bytes: Uint8Array, from: number): readonly Box[] {
  const view = viewOf(bytes)
  const boxes: Box[] = []
  for (let at = from; at + 8 <= bytes.length; ) {
    const length = view.getUint32(at)
    if (length < 8 || at + length > bytes.length || boxes.length >= mostItems)
      throw new Unreadable('a box has no length')
    boxes.push({ type: ascii(bytes, at + 4, at + 8), from: at, to: at + length, body: at + 8 })
    at += length
  }
  return boxes
}

/** The kinds of items that are no pictures, by their id. */
function readKinds(meta: Uint8Array, infos: Box): ReadonlyMap<number, Item['kind']> {
  const view = viewOf(meta)
  const version = view.getUint8(infos.body)
  const entries = boxesOf(meta.subarray(0, infos.to), infos.body + (version === 0 ? 6 : 8))
  const kinds = new Map<number, Item['kind']>()
  for (const { body, to } of entries) {
    const entryVersion = view.getUint8(body)
    const isLong = entryVersion > 2
    const id = isLong ? view.getUint32(body + 4) : view.getUint16(body + 4)
    const at = body + (isLong ? 10 : 8)
    const kind = entryVersion < 2 ? 'other' : kindOf(ascii(meta, at, Math.min(to, at + 300)))
    if (kind) kinds.set(id, kind)
  }
  return kinds
}

/** `text`: the type of the item, and what follows it. */
function kindOf(text: string): Item['kind'] | undefined {
  const type = text.slice(0, 4)
  if (type === 'Exif') return 'exif'
  if (type === 'mime') return text.includes('application/rdf+xml') ? 'xmp' : 'other'
  return type === 'uri ' || type === 'jumb' ? 'other' : undefined
}

interface Places {
  readonly size: number
  /** The box of data within the list. */
  readonly stored: Range | undefined
}

function readPlaces(meta: Uint8Array, box: Box, places: Places): ReadonlyMap<number, readonly Range[]> {
  const numbers = new Numbers(meta.subarray(0, box.to), box.body)
  const version = numbers.next(4) >>> 24
  const sizes = numbers.next(2)
  const bytes = {
    offset: sizes >> 12,
    length: (sizes >> 8) & 15,
    base: (sizes >> 4) & 15,
    index: version === 0 ? 0 : sizes & 15,
  }
  const idBytes = version < 2 ? 2 : 4
  const count = numbers.next(idBytes)
  if (count > mostItems) throw new Unreadable('the file has too many items')
  const found = new Map<number, readonly Range[]>()
  let ranges = 0
  for (let item = 0; item < count; item++) {
    const id = numbers.next(idBytes)
    const method = version === 0 ? 0 : numbers.next(2) & 15
    numbers.next(2)
    const base = numbers.next(bytes.base)
    const extents = numbers.next(2)
    ranges += extents
    if (ranges > mostRanges) throw new Unreadable('the file has too many places')
    const list = Array.from({ length: extents }, () => {
      numbers.next(bytes.index)
      const offset = base + numbers.next(bytes.offset)
      return rangeOf({ method, offset, length: numbers.next(bytes.length) }, places)
    })
    found.set(id, [...(found.get(id) ?? []), ...list.flatMap((range) => range ?? [])])
  }
  return found
}

/** Reads one number after the other. */
class Numbers {
  readonly #view: DataView
  #at: number

  constructor(bytes: Uint8Array, at: number) {
    this.#view = viewOf(bytes)
    this.#at = at
  }

  next(length: number): number {
    const from = this.#at
    this.#at += length
    if (length === 0) return 0
    if (length === 2) return this.#view.getUint16(from)
    if (length === 4) return this.#view.getUint32(from)
    if (length === 8) return Number(this.#view.getBigUint64(from))
    throw new Unreadable('a place has an unknown length')
  }
}

/** Undefined for a part that is built from other items: nothing of it is in the file. */
function rangeOf(
  { method, offset, length }: { readonly method: number; readonly offset: number; readonly length: number },
  { size, stored }: Places,
): Range | undefined {
  if (method > 1) return undefined
  const from = method === 1 ? (stored?.from ?? size) + offset : offset
  const limit = method === 1 ? (stored?.to ?? 0) : size
  const to = length === 0 ? limit : from + length
  if (from > to || to > limit) throw new Unreadable('an item is not in the file')
  return { from, to }
}

/** New bytes for the ranges of an item, as long as they were. */
async function itemPatches(
  reader: ByteReader,
  { kind, ranges }: Item,
  found: { exif?: PictureFacts; xmp?: PictureFacts },
): Promise<readonly Patch[]> {
  const length = ranges.reduce((sum, { from, to }) => sum + to - from, 0)
  if (kind === 'other' || found[kind] !== undefined || length > longestBlock) return ranges
  const pieces: Uint8Array[] = []
  for (const { from, to } of ranges) pieces.push(await reader.bytes(from, to - from))
  const body = joined(pieces)
  const changed = kind === 'exif' ? filteredItem(body, found) : filteredPacket(body, found)
  if (changed === undefined || changed.length > length) return ranges
  const padded = new Uint8Array(length).fill(kind === 'xmp' ? 0x20 : 0)
  padded.set(changed)
  let at = 0
  return ranges.map(({ from, to }) => {
    const start = at
    at += to - from
    return { from, to, bytes: padded.subarray(start, at) }
  })
}

/** The place of the EXIF data is before them. */
function filteredItem(body: Uint8Array, found: { exif?: PictureFacts }): Uint8Array | undefined {
  const block = attempt(() => {
    const offset = 4 + viewOf(body).getUint32(0)
    const at = begins(body.subarray(offset), exifHeader) ? offset + exifHeader.length : offset
    const { bytes, facts } = filterExif(body.subarray(at))
    return { bytes: bytes && joined([body.subarray(0, at), bytes]), facts, at }
  })
  found.exif = block?.facts ?? {}
  // Only their place, and the words that begin them, may be before the data.
  return block && block.at <= 4 + exifHeader.length ? block.bytes : undefined
}

function filteredPacket(body: Uint8Array, found: { xmp?: PictureFacts }): Uint8Array | undefined {
  const { bytes, facts } = filterXmp(body)
  found.xmp = facts
  return bytes
}

// ---------------------------------------------------------------- moving pictures

/** The words and places of tracks; their boxes keep their length. */
async function moviePatches(reader: ByteReader, moov: Box): Promise<readonly Patch[]> {
  const patches: Patch[] = []
  for (const box of await boxesIn(reader, { from: moov.body, to: moov.to })) {
    if (box.type === 'udta' || box.type === 'meta' || box.type === 'uuid') patches.push(...freed(box))
    if (box.type !== 'trak') continue
    for (const inner of await boxesIn(reader, { from: box.body, to: box.to })) {
      if (inner.type === 'udta' || inner.type === 'meta' || inner.type === 'uuid') patches.push(...freed(inner))
    }
  }
  return patches
}

// ---------------------------------------------------------------- writing

/** Throws Unreadable where a change would touch the data of a picture, or another change. */
function patched(
  patches: readonly Patch[],
  pictures: readonly Range[],
  { size, end }: { readonly size: number; readonly end: number },
): PartList {
  const parts = new PartList()
  const changed = patches.filter(({ from, to }) => to > from).toSorted((one, other) => one.from - other.from)
  const drawn = pictures.toSorted((one, other) => one.from - other.from)
  let at = 0
  let next = 0
  for (const { from, to, bytes } of changed) {
    if (from < at) throw new Unreadable('two items have the same place')
    while (next < drawn.length && (drawn[next] as Range).to <= from) next++
    if (next < drawn.length && (drawn[next] as Range).from < to) throw new Unreadable('metadata lie in the picture')
    if (from >= end) break
    parts.keep(at, from)
    if (bytes) parts.put(bytes)
    else parts.zeros(to - from)
    at = to
  }
  parts.keep(at, Math.max(at, end))
  if (at > size) throw new Unreadable('a change is longer than its file')
  return parts
}
