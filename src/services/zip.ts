/**
 * Reads the files of an untrusted zip archive in memory. Paths out of the archive, links, encrypted entries and suspicious
 * compression ratios are rejected from the directory, before unpacking; unpacking itself stops at the limits, whatever the
 * directory states.
 */

import { Inflate, zipSync } from 'fflate/browser'
import { joinBytes } from '../core/runtime/bytes.ts'

interface ZipLimits {
  readonly files: number
  /** The size of one file once it is unpacked. */
  readonly fileBytes: number
  /** The size of all files once they are unpacked. */
  readonly totalBytes: number
  /** The largest allowed ratio of unpacked to packed size. */
  readonly ratio: number
}

const zipLimits: ZipLimits = {
  files: 100,
  fileBytes: 10 * 1024 * 1024,
  totalBytes: 40 * 1024 * 1024,
  ratio: 200,
}

interface ZippedFile {
  readonly name: string
  readonly bytes: Uint8Array
}

/** The bytes are not an archive, or the archive is rejected as a whole. */
export class ZipError extends Error {
  readonly code = 'archive'
}

/** The files in the order of the directory, without folders. Throws a ZipError. */
export function readZip(bytes: Uint8Array, limits: ZipLimits = zipLimits): ZippedFile[] {
  const entries = readDirectory(bytes, limits).filter(({ name }) => !name.endsWith('/'))
  let total = 0
  return entries.map((entry) => {
    const unpacked = unpack(bytes, entry, Math.min(limits.fileBytes, limits.totalBytes - total), limits)
    total += unpacked.length
    return { name: entry.name, bytes: unpacked }
  })
}

interface Entry {
  readonly name: string
  readonly method: number
  readonly packedSize: number
  readonly size: number
  /** The offset of its local header. */
  readonly offset: number
}

const endSignature = 0x06054b50
const entrySignature = 0x02014b50
const fileSignature = 0x04034b50
const endLength = 22
const longestComment = 0xffff

function readDirectory(bytes: Uint8Array, limits: ZipLimits): Entry[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const end = endOf(view)
  const count = view.getUint16(end + 10, true)
  let at = view.getUint32(end + 16, true)
  if (count > limits.files) throw new ZipError(`the archive has more than ${limits.files} entries`)
  const entries: Entry[] = []
  for (let index = 0; index < count; index++) {
    if (at + 46 > bytes.length || view.getUint32(at, true) !== entrySignature) throw broken()
    const nameLength = view.getUint16(at + 28, true)
    const name = nameIn(bytes.subarray(at + 46, at + 46 + nameLength))
    const mode = view.getUint32(at + 38, true) >>> 16
    if ((mode & linkMask) === linkMode) throw new ZipError(`${name} is a link`)
    if ((view.getUint16(at + 8, true) & 1) !== 0) throw new ZipError(`${name} is encrypted`)
    entries.push({
      name,
      method: view.getUint16(at + 10, true),
      packedSize: view.getUint32(at + 20, true),
      size: view.getUint32(at + 24, true),
      offset: view.getUint32(at + 42, true),
    })
    at += 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true)
  }
  return entries
}

/** The file type in the Unix mode. */
const linkMask = 0o170000
const linkMode = 0o120000

/** The offset of the end record; a comment may follow it. */
function endOf(view: DataView): number {
  const last = view.byteLength - endLength
  for (let at = last; at >= Math.max(0, last - longestComment); at--) {
    if (view.getUint32(at, true) === endSignature) return at
  }
  throw broken()
}

const broken = () => new ZipError('this is no archive')

function nameIn(bytes: Uint8Array): string {
  const name = new TextDecoder().decode(bytes)
  const isLeading = name.startsWith('/') || name.includes('\\') || /^[a-z]:/i.test(name) || name.includes('\0')
  if (name === '' || isLeading || name.split('/').includes('..')) {
    throw new ZipError('the archive has a name that leads out of it')
  }
  return name
}

function unpack(bytes: Uint8Array, entry: Entry, mostBytes: number, { ratio }: ZipLimits): Uint8Array {
  const { name, offset, packedSize, size, method } = entry
  const tooLarge = () => new ZipError(`${name} is too large`)
  if (size > mostBytes || size > packedSize * ratio + 1024) throw tooLarge()
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (offset + 30 > bytes.length || view.getUint32(offset, true) !== fileSignature) throw broken()
  const start = offset + 30 + view.getUint16(offset + 26, true) + view.getUint16(offset + 28, true)
  const packed = bytes.subarray(start, start + packedSize)
  if (packed.length !== packedSize) throw broken()
  if (method === 0) return packed.slice()
  if (method !== 8) throw new ZipError(`${name} is packed in an unknown way`)
  return inflated(packed, mostBytes, tooLarge)
}

/** Small chunks: a chunk can expand a thousandfold, and the limit is checked after each. */
const chunkBytes = 4096

function inflated(packed: Uint8Array, mostBytes: number, tooLarge: () => Error): Uint8Array {
  const parts: Uint8Array[] = []
  let length = 0
  const inflate = new Inflate((part) => {
    parts.push(part)
    length += part.length
  })
  for (let at = 0; at < packed.length || at === 0; at += chunkBytes) {
    try {
      inflate.push(packed.subarray(at, at + chunkBytes), at + chunkBytes >= packed.length)
    } catch {
      throw broken()
    }
    if (length > mostBytes) throw tooLarge()
  }
  return joinBytes(parts, length)
}

/** The same files make the same bytes. */
export function writeZip(files: readonly ZippedFile[]): Uint8Array<ArrayBuffer> {
  return zipSync(Object.fromEntries(files.map(({ name, bytes }) => [name, bytes])), { mtime: new Date(1980, 0, 1) })
}
