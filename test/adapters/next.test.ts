import type { NextRequest } from 'next/server'
import { expect, test } from 'vitest'
import { createNextHandlers } from '../../adapters/next.ts'
import { createTestSite } from '../support/site.ts'
import { holdBehaviours } from './behaviours.ts'
import { nextHost } from './hosts/next.ts'
import { createNamedSite, siteUrl } from './sites.ts'

holdBehaviours(nextHost)

/** The response of the route handler at a folder for an address, given the segments that Next has matched. */
async function answerTo(path: string, params: { readonly [name: string]: string | readonly string[] }, root = '/api') {
  const { api } = await createNamedSite('echo', { root })
  const { GET } = createNextHandlers(api)
  const response = await GET(new Request(siteUrl + path), { params: Promise.resolve(params) })
  await api.close()
  return response.json()
}

const thing = ['echo', 'v1', 'thing']
const ofText = { text: 'a' }

test('counts the path from the end of the address, with and without a base path', async () => {
  for (const address of ['/api/echo/v1/thing', '/shop/eu/api/echo/v1/thing', '/api/echo/v1/thing/']) {
    expect(await answerTo(`${address}?text=a`, { path: thing })).toEqual(ofText)
  }
})

test('answers at a folder that is not the root, beside other parameters', async () => {
  expect(await answerTo('/de/content/echo/v1/thing?text=a', { lang: 'de', rest: thing }, '/elsewhere')).toEqual(ofText)
  expect(await answerTo('/api?text=a', {})).toMatchObject({ namespaces: ['echo/v1'] })
})

test('reads values from the address, whether Next decoded its parameters or not', async () => {
  for (const value of ['a%20b?c', 'a%2520b%3Fc']) {
    expect(await answerTo('/api/echo/v1/path/a%2520b%3Fc', { path: ['echo', 'v1', 'path', value] })).toBe('a%20b?c')
  }
})

test('uses the parameters when a rewrite changed the end of the address', async () => {
  expect(await answerTo('/echo/a%2Fb?text=a', { path: thing })).toEqual(ofText)
  expect(await answerTo('/go/a%3Fb', { path: ['echo', 'v1', 'path', 'a?b'] })).toBe('a?b')
})

test('passes the Request of Next to authenticate unchanged', async () => {
  const seen: unknown[] = []
  const site = await createTestSite({ authenticate: ({ native }) => void seen.push(native) })
  const request = new Request(`${siteUrl}/api/cms/v2/posts`)
  await createNextHandlers(site.api).GET(request, { params: Promise.resolve({ path: ['cms', 'v2', 'posts'] }) })
  expect(seen).toEqual([request])
  expect(seen[0]).toBe(request)
  await site.dispose()
})

test('the handlers have the types of a Next route file', async () => {
  const { api } = await createNamedSite('echo')
  type RouteHandler = (request: NextRequest, context: { params: Promise<{ path?: string[] }> }) => Promise<Response>
  const handlers: { readonly [method: string]: RouteHandler } = { ...createNextHandlers(api) }
  expect(Object.keys(handlers)).toEqual(['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'])
  await api.close()
})
