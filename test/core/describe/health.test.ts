import { expect, test } from 'vitest'
import type { Storage } from '../../../src/contract/storage.ts'
import { createSiteApi, type SiteApi } from '../../../src/host/create-site-api.ts'
import type { SiteApiOptions } from '../../../src/host/site-options.ts'
import { d1 } from '../../../src/profiles/d1.ts'
import { memoryStorage } from '../../../src/storage/memory/index.ts'

const silent = { error: () => undefined }
const siteOn = (storage: Storage, options: Partial<SiteApiOptions> = {}) =>
  createSiteApi({ storage, profile: d1, url: 'https://quay.example', log: silent, ...options })

const ask = (api: SiteApi, method = 'GET') =>
  api.fetch(new Request('https://quay.example/api/site-api/v1/health', { method }))

/** Storage whose reads of options do what the test says. */
function storageThat(read: () => unknown): Storage {
  const storage = memoryStorage()
  // The cast: a broken storage gives what it likes.
  return { ...storage, options: { ...storage.options, read: read as Storage['options']['read'] } }
}

test('a site whose storage answers is alive and ready', async () => {
  expect(await siteOn(memoryStorage()).health()).toEqual({ live: true, ready: true, storage: 'ok' })
})

test('a site whose storage fails is alive and not ready, and ready again afterwards', async () => {
  let isBroken = true
  const inner = memoryStorage()
  const api = siteOn(
    storageThat(() => {
      if (isBroken) throw new Error('the disk is full')
      return inner.options.read()
    }),
    { health: true },
  )
  expect(await api.health()).toEqual({ live: true, ready: false, storage: 'failed' })
  const refused = await ask(api)
  expect(refused.status).toBe(503)
  expect(await refused.json()).toEqual({ live: true, ready: false, storage: 'failed' })
  isBroken = false
  expect((await ask(api)).status).toBe(200)
})

test('a storage that can not be opened is not ready', async () => {
  const open = () => {
    throw new Error('there is no server')
  }
  expect(await siteOn({ ...memoryStorage(), open }).health()).toMatchObject({ ready: false, storage: 'failed' })
})

test('a storage that hangs is asked once, whatever the number of checks, and is reported as slow', async () => {
  let asked = 0
  const api = siteOn(
    storageThat(() => {
      asked++
      return new Promise(() => undefined)
    }),
    { health: true },
  )
  const answers = await Promise.all([api.health(), api.health(), ask(api).then((response) => response.json())])
  expect(answers).toEqual(Array.from({ length: 3 }, () => ({ live: true, ready: false, storage: 'slow' })))
  expect(asked).toBe(1)
})

test('an api that closes is not ready', async () => {
  const api = siteOn(memoryStorage())
  await api.close()
  expect(await api.health()).toEqual({ live: true, ready: false, storage: 'closed' })
})

test('the route answers GET and HEAD without storing anything in caches, and is in no index', async () => {
  const api = siteOn(memoryStorage(), { health: true })
  const answer = await ask(api)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('cache-control')).toBe('no-store')
  expect((await ask(api, 'HEAD')).status).toBe(200)
  expect(JSON.stringify(await api.index())).not.toContain('site-api/v1')
  expect((await api.call('GET', '/site-api/v1/health')).data).toEqual({ live: true, ready: true, storage: 'ok' })
})

test('without the option there is no such route', async () => {
  expect((await ask(siteOn(memoryStorage()))).status).toBe(404)
})
