/** Batches on storages that can undo less, and items whose response has no body. */
import { afterEach, expect, test } from 'vitest'
import type { Storage } from '../../../src/contract/storage.ts'
import { endpoint } from '../../../src/core/declare/endpoint.ts'
import { feature } from '../../../src/core/declare/feature.ts'
import { anyone } from '../../../src/core/declare/permissions.ts'
import { profile } from '../../../src/core/declare/profile.ts'
import { d1 } from '../../../src/profiles/d1.ts'
import { createTestSite, type TestSite } from '../../support/site.ts'

let site: TestSite
afterEach(() => site.dispose())

const withoutAtomic = ({ atomic: _, ...storage }: Storage): Storage => storage
const posts = (...titles: readonly (string | undefined)[]) =>
  titles.map((title) => ({ path: '/cms/v2/posts', body: title === undefined ? {} : { title } }))
const written = async () =>
  (await site.as('ada')('GET', '/cms/v2/posts', { query: { search: 'Ebb', status: 'any' } })).body as readonly unknown[]

test('runs the requests one by one where the storage has no transactions', async () => {
  site = await createTestSite({ storage: withoutAtomic })
  const { status, body } = await site.as('ada')('POST', '/batch/v1', {
    body: { requests: posts('Ebb one', undefined, 'Ebb two') },
  })
  expect(status).toBe(207)
  expect(body.responses.map((response: { status: number }) => response.status)).toEqual([201, 400, 201])
  expect(await written()).toHaveLength(2)
})

test('refuses all or nothing where the storage has no transactions, and writes nothing', async () => {
  site = await createTestSite({ storage: withoutAtomic })
  const refused = await site.as('ada')('POST', '/batch/v1', { body: { requests: posts('Ebb'), atomic: true } })
  expect(refused).toMatchObject({ status: 400, body: { code: 'rest_batch_atomic_unsupported' } })
  expect(await written()).toEqual([])
})

test('a response without a body is null in the list', async () => {
  const handler = () => undefined
  const bell = endpoint({ path: '/bell', methods: ['POST'], args: {}, permission: anyone, batch: true, handler })
  const features = [...d1.features, feature('bell', 'harbour/v1', [bell])]
  site = await createTestSite({ profile: profile({ name: 'harbour', gmtOffset: 'text', features }) })
  const { body } = await site.visitor('POST', '/batch/v1', { body: { requests: [{ path: '/harbour/v1/bell' }] } })
  expect(body.responses).toMatchObject([{ body: null, status: 200 }])
})
