/** Tests the log entries of a host when the service fails. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Storage } from '../../../src/contract/storage.ts'
import type { LogDetail } from '../../../src/core/declare/app-context.ts'
import { createSiteApi } from '../../../src/host/create-site-api.ts'
import { d1 } from '../../../src/profiles/d1.ts'
import { memoryStorage } from '../../../src/storage/memory/index.ts'
import { sqliteStorage } from '../../../src/storage/sqlite.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'site-api-failures-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function siteOn(storage: Storage) {
  const logged: ({ readonly message: string } & LogDetail)[] = []
  const log = { error: (message: string, detail: LogDetail) => void logged.push({ message, ...detail }) }
  const api = createSiteApi({ storage, profile: d1, url: 'https://quay.example', log })
  const get = (path: string) => api.fetch(new Request(`https://quay.example/api${path}`))
  return { api, get, logged }
}

function withBrokenPosts(): Storage {
  const storage = memoryStorage()
  const query = () => {
    throw new Error('the disk is full')
  }
  return { ...storage, posts: { ...storage.posts, query } }
}

test('logs method, path and the id of the response for a request that fails', async () => {
  const { get, logged } = siteOn(withBrokenPosts())
  const response = await get('/cms/v2/posts?search=secret')
  expect(response.status).toBe(500)
  const { data } = (await response.json()) as { data: { id: string } }
  expect(logged).toEqual([
    expect.objectContaining({ message: 'a request failed', id: data.id, method: 'GET', path: '/cms/v2/posts' }),
  ])
})

test('writes method, path and id to the console without a log of the host', async () => {
  const lines: string[] = []
  const spy = vi.spyOn(console, 'error').mockImplementation((line: string) => void lines.push(line))
  try {
    const api = createSiteApi({ storage: withBrokenPosts(), profile: d1, url: 'https://quay.example' })
    await api.fetch(new Request('https://quay.example/api/cms/v2/posts'))
  } finally {
    spy.mockRestore()
  }
  expect(lines).toEqual([expect.stringMatching(/^site-api: a request failed \(GET \/cms\/v2\/posts, [\w-]{36}\)$/)])
})

const unopened: readonly [what: string, prepare: () => string, reason: RegExp][] = [
  ['in a missing folder', () => join(folder, 'none/site.db'), /there is no folder \/.*\/none$/],
  [
    'that is a folder',
    () => {
      mkdirSync(join(folder, 'site.db'))
      return join(folder, 'site.db')
    },
    /it is a folder$/,
  ],
  [
    'that is no database',
    () => {
      writeFileSync(join(folder, 'site.db'), 'not a database, but longer than the header of one'.repeat(100))
      return join(folder, 'site.db')
    },
    /file is not a database$/,
  ],
]

test.each(unopened)('names a SQLite file %s, and the reason', async (_, prepare, reason) => {
  const file = prepare()
  const { api, get, logged } = siteOn(sqliteStorage(file))
  const response = await get('/cms/v2/posts')
  expect(response.status).toBe(500)
  const message = String(logged[0]?.error)
  expect(message).toContain(`the SQLite file ${file} can not be opened: `)
  expect(message).toMatch(reason)
  expect(logged[0]).toMatchObject({ method: 'GET', path: '/cms/v2/posts' })
  await expect(api.site.users.find({ id: 1 })).rejects.toThrow(`the SQLite file ${file} can not be opened: `)
})

test('opens the storage again after a failure, so that a mended cause needs no restart', async () => {
  const { get } = siteOn(sqliteStorage(join(folder, 'later/site.db')))
  expect((await get('/cms/v2/posts')).status).toBe(500)
  mkdirSync(join(folder, 'later'))
  expect((await get('/cms/v2/posts')).status).toBe(200)
})
