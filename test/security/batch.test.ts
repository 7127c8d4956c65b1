/** Batch requests: each one is checked against its own route, as the caller of the batch, and gets its own response. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { basic, createTestSite, type TestSite } from '../support/site.ts'
import { isWrite, recorded } from '../support/spied-storage.ts'
import { signedInBefore } from './signed-in-before.ts'

const { calls, wrap } = recorded()
let site: TestSite

const send = (requests: unknown, more: object = {}, login: string | null = 'arthur') =>
  site.as(login)('POST', '/batch/v1', { body: { requests, ...more } })
const draft = (title: string) => ({ path: '/cms/v2/posts', body: { title } })
const codes = (body: { responses: readonly ({ status: number; body: { code?: string } } | null)[] }) =>
  body.responses.map((slot) => slot && [slot.status, slot.body.code].filter((part) => part !== undefined).join(' '))
/** How many posts there are, of any status. */
const count = async () =>
  Number((await site.as('ada')('GET', '/cms/v2/posts', { query: 'status=any,trash' })).headers.get('x-cms-total'))

describe('rejected batch requests write nothing', () => {
  beforeAll(async () => {
    site = await signedInBefore(await createTestSite({ storage: wrap }))
  })
  beforeEach(() => {
    calls.length = 0
  })
  afterEach(() => {
    expect(calls.filter(isWrite)).toEqual([])
    expect(site.failures).toEqual([])
  })
  afterAll(() => site.dispose())

  test.each([
    ['/batch/v1'],
    ['/batch/v1/'],
    ['/batch/v1//'],
    ['/Batch/V1'],
    ['/BATCH/v1'],
    ['/batch/%76%31'],
    ['/%62atch/v1'],
    ['/batch%2fv1'],
    ['/batch//v1'],
    ['//batch/v1'],
    ['/batch/v1?_method=POST'],
    ['/?rest_route=/batch/v1'],
    ['/index.php?rest_route=/batch/v1'],
    ['/batch/v1?requests[0][path]=/cms/v2/posts&requests[0][body][title]=deep'],
  ])('rejects a batch inside a batch: %s', async (path) => {
    for (const validation of ['normal', 'require-all-validate']) {
      const { status, body } = await send([{ path, body: { requests: [draft('Deep')] } }], { validation })
      expect(status).toBe(207)
      expect(codes(body)).toEqual([
        expect.stringMatching(/^(?:400 rest_batch_not_allowed|404 rest_no_route|400 parse_path_failed)$/),
      ])
    }
  })

  test.each([
    [26, 400, 'rest_invalid_param'],
    [1000, 400, 'rest_invalid_param'],
  ])('rejects a batch of %d requests without running any', async (length, status, code) => {
    const requests = Array.from({ length }, () => draft('Many'))
    expect(await send(requests)).toMatchObject({
      status,
      body: { code, data: { params: { requests: expect.anything() } } },
    })
  })

  test('an empty batch returns 207 with no responses', async () => {
    expect(await send([])).toMatchObject({ status: 207, body: { responses: [] } })
  })

  // The recordings do not cover TRACE; it is not in the list of methods either.
  test.each(['GET', 'post', 'TRACE', 'HEAD', 'OPTIONS', '', 'PUT ', 'POST,DELETE', null, 5, [['POST']], {}])(
    'rejects the method %j',
    async (method) => {
      expect(await send([draft('First'), { ...draft('Second'), method }])).toMatchObject({
        status: 400,
        body: { code: 'rest_invalid_param', data: { params: { requests: expect.any(String) } } },
      })
    },
  )

  test.each(['normal', 'require-all-validate'])(
    'a route without batch: true gets an error in its own slot: %s',
    async (validation) => {
      const requests = [
        { path: '/builder/v1/globals/colors/accent', body: { title: 'Accent', value: '#fff' } },
        { path: '/builder/v1/favorites/widgets', body: { favorite: 'heading' } },
      ]
      const { body } = await send(requests, { validation }, 'ada')
      expect(codes(body)).toEqual(['400 rest_batch_not_allowed', '400 rest_batch_not_allowed'])
      expect(body.failed).toBe(validation === 'normal' ? undefined : 'validation')
    },
  )

  test('require-all-validate runs nothing if one route does not allow batches', async () => {
    const requests = [
      draft('First'),
      { path: '/builder/v1/favorites/widgets', body: { favorite: 'heading' } },
      draft('Last'),
    ]
    const { body } = await send(requests, { validation: 'require-all-validate' })
    expect(body.failed).toBe('validation')
    expect(codes(body)).toEqual([null, '400 rest_batch_not_allowed', null])
  })

  test.each([
    ['https://evil.example/cms/v2/posts'],
    ['http://127.0.0.1/cms/v2/posts'],
    ['https://quay.example/api/cms/v2/posts'],
    ['//evil.example/cms/v2/posts'],
    ['///cms/v2/posts'],
    ['/\\evil.example/cms/v2/posts'],
    ['\\cms\\v2\\posts'],
    ['/cms/v2/posts#fragment'],
    ['#'],
    ['/cms/v2/../v2/posts'],
    ['/./cms/v2/posts'],
    ['/cms/v2/posts/..'],
    ['/cms/v2/%2e%2e/v2/posts'],
    ['/cms%2fv2%2fposts'],
    ['/api/cms/v2/posts'],
    ['/other/cms/v2/posts'],
    ['cms/v2/posts'],
    ['?title=x'],
    [''],
    [' /cms/v2/posts'],
    ['/cms/v2/posts title'],
    ['/cms/v2/posts\nHost: evil.example'],
    ['/cms/v2/posts\t'],
    ['file:///etc/passwd'],
    ['javascript:alert(1)'],
    ['/cms/v2/%'],
    ['/cms/v2/posts/%zz'],
    ['/cms/v2/posts/%E0%A4%A'],
    ['/cms/v2/posts/%00'],
    ['/cms/v2/posts?title=%00'],
    ['/cms/v2/posts?title=%zz'],
    ['/cms/v2/posts?__proto__[title]=x'],
  ])('rejects the path %j in its own slot', async (path) => {
    const { status, body } = await send([{ path, body: { title: 'Elsewhere' } }])
    expect(status).toBe(207)
    expect(codes(body)).toEqual([expect.stringMatching(/^(?:400|404) \w+$/)])
  })

  test.each<[string, unknown]>([
    ['null', [null]],
    ['a text', ['x']],
    ['a number', [5]],
    ['a list', [[]]],
    ['a list with a request', [[draft('Inside')]]],
    ['a request without a path', [{ body: {} }]],
    ['a path that is a number', [{ path: 5 }]],
    ['a path that is a list', [{ path: ['/cms/v2/posts'] }]],
    ['a path that is null', [{ path: null }]],
    ['headers that are a text', [{ ...draft('x'), headers: 'x' }]],
    ['headers with a number', [{ ...draft('x'), headers: { 'X-A': 5 } }]],
    ['headers with true', [{ ...draft('x'), headers: { 'X-A': true } }]],
    ['headers with an object', [{ ...draft('x'), headers: { 'X-A': { a: 1 } } }]],
    ['headers with null', [{ ...draft('x'), headers: { 'X-A': null } }]],
    ['headers with a list of numbers', [{ ...draft('x'), headers: { 'X-A': [1] } }]],
    ['a body that is a text', [{ path: '/cms/v2/posts', body: 'x' }]],
    ['a body that is a number', [{ path: '/cms/v2/posts', body: 5 }]],
    ['no list', { a: 1 }],
    ['a bare text', 'x'],
    ['a bare number', 5],
    ['true', true],
  ])('rejects the whole batch because of %s', async (_, requests) => {
    expect(await send(requests)).toMatchObject({
      status: 400,
      body: { data: { params: { requests: expect.any(String) } } },
    })
  })

  // Recorded: a list as a body has no arguments; the batch itself is valid.
  test('a body that is a list counts as a body without arguments', async () => {
    const { body } = await send([
      { path: '/cms/v2/posts', body: [1] },
      { path: '/cms/v2/posts', body: ['title'] },
    ])
    expect(codes(body)).toEqual(['400 empty_content', '400 empty_content'])
  })

  test('checks the permission of each request separately', async () => {
    const { body } = await send(
      [draft('By a visitor'), { method: 'DELETE', path: `/cms/v2/posts/${site.ids['post.tide']}` }],
      {},
      null,
    )
    expect(codes(body)).toEqual(['401 rest_cannot_create', '401 rest_cannot_delete'])
  })
})

