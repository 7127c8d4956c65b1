/** An application password or custom headers sign a client in, also to an api with a word map. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createClient } from '../../src/client/index.ts'
import { wordpress } from '../../src/names/wordpress.ts'
import { d1 } from '../../src/profiles/d1.ts'
import { basic } from '../support/site.ts'
import { passwordOf } from '../support/small-site.ts'
import { type ServedSite, serveScript, serveTestSite } from './served.ts'

let site: ServedSite<typeof d1>
let renamed: ServedSite<typeof d1>
beforeAll(async () => {
  site = await serveTestSite({ profile: d1 })
  renamed = await serveTestSite({ profile: d1, names: wordpress })
})
afterAll(async () => {
  await site.dispose()
  await renamed.dispose()
})

const draft = { title: 'Signed', status: 'draft' } as const

test('signs in with an application password with spaces', async () => {
  expect((await site.overHttp('arthur').post('/cms/v2/posts', draft)).status).toBe(201)
})

test('returns the error for a wrong password', async () => {
  const { error } = await site.overHttp(null, { signIn: { login: 'ada', password: 'wrong' } }).get('/cms/v2/posts')
  expect(error).toMatchObject({ status: 401, code: 'rest_invalid_credentials' })
})

test('signs in with a login in any script', async () => {
  const { id } = await site.api.site.users.create({ login: 'Zoë-测试', roles: ['author'] })
  const { password } = await site.api.site.passwords.create(id, 'Client')
  const client = site.overHttp(null, { signIn: { login: 'Zoë-测试', password } })
  const { data } = await client.orThrow.post('/cms/v2/posts', draft)
  expect(data.author).toBe(id)
})

test('refuses a login with a colon when the client is created', () => {
  expect(() => createClient({ url: '/api', signIn: { login: 'a:b', password: 'c' } })).toThrow(TypeError)
})

test('calls the headers function before each attempt', async () => {
  const server = await serveScript((request, response, count) => {
    if (count === 1) return response.writeHead(503).end()
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(request.headers))
  })
  let made = 0
  const client = createClient({
    url: server.url,
    headers: async () => ({ 'X-Nonce': `n${++made}`, Authorization: 'Bearer b' }),
    retry: { sleep: async () => undefined },
  })
  const { data } = await client.get('/tides', {}, { headers: { 'X-Own': 'yes', 'X-Nonce': 'mine' } })
  expect(data).toMatchObject({ 'x-nonce': 'mine', authorization: 'Bearer b', 'x-own': 'yes' })
  expect(made).toBe(2)
  await server.close()
})

test('returns an error when the headers function fails', async () => {
  const client = site.overHttp(null, { headers: () => Promise.reject(new Error('no token')) })
  expect((await client.get('/cms/v2/posts')).error).toMatchObject({
    code: 'client_headers_failed',
    cause: { message: 'no token' },
  })
})

test('passes init options to fetch', async () => {
  const inits: RequestInit[] = []
  const client = site.overHttp(null, {
    init: { credentials: 'include', cache: 'no-store' },
    fetch: (url, init) => {
      inits.push(init)
      return fetch(url, init)
    },
  })
  await client.get('/cms/v2/posts', {}, { init: { cache: 'reload' } })
  expect(inits[0]).toMatchObject({ credentials: 'include', cache: 'reload', method: 'GET' })
})

test('sends the path as a query value to the alternate root', async () => {
  const client = createClient<typeof d1>({ url: `${site.address}/?rest_route=` })
  const { data, total } = await client.orThrow.get('/cms/v2/posts', { per_page: 1, search: 'o & o' })
  expect(data).toEqual([])
  expect(total).toBe(0)
  expect((await client.get('/cms/v2/posts/{id}', { id: site.ids['post.hello'] ?? 0 })).ok).toBe(true)
})

describe('an api with a word map', () => {
  const client = () =>
    createClient<typeof d1>({
      url: renamed.address,
      names: wordpress,
      headers: { Authorization: basic('ada', passwordOf('ada')) },
    })

  test('is called with neutral names, and its totals are read', async () => {
    const { data, total, headers } = await client().orThrow.get('/cms/v2/posts', { per_page: 1 })
    expect(data).toHaveLength(1)
    expect(headers.get('x-wp-total')).toBe(String(total))
    const rows = []
    for await (const row of client().iterate('/cms/v2/posts', { per_page: 2 })) rows.push(row)
    expect(rows).toHaveLength(total ?? 0)
  })

  test('takes batches', async () => {
    const { results } = await client().batch((context) => [context.post('/cms/v2/posts', draft)])
    expect(results[0].status).toBe(201)
    expect(results[0].headers.get('location')).toContain('/wp/v2/posts/')
  })
})
