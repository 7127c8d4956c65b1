/** How much a caller may make the server read and parse before it is known who may do what. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createNodeHandler } from '../../adapters/node.ts'
import { d2 } from '../../src/profiles/d2.ts'
import { basic, createTestSite, type Requester, type TestSite } from '../support/site.ts'

let site: TestSite
beforeAll(async () => {
  site = await createTestSite({ profile: d2 })
})
afterAll(() => site.dispose())

const posts = '/cms/v2/posts'
const kib = 1024
const text = (bytes: number) => ({ title: 'x', content: 'a'.repeat(bytes) })
const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`key${at}`, at]))

const answer = async (send: Requester, path: string, body: unknown) => {
  const { status, body: sent } = await send('POST', path, { body })
  return [status, sent.code]
}

describe('callers whom the route refuses whatever they send', () => {
  test.each([
    ['a visitor who creates a post', null, posts],
    ['a subscriber who writes an option', 'sam', '/builder/v1/settings/builder_experiments'],
  ])('have 64 KiB: %s', async (_, login, path) => {
    const send = site.as(login)
    expect((await answer(send, path, text(70 * kib)))[1]).toBe('rest_body_too_large')
    expect((await answer(send, path, text(60 * kib)))[1]).not.toBe('rest_body_too_large')
    expect((await answer(send, path, keys(6000)))[1]).toBe('rest_body_too_large')
  })

  test('have arguments checked before their rights all the same', async () => {
    expect(await answer(site.visitor, posts, { status: 'nonsense' })).toEqual([400, 'rest_invalid_param'])
    expect(await answer(site.visitor, posts, { title: 'x' })).toEqual([401, 'rest_cannot_create'])
  })
})

test('a visitor has 256 KiB and 10,000 values where visitors may write', async () => {
  const batch = (body: object) => ({ requests: [{ path: posts, body }] })
  expect(await answer(site.visitor, '/batch/v1', batch(text(300 * kib)))).toEqual([413, 'rest_body_too_large'])
  expect(await answer(site.visitor, '/batch/v1', batch(keys(12_000)))).toEqual([413, 'rest_too_many_values'])
  expect((await answer(site.visitor, '/batch/v1', batch(text(200 * kib))))[0]).toBe(207)
})

test('those who may write have 10 MiB and 100,000 values', async () => {
  const edith = site.as('edith')
  expect(await answer(edith, posts, text(9 * kib * kib))).toEqual([201, undefined])
  expect(await answer(edith, posts, text(11 * kib * kib))).toEqual([413, 'rest_body_too_large'])
  expect(await answer(edith, posts, keys(60_000))).toEqual([413, 'rest_too_many_values'])
  expect(await answer(edith, posts, { title: ',:'.repeat(200_000) })).toEqual([201, undefined])
})

test('what a parser of the host has read is counted too', async () => {
  const handler = createNodeHandler(site.api)
  const server = createServer((request, response) => {
    Object.assign(request, { body: keys(200_000) })
    handler(request, response)
  })
  onTestFinished(() => void server.close())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const headers = { authorization: basic('edith'), 'content-type': 'application/json' }
  const response = await fetch(`http://127.0.0.1:${port}/api${posts}`, { method: 'POST', headers, body: '{}' })
  expect([response.status, (await response.json()).code]).toEqual([413, 'rest_too_many_values'])
})
