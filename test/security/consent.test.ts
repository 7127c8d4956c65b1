/** The consent page under attack: addresses, forged forms, guessed passwords, and injected markup. */
import { afterAll, describe, expect, test } from 'vitest'
import { createSiteApi } from '../../src/host/create-site-api.ts'
import { d1 } from '../../src/profiles/d1.ts'
import { createVisitors } from '../../src/services/visitors.ts'
import { memoryStorage } from '../../src/storage/memory/index.ts'
import { type ConsentSite, expectPage, fromThePage, onceForEach, openConsent, watched } from '../support/consent.ts'
import { hiddenIn, password, request } from '../support/password-site.ts'
import { baseUrl, basic, type Received } from '../support/site.ts'

const sites: ConsentSite[] = []
const opened = async (options?: Parameters<typeof openConsent>[0]) => {
  const site = await openConsent(options)
  sites.push(site)
  return site
}
afterAll(async () => {
  for (const { dispose } of sites) await dispose()
})

const shared = opened()

describe('return addresses', () => {
  const hostile = [
    ...['javascript:alert(1)', 'JaVaScRiPt:alert(1)', 'java\tscript:alert(1)', '\u0001javascript:alert(1)'],
    ...['data:text/html,x', 'vbscript:x', 'file:///etc/passwd', 'blob:https://quay.example/x', 'about:blank'],
    ...['//evil.example', '/relative', 'evil.example/path', '?x', 'https://', 'https:', '\\\\evil.example'],
    ...['http://evil.example', 'http://127.0.0.1.evil.example', 'http://localhost.evil.example', 'http://10.0.0.1'],
    ...['https://ada@app.example', 'https://ada:secret@app.example', 'http://127.0.0.1@evil.example'],
    ...[
      'unlisted://x',
      'com.example.unlisted://x',
      'intent://x',
      'ws://app.example',
      'view-source:https://app.example',
    ],
    ...[
      'https://app.example/\nSet-Cookie: a=b',
      'https://app.example/\u0000',
      `https://app.example/${'x'.repeat(2000)}`,
    ],
  ]

  test.each(hostile)('rejects %j when the page is opened and when a form is sent', async (address) => {
    const site = await shared
    const { app_name } = request
    for (const name of ['success_url', 'reject_url']) {
      const shown = await site.open({ app_name, [name]: address })
      expect(shown.status).toBe(400)
      expectPage(shown)
      expect(shown.headers.get('location')).toBeNull()
      for (const decision of ['sign-in', 'approve', 'refuse']) {
        const submitted = await site.post({ app_name, [name]: address, decision, login: 'ada', password })
        expect([submitted.status, submitted.headers.get('location')]).toEqual([400, null])
      }
    }
  })

  test('rejects a grant with other addresses or another application than it was issued for', async () => {
    const site = await opened()
    const form = { ...hiddenIn(await site.question()), decision: 'approve' }
    const changes = [
      { success_url: 'https://evil.example/' },
      { app_name: 'Another' },
      { app_id: undefined },
      { reject_url: undefined },
    ]
    for (const change of changes) {
      const { status, headers } = await site.post({ ...form, ...change })
      expect([status, headers.get('location')]).toEqual([403, null])
    }
    expect(await site.letIn()).toEqual([])
  })

  test('createSiteApi rejects an application scheme that runs or reads something', async () => {
    for (const scheme of ['javascript', 'data:', 'FILE', 'https', 'not a scheme', '']) {
      await expect(openConsent({ consent: { appSchemes: [scheme] } })).rejects.toThrow('is no scheme of an application')
    }
  })

  test('reports broken arguments on a page', async () => {
    const { open } = await shared
    const { app_name } = request
    const broken: { readonly [name: string]: string }[] = [
      {},
      { app_name: '' },
      { app_name: ' \u200e\u202e ' },
      { app_name: 'x'.repeat(201) },
      { app_name, app_id: 'not-a-uuid' },
      { 'app_name[]': 'x' },
      { app_name, 'success_url[a]': 'https://app.example' },
    ]
    for (const query of broken) {
      const response = await open(query)
      expect(response.status).toBe(400)
      expectPage(response)
      expect(response.body).toContain('role="alert"')
    }
  })
})

