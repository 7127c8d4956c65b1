/** Authentication: application passwords, revocation, the Authorization header, method overrides, and cookies. */
import crypto from 'node:crypto'
import { Agent, request as httpRequest } from 'node:http'
import { syncBuiltinESMExports } from 'node:module'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { serveNode } from '../../adapters/node.ts'
import { basic, createTestSite, type TestSite } from '../support/site.ts'
import { passwordOf } from '../support/small-site.ts'
import { keepsTags, recorded } from '../support/spied-storage.ts'

const { calls, wrap } = recorded()
let site: TestSite

beforeEach(async () => {
  site = await createTestSite({ storage: wrap })
})
afterEach(async () => {
  expect(site.failures).toEqual([])
  await site.dispose()
})

const secret = passwordOf('edith')
const signedIn = (authorization: string) =>
  site.visitor('GET', `/cms/v2/posts/${site.ids['post.draft']}`, { headers: { authorization } })
const asVisitor = () => site.visitor('GET', `/cms/v2/posts/${site.ids['post.draft']}`)

// The bare reference treats wrong credentials as none; the recordings accept 401 too, which is safer.
test('rejects wrong credentials on a public list with 401', async () => {
  const response = await site.visitor('GET', '/cms/v2/posts', { headers: { authorization: basic('edith', 'wrong') } })
  expect(response).toMatchObject({ status: 401, body: { code: 'rest_invalid_credentials', data: { status: 401 } } })
})

test('rejects wrong credentials with 401 before it reveals which routes exist', async () => {
  const headers = { authorization: basic('edith', 'wrong') }
  for (const [method, path] of [
    ['GET', '/cms/v2/nothing'],
    ['OPTIONS', '/cms/v2/posts'],
    ['GET', '/'],
    ['POST', '/batch/v1'],
  ] as const) {
    expect(await site.visitor(method, path, { headers })).toMatchObject({ status: 401 })
  }
})

describe('every failing sign-in does the same work', () => {
  const compared: number[][] = []
  const original = crypto.timingSafeEqual

  beforeEach(() => {
    compared.length = 0
    crypto.timingSafeEqual = (a, b) => {
      compared.push([a.byteLength, b.byteLength])
      return original(a, b)
    }
    syncBuiltinESMExports()
  })
  afterEach(() => {
    crypto.timingSafeEqual = original
    syncBuiltinESMExports()
  })

  const workOf = async (authorization: string) => {
    calls.length = 0
    compared.length = 0
    const { status, body } = await signedIn(authorization)
    return { status, body, calls: calls.map(({ name }) => name), compared: [...compared] }
  }

  test('for a wrong login, a wrong secret, and a secret wrong in its first or last character', async () => {
    await site.api.site.users.create({ login: 'nopass', roles: ['editor'] })
    const bare = secret.replaceAll(' ', '')
    const swapped = bare.replace(/[a-zA-Z]/g, (sign) =>
      sign === sign.toLowerCase() ? sign.toUpperCase() : sign.toLowerCase(),
    )
    const attempts = [
      basic('nobody', secret),
      basic('edith', 'wrong'),
      basic('nopass', secret),
      basic('edith', `Z${bare.slice(1)}`),
      basic('edith', `${bare.slice(0, -1)}Z`),
      basic('edith', swapped),
      basic('edith', passwordOf('ada')),
      basic('edith', ''),
      basic('edith', '*'.repeat(100)),
    ]
    await asVisitor()
    const works = []
    for (const attempt of attempts) works.push(await workOf(attempt))
    // One constant-time comparison, of digests of equal length.
    expect(works[0]).toMatchObject({ status: 401, compared: [[64, 64]] })
    const reads = works[0]?.calls.filter((name) => /^(?:users|records)\./.test(name))
    expect(reads?.toSorted(), 'they are started at once').toEqual(['records.query', 'users.query'])
    for (const work of works) expect(work).toEqual(works[0])
  })
})

test.each([
  ['as it was shown', secret],
  ['without the spaces', secret.replaceAll(' ', '')],
  ['with other characters between', secret.replaceAll(' ', ' - ')],
])('accepts the secret %s', async (_, written) => {
  expect(await signedIn(basic('edith', written))).toMatchObject({ status: 200 })
})

test('the secret is case-sensitive', async () => {
  expect(await signedIn(basic('edith', secret.toLowerCase()))).toMatchObject({ status: 401 })
})

