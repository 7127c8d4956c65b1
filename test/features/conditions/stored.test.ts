/** Documents of settings and the like: reads have a tag, and a write under a condition that is false changes nothing. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createTestSite, failuresOf, type Received, type Requester, type TestSite } from '../../support/site.ts'
import { allFeatures, documents, seed } from './documents.ts'

let site: TestSite
let ada: Requester
beforeEach(async () => {
  site = await createTestSite({ profile: allFeatures, seed })
  ada = site.as('ada')
})
afterEach(async () => {
  expect(failuresOf(site)).toEqual([])
  await site.dispose()
})

const tagOf = ({ headers }: Received) => headers.get('etag') as string
const readTag = async (path: string) => tagOf(await ada('GET', path))
/** Another representation has another tag, which names the same state. */
const readPartsTag = (path: string) => readTag(`${path}${path.includes('?') ? '&' : '?'}_fields=id,data`)
const outcome = ({ status, body }: Received) => (status < 300 ? 'done' : [status, body.code])
const failed = [412, 'rest_precondition_failed']

describe.each(documents)('$name', ({ open }) => {
  test('are read with a tag, and not sent again to a client that has them', async () => {
    const { read } = await open(site)
    const first = await ada('GET', read)
    expect(tagOf(first)).toMatch(/^"\w{20}\.\w+"$/)
    const again = await ada('GET', read, { headers: { 'if-none-match': tagOf(first) } })
    expect([again.status, again.body, tagOf(again)]).toEqual([304, undefined, tagOf(first)])
    expect((await ada('GET', read, { headers: { 'if-none-match': '"other"' } })).status).toBe(200)
  })

  test('are written under their tag, and under no other', async () => {
    const { read, writes } = await open(site)
    let number = 0
    for (const { method, path, body, query = '' } of writes) {
      const write = async (headers: { readonly [name: string]: string }) => {
        number++
        site.clock.now += 1000
        return [method, path, outcome(await ada(method, path, { query, body: body?.(number % 8), headers }))]
      }
      const before = await ada('GET', read)
      const tag = tagOf(before)
      expect(await write({ 'if-match': '"0", W/"other"' })).toEqual([method, path, failed])
      const after = await ada('GET', read)
      expect([path, after.body, tagOf(after)]).toEqual([path, before.body, tag])
      expect(await write({ 'if-match': await readPartsTag(read) })).toEqual([method, path, 'done'])
      if (method === 'DELETE') continue
      expect(await write({ 'if-match': tag })).toEqual([method, path, failed])
    }
  })

  test('are written by one of two clients at once that have the same tag', async () => {
    const { read, writes } = await open(site)
    const [{ method, path, body, query = '' }] = writes as [(typeof writes)[0]]
    const match = { 'if-match': await readTag(read) }
    const answers = await Promise.all(
      [1, 2].map((number) => ada(method, path, { query, body: body?.(number), headers: match })),
    )
    const codes = answers.map(outcome)
    expect(codes).toContain('done')
    // A removed record is gone for the second: 404 or 412.
    expect(codes.filter((code) => code !== 'done')).toHaveLength(1)
  })

  test('are written again under the tag of the response', async () => {
    const { writes } = await open(site)
    for (const { method, path, body, query = '' } of writes) {
      if (method === 'DELETE' || body === undefined) continue
      const first = await ada(method, path, { query, body: body(1) })
      expect([method, path, outcome(first), tagOf(first)]).toEqual([method, path, 'done', expect.any(String)])
      const second = await ada(method, path, { query, body: body(2), headers: { 'if-match': tagOf(first) } })
      expect([method, path, outcome(second)]).toEqual([method, path, 'done'])
    }
  })
})
