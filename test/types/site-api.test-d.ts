/** The type of an api has the routes of its profile and the accepted options. `npm run types` is the test. */
import { expectTypeOf, test } from 'vitest'
import { createClient } from '../../src/client/index.ts'
import { feature } from '../../src/core/declare/feature.ts'
import { profile } from '../../src/core/declare/profile.ts'
import type { SiteAccessibility } from '../../src/features/add-ons/accessibility/management.ts'
import { createSiteApi, type SiteApi } from '../../src/host/create-site-api.ts'
import { d1 } from '../../src/profiles/d1.ts'
import { d2 } from '../../src/profiles/d2.ts'
import { memoryStorage } from '../../src/storage/memory/index.ts'

const storage = memoryStorage()
const first = createSiteApi({ storage, profile: d1 })
const second = createSiteApi({ storage, profile: d2 })

test('api.site has what the features of the profile add, and nothing else', () => {
  expectTypeOf(second.site.accessibility).toEqualTypeOf<SiteAccessibility>()
  second.site.submissions.form(1, 'a')
  second.site.templates.release(1)
  second.site.users.create({ login: 'wren' })
  first.site.users.create({ login: 'wren' })
  // @ts-expect-error only D2 has the feature
  first.site.accessibility
  // @ts-expect-error only D2 has the feature
  first.site.submissions
  // @ts-expect-error only D2 has the feature
  first.site.templates
})

test("a host's feature adds to api.site with its type", () => {
  const tides = feature('tides', 'tides/v1', [], {
    siteExtensions: { tides: ({ app }) => ({ now: () => app.clock() }) },
  })
  const site = createSiteApi({ storage, profile: profile({ ...d1, features: [...d1.features, tides] }) }).site
  expectTypeOf(site.tides.now()).toEqualTypeOf<number>()
  // @ts-expect-error no feature adds it
  site.ebb
})

test('services have the names and methods that are known', () => {
  createSiteApi({ storage, profile: d1, services: { outbound: { get: () => Promise.reject(new Error('closed')) } } })
  // @ts-expect-error a misspelt service
  createSiteApi({ storage, profile: d1, services: { outbond: { get: () => Promise.reject(new Error('closed')) } } })
  // @ts-expect-error no service
  createSiteApi({ storage, profile: d1, services: { outbound: 3 } })
})

test('an api whose type does not name its profile has the routes of d1 and d2, and any other', async () => {
  const all: readonly SiteApi[] = [first, second]
  const client = createClient({ api: all[0] as SiteApi })
  const { data } = await client.orThrow.get('/cms/v2/posts', { per_page: 5 })
  expectTypeOf(data[0]!.title.rendered).toEqualTypeOf<string>()
  const { data: notes } = await client.orThrow.get('/builder/v1/notes', { route_url: '/' })
  expectTypeOf(notes).not.toBeUnknown()
  expectTypeOf((await client.orThrow.get('/tides/v1/tides', { page: 2 })).data).toBeUnknown()
})
