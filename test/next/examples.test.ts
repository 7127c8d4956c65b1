/** The examples, copied as they are into the application of create-next-app, built and served with both bundlers. */
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { createSiteApi, full } from '../../src/index.ts'
import { sqliteStorage } from '../../src/storage/sqlite.ts'
import { passwordOf, smallSite } from '../support/small-site.ts'
import { application, build, bundlers, copyExample, removeFiles, resetApplication, start } from './application.ts'

const file = join(application, 'site.db')
const environment = { SITE_FILE: file, SITE_URL: 'https://quay.example' }

beforeEach(async () => {
  resetApplication()
  const api = createSiteApi({ storage: sqliteStorage(file), profile: full, url: environment.SITE_URL })
  await api.site.seed(smallSite)
  await api.close()
})

const authorization = `Basic ${btoa(`edith:${passwordOf('edith')}`)}`

test.each(bundlers)('the API and a page that lists posts, built with %s', async (bundler) => {
  copyExample('next')
  await build(bundler, environment)
  const home = await start(environment)
  expect(await (await fetch(home)).text()).toContain('<h1>Latest posts</h1>')
  const made = await fetch(`${home}/api/cms/v2/posts`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ title: 'Slack water', status: 'publish', date_gmt: '2024-06-01T08:00:00' }),
  })
  expect(made.status).toBe(201)
  expect(await (await fetch(home)).text()).toContain('Slack water')
  const found = await fetch(`${home}/api/cms/v2/posts?search=Slack&_fields=slug`)
  expect(await found.json()).toEqual([{ slug: 'slack-water' }])
})

test.each(bundlers)('the pages of a site, built with %s', async (bundler) => {
  copyExample('next-pages')
  // The catch-all has the address of this page.
  removeFiles('app/page.tsx')
  await build(bundler, environment)
  const home = await start(environment)
  const page = await fetch(`${home}/hello/`)
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('Third wording.')])
  const posts = await fetch(`${home}/api/cms/v2/posts?per_page=1`)
  expect([posts.status, (await posts.json()).length]).toEqual([200, 1])
  expect((await fetch(`${home}/nowhere/`)).status).toBe(404)
})
