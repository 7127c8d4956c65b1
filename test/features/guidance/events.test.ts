/** Recorded events and feedback: stored members, permissions and limits. */
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Storage } from '../../../src/contract/storage.ts'
import { eventCollection } from '../../../src/features/guidance/events/model.ts'
import { feedbackCollection } from '../../../src/features/guidance/feedback.ts'
import type { Parsed } from '../../support/parsed.ts'
import { createTestSite, type Requester } from '../../support/site.ts'

async function openSite() {
  let storage: Storage | undefined
  const site = await createTestSite({
    storage: (opened) => {
      storage = opened
      return opened
    },
  })
  onTestFinished(async () => {
    expect(site.failures).toEqual([])
    await site.dispose()
  })
  return { ...site, ada: site.as('ada'), storage: storage as Storage }
}

const dayMs = 24 * 60 * 60 * 1000

describe('events', () => {
  const path = '/builder/v1/send-event'
  const record = (send: Requester, event: object) => send('POST', path, { body: { event_data: event } })

  test('stores an event with the time that the client states', async () => {
    const { ada } = await openSite()
    const event = { event_name: 'open', ts: '2024-06-01T08:00:00.000Z', details: { panel: 'style' } }
    const stored = await record(ada, event)
    expect([stored.status, stored.body]).toEqual([200, true])
    expect((await ada('GET', path)).body).toEqual([{ id: expect.any(Number), event_data: event, created_at: event.ts }])
  })

  test('without time or details it gets the current time and empty details', async () => {
    const { ada } = await openSite()
    for (const ts of [undefined, 'yesterday', 12, null]) await record(ada, { event_name: 'open', ts, details: 'none' })
    for (const { event_data: event, created_at: createdAt } of (await ada('GET', path)).body) {
      expect([event.details, createdAt]).toEqual([{}, '2024-06-15T12:00:00.000Z'])
    }
  })

  test('does not store an empty event', async () => {
    const { ada } = await openSite()
    const stored = await record(ada, {})
    expect([stored.status, stored.body]).toEqual([200, false])
    expect((await ada('GET', path)).body).toEqual([])
  })

  test('requires the event as an object', async () => {
    const { ada } = await openSite()
    expect((await ada('POST', path, { body: {} })).body.code).toBe('rest_missing_callback_param')
    for (const event of ['text', 12, true]) {
      const { status, body } = await ada('POST', path, { body: { event_data: event } })
      expect([status, body.code, Object.keys(body.data.params)]).toEqual([400, 'rest_invalid_param', ['event_data']])
    }
  })

  test('lists the newest first, with pages and search', async () => {
    const { ada } = await openSite()
    for (let n = 1; n <= 12; n++) await record(ada, { event_name: `step ${n}` })
    const first = await ada('GET', path)
    expect(first.body.map((one: { event_data: { event_name: string } }) => one.event_data.event_name)).toEqual(
      [12, 11, 10, 9, 8, 7, 6, 5, 4, 3].map((n) => `step ${n}`),
    )
    expect([first.headers.get('x-cms-total'), first.headers.get('x-cms-totalpages')]).toEqual(['12', '2'])
    expect(first.headers.get('link')).toContain('rel="next"')
    expect((await ada('GET', path, { query: 'page=2&per_page=5' })).body).toHaveLength(5)
    expect((await ada('GET', path, { query: 'page=9' })).body).toEqual([])
    expect((await ada('GET', path, { query: 'search=STEP 12' })).body).toHaveLength(1)
    expect((await ada('GET', path, { query: 'search=%25' })).body).toEqual([])
    for (const wrong of ['page=0', 'per_page=0', 'per_page=101', 'context=all']) {
      expect([wrong, (await ada('GET', path, { query: wrong })).status]).toEqual([wrong, 400])
    }
  })

  test('treats names of Object.prototype members as ordinary names', async () => {
    const { ada } = await openSite()
    await ada('POST', path, { body: '{"event_data":{"toString":1,"x":{"constructor":2}}}', headers: json })
    expect((await ada('GET', path)).body[0].event_data).toEqual({ toString: 1, x: { constructor: 2 }, details: {} })
  })

  test('rejects a large event', async () => {
    const { ada } = await openSite()
    const large = await record(ada, { event_name: 'x'.repeat(1024 * 1024) })
    expect([large.status, large.body.code]).toEqual([413, 'rest_body_too_large'])
    expect((await record(ada, { event_name: 'x'.repeat(60 * 1024) })).status).toBe(200)
  })

  test('stores only the newest thousand events', async () => {
    const { ada, storage } = await openSite()
    const rows = Array.from({ length: 1100 }, (_, n) => ({ event: `{"n":${n}}`, ts: '', created_at: '2024-06-15' }))
    await storage.records.insert(eventCollection, rows)
    await record(ada, { n: 1100 })
    const { headers, body } = await ada('GET', path, { query: 'per_page=100&page=10' })
    expect([headers.get('x-cms-total'), body.at(-1).event_data.n]).toEqual(['1000', 101])
  })

  test('removes events older than ninety days', async () => {
    const { ada, clock } = await openSite()
    await record(ada, { event_name: 'old', ts: '2098-01-01T00:00:00Z' })
    clock.now += 60 * dayMs
    await record(ada, { event_name: 'middle' })
    clock.now += 31 * dayMs
    await record(ada, { event_name: 'new' })
    const names = (await ada('GET', path)).body.map((one: { event_data: { event_name: string } }) => one.event_data)
    expect(names.map((event: { event_name: string }) => event.event_name)).toEqual(['new', 'middle'])
  })

  test('only administrators record and list', async () => {
    const { as } = await openSite()
    for (const [login, status] of [
      [null, 401],
      ['sam', 403],
      ['connie', 403],
      ['arthur', 403],
      ['edith', 403],
      ['ada', 200],
    ] as const) {
      const send = as(login)
      const responses = [await send('GET', path), await record(send, { event_name: 'x' })]
      expect([login, ...responses.map((response) => response.status)]).toEqual([login, status, status])
    }
  })

  test('an export contains the events', async () => {
    const { ada, api } = await openSite()
    await record(ada, { event_name: 'kept' })
    const other = await createTestSite({ seed: await api.site.export() })
    onTestFinished(() => other.dispose())
    const withoutIds = ({ body }: { readonly body: Parsed }) => body.map((event: Parsed) => ({ ...event, id: 0 }))
    expect(withoutIds(await other.as('ada')('GET', path))).toEqual(withoutIds(await ada('GET', path)))
  })

  test('tells the host', async () => {
    const { ada, api } = await openSite()
    await record(ada, { event_name: 'kept', id: 7 })
    const [{ id }] = (await ada('GET', path)).body
    const { events } = await api.events.since(0)
    expect(events.at(-1)).toMatchObject({ name: 'usage.reported', subject: `usage:${id}`, data: { id } })
  })
})

