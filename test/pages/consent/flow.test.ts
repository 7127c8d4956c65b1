/** The consent page: a user approves or rejects an application. */
import { afterAll, expect, test } from 'vitest'
import type { Storage } from '../../../src/contract/storage.ts'
import { isPasswordOf } from '../../../src/core/runtime/crypto.ts'
import { createSiteApi } from '../../../src/host/create-site-api.ts'
import { d1 } from '../../../src/profiles/d1.ts'
import { type ConsentSite, fromThePage, openConsent } from '../../support/consent.ts'
import { hiddenIn, password, request } from '../../support/password-site.ts'
import { baseUrl, basic, createTestSite } from '../../support/site.ts'

const sites: ConsentSite[] = []
const opened = async (options?: Parameters<typeof openConsent>[0]) => {
  const site = await openConsent(options)
  sites.push(site)
  return site
}
afterAll(async () => {
  for (const { dispose, failures } of sites) {
    await dispose()
    expect(failures).toEqual([])
  }
})

const shared = opened()
const me = '/cms/v2/posts?context=edit&per_page=1'

test('publishes the URL of the page in the index, without listing its route', async () => {
  const { visitor } = await shared
  const { body } = await visitor('GET', '/')
  expect(body.authentication['application-passwords'].endpoints.authorization).toBe(`${baseUrl}/api/authorize`)
  expect(Object.keys(body.routes)).not.toContain('/authorize')
})

test('signs a user in, shows application and destination, and sends a working password after approval', async () => {
  const site = await shared
  const first = await site.open()
  expect(first.status).toBe(200)
  expect(first.headers.get('content-type')).toBe('text/html; charset=UTF-8')
  expect(first.body).toContain('Tide Tables')
  expect(first.body).toMatch(/<input id="password" name="password" type="password"/)

  const asked = await site.post({ ...hiddenIn(first), decision: 'sign-in', login: 'ada', password })
  expect(asked.status).toBe(200)
  for (const shown of ['Ada Admin', 'Tide Tables', 'https://app.example', 'Quay Notes', 'quay.example']) {
    expect(asked.body).toContain(shown)
  }
  expect(asked.body).not.toContain(password)

  const { status, headers, body } = await site.post({ ...hiddenIn(asked), decision: 'approve' })
  expect([status, body]).toEqual([303, undefined])
  const back = new URL(headers.get('location') ?? '')
  expect(back.origin + back.pathname).toBe('https://app.example/connected')
  expect([...back.searchParams.keys()]).toEqual(['site_url', 'user_login', 'password'])
  expect(back.searchParams.get('site_url')).toBe(baseUrl)
  const credentials = basic(back.searchParams.get('user_login') ?? '', back.searchParams.get('password') ?? '')
  expect(back.searchParams.get('password')).toMatch(/^[A-Za-z0-9]{24}$/)
  expect((await site.visitor('GET', me, { headers: { authorization: credentials } })).status).toBe(200)

  const passwords = await site.api.site.passwords.list(site.ids['user.admin'] ?? 0)
  expect(passwords.at(-1)).toMatchObject({ name: 'Tide Tables', appId: request.app_id, created: '2024-06-15T12:00:00' })
})

test('accepts an e-mail address as login', async () => {
  const site = await shared
  const asked = await site.post({ ...request, decision: 'sign-in', login: 'ada@example.test', password })
  expect(asked.body).toContain('You are signed in as')
})

test('shows the password once to an application without a success_url', async () => {
  const site = await opened()
  const asked = await site.question({ app_name: 'By hand' })
  const shown = await site.post({ ...hiddenIn(asked), decision: 'approve' })
  expect(shown.status).toBe(200)
  const [, secret = ''] = /id="password" readonly value="([^"]+)"/.exec(shown.body) ?? []
  expect(secret).toMatch(/^(?:[A-Za-z0-9]{4} ){5}[A-Za-z0-9]{4}$/)
  expect((await site.visitor('GET', me, { headers: { authorization: basic('ada', secret) } })).status).toBe(200)
  const again = await site.post({ ...hiddenIn(asked), decision: 'approve' })
  expect(again.status).toBe(409)
  expect(again.body).not.toContain(secret)
})

