/** `Allow` lists what this caller may do on a route; OPTIONS describes the records of the route. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { full } from '../../../src/profiles/full.ts'
import { createTestSite, type TestSite } from '../../support/site.ts'

let site: TestSite
beforeAll(async () => {
  site = await createTestSite({ profile: full })
})
afterAll(() => site.dispose())

const allowed = async (login: string | null, method: string, path: string) => {
  const { headers } = await site.as(login)(method, path)
  return headers.get('allow')?.split(', ')
}

test.each([
  [null, ['GET']],
  ['sam', ['GET']],
  ['connie', ['GET', 'POST']],
  ['edith', ['GET', 'POST']],
])('a list tells %s the methods that they may use on it', async (login, methods) => {
  expect(await allowed(login, 'GET', '/cms/v2/posts')).toEqual(methods)
  expect(await allowed(login, 'OPTIONS', '/cms/v2/posts')).toEqual(methods)
})

test('a record tells each caller other methods', async () => {
  const path = `/cms/v2/posts/${site.ids['post.hello']}`
  expect(await allowed(null, 'GET', path)).toEqual(['GET'])
  expect(await allowed('edith', 'GET', path)).toEqual(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])
})

test('a route with one endpoint and the site index list GET', async () => {
  expect(await allowed(null, 'GET', '/')).toEqual(['GET'])
  expect(await allowed(null, 'GET', '/cms/v2/types')).toEqual(['GET'])
})

test('answers to writes have no Allow', async () => {
  const { headers, status } = await site.as('edith')('POST', '/cms/v2/posts', { body: { title: 'Written' } })
  expect(status).toBe(201)
  expect(headers.get('allow')).toBeNull()
})

test('the permissions of every endpoint can be checked without arguments, for every caller', async () => {
  for (const login of [null, 'sam', 'ada']) {
    const { body } = await site.as(login)('GET', '/')
    for (const route of Object.keys(body.routes)) {
      if (route.includes('(?P<')) continue
      expect((await site.as(login)('OPTIONS', route)).status, route).toBe(200)
    }
  }
  expect(site.failures).toEqual([])
})

test('OPTIONS has the schema of one record, for a list and for its records', async () => {
  const { body: ofList } = await site.visitor('OPTIONS', '/cms/v2/posts')
  const { body: ofRecord } = await site.visitor('OPTIONS', `/cms/v2/posts/${site.ids['post.hello']}`)
  expect(ofList.schema).toMatchObject({
    type: 'object',
    properties: { title: { type: 'object' }, sticky: { type: 'boolean' } },
  })
  expect(ofRecord.schema).toEqual(ofList.schema)
})

test('the site index has no schemas', async () => {
  const { body } = await site.visitor('GET', '/')
  expect(body.routes['/cms/v2/posts'].schema).toBeUndefined()
})
