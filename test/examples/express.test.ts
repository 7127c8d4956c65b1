/** The Express application of docs/examples: its own sign-in, and the rights of its sessions below `/api`. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { installExample, type Running, removeExample, run, stop, waitForOutput } from '../support/example.ts'

const ownOrigin = 'https://quay.example'

let folder = ''
let server: Running
let url = ''
let password = ''

beforeAll(async () => {
  folder = await installExample('express')
  server = run(folder, ['server.ts'], { PORT: '0', SITE_URL: ownOrigin })
  url = await waitForOutput(server, /listening on (\S+)\n/)
  password = await waitForOutput(server, /sign in as wren with (\S+)\n/)
}, 60_000)

afterAll(async () => {
  await stop(server)
  removeExample(folder)
})

const signIn = (form: { readonly [name: string]: string }, origin = ownOrigin) =>
  fetch(`${url}/sign-in`, { method: 'POST', body: new URLSearchParams(form), headers: { origin }, redirect: 'manual' })

async function session(): Promise<string> {
  const [line = ''] = (await signIn({ login: 'wren', password })).headers.getSetCookie()
  return line.split(';')[0] ?? ''
}

const write = (headers: { readonly [name: string]: string }, title = 'High tide') =>
  fetch(`${url}/api/cms/v2/posts`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ title, status: 'publish' }),
  })

test('signs in with a form, into a cookie that scripts cannot read', async () => {
  const response = await signIn({ login: 'wren', password })
  expect(response.status).toBe(303)
  expect(response.headers.getSetCookie()).toEqual([
    expect.stringMatching(/^session=[\w.-]+; Max-Age=28800; Path=\/; HttpOnly; SameSite=Lax; Secure$/),
  ])
  const page = await (await fetch(url, { headers: { cookie: await session() } })).text()
  expect(page).toContain('Sign out wren')
})

test('refuses wrong passwords, unknown logins and forms of other sites', async () => {
  expect((await signIn({ login: 'wren', password: 'wrong' })).status).toBe(401)
  expect((await signIn({ login: 'nobody', password })).status).toBe(401)
  expect((await signIn({})).status).toBe(401)
  expect((await signIn({ login: 'wren', password }, 'https://evil.example')).status).toBe(403)
})

test('reads and writes below /api as the user of the session', async () => {
  const cookie = await session()
  const me = await fetch(`${url}/api/cms/v2/posts?context=edit`, { headers: { cookie } })
  expect(me.status).toBe(200)
  const made = await write({ cookie, origin: ownOrigin })
  expect(made.status).toBe(201)
  expect(await made.json()).toMatchObject({ status: 'publish', title: { raw: 'High tide' } })
  expect(await (await fetch(url)).text()).toContain('High tide')
})

test('refuses writes with the session from another site', async () => {
  const cookie = await session()
  for (const [name, value] of Object.entries({
    origin: 'https://evil.example',
    'sec-fetch-site': 'cross-site',
    accept: '*/*',
  })) {
    const response = await write({ cookie, [name]: value }, 'Stowaway')
    expect(response.status).toBe(403)
    expect(await response.json()).toMatchObject({ code: 'rest_cookie_invalid_nonce' })
  }
  expect(await (await fetch(url)).text()).not.toContain('Stowaway')
})

test('treats a forged, expired or missing cookie as a visitor', async () => {
  const cookie = await session()
  for (const forged of [
    '',
    'session=',
    `${cookie}x`,
    cookie.replace(/\.\d+\./, '.2.'),
    'session=d3Jlbg.1.9999999999999.AA',
  ]) {
    const response = await write({ cookie: forged, origin: ownOrigin })
    expect(response.status).toBe(401)
  }
})

test('signs out', async () => {
  const response = await fetch(`${url}/sign-out`, {
    method: 'POST',
    headers: { origin: ownOrigin },
    redirect: 'manual',
  })
  expect(response.headers.getSetCookie()).toEqual([expect.stringMatching(/^session=; Max-Age=0; /)])
})

test('leaves paths outside the api to the application', async () => {
  expect((await fetch(`${url}/nowhere`)).headers.get('content-type')).toMatch(/^text\/html/)
  expect(await (await fetch(`${url}/api/nowhere`)).json()).toMatchObject({ code: 'rest_no_route' })
})

test('ends on a signal', async () => {
  expect(await stop(server)).toBe(0)
})
