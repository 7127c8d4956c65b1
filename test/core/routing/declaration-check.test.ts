/** Mistakes in a declaration fail in createSiteApi with a sentence that names the endpoint. */
import { expect, test } from 'vitest'
import { int, required } from '../../../src/core/declare/args.ts'
import type { AnyEndpoint } from '../../../src/core/declare/endpoint.ts'
import { feature } from '../../../src/core/declare/feature.ts'
import { digits } from '../../../src/core/declare/pattern.ts'
import { anyone } from '../../../src/core/declare/permissions.ts'
import { profile } from '../../../src/core/declare/profile.ts'
import { createSiteApi } from '../../../src/host/create-site-api.ts'
import { memoryStorage } from '../../../src/storage/memory/index.ts'

const complete = { path: '/boats', methods: ['GET'], args: {}, permission: anyone, handler: () => [] }

function create(endpoint: object, more: object = {}) {
  const boats = { ...feature('boats', 'harbour/v1', [endpoint as AnyEndpoint]), ...more }
  return createSiteApi({
    storage: memoryStorage(),
    profile: profile({ name: 'harbour', gmtOffset: 'text', features: [boats] }),
  })
}

test('accepts a complete declaration', () => {
  expect(() => create(complete)).not.toThrow()
})

test.each([
  ['a missing permission', { ...complete, permission: undefined }, /^GET \/harbour\/v1\/boats .*has no permission/],
  ['a missing handler', { ...complete, handler: undefined }, /^GET \/harbour\/v1\/boats .*has no handler/],
  ['missing args', { ...complete, args: undefined }, /^GET \/harbour\/v1\/boats .*has no args/],
  ['missing methods', { ...complete, methods: [] }, /\/harbour\/v1\/boats .*has no methods/],
  [
    'an unknown key',
    { ...complete, subject: () => 1 },
    /^GET \/harbour\/v1\/boats .*unknown key subject; the known keys are path, /,
  ],
  [
    'a path parameter without an argument',
    { ...complete, path: `/boats/${digits('id')}` },
    /^GET \/harbour\/v1\/boats.*path parameter id without an argument/,
  ],
])('rejects %s', (_, endpoint, message) => {
  expect(() => create(endpoint)).toThrow(message)
})

test('accepts a path parameter with its argument', () => {
  const path = `/boats/${digits('id')}`
  expect(() => create({ ...complete, path, args: { id: required(int()) } })).not.toThrow()
})

test('rejects an unknown key of a feature', () => {
  expect(() => create(complete, { upkeep: {} })).toThrow(/^The feature boats has the unknown key upkeep/)
})
