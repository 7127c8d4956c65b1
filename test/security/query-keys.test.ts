/** Argument names that could reach a prototype, and which values of `force` delete permanently. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestSite, type TestSite } from '../support/site.ts'

let site: TestSite

beforeAll(async () => {
  site = await createTestSite()
})
afterEach(() => {
  expect(site.failures).toEqual([])
})
afterAll(() => site.dispose())

describe('reserved names', () => {
  const prototypes = [
    Object.prototype,
    Array.prototype,
    Function.prototype,
    String.prototype,
    Map.prototype,
    Error.prototype,
  ]
  const snapshot = () =>
    prototypes.map((one) => Reflect.ownKeys(one).map((key) => [key, Object.getOwnPropertyDescriptor(one, key)?.value]))
  let before: unknown

  beforeEach(() => {
    before = snapshot()
  })
  afterEach(() => {
    expect(snapshot()).toEqual(before)
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  })

  const names = [
    '__proto__',
    'constructor',
    'prototype',
    '__defineGetter__',
    'hasOwnProperty',
    'toString',
    'valueOf',
    'toJSON',
    'then',
    'isApiError',
    'length',
  ]
  const status = (response: { readonly status: number }) => response.status

  test.each(names)('%s in the query, at every depth', async (name) => {
    for (const query of [
      `${name}=polluted`,
      `${name}[polluted]=1`,
      `${name}[prototype][polluted]=1`,
      `categories[${name}]=1`,
      `categories[${name}][polluted]=1`,
      `categories[terms][${name}]=1`,
      `include[${name}]=1`,
      `unknown[${name}][polluted]=1`,
      `constructor[prototype][polluted]=1`,
      `${encodeURIComponent(name).replaceAll('_', '%5F')}[polluted]=1`,
      `_fields=${name}`,
      `_fields=_links.${name},${name}.${name}`,
      `_embed=${name}`,
      `_fields[${name}]=id`,
      `orderby=${name}`,
      `status=${name}`,
      `search_columns=${name}`,
    ]) {
      for (const login of [null, 'ada']) {
        expect([200, 400]).toContain(status(await site.as(login)('GET', '/cms/v2/posts', { query })))
      }
    }
  })

  test.each(names)('%s in a JSON body, at every depth', async (name) => {
    const evil = (value: string) => `{"title":"x","${name}":${value}}`
    const bodies = [
      evil('{"polluted":true,"sticky":true,"status":"publish"}'),
      evil('{"prototype":{"polluted":true}}'),
      `{"title":{"raw":"x","${name}":{"raw":"polluted"}}}`,
      `{"title":"x","meta":{"${name}":{"polluted":true}}}`,
      `{"title":"x","meta":{"_builder_page_settings":{"${name}":{"polluted":true}}}}`,
      `{"title":"x","meta":{"_builder_page_settings":{"deep":[{"${name}":{"polluted":true}}]}}}`,
      `{"title":"x","categories":{"${name}":1}}`,
    ]
    for (const body of bodies) {
      const headers = { 'content-type': 'application/json' }
      const response = await site.as('arthur')('POST', '/cms/v2/posts', { body, headers })
      expect([201, 400]).toContain(response.status)
      // The body adds nothing to a prototype.
      if (response.status === 201)
        expect(response.body).toMatchObject({ status: 'draft', sticky: false, title: { raw: 'x' } })
      const batched = await site.as('arthur')('POST', '/batch/v1', {
        body: `{"requests":[{"path":"/cms/v2/posts","body":${body}}]}`,
        headers,
      })
      expect([207, 400]).toContain(batched.status)
    }
    const batch = `{"requests":[{"path":"/cms/v2/posts","headers":{"${name}":"x"},"${name}":{"path":"/cms/v2/posts"},"body":{"title":"x"}}]}`
    const response = await site.as('arthur')('POST', '/batch/v1', {
      body: batch,
      headers: { 'content-type': 'application/json' },
    })
    expect([207, 400]).toContain(response.status)
  })

  test.each(names)('%s in a form body and inside the process', async (name) => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    for (const body of [
      `title=x&${name}[polluted]=1`,
      `title=x&${name}=polluted`,
      `title[raw]=x&title[${name}][polluted]=1`,
      `title=x&meta[${name}][polluted]=1`,
      `title=x&meta[_builder_page_settings][${name}]=1`,
      `requests[0][path]=/cms/v2/posts&requests[0][body][${name}][polluted]=1`,
    ]) {
      const path = body.startsWith('requests') ? '/batch/v1' : '/cms/v2/posts'
      expect([201, 207, 400]).toContain(status(await site.as('arthur')('POST', path, { body, headers })))
    }
    const args = JSON.parse(`{"title":"x","${name}":{"status":"publish"},"meta":{"${name}":1}}`)
    const created = await site.api
      .call<{ status: string }>('POST', '/cms/v2/posts', args, { as: 'system' })
      .catch((error) => error)
    expect([201, 400]).toContain(created.status)
    if (created.status === 201) expect(created.data.status).toBe('draft')
  })

  test.each(names)('%s as a stored name', async (name) => {
    const ada = site.as('ada')
    for (const [method, path, body] of [
      ['POST', `/builder/v1/globals/colors/${name}`, { title: name, value: '#fff' }],
      ['GET', `/builder/v1/globals/colors/${name}`, undefined],
      ['GET', '/builder/v1/globals', undefined],
      ['POST', '/builder/v1/favorites/widgets', { favorite: name }],
      ['POST', `/builder/v1/favorites/${name}`, { favorite: 'heading' }],
      ['POST', '/builder/v1/variables/create', { type: 'global-color-variable', label: name, value: '#fff' }],
      ['POST', '/builder/v1/variables/delete', { id: name }],
      ['GET', '/builder/v1/variables/list', undefined],
    ] as const) {
      const response = await ada(method, path, body ? { body } : {})
      expect({ path, failed: response.status >= 500 }).toEqual({ path, failed: false })
    }
    const batch = {
      watermark: 9,
      operations: [{ type: name }, { type: 'delete', id: name }, { type: 'create', variable: { id: name } }],
    }
    expect(status(await ada('POST', '/builder/v1/variables/batch', { body: batch }))).toBeLessThan(500)
  })

  test('a stored name is returned as an own member', async () => {
    const settings = { constructor: { polluted: 1 }, toString: 'x', hide_title: 'yes' }
    const { body } = await site.as('ada')('POST', '/cms/v2/posts', {
      body: { title: 'x', meta: { _builder_page_settings: settings } },
    })
    expect(body.meta._builder_page_settings).toEqual(settings)
    const again = await site.as('ada')('GET', `/cms/v2/posts/${body.id}`, { query: 'context=edit' })
    expect(again.body.meta._builder_page_settings).toEqual(settings)
  })
})

describe('values of force that delete permanently', () => {
  let id: number
  beforeEach(async () => {
    id = (await site.as('ada')('POST', '/cms/v2/posts', { body: { title: 'To stay', status: 'publish' } })).body.id
  })

  const remove = (sent: { query?: string; body?: unknown; headers?: { [name: string]: string } }) =>
    site.as('ada')('DELETE', `/cms/v2/posts/${id}`, sent)
  const isThere = async () =>
    (await site.as('ada')('GET', `/cms/v2/posts/${id}`, { query: 'context=edit' })).status === 200
  const json = { 'content-type': 'application/json' }
  const form = { 'content-type': 'application/x-www-form-urlencoded' }

  test.each([
    'force=false',
    'force=0',
    'force=no',
    'force[]=',
    'force=',
    'force',
    'force[]=true',
    'force[x]=1',
    'force=2',
    'force=-1',
    'force=on',
    'force=yes',
    'force=null',
    'force=%20true',
    'force=1.0',
    'force=01',
    'force=true&force=false',
    'force=true&force[]=',
    'Force=true',
    'force%00=true',
    'force=truе',
    '_force=1',
    'forced=true',
  ])('not %s in the query', async (query) => {
    await remove({ query })
    expect(await isThere()).toBe(true)
  })

  test.each([
    'false',
    '0',
    '"no"',
    '[]',
    '[true]',
    '{}',
    '""',
    'null',
    '2',
    '-1',
    '"false"',
    '"0"',
    '1.5',
    '"yes"',
    '{"force":true}',
    '[[1]]',
  ])('not %s in a JSON body', async (value) => {
    await remove({ body: `{"force":${value}}`, headers: json })
    expect(await isThere()).toBe(true)
  })

  test('not a query that the body overrides', async () => {
    await remove({ query: 'force=true', body: { force: false } })
    expect(await isThere()).toBe(true)
  })

  test.each(['force=false', 'force=', 'force[]=1'])('not %s in a form body', async (body) => {
    await remove({ body, headers: form })
    expect(await isThere()).toBe(true)
  })

  test.each<[string, object]>([
    ['force=true', { query: 'force=true' }],
    ['force=1', { query: 'force=1' }],
    ['true in a body', { body: { force: true } }],
    ['1 in a body', { body: { force: 1 } }],
    ['"true" in a body', { body: { force: 'true' } }],
  ])('but %s does', async (_, sent) => {
    expect(await remove(sent)).toMatchObject({ status: 200, body: { deleted: true } })
    expect(await isThere()).toBe(false)
  })
})
