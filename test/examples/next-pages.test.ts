/** docs/examples/next-pages, built and served by Next itself. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSiteApi, full } from '../../src/index.ts'
import { sqliteStorage } from '../../src/storage/sqlite.ts'
import { ended, installExample, type Running, removeExample, run, stop, waitForOutput } from '../support/example.ts'
import { smallSite } from '../support/small-site.ts'

/** Next looks for packages in this folder only; types are checked against the source. */
const config = `import config from './next.config.ts'
export default { ...config, turbopack: { root: '/' }, typescript: { ignoreBuildErrors: true } }
`

const next = (...args: readonly string[]) => ['node_modules/next/dist/bin/next', ...args]

let folder = ''
let server: Running
let home = ''

beforeAll(async () => {
  folder = await installExample('next-pages')
  writeFileSync(join(folder, 'next.config.mjs'), config)
  const file = join(folder, 'site.db')
  const api = createSiteApi({ storage: sqliteStorage(file), profile: full, url: 'https://quay.example' })
  await api.site.seed(smallSite)
  await api.close()
  const environment = { SITE_FILE: file, SITE_URL: 'https://quay.example' }
  await ended(run(folder, next('build'), environment))
  server = run(folder, next('start', '-H', '127.0.0.1', '-p', '0'), environment)
  home = await waitForOutput(server, /Local:\s+(\S+)[\s\S]*Ready/)
}, 300_000)

afterAll(async () => {
  await stop(server)
  removeExample(folder)
})

const get = (path: string, headers = {}) => fetch(home + path, { headers, redirect: 'manual' })

test('shows pages at their own addresses, and the API below its root', async () => {
  const page = await get('/hello/')
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('Third wording.')])
  expect((await get('/')).status).toBe(200)
  expect((await get('/nowhere/')).status).toBe(404)
  const redirected = await get('/hello')
  expect([redirected.status, redirected.headers.get('location')]).toEqual([301, 'https://quay.example/hello/'])
  expect(await (await get('/api/cms/v2/posts?per_page=1')).json()).toHaveLength(1)
  const known = await get('/hello/', { 'if-none-match': page.headers.get('etag') ?? '' })
  expect(known.status).toBe(304)
})

test('finds style sheets and feeds, and takes the password of a protected post', async () => {
  const { headers } = await get('/feed/')
  expect(headers.get('content-type')).toBe('application/rss+xml; charset=UTF-8')
  const text = await (await get('/hello/')).text()
  const sheet = /rel="stylesheet" href="https:\/\/quay\.example([^"]+)"/.exec(text)?.[1] ?? ''
  expect((await get(sheet)).headers.get('content-type')).toBe('text/css; charset=UTF-8')
  const locked = await get('/locked/')
  const id = /name="post" value="(\d+)"/.exec(await locked.text())?.[1] ?? ''
  const body = new URLSearchParams({ post: id, password: 'sesame' })
  const opened = await fetch(`${home}/_pages/unlock`, { method: 'POST', body, redirect: 'manual' })
  expect([opened.status, opened.headers.getSetCookie().length]).toEqual([303, 1])
})
