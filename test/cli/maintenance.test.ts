/** Runs `site-api check`, `backup` and `restore` on files, one of which is served at the same time. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { createSiteApi } from '../../src/index.ts'
import { full } from '../../src/profiles/full.ts'
import { sqliteStorage } from '../../src/storage/sqlite.ts'
import { endAll, run, serve } from './process.ts'

// Each test starts its own processes.
vi.setConfig({ testTimeout: 60_000 })

let folder: string
let storage: string
let file: string
let count = 0

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'site-api-cli-maintenance-'))
})
beforeEach(() => {
  file = join(folder, `${++count}.db`)
  storage = `sqlite:${file}`
})
afterEach(endAll)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('backs up a file while it is served, and restores it when the server has ended', async () => {
  await run('user', 'wren', '--role', 'author', '--storage', storage)
  const running = await serve('serve', '--port', '0', '--storage', storage)
  const copy = join(folder, 'copy.db')
  expect(await run('backup', copy, '--storage', storage)).toMatchObject({
    code: 0,
    out: `${copy} is a backup of ${file}\n`,
  })
  expect((await run('backup', copy, '--storage', storage)).err).toContain('exists already')
  expect(await run('restore', copy, '--storage', storage)).toMatchObject({
    code: 1,
    err: `site-api: ${copy} can not be restored: a process has ${file} open: end it first\n`,
  })
  expect(await running.end()).toMatchObject({ code: 0 })
  expect(await run('restore', copy, '--storage', storage)).toMatchObject({
    code: 0,
    out: `${file} holds the backup ${copy}; what was there is ${file}.before-restore\n`,
  })
  expect(existsSync(`${file}.before-restore`)).toBe(true)
})

test('checks and repairs counters, and fails with --report while something is wrong', async () => {
  await run('user', 'wren', '--role', 'author', '--storage', storage)
  expect((await run('check', '--storage', storage)).out).toBe(`${storage}: nothing is wrong\n`)
  const database = new DatabaseSync(file)
  database.exec("insert into post_counts (type, status, author, mime_type, count) values ('post', 'draft', 1, '', 3)")
  database.close()
  const line = 'the number of posts: post draft 1 is stored as 3 and is 0'
  expect(await run('check', '--storage', storage, '--report')).toMatchObject({
    code: 1,
    out: `wrong: ${line}\n${storage}: 1 in all\n`,
  })
  expect(await run('check', '--storage', storage)).toMatchObject({
    code: 0,
    out: `repaired: ${line}\n${storage}: 1 in all\n`,
  })
  expect(await run('check', '--storage', storage, '--report')).toMatchObject({ code: 0 })
})

test('lists references that lead nowhere, and what nothing uses', async () => {
  const api = createSiteApi({ storage: sqliteStorage(file), profile: full, url: 'https://quay.example' })
  await api.site.media.create({ file: '2024/06/pier.png', mimeType: 'image/png', title: 'Pier' })
  await api.call('POST', '/cms/v2/posts', { title: 'Gap', content: '[gallery ids="99"]' }, { as: 'system' })
  await api.close()
  expect(await run('check', '--usage', '--storage', storage)).toMatchObject({
    code: 0,
    out: [
      `${storage}: nothing is wrong`,
      'broken: post:2 row names post:99',
      'unused: post:1 Pier',
      '1 references lead nowhere, 1 records are unused',
      '',
    ].join('\n'),
  })
})

test('says which storages have no file', async () => {
  const [memory, server] = await Promise.all([
    run('backup', join(folder, 'x.db'), '--storage', 'memory'),
    run('restore', join(folder, 'x.db'), '--storage', 'postgres://wren@quay.example/site'),
  ])
  expect(memory).toMatchObject({ code: 2, err: expect.stringContaining('memory has no file') })
  expect(server).toMatchObject({ code: 2, err: expect.stringContaining('pg_dump and pg_restore') })
})

test('lists the findings of a record, of a release and of the site, and fails where one is an error', async () => {
  const api = createSiteApi({ storage: sqliteStorage(file), profile: full, url: 'https://quay.example' })
  const values = { status: 'publish', excerpt: 'Tides.', content: '<p>The <a href="/nowhere/">map</a>.</p>' } as const
  const { data: bad } = await api.call('POST', '/cms/v2/posts', { ...values, title: 'Map' }, { as: 'system' })
  const fine = { ...values, title: 'Fine', content: '<p>Low water is at six.</p>' }
  const { data: good } = await api.call('POST', '/cms/v2/posts', fine, { as: 'system' })
  const { id: release } = await api.site.releases.create('Summer')
  await api.call('POST', '/cms/v2/posts/{id}', { id: good.id, content: values.content }, { as: 'system', release })
  await api.close()
  const dead = (id: number) => [
    `error: post:${id} content dead-link: The link to /nowhere/ leads nowhere: visitors find no page there.`,
    '  patch: Takes away the link to /nowhere/, and leaves its text.',
  ]
  const listed = async (...words: readonly string[]) => {
    const { code, out, err } = await run('check', ...words, '--storage', storage)
    return {
      code,
      err,
      lines: out
        .trim()
        .split('\n')
        .filter((line) => !line.startsWith('notice')),
    }
  }
  const one = await listed(`post:${bad.id}`)
  expect(one).toMatchObject({ code: 1, err: 'site-api: errors: 1\n' })
  expect(one.lines).toEqual(expect.arrayContaining(dead(bad.id)))
  expect((await listed(`post:${good.id}`)).code).toBe(0)
  expect((await listed(`release:${release}`)).lines).toEqual(expect.arrayContaining(dead(good.id)))
  const all = await listed('--findings')
  expect(all.lines.filter((line) => line.includes('dead-link'))).toEqual(dead(bad.id).slice(0, 1))
  expect(await listed('nonsense')).toMatchObject({ code: 1, err: expect.stringContaining('names no record') })
})
