/**
 * Builds and serves the Next.js application of docs/examples with Next itself, at the bare address and below a base path.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSiteApi, d1, type SiteApiOptions } from '../../src/index.ts'
import { sqliteStorage } from '../../src/storage/sqlite.ts'
import { send } from '../adapters/raw.ts'
import { ended, installExample, type Running, removeExample, run, stop, waitForOutput } from '../support/example.ts'
import { isFullRun } from '../support/generated-cases.ts'

/** Next looks for packages in this folder only; types are checked against the source. */
const config = `import config from './next.config.ts'
export default { ...config, turbopack: { root: '/' }, typescript: { ignoreBuildErrors: true } }
`

const next = (...args: readonly string[]) => ['node_modules/next/dist/bin/next', ...args]

const openSite = (file: string, options: Partial<SiteApiOptions> = {}) =>
  createSiteApi({ storage: sqliteStorage(file), profile: d1, url: 'https://quay.example', ...options })

/** Creates a site with one post, and returns the credentials of its administrator. */
async function prepare(file: string): Promise<string> {
  const api = openSite(file)
  const { id } = await api.site.users.create({ login: 'ada', roles: ['administrator'] })
  const { password } = await api.site.passwords.create(id, 'tests')
  await api.call('POST', '/cms/v2/posts', { title: 'High &amp; low tide', status: 'publish' }, { as: id })
  await api.close()
  return `Basic ${btoa(`ada:${password}`)}`
}

/** The tests of the adapter build an application at the bare address too. */
const basePaths = isFullRun ? ['', '/shop/eu'] : ['/shop/eu']

