/** `site-api history` and `site-api rewind`. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { createSiteApi, full } from '../../src/index.ts'
import { sqliteStorage } from '../../src/storage/sqlite.ts'
import { run } from './process.ts'

vi.setConfig({ testTimeout: 60_000 })

const folder = mkdtempSync(join(tmpdir(), 'site-api-cli-history-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('lists what has changed, and takes a record back', async () => {
  const file = join(folder, 'site.db')
  let now = Date.parse('2026-01-20T10:00:00Z')
  const open = () => createSiteApi({ storage: sqliteStorage(file), profile: full, clock: () => now })
  const api = open()
  const as = { as: 'system' } as const
  const { data } = await api.call('POST', '/cms/v2/posts', { title: 'Ebb' }, as)
  now += 60_000
  await api.call('POST', '/cms/v2/posts/{id}', { id: data.id, title: 'Flood' }, as)
  await api.close()
  const storage = ['--storage', `sqlite:${file}`]
  const { out } = await run('history', `post:${data.id}`, ...storage)
  expect(out.split('\n').map((line) => line.split('\t').slice(0, 3))).toEqual([
    ['2026-01-20T10:01:00.000Z', 'changed', `post:${data.id}`],
    ['2026-01-20T10:00:00.000Z', 'created', `post:${data.id}`],
    [''],
  ])
  expect(await run('rewind', '--to', '2026-01-20T10:00:30Z', '--record', `post:${data.id}`, ...storage)).toMatchObject({
    code: 0,
    out: 'restored 1 records to 2026-01-20T10:00:30.000Z\n',
  })
  expect(await run('rewind', '--to', '2001-01-01T00:00:00Z', ...storage)).toMatchObject({
    code: 1,
    err: expect.stringContaining('The history of this site begins at 2026-01-20T09:59:59.999Z.'),
  })
  now = Date.now()
  const after = open()
  const restored = await after.call('GET', '/cms/v2/posts/{id}', { id: data.id, context: 'edit' }, as)
  expect(restored.data.title.raw).toBe('Ebb')
  await after.close()
})

test('has the changes of option, and begins anew after an import', async () => {
  const storage = ['--storage', `sqlite:${join(folder, 'commands.db')}`]
  await run('user', 'ada', '--role', 'administrator', ...storage)
  await run('option', 'name', 'Quay', ...storage)
  expect((await run('history', ...storage)).out).toMatch(/^\S+\tcreated\toption:name\n$/)
  const between = new Date().toISOString()
  const file = join(folder, 'old.xml')
  const item =
    '<item><title>Low</title><wp:post_id>5</wp:post_id><wp:post_type>post</wp:post_type><wp:status>publish</wp:status></item>'
  const channel = `<channel><wp:wxr_version>1.2</wp:wxr_version>${item}</channel>`
  writeFileSync(file, `<rss version="2.0" xmlns:wp="http://wordpress.org/export/1.2/">${channel}</rss>`)
  expect(await run('import', file, ...storage)).toMatchObject({ code: 0 })
  const { code, err } = await run('rewind', '--to', between, ...storage)
  expect([code, err]).toEqual([1, expect.stringContaining('The history of this site begins at')])
})
