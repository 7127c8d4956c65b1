/** Serialized meta of an export becomes JSON. */
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Json } from '../../../src/contract/storage.ts'
import { readMetaText } from '../../../src/management/import/serialized.ts'
import { createTestSite, type TestSite } from '../../support/site.ts'
import { author, exportFile, inPieces, item } from './export-file.ts'

let site: TestSite
beforeEach(async () => {
  site = await createTestSite()
})
afterEach(async () => {
  expect(site.failures).toEqual([])
  await site.dispose()
})

type Value = null | boolean | number | string | Value[] | { [key: string]: Value }

/** Lists are maps with numbers as keys. */
function serialized(value: Value): string {
  if (value === null) return 'N;'
  if (typeof value === 'boolean') return `b:${value ? 1 : 0};`
  if (typeof value === 'number') return Number.isSafeInteger(value) ? `i:${value};` : `d:${value};`
  if (typeof value === 'string') return `s:${Buffer.byteLength(value)}:"${value}";`
  const entries: [number | string, Value][] = Array.isArray(value) ? [...value.entries()] : Object.entries(value)
  return `a:${entries.length}:{${entries.map(([key, each]) => serialized(key) + serialized(each)).join('')}}`
}

/** The meta of one post, and the problems, after an import of these values. */
async function imported(meta: readonly (readonly [key: string, value: string])[]) {
  const file = exportFile(author('ann', 'ann@old.example', 'Ann'), item({ slug: 'it', meta }))
  const { problems } = await site.api.site.import(inPieces(file, 999))
  const { posts = [] } = await site.api.site.export()
  const stored: { readonly [key: string]: Json } = posts.find(({ slug, key }) => (slug ?? key) === 'it')?.meta ?? {}
  return { stored, problems: problems.map(({ kind, what }) => `${kind} ${what}`) }
}

test('values of any key become JSON, to the letter', async () => {
  const values = {
    colours: ['red', 'grün 🚢', ''],
    sizes: { wide: { w: 640, h: 480.5 }, none: [], 'a"b;}': 'line\r\nline\n', '7': 'seven' },
    many: Array.from({ length: 300 }, (_, index) => ({ index, isEven: index % 2 === 0 })),
    number: 12,
    flag: true,
    text: 'a text in quotes',
    nested: serialized({ inner: 'once more' }),
  }
  const { stored, problems } = await imported(Object.entries(values).map(([key, value]) => [key, serialized(value)]))
  expect(stored).toMatchObject(values)
  expect(problems).toEqual([])
})

test('texts that only look similar stay as they are', async () => {
  const texts = {
    a: 'a: one thing; b: another}',
    note: 'i:hello;',
    label: 's:short;',
    time: 'd:day;',
    json: '[{"a":1}]',
    brace: 'a:b:{c}',
    open: 'O: yes',
    number: '12',
  }
  const { stored, problems } = await imported(Object.entries(texts))
  expect(stored).toMatchObject(texts)
  expect(problems).toEqual([])
})

test('objects are never made: what holds one stays a text and is reported, as what does not parse', async () => {
  const texts = {
    object: 'O:8:"stdClass":1:{s:1:"a";i:1;}',
    inside: 'a:1:{s:1:"x";O:4:"Evil":1:{s:4:"file";s:11:"/etc/passwd";}}',
    custom: 'C:11:"ArrayObject":21:{x:i:0;a:0:{};m:a:0:{}}',
    reference: 'a:2:{i:0;s:1:"a";i:1;R:2;}',
    short: 'a:2:{i:0;s:1:"a";}',
    lengths: 'a:1:{s:3:"url";s:5:"https://new.example";}',
    endless: 'a:999999999:{i:0;i:1;}',
    negative: 'a:-1:{}',
    infinite: 'a:1:{i:0;d:INF;}',
    deep: `${'a:1:{i:0;'.repeat(5_000)}i:1;${'}'.repeat(5_000)}`,
    long: serialized('x'.repeat(17 * 1024 * 1024)),
  }
  const { stored, problems } = await imported(Object.entries(texts))
  const { negative: _, ...kept } = texts
  expect(stored).toMatchObject(texts)
  expect(problems).toEqual(Object.keys(kept).map((key) => `meta-kept ${key}`))
})

test('keys and values that mean something to JavaScript are plain members', async () => {
  const value = 'a:2:{s:9:"__proto__";a:1:{s:1:"x";i:1;}s:11:"constructor";s:1:"c";}'
  const { stored } = await imported([['odd', value]])
  expect(JSON.stringify(stored['odd'])).toBe('{"__proto__":{"x":1},"constructor":"c"}')
  expect(Object.hasOwn(Object.prototype, 'x')).toBe(false)
})

