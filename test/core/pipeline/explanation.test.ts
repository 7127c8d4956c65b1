/** Tests `api.explain`, `Prefer: explain` and the client's `explain`: steps, verdicts, and what would make a request pass. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createClient } from '../../../src/client/index.ts'
import {
  ApiError,
  args,
  type ExplainOptions,
  type Explanation,
  endpoint,
  feature,
  permission,
  profile,
} from '../../../src/index.ts'
import { d1 } from '../../../src/profiles/d1.ts'
import { full } from '../../../src/profiles/full.ts'
import { storeDocument } from '../../support/documents.ts'
import { createTestSite, type TestSite } from '../../support/site.ts'

let site: TestSite
beforeAll(async () => {
  site = await createTestSite({ profile: full })
})
afterAll(() => site.dispose())

const user = (key: string) => site.ids[`user.${key}`] as number
const post = (key: string) => `/cms/v2/posts/${site.ids[`post.${key}`]}`
const explain = (method: string, path: string, options?: ExplainOptions) => site.api.explain(method, path, options)

/** The step that refuses, or how the handler ends. */
const endOf = ({ steps }: Explanation) => {
  const refused = steps.find(({ verdict }) => verdict === 'refused')
  return refused ? refused.step : `handler ${steps.at(-1)?.verdict}`
}

const told = (explanation: Explanation) => [
  explanation.status,
  endOf(explanation),
  explanation.steps.find(({ lacks }) => lacks)?.lacks,
  explanation.toPass,
]

test('tells each step of a request in order, with the rule of the permission in words', async () => {
  const explanation = await explain('POST', post('hello'), {
    as: user('subscriber'),
    body: { title: 'Tide' },
    headers: { 'If-Match': '"a"' },
  })
  expect(explanation).toEqual({
    method: 'POST',
    path: post('hello'),
    as: user('subscriber'),
    status: 403,
    error: { code: 'rest_cannot_edit', message: 'You may not edit this post.' },
    steps: [
      { step: 'route', verdict: 'passed', says: '/cms/v2/posts/{id}' },
      { step: 'body', verdict: 'passed' },
      { step: 'argument', verdict: 'passed', says: 'title' },
      { step: 'record', verdict: 'passed', says: `id ${site.ids['post.hello']}` },
      { step: 'permission', verdict: 'refused', says: 'editors of the post' },
      { step: 'condition', verdict: 'not reached', says: 'If-Match' },
      { step: 'handler', verdict: 'not reached' },
    ],
    toPass: 'Send it as one of those whom the rule lets through: editors of the post.',
  })
})

