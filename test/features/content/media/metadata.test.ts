/** Compares the metadata, bytes and pixels of uploaded pictures with those of the stored files. */
import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestSite } from '../../../support/site.ts'
import { appended, boxed, heic, jpegSegment, pngChunk, riffChunk, tiffOf, withChunks } from './containers.ts'
import { fileAt, mediaSite, upload } from './pictures.ts'

type Kind = 'jpeg' | 'png' | 'webp' | 'avif'
const kinds: readonly Kind[] = ['jpeg', 'png', 'webp', 'avif']

const [width, height] = [200, 120]
const noise = sharp(
  Buffer.from(Array.from({ length: width * height * 3 }, (_, at) => (at * 7919 + (at >> 3) * 131) & 255)),
  { raw: { width, height, channels: 3 } },
)
const plain = (kind: Kind) => noise.clone().toFormat(kind, { effort: 1 } as never)

/** Words for places and devices, which no stored file may have. */
const secrets = ['Acme', 'SN-4711', 'LENS-9', 'Husum', '54,18', 'CamSoft']
const words = { copyright: 'Harbour Press', creator: 'Pat Doe', caption: 'The pier at dusk' }

const exif = {
  IFD0: {
    ...{ Make: 'Acme', Model: 'Acme Nine', Software: 'CamSoft 2', Copyright: words.copyright, Artist: words.creator },
    ImageDescription: words.caption,
  },
  IFD2: { BodySerialNumber: 'SN-4711', LensModel: 'LENS-9', DateTimeOriginal: '2024:05:01 12:30:00', FNumber: '28/10' },
  IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '54/1 18/1 0/1', GPSAreaInformation: 'Husum' },
}

const property = (name: string, list: string, text: string) =>
  `<dc:${name}><rdf:${list}><rdf:li xml:lang="x-default">${text}</rdf:li></rdf:${list}></dc:${name}>`
const texts =
  property('rights', 'Alt', words.copyright) +
  property('creator', 'Seq', words.creator) +
  property('description', 'Alt', words.caption)
const packet = (attributes: string, properties = texts) =>
  '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">' +
  `<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/"${attributes}>${properties}` +
  '</rdf:Description></rdf:RDF></x:xmpmeta>'
const xmp = packet(
  ' xmlns:exif="http://ns.adobe.com/exif/1.0/" exif:GPSLatitude="54,18.5N"' +
    ' xmlns:tiff="http://ns.adobe.com/tiff/1.0/" tiff:Make="Acme"' +
    ' xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/" photoshop:City="Husum"',
)

let site: TestSite
beforeAll(async () => {
  site = await mediaSite()
})
afterAll(async () => {
  expect(site.failures).toEqual([])
  await site.dispose()
})

const send = (kind: string, bytes: Uint8Array) => upload(site, `photo.${kind}`, bytes, { type: `image/${kind}` })
const read = async (address: string) => new Uint8Array(await (await fileAt(site, address)).arrayBuffer())
const pixels = (bytes: Uint8Array) => sharp(bytes).raw().toBuffer()
const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1')
const told = (bytes: Uint8Array) => secrets.filter((secret) => text(bytes).includes(secret))

/** The same as another program reads it: PNG files have compressed packets. */
async function toldIn(bytes: Uint8Array) {
  const { exif: data = Buffer.alloc(0), xmp: found = Buffer.alloc(0) } = await sharp(bytes).metadata()
  return told(Buffer.concat([data, found]))
}

/** The stored upload: the one that is shown, or the one beside it. */
async function stored(kind: string, bytes: Uint8Array) {
  const { status, body } = await send(kind, bytes)
  expect([status, body.code]).toEqual([201, undefined])
  const name = body.media_details.original_image
  const address = name ? body.source_url.replace(/[^/]+$/, name) : body.source_url
  return { body, bytes: await read(address) }
}

