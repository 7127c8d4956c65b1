/** Batches over HTTP and in the process. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Client } from '../../src/client/index.ts'
import { d1 } from '../../src/profiles/d1.ts'
import { type ServedSite, serveTestSite } from './served.ts'

let site: ServedSite<typeof d1>
const sent: string[] = []
beforeAll(async () => {
  site = await serveTestSite({ profile: d1 })
})
afterAll(() => site.dispose())
beforeEach(() => void sent.splice(0))

/** The real `fetch`, which records each request. */
const noted = (url: string, init: RequestInit) => {
  sent.push(`${init.method} ${new URL(url).pathname}`)
  return fetch(url, init)
}
const titled = (title: string) => ({ title, status: 'draft' }) as const
const countOf = async (search: string) =>
  (await site.inProcess('ada').get('/cms/v2/posts', { search, status: ['draft'] })).total

describe.each(['overHttp', 'inProcess'] as const)('%s', (way) => {
  const client = (): Client<typeof d1> =>
    way === 'overHttp' ? site.overHttp('ada', { fetch: noted }) : site.inProcess('ada')

  test('returns a result for each call, in order', async () => {
    const id = site.ids['post.hello'] ?? 0
    const { results, error, failed } = await client().batch((context) => [
      context.post('/cms/v2/posts', titled('One of the batch')),
      context.patch('/cms/v2/posts/{id}', { id, title: 'Changed', _fields: ['id', 'title.raw'] }),
      context.delete('/cms/v2/posts/{id}', { id: 999_999, force: true }),
    ])
    expect([error, failed]).toEqual([undefined, undefined])
    const [made, changed, removed] = results
    expect(made).toMatchObject({ ok: true, status: 201, data: { title: { raw: 'One of the batch' } } })
    expect(made.headers.get('location')).toContain(`/cms/v2/posts/${made.data?.id}`)
    expect(changed.data).toEqual({ id, title: { raw: 'Changed' } })
    expect(removed).toMatchObject({ ok: false, error: { code: 'rest_post_invalid_id', status: 404 } })
    if (way === 'overHttp') expect(sent).toEqual(['POST /api/batch/v1'])
  })

  test('passes the arguments of a DELETE in the batch', async () => {
    const made = await client().orThrow.post('/cms/v2/posts', titled('Short-lived'))
    const { results } = await client().batch((context) => [
      context.delete('/cms/v2/posts/{id}', { id: made.data.id, force: true }),
    ])
    expect(results[0].data).toMatchObject({ deleted: true })
  })

  test('splits a long batch into consecutive requests', async () => {
    const titles = Array.from({ length: 52 }, (_, at) => `Wave ${way} ${at}`)
    const { results, error } = await client().batch((context) =>
      titles.map((title) => context.post('/cms/v2/posts', titled(title))),
    )
    expect(error).toBeUndefined()
    expect(results.map(({ data }) => (data?.title as { raw?: string })?.raw)).toEqual(titles)
    if (way === 'overHttp') expect(sent).toHaveLength(3)
  })

  test.each([{ atomic: true }, { validation: 'require-all-validate' }] as const)(
    'what is meant as a whole is not cut: %o',
    async (options) => {
      const { results, error } = await client().batch(
        (context) => Array.from({ length: 26 }, () => context.post('/cms/v2/posts', titled('Cut'))),
        options,
      )
      expect(error?.code).toBe('client_batch_too_large')
      expect(results).toHaveLength(26)
      expect(results.every((result) => result.error === error)).toBe(true)
      expect(await countOf('Cut')).toBe(0)
    },
  )

  test('writes nothing when a call of an atomic batch fails', async () => {
    const { results, error, failed } = await client().batch(
      (context) => [
        context.post('/cms/v2/posts', titled('Gone with it')),
        context.post('/cms/v2/posts/{id}', { id: 999_999, title: 'None' }),
        context.post('/cms/v2/posts', titled('Gone with it')),
      ],
      { atomic: true },
    )
    expect(failed).toBe('atomic')
    expect(error?.code).toBe('rest_post_invalid_id')
    expect(results.map((result) => result.error?.code)).toEqual([
      'client_not_run',
      'rest_post_invalid_id',
      'client_not_run',
    ])
    expect(await countOf('Gone with it')).toBe(0)
  })

  test('runs nothing when all calls have to be valid and one is not', async () => {
    const { results, error, failed } = await client().batch(
      (context) => [
        context.post('/cms/v2/posts', titled('Checked')),
        context.post('/cms/v2/posts', { ...titled('Checked'), status: 'gone' as 'draft' }),
      ],
      { validation: 'require-all-validate' },
    )
    expect(failed).toBe('validation')
    expect(error).toMatchObject({ code: 'rest_invalid_param', params: { status: expect.any(String) } })
    expect(results.map((result) => result.error?.code)).toEqual(['client_not_run', 'rest_invalid_param'])
    expect(await countOf('Checked')).toBe(0)
  })

  test('sends conditional headers per call', async () => {
    const id = site.ids['post.hello'] ?? 0
    const { results } = await client().batch((context) => [
      context.post('/cms/v2/posts/{id}', { id, title: 'Stale' }, { headers: { 'If-Match': '"old"' } }),
      context.post('/cms/v2/posts/{id}', { id, title: 'Fresh' }),
    ])
    expect(results.map(({ status }) => status)).toEqual([412, 200])
  })

  test('sends no request for an empty batch', async () => {
    expect(await client().batch(() => [])).toEqual({ results: [] })
    expect(sent).toEqual([])
  })
})

test('the service refuses an endpoint that batches can not call', async () => {
  const { results } = await site
    .inProcess('ada')
    .batch((context) => [
      context.post('/builder/v1/favorites/{id}' as '/cms/v2/posts', { id: 'widgets', favorite: 'heading' } as object),
    ])
  expect(results[0].error?.code).toBe('rest_batch_not_allowed')
})

test('sends no request when the arguments of a call are invalid', async () => {
  const { results, error } = await site
    .overHttp('ada', { fetch: noted })
    .batch((context) => [
      context.post('/cms/v2/posts', titled('Whole')),
      context.delete('/cms/v2/posts/{id}', {} as never),
    ])
  expect(error).toMatchObject({ code: 'client_invalid_arguments', params: { id: expect.any(String) } })
  expect(results.map((result) => result.error?.code)).toEqual(['client_not_run', 'client_invalid_arguments'])
  expect(sent).toEqual([])
})

test('reports the calls of a failed request and does not run the rest', async () => {
  let count = 0
  const client = site.overHttp('ada', {
    fetch: (url, init) => (++count === 2 ? Promise.reject(new TypeError('offline')) : fetch(url, init)),
  })
  const { results, error, failed } = await client.batch((context) =>
    Array.from({ length: 60 }, (_, at) => context.post('/cms/v2/posts', titled(`Part ${at}`))),
  )
  expect([error?.code, failed]).toEqual(['client_network', undefined])
  expect(results).toHaveLength(60)
  expect(results.slice(0, 25).every(({ ok }) => ok)).toBe(true)
  expect(new Set(results.slice(25, 50).map((result) => result.error?.code))).toEqual(new Set(['client_network']))
  expect(new Set(results.slice(50).map((result) => result.error?.code))).toEqual(new Set(['client_not_run']))
})
