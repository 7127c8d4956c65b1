/** A transaction that the database makes us retry has one effect and emits one event. */
import { expect, test } from 'vitest'
import { type Storage, StorageRetry } from '../../../src/contract/storage.ts'
import { createTestSite } from '../../support/site.ts'

/** A storage whose next `rejections.left` transactions fail at the commit. */
function failingStorage(storage: Storage, rejections: { left: number }): Storage {
  return {
    ...storage,
    atomic: async (work) =>
      storage.atomic?.(async (transaction) => {
        const result = await work(transaction)
        if (rejections.left-- > 0) throw new StorageRetry(new Error('deadlock detected'))
        return result
      }) as Promise<never>,
  }
}

async function openSite() {
  const rejections = { left: 0 }
  const site = await createTestSite({ storage: (storage) => failingStorage(storage, rejections) })
  const events: string[] = []
  for (const name of ['post.created', 'post.updated', 'post.published'] as const) {
    site.api.on(name, ({ post }) => void events.push(`${name} ${post.title}`))
  }
  return { ...site, rejections, events }
}

const countOf = async (site: Awaited<ReturnType<typeof openSite>>, search: string) =>
  (await site.as('ada')('GET', '/cms/v2/posts', { query: { search, status: 'any' } })).body.length

test('a write that the database rejects three times is committed once and emits once', async () => {
  const site = await openSite()
  site.rejections.left = 3
  const { status } = await site.as('ada')('POST', '/cms/v2/posts', { body: { title: 'Again', status: 'publish' } })
  expect([status, await countOf(site, 'Again')]).toEqual([201, 1])
  expect(site.events).toEqual(['post.created Again', 'post.published Again'])
  expect(site.failures).toEqual([])
})

test('a write that the database rejects four times fails and leaves no row', async () => {
  const site = await openSite()
  site.rejections.left = 4
  const { status } = await site.as('ada')('POST', '/cms/v2/posts', { body: { title: 'Again' } })
  expect([status, await countOf(site, 'Again'), site.events]).toEqual([503, 0, []])
})

test('a batch that the database rejects is committed once and emits once', async () => {
  const site = await openSite()
  site.rejections.left = 2
  const requests = ['Again 1', 'Again 2'].map((title) => ({ path: '/cms/v2/posts', body: { title } }))
  const { body } = await site.as('ada')('POST', '/batch/v1', { body: { requests } })
  expect(body.responses.map((one: { status: number }) => one.status)).toEqual([201, 201])
  expect([await countOf(site, 'Again'), site.events]).toEqual([2, ['post.created Again 1', 'post.created Again 2']])
})

test('scheduled posts whose transaction is rejected are published once and emit once', async () => {
  const site = await openSite()
  const date = new Date(site.clock.now + 3_600_000).toISOString().slice(0, 19)
  await site.as('ada')('POST', '/cms/v2/posts', { body: { title: 'Again', status: 'future', date_gmt: date } })
  site.events.length = 0
  site.clock.now += 7_200_000
  site.rejections.left = 3
  await site.visitor('GET', '/cms/v2/posts')
  expect(site.events).toEqual(['post.published Again'])
})
