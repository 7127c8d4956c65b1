import { afterEach, beforeEach, expect, test } from 'vitest'
import { wordpress } from '../../../src/names/wordpress.ts'
import { d2 } from '../../../src/profiles/d2.ts'
import { createTestSite, type TestSite } from '../../support/site.ts'

const path = '/imgopt/v1/preset_configs'
let site: TestSite
beforeEach(async () => {
  site = await createTestSite({ profile: d2 })
})
afterEach(() => site.dispose())

test.each([
  [null, 401],
  ['sam', 403],
  ['connie', 403],
  ['arthur', 403],
  ['edith', 403],
  ['ada', 200],
])('%s reads and replaces the list: %d', async (login, status) => {
  const by = site.as(login)
  expect((await by('GET', path)).status).toBe(status)
  expect((await by('POST', path, { body: [] })).status).toBe(status)
})

test('a new site has the built-in preset with its summary', async () => {
  const { body } = await site.as('ada')('GET', path)
  expect(body).toHaveLength(1)
  expect(body[0]).toMatchObject({
    id: 1,
    default: true,
    config: { configs: { settings: { lossy: 1, webp: true, cdn: false } } },
  })
  expect(Object.keys(body[0].config.strings)).toEqual([
    ...['compression_level', 'lazy_load', 'bulk_imgopt', 'image_format_type', 'cdn', 'integrations', 'settings'],
  ])
  expect(body[0].config.strings.bulk_imgopt).toEqual([
    expect.stringContaining('Metadata - Active\nImage resizing - Inactive'),
  ])
})

test('a write replaces the whole list and cleans it', async () => {
  const ada = site.as('ada')
  const input = [
    { id: 1, name: 'changed', default: true, config: {} },
    {
      id: '1700000000000',
      name: '<b>Photos</b>',
      description: 'x',
      note: 'For <i>prints</i>',
      unknown: 1,
      config: {
        configs: {
          settings: { lossy: 7, auto: 0, webp_mod: 'yes', stranger: true },
          resize_sizes: { width: '800', height: -1 },
          image_sizes: ['thumbnail', 5],
          lazy_load: { format: { jpeg: true, png: '0' }, noscript: false },
        },
        strings: { cdn: ['forged'] },
      },
    },
    { name: '', id: 'abc' },
  ]
  const { status, body } = await ada('POST', path, { body: input })
  expect(status).toBe(200)
  expect(body).toHaveLength(3)
  expect(body[1]).toMatchObject({ id: 1700000000000, name: 'Photos', description: 'For prints' })
  expect(body[1]).not.toHaveProperty('unknown')
  expect(body[1].config.configs).toEqual({
    settings: { auto: false, lossy: 1, webp_mod: true },
    resize_sizes: { width: 800, height: 0 },
    image_sizes: ['thumbnail'],
    lazy_load: { format: { jpeg: true, png: '0' }, noscript: false },
  })
  expect(body[1].config.strings.image_format_type).toEqual(['WebP - Active\nAVIF - Inactive'])
  expect(body[2]).toMatchObject({ id: false, name: 'Undefined' })
  const read = (await ada('GET', path)).body
  expect(read[0].name).not.toBe('changed')
  expect(read.slice(1)).toEqual(body.slice(1))
})

test('a list without the built-in preset removes it for good', async () => {
  const ada = site.as('ada')
  await ada('POST', path, { body: [] })
  expect((await ada('GET', path)).body).toEqual([])
})

test.each([
  '"text"',
  '5',
  'null',
  '',
  '{"title":"Small","settings":{"auto":1}}',
  '{"name":"Small","config":{}}',
  '[{"name":"Small"},"Large"]',
  '[[{"name":"Small"}]]',
  '[{"settings":{"auto":1}}]',
  '[null]',
])('refuses the body %s, and leaves the list as it is', async (body) => {
  const ada = site.as('ada')
  const before = (await ada('POST', path, { body: [{ id: 7, name: 'Mine' }] })).body
  const response = await ada('POST', path, { body, headers: { 'content-type': 'application/json' } })
  expect(response).toMatchObject({ status: 400, body: { code: '400', data: { status: 400 } } })
  expect((await ada('GET', path)).body).toEqual(before)
})

test('an object with numbers as keys is a list', async () => {
  const { body } = await site.as('ada')('POST', path, { body: { 0: { name: 'Mine' }, 1: { name: 'Prints' } } })
  expect(body.map(({ name }: { name: string }) => name)).toEqual(['Mine', 'Prints'])
})

test('with public names settings and sections are renamed in requests and responses', async () => {
  await site.dispose()
  site = await createTestSite({ profile: d2, names: wordpress })
  const input = [
    { id: 2, name: 'Mine', config: { configs: { settings: { gutenberg: true, block_editor: true, cdn: true } } } },
  ]
  const { body } = await site.as('ada')('POST', '/wp-smush/v1/preset_configs', { body: input })
  expect(body[0].config.configs.settings).toEqual({ cdn: true, gutenberg: true })
  expect(Object.keys(body[0].config.strings)).toEqual(expect.arrayContaining(['bulk_smush']))
  expect((await site.as('ada')('GET', '/wp-smush/v1/preset_configs')).body).toEqual(body)
  expect(JSON.stringify(body)).not.toMatch(/block_editor|imgopt/)
  const ignored = [{ ...input[0], config: { configs: { settings: { block_editor: true } } } }]
  const { body: neutral } = await site.as('ada')('POST', '/wp-smush/v1/preset_configs', { body: ignored })
  expect(neutral[0].config.configs.settings).toEqual({})
})
