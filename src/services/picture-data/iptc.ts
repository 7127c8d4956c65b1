/** IPTC data in the resources of a picture program (APP13 of JPEG files): keeps the words of people, drops places, programs and thumbnails. */
import { ascii, asciiBytes, joined, Unreadable, viewOf } from './bytes.ts'
import type { FilteredBlock } from './exif.ts'
import { decodeText, firstOf, keywordsOf, type PictureFacts, wordsOf } from './texts.ts'

export const resourcesHeader = asciiBytes('Photoshop 3.0\0')

/** Resolution, copyright flag, address of the rights. */
const keptResources: ReadonlySet<number> = new Set([0x03ed, 0x040a, 0x040b])
const iptcResource = 0x0404

/** Record 2 has version, title, keywords, date, writer's names and titles, headline, credit, source, copyright, caption. */
const keptData: ReadonlySet<number> = new Set([0, 5, 25, 55, 80, 85, 105, 110, 115, 116, 120, 122])

interface Resource {
  readonly id: number
  readonly value: Uint8Array
}

/** Throws Unreadable for bytes that are no list of resources. */
export function filterResources(bytes: Uint8Array): FilteredBlock {
  const all = readResources(bytes)
  let facts: PictureFacts = {}
  let isClean = true
  const kept = all.flatMap(({ id, value }) => {
    const filtered = id === iptcResource ? filterIptc(value) : undefined
    if (filtered) facts = filtered.facts
    const stays = filtered ? filtered.bytes : keptResources.has(id) ? value : undefined
    if (stays !== value) isClean = false
    return stays === undefined ? [] : [resource(id, stays)]
  })
  if (kept.length === 0) return { bytes: undefined, facts }
  return { bytes: isClean ? bytes : joined(kept), facts }
}

function readResources(bytes: Uint8Array): readonly Resource[] {
  const view = viewOf(bytes)
  const found: Resource[] = []
  for (let at = 0; at + 12 <= bytes.length; ) {
    if (ascii(bytes, at, at + 4) !== '8BIM') throw new Unreadable('no resources of a picture program')
    const nameBytes = 1 + view.getUint8(at + 6)
    const from = at + 6 + nameBytes + (nameBytes % 2) + 4
    const size = view.getUint32(from - 4)
    if (from + size > bytes.length) throw new Unreadable('a resource is longer than its block')
    found.push({ id: view.getUint16(at + 4), value: bytes.subarray(from, from + size) })
    at = from + size + (size % 2)
  }
  return found
}

function resource(id: number, value: Uint8Array): Uint8Array {
  const head = new Uint8Array(12)
  head.set(asciiBytes('8BIM'))
  viewOf(head).setUint16(4, id)
  viewOf(head).setUint32(8, value.length)
  return joined([head, value, new Uint8Array(value.length % 2)])
}

function filterIptc(bytes: Uint8Array): FilteredBlock {
  const all = readData(bytes)
  const kept = all.filter(({ record, dataset }) => record === 1 || (record === 2 && keptData.has(dataset)))
  const valuesOf = (wanted: number) =>
    kept.filter(({ record, dataset }) => record === 2 && dataset === wanted).map(({ text }) => decodeText(text))
  const words = (...datasets: readonly number[]) => firstOf(datasets, (one) => wordsOf(valuesOf(one).join(', ')))
  const facts: { readonly [name in keyof PictureFacts]: PictureFacts[name] | undefined } = {
    title: words(5, 105),
    description: words(120),
    creator: words(80),
    credit: words(110),
    copyright: words(116),
    keywords: keywordsOf(valuesOf(25)),
  }
  const whole = joined(kept.map((one) => one.whole))
  // The cast: members that are undefined are left out when facts are merged.
  const told = facts as PictureFacts
  return { bytes: kept.length === 0 ? undefined : whole.length === bytes.length ? bytes : whole, facts: told }
}

interface DataSet {
  readonly record: number
  readonly dataset: number
  readonly text: Uint8Array
  readonly whole: Uint8Array
}

/** Ends at the first data set that is none. */
function readData(bytes: Uint8Array): readonly DataSet[] {
  const view = viewOf(bytes)
  const found: DataSet[] = []
  for (let at = 0; at + 5 <= bytes.length && bytes[at] === 0x1c; ) {
    const size = view.getUint16(at + 3)
    const end = at + 5 + size
    // Longer values than 32,767 bytes have another head; no words of people are so long.
    if (size > 0x7fff || end > bytes.length) break
    const whole = bytes.subarray(at, end)
    found.push({ record: view.getUint8(at + 1), dataset: view.getUint8(at + 2), text: whole.subarray(5), whole })
    at = end
  }
  return found
}