describe('credentials are read from the Authorization header only', () => {
  const identity = { Authorization: basic('edith'), authorization: basic('edith'), login: 'edith', password: secret }
  const post = { title: 'Not from a visitor' }

  test('not in the query', async () => {
    const query = new URLSearchParams({ ...identity, PHP_AUTH_USER: 'edith', PHP_AUTH_PW: secret }).toString()
    const path = `/cms/v2/posts/${site.ids['post.draft']}`
    // `password` is an argument of this route, the one of the post, and it is wrong.
    expect((await site.visitor('GET', path, { query })).status).toBe(403)
    expect((await site.visitor('GET', path, { query: query.replace('password=', 'pass=') })).status).toBe(401)
    expect((await site.visitor('POST', '/cms/v2/posts', { query, body: post })).status).toBe(401)
  })

  test('not in the body', async () => {
    const body = { ...post, ...identity, headers: identity }
    expect((await site.visitor('POST', '/cms/v2/posts', { body })).status).toBe(401)
  })

  test('not in the headers of a request inside a batch, neither for a visitor nor for a signed-in user', async () => {
    const requests = [{ path: '/cms/v2/posts', body: { ...post, status: 'publish' }, headers: identity }]
    const visitor = await site.visitor('POST', '/batch/v1', { body: { requests } })
    expect(visitor.body.responses).toMatchObject([{ status: 401 }])
    const foreign = [{ ...requests[0], headers: { Authorization: basic('ada') } }]
    const contributor = await site.as('connie')('POST', '/batch/v1', { body: { requests: foreign } })
    expect(contributor.body.responses).toMatchObject([{ status: 403, body: { code: 'rest_cannot_publish' } }])
    const draft = [{ ...foreign[0], body: post }]
    const created = await site.as('connie')('POST', '/batch/v1', { body: { requests: draft } })
    expect(created.body.responses).toMatchObject([{ status: 201, body: { author: site.ids['user.contributor'] } }])
  })
})

describe('rejects a revoked credential at once', () => {
  test('on the same keep-alive connection', async () => {
    const served = await serveNode(site.api, { port: 0 })
    onTestFinished(() => served.close())
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    onTestFinished(() => agent.destroy())
    const ports: (number | undefined)[] = []
    const status = () =>
      new Promise<number>((resolve, reject) => {
        const url = `${served.url}${site.api.root}/cms/v2/posts/${site.ids['post.draft']}`
        const outgoing = httpRequest(url, { agent, headers: { authorization: basic('edith') } }, (response) => {
          ports.push(response.socket.localPort)
          response.resume().on('end', () => resolve(response.statusCode ?? 0))
        })
        outgoing.on('error', reject).end()
      })
    expect(await status()).toBe(200)
    const [password] = await site.api.site.passwords.list(site.ids['user.editor'] ?? 0)
    await site.api.site.passwords.revoke(password?.id ?? 0)
    expect(await status()).toBe(401)
    expect(new Set(ports).size).toBe(1)
  })

  test('of a blocked user, until the block is lifted', async () => {
    const id = site.ids['user.editor'] ?? 0
    expect(await signedIn(basic('edith'))).toMatchObject({ status: 200 })
    await site.api.site.users.update(id, { blocked: true })
    expect(await signedIn(basic('edith'))).toMatchObject({ status: 401 })
    await site.api.site.users.update(id, { blocked: false })
    expect(await signedIn(basic('edith'))).toMatchObject({ status: 200 })
  })

  test('of a removed user', async () => {
    await site.api.site.users.remove(site.ids['user.editor'] ?? 0)
    expect(await signedIn(basic('edith'))).toMatchObject({ status: 401 })
    // A new user with the same login does not inherit the password.
    await site.api.site.users.create({ login: 'edith', roles: ['administrator'] })
    expect(await signedIn(basic('edith'))).toMatchObject({ status: 401 })
  })
})

