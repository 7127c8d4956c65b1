/** Durable events: each event of a committed change is kept once, and read in order. */
import { afterEach, expect, test } from 'vitest'
import type { Storage } from '../../../../src/contract/storage.ts'
import { ApiError } from '../../../../src/core/declare/errors.ts'
import { outboxChanges, outboxEvents } from '../../../../src/features/integration/outbox/collections.ts'
import { createTestSite, type TestSite, type TestSiteOptions } from '../../../support/site.ts'
import { recorded } from '../../../support/spied-storage.ts'

let site: TestSite
afterEach(() => site.dispose())

const open = async (options: TestSiteOptions = {}) => {
  site = await createTestSite(options)
  return site.as('ada')
}
const posts = '/cms/v2/posts'
/** The events without those of the seed. */
const start = async () => {
  const { cursor } = await site.api.events.since(0, { limit: 1000 })
  return async () => (await site.api.events.since(cursor)).events
}

test('has each event of a change once, numbered without gaps, with the record that changed', async () => {
  const ada = await open()
  const after = await start()
  const { body } = await ada('POST', posts, {
    body: { title: 'Spring tides', status: 'publish', content: 'secret text' },
  })
  await ada('DELETE', `${posts}/${body.id}`)
  const events = await after()
  expect(events.map(({ name, subject }) => [name, subject])).toEqual([
    ['post.created', `post:${body.id}`],
    ['post.published', `post:${body.id}`],
    ['post.updated', `post:${body.id}`],
    ['revision.created', expect.stringMatching(/^revision:/)],
    ['post.trashed', `post:${body.id}`],
  ])
  const [first = { sequence: 0 }] = events
  expect(events.map(({ sequence }) => sequence - first.sequence)).toEqual([0, 1, 2, 3, 4])
  expect(new Set(events.map(({ id }) => id)).size).toBe(5)
  expect(events[0]?.data).toMatchObject({
    post: { id: body.id, type: 'post', status: 'publish', slug: 'spring-tides' },
  })
  expect(JSON.stringify(events)).not.toContain('secret text')
})

test('has the events of calls inside the process, with their transaction', async () => {
  await open()
  const after = await start()
  const { id } = await site.api.site.users.create({ login: 'wren', email: 'wren@example.com' })
  await site.api.site.options.write({ name: 'Quay' })
  const [medium] = [await site.api.site.media.create({ file: '2024/06/a.jpg', mimeType: 'image/jpeg' })]
  const { id: password } = await site.api.site.passwords.create(id, 'Phone')
  expect((await after()).map(({ name, subject }) => `${name} ${subject}`)).toEqual([
    `user.created user:${id}`,
    'site.changed site',
    `media.created media:${medium.id}`,
    `password.created password:${password}`,
  ])
})

test('has nothing of a change that was refused or rolled back', async () => {
  const ada = await open({
    hooks: {
      'post.created': ({ post }) => {
        if (post.title === 'No') throw new ApiError('no', 'No.', 409)
      },
    },
  })
  const after = await start()
  expect((await ada('POST', posts, { body: { title: 'No' } })).status).toBe(409)
  const requests = ['Yes', 'No'].map((title) => ({ method: 'POST', path: posts, body: { title } }))
  await ada('POST', '/batch/v1', { body: { requests } })
  expect((await after()).filter(({ name }) => name === 'post.created').map(({ data }) => data)).toEqual([
    { post: expect.objectContaining({ slug: '', status: 'draft' }) },
  ])
})

/** Old events go with as many ids as are kept. */
const often = 40
const writeOften = async () => {
  for (let made = 0; made < often; made++) await site.api.site.options.write({ description: `Tide ${made}` })
}

test('reads in windows, and says when events before the next one are no longer kept', async () => {
  const ada = await open({ events: { count: 15 } })
  for (let made = 0; made < 12; made++) await ada('POST', posts, { body: { title: `Tide ${made}` } })
  const first = await site.api.events.since(0, { limit: 7 })
  expect([first.events.length, first.cursor, first.missed]).toEqual([7, 7, false])
  const second = await site.api.events.since(first.cursor, { limit: 7 })
  expect(second.events[0]?.sequence).toBe(8)
  const { cursor } = await site.api.events.since(second.cursor, { limit: 1000 })
  await writeOften()
  await site.api.site.runDue()
  const late = await site.api.events.since(0, { limit: 1000 })
  expect(late.missed).toBe(true)
  // Those that were removed without a number count too.
  expect(late.cursor).toBe(cursor + often)
  expect(late.events[0]?.sequence).toBeGreaterThan(cursor)
  expect((await site.api.events.since(late.cursor)).missed).toBe(false)
})

