/** Runs `site-api init` in the folder of each host: the program that it writes runs unchanged. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { ended, installPackage, type Running, removeExample, run, stop, waitForOutput } from '../support/example.ts'

let folder = ''
let running: Running | undefined

beforeAll(async () => {
  folder = await installPackage('init')
}, 60_000)
beforeEach(() => {
  for (const name of ['site.mjs', 'site.db', 'site-api.js', 'app', 'src', 'package.json', 'next-env.d.ts', '.next']) {
    rmSync(join(folder, name), { recursive: true, force: true })
  }
})
afterEach(async () => {
  if (running) await stop(running)
  running = undefined
})
afterAll(() => removeExample(folder))

const bin = 'node_modules/site-api/dist/cli/main.js'

async function init(dependencies: object, ...args: readonly string[]): Promise<string> {
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module', dependencies }))
  const done = run(folder, [bin, 'init', ...args])
  await ended(done)
  return done.output()
}

/** Writes a post with the printed password, as the printed line does. */
async function tryAs(printed: string, base: string): Promise<number> {
  const [, credentials = ''] = /curl -u '([^']+)'/.exec(printed) ?? []
  const headers = { authorization: `Basic ${btoa(credentials)}`, 'content-type': 'application/json' }
  const body = '{"title":"Tide","status":"publish"}'
  return (await fetch(`${base}/cms/v2/posts`, { method: 'POST', headers, body })).status
}

test.each([
  ['express', { express: '^5.0.0' }],
  ['fastify', { fastify: '^5.0.0' }],
  ['hono', { hono: '^4.0.0' }],
  ['node', {}],
])('writes a program for %s that serves the site, and an administrator who may write', async (name, dependencies) => {
  const printed = await init(dependencies)
  expect(printed).toMatch(
    /^wrote site\.mjs\nwrote site\.db, with the administrator admin\nstart: node site\.mjs\ntry: curl /,
  )
  const text = readFileSync(join(folder, 'site.mjs'), 'utf8')
  expect(text).toContain(name === 'hono' ? "from 'hono'" : `from 'site-api/${name}'`)
  running = run(folder, ['site.mjs'], { PORT: '0' })
  const base = await waitForOutput(running, /listening on (\S+)\n/)
  expect(base).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/api$/)
  expect(await tryAs(printed, base)).toBe(201)
  expect(await (await fetch(`${base}/cms/v2/posts`)).json()).toMatchObject([{ slug: 'tide' }])
})

/** Starts the bin of the package bun, which is no script of Node, and ends it on SIGTERM. */
const startBun = `
  const child = require('node:child_process').spawn('node_modules/.bin/bun', ['site.mjs'], { stdio: 'inherit' })
  process.on('SIGTERM', () => child.kill('SIGKILL'))
  child.on('close', () => process.exit(0))
`

test('writes a program for Bun', async () => {
  const printed = await init({}, '--host', 'bun')
  expect(printed).toContain('start: bun site.mjs')
  running = run(folder, ['--eval', startBun], { PORT: '0' })
  const base = await waitForOutput(running, /listening on (\S+)\n/)
  expect(await tryAs(printed, base)).toBe(201)
})

// test/next builds and asks one.
test('writes a route handler for Next, beside the sources', async () => {
  mkdirSync(join(folder, 'src/app'), { recursive: true })
  writeFileSync(
    join(folder, 'src/app/layout.js'),
    'export default ({ children }) => <html><body>{children}</body></html>\n',
  )
  const printed = await init({ next: '16' })
  expect(printed).toContain('wrote src/app/api/[[...path]]/route.js\n')
  const handler = join(folder, 'src/app/api/[[...path]]/route.js')
  const [, api = ''] = /import \{ api \} from '(.*)'/.exec(readFileSync(handler, 'utf8')) ?? []
  expect(existsSync(join(handler, '..', api))).toBe(true)
})

test('writes nothing over files that are there', async () => {
  writeFileSync(join(folder, 'site.mjs'), 'mine')
  await expect(init({})).rejects.toThrow('site-api: site.mjs is there already: remove it, or use another folder')
  expect(readFileSync(join(folder, 'site.mjs'), 'utf8')).toBe('mine')
  expect(existsSync(join(folder, 'site.db'))).toBe(false)
})

test('refuses a host that it does not know', async () => {
  await expect(init({}, '--host', 'koa')).rejects.toThrow(
    '--host must be next or express or fastify or hono or bun or node',
  )
})
