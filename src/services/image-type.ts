/**
 * The type and size of an image, detected from magic bytes; the declared type is ignored. Formats that can contain scripts,
 * such as SVG, are not detected.
 */

export interface DetectedImage {
  readonly type: string
  readonly extension: string
  /** Undefined if the header does not contain it. */
  readonly size: { readonly width: number; readonly height: number } | undefined
}

/** Returns undefined for bytes that are not an image of a supported format. */
export function detectImage(bytes: Uint8Array): DetectedImage | undefined {
  const format = formats.find(({ matches }) => matches(bytes))
  return format && { type: `image/${format.name}`, extension: format.extension, size: sizeIn(bytes, format) }
}

interface ImageFormat {
  readonly name: string
  readonly extension: string
  readonly matches: (bytes: Uint8Array) => boolean
  readonly sizeOf: (view: DataView) => readonly [width: number, height: number] | undefined
}

const formats: readonly ImageFormat[] = [
  { name: 'jpeg', extension: 'jpg', matches: (bytes) => starts(bytes, [0xff, 0xd8, 0xff]), sizeOf: jpegSize },
  {
    name: 'png',
    extension: 'png',
    matches: (bytes) => starts(bytes, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    sizeOf: (view) => [view.getUint32(16), view.getUint32(20)],
  },
  {
    name: 'gif',
    extension: 'gif',
    matches: (bytes) => ['GIF87a', 'GIF89a'].includes(text(bytes, 0, 6)),
    sizeOf: (view) => [view.getUint16(6, true), view.getUint16(8, true)],
  },
  {
    name: 'webp',
    extension: 'webp',
    matches: (bytes) => text(bytes, 0, 4) === 'RIFF' && text(bytes, 8, 4) === 'WEBP',
    sizeOf: webpSize,
  },
  {
    name: 'avif',
    extension: 'avif',
    matches: (bytes) => brandOf(bytes) === 'avif',
    sizeOf: boxSize,
  },
  { name: 'heic', extension: 'heic', matches: (bytes) => brandOf(bytes) === 'heic', sizeOf: boxSize },
  { name: 'heif', extension: 'heif', matches: (bytes) => brandOf(bytes) === 'heif', sizeOf: boxSize },
  {
    name: 'bmp',
    extension: 'bmp',
    matches: (bytes) => text(bytes, 0, 2) === 'BM' && bytes.length > 26,
    sizeOf: (view) => [view.getInt32(18, true), Math.abs(view.getInt32(22, true))],
  },
]

const starts = (bytes: Uint8Array, signature: readonly number[]) =>
  signature.every((byte, index) => bytes[index] === byte)

const text = (bytes: Uint8Array, from: number, length: number) =>
  String.fromCharCode(...bytes.subarray(from, from + length))

/** Undefined for a truncated file. */
function sizeIn(bytes: Uint8Array, { sizeOf }: ImageFormat): DetectedImage['size'] {
  try {
    const [width = 0, height = 0] = sizeOf(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)) ?? []
    return width > 0 && height > 0 ? { width, height } : undefined
  } catch {
    return undefined
  }
}

/** The size is in a frame header; the segments before it state their length. */
function jpegSize(view: DataView): readonly [number, number] | undefined {
  for (let at = 2; at + 9 < view.byteLength; ) {
    if (view.getUint8(at) !== 0xff) return undefined
    const marker = view.getUint8(at + 1)
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
    if (isFrame) return [view.getUint16(at + 7), view.getUint16(at + 5)]
    // Fill bytes may precede a marker.
    at += marker === 0xff ? 1 : 2 + view.getUint16(at + 2)
  }
  return undefined
}

/** The three variants of WebP have the size at different offsets. */
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

const brands: ReadonlyMap<string, string> = new Map([
  ...['avif', 'avis'].map((brand) => [brand, 'avif'] as const),
  // The photos of telephones.
  ...['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'hevm', 'hevs'].map((brand) => [brand, 'heic'] as const),
])

/** The kind of a picture in boxes. The general brand says in its list of compatible ones how the picture is coded. */
function brandOf(bytes: Uint8Array): string | undefined {
  if (text(bytes, 4, 4) !== 'ftyp') return undefined
  const major = text(bytes, 8, 4)
  if (major !== 'mif1' && major !== 'msf1') return brands.get(major)
  const end = Math.min(bytes.length, 256, new DataView(bytes.buffer, bytes.byteOffset).getUint32(0))
  const others = Array.from({ length: Math.max(0, Math.floor((end - 16) / 4)) }, (_, at) => text(bytes, 16 + at * 4, 4))
  return others.map((brand) => brands.get(brand)).find((kind) => kind !== undefined) ?? 'heif'
}

const boxHeadBytes = 64 * 1024

/**
 * Searches the head of the file for the boxes `ispe`: the largest extent is that of the picture, others are of its tiles and of its
 * thumbnail. A quarter turn in `irot` exchanges its sides.
 */
function boxSize(view: DataView): readonly [number, number] | undefined {
  let largest: readonly [number, number] | undefined
  let isTurned = false
  for (let at = 8; at + 9 <= Math.min(view.byteLength, boxHeadBytes); at++) {
    const type = view.getUint32(at)
    if (type === 0x69726f74) isTurned = (view.getUint8(at + 4) & 1) === 1
    if (type !== 0x69737065 || at + 16 > view.byteLength) continue
    const [width, height] = [view.getUint32(at + 8), view.getUint32(at + 12)]
    if (width * height > (largest?.[0] ?? 0) * (largest?.[1] ?? 0)) largest = [width, height]
  }
  return isTurned && largest ? [largest[1], largest[0]] : largest
}
