/**
 * EXIF data (a TIFF structure): keeps the words of people, what turns and colours the picture, and the exposure; drops places, devices,
 * maker notes and thumbnails.
 */
import { asciiBytes, joined, Unreadable, viewOf } from './bytes.ts'
import { decodeText, keywordsOf, type PictureFacts, wordsOf } from './texts.ts'

const tags = {
  description: 0x010e,
  orientation: 0x0112,
  artist: 0x013b,
  copyright: 0x8298,
  exposureSeconds: 0x829a,
  aperture: 0x829d,
  exif: 0x8769,
  iso: 0x8827,
  created: 0x9003,
  focalLength: 0x920a,
  comment: 0x9286,
  windowsTitle: 0x9c9b,
  windowsComment: 0x9c9c,
  windowsAuthor: 0x9c9d,
  windowsKeywords: 0x9c9e,
  windowsSubject: 0x9c9f,
  interoperability: 0xa005,
  title: 0xa436,
  photographer: 0xa437,
} as const

type Directory = 'picture' | 'exif' | 'interoperability'

/** Tags that tell no place and no device. All others are dropped. */
const keptTags: { readonly [directory in Directory]: ReadonlySet<number> } = {
  picture: new Set<number>([
    // These are document name, description, orientation, resolution, date, artist, white point, colours, positions of samples.
    ...[0x010d, tags.description, tags.orientation, 0x011a, 0x011b, 0x0128, 0x0132, tags.artist],
    ...[0x013e, 0x013f, 0x0211, 0x0213, 0x0214, 0x4746, 0x4749, tags.copyright],
    ...[tags.windowsTitle, tags.windowsComment, tags.windowsAuthor, tags.windowsKeywords, tags.windowsSubject],
  ]),
  exif: new Set<number>([
    // These are exposure, program, sensitivity, version, dates without their time zone, components.
    ...[tags.exposureSeconds, tags.aperture, 0x8822, tags.iso, 0x8830, 0x8831, 0x8832, 0x8833, 0x9000],
    ...[tags.created, 0x9004, 0x9101, 0x9102],
    // These are shutter, aperture, brightness, bias, metering, light, flash, focal length, comment, fractions of seconds.
    ...[0x9201, 0x9202, 0x9203, 0x9204, 0x9205, 0x9207, 0x9208, 0x9209, tags.focalLength, tags.comment],
    ...[0x9290, 0x9291, 0x9292],
    // These are version, colour space, extent, sensor kind, source, scene, rendering, modes, title, photographer, gamma.
    ...[0xa000, 0xa001, 0xa002, 0xa003, 0xa217, 0xa300, 0xa301, 0xa401, 0xa402, 0xa403, 0xa404, 0xa405, 0xa406],
    ...[0xa407, 0xa408, 0xa409, 0xa40a, tags.title, tags.photographer, 0xa500],
  ]),
  interoperability: new Set([0x0001, 0x0002]),
}

/** Bytes of one value, by the type of the entry. */
const typeBytes: readonly number[] = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4]
const mostEntries = 512

interface Entry {
  readonly tag: number
  readonly type: number
  readonly count: number
  readonly value: Uint8Array
  /** The entries of the directory that the entry refers to. */
  readonly below?: readonly Entry[]
}

interface Tiff {
  readonly bytes: Uint8Array
  readonly view: DataView
  readonly little: boolean
}

export interface FilteredBlock {
  /** The block without places and devices; undefined: nothing of it stays. The very bytes that came where nothing had to go. */
  readonly bytes: Uint8Array | undefined
  readonly facts: PictureFacts
}

export const exifHeader = asciiBytes('Exif\0\0')

/** Throws Unreadable for a block that is no TIFF structure. */
export function filterExif(bytes: Uint8Array): FilteredBlock {
  const tiff = opened(bytes)
  const first = tiff.view.getUint32(4, tiff.little)
  const selection = new Selection(tiff)
  const entries = selection.of(first, 'picture')
  const facts = factsOf(entries, tiff.little)
  if (entries.length === 0) return { bytes: undefined, facts }
  const rebuilt = rebuiltTiff(entries, tiff.little)
  // A second directory has a thumbnail. Bytes that no entry names may be those of removed ones.
  const isClean = selection.dropped === 0 && rebuilt.length + slack >= bytes.length && !hasSecond(tiff, first)
  return { bytes: isClean ? bytes : rebuilt, facts }
}

const deepest = 3