test('says for each refusal what would make it pass', async () => {
  const tag = { 'If-Match': '"a"' }
  const admin = user('admin')
  const gull = { email: 'gull@quay.example', password: 'a long password' }
  const cases: readonly [method: string, path: string, options: ExplainOptions, ...expected: unknown[]][] = [
    ['GET', '/cms/v2/postss', {}, 404, 'route', undefined, 'Send it to a path that a route serves: GET / lists them.'],
    ['PUT', '/cms/v2/posts', {}, 404, 'route', undefined, 'Send it with GET or POST: no route has PUT here.'],
    [
      ...(['GET', '/cms/v2/posts', { body: { per_page: 1000 } }, 400, 'argument', undefined] as const),
      'Send other values of per_page (per_page has to be from 1 to 100.).',
    ],
    [
      ...(['POST', '/cms/v2/users', { as: admin, body: { username: 'x', email: 'x@y.example' } }] as const),
      ...([400, 'argument', undefined, 'Send password: The password. It is never shown.'] as const),
    ],
    [
      ...(['POST', '/cms/v2/posts', { body: { title: 'x' } }, 401, 'permission', [['edit_posts']]] as const),
      'Sign in as a user with edit_posts.',
    ],
    [
      ...(['GET', '/cms/v2/users', { as: user('author'), body: { context: 'edit' } }] as const),
      ...([
        403,
        'permission',
        [['list_users', 'edit_users']],
        'Send it as a user with list_users and edit_users.',
      ] as const),
    ],
    [
      ...(['DELETE', '/cms/v2/posts/99999', { as: admin }, 404, 'record', undefined] as const),
      'Send the id of a record that is there and that the caller may see.',
    ],
    [
      ...([
        'POST',
        post('hello'),
        { as: admin, body: { title: 'x' }, headers: tag },
        412,
        'condition',
        undefined,
      ] as const),
      'Read the record again, and send the ETag of that answer as If-Match.',
    ],
    [
      ...(['POST', '/cms/v2/posts', { as: admin, body: { title: 'x' }, headers: tag }, 412, 'condition'] as const),
      ...([undefined, 'This route can not hold If-Match: send the request without it.'] as const),
    ],
    ['GET', post('hello'), { as: user('subscriber') }, 200, 'handler passed', undefined, undefined],
    ['POST', post('hello'), { as: admin, body: { title: 'x' } }, 200, 'handler passed', undefined, undefined],
    [
      ...(['POST', '/cms/v2/pages', { as: admin, body: { title: 'x', parent: 99999 } }, 400, 'handler'] as const),
      ...([undefined, 'Send the request otherwise: There is no such parent.'] as const),
    ],
    [
      ...(['POST', '/cms/v2/users', { as: admin, body: { ...gull, username: 'edith' } }, 400, 'handler'] as const),
      ...([undefined, 'Send the request otherwise: The user is refused: another user has the login edith.'] as const),
    ],
    [
      ...([
        'DELETE',
        `/cms/v2/categories/${site.ids['category.news']}`,
        { as: admin },
        501,
        'handler',
        undefined,
      ] as const),
      'Send the request otherwise: Terms have no trash; send force=true to remove it.',
    ],
  ]
  for (const [method, path, options, ...expected] of cases) {
    expect([method, path, ...told(await explain(method, path, options))]).toEqual([method, path, ...expected])
  }
})

test('the view of the host names what lacks for this record, and what is hidden', async () => {
  const host = (key: string, path: string, method = 'GET') => explain(method, path, { as: user(key), view: 'host' })
  expect(told(await host('subscriber', post('hello'), 'POST'))).toEqual([
    ...([403, 'permission', [['edit_others_posts', 'edit_published_posts']]] as const),
    'Send it as a user with edit_others_posts and edit_published_posts.',
  ])
  const hidden = await host('subscriber', post('private'))
  expect(hidden.steps.find(({ lacks }) => lacks)?.lacks).toEqual([['read_private_posts']])
  const own = await explain('GET', post('private'), { as: user('subscriber') })
  expect(own.steps.some(({ lacks }) => lacks)).toBe(false)
})

test('explains over HTTP to administrators alone, and carries out nothing', async () => {
  const headers = { prefer: 'respond-async, explain' }
  const body = { title: 'Changed' }
  const explained = await site.as('ada')('POST', post('ferry'), { headers, body })
  expect([explained.status, explained.headers.get('preference-applied')]).toEqual([200, 'explain'])
  expect(explained.body).toMatchObject({ as: user('admin'), method: 'POST', steps: expect.any(Array) })
  expect([explained.body.status, endOf(explained.body)]).toEqual([200, 'handler passed'])
  const missing = await site.as('ada')('GET', '/cms/v2/posts/99999', { headers })
  expect([missing.status, missing.body.status, endOf(missing.body)]).toEqual([200, 404, 'record'])
  for (const [login, status] of [
    [null, 401],
    ['edith', 403],
  ] as const) {
    const refused = await site.as(login)('POST', post('ferry'), { headers, body })
    expect([login, refused.status, refused.body.code]).toEqual([login, status, 'rest_cannot_explain'])
    const read = await site.as(login)('GET', post('ferry'), { headers })
    expect([read.status, read.headers.has('preference-applied')]).toEqual([200, false])
    expect(read.body.title.rendered).toBe('The ferry is late')
  }
})