describe.each(kinds)('a picture of the kind %s', (kind) => {
  test('without metadata comes back byte for byte', async () => {
    const bytes = await plain(kind).toBuffer()
    expect(Buffer.compare((await stored(kind, bytes)).bytes, bytes)).toBe(0)
  })

  test.each([
    ['EXIF', () => plain(kind).withExif(exif)],
    ['XMP', () => plain(kind).withXmp(xmp)],
    ['EXIF and XMP', () => plain(kind).withExif(exif).withXmp(xmp)],
  ] as const)('with %s keeps its pixels and words; places and devices go', async (_name, make) => {
    const sent = await make().toBuffer()
    expect(await toldIn(sent)).not.toEqual([])
    const { body, bytes } = await stored(kind, sent)
    expect([told(bytes), await toldIn(bytes)]).toEqual([[], []])
    for (const word of Object.values(words)) expect(text(bytes)).toContain(word)
    expect(Buffer.compare(await pixels(bytes), await pixels(sent))).toBe(0)
    expect([body.caption.raw, body.alt_text]).toEqual([words.caption, words.caption])
    const { image_meta: meta } = body.media_details
    expect([meta.copyright, meta.credit, meta.caption, meta.camera]).toEqual([
      ...[words.copyright, words.creator, words.caption, ''],
    ])
    const size = await read(body.media_details.sizes.thumbnail.source_url)
    expect(told(size)).toEqual([])
    expect(text(size)).toContain(words.copyright)
  })

  test('with words alone comes back byte for byte', async () => {
    const sent = await plain(kind).withXmp(packet('')).toBuffer()
    expect(Buffer.compare((await stored(kind, sent)).bytes, sent)).toBe(0)
  })

  test('that is broken anywhere is taken or refused, never a failure', async () => {
    const whole = await plain(kind).withExif(exif).withXmp(xmp).toBuffer()
    const broken = Array.from({ length: 24 }, (_, index) => {
      const at = Math.floor((whole.length * (index % 12)) / 12) + ((index * 37) % 64)
      if (index < 12) return whole.subarray(0, at)
      const bytes = Buffer.from(whole)
      bytes.fill(0xff, (index * 29) % 600, ((index * 29) % 600) + 4)
      return bytes
    })
    for (const bytes of broken) {
      const { status } = await send(kind, bytes)
      expect([201, 400, 413]).toContain(status)
    }
  })
})

test('numbers of the exposure fill the metadata of the record, and the caption of a request wins', async () => {
  const bytes = await plain('jpeg').withExif(exif).toBuffer()
  const { body } = await upload(site, 'p.jpg', bytes, { type: 'image/jpeg', query: 'caption=Mine&alt_text=Pier' })
  expect([body.caption.raw, body.alt_text]).toEqual(['Mine', 'Pier'])
  expect(body.media_details.image_meta).toMatchObject({ aperture: '2.8', created_timestamp: '1714566600' })
})

test('words of a file are text, and no HTML', async () => {
  const bytes = await plain('jpeg')
    .withExif({ IFD0: { ImageDescription: 'a <script>alert(1)</script> b < c' } })
    .toBuffer()
  const { body } = await upload(site, 'p.jpg', bytes, { type: 'image/jpeg', as: 'ada' })
  expect(body.caption.rendered).not.toContain('<script')
  expect(body.caption.raw).toMatch(/^a .*b/)
})

const noted = Buffer.from('Acme Husum 54.3012, 9.0512')
/** Behind the mark of the beginning. */
const start = 2
const resources = (bytes: Buffer) =>
  Buffer.concat([
    Buffer.from('Photoshop 3.0\u00008BIM\u0004\u0004\0\0\0\0', 'latin1'),
    Buffer.from([0, bytes.length]),
    bytes,
    Buffer.alloc(bytes.length % 2),
  ])
const dataSet = (number: number, value: string) =>
  Buffer.concat([Buffer.from([0x1c, 2, number, 0, value.length]), Buffer.from(value)])

type Change = (bytes: Buffer) => Buffer
const inserted =
  (at: number, ...parts: readonly Buffer[]): Change =>
  (bytes) =>
    Buffer.concat([bytes.subarray(0, at), ...parts, bytes.subarray(at)])

