/** Every route that writes holds the condition that a client sends, or refuses it; none ignores it. */
import { describe, expect, test } from 'vitest'
import { str, unlisted } from '../../../src/core/declare/args.ts'
import type { AnyEndpoint } from '../../../src/core/declare/endpoint.ts'
import type { Feature } from '../../../src/core/declare/feature.ts'
import { anyone } from '../../../src/core/declare/permissions.ts'
import { type Profile, profile } from '../../../src/core/declare/profile.ts'
import { kitFeatures } from '../../../src/features/builder/site-kits/index.ts'
import { content } from '../../../src/profiles/content.ts'
import { withCurrentClients } from '../../../src/profiles/current-clients.ts'
import { d1 } from '../../../src/profiles/d1.ts'
import { d2 } from '../../../src/profiles/d2.ts'
import { full } from '../../../src/profiles/full.ts'
import { createTestSite } from '../../support/site.ts'
import { allFeatures, documents, seed } from './documents.ts'

const features = [...withCurrentClients(full.features), ...kitFeatures]
const profiles: readonly Profile[] = [content, d1, d2, full, profile({ ...full, name: 'full and clients', features })]

const writes = ({ methods }: AnyEndpoint) => !methods.includes('GET')
const hasTag = ({ etag, stored }: AnyEndpoint) => (etag ?? stored) !== undefined

/** Fills each parameter with the first of these that its pattern takes. */
const samples = ['7', 'me', 'a1b2c3', 'heading']
const parameterPattern = /\(\?P<(\w+)>((?:[^()]|\((?:[^()]|\([^()]*\))*\))*)\)/g
const pathOf = ({ namespace }: Feature, { path }: AnyEndpoint) =>
  `/${namespace}${path}`.replace(/^\/\//, '/').replace(parameterPattern, (_, __, pattern: string) => {
    const sample = samples.find((text) => new RegExp(`^(?:${pattern})$`).test(text))
    if (sample === undefined) throw new Error(`no sample matches ${pattern}`)
    return sample
  })

/** Neither its arguments nor its permission decide whether it refuses: both are left out, and the handler reports that it ran. */
function bare(declared: AnyEndpoint, ran: (path: string) => void): AnyEndpoint {
  const parameters = [...declared.path.matchAll(parameterPattern)].map(([, name = '']) => [name, unlisted(str())])
  const { path, methods, atomic } = declared
  const handler = () => {
    ran(path)
    return {}
  }
  return {
    ...{ path, methods, args: Object.fromEntries(parameters), permission: anyone, handler },
    ...(atomic === undefined ? {} : { atomic }),
  }
}

const conditions: readonly (readonly [string, string])[] = [
  ['if-match', '"0"'],
  ['if-match', '*'],
  ['if-none-match', '*'],
  ['if-unmodified-since', 'Thu, 01 Jan 2099 00:00:00 GMT'],
]

describe.each(profiles)('$name', (declared) => {
  test('refuses the conditions of routes without a tag, and runs them without a condition', async () => {
    const ran: string[] = []
    const tagless = declared.features.flatMap((feature) =>
      feature.endpoints
        .filter((endpoint) => writes(endpoint) && !hasTag(endpoint))
        .flatMap((endpoint) => endpoint.methods.map((method) => [method, pathOf(feature, endpoint)] as const)),
    )
    // `completed` would put the endpoints of the feature back.
    const bareFeatures = declared.features.map(({ completed: _, ...feature }) => ({
      ...feature,
      endpoints: feature.endpoints.map((endpoint) =>
        writes(endpoint) && !hasTag(endpoint) ? bare(endpoint, (path) => ran.push(path)) : endpoint,
      ),
    }))
    const site = await createTestSite({
      profile: profile({ ...declared, features: bareFeatures }),
      checkResponses: false,
    })
    const ada = site.as('ada')
    for (const [method, path] of tagless) {
      for (const [header, value] of conditions) {
        const { status, body } = await ada(method, path, { headers: { [header]: value }, body: {} })
        expect([method, path, status, body.code]).toEqual([method, path, 412, 'rest_precondition_unsupported'])
      }
    }
    expect(ran).toEqual([])
    for (const [method, path] of tagless)
      expect([path, (await ada(method, path, { body: {} })).status]).toEqual([path, 200])
    expect(ran).toHaveLength(tagless.length)
    await site.dispose()
  })
})

/** Routes that show a record elsewhere and do not change it: `existence.test.ts`. */
const others = [
  'POST /site-api/v1/documents/(?P<id>[\\d]+)/duplicate',
  'POST /site-api/v1/documents/(?P<id>[\\d]+)/preview',
  'POST /cms/v2/media/(?P<id>[\\d]+)/post-process',
  'POST /cms/v2/media/(?P<id>[\\d]+)/edit',
]

test('each route whose tag is read from the storage has a case', async () => {
  const site = await createTestSite({ profile: allFeatures, seed })
  const cases: string[] = []
  for (const { open } of documents) {
    const { writes } = await open(site)
    cases.push(...writes.map(({ method, path }) => `${method} ${path}`))
  }
  await site.dispose()
  const routes = profiles.flatMap(({ features: all }) =>
    all.flatMap(({ namespace, endpoints }) =>
      endpoints
        .filter((endpoint) => writes(endpoint) && endpoint.stored)
        .flatMap(({ methods, path }) => methods.map((method) => `${method} /${namespace}${path}`)),
    ),
  )
  const patternOf = (route: string) => new RegExp(`^${route.replace(/\(\?P</g, '(?<')}$`)
  const missing = [...new Set(routes)].filter((route) => !cases.some((one) => patternOf(route).test(one)))
  expect(missing.sort()).toEqual(others.sort())
})
