/** Drives the consent page in a real browser: the steps of users, and attacks from other pages. */
import type { Page } from 'playwright-core'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { password, siteWithPassword } from '../support/password-site.ts'
import { basic } from '../support/site.ts'
import { violationsOf } from './axe.ts'
import { contrasts } from './contrasts.ts'
import { browserTests, type OtherOrigin, type ServedSite } from './harness.ts'

const { newContext, openSite, openOrigin } = browserTests()
let site: ServedSite
let app: OtherOrigin

beforeAll(async () => {
  // The clock of the site is fixed, so a rate limit would never refill.
  const limit = { take: () => 0 }
  site = await openSite({ seed: siteWithPassword, authenticate, consent: { limit } })
  app = await openOrigin()
})

/** A host that identifies users by a cookie. */
function authenticate({ header }: { header(name: string): string | undefined }): number | null {
  const [, login] = /session=(\w+)/.exec(header('cookie') ?? '') ?? []
  return login === 'edith' ? (site.ids['user.editor'] ?? null) : null
}

afterEach(async () => {
  for (const key of ['user.admin', 'user.editor']) {
    const { passwords } = site.api.site
    for (const { id, name } of await passwords.list(site.ids[key] ?? 0)) if (name !== 'Seed') await passwords.revoke(id)
  }
  expect(site.failures.splice(0)).toEqual([])
})

const address = (query: { readonly [name: string]: string } = {}) =>
  `${site.url}/api/authorize?${new URLSearchParams({
    app_name: 'Tide Tables',
    success_url: `${app.url}/connected`,
    reject_url: `${app.url}/refused`,
    ...query,
  })}`

