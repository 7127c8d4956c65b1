import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { passwordOf, smallSite } from '../support/small-site.ts'
import { endAll, type Running, run, serve, serveIn } from './process.ts'

// Each test starts its own processes.
vi.setConfig({ testTimeout: 60_000 })

let folder: string
let document: string
let count = 0
let file: string
let storage: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'site-api-cli-'))
  document = join(folder, 'site.json')
  writeFileSync(document, JSON.stringify(smallSite))
})
beforeEach(() => {
  file = join(folder, `${++count}.db`)
  storage = `sqlite:${file}`
})
afterEach(endAll)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const basic = (login: string, password: string) => ({
  authorization: `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`,
})

async function titles({ base }: Running, headers: Record<string, string> = {}, query = '') {
  const response = await fetch(`${base}/cms/v2/posts?per_page=100&_fields=slug${query}`, { headers })
  return { status: response.status, slugs: ((await response.json()) as { slug: string }[]).map?.(({ slug }) => slug) }
}

test('serves a seeded site, with ids in a file before the ready line', async () => {
  const idsFile = join(folder, 'ids.json')
  const running = await serve('serve', '--port', '0', '--seed', document, '--ids-out', idsFile)
  const ids = JSON.parse(readFileSync(idsFile, 'utf8'))
  expect(running.out()).toBe(`listening on ${running.base}\n`)
  expect(running.base).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/api$/)
  const post = await (await fetch(`${running.base}/cms/v2/posts/${ids['post.hello']}`)).json()
  expect(post).toMatchObject({ slug: 'hello', link: `${running.base.slice(0, -4)}/hello/` })
  expect(ids).toHaveProperty(['revision.hello.3'])
  expect(await running.end()).toMatchObject({ code: 0, err: '' })
})

test('takes its root, url and profile from options', async () => {
  const options = ['--root', '/v1/content', '--url', 'https://quay.example/', '--profile', 'd2']
  const running = await serve('serve', '--port', '0', '--seed', document, ...options)
  expect(running.base).toMatch(/\/v1\/content$/)
  const index = await (await fetch(`${running.base}/`)).json()
  expect(index).toMatchObject({ url: 'https://quay.example' })
  await running.end('SIGINT')
})

test('serves uploaded files and no other files of the disk', async () => {
  const { base, end } = await serve('serve', '--storage', `sqlite:${join(folder, 'files.db')}`, '--port', '0')
  mkdirSync(join(folder, 'uploads/2024'), { recursive: true })
  writeFileSync(join(folder, 'uploads/2024/a.png'), 'picture')
  writeFileSync(join(folder, 'uploads/2024/a.svg'), '<svg/>')
  const origin = base.replace(/\/api$/, '')
  const picture = await fetch(`${origin}/uploads/2024/a.png`)
  expect([picture.status, picture.headers.get('content-type'), await picture.text()]).toEqual([
    200,
    'image/png',
    'picture',
  ])
  const drawing = await fetch(`${origin}/uploads/2024/a.svg`)
  expect([drawing.status, drawing.headers.get('content-disposition')]).toEqual([200, 'attachment'])
  for (const path of ['/uploads/', '/uploads/..%2ffiles.db', '/uploads/2024:a.png', '/files.db', '/uploads/none.png']) {
    expect((await fetch(origin + path)).status, path).toBe(404)
  }
  for (const path of ['/api/nope/v1', '/api/cms', '/elsewhere']) {
    const refused = await fetch(origin + path)
    expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([404, 'rest_no_route'])
  }
  await end()
})

test.each(['memory', 'sqlite::memory:'])('keeps the uploads of %s to one process, and leaves no file', async (kind) => {
  const cwd = mkdtempSync(join(folder, 'cwd-'))
  const servers = await Promise.all(
    [1, 2].map(() =>
      serveIn(cwd, 'serve', '--profile', 'content', '--storage', kind, '--seed', document, '--port', '0'),
    ),
  )
  const [one, two] = servers as [Running, Running]
  const uploaded = await fetch(`${one.base}/cms/v2/media`, {
    method: 'POST',
    headers: {
      ...basic('edith', passwordOf('edith')),
      'content-type': 'text/plain',
      'content-disposition': 'attachment; filename="a.txt"',
    },
    body: 'hello',
  })
  const { source_url: address } = (await uploaded.json()) as { source_url: string }
  const other = new URL(new URL(address).pathname, two.base)
  expect([(await fetch(address)).status, (await fetch(other)).status]).toEqual([200, 404])
  await Promise.all(servers.map((server) => server.end()))
  expect(readdirSync(cwd)).toEqual([])
})

