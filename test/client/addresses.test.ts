/** The service parses arguments of any form to the values that the client sent; an endpoint returns them. */
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { anything, bool, int, list, nullable, num, object, str } from '../../src/core/declare/args.ts'
import { endpoint } from '../../src/core/declare/endpoint.ts'
import { feature } from '../../src/core/declare/feature.ts'
import { parameter } from '../../src/core/declare/pattern.ts'
import { anyone } from '../../src/core/declare/permissions.ts'
import { profile } from '../../src/core/declare/profile.ts'
import { type ServedSite, serveTestSite } from './served.ts'

const args = {
  text: str(),
  count: int(),
  level: num(),
  isHigh: bool(),
  words: list(str()),
  ids: list(int()),
  window: object({ from: int(), name: str(), days: list(int()) }, { additionalProperties: false }),
  tides: list(object({ at: str(), marks: list(str()) }, { additionalProperties: false })),
  free: object({}),
  number: nullable(int()),
}
const echoed = ({ args: given }: { readonly args: object }) =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
const shared = { permission: anyone, handler: echoed } as const

const named = { ...shared, path: `/named/${parameter('name', '[^/]+')}`, args: { name: str(), text: str() } } as const

const echo = feature('echo', 'echo/v1', [
  endpoint({ ...shared, path: '/read', methods: ['GET'], args }),
  endpoint({ ...shared, path: '/write', methods: ['POST'], args: { ...args, any: anything() } }),
  endpoint({ ...shared, path: '/remove', methods: ['DELETE'], args: { ...args, any: anything() } }),
  endpoint({ ...named, methods: ['GET'] }),
  endpoint({ ...named, methods: ['POST'] }),
])
const echoes = profile({ name: 'echoes', gmtOffset: 'text', features: [echo] })

let site: ServedSite<typeof echoes>
beforeAll(async () => {
  site = await serveTestSite({ profile: echoes, seed: false })
})
afterAll(() => site.dispose())

/** The service refuses NUL everywhere. */
const text = fc.string({ unit: 'binary' }).map((made) => made.replaceAll('\0', '0').toWellFormed())
const integer = fc.maxSafeInteger()
const name = text.filter((made) => !/^\d*$|[\]]|^(?:__proto__|constructor|prototype)$/.test(made))
const sent = fc.record(
  {
    text,
    count: integer,
    level: fc.double({ noNaN: true, noDefaultInfinity: true }).map((level) => level + 0),
    isHigh: fc.boolean(),
    words: fc.array(text, { maxLength: 5 }),
    ids: fc.array(integer, { maxLength: 5 }),
    window: fc.record({ from: integer, name: text, days: fc.array(integer, { maxLength: 3 }) }, { requiredKeys: [] }),
    tides: fc.array(fc.record({ at: text, marks: fc.array(text, { maxLength: 3 }) }), { maxLength: 3 }),
    free: fc.dictionary(name, fc.oneof(text, fc.dictionary(name, text, { minKeys: 1, maxKeys: 2 })), { maxKeys: 4 }),
    number: fc.option(integer),
  },
  { requiredKeys: [] },
)
/** Compares by JSON, because prototypes differ. */
const shown = (value: unknown) => JSON.parse(JSON.stringify(value ?? null))

test('parses queries to the values that were sent', async () => {
  await fc.assert(
    fc.asyncProperty(sent, async (given) => {
      const [outer, inner] = await Promise.all(
        [site.overHttp(null), site.inProcess(null)].map((client) => client.get('/echo/v1/read', given)),
      )
      expect(shown(outer?.data), outer?.error?.message).toEqual(shown(given))
      expect(shown(inner?.data)).toEqual(shown(given))
    }),
    { numRuns: 150 },
  )
})

test('parses bodies to the values that were sent', async () => {
  await fc.assert(
    fc.asyncProperty(sent, fc.jsonValue({ maxDepth: 3 }), async (given, any) => {
      // Null as an argument means absent, and an untyped value would be a text in a query.
      const whole = { ...given, any: { is: JSON.parse(JSON.stringify(any).replaceAll('\\u0000', '0')) } }
      if (JSON.stringify(whole).includes('__proto__')) return
      const clients = [site.overHttp(null), site.inProcess(null)]
      const results = await Promise.all(
        clients.flatMap((client) => [client.post('/echo/v1/write', whole), client.delete('/echo/v1/remove', whole)]),
      )
      for (const { data, error } of results) expect(shown(data), error?.message).toEqual(shown(whole))
      const bare = await Promise.all(clients.map((client) => client.delete('/echo/v1/remove', given)))
      for (const { data, error } of bare) expect(shown(data), error?.message).toEqual(shown(given))
    }),
    { numRuns: 100 },
  )
})

test('passes path parameters unchanged', async () => {
  const names = text.filter((made) => !['', '.', '..'].includes(made))
  await fc.assert(
    fc.asyncProperty(names, text, async (given, other) => {
      for (const client of [site.overHttp(null), site.inProcess(null)]) {
        for (const method of ['GET', 'POST'] as const) {
          const { data, error } = await client.request(method, '/echo/v1/named/{name}', { name: given, text: other })
          expect(data, error?.message).toEqual({ name: given, text: other })
        }
      }
    }),
    { numRuns: 100 },
  )
})

test('sends dates as texts and omits undefined values', async () => {
  const date = new Date('2024-06-15T12:00:00Z')
  const { data } = await site.overHttp(null).get('/echo/v1/read', { text: date as never, count: undefined })
  expect(data).toEqual({ text: '2024-06-15T12:00:00.000Z' })
})

test('refuses values that a URL can not express, and names the argument', async () => {
  const { overHttp } = site
  const cases = [
    { free: { 7: 'seven' } },
    { free: { '': 'nameless' } },
    { free: { 'a]b': 'c' } },
    { free: { a: { b: { c: { d: { e: 1 } } } } } },
  ]
  for (const args of cases) {
    const { error } = await overHttp(null).get('/echo/v1/read', args)
    expect(error).toMatchObject({ code: 'client_invalid_arguments', params: { free: expect.any(String) } })
  }
  const half = await overHttp(null).get('/echo/v1/read', { text: '\ud800' })
  expect(half.error?.code).toBe('client_invalid_arguments')
  const round: { self?: unknown } = {}
  round.self = round
  expect((await overHttp(null).post('/echo/v1/write', { any: round })).error?.code).toBe('client_invalid_arguments')
})