async function signIn(page: Page, typed = password): Promise<void> {
  await page.getByLabel('Login or e-mail address').fill('ada')
  await page.getByLabel('Password').fill(typed)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

const letIn = async (key = 'user.admin') =>
  (await site.api.site.passwords.list(site.ids[key] ?? 0)).map(({ name }) => name).filter((name) => name !== 'Seed')

/** Errors of the browser: policy violations and script errors. */
function complaintsOf(page: Page): string[] {
  const complaints: string[] = []
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('dialog', (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  return complaints
}

async function approved(page: Page): Promise<URLSearchParams> {
  await page.waitForURL(`${app.url}/connected?*`)
  return new URL(page.url()).searchParams
}

test('sends a working password to the application after approval', async () => {
  const page = await (await newContext()).newPage()
  const complaints = complaintsOf(page)
  await page.goto(address())
  await signIn(page)
  await page.getByRole('heading', { name: 'Let an application into your account?' }).waitFor()
  expect(await page.locator('main').textContent()).toContain(app.url)
  await page.getByRole('button', { name: 'Approve' }).click()
  const sent = await approved(page)
  expect(sent.get('site_url')).toBe(site.url)
  const credentials = basic(sent.get('user_login') ?? '', sent.get('password') ?? '')
  const answer = await fetch(`${site.url}/api/cms/v2/posts?context=edit`, { headers: { authorization: credentials } })
  expect(answer.status).toBe(200)
  expect(await letIn()).toEqual(['Tide Tables'])
  expect(complaints).toEqual([])
})

test('says what the application will be able to do, and where the password goes, before it asks for it', async () => {
  const page = await (await newContext()).newPage()
  await page.goto(address())
  const details = page.locator('.details')
  const text = await details.textContent()
  expect(text).toContain('Tide Tables can read, change and delete on this site whatever you can')
  expect(text).toContain(`Your own password goes to ${new URL(site.url).host} only`)
  expect(text).toContain(app.url)
  const [above, below] = [await details.boundingBox(), await page.getByLabel('Password').boundingBox()]
  expect(above?.y).toBeLessThan(below?.y ?? 0)
  expect(await violationsOf(page)).toEqual([])
  await signIn(page)
  await page.getByRole('button', { name: 'Approve' }).waitFor()
  expect(await details.textContent()).toBe(text)
})

test('lets the application redirect the user to another of its hosts', async () => {
  const other = await openOrigin()
  const first = await openOrigin({ '/connected': { location: `${other.url}/welcome` } })
  const page = await (await newContext()).newPage()
  await page.goto(address({ success_url: `${first.url}/connected` }))
  await signIn(page)
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.waitForURL(`${other.url}/welcome`)
})

test('sends no referrer to the application', async () => {
  const page = await (await newContext()).newPage()
  await page.goto(address())
  await signIn(page)
  await page.getByRole('button', { name: 'Approve' }).click()
  await approved(page)
  expect(await page.evaluate(() => document.referrer)).toBe('')
})

test('lets a user reject before or after sign-in', async () => {
  const page = await (await newContext()).newPage()
  await page.goto(address())
  await page.getByRole('link', { name: 'Cancel' }).click()
  await page.waitForURL(`${app.url}/refused`)
  await page.goto(address())
  await signIn(page)
  await page.getByRole('button', { name: 'Refuse' }).click()
  await page.waitForURL(`${app.url}/refused`)
  expect(await letIn()).toEqual([])
})

test('reports a wrong password, keeps the login, and continues with the right one', async () => {
  const page = await (await newContext()).newPage()
  await page.goto(address())
  await signIn(page, 'high tide at six')
  const alert = page.getByRole('alert')
  await alert.waitFor()
  expect(await alert.textContent()).toContain('Login or password is wrong.')
  expect(await page.title()).toMatch(/^Login or password is wrong/)
  expect(await page.getByLabel('Login or e-mail address').inputValue()).toBe('ada')
  const field = page.getByLabel('Password')
  expect(await field.inputValue()).toBe('')
  expect(await field.evaluate((input) => input === document.activeElement)).toBe(true)
  expect(await field.getAttribute('aria-describedby')).toBe(await alert.getAttribute('id'))
  await field.fill(password)
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Approve' }).waitFor()
})

test('works without scripts', async () => {
  const page = await (await newContext({ javaScriptEnabled: false })).newPage()
  await page.goto(address())
  await signIn(page)
  await page.getByRole('button', { name: 'Approve' }).click()
  expect((await approved(page)).get('password')).toMatch(/^\w{24}$/)
})

test('works without a mouse', async () => {
  const page = await (await newContext()).newPage()
  await page.goto(address())
  // The browser moves the focus with its first frame, possibly after the page has loaded.
  await page.locator('input:focus').waitFor()
  await page.keyboard.type('ada')
  await page.keyboard.press('Tab')
  await page.keyboard.type(password)
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Approve' }).waitFor()
  const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '')
  // No button has the focus, so that a user who is typing while the page loads does not approve by accident.
  expect(await focused()).not.toBe('Approve')
  await page.keyboard.press('Tab')
  expect(await focused()).toBe('Approve')
  const outline = await page.evaluate(() => getComputedStyle(document.activeElement as Element).outlineStyle)
  expect(outline).toBe('solid')
  await page.keyboard.press('Tab')
  expect(await focused()).toBe('Refuse')
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Enter')
  expect((await approved(page)).get('user_login')).toBe('ada')
})

test.each(['light', 'dark'] as const)('has enough contrast, on a small screen too: %s', async (colorScheme) => {
  const page = await (await newContext({ colorScheme, viewport: { width: 320, height: 640 } })).newPage()
  const measured: { readonly name: string; readonly contrast: number; readonly least: number }[] = []
  await page.goto(address())
  measured.push(...(await page.evaluate(contrasts, undefined)))
  await signIn(page, 'high tide at six')
  await page.getByRole('alert').waitFor()
  measured.push(...(await page.evaluate(contrasts, undefined)))
  await signIn(page)
  await page.getByRole('button', { name: 'Approve' }).waitFor()
  measured.push(...(await page.evaluate(contrasts, undefined)))
  expect(measured.length).toBeGreaterThan(20)
  expect(measured.filter(({ contrast, least }) => contrast < least)).toEqual([])
  // There is no horizontal scrolling.
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
})

test('shows the approval form at once to a user signed in at the host', async () => {
  const context = await newContext()
  await context.addCookies([{ name: 'session', value: 'edith', url: site.url }])
  const page = await context.newPage()
  await page.goto(address())
  expect(await page.locator('main').textContent()).toContain('Edith Editor')
  await page.getByRole('button', { name: 'Approve' }).click()
  expect((await approved(page)).get('user_login')).toBe('edith')
  expect(await letIn('user.editor')).toEqual(['Tide Tables'])
})

test('shows the password once without a success_url, and copies it', async () => {
  const page = await (await newContext({ permissions: ['clipboard-read', 'clipboard-write'] })).newPage()
  const complaints = complaintsOf(page)
  await page.goto(`${site.url}/api/authorize?app_name=By+hand`)
  await signIn(page)
  await page.getByRole('button', { name: 'Approve' }).click()
  const secret = await page.getByRole('textbox', { name: 'Password' }).inputValue()
  expect(secret).toMatch(/^(?:\w{4} ){5}\w{4}$/)
  await page.getByRole('button', { name: 'Copy password' }).click()
  await page.getByText('Copied').waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(secret)
  expect(await violationsOf(page)).toEqual([])
  expect(complaints).toEqual([])
  await page.reload()
  await page.getByRole('alert').waitFor()
  expect(await page.content()).not.toContain(secret)
  expect(await letIn()).toEqual(['By hand'])
})

// ---------------------------------------------------------------- attacks from other pages

/** A page of another origin that submits a form to the consent page on load. */
const forgery = (target: string, values: { readonly [name: string]: string }) => `<!doctype html>
<title>a nice picture</title>
<form method="post" action="${target}">
${Object.entries(values)
  .map(([name, value]) => `<input name="${name}" value="${value}">`)
  .join('\n')}
</form>
<script>document.forms[0].submit()</script>`

test('refuses a form of another page, even with a valid grant', async () => {
  const context = await newContext()
  await context.addCookies([{ name: 'session', value: 'edith', url: site.url }])
  const page = await context.newPage()
  await page.goto(address())
  const ofTheHost = await page.locator('input[name=grant]').inputValue()
  const attacker = await (await newContext()).newPage()
  await attacker.goto(address())
  await signIn(attacker)
  const ofThePassword = await attacker.locator('input[name=grant]').inputValue()
  const request = {
    app_name: 'Tide Tables',
    success_url: `${app.url}/connected`,
    reject_url: `${app.url}/refused`,
    decision: 'approve',
  }
  const withoutCookie = await newContext()
  for (const [victim, values] of [
    [context, request],
    [context, { ...request, grant: ofTheHost }],
    [withoutCookie, { ...request, grant: ofThePassword }],
  ] as const) {
    const evil = await openOrigin({ '/': forgery(`${site.url}/api/authorize`, values) })
    // Another port is another origin of the same site; another name is another site, whose requests have no cookie.
    for (const from of [evil.url, evil.url.replace('127.0.0.1', 'localhost')]) {
      const tab = await victim.newPage()
      const answered = tab.waitForResponse((response) => response.url().startsWith(`${site.url}/api/authorize`))
      await tab.goto(from)
      const answer = await answered
      expect([answer.status(), answer.headers()['content-type']]).toEqual([403, 'text/html; charset=UTF-8'])
      expect([await letIn('user.editor'), await letIn()]).toEqual([[], []])
    }
  }
})

test('can not be framed', async () => {
  const context = await newContext()
  await context.addCookies([{ name: 'session', value: 'edith', url: site.url }])
  const evil = await openOrigin({
    '/': `<!doctype html><iframe src="${address().replaceAll('&', '&amp;')}"></iframe>`,
  })
  const page = await context.newPage()
  await page.goto(evil.url, { waitUntil: 'load' })
  const framed = page.frames().find((frame) => frame !== page.mainFrame())
  expect(framed).toBeDefined()
  expect(
    await framed
      ?.locator('form, button, h1')
      .filter({ hasText: /Approve|account/ })
      .count(),
  ).toBe(0)
  expect(framed?.url()).not.toContain('/api/authorize')
})

test('can not be read by scripts of other origins', async () => {
  const context = await newContext()
  await context.addCookies([{ name: 'session', value: 'edith', url: site.url }])
  const page = await context.newPage()
  const read = (url: string) =>
    page.evaluate(async (from) => {
      try {
        return await (await fetch(from, { credentials: 'include' })).text()
      } catch {
        return 'refused'
      }
    }, url)
  await page.goto(app.url)
  expect(await read(address())).toBe('refused')
  await page.goto(`${site.url}/api/`)
  expect(await read(address())).not.toContain('name="grant"')
})

test.each([
  'javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  '//evil.example/x',
  'http://evil.example/',
  'https://ada:secret@evil.example/',
  'unlisted.app://x',
  'https://evil.example" onmouseover="alert(1)',
])('shows an error page for a URL that is not allowed: %s', async (success_url) => {
  const page = await (await newContext()).newPage()
  const complaints = complaintsOf(page)
  const answer = await page.goto(address({ success_url }))
  expect(answer?.status()).toBe(400)
  expect(await page.getByRole('alert').textContent()).toContain('success_url')
  expect(await page.getByRole('button').count()).toBe(0)
  expect(complaints.filter((text) => !text.includes('status of 400'))).toEqual([])
})

test('escapes the name of an application', async () => {
  const app_name = `"><script>alert(1)</script><img src=x onerror=alert(2)></title><style>*{display:none}</style>\u202egnp.exe`
  const page = await (await newContext()).newPage()
  const complaints = complaintsOf(page)
  await page.goto(address({ app_name }))
  expect(await page.locator('main').textContent()).toContain('<img src=x onerror=alert(2)>')
  await signIn(page)
  await page.getByRole('button', { name: 'Approve' }).waitFor()
  expect(await page.locator('script, img, main style').count()).toBe(0)
  expect(await page.content()).not.toContain('\u202e')
  await page.getByRole('button', { name: 'Approve' }).click()
  await approved(page)
  expect(complaints).toEqual([])
})