describe('malformed Authorization headers', () => {
  const encoded = (text: string) => Buffer.from(text).toString('base64')

  test.each([
    ['a text without a colon', `Basic ${encoded('edith')}`],
    ['no login', `Basic ${encoded(`:${secret}`)}`],
    ['nothing', 'Basic'],
    ['nothing but a space', 'Basic '],
    ['what is no base64', 'Basic §§§'],
    ['base64 of another alphabet', 'Basic _-_-'],
    ['a NUL in the login', `Basic ${encoded(`edith\0:${secret}`)}`],
    ['a NUL in the secret', `Basic ${encoded(`edith:${secret}\0`)}`],
    ['bytes that are no UTF-8', `Basic ${Buffer.from([0xff, 0xfe, 58, 97]).toString('base64')}`],
    ['half a surrogate', `Basic ${Buffer.from('\xed\xa0\x80:a', 'latin1').toString('base64')}`],
    ['1 MB', `Basic ${'YWFh'.repeat(262_144)}`],
    ['1 MB that is almost right', `Basic ${encoded(`edith:${secret}${' '.repeat(1_000_000)}`)}`],
    ['two values', `${basic('edith')}, ${basic('ada')}`],
    ['SQL syntax', basic("edith'--", "x' OR '1'='1")],
  ])('rejects %s', async (_, authorization) => {
    expect(await signedIn(authorization)).toMatchObject({ status: 401, body: { code: 'rest_invalid_credentials' } })
  })

  test('queries no user and no record when the header holds no credential', async () => {
    calls.length = 0
    await signedIn(`Basic ${'YWFh'.repeat(262_144)}`)
    await signedIn('Basic §§§')
    // Tasks of the site that run beside the first request keep the tags of what they write.
    const asked = calls.filter((call) => /^(?:users|records)\./.test(call.name) && !keepsTags(call))
    expect(asked).toEqual([])
  })

  test.each([
    ['the scheme in lower case', (own: string) => own.replace('Basic', 'basic')],
    ['the scheme in capitals', (own: string) => own.replace('Basic', 'BASIC')],
    ['spaces around the text', (own: string) => own.replace(' ', '   ')],
  ])('accepts %s', async (_, written) => {
    expect(await signedIn(written(basic('edith')))).toMatchObject({ status: 200 })
  })

  test('accepts a login in UTF-8', async () => {
    const { id } = await site.api.site.users.create({ login: 'jürgen-日本', roles: ['editor'] })
    const { password } = await site.api.site.passwords.create(id, 'Test')
    expect(await signedIn(basic('jürgen-日本', password))).toMatchObject({ status: 200 })
  })

  test('accepts an e-mail address as the login', async () => {
    const email = 'mail@example.test'
    const { id } = await site.api.site.users.create({ login: 'mailed', email, roles: ['editor'] })
    const { password } = await site.api.site.passwords.create(id, 'Test')
    for (const name of [email, 'MAIL@example.test', ` ${email} `]) {
      expect(await signedIn(basic(name, password))).toMatchObject({ status: 200 })
    }
    expect(await signedIn(basic(email))).toMatchObject({ status: 401 })
  })

  test('looks a user up once, by login and address together', async () => {
    calls.length = 0
    await signedIn(basic('edith@example.test', secret))
    expect(calls.filter(({ name }) => name === 'users.query')).toHaveLength(1)
  })

  test('ignores another scheme: the request counts as a visitor', async () => {
    expect(await signedIn(`Bearer ${encoded(`edith:${secret}`)}`)).toMatchObject({ status: 401 })
    expect((await asVisitor()).body).toMatchObject({ code: 'rest_forbidden' })
  })

  test('rejects a 1 MB header over a socket and serves the next request', async () => {
    const served = await serveNode(site.api, { port: 0 })
    onTestFinished(() => served.close())
    const ask = (authorization: string) =>
      fetch(`${served.url}${site.api.root}/cms/v2/posts`, { headers: { authorization } }).then(
        ({ status }) => status,
        () => 'cut off' as const,
      )
    expect([431, 'cut off']).toContain(await ask(`Basic ${'YWFh'.repeat(262_144)}`))
    expect(await ask(basic('edith'))).toBe(200)
  })
})

describe('a method can be overridden on POST only', () => {
  const tide = () => `/cms/v2/posts/${site.ids['post.tide']}`
  const status = async () => (await site.as('edith')('GET', tide())).body.status

  test.each([
    ['the query', { query: '_method=DELETE' }],
    ['a header', { headers: { 'x-http-method-override': 'DELETE' } }],
  ])('GET ignores an override in %s', async (_, sent) => {
    expect(await site.as('edith')('GET', tide(), sent)).toMatchObject({ status: 200, body: { status: 'publish' } })
    expect((await site.as('edith')('HEAD', tide(), sent)).status).toBe(200)
    expect(await status()).toBe('publish')
  })

  test('POST runs the method of the override', async () => {
    const response = await site.as('edith')('POST', tide(), { headers: { 'x-http-method-override': 'DELETE' } })
    expect(response).toMatchObject({ status: 200, body: { status: 'trash' } })
  })

  test.each(['TRACE', 'CONNECT', 'FOO', '__proto__', 'constructor', ''])(
    'an override with %s finds no route',
    async (m) => {
      const response = await site.as('edith')('POST', tide(), { query: `_method=${m}`, body: { title: 'Changed' } })
      expect(response).toMatchObject({ status: 404, body: { code: 'rest_no_route' } })
      expect((await site.as('edith')('GET', tide())).body.title.rendered).toBe('Reading the tide')
    },
  )
})