/** The entries that stay. */
class Selection {
  dropped = 0
  #length = 0
  readonly #tiff: Tiff

  constructor(tiff: Tiff) {
    this.#tiff = tiff
  }

  /** `around`: the directories that refer to this one. One that refers back to them would never end. */
  of(at: number, directory: Directory, around: readonly number[] = []): readonly Entry[] {
    const entries = readEntries(this.#tiff, at)
    // TIFF allows a tag once in a directory.
    const once = new Map(entries.toReversed().map((entry) => [entry.tag, entry]))
    const kept = entries.flatMap((entry) =>
      once.get(entry.tag) === entry ? (this.#kept(entry, directory, [...around, at]) ?? []) : [],
    )
    this.dropped += entries.length - kept.length
    return kept
  }

  #kept(entry: Entry, directory: Directory, around: readonly number[]): Entry | undefined {
    const below = directory === 'interoperability' ? undefined : directoryOf(entry.tag)
    if (below === undefined) {
      if (!keptTags[directory].has(entry.tag) || !isKeptValue(entry)) return undefined
      this.#length += entry.value.length
      // Many entries may name the same bytes.
      if (this.#length > this.#tiff.bytes.length) throw new Unreadable('the EXIF data grow')
      return entry
    }
    const offset = entry.value.length === 4 ? viewOf(entry.value).getUint32(0, this.#tiff.little) : 0
    if (offset === 0 || around.includes(offset) || around.length >= deepest) return undefined
    const inner = this.of(offset, below, around)
    return inner.length > 0 ? { ...entry, below: inner } : undefined
  }
}

/** Padding that writers put between values. */
const slack = 16

function opened(bytes: Uint8Array): Tiff {
  const order = bytes.length < 8 ? '' : String.fromCharCode(bytes[0] as number, bytes[1] as number)
  const view = viewOf(bytes)
  const little = order === 'II'
  if ((!little && order !== 'MM') || view.getUint16(2, little) !== 42) throw new Unreadable('no EXIF data')
  return { bytes, view, little }
}

const directoryOf = (tag: number): Directory | undefined =>
  tag === tags.exif ? 'exif' : tag === tags.interoperability ? 'interoperability' : undefined

/** Entries whose values are not in the block are left out. */
function readEntries({ bytes, view, little }: Tiff, at: number): readonly Entry[] {
  if (at < 8 || at + 2 > bytes.length) return []
  const count = view.getUint16(at, little)
  if (count > mostEntries) throw new Unreadable('the EXIF data have too many entries')
  const entries: Entry[] = []
  for (let index = 0; index < count; index++) {
    const from = at + 2 + index * 12
    if (from + 12 > bytes.length) break
    const type = view.getUint16(from + 2, little)
    const length = (typeBytes[type] ?? 0) * view.getUint32(from + 4, little)
    const start = length <= 4 ? from + 8 : view.getUint32(from + 8, little)
    if (length === 0 || start + length > bytes.length) continue
    const value = bytes.subarray(start, start + length)
    entries.push({ tag: view.getUint16(from, little), type, count: view.getUint32(from + 4, little), value })
  }
  return entries
}

function hasSecond({ bytes, view, little }: Tiff, first: number): boolean {
  const end = first + 2 + view.getUint16(first, little) * 12
  return end + 4 <= bytes.length && view.getUint32(end, little) !== 0
}

const textTags: ReadonlySet<number> = new Set([0x010d, tags.description, tags.comment, tags.windowsComment, tags.title])

/** A text that names the camera is dropped with it, and a comment without words too. */
const isKeptValue = (entry: Entry): boolean => !textTags.has(entry.tag) || wordsOf(textOf(entry)) !== undefined

// ---------------------------------------------------------------- writing

function rebuiltTiff(entries: readonly Entry[], little: boolean): Uint8Array {
  const head = new Uint8Array(8)
  head.set(asciiBytes(little ? 'II' : 'MM'))
  viewOf(head).setUint16(2, 42, little)
  viewOf(head).setUint32(4, 8, little)
  return joined([head, ...directoryBytes(entries, 8, little)])
}

/** The directory, the values that are longer than four bytes, and the directories below. */
function directoryBytes(entries: readonly Entry[], at: number, little: boolean): readonly Uint8Array[] {
  const table = new Uint8Array(2 + entries.length * 12 + 4)
  const view = viewOf(table)
  view.setUint16(0, entries.length, little)
  const values: Uint8Array[] = []
  let next = at + table.length
  const place = (value: Uint8Array) => {
    // Values begin at even offsets.
    const padded = value.length % 2 === 0 ? value : joined([value, new Uint8Array(1)])
    values.push(padded)
    const offset = next
    next += padded.length
    return offset
  }
  for (const [index, { tag, type, count, value, below }] of entries.entries()) {
    const from = 2 + index * 12
    view.setUint16(from, tag, little)
    view.setUint16(from + 2, type, little)
    view.setUint32(from + 4, count, little)
    if (below) view.setUint32(from + 8, place(joined(directoryBytes(below, next, little))), little)
    else if (value.length <= 4) table.set(value, from + 8)
    else view.setUint32(from + 8, place(value), little)
  }
  return [table, ...values]
}

// ---------------------------------------------------------------- facts

function factsOf(entries: readonly Entry[], little: boolean): PictureFacts {
  const byTag = new Map<number, Entry>()
  for (const entry of entries) byTag.set(entry.tag, entry)
  for (const entry of byTag.get(tags.exif)?.below ?? []) byTag.set(entry.tag, entry)
  const text = (...names: readonly number[]) => {
    for (const tag of names) {
      const entry = byTag.get(tag)
      const words = entry && wordsOf(textOf(entry))
      if (words !== undefined) return words
    }
    return undefined
  }
  const number = (tag: number) => numberOf(byTag.get(tag), little)
  const words = text(tags.windowsKeywords)?.split(';')
  const facts: { readonly [name in keyof PictureFacts]: PictureFacts[name] | undefined } = {
    title: text(tags.windowsTitle, tags.title),
    description: text(tags.description, tags.windowsComment, tags.windowsSubject, tags.comment),
    creator: text(tags.artist, tags.windowsAuthor, tags.photographer),
    copyright: text(tags.copyright),
    keywords: words && keywordsOf(words),
    orientation: orientationOf(number(tags.orientation)),
    created: secondsOf(text(tags.created)),
    aperture: number(tags.aperture),
    focalLength: number(tags.focalLength),
    iso: number(tags.iso),
    exposureSeconds: number(tags.exposureSeconds),
  }
  // The cast: members that are undefined are left out when facts are merged.
  return facts as PictureFacts
}

const orientationOf = (value: number | undefined): number | undefined =>
  value !== undefined && Number.isInteger(value) && value >= 1 && value <= 8 ? value : undefined

const utf16 = { little: new TextDecoder('utf-16le'), big: new TextDecoder('utf-16be') }
const commentCodeBytes = 8

function textOf({ tag, value }: Entry): string {
  if (tag >= tags.windowsTitle && tag <= tags.windowsSubject) return beforeNul(utf16.little.decode(value))
  if (tag !== tags.comment) return partsOf(decodeText(value))
  const code = decodeText(value.subarray(0, commentCodeBytes))
  const text = value.subarray(commentCodeBytes)
  // The order of bytes is that of the writer: a text of Latin letters has its zeros in the odd or in the even places.
  if (code.startsWith('UNICODE')) return beforeNul((text[0] === 0 ? utf16.big : utf16.little).decode(text))
  return /^(?:ASCII|\0)/.test(code) ? beforeNul(decodeText(text)) : ''
}

const beforeNul = (text: string): string => text.split('\0', 1)[0] ?? ''

/** The copyright has two parts: of the photographer and of the editor. */
const partsOf = (text: string): string =>
  text
    .split('\0')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .slice(0, 2)
    .join(', ')

function numberOf(entry: Entry | undefined, little: boolean): number | undefined {
  if (!entry) return undefined
  const view = viewOf(entry.value)
  const value = valueIn(view, entry.type, little)
  return value !== undefined && Number.isFinite(value) && value >= 0 ? value : undefined
}

function valueIn(view: DataView, type: number, little: boolean): number | undefined {
  if (type === 3) return view.getUint16(0, little)
  if (type === 4) return view.getUint32(0, little)
  if (type === 5) return view.getUint32(0, little) / view.getUint32(4, little)
  return undefined
}

/** The time of the camera, `2024:05:01 12:30:00`, as if it were UTC. */
function secondsOf(text: string | undefined): number | undefined {
  const [, date, time] = /^(\d{4}:\d\d:\d\d)[ T](\d\d:\d\d:\d\d)/.exec(text ?? '') ?? []
  if (date === undefined) return undefined
  const moment = Date.parse(`${date.replaceAll(':', '-')}T${time}Z`)
  return Number.isNaN(moment) || moment < 0 ? undefined : moment / 1000
}
