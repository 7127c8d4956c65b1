import { expect, test } from 'vitest'
import { type Storage, StorageUnavailable } from '../../../../src/contract/storage.ts'
import {
  type SubmissionHandlerOptions,
  submissionHandler,
} from '../../../../src/features/builder/form-submissions/intake/handler.ts'
import { networkOf, tokenBuckets } from '../../../../src/services/rate-limit.ts'
import { openSite, root } from './fixture.ts'

const url = 'https://quay.example/submit'

async function openForm(options: SubmissionHandlerOptions = {}, storage?: (opened: Storage) => Storage) {
  const site = await openSite(storage ? { storage } : {})
  const failures: unknown[] = []
  const limit = tokenBuckets({ capacity: 1000, perMinute: 1, clock: () => site.clock.now })
  const handler = submissionHandler(site.api, { limit, failed: (error) => failures.push(error), ...options })
  const send = async (body: unknown, init: RequestInit = {}) => {
    const isReady = typeof body === 'string' || body instanceof FormData || body instanceof URLSearchParams
    const response = await handler(
      new Request(url, {
        method: 'POST',
        body: isReady ? body : JSON.stringify(body),
        ...init,
        headers: { ...(isReady ? {} : { 'content-type': 'application/json' }), ...(init.headers as object) },
      }),
    )
    return { status: response.status, headers: response.headers, body: await response.json() }
  }
  const form = { post_id: site.post, element_id: '476d0ce' }
  const submissions = async () => (await site.ada('GET', root, { query: { order: 'asc' } })).body.data
  return { ...site, handler, send, form, submissions, failures }
}

test('to a storage that fails says what became of it', async () => {
  let failure: StorageUnavailable | undefined
  const failing = (storage: Storage): Storage => ({
    ...storage,
    atomic: async (work, options) => {
      const done = await storage.atomic?.(work, options)
      if (failure) throw failure
      // The cast: the storages of these tests have `atomic`.
      return done as never
    },
  })
  const { send, form, failures } = await openForm({}, failing)
  for (const written of ['no', 'perhaps'] as const) {
    failure = new StorageUnavailable('the connection ended', { written })
    const { status, body, headers } = await send({ ...form, fields: { name: written } })
    expect([status, body.data.written, headers.get('retry-after')]).toEqual([503, written, '5'])
  }
  expect(failures).toHaveLength(2)
})

test('accepts JSON, URL-encoded and multipart forms', async () => {
  const { send, form, submissions, read, post } = await openForm()
  const pairs = { post_id: String(post), element_id: '476d0ce', 'fields[name]': 'Bob', 'fields[days][]': 'Mon' }
  const multipart = new FormData()
  for (const [name, value] of Object.entries(pairs)) multipart.append(name, value)
  multipart.append('fields[days][]', 'Wed')
  multipart.append('fields[email]', new Blob(['x']), 'x.txt')
  const headers = { referer: 'https://quay.example/contact/', 'user-agent': 'UA/1.0' }
  const responses = [
    await send(
      { ...form, fields: { name: 'Bob', days: ['Mon', 'Wed'], age: 20 }, referer_title: 'Contact' },
      { headers },
    ),
    await send(new URLSearchParams([...Object.entries(pairs), ['fields[days][]', 'Wed']]), { headers }),
    await send(multipart, { headers }),
  ]
  expect(responses.map(({ status, body }) => [status, body])).toEqual(Array(3).fill([200, { success: true }]))
  const [first] = await submissions()
  expect([first.referer, first.referer_title, first.user_agent, first.user_ip, first.form.name]).toEqual([
    'https://quay.example/contact/',
    'Contact',
    '',
    '',
    'Contact',
  ])
  for (const { id } of await submissions()) {
    const { values, form: storedForm } = await read(id)
    const texts = Object.fromEntries(values.map(({ key, value }: { key: string; value: string }) => [key, value]))
    expect(texts).toMatchObject({ name: 'Bob', days: 'Mon, Wed', email: '' })
    expect([Object.hasOwn(texts, 'secret'), Object.hasOwn(texts, 'trap')]).toEqual([false, false])
    expect(storedForm.fields.find((field: { id: string }) => field.id === 'topic')).toEqual({
      id: 'topic',
      type: 'select',
      label: 'Topic',
      options: ['boats', 'Tides'],
      is_multiple: false,
    })
  }
})