const json = { 'content-type': 'application/json' }

describe('feedback', () => {
  const path = '/builder/v1/feedback/submit'
  const rowsOf = async (storage: Storage) => (await storage.records.query(feedbackCollection, {})).rows
  const anyId = expect.any(Number)

  test('anyone may send feedback, and an event is emitted', async () => {
    const { visitor, as, api, storage, ids } = await openSite()
    const events: unknown[] = []
    api.on('feedback.submitted', (payload) => events.push(payload))
    for (const send of [visitor, as('sam')]) {
      const { status, body } = await send('POST', path, { body: { description: ' <b>Fine</b> ' } })
      expect([status, body.success, body.code, typeof body.message]).toEqual([200, true, 200, 'string'])
    }
    const sam = ids['user.subscriber']
    const createdAt = '2024-06-15T12:00:00.000Z'
    expect(await rowsOf(storage)).toEqual([
      { id: anyId, description: 'Fine', user: 0, created_at: createdAt },
      { id: anyId, description: 'Fine', user: sam, created_at: createdAt },
    ])
    expect(events).toEqual([
      { id: anyId, description: 'Fine', user: 0 },
      { id: anyId, description: 'Fine', user: sam },
    ])
  })

  test.each([
    ['no description', {}],
    ['a blank description', { description: '  ' }],
    ['markup alone', { description: '<b></b>' }],
    ['a description that is no string', { description: ['x'] }],
    ['a description that is too long', { description: 'x'.repeat(10_001) }],
  ])('reports %s in the body, with status 200', async (_, body) => {
    const { visitor, storage } = await openSite()
    const response = await visitor('POST', path, { body })
    expect([response.status, response.body.success, response.body.code]).toEqual([200, false, 400])
    expect(await rowsOf(storage)).toEqual([])
  })

  test('rejects a large body', async () => {
    const { visitor } = await openSite()
    const { status } = await visitor('POST', path, { body: { description: 'x'.repeat(1024 * 1024) } })
    expect(status).toBe(413)
  })

  test('limits stored feedback by number and age', async () => {
    const { visitor, storage, clock } = await openSite()
    const send = () => visitor('POST', path, { body: { description: 'Again' } })
    await send()
    clock.now += 366 * dayMs
    await send()
    expect(await rowsOf(storage)).toMatchObject([{ created_at: new Date(clock.now).toISOString() }])
    const many = Array.from({ length: 1200 }, () => ({
      description: 'More',
      user: 0,
      created_at: new Date(clock.now).toISOString(),
    }))
    await storage.records.insert(feedbackCollection, many)
    await send()
    expect(await rowsOf(storage)).toHaveLength(1000)
  })
})