describe('batch requests that run', () => {
  beforeEach(async () => {
    site = await createTestSite({ storage: wrap })
  })
  afterEach(async () => {
    expect(site.failures).toEqual([])
    await site.dispose()
  })

  test.each([0, 1, 2])('response i belongs to request i, with a broken path at index %d', async (at) => {
    const requests: object[] = [draft('A'), { method: 'DELETE', path: `/cms/v2/posts/${site.ids['post.tide']}` }]
    requests.splice(at, 0, { path: 'http://:80/', body: { title: 'Broken' } })
    const { body } = await send(requests)
    const expected: unknown[] = [
      { status: 201, body: { title: { raw: 'A' } } },
      { status: 403, body: { code: 'rest_cannot_delete' } },
    ]
    expected.splice(at, 0, { status: 400, body: { code: 'parse_path_failed' } })
    expect(body.responses).toMatchObject(expected)
    expect(body.responses).toHaveLength(3)
  })

  test('accepts 25 requests', async () => {
    const { body } = await send(Array.from({ length: 25 }, (_, index) => draft(`Post ${index}`)))
    expect(body.responses.map((slot: { body: { title: { raw: string } } }) => slot.body.title.raw)).toEqual(
      Array.from({ length: 25 }, (_, index) => `Post ${index}`),
    )
  })

  test('a request without a method is a POST, and method overrides inside a batch are ignored', async () => {
    const path = `/cms/v2/posts/${site.ids['post.ferry']}`
    const { body } = await send([
      { path: `${path}?_method=DELETE`, body: { title: 'One' } },
      { path, body: { title: 'Two', _method: 'DELETE' }, headers: { 'X-HTTP-Method-Override': 'DELETE' } },
      { path: `${path}?_method=GET`, method: 'PUT', body: { title: 'Three' } },
    ])
    expect(body.responses).toMatchObject(
      ['One', 'Two', 'Three'].map((raw) => ({ status: 200, body: { title: { raw }, status: 'publish' } })),
    )
  })

  test('arguments that only other routes declare never reach the storage', async () => {
    await send([draft('Warm')])
    const insert = async (more: object) => {
      calls.length = 0
      const { body } = await send([{ path: '/cms/v2/posts', body: { title: 'Same', ...more } }])
      expect(body.responses).toMatchObject([{ status: 201 }])
      return calls.filter(({ name }) => name === 'posts.insert')
    }
    const foreign = {
      force: true,
      requests: [draft('Inner')],
      validation: 'strict',
      atomic: 'x',
      context: 'edit',
      per_page: -1,
      watermark: 1,
      favorite: 'heading',
      id: 1,
      type: 'page',
      guid: 'x',
      modified: 'x',
      version: 9,
      where: {},
      parent: 7,
    }
    expect(await insert(foreign)).toEqual(await insert({}))
  })

  test('a value that another route would accept is checked against the schema of the called route', async () => {
    const { body } = await send([
      { path: '/cms/v2/posts', body: { title: 'x', status: 'any' } },
      { path: '/cms/v2/posts', body: { title: 'x', slug: ['a', 'b'] } },
    ])
    expect(codes(body)).toEqual(['400 rest_invalid_param', '400 rest_invalid_param'])
  })

  test('accepts headers that are strings or lists of strings, and ignores them', async () => {
    const headers = {
      'X-A': 'b',
      Accept: ['a', 'b'],
      Authorization: basic('ada'),
      Cookie: 'a=b',
      'Content-Type': 'text/plain',
    }
    const { body } = await send([{ ...draft('Plain'), headers }])
    expect(body.responses).toMatchObject([{ status: 201, body: { author: site.ids['user.author'] } }])
  })

  test('keeps the order of forbidden and allowed requests', async () => {
    const { body } = await send(
      [
        draft('First'),
        { path: '/cms/v2/posts', body: { title: 'Out', status: 'publish' } },
        { path: `/cms/v2/posts/${site.ids['post.tide']}`, body: { title: 'Taken' } },
        draft('Last'),
      ],
      {},
      'connie',
    )
    expect(codes(body)).toEqual(['201', '403 rest_cannot_publish', '403 rest_cannot_edit', '201'])
    expect((await site.visitor('GET', `/cms/v2/posts/${site.ids['post.tide']}`)).body.title.rendered).toBe(
      'Reading the tide',
    )
  })

  test('rolls back an atomic batch when the third of five requests fails', async () => {
    await signedInBefore(site)
    const before = await site.api.site.export()
    const events: unknown[] = []
    site.api.on('post.created', (event) => events.push(event))
    const five = [
      draft('1'),
      draft('2'),
      { path: '/cms/v2/posts', body: { title: '3', status: 'bogus' } },
      draft('4'),
      draft('5'),
    ]
    const { body } = await send(five, { atomic: true })
    expect(body.failed).toBe('atomic')
    expect(codes(body)).toEqual([null, null, '400 rest_invalid_param', null, null])
    expect(await site.api.site.export()).toEqual(before)
    expect(events).toEqual([])
  })

  test('a batch that is not atomic stores the other four', async () => {
    const before = await count()
    const five = [
      draft('1'),
      draft('2'),
      { path: '/cms/v2/posts', body: { title: '3', status: 'bogus' } },
      draft('4'),
      draft('5'),
    ]
    expect(codes((await send(five)).body)).toEqual(['201', '201', '400 rest_invalid_param', '201', '201'])
    expect(await count()).toBe(before + 4)
  })

  test('never emits the events of a failed request in a batch', async () => {
    const createdTitles: string[] = []
    site.api.on('post.created', ({ post }) => createdTitles.push(post.title))
    await send([draft('Created'), { path: '/cms/v2/posts', body: { title: 'Failed', author: 1 } }])
    expect(createdTitles).toEqual(['Created'])
  })
})