test('redirects a rejection to reject_url, else to success_url with success=false, else nowhere', async () => {
  const site = await opened()
  const refused = async (asked: { [name: string]: string }) =>
    site.post({ ...hiddenIn(await site.question(asked)), decision: 'refuse' })
  expect((await refused(request)).headers.get('location')).toBe('https://app.example/refused')
  const { app_name, success_url } = request
  const unnamed = await refused({ app_name, success_url })
  expect([unnamed.status, unnamed.headers.get('location')]).toEqual([303, `${success_url}?success=false`])
  const nowhere = await refused({ app_name })
  expect(nowhere.status).toBe(200)
  expect(nowhere.body).toContain('got no password')
  expect(await site.letIn()).toEqual([])
})

test('offers a link back before sign-in', async () => {
  const { open } = await shared
  expect((await open()).body).toContain(
    '<a class="button" href="https://app.example/refused" rel="noreferrer">Cancel</a>',
  )
  expect((await open({ app_name: 'No address' })).body).not.toContain('Cancel')
})

test('preserves query and fragment of the URL, except for its own parameters', async () => {
  const site = await shared
  const success_url = 'https://app.example/cb?a=1%202&b=x+y&password=old&c#part'
  const asked = await site.question({ app_name: 'Exact', success_url })
  const { headers } = await site.post({ ...hiddenIn(asked), decision: 'approve' })
  expect(headers.get('location')).toMatch(
    /^https:\/\/app\.example\/cb\?a=1%202&b=x\+y&c&site_url=https%3A%2F%2Fquay\.example&user_login=ada&password=\w{24}#part$/,
  )
})

test('sends the password to loopback URLs and listed schemes', async () => {
  const site = await opened({ consent: { appSchemes: ['com.example.tides'] } })
  for (const success_url of ['http://127.0.0.1:9000/cb', 'http://[::1]:9000/cb', 'com.example.tides://connected']) {
    const asked = await site.question({ app_name: 'Near', success_url })
    const { headers } = await site.post({ ...hiddenIn(asked), decision: 'approve' })
    expect(headers.get('location')).toMatch(new RegExp(`^${success_url.replace(/[[\]]/g, '\\$&')}\\?site_url=`))
  }
})

test('creates one password per form, however often it is submitted', async () => {
  const site = await opened()
  const form = { ...hiddenIn(await site.question()), decision: 'approve' }
  const answers = await Promise.all(Array.from({ length: 5 }, () => site.post(form)))
  expect(answers.map(({ status }) => status).sort()).toEqual([303, 409, 409, 409, 409])
  expect(await site.letIn()).toEqual(['Tide Tables'])
})

test('accepts a form that another process rendered', async () => {
  let storage: Storage | undefined
  const one = await opened({
    storage: (opened) => {
      storage = opened
      return opened
    },
  })
  if (!storage) throw new Error('the site has no storage')
  const other = createSiteApi({ storage, profile: d1, url: baseUrl, clock: () => one.clock.now })
  const asked = hiddenIn(await one.question())
  const sent = new Request(`${baseUrl}/api/authorize`, {
    method: 'POST',
    body: new URLSearchParams({ ...asked, decision: 'approve' }),
  })
  expect((await other.fetch(sent)).status).toBe(303)
  expect(await one.letIn()).toEqual(['Tide Tables'])
})

test('creates a further password when an application is approved again', async () => {
  const site = await opened()
  for (const _ of [1, 2]) await site.post({ ...hiddenIn(await site.question()), decision: 'approve' })
  expect(await site.letIn()).toEqual(['Tide Tables', 'Tide Tables'])
})

test('emits an event without the password', async () => {
  const site = await opened()
  const told: unknown[] = []
  site.api.on('password.created', (payload) => told.push(payload))
  site.api.on('password.revoked', (payload) => told.push(payload))
  const user = site.ids['user.admin'] ?? 0
  await site.post({ ...hiddenIn(await site.question()), decision: 'approve' })
  const id = (await site.api.site.passwords.list(user)).at(-1)?.id ?? 0
  await site.api.site.passwords.revoke(id)
  const { app_name: name, app_id: appId } = request
  expect(told).toEqual([
    { id, user, name, appId },
    { id, user },
  ])
})