describe("writes with the cookies of the host's own sign-in", () => {
  const trusted = 'https://desk.example'
  let editor: number

  beforeEach(async () => {
    await site.dispose()
    site = await createTestSite({
      cors: { origins: [trusted] },
      authenticate: ({ header }) =>
        /session=edith/.test(header('cookie') ?? header('x-session') ?? '') ? editor : null,
    })
    editor = site.ids['user.editor'] ?? 0
  })

  const cookie = { cookie: 'session=edith' }
  const create = (headers: { readonly [name: string]: string }) =>
    site.visitor('POST', '/cms/v2/posts', { body: { title: 'By cookie' }, headers })

  test.each([
    ['a page of another site', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
    ['a page of a sister site', { 'sec-fetch-site': 'same-site' }],
    ['a page without an origin', { origin: 'null' }],
    ['this site without TLS', { origin: 'http://quay.example' }],
    ['a host that begins alike', { origin: 'https://quay.example.evil.example' }],
    ['another port', { origin: 'https://quay.example:8443' }],
    ['a trusted origin in capitals', { origin: 'HTTPS://DESK.EXAMPLE' }],
    [
      'a foreign origin that claims to be fetched from here',
      { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' },
    ],
    ['an unknown page', {}],
  ])('are rejected from %s', async (_, headers) => {
    const response = await create({ ...cookie, ...(headers as { [name: string]: string }) })
    expect(response).toMatchObject({ status: 403, body: { code: 'rest_cookie_invalid_nonce' } })
  })

  test.each([
    ['this site', { origin: 'https://quay.example' }],
    ['this site, by what the browser says of the fetch', { 'sec-fetch-site': 'same-origin' }],
    ['a trusted origin', { origin: trusted, 'sec-fetch-site': 'cross-site' }],
  ])('are accepted from %s', async (_, headers) => {
    const response = await create({ ...cookie, ...(headers as { [name: string]: string }) })
    expect(response).toMatchObject({ status: 201, body: { author: editor } })
  })

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
    'cannot be smuggled in as %s, which needs no preflight',
    async (type) => {
      const response = await site.visitor('POST', '/cms/v2/posts', {
        body: 'title=By+form',
        headers: { ...cookie, origin: 'https://evil.example', 'content-type': type },
      })
      expect(response.status).toBe(403)
      const overridden = await site.visitor('POST', `/cms/v2/posts/${site.ids['post.tide']}`, {
        query: '_method=GET',
        headers: { ...cookie, origin: 'https://evil.example' },
      })
      expect(overridden.status).toBe(403)
    },
  )

  test('reads need no origin, and neither do writes with credentials that no browser adds by itself', async () => {
    const foreign = { origin: 'https://evil.example' }
    const path = `/cms/v2/posts/${site.ids['post.draft']}`
    expect((await site.visitor('GET', path, { headers: { ...cookie, ...foreign } })).status).toBe(200)
    expect((await create({ 'x-session': 'session=edith', ...foreign })).status).toBe(201)
    expect((await create({ authorization: basic('edith'), cookie: 'other=1', ...foreign })).status).toBe(201)
  })

  test('are rejected once the user is blocked or removed', async () => {
    await site.api.site.users.update(editor, { blocked: true })
    expect((await site.visitor('GET', '/cms/v2/posts', { headers: cookie })).status).toBe(401)
    await site.api.site.users.remove(editor)
    expect((await site.visitor('GET', '/cms/v2/posts', { headers: cookie })).status).toBe(401)
    // The host still knows the user.
    const [said] = site.failures.splice(0)
    expect(said).toMatchObject({ message: expect.stringMatching(/^authenticate returned \d+, which is not the id/) })
  })

  test('rejects a wrong application password even beside valid cookies', async () => {
    const headers = { ...cookie, authorization: basic('edith', 'wrong') }
    expect((await site.visitor('GET', '/cms/v2/posts', { headers })).status).toBe(401)
  })
})
