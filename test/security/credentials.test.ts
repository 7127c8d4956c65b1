/** Who asks: application passwords and where they count, and nothing else that claims an identity. */
import crypto from 'node:crypto'
import { Agent, request as httpRequest } from 'node:http'
import { syncBuiltinESMExports } from 'node:module'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { serveNode } from '../../adapters/node.ts'
import { basic, createTestSite, type TestSite } from '../support/site.ts'
import { passwordOf } from '../support/small-site.ts'
import { recorded } from './spied-storage.ts'

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

// The bare reference takes wrong credentials for none; the recordings accept 401 too, which is safer.
test('AU-01: answers wrong credentials on a public list with 401', async () => {
  const answer = await site.visitor('GET', '/cms/v2/posts', { headers: { authorization: basic('edith', 'wrong') } })
  expect(answer).toMatchObject({ status: 401, body: { code: 'rest_invalid_credentials', data: { status: 401 } } })
})

test('AU-01: answers wrong credentials with 401 before it says which routes exist', async () => {
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

describe('AU-02, AU-03: every failing sign-in costs the same work', () => {
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

  test('whatever is wrong: the login, the secret, its first sign or its last', async () => {
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
    // One comparison by a constant-time function, of digests that are all of one length.
    expect(works[0]).toMatchObject({ status: 401, compared: [[64, 64]] })
    expect(works[0]?.calls.filter((name) => /^(?:users|records)\./.test(name))).toEqual([
      'users.query',
      'records.query',
    ])
    for (const work of works) expect(work).toEqual(works[0])
  })
})

test.each([
  ['as it was shown', secret],
  ['without the spaces', secret.replaceAll(' ', '')],
  ['with other signs between', secret.replaceAll(' ', ' - ')],
])('AU-03: takes the secret %s', async (_, written) => {
  expect(await signedIn(basic('edith', written))).toMatchObject({ status: 200 })
})

test('AU-03: minds the case of the secret', async () => {
  expect(await signedIn(basic('edith', secret.toLowerCase()))).toMatchObject({ status: 401 })
})

describe('AU-04: credentials count in the Authorization header alone', () => {
  const sent = { Authorization: basic('edith'), authorization: basic('edith'), login: 'edith', password: secret }
  const post = { title: 'Not from a visitor' }

  test('not in the query', async () => {
    const query = new URLSearchParams({ ...sent, PHP_AUTH_USER: 'edith', PHP_AUTH_PW: secret }).toString()
    const path = `/cms/v2/posts/${site.ids['post.draft']}`
    // `password` is an argument of this route, the one of the post, and it is wrong.
    expect((await site.visitor('GET', path, { query })).status).toBe(403)
    expect((await site.visitor('GET', path, { query: query.replace('password=', 'pass=') })).status).toBe(401)
    expect((await site.visitor('POST', '/cms/v2/posts', { query, body: post })).status).toBe(401)
  })

  test('not in the body', async () => {
    const body = { ...post, ...sent, headers: sent }
    expect((await site.visitor('POST', '/cms/v2/posts', { body })).status).toBe(401)
  })

  test('AU-10: not in the headers of a request inside a batch, for a visitor or for anybody', async () => {
    const requests = [{ path: '/cms/v2/posts', body: { ...post, status: 'publish' }, headers: sent }]
    const visitor = await site.visitor('POST', '/batch/v1', { body: { requests } })
    expect(visitor.body.responses).toMatchObject([{ status: 401 }])
    const foreign = [{ ...requests[0], headers: { Authorization: basic('ada') } }]
    const contributor = await site.as('connie')('POST', '/batch/v1', { body: { requests: foreign } })
    expect(contributor.body.responses).toMatchObject([{ status: 403, body: { code: 'rest_cannot_publish' } }])
    const draft = [{ ...foreign[0], body: post }]
    const made = await site.as('connie')('POST', '/batch/v1', { body: { requests: draft } })
    expect(made.body.responses).toMatchObject([{ status: 201, body: { author: site.ids['user.contributor'] } }])
  })
})

describe('a credential that was taken back is refused at once', () => {
  test('AU-05: on the same keep-alive connection', async () => {
    const served = await serveNode(site.api, { port: 0 })
    onTestFinished(() => served.close())
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    onTestFinished(() => agent.destroy())
    const ports: (number | undefined)[] = []
    const status = () =>
      new Promise<number>((resolve, reject) => {
        const url = `${served.url}${site.api.root}/cms/v2/posts/${site.ids['post.draft']}`
        const sent = httpRequest(url, { agent, headers: { authorization: basic('edith') } }, (answer) => {
          ports.push(answer.socket.localPort)
          answer.resume().on('end', () => resolve(answer.statusCode ?? 0))
        })
        sent.on('error', reject).end()
      })
    expect(await status()).toBe(200)
    const [password] = await site.api.site.passwords.list(site.ids['user.editor'] ?? 0)
    await site.api.site.passwords.revoke(password?.id ?? 0)
    expect(await status()).toBe(401)
    expect(new Set(ports).size).toBe(1)
  })

  test('AU-06: of a user who was blocked, until the block is lifted', async () => {
    const id = site.ids['user.editor'] ?? 0
    expect(await signedIn(basic('edith'))).toMatchObject({ status: 200 })
    await site.api.site.users.update(id, { blocked: true })
    expect(await signedIn(basic('edith'))).toMatchObject({ status: 401 })
    await site.api.site.users.update(id, { blocked: false })
    expect(await signedIn(basic('edith'))).toMatchObject({ status: 200 })
  })

  test('AU-06: of a user who was removed', async () => {
    await site.api.site.users.remove(site.ids['user.editor'] ?? 0)
    expect(await signedIn(basic('edith'))).toMatchObject({ status: 401 })
    // Nobody inherits it by taking the login.
    await site.api.site.users.create({ login: 'edith', roles: ['administrator'] })
    expect(await signedIn(basic('edith'))).toMatchObject({ status: 401 })
  })
})

describe('AU-09: odd Authorization headers', () => {
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
    ['signs of SQL', basic("edith'--", "x' OR '1'='1")],
  ])('refuses %s', async (_, authorization) => {
    expect(await signedIn(authorization)).toMatchObject({ status: 401, body: { code: 'rest_invalid_credentials' } })
  })

  test('asks the storage for nobody when there is no credential to look for', async () => {
    calls.length = 0
    await signedIn(`Basic ${'YWFh'.repeat(262_144)}`)
    await signedIn('Basic §§§')
    expect(calls.filter(({ name }) => /^(?:users|records)\./.test(name))).toEqual([])
  })

  test.each([
    ['the scheme in lower case', (own: string) => own.replace('Basic', 'basic')],
    ['the scheme in capitals', (own: string) => own.replace('Basic', 'BASIC')],
    ['spaces around the text', (own: string) => own.replace(' ', '   ')],
  ])('takes %s', async (_, written) => {
    expect(await signedIn(written(basic('edith')))).toMatchObject({ status: 200 })
  })

  test('takes a login in UTF-8', async () => {
    const { id } = await site.api.site.users.create({ login: 'jürgen-日本', roles: ['editor'] })
    const { password } = await site.api.site.passwords.create(id, 'Test')
    expect(await signedIn(basic('jürgen-日本', password))).toMatchObject({ status: 200 })
  })

  test('takes an e-mail address for the login, unless another user has it as a login', async () => {
    const email = 'mail@example.test'
    const { id } = await site.api.site.users.create({ login: 'mailed', email, roles: ['editor'] })
    const { password } = await site.api.site.passwords.create(id, 'Test')
    for (const name of [email, 'MAIL@example.test']) {
      expect(await signedIn(basic(name, password))).toMatchObject({ status: 200 })
    }
    expect(await signedIn(basic(email))).toMatchObject({ status: 401 })
    await site.api.site.users.create({ login: email, roles: ['editor'] })
    expect(await signedIn(basic(email, password))).toMatchObject({ status: 401 })
  })

  test('another scheme is none of ours: the request counts as a visitor', async () => {
    expect(await signedIn(`Bearer ${encoded(`edith:${secret}`)}`)).toMatchObject({ status: 401 })
    expect((await asVisitor()).body).toMatchObject({ code: 'rest_forbidden' })
  })

  test('a socket that brings 1 MB of header is refused, and the next one served', async () => {
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

describe('AU-11: a method can be overridden on POST only', () => {
  const tide = () => `/cms/v2/posts/${site.ids['post.tide']}`
  const status = async () => (await site.as('edith')('GET', tide())).body.status

  test.each([
    ['the query', { query: '_method=DELETE' }],
    ['a header', { headers: { 'x-http-method-override': 'DELETE' } }],
  ])('GET stays a read, whatever %s says', async (_, sent) => {
    expect(await site.as('edith')('GET', tide(), sent)).toMatchObject({ status: 200, body: { status: 'publish' } })
    expect((await site.as('edith')('HEAD', tide(), sent)).status).toBe(200)
    expect(await status()).toBe('publish')
  })

  test('POST does what the override says', async () => {
    const answer = await site.as('edith')('POST', tide(), { headers: { 'x-http-method-override': 'DELETE' } })
    expect(answer).toMatchObject({ status: 200, body: { status: 'trash' } })
  })

  test.each(['TRACE', 'CONNECT', 'FOO', '__proto__', 'constructor', ''])(
    'an override with %s finds no route',
    async (m) => {
      const answer = await site.as('edith')('POST', tide(), { query: `_method=${m}`, body: { title: 'Changed' } })
      expect(answer).toMatchObject({ status: 404, body: { code: 'rest_no_route' } })
      expect((await site.as('edith')('GET', tide())).body.title.rendered).toBe('Reading the tide')
    },
  )
})

describe("JS-06: writes with the cookies of the host's own sign-in", () => {
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
    ['nobody knows where', {}],
  ])('are refused from %s', async (_, headers) => {
    const answer = await create({ ...cookie, ...(headers as { [name: string]: string }) })
    expect(answer).toMatchObject({ status: 403, body: { code: 'rest_cookie_invalid_nonce' } })
  })

  test.each([
    ['this site', { origin: 'https://quay.example' }],
    ['this site, by what the browser says of the fetch', { 'sec-fetch-site': 'same-origin' }],
    ['a trusted origin', { origin: trusted, 'sec-fetch-site': 'cross-site' }],
  ])('are taken from %s', async (_, headers) => {
    const answer = await create({ ...cookie, ...(headers as { [name: string]: string }) })
    expect(answer).toMatchObject({ status: 201, body: { author: editor } })
  })

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
    'cannot be smuggled in as %s, which needs no preflight',
    async (type) => {
      const answer = await site.visitor('POST', '/cms/v2/posts', {
        body: 'title=By+form',
        headers: { ...cookie, origin: 'https://evil.example', 'content-type': type },
      })
      expect(answer.status).toBe(403)
      const overridden = await site.visitor('POST', `/cms/v2/posts/${site.ids['post.tide']}`, {
        query: '_method=GET',
        headers: { ...cookie, origin: 'https://evil.example' },
      })
      expect(overridden.status).toBe(403)
    },
  )

  test('reads are free, and so is a sign-in that no browser adds by itself', async () => {
    const foreign = { origin: 'https://evil.example' }
    const path = `/cms/v2/posts/${site.ids['post.draft']}`
    expect((await site.visitor('GET', path, { headers: { ...cookie, ...foreign } })).status).toBe(200)
    expect((await create({ 'x-session': 'session=edith', ...foreign })).status).toBe(201)
    expect((await create({ authorization: basic('edith'), cookie: 'other=1', ...foreign })).status).toBe(201)
  })

  test('AU-06: count no more once the user is blocked or gone', async () => {
    await site.api.site.users.update(editor, { blocked: true })
    expect((await site.visitor('GET', '/cms/v2/posts', { headers: cookie })).status).toBe(401)
    await site.api.site.users.remove(editor)
    expect((await site.visitor('GET', '/cms/v2/posts', { headers: cookie })).status).toBe(401)
  })

  test('wrong application passwords are refused even beside good cookies', async () => {
    const headers = { ...cookie, authorization: basic('edith', 'wrong') }
    expect((await site.visitor('GET', '/cms/v2/posts', { headers })).status).toBe(401)
  })
})