test('keeps the events of a batch in one row, without those of the items that failed', async () => {
  let opened: Storage | undefined
  const ada = await open({ storage: (storage) => (opened = storage) })
  const after = await start()
  const requests = ['One', 'Two', 'Three'].map((title) => ({ method: 'POST', path: posts, body: { title } }))
  const wrong = { method: 'POST', path: posts, body: { title: 'Four', status: 'nonsense' } }
  await ada('POST', '/batch/v1', { body: { requests: [...requests, wrong] } })
  expect((await opened?.records.query(outboxChanges, {}))?.rows).toHaveLength(1)
  expect((await after()).map(({ name }) => name)).toEqual(requests.map(() => 'post.created'))
})

test('gives no numbers to events that nobody reads, also when old ones are removed', async () => {
  let opened: Storage | undefined
  await open({ events: { count: 5 }, storage: (storage) => (opened = storage) })
  await writeOften()
  await site.api.site.runDue()
  expect((await opened?.records.query(outboxChanges, { total: true, limit: 0 }))?.total).toBeLessThan(often / 2)
  expect(await opened?.records.query(outboxEvents, {})).toMatchObject({ rows: [] })
})

test('removes old events also where rows of another collection take each id at which they would go', async () => {
  let opened: Storage | undefined
  await open({ events: { count: 5 }, storage: (storage) => (opened = storage) })
  const others = { name: 'others', fields: { place: 'integer' } } as const
  const addOther = async () => (await opened?.records.insert(others, [{ place: 1 }]))?.[0] ?? 0
  for (let made = 0; made < often; made++) {
    await site.api.site.options.write({ description: `Tide ${made}` })
    if (((await addOther()) + 1) % 5 === 0) await addOther()
  }
  await site.api.site.runDue()
  expect((await opened?.records.query(outboxChanges, { total: true, limit: 0 }))?.total).toBeLessThan(often / 2)
})

test('numbers at most 200 events in a transaction', async () => {
  const { calls, wrap } = recorded()
  let opened: Storage | undefined
  await open({
    storage: (storage) => {
      opened = storage
      return wrap(storage)
    },
  })
  await start()
  const event = (uid: string) => ({ uid, name: 'post.created', subject: 'post:1', data: {} })
  const change = (at: number) => ({
    events: Array.from({ length: 30 }, (_, index) => event(`${at}-${index}`)),
    created_at: '2026-01-02T03:04:05.000Z',
  })
  const changes = Array.from({ length: 15 }, (_, at) => change(at))
  await opened?.records.insert(outboxChanges, changes)
  calls.length = 0
  await site.api.events.since(0)
  const sizes = calls.flatMap(({ name, args: [collection, rows] }) =>
    name === 'records.insert' && collection === outboxEvents ? [(rows as readonly unknown[]).length] : [],
  )
  expect(sizes).toEqual([180, 180, 90])
})

test('refuses cursors and limits that are none', async () => {
  await open()
  await expect(site.api.events.since(-1)).rejects.toThrow('a cursor is a number of an event, not -1')
  await expect(site.api.events.since(0, { limit: 5000 })).rejects.toThrow('a limit is a number from 1 to 1000')
})

test('numbers each event once when several readers number at the same time', async () => {
  const ada = await open()
  const after = await start()
  const titles = Array.from({ length: 30 }, (_, index) => `Tide ${index}`)
  await Promise.all(
    titles.map(async (title) => {
      await ada('POST', posts, { body: { title } })
      await site.api.events.since(0)
    }),
  )
  const events = await after()
  expect(events.filter(({ name }) => name === 'post.created')).toHaveLength(30)
  const [first = { sequence: 0 }] = events
  expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => first.sequence + index))
})

test('runs the hooks of an event once, for the items of a batch too', async () => {
  let runs = 0
  const ada = await open({ hooks: { 'post.created': () => void runs++ } })
  const requests = ['One', 'Two'].map((title) => ({ method: 'POST', path: posts, body: { title } }))
  await ada('POST', '/batch/v1', { body: { requests } })
  expect(runs).toBe(2)
})
