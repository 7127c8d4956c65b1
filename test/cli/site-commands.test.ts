/** `site-api user` and `site-api option`, and what a failed seed leaves behind. */
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { ownOptions } from '../support/own-options.ts'
import { endAll, run, serve } from './process.ts'

// Each test starts its own processes.
vi.setConfig({ testTimeout: 60_000 })

let folder: string
let storage: string
let file: string
let count = 0

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'site-api-cli-site-'))
})
beforeEach(() => {
  file = join(folder, `${++count}.db`)
  storage = `sqlite:${file}`
})
afterEach(endAll)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const user = (...args: readonly string[]) => run('user', ...args, '--storage', storage)
const option = (...args: readonly string[]) => run('option', ...args, '--storage', storage)

test('makes an administrator who may write, and lists the users', async () => {
  expect(await user('wren', '--role', 'administrator', '--email', 'wren@quay.example')).toMatchObject({
    code: 0,
    out: 'made user wren (administrator)\n',
  })
  await user('sam', '--role', 'subscriber')
  expect((await user()).out).toBe('2\tsam\t-\tsubscriber\n1\twren\twren@quay.example\tadministrator\n')
  expect((await user('wren')).out).toBe('1\twren\twren@quay.example\tadministrator\n')
  const { out: password } = await run('password', 'wren', '--name', 'test', '--storage', storage)
  const running = await serve('serve', '--port', '0', '--storage', storage)
  const headers = {
    authorization: `Basic ${btoa(`wren:${password.trim()}`)}`,
    'content-type': 'application/json',
  }
  const body = '{"title":"Tide","status":"publish"}'
  expect((await fetch(`${running.base}/cms/v2/posts`, { method: 'POST', headers, body })).status).toBe(201)
  await running.end()
})

test('a dry run says what a command would change, and writes nothing', async () => {
  const nothing = 'dry run: nothing was written; would change'
  expect((await user('wren', '--role', 'administrator', '--dry-run')).out).toBe(
    `${nothing} 1 users\nmade user wren (administrator)\n`,
  )
  expect(existsSync(file)).toBe(false)
  await user('wren', '--role', 'author')
  const tried = await user('wren', '--role', 'editor', '--password', '--dry-run')
  expect(tried.out).toBe(`${nothing} 1 users\nchanged user wren (editor)\n`)
  expect((await option('name', 'Harbour', '--dry-run')).out).toContain(`${nothing} 1 options\n`)
  const { out } = await run('password', 'wren', '--name', 'App', '--storage', storage, '--dry-run')
  expect(out).toBe(`${nothing} nothing\n`)
  expect((await user()).out).toContain('\tauthor\n')
  expect((await option('name')).out).not.toContain('Harbour')
})

test('changes the role and the password of a user', async () => {
  await user('wren', '--role', 'author')
  expect((await user('wren', '--role', 'editor')).out).toBe('changed user wren (editor)\n')
  const { out } = await user('wren', '--password')
  const [, password = ''] = /^changed user wren \(editor\)\npassword: (\w{16})\n$/.exec(out) ?? []
  const running = await serve('serve', '--port', '0', '--storage', storage)
  const form = new URLSearchParams({ decision: 'sign-in', app_name: 'App', login: 'wren', password })
  const page = await fetch(`${running.base}/authorize`, { method: 'POST', body: form })
  expect([page.status, (await page.text()).includes('value="approve"')]).toEqual([200, true])
  await running.end()
})

test('writes, reads, lists and removes options', async () => {
  await user('wren', '--role', 'author')
  expect((await option('name', 'North quay')).out).toBe('name\t"North quay"\n')
  expect((await option('page_on_front', '12')).out).toBe('page_on_front\t12\n')
  expect((await option('name')).out).toBe('"North quay"\n')
  expect((await option()).out).toBe('name\t"North quay"\npage_on_front\t12\n')
  expect((await option('gmt_offset', '-5')).out).toBe('gmt_offset\t-5\n')
  expect((await option('gmt_offset', '--remove')).out).toBe('removed gmt_offset\n')
  expect((await option('name', '--remove')).out).toBe('removed name\n')
  expect(await option('name')).toMatchObject({ code: 1, err: expect.stringContaining('there is no option name') })
})

test.each([
  ['there is no role adminn: did you mean administrator?', ['user', 'wren', '--role', 'adminn']],
  ['there is no user wren: add --role administrator', ['user', 'wren']],
  ['there is no user wren: add --role', ['user', 'wren', '--password']],
])('refuses a user in one line: %s', async (says, args) => {
  const finished = await run(...args, '--storage', storage)
  expect(finished).toMatchObject({ code: 2, out: '' })
  expect(finished.err).toMatch(/^site-api: .*\n$/)
  expect(finished.err).toContain(says)
})

