/** Clients and the log learn of a storage that fails. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { StorageRetry, StorageTooLarge, StorageUnavailable } from '../../../src/contract/storage.ts'
import type { LogDetail } from '../../../src/core/declare/app-context.ts'
import { createSiteApi } from '../../../src/host/create-site-api.ts'
import { d1 } from '../../../src/profiles/d1.ts'
import { memoryStorage } from '../../../src/storage/memory/index.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

function siteWith(failure: () => Error) {
  const storage = memoryStorage()
  const query = () => {
    throw failure()
  }
  const logged: ({ readonly message: string } & LogDetail)[] = []
  const log = { error: (message: string, detail: LogDetail) => void logged.push({ message, ...detail }) }
  const api = createSiteApi({
    storage: { ...storage, posts: { ...storage.posts, query } },
    profile: d1,
    url: 'https://quay.example',
    log,
  })
  const get = (path = '/cms/v2/posts') => api.fetch(new Request(`https://quay.example/api${path}`))
  return { get, logged }
}

const away = () => new StorageUnavailable('the server is away', { written: 'no', cause: new Error('a secret address') })

test('a storage that is not available is 503 with Retry-After and a code, and nothing of its error is shown', async () => {
  const { get } = siteWith(away)
  const response = await get()
  expect(response.status).toBe(503)
  expect(response.headers.get('retry-after')).toBe('5')
  const text = await response.text()
  expect(JSON.parse(text)).toEqual({
    code: 'storage_unavailable',
    message: expect.stringContaining('Nothing was written'),
    data: { status: 503, written: 'no', retry_after: 5, id: expect.any(String) },
  })
  expect(text).not.toContain('server is away')
})

test('an outcome that is unknown has a code of its own', async () => {
  const { get } = siteWith(() => new StorageUnavailable('the connection ended', { written: 'perhaps' }))
  expect(await (await get()).json()).toMatchObject({ code: 'storage_outcome_unknown', data: { written: 'perhaps' } })
})

test('a record that the storage can not hold is 413, and no failure in the log', async () => {
  const { get, logged } = siteWith(() => new StorageTooLarge(new Error('too big')))
  const response = await get()
  expect([response.status, (await response.json()).code]).toEqual([413, 'rest_too_large'])
  expect(logged).toEqual([])
})

test('a transaction that the database keeps refusing, and a schema that is newer, are 503 too', async () => {
  for (const error of [
    new StorageRetry(new Error('deadlock')),
    Object.assign(new Error('newer'), { code: 'storage_newer' }),
  ]) {
    const response = await siteWith(() => error).get()
    expect(response.status).toBe(503)
    expect(await response.json()).toMatchObject({ code: 'storage_unavailable' })
  }
})

test('many failures are one line in the log, and one with their number after ten seconds', async () => {
  const { get, logged } = siteWith(away)
  const ids = new Set<string>()
  for (let at = 0; at < 50; at++) {
    const { data } = (await (await get()).json()) as { data: { id: string } }
    ids.add(data.id)
  }
  expect(logged).toEqual([
    expect.objectContaining({ message: 'the storage failed', count: 1, method: 'GET', path: '/cms/v2/posts' }),
  ])
  expect([...ids]).toEqual([logged[0]?.id])
  vi.advanceTimersByTime(10_000)
  expect(logged.slice(1)).toEqual([
    expect.objectContaining({
      message: 'the storage failed 49 more times in 10 seconds',
      count: 49,
      id: logged[0]?.id,
    }),
  ])
  await get()
  expect(logged).toHaveLength(3)
})

test('one failure alone is one line', async () => {
  const { get, logged } = siteWith(away)
  await get()
  vi.advanceTimersByTime(10_000)
  expect(logged).toHaveLength(1)
})

test('the console shows a counted failure without its stack', async () => {
  const lines: unknown[][] = []
  const spy = vi.spyOn(console, 'error').mockImplementation((...line: unknown[]) => void lines.push(line))
  try {
    const storage = memoryStorage()
    const query = () => {
      throw away()
    }
    const broken = { ...storage, posts: { ...storage.posts, query } }
    const api = createSiteApi({ storage: broken, profile: d1, url: 'https://quay.example' })
    await api.fetch(new Request('https://quay.example/api/cms/v2/posts'))
  } finally {
    spy.mockRestore()
  }
  expect(lines).toEqual([[expect.stringMatching(/^site-api: the storage failed \(GET .*\): the server is away$/)]])
})
