/** `site-api init` in the application of create-next-app, whose configuration stays as it is, and as a new project. */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { outputOf } from '../package/run.ts'
import { application, build, bundlers, resetApplication, start } from './application.ts'

beforeEach(resetApplication)

const bin = join(application, 'node_modules/site-api/dist/cli/main.js')
const siteApi = (...args: readonly string[]) => outputOf(process.execPath, [bin, ...args], application)

test.each(bundlers)('the route handler that init writes answers, built with %s', async (bundler) => {
  const printed = await siteApi('init')
  expect(printed).toContain('wrote app/api/[[...path]]/route.ts\n')
  await build(bundler)
  const list = await (await fetch(`${await start()}/api/cms/v2/posts?_fields=slug,meta`)).json()
  expect(list).toMatchObject([{ slug: 'hello', meta: { subtitle: 'The first post' } }])
})

/** Puts the files of a new project into the application, whose packages are installed. */
async function becomeProject(): Promise<string> {
  const folder = join(mkdtempSync(join(tmpdir(), 'site-api-next-')), 'my-site')
  await siteApi('init', folder, '--host', 'next')
  for (const name of readdirSync(application)) {
    if (!['node_modules', 'package.json'].includes(name)) rmSync(join(application, name), { recursive: true })
  }
  cpSync(folder, application, { recursive: true, filter: (path) => path !== join(folder, 'package.json') })
  rmSync(join(folder, '..'), { recursive: true })
  const [, secret = ''] = /DRAFT_SECRET=(\S+)/.exec(readFileSync(join(application, '.env'), 'utf8')) ?? []
  return secret
}

test.each(bundlers)('a project shows its pages, what clients write, and drafts, built with %s', async (bundler) => {
  const secret = await becomeProject()
  await build(bundler)
  const url = await start()
  const text = async (path: string, headers = {}) => (await fetch(url + path, { headers })).text()
  expect(await text('/')).toContain('The first post')
  expect(await text('/about/')).toContain('Say here who you are.')
  expect(await text('/api/docs')).toContain('<html')

  const printed = await siteApi('password', 'ada', '--name', 'check', '--storage', 'sqlite:data/site.db')
  const [password = ''] = /(?:\w{4} ?){6}/.exec(printed) ?? []
  const write = async (values: object) => {
    const response = await fetch(`${url}/api/cms/v2/posts`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`ada:${password.trim()}`)}`, 'content-type': 'application/json' },
      body: JSON.stringify(values),
    })
    expect(response.status).toBe(201)
    return (await response.json()) as { readonly id: number }
  }
  await write({ title: 'Ebb tide', status: 'publish' })
  expect(await text('/')).toContain('Ebb tide')
  expect(await text('/journal/ebb-tide')).toContain('Ebb tide')

  const { id } = await write({ title: 'Nobody reads this yet', status: 'draft' })
  expect((await fetch(`${url}/journal/${id}`)).status).toBe(404)
  expect((await fetch(`${url}/draft?secret=wrong&id=${id}`)).status).toBe(401)
  const opened = await fetch(`${url}/draft?secret=${secret}&id=${id}`, { redirect: 'manual' })
  const cookie = opened.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
  expect(opened.headers.get('location')).toMatch(new RegExp(`/journal/${id}$`))
  expect(await text(`/journal/${id}`, { cookie })).toContain('Nobody reads this yet')
})
