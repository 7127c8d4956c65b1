import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { author, exportFile, item } from '../management/import/export-file.ts'
import { endAll, run, serve } from './process.ts'

// Each test starts its own processes.
vi.setConfig({ testTimeout: 60_000 })

let folder: string
let file: string
let storage: string
let count = 0

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'site-api-cli-import-'))
})
beforeEach(() => {
  storage = `sqlite:${join(folder, `${++count}.db`)}`
  file = join(folder, `${count}.xml`)
})
afterEach(endAll)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const ann = author('ann', 'ann@old.example', 'Ann')

test('imports a file, reports what it left out, and serves the rest', async () => {
  const report = join(folder, 'report.json')
  writeFileSync(file, exportFile(ann, item({ id: 1, slug: 'kept' }), item({ id: 2, type: 'popup', title: 'Lost' })))
  const done = await run('import', file, '--storage', storage, '--report', report)
  expect(done).toMatchObject({ code: 0, err: '' })
  expect(done.out).toMatch(
    /^2 items of https:\/\/old\.example\n {2}users: 1 created\n {2}posts: 1 created\nnot carried over as they are:\n {2}1 × popup: .*"Lost"\)\nno user is an administrator: make one with site-api user LOGIN --role administrator --storage sqlite:.*\n$/,
  )
  expect(JSON.parse(readFileSync(report, 'utf8'))).toMatchObject({
    counts: { posts: { created: 1 } },
    problems: [{ kind: 'unknown-type', what: 'popup', count: 1 }],
  })
  const running = await serve('serve', '--port', '0', '--storage', storage)
  const posts = await (await fetch(`${running.base}/cms/v2/posts`)).json()
  expect(posts).toMatchObject([{ slug: 'kept' }])
  await running.end()
})

test('makes an administrator of a user of the file, and says when there is none of this login', async () => {
  writeFileSync(file, exportFile(ann, item({ id: 1 })))
  const unknown = await run('import', file, '--storage', storage, '--administrator', 'bob')
  expect(unknown).toMatchObject({
    code: 1,
    err: expect.stringContaining('there is no user bob to be the administrator'),
  })
  const done = await run('import', file, '--storage', storage, '--administrator', 'ann')
  expect(done).toMatchObject({ code: 0, out: expect.not.stringContaining('no user is an administrator') })
  const { out } = await run('export', '--storage', storage)
  expect(JSON.parse(out).users).toMatchObject([{ login: 'ann', role: 'administrator' }])
})

test('changes nothing in a second run, and overwrites rows with --update', async () => {
  writeFileSync(file, exportFile(ann, item({ id: 1, title: 'Before' })))
  await run('import', file, '--storage', storage)
  writeFileSync(file, exportFile(ann, item({ id: 1, title: 'After' })))
  expect((await run('import', file, '--storage', storage)).out).toContain('posts: 0 created, 1 there already')
  expect((await run('import', file, '--storage', storage, '--update')).out).toContain('posts: 0 created, 1 updated')
  const { out } = await run('export', '--storage', storage)
  expect(JSON.parse(out).posts).toMatchObject([{ title: 'After' }])
})

test('imports a broken file up to the mistake, and prints its position', async () => {
  const whole = exportFile(ann, item({ id: 1 }), item({ id: 2 }))
  writeFileSync(file, whole.slice(0, whole.lastIndexOf('</item>')))
  const done = await run('import', file, '--storage', storage)
  expect(done).toMatchObject({ code: 1 })
  expect(done.out).toMatch(/posts: 1 created\n[\s\S]*stopped at line \d+, byte \d+: .*\n$/)
  expect(done.err).toMatch(
    /^site-api: .*\.xml: line \d+, byte \d+: the file ends inside <item>, which began at line \d+\n$/,
  )
})

test.each([
  [2, 'usage: site-api import EXPORT.xml', ['import']],
  [2, '--storage is missing', ['import', 'x.xml']],
  [2, 'memory ends with this command', ['import', 'x.xml', '--storage', 'memory']],
  [1, 'there is no file', ['import', 'no/such.xml', '--storage', 'sqlite:x.db']],
  [1, 'this is a folder', ['import', '.', '--storage', 'STORAGE']],
])('exits with %i: %s', async (code, message, args) => {
  const done = await run(...args.map((one) => (one === 'STORAGE' ? storage : one)))
  expect(done).toMatchObject({ code, out: '' })
  expect(done.err).toMatch(/^site-api: [^\n]*\n$/)
  expect(done.err).toContain(message)
})

test('serves the words of a preset', async () => {
  writeFileSync(file, exportFile(ann, item({ id: 1, content: '<!-- wp:paragraph --><p>a</p><!-- /wp:paragraph -->' })))
  await run('import', file, '--storage', storage)
  const running = await serve('serve', '--port', '0', '--storage', storage, '--names', 'wordpress')
  const response = await fetch(`${running.base}/wp/v2/posts`)
  expect(response.headers.get('x-wp-total')).toBe('1')
  expect(response.headers.get('link')).toContain('rel="https://api.w.org/"')
  expect(await response.json()).toMatchObject([{ content: { rendered: '<p class="wp-block-paragraph">a</p>' } }])
  await running.end()
})
