/** Calls over HTTP and in the process have the same results and errors. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Client, createClient, isClientError } from '../../src/client/index.ts'
import { d1 } from '../../src/profiles/d1.ts'
import { d2 } from '../../src/profiles/d2.ts'
import { type ServedSite, serveTestSite } from './served.ts'

let site: ServedSite<typeof d1>
let plus: ServedSite<typeof d2>
beforeAll(async () => {
  site = await serveTestSite({ profile: d1 })
  plus = await serveTestSite({ profile: d2 })
})
afterAll(async () => {
  await site.dispose()
  await plus.dispose()
})

describe.each(['overHttp', 'inProcess'] as const)('%s', (way) => {
  const as = (login: string | null): Client<typeof d1> => site[way](login)

  test('returns the totals of a listing', async () => {
    const { data, error, status, total, totalPages, headers } = await as(null).get('/cms/v2/posts', { per_page: 2 })
    expect(error).toBeUndefined()
    expect(status).toBe(200)
    expect(data).toHaveLength(2)
    expect(total).toBeGreaterThan(2)
    expect(totalPages).toBe(Math.ceil((total ?? 0) / 2))
    expect(headers.get('x-cms-total')).toBe(String(total))
  })

  test('creates, changes and removes a record', async () => {
    const client = as('ada')
    const made = await client.post('/cms/v2/posts', { title: 'Spring tide', status: 'draft' })
    if (!made.ok) throw made.error
    expect(made.status).toBe(201)
    const { id } = made.data
    const changed = await client.patch('/cms/v2/posts/{id}', { id, title: 'Neap tide?&#%+ – ebb' })
    expect(changed.data?.title).toMatchObject({ raw: 'Neap tide?&#%+ – ebb' })
    const read = await client.get('/cms/v2/posts/{id}', { id, context: 'edit', _fields: ['id', 'title.raw'] })
    expect(read.data).toEqual({ id, title: { raw: 'Neap tide?&#%+ – ebb' } })
    const removed = await client.delete('/cms/v2/posts/{id}', { id, force: true })
    expect(removed.data).toMatchObject({ deleted: true, previous: { id } })
    expect(await client.get('/cms/v2/posts/{id}', { id })).toMatchObject({ ok: false, status: 404 })
  })

  test('tries a write, with its answer and its changes', async () => {
    const client = as('ada')
    const tried = await client.post('/cms/v2/posts', { title: 'Ebb' }, { dryRun: true })
    if (!tried.ok) throw tried.error
    expect([tried.status, tried.data.title?.raw, tried.headers.get('location')]).toEqual([
      201,
      'Ebb',
      expect.stringContaining(`/cms/v2/posts/${tried.data.id}`),
    ])
    expect(tried.dryRun).toMatchObject({ complete: true, events: [{ name: 'post.created' }] })
    expect(tried.dryRun?.changes[0]).toMatchObject({ record: { store: 'posts', id: tried.data.id }, before: null })
    expect((await client.get('/cms/v2/posts/{id}', { id: tried.data.id })).status).toBe(404)
    expect(await client.post('/cms/v2/posts/{id}', { id: 999_999 }, { dryRun: true })).toMatchObject({ status: 404 })
  })

  test('returns an error of the service as a value with its code', async () => {
    const { data, error, ok, status } = await as(null).get('/cms/v2/posts/{id}', { id: 999_999 })
    expect([data, ok, status]).toEqual([undefined, false, 404])
    expect(error).toMatchObject({ code: 'rest_post_invalid_id', status: 404, data: { status: 404 } })
    expect(isClientError(error)).toBe(true)
  })

  test('names invalid and missing arguments in an error', async () => {
    const wrong = await as(null).get('/cms/v2/posts', { per_page: 0, page: 0 })
    expect(wrong.error?.code).toBe('rest_invalid_param')
    expect(Object.keys(wrong.error?.params ?? {}).sort()).toEqual(['page', 'per_page'])
    const missing = await as('ada').post('/builder/v1/favorites/{id}', { id: 'widgets' } as never)
    expect(missing.error).toMatchObject({
      code: 'rest_missing_callback_param',
      params: { favorite: expect.any(String) },
    })
  })

  test('returns 401 to a visitor', async () => {
    const { error } = await as(null).post('/cms/v2/posts', { title: 'Not mine' })
    expect(error).toMatchObject({ code: 'rest_cannot_create', status: 401 })
  })

  test('throws errors with orThrow', async () => {
    const client = as(null)
    await expect(client.orThrow.get('/cms/v2/posts/{id}', { id: 999_999 })).rejects.toMatchObject({
      isClientError: true,
      code: 'rest_post_invalid_id',
    })
    expect((await client.orThrow.get('/cms/v2/posts', { per_page: 1 })).data).toHaveLength(1)
  })

  test('returns only the totals for HEAD', async () => {
    const { data, total, status } = await as(null).head('/cms/v2/posts', { per_page: 1 })
    expect([data, status]).toEqual([undefined, 200])
    expect(total).toBeGreaterThan(1)
  })

  test('accepts the method as an argument of request', async () => {
    const { data } = await as(null).request('GET', '/cms/v2/posts', { per_page: 1, _fields: 'slug' })
    expect(Object.keys(data?.[0] ?? {})).toEqual(['slug'])
  })

  test('embeds linked records', async () => {
    const { data } = await as(null).get('/cms/v2/posts', { per_page: 1, _embed: ['author'] })
    expect(data?.[0]).toHaveProperty('_embedded.author')
  })

  test('sends conditions as headers, and returns no data for 304', async () => {
    const client = as('ada')
    const id = site.ids['post.hello'] ?? 0
    const read = await client.get('/cms/v2/posts/{id}', { id, context: 'edit' })
    const tag = read.headers.get('etag') ?? ''
    const again = await client.get('/cms/v2/posts/{id}', { id, context: 'edit' }, { headers: { 'If-None-Match': tag } })
    expect(again.error).toMatchObject({ code: 'client_not_modified', status: 304 })
    const stale = await client.post('/cms/v2/posts/{id}', { id, title: 'Late' }, { headers: { 'If-Match': '"old"' } })
    expect(stale.status).toBe(412)
  })

  test('returns a body that is not JSON as text', async () => {
    const { data, headers } = await as(null).get('/oembed/1.0/embed', {
      url: 'https://quay.example/hello/',
      format: 'xml',
    })
    expect(String(data)).toMatch(/^<\?xml/)
    if (way === 'overHttp') expect(headers.get('content-type')).toMatch(/^text\/xml/)
  })

  test('sends the given body to an endpoint that accepts any body', async () => {
    const { error, data } = await plus[way]('ada').post(
      '/imgopt/v1/preset_configs',
      {},
      { body: [{ id: 1, name: 'Small', config: {} }] },
    )
    expect(error).toBeUndefined()
    expect(data).toHaveLength(1)
  })

  test('refuses invalid path parameters before sending', async () => {
    for (const id of ['', '.', '..']) {
      const { error } = await as('ada').get('/builder/v1/globals/colors/{id}', { id })
      expect(error).toMatchObject({ code: 'client_invalid_arguments', status: 0, params: { id: expect.any(String) } })
    }
    const { error } = await as(null).get('/cms/v2/posts/{id}', {} as never)
    expect(error?.params).toHaveProperty('id')
  })
})

test('returns the same over HTTP and in the process', async () => {
  const reads = (client: Client<typeof d1>) =>
    Promise.all([
      client.get('/cms/v2/posts', { per_page: 3, context: 'edit', search: 'o', categories: [1, 2] }),
      client.get('/cms/v2/posts', { author: [1], page: 99 }),
      client.get('/cms/v2', {}),
      client.get('/builder/v1/globals'),
      client.get('/builder/v1/settings/{key}', { key: 'no such' }),
    ])
  const [outer, inner] = await Promise.all([reads(site.overHttp('ada')), reads(site.inProcess('ada'))])
  const shown = (results: typeof outer) =>
    results.map(({ status, data, error, total, totalPages }) => ({
      ...{ status, data, total, totalPages },
      error: error && { code: error.code, message: error.message, data: error.data },
    }))
  expect(shown(inner)).toEqual(shown(outer))
})

test('needs no sign-in in the process; without a user the caller is a visitor', async () => {
  const system = createClient<typeof d1>({ api: site.api, as: 'system' })
  expect((await system.post('/cms/v2/posts', { title: 'By the house' })).status).toBe(201)
  expect((await site.inProcess(null).post('/cms/v2/posts', { title: 'By a visitor' })).status).toBe(401)
})

test('returns a failure in the process as an error with its cause', async () => {
  const { error } = await createClient({ api: site.api, as: 999_999 }).get('/cms/v2/posts')
  expect(error).toMatchObject({
    code: 'internal_server_error',
    status: 500,
    cause: { message: 'there is no user 999999' },
  })
})
