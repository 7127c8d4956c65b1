/** `site-api replay` beside the site that was recorded: its files stay as they are, and a file that it has meanwhile is none of the copy. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createSiteApi } from '../../src/index.ts'
import { full } from '../../src/profiles/full.ts'
import { createMedia } from '../../src/services/media.ts'
import { sqliteStorage } from '../../src/storage/sqlite.ts'
import { run } from './process.ts'

vi.setConfig({ testTimeout: 60_000 })

test('replays uploads in memory', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'site-api-cli-replay-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const [file, copy, record] = ['site.db', 'copy.db', 'requests.jsonl'].map((name) => join(folder, name))
  const storage = `sqlite:${file}`
  await run('user', 'wren', '--role', 'author', '--storage', storage)
  await run('backup', copy as string, '--storage', storage)
  const api = createSiteApi({
    ...{ storage: sqliteStorage(file as string), profile: full, url: 'https://quay.example', record: record as string },
    services: { media: createMedia({ folder: join(folder, 'uploads') }) },
  })
  const headers = { 'Content-Disposition': 'attachment; filename="tide.txt"', 'Content-Type': 'text/plain' }
  await api.call('POST', '/cms/v2/media', undefined, { as: 'system', headers, file: new Blob(['tide']) })
  await api.close()
  const files = () => readdirSync(join(folder, 'uploads'), { recursive: true }).sort()
  const before = files()
  const { out, code } = await run('replay', record as string, '--storage', `sqlite:${copy}`)
  expect([code, out]).toEqual([
    0,
    expect.stringMatching(/1 requests: 1 answered as recorded[\s\S]*the end: as recorded/),
  ])
  expect(files()).toEqual(before)
})