test('refuses invalid values with 400, each by the id of its field', async () => {
  const { send, form, submissions } = await openForm()
  const invalid: [string, unknown][] = [
    ['name', '   '],
    ['name', ['a', 'b']],
    ['email', 'bob'],
    ['email', `${'x'.repeat(250)}@mail.test`],
    ['email', 'bob@mail.test, x@y.z'],
    ['age', 'twenty'],
    ['age', '17'],
    ['age', 121],
    ['age', '0x20'],
    ['topic', 'Boats'],
    ['topic', ['boats', 'Tides']],
    ['days', ['Mon', 'Sun']],
    ['site', 'javascript:alert(1)'],
    ['phone', 'call me'],
    ['day', '2024-13-01'],
    ['hour', '25:00'],
  ]
  for (const [name, value] of invalid) {
    const { status, body } = await send({ ...form, fields: { name: 'Bob', [name]: value } })
    expect([name, value, status, body.code, Object.keys(body.data.params)]).toEqual([
      name,
      value,
      400,
      'rest_invalid_param',
      [name],
    ])
  }
  const both = await send({ ...form, fields: { email: 'x' } })
  expect(Object.keys(both.body.data.params)).toEqual(['name', 'email'])
  expect(await submissions()).toEqual([])
  const valid = {
    age: 18,
    topic: 'boats',
    site: 'https://a.test',
    phone: '+351 (2) 1-2',
    day: '2024-02-29',
    hour: '23:59',
  }
  expect((await send({ ...form, fields: { name: 'Bob', email: 'bob@mail.test', ...valid } })).status).toBe(200)
})

test('submissions to anything but a form of a published document are 404', async () => {
  const { send, ids, post, submissions } = await openForm()
  const targets = [
    { post_id: post, element_id: 'nothere' },
    { post_id: post, element_id: 'c0ntain' },
    { post_id: ids['post.sketch'], element_id: '476d0ce' },
    { post_id: ids['post.hello'], element_id: '476d0ce' },
    { post_id: 999_999, element_id: '476d0ce' },
    { post_id: '1e3', element_id: '476d0ce' },
    { post_id: `${post} OR 1=1`, element_id: '476d0ce' },
    { element_id: '476d0ce' },
    {},
  ]
  for (const target of targets) {
    const { status, body } = await send({ ...target, fields: { name: 'Bob' } })
    expect([target, status, body.code]).toEqual([target, 404, 'form_not_found'])
  }
  expect(await submissions()).toEqual([])
})

test('a submission that fills a honeypot gets a success and is not stored', async () => {
  const { send, form, submissions } = await openForm()
  for (const input of [
    { ...form, fields: { name: 'Bob', trap: 'x' } },
    { ...form, fields: { name: 'Bob' }, leave_empty: 'x' },
    { ...form, fields: { name: 'Bob', leave_empty: 'x' } },
    { ...form, fields: { trap: 'x' } },
  ]) {
    const { status, body } = await send(input)
    expect([status, body]).toEqual([200, { success: true }])
  }
  expect(await submissions()).toEqual([])
  expect((await send({ ...form, fields: { name: 'Bob', trap: '' }, leave_empty: '' })).status).toBe(200)
  expect(await submissions()).toHaveLength(1)
})

test('each network has a rate limit', async () => {
  let now = 0
  const limit = tokenBuckets({ capacity: 2, perMinute: 1, clock: () => now })
  const { send, form } = await openForm({
    limit,
    addressOf: (request) => request.headers.get('x-real-ip') ?? undefined,
  })
  const from = async (address: string) => {
    const { status, headers, body } = await send(
      { ...form, fields: { name: 'Bob' } },
      { headers: { 'x-real-ip': address } },
    )
    return [status, headers.get('retry-after'), body.code]
  }
  expect(await from('203.0.113.7')).toEqual([200, null, undefined])
  expect((await from('203.0.113.7'))[0]).toBe(200)
  now += 15_000
  expect(await from('203.0.113.7')).toEqual([429, '45', 'rest_too_many_requests'])
  expect((await from('203.0.113.8'))[0]).toBe(200)
  expect((await from('2001:db8::1'))[0]).toBe(200)
  expect((await from('2001:db8::2'))[0]).toBe(200)
  expect((await from('2001:db8::3'))[0]).toBe(429)
  now += 45_000
  expect((await from('::ffff:203.0.113.7'))[0]).toBe(200)
  expect((await from('203.0.113.7'))[0]).toBe(429)
})

test('the rate limiter counts by network and evicts old buckets', () => {
  expect([networkOf('::ffff:1.2.3.4'), networkOf('2001:db8:1:2:3::4'), networkOf('odd')]).toEqual([
    '1.2.3.4',
    '2001:db8:1:2::/64',
    'odd',
  ])
  const limit = tokenBuckets({ capacity: 1, perMinute: 60, maxKeys: 2, clock: () => 0 })
  expect(['a', 'b', 'a', 'c', 'b', 'a'].map((key) => limit.take(key))).toEqual([0, 0, 1, 0, 0, 0])
})

