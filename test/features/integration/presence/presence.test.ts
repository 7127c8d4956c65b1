/** Presence: who is where, as a list and as a stream, over the processes of a site. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Storage } from '../../../../src/contract/storage.ts'
import { createSiteApi, type SiteApi } from '../../../../src/host/create-site-api.ts'
import { full } from '../../../../src/profiles/full.ts'
import {
  baseUrl,
  createTestSite,
  failuresOf,
  type Received,
  type Requester,
  type TestSite,
} from '../../../support/site.ts'
import { passwordOf } from '../../../support/small-site.ts'
import type { OpenStorage } from '../../../support/storage.ts'

let site: TestSite
let storage: Storage
/** Keeps the storage, for a second process. */
const shared = (opened: OpenStorage['storage']) => {
  storage = opened
  return opened
}
let ada: Requester
let edith: Requester
let post: number
beforeEach(async () => {
  site = await createTestSite({ profile: full, storage: shared })
  ada = site.as('ada')
  edith = site.as('edith')
  post = (await ada('POST', '/cms/v2/posts', { body: { title: 'Shared', status: 'publish' } })).body.id
})
afterEach(async () => {
  expect(failuresOf(site)).toEqual([])
  await site.dispose()
})

const root = '/site-api/v1/presence'
const at = (send: Requester, session: string, more: object = {}) =>
  send('POST', root, { body: { session, record: `post:${post}`, ...more } })
const told = ({ body }: Received) =>
  body.map(({ user, record, state }: { user: { name: string }; record: string; state: string }) => [
    user.name,
    record,
    state,
  ])

test('tells who is where, until a window is closed or no longer heard of', async () => {
  expect(told(await at(ada, 'one', { state: 'editing' }))).toEqual([['Ada Admin', `post:${post}`, 'editing']])
  site.clock.now += 1000
  await at(edith, 'one')
  await at(edith, 'two', { record: 'menus' })
  const list = await ada('GET', root)
  expect(told(list)).toEqual([
    ['Ada Admin', `post:${post}`, 'editing'],
    ['Edith Editor', `post:${post}`, 'viewing'],
    ['Edith Editor', 'menus', 'viewing'],
  ])
  // The windows of others have no names here.
  expect(list.body.map(({ session }: { session: string }) => session)).toEqual(['one', '', ''])
  expect(told(await ada('GET', root, { query: { record: 'menus' } }))).toEqual([['Edith Editor', 'menus', 'viewing']])
  expect((await edith('DELETE', root, { query: { session: 'two' } })).status).toBe(204)
  site.clock.now += 50_000
  await at(edith, 'one')
  site.clock.now += 20_000
  expect(told(await ada('GET', root))).toEqual([['Edith Editor', `post:${post}`, 'viewing']])
})

test('shows posts to those who may edit them alone', async () => {
  await at(ada, 'one')
  expect((await at(site.as('connie'), 'one')).status).toBe(404)
  expect(told(await site.as('connie')('GET', root))).toEqual([])
  expect((await site.as('sam')('GET', root)).status).toBe(403)
  expect((await site.visitor('GET', root)).status).toBe(401)
  expect((await at(ada, 'one', { record: 'post:77777' })).status).toBe(404)
  expect((await at(ada, 'one', { record: '../x' })).status).toBe(400)
})

test('keeps a bounded number of windows', async () => {
  for (let number = 0; number < 25; number++) {
    site.clock.now += 10
    await at(ada, `w${number}`, { record: 'menus' })
  }
  const { body } = await ada('GET', root)
  expect(body).toHaveLength(20)
  expect(body.at(-1).session).toBe('w24')
})

/** Reads the messages of a stream one by one. */
async function follow(api: SiteApi, login: string, query = '') {
  const credentials = Buffer.from(`${login}:${passwordOf(login)}`).toString('base64')
  const request = new Request(`${baseUrl}/api${root}/stream${query}`, {
    headers: { Authorization: `Basic ${credentials}` },
  })
  const response = await api.fetch(request)
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=UTF-8')
  const reader = (response.body as ReadableStream<Uint8Array>).getReader()
  const decoder = new TextDecoder()
  return {
    next: async () => {
      const { done, value } = await reader.read()
      return done ? undefined : decoder.decode(value)
    },
    end: () => reader.cancel(),
  }
}

test('streams changes that another process writes, and tells who has lost a lock', async () => {
  const other = createSiteApi({ storage, profile: full, url: baseUrl, passwordCost: 10, clock: () => site.clock.now })
  const stream = await follow(other as unknown as SiteApi, 'ada')
  expect(await stream.next()).toBe('event: presence\ndata: []\n\n')
  await ada('POST', `/site-api/v1/locks/${post}`)
  await at(ada, 'one', { state: 'editing' })
  const first = await stream.next()
  expect(first).toContain('"state":"editing"')
  expect(first).toContain('"is_yours":true')
  await edith('POST', `/site-api/v1/locks/${post}`, { body: { take_over: true } })
  expect(await stream.next()).toContain(
    `event: lock_lost\ndata: {"record":"post:${post}","user":{"id":${site.ids['user.editor']},"name":"Edith Editor"}`,
  )
  await stream.end()

  // A stream that its reader keeps open ends with the api.
  const open = await follow(site.api, 'edith')
  await open.next()
  const last = open.next()
  await site.api.close()
  expect(await last).toBeUndefined()
})

test('a stream ends after its seconds', async () => {
  const stream = await follow(site.api, 'ada', '?seconds=1')
  await stream.next()
  expect(await stream.next()).toBeUndefined()
})

test('renews a lock that the caller has, and takes none', async () => {
  const lock = `/site-api/v1/locks/${post}`
  await at(ada, 'one', { renew_lock: true })
  expect((await ada('GET', lock)).body.locked).toBe(false)
  const { since } = (await ada('POST', lock)).body
  site.clock.now += 100_000
  const [entry] = (await at(ada, 'one', { renew_lock: true })).body
  expect(entry.lock).toMatchObject({ is_yours: true, since, taken_over: false })
  site.clock.now += 100_000
  expect((await edith('GET', lock)).body).toMatchObject({ locked: true, since })
})