test.each<readonly [string, Kind | 'gif', Change]>([
  ['a comment', 'jpeg', inserted(start, jpegSegment(0xfe, noted))],
  ['notes of a maker', 'jpeg', inserted(start, jpegSegment(0xe5, noted))],
  [
    'a list of other pictures',
    'jpeg',
    inserted(start, jpegSegment(0xe2, Buffer.concat([Buffer.from('MPF\0'), noted]))),
  ],
  ['a thumbnail', 'jpeg', inserted(start, jpegSegment(0xe0, Buffer.concat([Buffer.from('JFXX\0'), noted])))],
  [
    'EXIF data that cannot be read',
    'jpeg',
    inserted(start, jpegSegment(0xe1, Buffer.concat([Buffer.from('Exif\0\0'), noted]))),
  ],
  ['a place in IPTC data', 'jpeg', inserted(start, jpegSegment(0xed, resources(dataSet(90, 'Husum'))))],
  ['what follows the end', 'jpeg', (bytes) => Buffer.concat([bytes, noted])],
  ['a program in a text', 'png', inserted(33, pngChunk('tEXt', Buffer.from('Software\0CamSoft Acme')))],
  ['a chunk of a maker', 'png', inserted(33, pngChunk('acMe', noted))],
  ['what follows the end', 'png', (bytes) => Buffer.concat([bytes, noted])],
  ['a chunk of a maker', 'webp', (bytes) => withChunks(bytes, riffChunk('ACME', noted))],
  ['what follows the end', 'webp', (bytes) => Buffer.concat([bytes, noted])],
  ['a box at the end', 'avif', (bytes) => Buffer.concat([bytes, boxed('mpvd', noted)])],
  ['what follows the end', 'avif', (bytes) => Buffer.concat([bytes, noted])],
  [
    'a comment',
    'gif',
    (bytes) => appended(bytes, Buffer.concat([Buffer.from([0x21, 0xfe, noted.length]), noted, Buffer.alloc(1)])),
  ],
])('cuts %s out of a file of the kind %s, and nothing else', async (_name, kind, change) => {
  const whole = await noise
    .clone()
    .toFormat(kind, { effort: 1 } as never)
    .toBuffer()
  const sent = change(whole)
  expect(told(sent)).not.toEqual([])
  expect(Buffer.compare((await stored(kind, sent)).bytes, whole)).toBe(0)
})

test.each<readonly [Kind | 'gif', Change]>([
  ['jpeg', inserted(start, jpegSegment(0xfe, Buffer.from('CREATOR: gd-jpeg v1.0, quality = 20\n')))],
  ['png', inserted(33, pngChunk('tEXt', Buffer.from('Comment\0Scanned by the archive')))],
  ['gif', (bytes) => appended(bytes, Buffer.from('\x21\xfe\x04Pier\0', 'latin1'))],
])('a comment without a place in a file of the kind %s stays', async (kind, change) => {
  const sent = change(
    await noise
      .clone()
      .toFormat(kind, { effort: 1 } as never)
      .toBuffer(),
  )
  expect(Buffer.compare((await stored(kind, sent)).bytes, sent)).toBe(0)
})

test('words in IPTC data and in texts of PNG files stay', async () => {
  const jpeg = inserted(
    start,
    jpegSegment(0xed, resources(Buffer.concat([dataSet(116, words.copyright), dataSet(120, words.caption)]))),
  )(await plain('jpeg').toBuffer())
  const first = await stored('jpeg', jpeg)
  expect(Buffer.compare(first.bytes, jpeg)).toBe(0)
  expect([first.body.caption.raw, first.body.media_details.image_meta.copyright]).toEqual([
    ...[words.caption, words.copyright],
  ])
  const packed = deflateSync(Buffer.from(words.caption))
  const png = inserted(
    33,
    pngChunk('tEXt', Buffer.from(`Copyright\0${words.copyright}`)),
    pngChunk('zTXt', Buffer.concat([Buffer.from('Description\0\0'), packed])),
  )(await plain('png').toBuffer())
  const second = await stored('png', png)
  expect(Buffer.compare(second.bytes, png)).toBe(0)
  expect([second.body.caption.raw, second.body.media_details.image_meta.copyright]).toEqual([
    ...[words.caption, words.copyright],
  ])
})

test('a file without the mark of its end keeps its pixels', async () => {
  const whole = await plain('jpeg').resize(40, 40).withExif(exif).toBuffer()
  const sent = whole.subarray(0, -2)
  const { bytes } = await stored('jpeg', sent)
  expect(told(bytes)).toEqual([])
  const decoded = (file: Uint8Array) => sharp(file, { failOn: 'none' }).raw().toBuffer()
  expect(Buffer.compare(await decoded(bytes), await decoded(sent))).toBe(0)
})

