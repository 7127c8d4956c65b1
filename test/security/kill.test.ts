/** A process killed in the middle of a batch leaves nothing of the batch in the database. SQLite only. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createSiteApi } from '../../src/host/create-site-api.ts'
import { d1 } from '../../src/profiles/d1.ts'
import { sqliteStorage } from '../../src/storage/sqlite.ts'
import { basic } from '../support/site.ts'
import { smallSite } from '../support/small-site.ts'

const script = fileURLToPath(new URL('./kill-server.ts', import.meta.url))
const credentials = { authorization: basic('ada'), 'content-type': 'application/json' }

const withSite = async <T>(file: string, use: (api: ReturnType<typeof createSiteApi>) => Promise<T>): Promise<T> => {
  const api = createSiteApi({ storage: sqliteStorage(file), profile: d1, url: 'https://quay.example' })
  try {
    return await use(api)
  } finally {
    await api.close()
  }
}

async function startServer(file: string, call: string, count: number) {
  const child = spawn(
    process.execPath,
    ['--experimental-strip-types', '--no-warnings', script, file, call, String(count)],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  onTestFinished(() => void child.kill('SIGKILL'))
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const next = async () => String((await lines.next()).value)
  return { child, next, url: await next() }
}

const five = Array.from({ length: 5 }, (_, index) => ({
  path: '/cms/v2/posts',
  body: { title: `Batch ${index + 1}`, status: 'publish', meta: { footnotes: '[]' } },
}))

describe.runIf(process.env.TEST_STORAGE === 'sqlite')('a process killed during a batch of five', () => {
  test.each([
    ['before the third post is written', 'posts.insert', 3, false],
    ['after the third post is written', 'meta.write', 3, false],
    ['before the third post is written, in an atomic batch', 'posts.insert', 3, true],
    // Each of the five requests commits a savepoint; the sixth commit is that of the batch.
    ['when all five posts are written, but not committed', 'commit', 6, false],
  ])('leaves none of the five posts when killed %s', async (_, call, count, atomic) => {
    const folder = mkdtempSync(join(tmpdir(), 'site-api-kill-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const file = join(folder, 'site.db')
    await withSite(file, (api) => api.site.seed(smallSite))

    const { child, next, url } = await startServer(file, call, count)
    const lost = fetch(`${url}/api/batch/v1`, {
      method: 'POST',
      headers: credentials,
      body: JSON.stringify({ requests: five, atomic }),
    }).then(
      (response) => response.status,
      () => 'no response' as const,
    )
    expect(await next()).toBe('stopped')
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    expect(await exited).toEqual([null, 'SIGKILL'])
    expect(await lost).toBe('no response')

    await withSite(file, async (api) => {
      const listed = await api.call('GET', '/cms/v2/posts?status=any&search=Batch', {}, { as: 'system' })
      expect(listed.data).toEqual([])
      // The database stays usable: the same batch now succeeds.
      const response = await api.fetch(
        new Request('https://quay.example/api/batch/v1', {
          method: 'POST',
          headers: credentials,
          body: JSON.stringify({ requests: five, atomic }),
        }),
      )
      const { responses } = (await response.json()) as { responses: { status: number }[] }
      expect(responses.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201])
    })
    const database = new DatabaseSync(file)
    expect(database.prepare('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }])
    expect(database.prepare('PRAGMA foreign_key_check').all()).toEqual([])
    database.close()
  })
})