test('serves the sample site from memory, with its pictures', async () => {
  const cwd = mkdtempSync(join(folder, 'cwd-'))
  const running = await serveIn(cwd, 'start', '--port', '0', '--storage', 'memory')
  const media = (await (await fetch(`${running.base}/cms/v2/media`)).json()) as { source_url: string }[]
  expect((await fetch(media[0]?.source_url ?? '')).status).toBe(200)
  await running.end()
  expect(readdirSync(cwd)).toEqual([])
})

test('serves at PORT of the environment, which --port overrules', async () => {
  const cwd = mkdtempSync(join(folder, 'cwd-'))
  vi.stubEnv('PORT', '0')
  const running = await serveIn(cwd, 'serve')
  expect(running.base).not.toContain(':3000')
  await running.end()
  vi.stubEnv('PORT', 'abc')
  const other = await serveIn(cwd, 'serve', '--port', '0')
  await other.end()
  expect((await run('serve')).err).toBe('site-api: PORT must be a number up to 65535 (0: a free one), not abc\n')
  vi.unstubAllEnvs()
})

test('start keeps the sample site in a folder of its own', async () => {
  const cwd = mkdtempSync(join(folder, 'cwd-'))
  writeFileSync(join(cwd, 'site.db'), 'another site')
  await (await serveIn(cwd, 'start', '--port', '0')).end()
  expect(readdirSync(cwd).sort()).toEqual(['sample-site', 'site.db'])
  expect(readFileSync(join(cwd, 'site.db'), 'utf8')).toBe('another site')
})

test('serves a file again, and refuses to seed it again', async () => {
  const first = await serve('serve', '--port', '0', '--storage', storage, '--seed', document)
  const before = await titles(first)
  await first.end()
  const second = await serve('serve', '--port', '0', '--storage', storage)
  expect(await titles(second)).toEqual(before)
  await second.end()
  const refused = await run('serve', '--port', '0', '--storage', storage, '--seed', document)
  expect(refused).toMatchObject({ code: 1, out: '' })
  expect(refused.err).toMatch(/^site-api: the storage is not empty.*\n$/)
})

test('finishes an open request after SIGTERM', async () => {
  const running = await serve('serve', '--port', '0', '--seed', document)
  const { hostname, port } = new URL(running.base)
  const socket = connect(Number(port), hostname)
  const body = JSON.stringify({ title: 'Late' })
  const authorization = basic('arthur', passwordOf('arthur')).authorization
  const head = `POST /api/cms/v2/posts HTTP/1.1\r\nhost: x\r\nauthorization: ${authorization}\r\n`
  let answer = ''
  socket.setEncoding('utf8').on('data', (text: string) => {
    answer += text
  })
  const closed = new Promise((resolve) => void socket.on('close', resolve))
  // The server sends 100 before the signal, so the request is open.
  socket.write(
    `${head}content-type: application/json\r\nexpect: 100-continue\r\ncontent-length: ${body.length}\r\n\r\n`,
  )
  await new Promise((resolve) => void socket.once('data', resolve))
  const ended = running.end()
  socket.write(body)
  expect(await ended).toMatchObject({ code: 0 })
  await closed
  expect(answer).toContain('HTTP/1.1 201 Created')
})

test('seeds a file, exports it, and seeds another one from the export', async () => {
  const seeded = await run('seed', document, '--storage', storage)
  expect(seeded).toMatchObject({ code: 0, err: '' })
  const exported = await run('export', '--storage', storage)
  expect(exported.code).toBe(0)
  const copy = join(folder, 'copy.json')
  writeFileSync(copy, exported.out)
  await run('seed', copy, '--storage', `${storage}-copy`)
  expect((await run('export', '--storage', `${storage}-copy`)).out).toBe(exported.out)
})

test('creates a password that signs in', async () => {
  await run('seed', document, '--storage', storage)
  const { out } = await run('password', 'edith', '--name', 'A reader', '--storage', storage)
  expect(out).toMatch(/^(?:\w{4} ){5}\w{4}\n$/)
  const running = await serve('serve', '--port', '0', '--storage', storage)
  expect(await titles(running, basic('edith', out.trim()), '&status=draft')).toMatchObject({ status: 200 })
  await running.end()
})

test('migrates a file and says when there is nothing to do', async () => {
  expect((await run('migrate', '--storage', storage)).out).toContain('applied')
  expect((await run('migrate', '--storage', storage)).out).toContain('nothing to do')
})

const signIn = (page: string, password: string) =>
  fetch(page, { method: 'POST', body: new URLSearchParams({ decision: 'sign-in', login: 'ada', password }) })

test('serves the docs page with --docs', async () => {
  const running = await serve('serve', '--port', '0', '--docs')
  expect((await fetch(`${running.base}/docs`)).status).toBe(200)
  await running.end()
})