test('refuses bodies that are not forms', async () => {
  const { handler, send, form, submissions } = await openForm({ bodyBytes: 500 })
  const status = async (body: BodyInit | null, headers: Record<string, string>, method = 'POST') => {
    const response = await handler(new Request(url, { method, ...(body === null ? {} : { body }), headers }))
    return [response.status, ((await response.json()) as { code: string }).code]
  }
  const json = { 'content-type': 'application/json' }
  expect(await status(null, {}, 'GET')).toEqual([405, 'rest_no_route'])
  expect((await handler(new Request(url))).headers.get('allow')).toBe('POST')
  expect(await status('{', json)).toEqual([400, 'rest_invalid_json'])
  expect(await status('"x"', json)).toEqual([404, 'form_not_found'])
  expect(await status('null', json)).toEqual([404, 'form_not_found'])
  expect(await status('{"a":"\\u0000"}', json)).toEqual([400, 'rest_invalid_text'])
  expect(await status('{"__proto__":{}}', json)).toEqual([400, 'rest_invalid_key'])
  expect(await status('x', { 'content-type': 'text/plain' })).toEqual([415, 'rest_unsupported_media_type'])
  expect(await status('x', { 'content-type': 'multipart/form-data' })).toEqual([400, 'rest_invalid_form'])
  expect(await status('{}', { ...json, 'content-encoding': 'gzip' })).toEqual([415, 'rest_unsupported_encoding'])
  expect(await status('x'.repeat(501), json)).toEqual([413, 'rest_body_too_large'])
  const nul = new URLSearchParams([
    ...Object.entries(form).map(([name, value]) => [name, String(value)]),
    ['fields[name]', 'a\0b'],
  ])
  expect((await send(nul)).status).toBe(200)
  expect((await submissions())[0].values[0].value).toBe('')
})

test('keepsSender stores address and user agent; userOf sets the user', async () => {
  const { send, form, submissions } = await openForm({
    keepsSender: true,
    addressOf: () => '203.0.113.7',
    userOf: () => 1,
  })
  const headers = { 'user-agent': 'UA/1.0', referer: 'javascript:alert(1)' }
  await send({ ...form, fields: { name: 'Bob' }, user_id: 5 }, { headers })
  const [{ user_agent, user_ip, user_id, referer }] = await submissions()
  expect([user_agent, user_ip, user_id, referer]).toEqual(['UA/1.0', '203.0.113.7', '1', ''])
})

test('runs actions after a submission; a failed action does not remove it', async () => {
  const { send, form, submissions, read, failures } = await openForm({
    actions: [
      { name: 'email', label: 'E-mail', run: ({ values }) => `to ${values.length}` },
      { name: 'hook', label: 'Hook', run: () => Promise.reject(new Error('timed out')) },
    ],
  })
  expect((await send({ ...form, fields: { name: 'Bob' } })).status).toBe(200)
  const [{ id, actions_count, actions_succeeded_count }] = await submissions()
  expect([actions_count, actions_succeeded_count]).toEqual([2, 1])
  const log = (await read(id)).form_actions_log
  expect(
    log.map(({ name, status, log }: { name: string; status: string; log: string }) => [name, status, log]),
  ).toEqual([
    ['email', 'success', 'to 9'],
    ['hook', 'failed', 'timed out'],
  ])
  expect(failures).toHaveLength(1)
})

test('cuts long texts and rejects invalid ids', async () => {
  const { api, post, read } = await openSite()
  const fields = [{ id: 'a', type: 'text', label: 'A', value: 'x'.repeat(5000) }]
  const form = { postId: post, elementId: '476d0ce', formName: 'n'.repeat(70), fields }
  const { id } = await api.site.submissions.add({
    ...form,
    referer: `https://quay.example/${'r'.repeat(600)}`,
    refererTitle: '😀'.repeat(200),
    userIp: '1'.repeat(50),
  })
  const stored = await read(id)
  expect([stored.form.name, stored.referer, stored.referer_title, stored.user_ip].map(({ length }) => length)).toEqual([
    60, 500, 300, 46,
  ])
  expect(stored.values[0].value).toHaveLength(5000)
  for (const more of [
    { elementId: 'a b' },
    { elementId: 'x'.repeat(21) },
    { fields: [{ id: '', type: 'text', label: '' }] },
    { fields: [{ id: 'x'.repeat(61), type: 'text', label: '' }] },
    { fields: [...fields, ...fields] },
  ]) {
    await expect(api.site.submissions.add({ ...form, ...more })).rejects.toThrow(TypeError)
  }
})

test('a seed of an export makes submissions searchable and counts their pages', async () => {
  const { submit, api, ada } = await openSite()
  await submit({ more: { referer: 'https://quay.example/a', refererTitle: 'A' } })
  const second = await submit({ values: { name: 'Ann' } })
  await ada('DELETE', `${root}/${second}`)
  const document = await api.site.export()
  expect(JSON.stringify(document)).not.toContain('search_text')
  const { createTestSite } = await import('../../../support/site.ts')
  const { d2 } = await import('../../../../src/profiles/d2.ts')
  const copy = await createTestSite({ profile: d2, seed: false })
  const keys = await copy.api.site.seed(document)
  const as = keys['user.ada'] as number
  const call = async (path: string) =>
    (await copy.api.call(`GET`, path, {}, { as })).data as { data: { id: number; post: { id: number } }[] }
  const matches = await call(`${root}?search=bob`)
  expect(matches.data.map(({ post }) => post.id)).toEqual([keys['post.contact']])
  expect((await call(`${root}?search=${matches.data[0]?.id}`)).data).toHaveLength(1)
  expect((await call(`${root}/referer`)).data).toHaveLength(2)
  expect((await call(`${root}?status=trash`)).data).toHaveLength(1)
  expect((await copy.api.site.export()).records?.form_submissions).toEqual(document.records?.form_submissions)
  await copy.dispose()
})
