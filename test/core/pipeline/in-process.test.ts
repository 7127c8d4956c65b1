/** `api.call` returns the same data as an HTTP response. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { redirectRoutes } from '../../../docs/examples/add-a-route/redirects.ts'
import { endpoint } from '../../../src/core/declare/endpoint.ts'
import { feature } from '../../../src/core/declare/feature.ts'
import { anyone } from '../../../src/core/declare/permissions.ts'
import { profile } from '../../../src/core/declare/profile.ts'
import { result, Stream } from '../../../src/core/declare/result.ts'
import { RawJson } from '../../../src/core/runtime/json.ts'
import { d1 } from '../../../src/profiles/d1.ts'
import { createTestSite, type TestSite } from '../../support/site.ts'

const kept = { tide: 'high' }
const shared = { methods: ['GET'], args: {}, permission: anyone } as const
const tides = feature('tides', 'tides/v1', [
  endpoint({ ...shared, path: '/nested', handler: () => ({ kept, raw: new RawJson('{"a":1}'), none: undefined }) }),
  endpoint({ ...shared, path: '/csv', handler: () => new Stream('a,b', 'text/csv; charset=UTF-8') }),
  endpoint({ ...shared, path: '/nothing', handler: () => result(undefined, { status: 204 }) }),
  endpoint({ ...shared, path: '/asked', handler: ({ incoming }) => incoming.header('if-match') ?? null }),
])

let site: TestSite
beforeAll(async () => {
  site = await createTestSite({ profile: profile({ ...d1, features: [...d1.features, redirectRoutes, tides] }) })
})
afterAll(() => site.dispose())

test('in-process results are plain copies', async () => {
  const { data } = await site.api.call<{ kept: { tide: string } }>('GET', '/tides/v1/nested')
  expect(data).toStrictEqual({ kept: { tide: 'high' }, raw: { a: 1 } })
  expect(data.kept).not.toBe(kept)
})

test('a body that is not JSON is a text, and a missing one undefined', async () => {
  expect(await site.api.call('GET', '/tides/v1/csv')).toMatchObject({ data: 'a,b', status: 200 })
  expect(await site.api.call('GET', '/tides/v1/nothing')).toMatchObject({ data: undefined, status: 204 })
})

test('header names of conditions are case-insensitive', async () => {
  const { data } = await site.api.call('GET', '/tides/v1/asked', {}, { headers: { 'If-Match': '"a"' } })
  expect(data).toBe('"a"')
})

test('a storage conflict rejects with the error that HTTP sends', async () => {
  const redirect = { path: '/old', target: 'https://quay.example/new' }
  const add = () => site.api.call('POST', '/magazine/v1/redirects', redirect, { as: 'system' })
  await add()
  await expect(add()).rejects.toMatchObject({ isApiError: true, code: 'rest_conflict', status: 409 })
})

test('a refusal names the call and the place of its caller', async () => {
  async function latest() {
    return await site.api.call('get', '/cms/v2/postz?per_page=1')
  }
  const error = await latest().catch((refusal: Error) => refusal)
  expect(error).toMatchObject({ method: 'GET', path: '/cms/v2/postz?per_page=1', status: 404 })
  const { stack = '' } = error as Error
  expect(stack).toMatch(
    /^ApiError: GET \/cms\/v2\/postz\?per_page=1: No route serves .*\n +at latest .*in-process\.test/,
  )
})

test('arguments fill the parameters of the path', async () => {
  const { data: post } = await site.api.call<{ id: number }>(
    'POST',
    '/cms/v2/posts',
    { title: 'Ebb' },
    { as: 'system' },
  )
  const { data } = await site.api.call('GET', '/cms/v2/posts/{id}', { id: post.id, context: 'edit' }, { as: 'system' })
  expect(data).toMatchObject({ id: post.id, title: { raw: 'Ebb' } })
  await expect(site.api.call('GET', '/cms/v2/posts/{id}', { id: '' })).rejects.toMatchObject({ code: 'rest_no_route' })
})

test('a question mark in an argument does not start a second query', async () => {
  const { headers } = await site.api.call('GET', '/cms/v2/posts?search=why?&per_page=1', {}, { as: 'system' })
  expect(headers['X-CMS-Total']).toBe('0')
})

test('options of the response are arguments too', async () => {
  const { data: post } = await site.api.call<{ id: number }>(
    'POST',
    '/cms/v2/posts',
    { title: 'Tide', _fields: 'id' },
    { as: 'system' },
  )
  expect(Object.keys(post)).toEqual(['id'])
  const read = (options: object) =>
    site.api.call<object>('GET', `/cms/v2/posts/${post.id}?context=edit`, { ...options }, { as: 'system' })
  expect((await read({ _fields: ['id', 'title.raw'] })).data).toEqual({ id: post.id, title: { raw: 'Tide' } })
  expect((await read({ _embed: true, _fields: ['_embedded', '_links'] })).data).toHaveProperty('_embedded')
  expect((await read({ _embed: false, _fields: ['_embedded', '_links'] })).data).not.toHaveProperty('_embedded')
  expect((await read({ _envelope: true })).data).toMatchObject({ status: 200, body: { id: post.id } })
})