test.each([[], ['--pages']])('clients find the api from the address of the site %s', async (...pages) => {
  const names = ['--root', '/wp-json', '--names', 'wordpress', ...pages]
  const running = await serve('serve', '--port', '0', '--seed', document, ...names)
  const { origin } = new URL(running.base)
  for (const method of ['GET', 'HEAD']) {
    const { status, headers } = await fetch(`${origin}/`, { method })
    expect(status).toBe(200)
    expect(headers.get('link')?.split(', ')[0]).toBe(`<${origin}/wp-json/>; rel="https://api.w.org/"`)
  }
  const asked = await fetch(`${origin}/?rest_route=/wp/v2/posts&per_page=1`)
  expect(await asked.json()).toHaveLength(1)
  await running.end()
})

test('starts the sample site twice, with new passwords each time', async () => {
  const options = ['start', '--port', '0', '--storage', storage]
  const passwords: string[] = []
  const typed: string[] = []
  for (const _ of [1, 2]) {
    const running = await serve(...options)
    const [, login = '', password = '', url = ''] = /^curl -u '(\w+):([\w ]+)' '(\S+)'$/m.exec(running.out()) ?? []
    passwords.push(password)
    const [, page = '', secret = ''] = /^(\S+) lets an .* as ada with (\w+)$/m.exec(running.out()) ?? []
    typed.push(secret)
    const asked = await signIn(page, typed[0] ?? '')
    expect(asked.status).toBe(typed.length === 1 ? 200 : 401)
    expect(await (await signIn(page, secret)).text()).toContain('value="approve"')
    expect((await fetch(url, { headers: basic(login, password) })).status).toBe(200)
    const [, docs = ''] = /^(\S+) shows every route/m.exec(running.out()) ?? []
    expect((await fetch(docs)).headers.get('content-type')).toMatch(/^text\/html/)
    const [old = ''] = passwords
    expect((await fetch(url, { headers: basic(login, old) })).status).toBe(old === password ? 200 : 401)
    await running.end()
  }
  expect(existsSync(file)).toBe(true)
})

const wrong: readonly [code: number, says: string, args: readonly string[]][] = [
  [2, 'there is no command sevre', ['sevre']],
  [2, "Unknown option '--prot': did you mean --port?", ['serve', '--prot', '1']],
  [2, "Unknown option '--zzz': site-api help serve lists them", ['serve', '--zzz', '1']],
  [2, 'there is no command sreve: did you mean serve?', ['help', 'sreve']],
  [2, '--port must be a number', ['serve', '--port', 'x']],
  [2, '--profile must be d1 or d2', ['serve', '--profile', 'd3']],
  [2, '--storage must be', ['serve', '--storage', 'floppy']],
  [2, '--url must be an address', ['serve', '--url', 'example.com']],
  [2, 'no word map called best', ['serve', '--names', 'best']],
  [2, '--ids-out needs --seed', ['serve', '--ids-out', 'ids.json']],
  [2, 'usage: site-api seed FILE', ['seed', '--storage', 'sqlite:x.db']],
  [2, '--storage is missing', ['export']],
  [1, 'there is no file -5', ['serve', '--seed', '-5']],
  [
    1,
    'postgres://ada:***@127.0.0.1:1/site can not be opened',
    ['serve', '--storage', 'postgres://ada:pw@127.0.0.1:1/site'],
  ],
  [2, '--storage must be', ['migrate', '--storage', 'postgres:site']],
  [1, 'there is no file missing.json', ['serve', '--seed', 'missing.json']],
  [1, 'there is no file missing.db', ['export', '--storage', 'sqlite:missing.db']],
  [1, 'there is no folder', ['serve', '--storage', 'sqlite:missing/site.db']],
]

test.each(wrong)('ends with %i and one line: %s', async (code, says, args) => {
  const finished = await run(...args)
  expect(finished).toMatchObject({ code, out: '' })
  expect(finished.err).toMatch(/^site-api: .*\n$/)
  expect(finished.err).toContain(says)
})

test.each([
  ['not valid JSON', '{ "posts": ['],
  [
    'is not a site: posts[0].author names a user that is not there: "nobody"',
    '{"posts":[{"key":"a","author":"nobody"}]}',
  ],
])('refuses a document in one line: %s', async (says, text) => {
  const broken = join(folder, 'broken.json')
  writeFileSync(broken, text)
  const finished = await run('serve', '--port', '0', '--seed', broken)
  expect(finished).toMatchObject({ code: 1, out: '' })
  expect(finished.err).toMatch(/^site-api: .*\n$/)
  expect(finished.err).toContain(says)
})

test('says which port is taken', async () => {
  const running = await serve('serve', '--port', '0')
  const { port } = new URL(running.base)
  const second = await run('serve', '--port', port)
  expect(second.err).toBe(`site-api: port ${port} is taken: choose another with --port (0: a free one)\n`)
  await running.end()
})
