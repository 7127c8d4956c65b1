/** BA-13: a process that is killed in the middle of a batch leaves all of it or nothing. One durable storage: SQLite. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createSiteApi } from '../../src/create-site-api.ts'
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

describe.runIf(process.env.TEST_STORAGE === 'sqlite')('BA-13: a process killed during item 3 of 5', () => {
  test.each([
    ['before its post is written', 'posts.insert', 3, false],
    ['after its post is written', 'meta.write', 3, false],
    ['before it is written, in an all-or-nothing batch', 'posts.insert', 3, true],
    // Each item ends in a savepoint of its own; the sixth end is the one of the whole batch.
    ['when all five are written, but not committed', 'commit', 6, false],
  ])('%s: none of the five is there afterwards', async (_, call, count, atomic) => {
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
      (answer) => answer.status,
      () => 'no answer' as const,
    )
    expect(await next()).toBe('stopped')
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    expect(await gone).toEqual([null, 'SIGKILL'])
    expect(await lost).toBe('no answer')

    await withSite(file, async (api) => {
      const found = await api.call('GET', '/cms/v2/posts?status=any&search=Batch', {}, { as: 'system' })
      expect(found.data).toEqual([])
      // The site goes on, and the same batch goes through.
      const answer = await api.fetch(
        new Request('https://quay.example/api/batch/v1', {
          method: 'POST',
          headers: credentials,
          body: JSON.stringify({ requests: five, atomic }),
        }),
      )
      const { responses } = (await answer.json()) as { responses: { status: number }[] }
      expect(responses.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201])
    })
    const database = new DatabaseSync(file)
    expect(database.prepare('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }])
    expect(database.prepare('PRAGMA foreign_key_check').all()).toEqual([])
    database.close()
  })
})
