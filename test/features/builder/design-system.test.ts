import { expect, test } from 'vitest'
import { baseUrl } from '../../support/site.ts'
import { aClass, adding, asJson, openSite, variant } from './global-classes/fixture.ts'

const path = '/builder/v1/design-system-sync/stylesheet'
const file = 'builder/css/design-system-sync.css'

const shared = { sync_to_v3: true }
const size = (value: number, unit = 'px') => ({ $$type: 'size', value: { size: value, unit } })
const text = (value: string) => ({ $$type: 'string', value })
const encoded = (raw: string) => ({ raw: Buffer.from(raw).toString('base64') })

type Site = Awaited<ReturnType<typeof openSite>>

async function addVariable({ ada }: Site, label: string, value: string, more: object = shared) {
  const variable = { id: label, type: 'global-color-variable', label, value, ...more }
  const { watermark } = (await ada('GET', '/builder/v1/variables/list')).body.data
  const body = { watermark, operations: [{ type: 'create', variable }] }
  const response = await ada('POST', '/builder/v1/variables/batch', { body })
  expect(response.status).toBe(200)
  return response.body.data.results[0].id as string
}

test('writes no sheet when nothing is shared', async () => {
  const site = await openSite()
  const response = await site.ada('POST', path)
  expect([response.status, response.body, site.files.size]).toEqual([204, undefined, 0])
  await addVariable(site, 'sea', '#2F6B4F', {})
  await site.put(adding(aClass('g-1')))
  expect((await site.ada('POST', path)).status).toBe(204)
})

test('shared colors and typography become custom properties for each breakpoint', async () => {
  const site = await openSite()
  const { ada, put, files, clock } = site
  await addVariable(site, 'sea', '#2F6B4F')
  await addVariable(site, 'foam', 'rgba(1, 2, 3, .5)')
  const id = await addVariable(site, 'inner', '12px', { ...shared, type: 'global-size-variable' })
  const large = {
    'font-size': size(20),
    'font-family': text('"Open Sans", serif'),
    'letter-spacing': { $$type: 'global-size-variable', value: id },
    color: { $$type: 'color', value: 'red' },
  }
  const variants = [
    variant({ 'font-size': size(1.5, 'rem') }, { breakpoint: 'mobile' }),
    variant(large),
    variant({ 'font-size': size(99) }, { state: 'hover' }),
  ]
  await put(adding(aClass('g-1', 'title', { ...shared, variants }), aClass('g-2', 'plain')))
  const { status, body } = await ada('POST', path)
  expect([status, body]).toEqual([201, { url: `${baseUrl}/uploads/${file}`, version: Math.floor(clock.now / 1000) }])
  expect(files.get(file)).toBe(
    [
      ':root{--e-global-color-sea:#2F6B4F;--e-global-color-foam:rgba(1,2,3,.5)}',
      ':root{--e-global-typography-title-font-size:20px;',
      '--e-global-typography-title-font-family:"Open Sans",serif;',
      '--e-global-typography-title-letter-spacing:12px}',
      '@media(max-width:767px){:root{--e-global-typography-title-font-size:1.5rem}}',
    ].join(''),
  )
  expect((await ada('POST', path)).body).toEqual(body)
})

test('who may', async () => {
  const site = await openSite()
  await addVariable(site, 'sea', '#2F6B4F')
  const expected: [string | null, number][] = [
    [null, 401],
    ['sam', 403],
    ['connie', 201],
    ['arthur', 201],
    ['edith', 201],
    ['ada', 201],
  ]
  for (const [login, status] of expected) {
    expect([login, (await site.as(login)('POST', path)).status]).toEqual([login, status])
  }
})

test('responds with 500 and only a message when the sheet cannot be written', async () => {
  const media = {
    write: async () => {
      throw new Error('the disk is full')
    },
    read: async () => undefined,
    remove: async () => undefined,
    addressOf: (path: string) => `/uploads/${path}`,
  }
  const site = await openSite({ services: { media } })
  await addVariable(site, 'sea', '#2F6B4F')
  const { status, body } = await site.ada('POST', path)
  expect([status, body]).toEqual([500, { message: 'The style sheet could not be written.' }])
  expect(site.failures.splice(0)).toHaveLength(1)
})

// Values from a seed bypass the checks of the routes, so the style sheet must sanitize them as well.
const hostile = [
  'red;}body{display:none}',
  'red}',
  '</style><script>alert(1)</script>',
  '"</style>"',
  '@import "//evil.example/x.css"',
  'url(javascript:alert(1))',
  'url("data:text/html,x")',
  'expression(alert(1))',
  'red\\3b x',
  '/* red',
  'x'.repeat(10_000),
  'var(--a;}b{)',
  'var(--a, url(javascript:alert(1)))',
  '--x:1',
]

test.each(hostile.map((value) => [value.slice(0, 40), value]))('%j never reaches the style sheet', async (_, value) => {
  const site = await openSite()
  const { api, ada, files } = site
  const stored = { type: 'global-color-variable', label: 'sea', order: 1, changedAt: 1, syncToV3: true }
  const list = [
    { id: 'e-gv-1', ...stored, value },
    { id: 'e-gv-2', ...stored, label: 'fine', value: 'teal' },
  ]
  const props = {
    'font-family': text(value),
    'font-size': { $$type: 'size', value: { size: value, unit: 'custom' } },
    'line-height': { $$type: 'size', value: { size: 1, unit: value } },
    'letter-spacing': { $$type: 'global-size-variable', value: 'e-gv-1' },
    [value]: text('1px'),
    'font-weight': text('700'),
  }
  const custom = { ...variant(props), custom_css: encoded(`font-style: ${value}; word-spacing: 2px`) }
  const titleClass = aClass('g-1', 'title', { ...shared, variants: [custom] })
  const evil = aClass('g-2', 'x}body{', { ...shared, variants: [variant({ 'font-weight': text('1') })] })
  await api.site.options.write({
    builder_kit_variables: { watermark: 1, list },
    builder_kit_global_classes: asJson({
      live: { items: { 'g-1': titleClass, 'g-2': evil }, order: [] },
      preview: null,
    }),
  })
  expect((await ada('POST', path)).status).toBe(201)
  const sheet = files.get(file) ?? ''
  const fine = [
    ':root{--e-global-color-fine:teal}:root{--e-global-typography-title-font-weight:700',
    ';--e-global-typography-title-word-spacing:2px',
  ]
  expect([`${fine[0]}}`, `${fine.join('')}}`]).toContain(sheet)
})
