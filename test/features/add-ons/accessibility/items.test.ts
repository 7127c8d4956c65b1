import { expect, test } from 'vitest'
import type { Storage } from '../../../../src/contract/storage.ts'
import { about, base, home, openSite, refusalOf } from './fixture.ts'

const item = '/remediation/item'
const items = '/remediation/items'
const content = { type: 'ATTRIBUTE', category: 'AA', xpath: '/html/body/img', action: 'add', attribute_name: 'alt' }
const input = { url: home, remediation: content, rule: 'img_alt_missing', group: 'altText' }

test('responds to a creation with a number and booleans, and lists strings', async () => {
  const { send, lists } = await openSite()
  const created = await send('POST', item, { ...input, apiId: 'x' })
  const fields = {
    url: home,
    category: 'AA',
    rule: 'img_alt_missing',
    group: 'altText',
    content: JSON.stringify(content),
    created_at: '2024-06-15 12:00:00',
    updated_at: '2024-06-15 12:00:00',
  }
  expect([created.status, created.body]).toEqual([
    200,
    {
      success: true,
      data: {
        remediation: { ...fields, active: true, global: false, id: expect.any(Number) },
        message: expect.any(String),
      },
    },
  ])
  const { id } = created.body.data.remediation
  expect(await lists(home)).toEqual({ page: [{ ...fields, id: String(id), active: '1', global: '0' }], global: [] })
  expect(await lists(about)).toEqual({ page: [], global: [] })
})

test('lists a global remediation for each page', async () => {
  const { add, lists, ada } = await openSite()
  const id = await add(home, { global: 'yes' })
  expect((await lists(about)).global).toMatchObject([
    { id: String(id), url: home, active: '1', global: '1', active_for_page: '1' },
  ])
  const { body } = await ada('GET', `${base}${items}`)
  expect(body.data).toMatchObject({ message: expect.any(String), data: { page: [], global: [{ id: String(id) }] } })
})

test('switches and removes the remediations of a page, all or by group', async () => {
  const { add, send, states } = await openSite()
  const [first, second] = [await add(home), await add(home, { group: 'tables' })]
  const [elsewhere, shared] = [await add(about), await add(home, { global: true })]
  const rest = [`${shared}:1:1`]
  await send('PATCH', items, { url: home, active: 'no', group: 'tables' })
  expect(await states(home)).toEqual([[`${first}:1`, `${second}:0`], rest])
  expect((await send('PATCH', items, { url: home, active: 0 })).body).toEqual({
    success: true,
    data: { message: expect.any(String) },
  })
  expect(await states(home)).toEqual([[`${first}:0`, `${second}:0`], rest])
  await send('DELETE', items, { url: home, group: 'tables' })
  expect(await states(home)).toEqual([[`${first}:0`], rest])
  await send('DELETE', items, { url: home })
  expect(await states(home)).toEqual([[], rest])
  expect(await states(about)).toEqual([[`${elsewhere}:1`], rest])
})

test.each([true, 1, '1', 'true', 'yes', 'on', 'ON'])('accepts %j as active', async (active) => {
  const { add, send, states } = await openSite()
  const id = await add(home)
  for (const [value, shown] of [
    ['off', 0],
    [active, 1],
    [false, 0],
    [active, 1],
    ['0', 0],
    ['false', 0],
    ['no', 0],
  ]) {
    await send('PATCH', item, { id, url: home, active: value })
    expect(await states(home)).toEqual([[`${id}:${shown}`], []])
  }
})

test('changes the content and the scope of a remediation', async () => {
  const { add, send, lists, states, clock } = await openSite()
  const id = await add(home)
  clock.now += 60_000
  const next = { type: 'REPLACE', category: 'AAA', find: 'a', replace: 'b' }
  expect((await send('PUT', item, { id, url: home, content: JSON.stringify(next) })).status).toBe(200)
  expect((await lists(home)).page).toMatchObject([
    {
      id: String(id),
      category: 'AAA',
      content: JSON.stringify(next),
      global: '0',
      created_at: '2024-06-15 12:00:00',
      updated_at: '2024-06-15 12:01:00',
    },
  ])
  await send('PUT', item, { id: String(id), url: home, content: '{}', global: true })
  expect(await states(about)).toEqual([[], [`${id}:1:1`]])
  await send('PUT', '/remediation/global-item', { id, url: home, active: false })
  await send('PUT', item, { id, url: home, content: '{}', global: false })
  await send('POST', '/remediation/global-item', { id })
  // The override is removed with the global scope.
  expect(await states(home)).toEqual([[], [`${id}:1:1`]])
})

