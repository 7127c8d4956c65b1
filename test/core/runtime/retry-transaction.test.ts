/** What a database asks to run again has one effect and one event in the end. */
import { expect, test } from 'vitest'
import { type Storage, StorageRetry } from '../../../src/storage/contract.ts'
import { createTestSite } from '../../support/site.ts'

/** Refuses whole transactions at their end, the first so many times. */
function refusing(storage: Storage, refusals: { left: number }): Storage {
  return {
    ...storage,
    atomic: async (work) =>
      storage.atomic?.(async (inside) => {
        const answer = await work(inside)
        if (refusals.left-- > 0) throw new StorageRetry(new Error('deadlock detected'))
        return answer
      }) as Promise<never>,
  }
}

async function openSite() {
  const refusals = { left: 0 }
  const site = await createTestSite({ storage: (storage) => refusing(storage, refusals) })
  const told: string[] = []
  for (const name of ['post.created', 'post.updated', 'post.published'] as const) {
    site.api.on(name, ({ post }) => void told.push(`${name} ${post.title}`))
  }
  return { ...site, refusals, told }
}

const found = async (ask: Awaited<ReturnType<typeof openSite>>, search: string) =>
  (await ask.as('ada')('GET', '/cms/v2/posts', { query: { search, status: 'any' } })).body.length

test('a write that the database rejects three times is committed once and emits once', async () => {
  const site = await openSite()
  site.refusals.left = 3
  const { status } = await site.as('ada')('POST', '/cms/v2/posts', { body: { title: 'Again', status: 'publish' } })
  expect([status, await found(site, 'Again')]).toEqual([201, 1])
  expect(site.told).toEqual(['post.created Again', 'post.published Again'])
  expect(site.failures).toEqual([])
})

test('a write that the database rejects four times fails and leaves no row', async () => {
  const site = await openSite()
  site.refusals.left = 4
  const { status } = await site.as('ada')('POST', '/cms/v2/posts', { body: { title: 'Again' } })
  expect([status, await found(site, 'Again'), site.told]).toEqual([500, 0, []])
})

test('a batch that the database rejects is committed once and emits once', async () => {
  const site = await openSite()
  site.refusals.left = 2
  const requests = ['Again 1', 'Again 2'].map((title) => ({ path: '/cms/v2/posts', body: { title } }))
  const { body } = await site.as('ada')('POST', '/batch/v1', { body: { requests } })
  expect(body.responses.map((one: { status: number }) => one.status)).toEqual([201, 201])
  expect([await found(site, 'Again'), site.told]).toEqual([2, ['post.created Again 1', 'post.created Again 2']])
})

test('scheduled posts whose transaction is rejected are published once and emit once', async () => {
  const site = await openSite()
  const date = new Date(site.clock.now + 3_600_000).toISOString().slice(0, 19)
  await site.as('ada')('POST', '/cms/v2/posts', { body: { title: 'Again', status: 'future', date_gmt: date } })
  site.told.length = 0
  site.clock.now += 7_200_000
  site.refusals.left = 3
  await site.visitor('GET', '/cms/v2/posts')
  expect(site.told).toEqual(['post.published Again'])
})