test.each([
  ['the option url must be an address like https://example.com', ['url', 'example.com']],
  ['--remove needs a name', ['--remove']],
  ['there is no option posts_per_pag: did you mean posts_per_page?', ['posts_per_pag', '5']],
  ['the option posts_per_page must be', ['posts_per_page', '-5']],
])('refuses an option in one line: %s', async (says, args) => {
  await user('wren', '--role', 'author')
  const finished = await option(...args)
  expect(finished).toMatchObject({ code: 2, out: '' })
  expect(finished.err).toMatch(/^site-api: .*\n$/)
  expect(finished.err).toContain(says)
})

test('explains a request to the host, and the own view to its sender', async () => {
  await user('sam', '--role', 'subscriber')
  const explain = (...args: readonly string[]) => run('explain', ...args, '--storage', storage)
  const request = ['POST', '/cms/v2/posts', '--as', 'sam', '--body', '{"title":"Tide"}'] as const
  const { code, out } = await explain(...request)
  const [head, ...lines] = out.trimEnd().split('\n')
  expect([code, head]).toEqual([0, 'POST /cms/v2/posts as 1: 403 rest_cannot_create: You may not create posts.'])
  expect(lines).toContain('  permission  refused      users with edit_posts; lacks edit_posts')
  expect(lines.at(-1)).toBe('Send it as a user with edit_posts.')
  const json = await explain(...request, '--json', '--view', 'own', '--header', 'If-Match:"a"')
  expect(JSON.parse(json.out)).toMatchObject({ status: 403, steps: expect.any(Array) })
  for (const [args, problem] of [
    [['GET', '/', '--as', 'nemo'], 'there is no user nemo'],
    [['GET', '/', '--body', '[1]'], '--body must be a JSON object'],
    [['GET', '/', '--header', 'x'], '--header must be a name and a value'],
  ] as const) {
    expect((await explain(...args)).err).toContain(problem)
  }
})

test('lists no users in an empty storage, and says how to make one', async () => {
  await run('migrate', '--storage', storage)
  expect((await user()).out).toMatch(/^there are no users: site-api user LOGIN --role ROLE makes one\n$/)
})

test.each(['user', 'option', 'init', 'seed'])('%s --help shows its usage', async (name) => {
  expect(await run(name, '--help')).toMatchObject({ code: 0, out: expect.stringMatching(`^site-api ${name} `) })
})

test.each([
  ['serve', '--port PORT', 'site-api serve --seed site.json'],
  ['import', '--keep-unknown', 'site-api import export.xml'],
])('help %s says what its options do, with examples', async (name, option, example) => {
  const { out } = await run('help', name)
  expect(out).toMatch(new RegExp(`^site-api ${name} `))
  expect(out).toMatch(new RegExp(`^  ${option} +[A-Z].+\\.$`, 'm'))
  expect(out).toContain(`  ${example}`)
  expect(out).not.toContain('site-api backup')
})

test('help lists every command, --version prints the version, and a misspelt command has advice', async () => {
  const { out } = await run('help')
  for (const name of ['serve', 'seed', 'export', 'import', 'migrate', 'user', 'password', 'option', 'init']) {
    expect(out).toMatch(new RegExp(`^site-api ${name} `, 'm'))
  }
  expect((await run('--version')).out).toMatch(/^\d+\.\d+\.\d+\n$/)
  expect((await run('usr')).err).toBe('site-api: there is no command usr: did you mean user?\n')
})

test.each(['seed', 'serve'])('a failed %s leaves no file', async (command) => {
  const broken = join(folder, 'broken.json')
  writeFileSync(broken, '{"posts":[{"key":"a","author":"nobody"}]}')
  const args = command === 'seed' ? ['seed', broken] : ['serve', '--port', '0', '--seed', broken]
  expect(await run(...args, '--storage', storage)).toMatchObject({ code: 1 })
  expect(readdirSync(folder).filter((name) => name.startsWith(`${count}.db`))).toEqual([])
})

test('a failed seed leaves a file alone that was there before', async () => {
  await user('wren', '--role', 'author')
  const broken = join(folder, 'broken.json')
  writeFileSync(broken, '{"posts":[{"key":"a","author":"nobody"}]}')
  expect(await run('seed', broken, '--storage', storage)).toMatchObject({ code: 1 })
  expect(existsSync(file)).toBe(true)
  expect((await user()).out).toContain('wren')
})

test('an export and the list of options have no key, secret or time that the running site keeps for itself', async () => {
  await user('wren')
  for (const name of ['name', ...ownOptions.d2]) await option(name, '"kept"')
  expect((await option()).out).toBe('name\t"kept"\n')
  expect((await option('consent_key')).out).toBe('"kept"\n')
  const { code, out } = await run('export', '--storage', storage)
  expect(code).toBe(0)
  expect(JSON.parse(out).options).toEqual({ name: 'kept' })
})
