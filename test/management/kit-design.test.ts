/** The parts of a design that a kit has in files beside its settings: global classes and variables. */
import { expect, test } from 'vitest'
import { readZip, writeZip } from '../../src/services/zip.ts'
import type { Parsed } from '../support/parsed.ts'
import { openEmptySite } from './empty-site.ts'

type Api = Awaited<ReturnType<typeof openEmptySite>>

const encoder = new TextEncoder()
const variant = (value: string) => ({
  meta: { breakpoint: 'desktop', state: null },
  props: { 'text-align': { $$type: 'string', value } },
  custom_css: null,
})
const classOf = (id: string, label: string, value = 'center') => ({
  ...{ id, type: 'class', label, variants: [variant(value)] },
})
const classes = { items: { 'g-tide': classOf('g-tide', 'tide') }, order: ['g-tide'] }
const sea = { type: 'global-color-variable', label: 'sea', value: '#003366', order: 1 }

const kitOf = (files: { readonly [name: string]: unknown }) =>
  writeZip(
    Object.entries({
      'manifest.json': { name: 'harbour', title: 'Harbour', version: '2.0', templates: {}, content: {} },
      'site-settings.json': { content: [], settings: { container_width: { size: 900, unit: 'px' } }, metadata: [] },
      ...files,
    }).map(([name, value]) => ({ name, bytes: encoder.encode(JSON.stringify(value)) })),
  )

async function* whole(bytes: Uint8Array) {
  yield bytes
}

/** The row of a kit names no author. */
const problemsOf = ({ problems }: Awaited<ReturnType<Api['site']['import']>>) =>
  problems.filter(({ kind }) => kind !== 'no-author').map(({ kind, what }) => [kind, what])

const call = async (api: Api, method: string, path: string, body = {}): Promise<Parsed> =>
  (await api.call<Parsed>(method, path, body, { as: 'system' })).data
const classesOf = async (api: Api) => (await call(api, 'GET', '/builder/v1/global-classes')).data
const variablesOf = async (api: Api) => (await call(api, 'GET', '/builder/v1/variables/list')).data.variables

test('an empty site takes the classes and variables of a kit, and writes them out again', async () => {
  const api = await openEmptySite()
  const kit = kitOf({ 'global-classes.json': classes, 'global-variables.json': { data: { 'e-gv-1234567': sea } } })
  expect(problemsOf(await api.site.import(whole(kit)))).toEqual([])
  expect(await classesOf(api)).toMatchObject({ 'g-tide': { label: 'tide', variants: [variant('center')] } })
  expect(await variablesOf(api)).toMatchObject({ 'e-gv-1234567': sea })

  const files = new Map(
    readZip(await api.site.kit.export(), { files: 50, fileBytes: 1e6, totalBytes: 1e6, ratio: 1000 }).map(
      ({ name, bytes }) => [name, JSON.parse(name.endsWith('.json') ? new TextDecoder().decode(bytes) : 'null')],
    ),
  )
  expect(files.get('global-classes.json')).toEqual(classes)
  expect(files.get('global-variables.json').data).toEqual({ 'e-gv-1234567': sea })
})

test('a site of its own design gets what it lacks, and with kit: true the values of the kit', async () => {
  const api = await openEmptySite()
  await api.site.import(
    whole(kitOf({ 'global-classes.json': classes, 'global-variables.json': { data: { one: sea } } })),
  )
  await call(api, 'POST', '/cms/v2/posts', { title: 'Tide table', status: 'publish' })
  const changed = kitOf({
    'global-classes.json': {
      items: { 'g-tide': classOf('g-tide', 'tide', 'right'), 'g-quay': classOf('g-quay', 'quay') },
      order: ['g-quay', 'g-tide'],
    },
    'global-variables.json': { data: { one: { ...sea, value: '#abcdef' }, two: { ...sea, label: 'sand' } } },
  })
  await api.site.import(whole(changed))
  expect(await classesOf(api)).toMatchObject({
    'g-tide': { variants: [variant('center')] },
    'g-quay': { label: 'quay' },
  })
  expect(await variablesOf(api)).toMatchObject({ one: { value: '#003366' }, two: { label: 'sand' } })

  await api.site.import(whole(changed), { kit: true })
  expect(await classesOf(api)).toMatchObject({ 'g-tide': { variants: [variant('right')] } })
  expect(await variablesOf(api)).toMatchObject({ one: { value: '#abcdef' } })
})

test('classes and variables that mean nothing are left out and reported', async () => {
  const api = await openEmptySite()
  const kit = kitOf({
    'global-classes.json': { items: { 'g-tide': { ...classes.items['g-tide'], variants: 'none' } }, order: 7 },
    'global-variables.json': { data: { one: { ...sea, value: 'red; } body { display: none' }, two: 'blue' } },
  })
  expect(problemsOf(await api.site.import(whole(kit)))).toEqual([
    ['invalid-setting', 'g-tide'],
    ['invalid-setting', 'one'],
    ['invalid-setting', 'two'],
  ])
  expect(await classesOf(api)).toEqual({})
})