describe.each(basePaths)('below "%s"', (basePath) => {
  let folder = ''
  let server: Running
  let home = ''
  let authorization = ''

  beforeAll(async () => {
    folder = await installExample('next')
    writeFileSync(join(folder, 'next.config.mjs'), config)
    const file = join(folder, 'site.db')
    authorization = await prepare(file)
    const environment = { SITE_FILE: file, SITE_URL: 'https://quay.example', BASE_PATH: basePath }
    await ended(run(folder, next('build'), environment))
    server = run(folder, next('start', '-H', '127.0.0.1', '-p', '0'), environment)
    home = (await waitForOutput(server, /Local:\s+(\S+)[\s\S]*Ready/)) + basePath
  }, 300_000)

  afterAll(async () => {
    await stop(server)
    removeExample(folder)
  })

  /** The titles that the page lists. */
  const titles = async () =>
    [...(await (await fetch(home)).text()).matchAll(/<li><a [^>]*>(.*?)<\/a>/g)].map(([, title]) => title)

  async function write(method: string, path: string, args: { readonly [name: string]: unknown } = {}) {
    const response = await fetch(`${home}/api${path}`, {
      method,
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify(args),
    })
    // The cast: a response of the site, with the member that is read.
    return { status: response.status, data: (await response.json()) as { readonly id: number } }
  }

  test('lists the posts on a built page', async () => {
    expect(await titles()).toEqual(['High &amp; low tide'])
    expect((await fetch(home)).headers.get('x-nextjs-cache')).toBe('HIT')
  })

  test('rebuilds the page after each change over the api', async () => {
    const { status, data } = await write('POST', '/cms/v2/posts', { title: 'Spring tide', status: 'publish' })
    expect(status).toBe(201)
    expect(await titles()).toEqual(['Spring tide', 'High &amp; low tide'])
    await write('PATCH', `/cms/v2/posts/${data.id}`, { title: 'Neap tide' })
    expect(await titles()).toEqual(['Neap tide', 'High &amp; low tide'])
    await write('DELETE', `/cms/v2/posts/${data.id}`)
    expect(await titles()).toEqual(['High &amp; low tide'])
    expect((await fetch(home)).headers.get('x-nextjs-cache')).toBe('HIT')
  })

  test('keeps the page after changes of what it does not show', async () => {
    await titles()
    for (const body of [{ title: 'A draft' }, { title: 'A page' }]) {
      await write('POST', body.title === 'A draft' ? '/cms/v2/posts' : '/cms/v2/pages', body)
      expect((await fetch(home)).headers.get('x-nextjs-cache')).toBe('HIT')
    }
    const [{ id }] = (await (await fetch(`${home}/api/cms/v2/posts`)).json()) as [{ readonly id: number }]
    await write('PATCH', `/cms/v2/posts/${id}`, { title: 'High &amp; low tide' })
    expect((await fetch(home)).headers.get('x-nextjs-cache')).not.toBe('HIT')
    expect((await fetch(home)).headers.get('x-nextjs-cache')).toBe('HIT')
  })

  test('rebuilds the page when a scheduled post is published', async () => {
    // Only posts at least a minute ahead are scheduled; on a clock an hour behind, this one is due in a second.
    const behind = openSite(join(folder, 'site.db'), { clock: () => Date.now() - 3_600_000 })
    const date_gmt = new Date(Date.now() + 2000).toISOString().slice(0, 19)
    await behind.call('POST', '/cms/v2/posts', { title: 'Slack water', status: 'publish', date_gmt }, { as: 'system' })
    await behind.close()
    // The next request of the api schedules it; from then on only the page is requested.
    await fetch(`${home}/api/cms/v2/posts`)
    await expect.poll(titles, { timeout: 20_000 }).toEqual(['Slack water', 'High &amp; low tide'])
  })

  test('accepts renewals only from its own process', async () => {
    expect((await fetch(`${home}/renew`, { method: 'POST' })).status).toBe(404)
  })

  test('responds at the bare mount and below it', async () => {
    const index = await fetch(`${home}/api`)
    expect(await index.json()).toMatchObject({ url: 'https://quay.example' })
    const posts = await fetch(`${home}/api/cms/v2/posts?per_page=1&_fields[]=id&_fields[]=link`)
    expect(posts.status).toBe(200)
    expect(posts.headers.get('link')).toContain(`<https://quay.example${basePath}/api/cms/v2/posts?`)
    const nowhere = await fetch(`${home}/api/cms/v2/nowhere`)
    expect(await nowhere.json()).toMatchObject({ code: 'rest_no_route', data: { status: 404 } })
  })

  test('passes long path values unchanged', async () => {
    const answers = async (path: string) => (await fetch(`${home}/api${path}`)).json()
    expect(await answers('/cms/v2/%70osts/1%2F2')).toMatchObject({ code: 'rest_no_route' })
    expect(await answers('/cms/v2/%70osts/999')).toMatchObject({ code: 'rest_post_invalid_id' })
    expect(await answers(`/cms/v2/posts/${'0'.repeat(1000)}999`)).toMatchObject({ code: 'rest_post_invalid_id' })
  })

  test('serves all seven methods', async () => {
    const { data } = await write('POST', '/cms/v2/posts', { title: 'Ebb' })
    const post = `/cms/v2/posts/${data.id}`
    for (const method of ['PUT', 'PATCH', 'DELETE']) expect((await write(method, post)).status).toBe(200)
    const head = await fetch(`${home}/api/cms/v2/posts`, { method: 'HEAD' })
    expect(head.headers.get('x-cms-total')).toMatch(/^\d+$/)
    expect(await head.text()).toBe('')
    const options = await fetch(`${home}/api/cms/v2/posts`, { method: 'OPTIONS' })
    expect(await options.json()).toMatchObject({ methods: ['GET', 'POST'] })
  })

  test('leaves the redirect of trailing slashes to Next', async () => {
    const { host, pathname } = new URL(`${home}/api/cms/v2/posts/`)
    const answer = await send(home, `GET ${pathname} HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 0\r\n\r\n`)
    expect(answer).toMatchObject({ status: 308, headers: { location: pathname.slice(0, -1) } })
  })
})
