/** `site-api init` in the application of create-next-app, whose configuration stays as it is, built with both bundlers. */
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { outputOf } from '../package/run.ts'
import { application, build, bundlers, resetApplication, start } from './application.ts'

beforeEach(resetApplication)

test.each(bundlers)('the route handler that init writes answers and writes, built with %s', async (bundler) => {
  const bin = join(application, 'node_modules/site-api/dist/cli/main.js')
  const printed = await outputOf(process.execPath, [bin, 'init'], application)
  expect(printed).toContain('wrote app/api/[[...path]]/route.js\n')
  const [, credentials = ''] = /curl -u '([^']+)'/.exec(printed) ?? []
  await build(bundler)
  const posts = `${await start()}/api/cms/v2/posts`
  const headers = { authorization: `Basic ${btoa(credentials)}`, 'content-type': 'application/json' }
  const list = async () => (await fetch(`${posts}?_fields=slug`)).json()
  expect(await list()).toEqual([])
  const made = await fetch(posts, { method: 'POST', headers, body: '{"title":"Tide","status":"publish"}' })
  expect(made.status).toBe(201)
  // The build printed no response.
  expect(await list()).toEqual([{ slug: 'tide' }])
})