test('exports the app_id of an application, and not the signing key', async () => {
  const site = await opened()
  await site.post({ ...hiddenIn(await site.question()), decision: 'approve' })
  const document = await site.api.site.export()
  expect(document.users?.[0]?.application_passwords?.at(-1)).toMatchObject({ app_id: request.app_id })
  expect(JSON.stringify(document)).not.toContain('consent_key')
  const copy = await createTestSite({ seed: document })
  expect((await copy.api.site.passwords.list(1)).at(-1)).toMatchObject({ appId: request.app_id })
  await copy.dispose()
})

// ---------------------------------------------------------------- signed in at the host

const byCookie = (cookie: string) => ({ ...fromThePage, cookie })

/** A host that identifies users by a cookie. */
async function hosted() {
  let ids: { readonly [reference: string]: number } = {}
  const users: { readonly [session: string]: string } = { ada: 'user.admin', edith: 'user.editor' }
  const site = await opened({
    authenticate: ({ header }) => ids[users[/session=(\w+)/.exec(header('cookie') ?? '')?.[1] ?? ''] ?? ''],
  })
  ids = { ...site.ids }
  return site
}

test('shows the approval form at once to a user signed in at the host', async () => {
  const site = await hosted()
  const asked = await site.open(request, { cookie: 'session=edith' })
  expect(asked.body).toContain('Edith Editor')
  expect(asked.body).not.toContain('type="password"')
  const { status } = await site.post({ ...hiddenIn(asked), decision: 'approve' }, byCookie('session=edith'))
  expect([status, await site.letIn('edith')]).toEqual([303, ['Tide Tables']])
})

test('starts again for a user who signed out at the host or changed accounts', async () => {
  const site = await hosted()
  const form = { ...hiddenIn(await site.open(request, { cookie: 'session=edith' })), decision: 'approve' }
  const left = await site.post(form)
  expect(left.status).toBe(403)
  expect(left.body).toMatch(/type="password"/)
  const other = await site.post(form, byCookie('session=ada'))
  expect(other.status).toBe(403)
  expect(other.body).toContain('Ada Admin')
  expect([await site.letIn('edith'), await site.letIn('ada')]).toEqual([[], []])
})

test('asks a user who is not signed in at the host for the password', async () => {
  const site = await hosted()
  const asked = await site.question()
  expect((await site.post({ ...hiddenIn(asked), decision: 'approve' })).status).toBe(303)
})

test('links to the sign-in page of the host with a return URL', async () => {
  const site = await opened({ consent: { signInUrl: (to) => `${baseUrl}/login?to=${encodeURIComponent(to)}` } })
  const asked = await site.open()
  expect(asked.status).toBe(200)
  expect(asked.body).not.toContain('<form')
  const [, link = ''] = /<a class="button primary" href="([^"]+)">Sign in/.exec(asked.body) ?? []
  const back = new URL(new URL(link).searchParams.get('to') ?? '')
  expect(`${back.origin}${back.pathname}`).toBe(`${baseUrl}/api/authorize`)
  expect(Object.fromEntries(back.searchParams)).toEqual(request)
  // Passwords of the site are not accepted there.
  expect((await site.question()).body).not.toContain('name="grant"')
})

test('refuses sign-ins for a moment while too many passwords wait to be compared', async () => {
  const site = await shared
  const first = await site.open()
  const signIn = (login: string) => site.post({ ...hiddenIn(first), decision: 'sign-in', login, password })
  const waiting = Array.from({ length: 300 }, (_, at) => isPasswordOf('wrong', '', 10, `client ${at}`))
  const refused = await signIn('ada')
  expect(refused.status).toBe(503)
  expect(refused.headers.get('retry-after')).toBe('10')
  expect(refused.body).toContain('Too many people are signing in')
  await Promise.all(waiting)
  expect((await signIn('ada')).status).toBe(200)
})