test('a write that is explained leaves nothing: no row, no event, no file and no mail', async () => {
  const { api } = site
  const before = JSON.stringify(await api.site.export())
  const events: unknown[] = []
  const off = api.on('post.created', (event) => void events.push(event))
  const explained = await explain('POST', '/cms/v2/posts', { as: user('admin'), body: { title: 'Not made' } })
  off()
  expect([explained.status, endOf(explained)]).toEqual([201, 'handler passed'])
  expect(JSON.stringify(await api.site.export())).toBe(before)
  expect(events).toEqual([])
})

test('a write whose answer depends on a service outside is not run to its end', async () => {
  const image = { id: 7, url: 'https://elsewhere.example/pier.png' }
  const id = await storeDocument(site, [
    { id: 'a1', elType: 'widget', widgetType: 'image', settings: { image }, elements: [] },
  ])
  const explained = await explain('POST', `/builder/v1/documents/${id}/media/import`, { as: user('admin') })
  expect(told(explained)).toEqual([undefined, 'handler not run', undefined, undefined])
})

test('an explained request takes no key, so that the real one is carried out', async () => {
  const headers = { 'idempotency-key': 'once' }
  const send = (more: object) =>
    site.as('ada')('POST', '/cms/v2/posts', { headers: { ...headers, ...more }, body: { title: 'Made once' } })
  expect((await send({ prefer: 'explain' })).status).toBe(200)
  expect((await send({})).status).toBe(201)
})

test('the client explains in the process with the rights of its user, and over HTTP', async () => {
  const { api } = site
  const inside = createClient({ api, as: user('subscriber') })
  expect((await inside.explain('POST', '/cms/v2/posts', { title: 'x' })).data).toMatchObject({
    status: 403,
    toPass: 'Send it as a user with edit_posts.',
  })
  const signIn = { login: 'edith', password: 'edit 1a2B 3c4D 5e6F 7g8H 9i0J' }
  const fetch = (url: string, init: RequestInit) => api.fetch(new Request(url, init))
  const outside = createClient({ url: 'https://quay.example/api', fetch, signIn })
  expect(await outside.explain('POST', '/cms/v2/posts', { title: 'x' })).toMatchObject({
    ok: false,
    error: { code: 'rest_cannot_explain', status: 403 },
  })
})

test('a permission that hides a record is told as a record that is not there, but to the host', async () => {
  const missing = () => new ApiError('no_box', 'There is no box.', 404)
  const boxes = endpoint({
    path: '/boxes/(?P<id>[\\d]+)',
    methods: ['GET'],
    args: { id: args.int() },
    resource: ({ args: { id } }) => {
      if (id === 2) throw missing()
      return { isHidden: true }
    },
    permission: permission<unknown, { readonly isHidden: boolean }>('anyone who may see the box', ({ resource }) =>
      resource.isHidden ? missing() : undefined,
    ),
    handler: () => ({}),
  })
  const opened = await createTestSite({
    profile: profile({ ...d1, features: [...d1.features, feature('boxes', 'boxes/v1', [boxes])] }),
  })
  const told = async (id: number, view: 'own' | 'host') =>
    JSON.stringify(await opened.api.explain('GET', `/boxes/v1/boxes/${id}`, { view })).replace(/(boxes\/|id )\d/g, '$1')
  expect(await told(1, 'own')).toBe(await told(2, 'own'))
  expect(await told(1, 'host')).not.toBe(await told(2, 'host'))
  expect(await told(1, 'host')).toContain('It is there, but hidden from this caller')
  await opened.dispose()
})

test('a user that does not exist is an error of the host', async () => {
  await expect(explain('GET', '/', { as: 99_999 })).rejects.toThrow('there is no user 99999')
})