test('a turned picture is shown by a copy, and the upload beside it keeps its pixels and its turn', async () => {
  const sent = await plain('jpeg').withExif(exif).withMetadata({ exif, orientation: 6 }).toBuffer()
  const { body, bytes } = await stored('jpeg', sent)
  expect(body.source_url).toMatch(/-rotated\.jpg$|-rotated\.jpeg$/)
  expect([body.media_details.width, body.media_details.height]).toEqual([height, width])
  expect((await sharp(bytes).metadata()).orientation).toBe(6)
  expect(Buffer.compare(await pixels(bytes), await pixels(sent))).toBe(0)
  const shown = await read(body.source_url)
  expect([(await sharp(shown).metadata()).orientation ?? 1, told(shown), told(bytes)]).toEqual([1, [], []])
  expect(text(shown)).toContain(words.copyright)
})

test('a large picture is shown by a smaller copy, and the upload comes back byte for byte', async () => {
  const large = sharp({ create: { width: 3000, height: 100, channels: 3, background: '#2f6b4f' } })
  const sent = await large.jpeg().toBuffer()
  const { body, bytes } = await stored('jpeg', sent)
  expect(body.source_url).toContain('-scaled')
  expect(body.media_details.width).toBe(2560)
  expect(Buffer.compare(bytes, sent)).toBe(0)
})

describe('a photo of a telephone', () => {
  test('is kept as long as it was; its place and device are overwritten', async () => {
    const sent = heic({
      width: 64,
      height: 48,
      exif: tiffOf({ make: 'Acme', copyright: words.copyright }),
      packet: xmp,
    })
    expect(told(sent)).not.toEqual([])
    const { body, bytes } = await stored('heic', sent)
    expect([body.mime_type, body.media_details.width, body.media_details.height]).toEqual(['image/heic', 64, 48])
    expect([bytes.length, told(bytes)]).toEqual([sent.length, []])
    // The data of the picture are the last bytes.
    expect(Buffer.compare(bytes.subarray(-64), sent.subarray(-64))).toBe(0)
    expect(body.media_details.image_meta.copyright).toBe(words.copyright)
    expect(text(bytes)).toContain(words.copyright)
  })

  test('whose boxes cannot be read is refused with a code', async () => {
    const sent = heic({ width: 64, height: 48, exif: tiffOf({ make: 'Acme', copyright: 'x' }), packet: xmp })
    for (let length = 40; length < sent.length; length += 97) {
      const { status, body } = await send('heic', sent.subarray(0, length))
      expect([status, body.code]).toEqual([400, 'rest_upload_image_unreadable'])
    }
  })
})

test('metadata that are made to be large or slow are dropped', async () => {
  const png = await plain('png').toBuffer()
  const jpeg = await plain('jpeg').toBuffer()
  const bomb = pngChunk(
    'zTXt',
    Buffer.concat([Buffer.from('Description\0\0'), deflateSync(Buffer.alloc(32 * 1024 * 1024, 65))]),
  )
  const deep = packet('', `<dc:rights>${'<rdf:li>'.repeat(5000)}${'</rdf:li>'.repeat(5000)}</dc:rights>`)
  const declared = `<!DOCTYPE x [<!ENTITY a "aaaa">]>${packet('')}`
  const itxt = (content: string) => pngChunk('iTXt', Buffer.from(`XML:com.adobe.xmp\0\0\0\0\0${content}`))
  const grown = tiffOf({ make: 'Acme', copyright: 'c'.repeat(60_000), repeats: 500 })
  const sent: readonly (readonly [Kind, Buffer, Buffer])[] = [
    ['png', png, inserted(33, bomb)(png)],
    ['png', png, inserted(33, itxt(deep))(png)],
    ['png', png, inserted(33, itxt(declared))(png)],
    ['png', png, inserted(33, itxt(`<a ${' '.repeat(200_000)}<`))(png)],
  ]
  for (const [kind, whole, bytes] of sent) {
    expect(Buffer.compare((await stored(kind, bytes)).bytes, whole)).toBe(0)
  }
  const { bytes } = await stored('png', inserted(33, pngChunk('eXIf', grown))(png))
  expect(bytes.length).toBeLessThan(png.length + grown.length)
  const segments = Array.from({ length: 12_000 }, () => jpegSegment(0xfe, noted))
  expect(told((await stored('jpeg', inserted(start, ...segments)(jpeg))).bytes)).toEqual([])
})
