/** Tests the pipeline around the handler of any endpoint: its transaction, its body, its warnings, its headers. */
import { afterEach, describe, expect, test } from 'vitest'
import { type Storage, StorageRetry } from '../../../src/contract/storage.ts'
import { endpointBelow } from '../../../src/core/declare/endpoint.ts'
import { anyone, signedIn } from '../../../src/core/declare/permissions.ts'
import { Stream } from '../../../src/core/declare/result.ts'
import { args, endpoint, feature, profile, result } from '../../../src/index.ts'
import { d1 } from '../../../src/profiles/d1.ts'
import { createTestSite, type TestSite, type TestSiteOptions } from '../../support/site.ts'

const warning = { code: 'low_water', message: 'The water is low.' }
const shared = { methods: ['POST'], args: {}, permission: anyone } as const

let runs = 0
/** The values that the handlers have received. */
const seen: unknown[] = []
const disposed: string[] = []

const warned = (name: string, answer: () => unknown) =>
  endpointBelow({
    ...shared,
    path: `/warned-${name}`,
    handler: (context) => {
      context.warnings?.push(warning)
      return answer()
    },
  })

const storing = (name: string, atomic: boolean | 'own') =>
  endpointBelow({
    ...shared,
    path: `/${name}`,
    atomic,
    handler: async ({ storage }) => {
      await storage.options.write({ [name]: true })
      return { name }
    },
  })

const received = (path: string, work: () => unknown) =>
  endpointBelow({
    ...shared,
    path,
    receive: () => ({ args: { level: 3 }, whole: 'whole', dispose: async () => void disposed.push(path) }),
    handler: ({ body, sent }) => {
      seen.push([body, sent, [...disposed]])
      return work()
    },
  })

const features = [
  feature('tides', 'tides/v1', [
    warned('list', () => ['a']),
    warned('text', () => 'a'),
    warned('nothing', () => null),
    warned('number', () => 7),
    warned('stream', () => new Stream('a', 'text/plain')),
    warned('record', () => {
      runs++
      return { level: 3 }
    }),
    warned('created', () => result({ level: 3 }, { status: 201, headers: { 'X-Level': '3' } })),
    warned('refusal', () => result({ level: 3 }, { status: 400 })),
    storing('inside', true),
    storing('outside', false),
    storing('own', 'own'),
    received('/received', () => ({ ok: true })),
    received('/received-badly', () => {
      throw new Error('the handler failed')
    }),
    endpoint({ ...shared, path: '/any', takesAnyBody: true, handler: ({ body }) => ({ body: body ?? 'none' }) }),
    endpoint({
      ...shared,
      path: '/plain',
      handler: ({ body, sent }) => ({ body: body ?? 'none', sent: sent ?? 'none' }),
    }),
    endpoint({
      ...shared,
      path: '/members',
      takesAnyMembers: true,
      handler: ({ sent }) => ({ sent }),
    }),
    endpoint({ ...shared, path: '/closed', permission: signedIn, handler: () => ({}) }),
    endpoint({
      methods: ['GET'],
      path: '/level',
      args: { metres: args.int() },
      permission: anyone,
      handler: ({ args: { metres } }) => ({ metres: metres ?? 'none' }),
    }),
  ]),
]

let site: TestSite
async function open(options: TestSiteOptions = {}): Promise<TestSite> {
  // Sites that keep no answers observe no writes outside of transactions.
  const limits = { responseBytes: 0 }
  site = await createTestSite({
    profile: profile({ ...d1, features: [...d1.features, ...features] }),
    limits,
    ...options,
  })
  return site
}
afterEach(() => site.dispose())

const send = (path: string, body?: unknown, headers: { readonly [name: string]: string } = {}) =>
  site.as('ada')('POST', `/tides/v1${path}`, { body, headers })

describe('warnings', () => {
  test.each([
    ['record', 200, { level: 3, _warnings: [warning] }],
    ['created', 201, { level: 3, _warnings: [warning] }],
    ['list', 200, ['a']],
    ['text', 200, 'a'],
    ['nothing', 200, null],
    ['number', 200, 7],
    ['refusal', 400, { level: 3 }],
  ])('are members of a record that is no refusal, and of nothing else: %s', async (name, status, body) => {
    await open()
    const response = await send(`/warned-${name}`)
    expect([response.status, response.body]).toEqual([status, body])
    expect(response.headers.get('x-level')).toBe(name === 'created' ? '3' : null)
  })

  test('leave a stream as it is', async () => {
    await open()
    expect(await site.api.call('POST', '/tides/v1/warned-stream', {}, { as: 'system' })).toMatchObject({ data: 'a' })
  })

  test('of a run that the database took back are dropped', async () => {
    let reruns = 0
    const refusing = (storage: Storage): Storage => ({
      ...storage,
      atomic: async (work, options) => {
        const done = await storage.atomic?.(async (transaction) => {
          const value = await work(transaction)
          if (reruns-- > 0) throw new StorageRetry('a deadlock')
          return value
        }, options)
        // The cast: the storage has transactions.
        return done as never
      },
    })
    await open({ storage: refusing })
    await site.api.site.runDue()
    reruns = 2
    runs = 0
    expect((await send('/warned-record')).body).toEqual({ level: 3, _warnings: [warning] })
    expect(runs).toBe(3)
  })
})