test('the page routes neither switch nor remove a global remediation', async () => {
  const { add, send, states } = await openSite()
  const id = await add(home, { global: true })
  await send('PATCH', item, { id, url: home, active: false })
  await send('DELETE', item, { id, url: home })
  expect(await states(home)).toEqual([[], [`${id}:1:1`]])
})

test('removes a remediation by arguments in the body or the query', async () => {
  const { add, send, ada, states } = await openSite()
  const [first, second] = [await add(home), await add(home)]
  await send('DELETE', item, { id: first, url: home })
  expect(await states(home)).toEqual([[`${second}:1`], []])
  await ada('DELETE', `${base}${item}`, { query: { id: second, url: home } })
  expect(await states(home)).toEqual([[], []])
})

test('unknown ids succeed', async () => {
  const { send } = await openSite()
  for (const [method, body] of [
    ['PUT', { content: '{}' }],
    ['PATCH', { active: true }],
    ['DELETE', {}],
  ] as const) {
    const response = await send(method, item, { id: 999, url: home, ...body })
    expect(response).toMatchObject({ status: 200, body: { success: true, data: { message: expect.any(String) } } })
  }
})

const long = (length: number) => 'x'.repeat(length)

test('refuses missing and invalid arguments with 400 and their codes', async () => {
  const { send } = await openSite()
  const cases: readonly (readonly [method: string, path: string, body: object, code: string])[] = [
    ['POST', item, { ...input, url: undefined }, 'internal_server_error'],
    ['POST', item, { ...input, url: '' }, 'internal_server_error'],
    ['POST', item, { ...input, url: 7 }, 'rest_invalid_param'],
    ['POST', item, { ...input, url: `${home}${long(2030)}` }, 'rest_invalid_param'],
    ['POST', item, { ...input, url: `${home}${'é'.repeat(700)}` }, 'rest_invalid_param'],
    ['POST', item, { ...input, remediation: undefined }, 'missing_parameters'],
    ['POST', item, { ...input, remediation: [] }, 'rest_invalid_param'],
    ['POST', item, { ...input, remediation: 'x' }, 'rest_invalid_param'],
    ['POST', item, { ...input, remediation: { category: 'AAAA' } }, 'rest_invalid_param'],
    ['POST', item, { ...input, remediation: { category: 1 } }, 'rest_invalid_param'],
    ['POST', item, { ...input, remediation: { text: long(70_000) } }, 'rest_invalid_param'],
    ['POST', item, { ...input, rule: undefined }, 'missing_parameters'],
    ['POST', item, { ...input, rule: long(129) }, 'rest_invalid_param'],
    ['POST', item, { ...input, group: undefined }, 'missing_parameters'],
    ['POST', item, { ...input, group: long(129) }, 'rest_invalid_param'],
    ['POST', item, { ...input, global: 'maybe' }, 'rest_invalid_param'],
    ['PUT', item, { id: 1, url: home }, 'internal_server_error'],
    ['PUT', item, { url: home, content: '{}' }, 'missing_parameters'],
    ['PUT', item, { id: 'x', url: home, content: '{}' }, 'rest_invalid_param'],
    ['PUT', item, { id: 1.5, url: home, content: '{}' }, 'rest_invalid_param'],
    ['PUT', item, { id: 1, url: home, content: 'no JSON' }, 'rest_invalid_param'],
    ['PUT', item, { id: 1, url: home, content: '[]' }, 'rest_invalid_param'],
    ['PUT', item, { id: 1, url: home, content: {} }, 'rest_invalid_param'],
    ['PATCH', item, { id: 1, url: home }, 'missing_parameters'],
    ['PATCH', item, { id: 1, url: home, active: 2 }, 'rest_invalid_param'],
    ['PATCH', item, { url: home, active: true }, 'missing_parameters'],
    ['DELETE', item, { url: home }, 'missing_parameters'],
    ['PATCH', items, { active: true }, 'missing_parameters'],
    ['PATCH', items, { url: home }, 'missing_parameters'],
    ['PATCH', items, { url: home, active: {} }, 'rest_invalid_param'],
    ['PATCH', items, { url: home, active: true, group: long(129) }, 'rest_invalid_param'],
    ['DELETE', items, {}, 'missing_parameters'],
  ]
  for (const [method, path, body, code] of cases) {
    const response = await send(method, path, body)
    expect([method, path, Object.keys(body), ...refusalOf(response)]).toEqual([
      method,
      path,
      Object.keys(body),
      400,
      code,
    ])
    expect(response.body.data.status).toBe(400)
  }
})

