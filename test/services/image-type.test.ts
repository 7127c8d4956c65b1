import { expect, test } from 'vitest'
import { detectImage } from '../../src/services/image-type.ts'

const ascii = (text: string) => [...new TextEncoder().encode(text)]
const zeros = (count: number): number[] => Array(count).fill(0)
const png = [0x89, ...ascii('PNG\r\n\x1a\n'), 0, 0, 0, 13, ...ascii('IHDR'), 0, 0, 1, 0, 0, 0, 0, 9, 8, 6]
const webp = (kind: string, rest: readonly number[]) => [
  ...ascii('RIFF'),
  ...zeros(4),
  ...ascii(`WEBP${kind}`),
  ...rest,
]

test.each<[string, readonly number[], number | undefined, number | undefined]>([
  ['png', png, 256, 9],
  ['gif', [...ascii('GIF87a'), 3, 0, 2, 0], 3, 2],
  ['gif', [...ascii('GIF89a'), 0, 1, 2, 0], 256, 2],
  // A comment, a marker with fill bytes and a table come before the frame.
  [
    'jpeg',
    [
      ...[0xff, 0xd8, 0xff, 0xfe, 0, 4, 65, 66, 0xff, 0xff, 0xc4, 0, 3, 0],
      ...[0xff, 0xc2, 0, 17, 8, 0, 7, 1, 0, 3, ...zeros(9)],
    ],
    256,
    7,
  ],
  ['webp', webp('VP8 ', [...zeros(4), ...zeros(3), 0x9d, 1, 0x2a, 4, 0x40, 5, 0xc0]), 4, 5],
  ['webp', webp('VP8L', [...zeros(4), 0x2f, 0x63, 0xc0, 0x18, 0]), 100, 100],
  ['webp', webp('VP8X', [...zeros(4), ...zeros(4), 99, 0, 0, 49, 0, 0]), 100, 50],
  [
    'avif',
    [...zeros(3), 28, ...ascii('ftypavif'), ...zeros(20), ...ascii('ispe'), ...zeros(4), 0, 0, 0, 8, 0, 0, 0, 6],
    8,
    6,
  ],
  ['bmp', [...ascii('BM'), ...zeros(16), 5, 0, 0, 0, 0xfa, 0xff, 0xff, 0xff, 0], 5, 6],
])('detects %s from its bytes, with its size', (name, bytes, width, height) => {
  const found = detectImage(Uint8Array.from(bytes))
  expect([found?.type, found?.size]).toEqual([`image/${name}`, { width, height }])
})

test('returns no size for a truncated image', () => {
  for (const bytes of [
    png.slice(0, 12),
    ascii('GIF89a'),
    [0xff, 0xd8, 0xff, 0xe0],
    webp('VP8X', []),
    webp('XXXX', zeros(20)),
  ]) {
    const found = detectImage(Uint8Array.from(bytes))
    expect([found?.type.slice(0, 6), found?.size]).toEqual(['image/', undefined])
  }
})

test.each([
  ['nothing', ''],
  ['a page', '<!doctype html><script>'],
  ['a drawing', '<svg xmlns="http://www.w3.org/2000/svg"></svg>'],
  ['a drawing behind a declaration', '<?xml version="1.0"?><svg/>'],
  ['a document', '%PDF-1.7'],
  ['an archive', 'PK\x03\x04'],
  ['a sound in the same box', 'RIFF\0\0\0\0WAVEfmt '],
  ['a film in the same box', '\0\0\0\x1cftypmp42'],
])('detects no image in %s', (_, text) => {
  expect(detectImage(Uint8Array.from(text, (sign) => sign.charCodeAt(0)))).toBeUndefined()
})

test('reads bytes at an offset of a larger buffer', () => {
  const around = Uint8Array.from([1, 2, 3, ...png, 4, 5])
  expect(detectImage(around.subarray(3, 3 + png.length))?.size).toEqual({ width: 256, height: 9 })
})
