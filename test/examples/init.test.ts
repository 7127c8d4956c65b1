/** Runs `site-api init`: the projects that it makes run unchanged, and applications that are there keep their files. */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ended, installPackage, type Running, removeExample, run, stop, waitForOutput } from '../support/example.ts'

const home = join(import.meta.dirname, '../..')
/** A test starts a server twice, which takes its time on a busy machine. */
const busyMs = 240_000

let folder = ''
let running: Running | undefined

beforeAll(async () => {
  folder = await installPackage('init')
  for (const part of ['docs/starters', 'docs/sample-site', 'docs/sample-site.json']) {
    cpSync(join(home, part), join(folder, 'node_modules/site-api', part), { recursive: true })
  }
}, busyMs)
beforeEach(() => {
  for (const name of readdirSync(folder)) {
    if (name !== 'node_modules') rmSync(join(folder, name), { recursive: true, force: true })
  }
})
afterEach(async () => {
  if (running) await stop(running)
  running = undefined
})
afterAll(() => removeExample(folder))

const bin = 'node_modules/site-api/dist/cli/main.js'

async function init(...args: readonly string[]): Promise<string> {
  const done = run(folder, [bin, 'init', ...args])
  await ended(done)
  return done.output()
}

const read = (path: string) => readFileSync(join(folder, path), 'utf8')
const application = (dependencies: object) =>
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'mine', type: 'module', dependencies }))

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as { readonly port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** The bin of the package bun is no script of Node. */
const startBun = `
  const child = require('node:child_process').spawn('../node_modules/.bin/bun', ['src/server.ts'], { stdio: 'inherit' })
  process.on('SIGTERM', () => child.kill('SIGTERM'))
  child.on('close', (code) => process.exit(code ?? 0))
`

async function start(args: readonly string[], project = 'my-site'): Promise<string> {
  const port = String(await freePort())
  running = run(join(folder, project), args, { PORT: port })
  await waitForOutput(running, /(\S+) is the site/)
  return `http://127.0.0.1:${port}`
}

describe.each(['node', 'express', 'fastify', 'hono', 'bun'])('a project for %s', (host) => {
  test('shows the site, its API and the page of its routes, and lets its administrator write', {
    timeout: busyMs,
  }, async () => {
    const said = await init('my-site', '--host', host)
    expect(said).toMatch(/^made my-site for \w+: \d+ files.*\nstart: cd my-site && (npm|bun) install && /)
    const args = host === 'bun' ? ['--eval', startBun] : ['src/server.ts']
    const base = await start(args)
    const text = async (path: string) => (await fetch(base + path)).text()
    expect(await text('/')).toContain('>Hello</a>')
    expect(await text('/about/')).toContain('Say here who you are.')
    expect(await text('/api/docs')).toContain('<html')
    for (const list of ['posts', 'pages', 'categories', 'media', 'users', 'events']) {
      expect([list, (await fetch(`${base}/api/cms/v2/${list}`)).status]).toEqual([list, 200])
    }
    expect(JSON.parse(await text('/api/cms/v2/posts'))).toMatchObject([{ meta: { subtitle: 'The first post' } }])
    const [, login = '', password = ''] = /sign in as (\w+) with (.+)\n/.exec(running?.output() ?? '') ?? []
    const headers = { authorization: `Basic ${btoa(`${login}:${password}`)}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ title: 'Harbour walk', status: 'publish', meta: { place: 'Old pier' } })
    const made = await fetch(`${base}/api/cms/v2/events`, { method: 'POST', headers, body })
    expect(await made.json()).toMatchObject({ meta: { place: 'Old pier' }, slug: 'harbour-walk' })
    const uploaded = await fetch(`${base}/api/cms/v2/media`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'text/plain', 'content-disposition': 'attachment; filename="pier.txt"' },
      body: 'low water',
    })
    const { source_url: address } = (await uploaded.json()) as { readonly source_url: string }
    expect(await text(new URL(address).pathname)).toBe('low water')
    expect(await stop(running as Running)).toBe(0)
    await start(args)
    expect(running?.output()).not.toContain('sign in as')
  })
})

test('the test of a project passes', async () => {
  await init('my-site')
  await ended(run(join(folder, 'my-site'), ['--test', 'test/site.test.ts']))
})

test('a project has a manifest, a configuration and a .gitignore, and shows the sample site where it is asked for', async () => {
  await init('My Site', '--sample', '--host', 'node')
  const { name, type, scripts, dependencies } = JSON.parse(read('My Site/package.json'))
  expect({ name, type, scripts: Object.keys(scripts), dependencies: Object.keys(dependencies) }).toEqual({
    ...{ name: 'my-site', type: 'module', scripts: ['start', 'dev', 'test', 'types'], dependencies: ['site-api'] },
  })
  expect(read('My Site/.gitignore')).toMatch(/^node_modules\/\ndata\/\n\.env\n/)
  expect(read('My Site/.dockerignore')).toMatch(/^node_modules\ndata\n\.env\n/)
  expect(read('My Site/Dockerfile')).toContain('CMD ["node", "src/server.ts"]')
  const base = await start(['src/server.ts'], 'My Site')
  expect(await (await fetch(base)).text()).toContain('Millbrook')
  const media = (await (await fetch(`${base}/api/cms/v2/media`)).json()) as { readonly source_url: string }[]
  expect((await fetch(base + new URL(media[0]?.source_url ?? '').pathname)).status).toBe(200)
})

test('a project for Next has its pages, its routes, draft mode and a secret for it', async () => {
  await init('my-site', '--host', 'next')
  const files = readdirSync(join(folder, 'my-site'), { recursive: true, encoding: 'utf8' })
  for (const file of [
    'src/app/page.tsx',
    'src/app/draft/route.ts',
    'src/app/api/[[...path]]/route.ts',
    'next.config.ts',
  ]) {
    expect(files).toContain(file)
  }
  expect(read('my-site/.env')).toMatch(/^DRAFT_SECRET=[\w-]{32}\n$/)
  expect(read('my-site/.gitignore')).toContain('.env\n')
})

test.each([
  ['express', { express: '^5.0.0' }, 'src/'],
  ['next', { next: '^16.0.0' }, ''],
])('an application with %s gets the site beside its own files', async (host, dependencies, sources) => {
  application(dependencies)
  const before = read('package.json')
  const said = await init()
  expect(said).toContain(`wrote ${sources}content.ts\nwrote ${sources}site.ts\n`)
  expect(said).toContain('install: npm install ')
  expect(read('package.json')).toBe(before)
  expect(existsSync(join(folder, 'tsconfig.json'))).toBe(false)
  // Next compiles with the configuration of the application, which knows no endings of imports.
  expect(read(`${sources}first-start.ts`)).toContain(host === 'next' ? "from './site'" : "from './site.ts'")
})

test('an application with a server of its own keeps it', async () => {
  application({ express: '^5.0.0' })
  mkdirSync(join(folder, 'src'))
  writeFileSync(join(folder, 'src/server.ts'), 'mine')
  expect(await init()).toContain('src/server.ts is yours: mount the api of src/site.ts in it')
  expect(read('src/server.ts')).toBe('mine')
})

test('writes nothing over files that are there', async () => {
  mkdirSync(join(folder, 'my-site/src'), { recursive: true })
  writeFileSync(join(folder, 'my-site/src/site.ts'), 'mine')
  await expect(init('my-site')).rejects.toThrow('site-api: src/site.ts is there already: use another folder')
  expect(readdirSync(join(folder, 'my-site'))).toEqual(['src'])
  expect(read('my-site/src/site.ts')).toBe('mine')
})

test('refuses a host that it does not know', async () => {
  await expect(init('--host', 'koa')).rejects.toThrow(
    '--host must be node or express or fastify or hono or bun or next, not koa',
  )
})
