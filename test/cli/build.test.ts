/** `site-api build`. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createSiteApi, full } from '../../src/index.ts'
import { sqliteStorage } from '../../src/storage/sqlite.ts'
import { run } from './process.ts'

const folder = mkdtempSync(join(tmpdir(), 'site-api-cli-build-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('writes the pages into a folder, and says what leads nowhere', async () => {
  const storage = sqliteStorage(join(folder, 'site.db'))
  const api = createSiteApi({ storage, profile: full })
  const content = '<a href="/nowhere/">far</a>'
  await api.call('POST', '/cms/v2/posts', { title: 'Ebb', slug: 'ebb', status: 'publish', content }, { as: 'system' })
  await api.close()
  await storage.close?.()
  const out = join(folder, 'public')
  const line = [
    'build',
    '--storage',
    `sqlite:${join(folder, 'site.db')}`,
    '--out',
    out,
    '--url',
    'https://quay.example',
  ]
  const first = await run(...line)
  expect([first.code, first.err]).toEqual([0, ''])
  expect(first.out).toMatch(/public: \d+ files \(\d+ written, 0 removed\), \d+ redirects\n/)
  expect(first.out).toContain('leads nowhere: /nowhere/ on /')
  expect(readFileSync(join(out, 'ebb/index.html'), 'utf8')).toContain('<title>Ebb')
  expect((await run(...line)).out).toContain('(0 written, 0 removed)')
  expect(await run(...line, '--server', 'cms')).toMatchObject({
    code: 2,
    err: expect.stringContaining('--server must be an address'),
  })
})