test('settings and elements of the builder are read, and left out where they do not parse', async () => {
  const elements = [{ id: 'a1', elType: 'container', settings: { title: 'é' }, elements: [] }]
  const { stored, problems } = await imported([
    ['_elementor_data', serialized(elements)],
    ['_elementor_page_settings', serialized({ hide_title: 'yes', padding: { top: '10', isLinked: false } })],
    ['_elementor_controls', 'a:1:{s:1:"x";O:1:"X":0:{}}'],
  ])
  expect(stored).toMatchObject({
    _builder_data: elements,
    _builder_page_settings: { hide_title: 'yes', padding: { top: '10', isLinked: false } },
  })
  expect(Object.keys(stored)).not.toContain('_builder_controls')
  expect(problems).toEqual(['meta-unreadable _elementor_controls'])
})

const elementsText = JSON.stringify([{ id: 'a1', elType: 'container', settings: { title: 'A "b" é' }, elements: [] }])

test.each([
  ['as they are', elementsText, true],
  ['with references', elementsText.replaceAll('"', '&quot;'), true],
  ['with slashes', elementsText.replace(/["\\]/g, '\\$&'), true],
  ['cut off', elementsText.slice(0, -9), false],
  ['as words', 'Some words', false],
  ['as one object', '{"id":"1"}', false],
])('elements %s are read, or left out with a report', async (_, written, isReadable) => {
  const { stored, problems } = await imported([['_elementor_data', written]])
  expect(stored['_builder_data']).toEqual(isReadable ? elementsText : undefined)
  expect(problems).toEqual(isReadable ? [] : ['meta-unreadable _elementor_data'])
})

test('details of files are read with their sizes, and reported where they do not parse', async () => {
  const details = {
    ...{ width: 640, height: 480, file: '2023/pic.jpg', filesize: 9_000 },
    sizes: { thumbnail: { file: 'pic-150x150.jpg', width: 150, height: 150, 'mime-type': 'image/jpeg' } },
    image_meta: { aperture: '0', keywords: [] },
  }
  const medium = (id: number, text: string) =>
    item({
      ...{ id, type: 'attachment', slug: `pic-${id}`, status: 'inherit' },
      more: `<wp:attachment_url>https://old.example/up/pic-${id}.jpg</wp:attachment_url>`,
      meta: [['_wp_attachment_metadata', text]],
    })
  const { problems } = await site.api.site.import(
    inPieces(
      exportFile(medium(1, serialized(details)), medium(2, serialized(details).slice(0, -2)), medium(3, 'a:0:{}')),
    ),
  )
  const { media = [] } = await site.api.site.export()
  const of = (slug: string) => media.find((each) => (each.slug ?? each.key) === slug)
  expect(of('pic-1')?.meta).toMatchObject({
    _attachment_metadata: { file: '2023/pic.jpg', width: 640, height: 480 },
    _import_file: {
      filesize: 9_000,
      sizes: { thumbnail: { file: 'pic-150x150.jpg', width: 150, height: 150, mime_type: 'image/jpeg' } },
    },
  })
  expect(Object.keys(of('pic-2')?.meta ?? {})).not.toContain('_attachment_metadata')
  const unreadable = problems.filter(({ kind }) => kind === 'meta-unreadable')
  expect(unreadable).toMatchObject([{ what: '_wp_attachment_metadata', count: 1 }])
})

const values: fc.Arbitrary<Value> = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    fc.constant(null),
    fc.boolean(),
    fc.maxSafeInteger(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => (Number.isInteger(number) ? 0.5 : number)),
    fc.string({ unit: 'grapheme' }),
    fc.array(tie('value') as fc.Arbitrary<Value>, { maxLength: 6 }),
    fc.dictionary(fc.string({ minLength: 1 }), tie('value') as fc.Arbitrary<Value>, { minKeys: 1, maxKeys: 6 }),
  ),
})).value

/** A map with the keys 0, 1, 2 is a list. */
const isList = (value: object) => Object.keys(value).every((key, index) => key === String(index))
const asRead = (value: Value): Value => {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(asRead)
  if (isList(value)) return Object.values(value).map(asRead)
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, asRead(each)]))
}

test('each value is read as it was written, and each cut of it is no value of another kind', () => {
  fc.assert(
    fc.property(values, fc.nat(), (value, at) => {
      const text = serialized(value)
      expect(readMetaText(text)).toEqual({ value: asRead(value) })
      const cut = text.slice(0, at % text.length)
      const read = readMetaText(cut)
      expect('value' in read ? read.value : cut).toBe(cut)
    }),
  )
})

test('integers that a number can not hold keep their digits', () => {
  expect(readMetaText('a:1:{s:2:"id";i:9223372036854775807;}')).toEqual({ value: { id: '9223372036854775807' } })
})
