/** Parts of files of pictures, made by hand. */
import { crc32 } from 'node:zlib'

export function jpegSegment(kind: number, body: Buffer): Buffer {
  const head = Buffer.from([0xff, kind, 0, 0])
  head.writeUInt16BE(body.length + 2, 2)
  return Buffer.concat([head, body])
}

const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

const uint16 = (value: number): Buffer => Buffer.from([value >> 8, value & 255])

export function pngChunk(type: string, body: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type), body])
  return Buffer.concat([uint32(body.length), named, uint32(crc32(named))])
}

export function riffChunk(type: string, body: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32LE(body.length)
  return Buffer.concat([Buffer.from(type), length, body, Buffer.alloc(body.length % 2)])
}

/** A WebP file with more chunks at its end. */
export function withChunks(file: Buffer, ...chunks: readonly Buffer[]): Buffer {
  const whole = Buffer.concat([file, ...chunks])
  whole.writeUInt32LE(whole.length - 8, 4)
  return whole
}

/** A GIF file with a block before the mark of its end. */
export const appended = (file: Buffer, block: Buffer): Buffer =>
  Buffer.concat([file.subarray(0, -1), block, file.subarray(-1)])

export function boxed(type: string, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts)
  return Buffer.concat([uint32(body.length + 8), Buffer.from(type, 'latin1'), body])
}

interface TiffValues {
  readonly make: string
  readonly copyright: string
  /** How many entries name the same copyright. */
  readonly repeats?: number
}

/** EXIF data of a camera's name and a copyright. */
export function tiffOf({ make, copyright, repeats = 1 }: TiffValues): Buffer {
  const values = [`${make}\0`, `${copyright}\0`].map((value) => Buffer.from(value))
  const [first, second] = values as [Buffer, Buffer]
  const at = 8 + 2 + (repeats + 1) * 12 + 4
  const entry = (tag: number, value: Buffer, offset: number) =>
    Buffer.concat([
      ...[uint16(tag), uint16(2), uint32(value.length)],
      value.length <= 4 ? Buffer.concat([value, Buffer.alloc(4 - value.length)]) : uint32(offset),
    ])
  return Buffer.concat([
    ...[Buffer.from('MM\0*'), uint32(8), uint16(repeats + 1), entry(0x010f, first, at)],
    ...Array.from({ length: repeats }, () => entry(0x8298, second, at + first.length)),
    ...[uint32(0), first, second],
  ])
}

interface HeicParts {
  readonly width: number
  readonly height: number
  readonly exif: Buffer
  readonly packet: string
}

/** The boxes of a HEIC file, without a picture that could be decoded: its data are 64 bytes at the end. */
export function heic({ width, height, exif, packet }: HeicParts): Buffer {
  const item = (id: number, type: string, more = '') =>
    boxed('infe', Buffer.from([2, 0, 0, 0]), uint16(id), uint16(0), Buffer.from(`${type}\0${more}`))
  const data = [Buffer.alloc(64, 7), Buffer.concat([uint32(0), exif]), Buffer.from(packet)] as const
  const meta = (start: number) => {
    const [, metadata, xmp] = data
    const places = [start + metadata.length + xmp.length, start, start + metadata.length]
    return boxed(
      'meta',
      Buffer.alloc(4),
      boxed('hdlr', Buffer.alloc(8), Buffer.from('pict'), Buffer.alloc(13)),
      boxed('pitm', Buffer.alloc(4), uint16(1)),
      boxed(
        'iinf',
        Buffer.alloc(4),
        uint16(3),
        item(1, 'hvc1'),
        item(2, 'Exif'),
        item(3, 'mime', 'application/rdf+xml\0'),
      ),
      boxed('iprp', boxed('ipco', boxed('ispe', Buffer.alloc(4), uint32(width), uint32(height)))),
      boxed(
        'iloc',
        Buffer.from([0, 0, 0, 0, 0x44, 0]),
        uint16(3),
        ...places.map((place, index) =>
          Buffer.concat([
            uint16(index + 1),
            uint16(0),
            uint16(1),
            uint32(place),
            uint32((data[index] as Buffer).length),
          ]),
        ),
      ),
    )
  }
  const type = boxed('ftyp', Buffer.from('heic\0\0\0\0mif1heic'))
  const start = type.length + meta(0).length + 8
  return Buffer.concat([type, meta(start), boxed('mdat', data[1], data[2], data[0])])
}
