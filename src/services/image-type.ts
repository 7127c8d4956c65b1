/**
 * What kind of picture some bytes are, and how large: told by their own signs, whatever their sender called them. Only
 * kinds that hold no script; SVG is none of them.
 */

export interface DetectedImage {
  readonly type: string
  readonly extension: string
  /** Undefined where it is not told in the first bytes. */
  readonly size: { readonly width: number; readonly height: number } | undefined
}

/** Undefined: no picture, or of a kind that is not known here. */
export function detectImage(bytes: Uint8Array): DetectedImage | undefined {
  const found = kinds.find(({ isOne }) => isOne(bytes))
  return found && { type: `image/${found.name}`, extension: found.extension, size: measured(found, bytes) }
}

interface Kind {
  readonly name: string
  readonly extension: string
  readonly isOne: (bytes: Uint8Array) => boolean
  readonly sizeOf: (view: DataView) => readonly [width: number, height: number] | undefined
}

const kinds: readonly Kind[] = [
  { name: 'jpeg', extension: 'jpg', isOne: (bytes) => starts(bytes, [0xff, 0xd8, 0xff]), sizeOf: jpegSize },
  {
    name: 'png',
    extension: 'png',
    isOne: (bytes) => starts(bytes, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    sizeOf: (view) => [view.getUint32(16), view.getUint32(20)],
  },
  {
    name: 'gif',
    extension: 'gif',
    isOne: (bytes) => ['GIF87a', 'GIF89a'].includes(text(bytes, 0, 6)),
    sizeOf: (view) => [view.getUint16(6, true), view.getUint16(8, true)],
  },
  {
    name: 'webp',
    extension: 'webp',
    isOne: (bytes) => text(bytes, 0, 4) === 'RIFF' && text(bytes, 8, 4) === 'WEBP',
    sizeOf: webpSize,
  },
  {
    name: 'avif',
    extension: 'avif',
    isOne: (bytes) => text(bytes, 4, 4) === 'ftyp' && ['avif', 'avis'].includes(text(bytes, 8, 4)),
    sizeOf: avifSize,
  },
  {
    name: 'bmp',
    extension: 'bmp',
    isOne: (bytes) => text(bytes, 0, 2) === 'BM' && bytes.length > 26,
    sizeOf: (view) => [view.getInt32(18, true), Math.abs(view.getInt32(22, true))],
  },
]

const starts = (bytes: Uint8Array, signs: readonly number[]) => signs.every((sign, index) => bytes[index] === sign)

const text = (bytes: Uint8Array, from: number, length: number) =>
  String.fromCharCode(...bytes.subarray(from, from + length))

/** A file that ends too early has no size. */
function measured({ sizeOf }: Kind, bytes: Uint8Array): DetectedImage['size'] {
  try {
    const [width = 0, height = 0] = sizeOf(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)) ?? []
    return width > 0 && height > 0 ? { width, height } : undefined
  } catch {
    return undefined
  }
}

/** Frames carry the size; all that comes before says how long it is. */
function jpegSize(view: DataView): readonly [number, number] | undefined {
  for (let at = 2; at + 9 < view.byteLength; ) {
    if (view.getUint8(at) !== 0xff) return undefined
    const mark = view.getUint8(at + 1)
    const isFrame = mark >= 0xc0 && mark <= 0xcf && mark !== 0xc4 && mark !== 0xc8 && mark !== 0xcc
    if (isFrame) return [view.getUint16(at + 7), view.getUint16(at + 5)]
    // Fill bytes stand before a mark.
    at += mark === 0xff ? 1 : 2 + view.getUint16(at + 2)
  }
  return undefined
}

/** The three forms of the format keep it in three places. */
function webpSize(view: DataView): readonly [number, number] | undefined {
  switch (view.getUint32(12)) {
    case 0x56503820: // `VP8 `
      return [view.getUint16(26, true) & 0x3fff, view.getUint16(28, true) & 0x3fff]
    case 0x5650384c: {
      // `VP8L`
      const bits = view.getUint32(21, true)
      return [(bits & 0x3fff) + 1, ((bits >> 14) & 0x3fff) + 1]
    }
    case 0x56503858: // `VP8X`
      return [(view.getUint32(24, true) & 0xffffff) + 1, (view.getUint32(26, true) >>> 8) + 1]
    default:
      return undefined
  }
}

const avifHeadBytes = 4096

/** The box `ispe`, wherever it stands in the head. */
function avifSize(view: DataView): readonly [number, number] | undefined {
  for (let at = 8; at + 16 <= Math.min(view.byteLength, avifHeadBytes); at++) {
    if (view.getUint32(at) === 0x69737065) return [view.getUint32(at + 8), view.getUint32(at + 12)]
  }
  return undefined
}
