/** With `checkResponses`, the responses of handlers must match the schemas that their endpoints declare. */
import { afterEach, expect, test } from 'vitest'
import { int, list, nullable, str } from '../../src/core/declare/args.ts'
import { endpoint } from '../../src/core/declare/endpoint.ts'
import { feature } from '../../src/core/declare/feature.ts'
import { anyone } from '../../src/core/declare/permissions.ts'
import { profile } from '../../src/core/declare/profile.ts'
import {
  either,
  emptyList,
  exactly,
  fields,
  mapOf,
  noBody,
  nonJsonBody,
  sometimes,
} from '../../src/core/declare/response-schema.ts'
import { result, Stream } from '../../src/core/declare/result.ts'
import { createTestSite, type TestSite } from '../support/site.ts'

const boat = fields({
  id: int(),
  name: str(),
  berth: nullable(str()),
  crew: list(fields({ name: str() })),
  tides: either(mapOf(int()), emptyList()),
  kind: exactly('boat'),
  note: sometimes(str()),
  cargo: mapOf(fields({ weights: mapOf(int()) })),
})

const cargo = { salt: { weights: { dry: 2 } } }
const right = { id: 1, name: 'Tern', berth: null, crew: [{ name: 'Ada' }], tides: { low: 3 }, kind: 'boat', cargo }

let returned: unknown = right
let site: TestSite | undefined

afterEach(() => site?.dispose())

async function request(value: unknown, checkResponses = true) {
  returned = value
  const harbour = feature('harbour', 'harbour/v1', [
    endpoint({
      path: '/boat',
      methods: ['GET'],
      args: {},
      permission: anyone,
      responses: { 200: boat, 202: nonJsonBody('text/csv'), 204: noBody() },
      handler: () => returned,
    }),
  ])
  site = await createTestSite({
    profile: profile({ name: 'harbour', gmtOffset: 'text', features: [harbour] }),
    seed: false,
    checkResponses,
  })
  return site.visitor('GET', '/harbour/v1/boat')
}

test('passes responses that match the schema', async () => {
  expect((await request({ ...right, tides: [], note: 'fast' })).body).toEqual({ ...right, tides: [], note: 'fast' })
  expect((await request(right)).status).toBe(200)
  expect((await request(result(undefined, { status: 204 }))).status).toBe(204)
  expect((await request(result(new Stream('a,b', 'text/csv'), { status: 202 }))).body).toBe('a,b')
})

test.each([
  ['a list in place of an object', [right], 'the answer'],
  ['a member of another type', { ...right, id: '1' }, '/id'],
  ['a missing member', { ...right, name: undefined }, '/name'],
  ['an undeclared member', { ...right, secret: 1 }, '/secret'],
  ['a wrong member inside a list', { ...right, crew: [{ name: 1 }] }, '/crew/0/name'],
  ['a value that matches no alternative', { ...right, tides: { low: 'x' } }, '/tides'],
  [
    'a wrong value in a map of maps',
    { ...right, cargo: { salt: { weights: { dry: '2' } } } },
    '/cargo/salt/weights/dry',
  ],
  ['another constant', { ...right, kind: 'ship' }, '/kind'],
  ['another status', result(right, { status: 201 }), '201'],
  ['a body that is no JSON', new Stream('x', 'text/plain'), 'no JSON'],
])('responds with 500 to %s', async (_, wrong, named) => {
  const { status } = await request(wrong)
  expect(status).toBe(500)
  expect(site?.failures).toMatchObject([{ error: { message: expect.stringContaining(named) } }])
})

test('checks nothing unless checkResponses is set', async () => {
  expect((await request({ ...right, id: '1' }, false)).body.id).toBe('1')
})