test('accepts texts of the maximum length', async () => {
  const { send, lists } = await openSite()
  const url = `${home}${long(2048 - home.length)}`
  const created = await send('POST', item, { ...input, url, rule: long(128), group: long(128) })
  expect(created.status).toBe(200)
  expect((await lists(url)).page).toHaveLength(1)
})

test('matches a page by its encoded and its decoded address', async () => {
  const { add, lists } = await openSite()
  await add(`${home}café/`)
  expect((await lists(`${home}caf%C3%A9/`)).page).toHaveLength(1)
})

test('limits the remediations of a page and the global ones', async () => {
  const { send } = await openSite({ storage: crowded })
  for (const global of [false, true]) {
    expect(refusalOf(await send('POST', item, { ...input, global }))).toEqual([409, 'conflict'])
  }
})

/** A storage that reports the maximum count of remediations. */
function crowded(storage: Storage): Storage {
  const { records } = storage
  const query: Storage['records']['query'] = (collection, options) =>
    collection.name === 'a11y_remediations' && options.total
      ? { rows: [], total: 2000 }
      : records.query(collection, options)
  const full = new Proxy(records, { get: (target, name) => (name === 'query' ? query : bound(target, name)) })
  return new Proxy(storage, {
    get: (target, name) => (name === 'records' ? full : name === 'atomic' ? undefined : bound(target, name)),
  })
}

function bound(target: object, name: string | symbol): unknown {
  const value: unknown = Reflect.get(target, name)
  return typeof value === 'function' ? value.bind(target) : value
}

const place = { xpath: '//img' }
const attribute = { type: 'ATTRIBUTE', action: 'add', attribute_name: 'alt', attribute_value: 'Boat', ...place }

test.each([
  ['an unknown type', { ...attribute, type: 'MAGIC' }, /^MAGIC is no type/],
  ['an unknown action', { ...attribute, action: 'paint' }, /^paint is no action of ATTRIBUTE/],
  ['no element', { ...attribute, xpath: '' }, /^Without xpath/],
  ['no attribute', { ...attribute, attribute_name: undefined }, /^Without attribute_name/],
  ['no content', { type: 'ELEMENT', action: 'add_after', ...place }, /^Without content/],
  ['a handler', { ...attribute, attribute_name: 'onClick' }, /could run a script/],
  [
    'an address that runs',
    { ...attribute, attribute_name: 'href', attribute_value: ' java\tscript:x' },
    /could run a script/,
  ],
  [
    'a script',
    { type: 'ELEMENT', action: 'add_after', content: '<script>x()</script>', ...place },
    /could run a script/,
  ],
  [
    'a handler in HTML',
    { type: 'REPLACE', find: '<img', replace: '<img onerror="x()"', ...place },
    /could run a script/,
  ],
])('warns of a remediation with %s, when it is added and when it is changed', async (_, remediation, message) => {
  const { send, add } = await openSite()
  const added = await send('POST', '/remediation/item', { url: home, rule: 'x', group: 'other', remediation })
  const warning = { code: 'remediation_without_effect', message: expect.stringMatching(message) }
  expect([added.status, added.body._warnings]).toEqual([200, [expect.objectContaining(warning)]])
  const id = await add(home)
  const changed = await send('PUT', '/remediation/item', { id, url: home, content: JSON.stringify(remediation) })
  expect(changed.body._warnings).toEqual([expect.objectContaining({ ...warning, param: 'content' })])
})

test.each([
  attribute,
  { ...attribute, attribute_value: 'JavaScript for boats: a book' },
  { type: 'styles', rule: 'p { color: #222 }' },
  { type: 'ELEMENT', action: 'REMOVE', ...place },
  { type: 'ATTRIBUTE', action: 'add', attribute_name: 'alt', attribute_value: 'Boat', find: '<img>' },
])('does not warn of %j', async (remediation) => {
  const { send } = await openSite()
  const added = await send('POST', '/remediation/item', { url: home, rule: 'x', group: 'other', remediation })
  expect([added.status, added.body._warnings]).toEqual([200, undefined])
})