describe('only the user can create a password', () => {
  test('opening the page creates no password, whatever the query says', async () => {
    const site = await opened()
    const grant = hiddenIn(await site.question())['grant'] ?? ''
    for (const query of [
      request,
      { ...request, decision: 'approve', grant, login: 'ada', password, _method: 'POST' },
    ]) {
      const response = await site.open(query, { 'x-http-method-override': 'POST' })
      expect(response.status).toBe(200)
      expectPage(response)
    }
    expect(await site.letIn()).toEqual([])
  })

  const foreign = [
    { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
    { origin: 'null', 'sec-fetch-site': 'cross-site' },
    { origin: 'https://quay.example:8443', 'sec-fetch-site': 'same-site' },
    // A browser that sends no Sec-Fetch-Site.
    { origin: 'https://evil.example', 'sec-fetch-site': '' },
    { origin: 'null', 'sec-fetch-site': '' },
    { origin: 'http://quay.example', 'sec-fetch-site': '' },
    { origin: 'https://quay.example.evil.example', 'sec-fetch-site': '' },
  ]
  test.each(foreign)('rejects a form sent by another page: %j', async (headers) => {
    const site = await opened()
    const page = await site.question()
    const submitted = Object.fromEntries(
      Object.entries({ ...fromThePage, ...headers }).filter(([, value]) => value !== ''),
    )
    const forms = [
      { ...hiddenIn(page), decision: 'approve' },
      { ...request, decision: 'sign-in', login: 'ada', password },
      { ...request, decision: 'refuse' },
    ]
    for (const form of forms) {
      const body = new URLSearchParams(form).toString()
      const type = { 'content-type': 'application/x-www-form-urlencoded' }
      const response = await site.visitor('POST', '/authorize', { body, headers: { ...type, ...submitted } })
      expect([response.status, response.headers.get('location')]).toEqual([403, null])
      expectPage(response)
      expect(response.body).not.toContain('name="grant"')
    }
    expect(await site.letIn()).toEqual([])
  })

  test('rejects a form sent as text/plain, as a batch request or in a frame', async () => {
    const site = await opened()
    const form = { ...hiddenIn(await site.question()), decision: 'approve' }
    const asText = await site.visitor('POST', '/authorize', {
      body: JSON.stringify(form),
      headers: { 'content-type': 'text/plain' },
    })
    expect(asText.status).toBe(400)
    const batch = await site.as('ada')('POST', '/batch/v1', {
      body: { requests: [{ method: 'POST', path: '/authorize', body: form }] },
    })
    expect(JSON.stringify(batch.body)).not.toContain('password=')
    for (const destination of ['iframe', 'frame', 'embed', 'object', 'empty', 'image']) {
      const headers = { 'sec-fetch-dest': destination }
      const [shown, submitted] = [await site.open(request, headers), await site.post(form, headers)]
      expect([shown.status, submitted.status]).toEqual([403, 403])
      expectPage(shown)
      expect(shown.body).not.toContain('<form')
    }
    expect(await site.letIn()).toEqual([])
  })

  test('rejects a grant that is missing, invented, changed, expired or issued to another user', async () => {
    const site = await opened()
    await site.api.site.users.update(site.ids['user.editor'] ?? 0, { password: 'spring tide' })
    const form = { ...hiddenIn(await site.question()), decision: 'approve' }
    const grant = hiddenIn({ ...(await site.question()) })['grant'] ?? ''
    const [, until = '', by = '', name = '', signature = ''] = grant.split('.')
    const editor = site.ids['user.editor'] ?? 0
    const admin = site.ids['user.admin'] ?? 0
    const wrong = [
      ...[undefined, '', 'x', '....', 'NaN.NaN.password..', 'x'.repeat(512)],
      [editor, until, by, name, signature].join('.'),
      [admin, Number(until) + 1, by, name, signature].join('.'),
      [admin, until, 'host', name, signature].join('.'),
      [admin, until, by, name.replace(/^./, (sign) => (sign === 'A' ? 'B' : 'A')), signature].join('.'),
      [admin, until, by, name, signature.replace(/^./, (sign) => (sign === 'A' ? 'B' : 'A'))].join('.'),
    ]
    for (const one of wrong) {
      const response = await site.post({ ...form, grant: one })
      expect([response.status, response.headers.get('location')]).toEqual([403, null])
      expectPage(response)
      expect(response.body).toContain('type="password"')
    }
    site.clock.now += 10 * 60 * 1000
    expect((await site.post(form)).status).toBe(403)
    expect([await site.letIn(), await site.letIn('edith')]).toEqual([[], []])
  })

  test('a grant expires when the password changes or the account is blocked', async () => {
    const site = await opened()
    const admin = site.ids['user.admin'] ?? 0
    const form = { ...hiddenIn(await site.question()), decision: 'approve' }
    await site.api.site.users.update(admin, { password: 'neap tide' })
    expect((await site.post(form)).status).toBe(403)
    const next = await site.post({ ...request, decision: 'sign-in', login: 'ada', password: 'neap tide' })
    await site.api.site.users.update(admin, { blocked: true })
    expect((await site.post({ ...hiddenIn(next), decision: 'approve' })).status).toBe(403)
    expect(await site.letIn()).toEqual([])
  })

  test('rejects a grant of another site', async () => {
    const [one, other] = [await opened(), await opened()]
    await other.question()
    const form = { ...hiddenIn(await one.question()), decision: 'approve' }
    expect((await other.post(form)).status).toBe(403)
  })

  test('an application password does not count as a sign-in on the page, so an application cannot admit another', async () => {
    const site = await shared
    const response = await site.open(request, { authorization: basic('ada') })
    expect(response.status).toBe(200)
    expect(response.body).toContain('type="password"')
    expect(response.body).not.toContain('name="grant"')
    const page = await site.post({ ...request, decision: 'sign-in', login: 'ada', password: basic('ada').slice(6) })
    expect(page.status).toBe(401)
  })

  test('sends no CORS headers, not even to a listed origin', async () => {
    const site = await opened({ cors: { origins: ['https://app.example'] } })
    for (const origin of ['https://app.example', 'https://evil.example']) {
      const { headers } = await site.open(request, { origin })
      expect([...headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([])
    }
  })
})

describe('passwords typed on the page', () => {
  const attempt = (site: ConsentSite, login: string, typed: string) =>
    site.post({ ...request, decision: 'sign-in', login, password: typed })

  test('responds alike to an unknown login, an empty password, a blocked user and a wrong password', async () => {
    const site = await opened()
    await site.api.site.users.create({ login: 'away', password, blocked: true })
    const responses = [
      await attempt(site, 'ada', 'wrong'),
      await attempt(site, 'nobody', 'wrong'),
      await attempt(site, 'edith', ''),
      await attempt(site, 'away', password),
    ]
    const shown = responses.map(({ status, body }) => [
      status,
      String(body).replace(/(name="login" value=)"\w+"/, '$1'),
    ])
    for (const one of shown) expect(one).toEqual(shown[0])
    expect(shown[0]?.[0]).toBe(401)
    for (const response of responses) expectPage(response)
    expect(shown[0]?.[1]).not.toContain('wrong"')
  })

  test('sends the storage the same queries for known and unknown logins', async () => {
    const queries: unknown[] = []
    const site = await opened({
      storage: (inner) => watched(inner, (query) => queries.push(Object.keys(query).sort())),
    })
    const queriesOf = async (login: string) => {
      queries.length = 0
      await attempt(site, login, 'wrong')
      return [...queries]
    }
    expect(await queriesOf('ada')).toEqual(await queriesOf('nobody'))
  })

  test('limits attempts per login, whether or not the user exists', async () => {
    const site = await opened({ consent: { limit: onceForEach() } })
    for (const login of ['ada', 'nobody']) {
      expect((await attempt(site, login, 'wrong')).status).toBe(401)
      // The same login in other letter case.
      const late = await attempt(site, login.toUpperCase(), login === 'ada' ? password : 'wrong')
      expect([late.status, late.headers.get('retry-after')]).toEqual([429, '7'])
      expectPage(late)
    }
    expect((await attempt(site, 'edith', 'wrong')).status).toBe(401)
  })

  test('by default rejects the eleventh attempt in a row with 429, and accepts one again after 12 s', async () => {
    const site = await opened()
    const long = 'x'.repeat(1025)
    expect((await attempt(site, 'ada', long)).status).toBe(400)
    const statuses: number[] = []
    for (let i = 0; i < 11; i++) statuses.push((await attempt(site, 'ada', `wrong ${i}`)).status)
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429])
    site.clock.now += 12_000
    expect((await attempt(site, 'ada', password)).status).toBe(200)
  })

  test('attempts on many logins do not use up those of another user', async () => {
    const site = await opened()
    const others = await Promise.all(Array.from({ length: 70 }, (_, i) => attempt(site, `nobody ${i}`, 'x')))
    expect(new Set(others.map(({ status }) => status))).toEqual(new Set([401]))
    expect((await attempt(site, 'ada', password)).status).toBe(200)
  }, 120_000)

  test('attempts of one network are limited together, and those of another are not', async () => {
    const addressOf = ({ header }: { header(name: string): string | undefined }) => header('x-real-ip')
    const site = await opened({ services: { visitors: createVisitors({ addressOf }) } })
    const from = (address: string, login: string) =>
      site.post({ ...request, decision: 'sign-in', login, password: 'x' }, { 'x-real-ip': address })
    for (let round = 0; round < 6; round++) {
      const ten = Array.from({ length: 10 }, (_, i) => from(`2001:db8::${round}${i}`, `nobody ${round}${i}`))
      const statuses = (await Promise.all(ten)).map(({ status }) => status)
      expect(new Set(statuses)).toEqual(new Set([401]))
    }
    expect((await from('2001:db8::ffff', 'nobody else')).status).toBe(429)
    expect((await from('2001:db8:0:1::1', 'ada')).status).toBe(401)
  }, 120_000)

  test('the attempts of several processes count together', async () => {
    const site = await opened()
    const { storage } = site.api['~parts']
    const second = createSiteApi({ storage, profile: d1, url: baseUrl, clock: () => site.clock.now })
    const send = async (at: number) => {
      const body = new URLSearchParams({ ...request, decision: 'sign-in', login: 'ada', password: `wrong ${at}` })
      const { fetch } = at % 2 === 0 ? site.api : second
      return (await fetch(new Request(`${baseUrl}/api/authorize`, { method: 'POST', headers: fromThePage, body })))
        .status
    }
    const statuses: number[] = []
    for (let at = 0; at < 11; at++) statuses.push(await send(at))
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429])
  }, 60_000)

  test('no response and no log contains the typed password or the signing key', async () => {
    const site = await opened()
    const responses = [await attempt(site, 'ada', `${password}!`), await site.question()]
    for (const { body } of responses) expect(body).not.toContain(password)
    const settings = await site.as('ada')('GET', '/cms/v2/settings')
    expect(JSON.stringify(settings.body)).not.toContain('consent_key')
    expect(site.failures).toEqual([])
  })
})

