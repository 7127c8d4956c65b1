/** Runs with `npm test`, on a storage in memory. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createSiteApi } from 'site-api'
import { memoryStorage } from 'site-api/storage/memory'
import { site } from '../src/content.ts'

const api = createSiteApi({ storage: memoryStorage(), profile: site, url: 'http://localhost' })
let as = 0

before(async () => {
  as = (await api.site.users.create({ login: 'ada', roles: ['administrator'] })).id
})
after(() => api.close())

test('a post keeps its subtitle', async () => {
  const post = { title: 'High tide', status: 'publish', meta: { subtitle: 'What the harbour said' } } as const
  await api.call('POST', '/cms/v2/posts', post, { as })
  const { data } = await api.call('GET', '/cms/v2/posts', { search: 'tide' })
  assert.deepEqual(
    data.map(({ meta }) => meta?.subtitle),
    ['What the harbour said'],
  )
})

test('an event keeps its place, and visitors read it', async () => {
  const meta = { starts: '2026-06-01T19:30', place: 'Old pier' }
  const event = { title: 'Harbour walk', status: 'publish', meta } as const
  await api.call('POST', '/cms/v2/events', event, { as })
  const { data } = await api.call('GET', '/cms/v2/events')
  assert.deepEqual(
    data.map(({ meta }) => meta?.place),
    ['Old pier'],
  )
})
