/** Runs the Fastify application of docs/examples: the site beside routes, parsers, checks and hooks of the host. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { installExample, type Running, removeExample, run, stop, waitForOutput } from '../support/example.ts'

let folder = ''
let server: Running
let url = ''
let authorization = ''

beforeAll(async () => {
  folder = await installExample('fastify')
  server = run(folder, ['server.ts'], { PORT: '0', SITE_URL: 'https://quay.example' })
  authorization = `Basic ${btoa(`ada:${await waitForOutput(server, /sign in as ada with (.+)\n/)}`)}`
  url = await waitForOutput(server, /listening on (\S+)\n/)
}, 60_000)

afterAll(async () => {
  await stop(server)
  removeExample(folder)
})

const post = (path: string, body: unknown, headers: { readonly [name: string]: string } = {}) =>
  fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

test('lists what was published over the api', async () => {
  const made = await post('/api/cms/v2/posts', { title: 'High tide', status: 'publish' }, { authorization })
  expect(made.status).toBe(201)
  const page = await fetch(url)
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(await page.text()).toContain('<a href="https://quay.example/high-tide/">High tide</a>')
})

test('stores a submission of an application form for editors', async () => {
  expect((await post('/contact', { email: 'bo@example.com', text: 'Hello' })).status).toBe(204)
  const list = (headers = {}) => fetch(`${url}/api/builder/v1/form-submissions`, { headers })
  expect((await list()).status).toBe(401)
  expect(await (await list({ authorization })).json()).toMatchObject({ data: [{ main: { value: 'bo@example.com' } }] })
})

test('does not apply parsers and checks of the application to the site', async () => {
  expect(await (await post('/contact', { email: 'nobody', text: 'Hello' })).json()).toMatchObject({
    code: 'FST_ERR_VALIDATION',
  })
  expect(await (await post('/contact', '{"email":')).json()).toMatchObject({ statusCode: 400 })
  expect(await (await post('/api/cms/v2/posts', '{"title":', { authorization })).json()).toMatchObject({
    code: 'rest_invalid_json',
  })
})

test('runs hooks of the application for the site', async () => {
  for (const path of ['/', '/api', '/api/nowhere']) {
    expect((await fetch(url + path)).headers.get('referrer-policy')).toBe('same-origin')
  }
})

test('responds to URLs that Fastify rejects in the site or the application they belong to', async () => {
  expect(await (await fetch(`${url}/api/%zz`)).json()).toMatchObject({ code: 'rest_no_route' })
  expect(await (await fetch(`${url}/%zz`)).json()).toMatchObject({ code: 'FST_ERR_BAD_URL' })
})

test('ends on a signal', async () => {
  expect(await stop(server)).toBe(0)
})