describe('page contents', () => {
  test('escapes the names of applications, users and sites', async () => {
    const site = await opened()
    const markup = `<b onclick="x">'&amp;'</b>`
    await site.api.site.users.update(site.ids['user.admin'] ?? 0, { displayName: markup })
    await site.api.site.options.write({ name: `</title>${markup}` })
    const page = await site.question({ app_name: `</strong>${markup}`, success_url: `https://app.example/${markup}` })
    expect(page.status).toBe(200)
    expect(page.body).not.toMatch(/<b |<b>|<\/b>|onclick="/)
    expect(page.body).toContain('&lt;b onclick=&quot;x&quot;&gt;&#039;&amp;amp;&#039;&lt;/b&gt;')
    expect(hiddenIn(page)['app_name']).toBe(`</strong>${markup}`)
  })

  test('every error response is a page', async () => {
    const site = await opened()
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    const responses: [number, Received][] = [
      [401, await site.open(request, { authorization: basic('ada', 'wrong') })],
      [414, await site.open({ ...request, filler: 'x'.repeat(40_000) })],
      [413, await site.visitor('POST', '/authorize', { body: `app_name=${'x'.repeat(40_000)}`, headers: form })],
      [
        415,
        await site.visitor('POST', '/authorize', { body: 'a=b', headers: { ...form, 'content-encoding': 'gzip' } }),
      ],
      [400, await site.visitor('POST', '/authorize', { body: 'app_name=%ff', headers: form })],
      [400, await site.visitor('POST', '/AUTHORIZE/', { body: '', headers: form })],
      [404, await site.visitor('DELETE', '/authorize')],
    ]
    for (const [status, response] of responses) {
      expect(response.status).toBe(status)
      expectPage(response)
    }
  })

  test('a failure shows its log id and nothing else', async () => {
    let isDown = false
    const site = await opened({
      storage: (inner) =>
        watched(inner, () => {
          if (isDown) throw new Error('postgres://ada:secret@db')
        }),
    })
    isDown = true
    const response = await site.question()
    isDown = false
    expect(response.status).toBe(500)
    expectPage(response)
    expect(response.body).toMatch(/The failure is logged as [0-9a-f-]{36}\./)
    expect(response.body).not.toContain('postgres')
    expect(site.failures).toHaveLength(1)
  })

  test('responds with a page when the settings of the site cannot be read', async () => {
    const failures: unknown[] = []
    const storage = new Proxy(memoryStorage(), {
      get(target, name) {
        const unreadable = () => Promise.reject(new Error('postgres://ada:secret@db'))
        if (name === 'options') return { ...target.options, read: unreadable }
        const value: unknown = Reflect.get(target, name)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
    const api = createSiteApi({ storage, profile: d1, log: { error: (_, { error }) => void failures.push(error) } })
    const response = await api.fetch(new Request('https://quay.example/api/authorize?app_name=x'))
    const { status, headers } = response
    const body = await response.text()
    expectPage({ status, headers, body })
    expect([status, failures.length, body.includes('postgres')]).toEqual([500, 1, false])
  })

  test('the page and the redirect use the configured site URL, never the Host of the request', async () => {
    const site = await opened()
    const forged = { host: 'evil.example', 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' }
    const page = await site.post({ ...request, decision: 'sign-in', login: 'ada', password }, forged)
    expect(page.body).not.toContain('evil')
    const { headers } = await site.post({ ...hiddenIn(page), decision: 'approve' }, forged)
    expect(new URL(headers.get('location') ?? '').searchParams.get('site_url')).toBe('https://quay.example')
  })
})