describe('a write', () => {
  /** How often a transaction was opened, and whether it may share its commit. */
  async function transactionsOf(path: string, headers?: { readonly [name: string]: string }) {
    const opened: unknown[] = []
    let isWatched = false
    await open({
      storage: (storage) => ({
        ...storage,
        atomic: (work, options) => {
          if (isWatched) opened.push(options)
          return storage.atomic?.(work, options) as never
        },
      }),
    })
    await site.api.site.runDue()
    isWatched = true
    expect((await send(path, undefined, headers)).status).toBe(200)
    return opened
  }

  test.each([
    ['/inside', undefined, [{ groupCommit: true, author: 1 }]],
    ['/own', undefined, []],
    ['/outside', undefined, []],
    // The result is kept in the transaction of the write.
    ['/own', { 'idempotency-key': 'a' }, [{ groupCommit: true, author: 1 }]],
    ['/outside', { 'idempotency-key': 'a' }, []],
  ])('%s with %o opens the transactions %o', async (path, headers, expected) => {
    expect(await transactionsOf(path, headers)).toEqual(expected)
  })
})

describe('a body', () => {
  test('that the endpoint has read is disposed of after the answer, also of a handler that failed', async () => {
    await open()
    seen.length = 0
    disposed.length = 0
    expect((await send('/received')).status).toBe(200)
    expect(seen).toEqual([['whole', { level: 3 }, []]])
    expect(disposed).toEqual(['/received'])
    expect((await send('/received-badly')).status).toBe(500)
    expect(site.failures).toHaveLength(1)
    expect(disposed).toEqual(['/received', '/received-badly'])
  })

  test('of any type goes whole to the endpoints that take it, and to no others', async () => {
    await open()
    const text = { 'content-type': 'text/plain' }
    expect((await send('/any', 'spring tide', text)).body).toEqual({ body: 'spring tide' })
    expect((await send('/any', { level: 3 })).body).toEqual({ body: { level: 3 } })
    expect((await send('/plain', 'spring tide', text)).body).toEqual({ body: 'none', sent: 'none' })
    expect((await send('/plain', { level: 3 })).body).toEqual({ body: 'none', sent: { level: 3 } })
  })

  test('may have undeclared members only where the endpoint takes them, if the host refuses such', async () => {
    await open({ unknownArguments: 'refuse' })
    expect((await send('/plain', { level: 3 })).body).toMatchObject({ code: 'rest_invalid_param' })
    expect((await send('/plain')).status).toBe(200)
    expect((await send('/any', { level: 3 })).body).toEqual({ body: { level: 3 } })
    expect((await send('/members', { level: 3 })).body).toEqual({ sent: { level: 3 } })
  })

  test('of a visitor may hold a tenth of the values of a user, and a call in the process any number', async () => {
    await open({ limits: { bodyValues: 100 } })
    const values = (count: number) => ({ list: Array.from({ length: count }, () => 1) })
    const statuses = async (path: string, login: string | null) => [
      (await site.as(login)('POST', `/tides/v1${path}`, { body: values(5) })).status,
      (await site.as(login)('POST', `/tides/v1${path}`, { body: values(50) })).status,
      (await site.as(login)('POST', `/tides/v1${path}`, { body: values(500) })).status,
    ]
    expect(await statuses('/plain', 'ada')).toEqual([200, 200, 413])
    expect(await statuses('/plain', null)).toEqual([200, 413, 413])
    expect(await statuses('/closed', null)).toEqual([401, 413, 413])
    expect(await statuses('/closed', 'ada')).toEqual([200, 200, 413])
    const call = await site.api.call('POST', '/tides/v1/plain', values(500), { as: 'system' })
    expect(call.status).toBe(200)
  })

  test('gives a read its arguments where it is called in the process; over HTTP the address has them', async () => {
    await open()
    const { data } = await site.api.call('GET', '/tides/v1/level', { metres: 3 })
    expect(data).toEqual({ metres: 3 })
    expect((await site.visitor('GET', '/tides/v1/level', { query: 'metres=4' })).body).toEqual({ metres: 4 })
  })
})

test('the answer to a read names the methods of its route, and that to a write does not', async () => {
  await open()
  expect((await site.visitor('GET', '/tides/v1/level')).headers.get('allow')).toBe('GET')
  expect((await send('/inside')).headers.has('allow')).toBe(false)
})
