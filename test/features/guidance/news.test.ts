/** Lists notifications in the top bar and product news, filtered for the site. */
import { expect, test } from 'vitest'
import { d2 } from '../../../src/profiles/d2.ts'
import { createFeeds, type FeedNotification, type Feeds } from '../../../src/services/feeds.ts'
import { openSite, refusalOf } from '../add-ons/packages/fixture.ts'

const notifications = '/builder-one/v1/top-bar/notifications'
const news = '/builder-theme/v1/whats-new'
const feedback = '/builder-one/v1/top-bar/feedback'
const asking = { query: { app_name: 'manage', app_version: '1.2' } }

const saying = (rows: readonly FeedNotification[], more: Partial<Feeds> = {}) => ({
  services: { feeds: createFeeds({ notifications: () => rows, news: () => rows, ...more }) },
})
const idsOf = ({ body }: { body: { id: string }[] }) => body.map(({ id }) => id)

test('only administrators', async () => {
  const { as } = await openSite()
  const body = { product: 'p', subject: 's', title: 't', description: 'd' }
  for (const login of [null, 'sam', 'connie', 'arthur', 'edith', 'ada']) {
    const [reading, sending] = login === null ? [401, 401] : login === 'ada' ? [200, 204] : [403, 403]
    expect((await as(login)('GET', notifications, asking)).status).toBe(reading)
    expect((await as(login)('POST', feedback, { body })).status).toBe(sending)
  }
})

test('returns empty lists without feeds', async () => {
  const { ada } = await openSite()
  expect((await ada('GET', notifications, asking)).body).toEqual([])
  expect((await ada('GET', news)).body).toEqual([])
})

test('requires the name and version of the app and passes them to the feed', async () => {
  const requests: unknown[] = []
  const { ada } = await openSite({
    services: {
      feeds: createFeeds({
        notifications: (who) => {
          requests.push(who)
          return []
        },
      }),
    },
  })
  const response = await ada('GET', notifications)
  expect([...refusalOf(response), response.body.data.params]).toEqual([
    ...[400, 'rest_missing_callback_param'],
    ['app_name', 'app_version'],
  ])
  await ada('GET', notifications, asking)
  expect(requests).toEqual([{ appName: 'manage', appVersion: '1.2' }])
})

test('returns notifications as the feed provides them, each id once', async () => {
  const row = { id: 'a', title: 'New', description: 'Text', chipTags: ['fresh'], link: 'https://quay.example/new' }
  const { ada } = await openSite(saying([row, { id: 'b', title: 'Other' }, { ...row, title: 'Again' }]))
  expect((await ada('GET', notifications, asking)).body).toEqual([row, { id: 'b', title: 'Other' }])
  expect((await ada('GET', news)).body).toEqual([row, { id: 'b', title: 'Other' }])
})

test('returns an empty list when the feed fails', async () => {
  const failing = () => {
    throw new Error('down')
  }
  const { ada } = await openSite({ ...saying([], { notifications: failing, news: failing }), failures: 2 })
  expect(await ada('GET', notifications, asking)).toMatchObject({ status: 200, body: [] })
  expect(await ada('GET', news)).toMatchObject({ status: 200, body: [] })
})

const active = { type: 'plugin', plugin: 'builder' }
const absent = { type: 'plugin', plugin: 'builder-pro' }

test.each<[string, FeedNotification['conditions'], boolean]>([
  ['no conditions', [], true],
  ['an active plugin', [[active]], true],
  ['an inactive plugin', [[{ type: 'plugin', plugin: 'site-mailer' }]], false],
  ['a plugin that must not be active', [[{ ...absent, operator: '!=' }]], true],
  ['a plugin of a version', [[{ ...active, version: '3.9.0', operator: '>' }]], true],
  ['a plugin of a later version', [[{ ...active, version: '3.30.1', operator: '>=' }]], false],
  ['a version of a plugin that is not installed', [[{ ...absent, version: '1', operator: '!=' }]], false],
  ['the active theme', [[{ type: 'theme', theme: 'builder-theme' }]], true],
  ['another theme', [[{ type: 'theme', theme: 'builder-theme-biz' }]], false],
  ['a version of the service', [[{ type: 'cms', version: '6.4', operator: '>=' }]], true],
  ['an older version of the service', [[{ type: 'cms', version: '6.4', operator: '<' }]], false],
  ['a single site', [[{ type: 'multisite', multisite: false }]], true],
  ['a multisite', [[{ type: 'multisite', multisite: true }]], false],
  ['the language', [[{ type: 'language', languages: ['de_DE', 'en_US'], operator: 'in' }]], true],
  ['no other language', [[{ type: 'language', languages: ['en_US'], operator: 'not_in' }]], false],
  ['all of a group', [[active, absent]], false],
  ['one of a group', [{ 0: active, 1: absent, relation: 'OR' }], true],
  ['none of a group', [{ 0: absent, relation: 'OR' }], false],
  ['one of several groups', [[absent], [active]], true],
  ['an unknown condition', [[{ type: 'phase-of-the-moon' }]], false],
  ['an unknown operator', [[{ ...active, version: '1', operator: 'constructor' }]], false],
])('conditions: %s', async (_, conditions, expected) => {
  const row = { id: 'a', title: 'New', ...(conditions ? { conditions } : {}) }
  const { ada } = await openSite(saying([row], { version: '6.5.1' }))
  expect(idsOf(await ada('GET', news))).toEqual(expected ? ['a'] : [])
})

test('compares the language of the user, otherwise that of the site', async () => {
  const row = { id: 'a', title: 'New', conditions: [[{ type: 'language', languages: ['pt_PT'], operator: 'in' }]] }
  const { ada, api, ids } = await openSite(saying([row]))
  expect(idsOf(await ada('GET', news))).toEqual([])
  await api.site.options.write({ locale: 'pt_PT' })
  expect(idsOf(await ada('GET', news))).toEqual(['a'])
  await api.site.users.update(ids['user.admin'] ?? 0, { meta: { locale: 'fr_FR' } })
  expect(idsOf(await ada('GET', news))).toEqual([])
})

// ---------------------------------------------------------------- feedback

const input = { product: 'manage', subject: 'idea', title: 'More', description: 'Of <b>it</b>' }

test('stores feedback and emits an event', async () => {
  const { ada, events, ids, api } = await openSite({ listen: ['product-feedback.submitted'] })
  const response = await ada('POST', feedback, { body: { ...input, countryCode: 'PT' } })
  expect([response.status, response.body]).toEqual([204, undefined])
  const stored = { ...input, description: 'Of it', countryCode: 'PT' }
  expect(events).toEqual([
    ['product-feedback.submitted', { ...stored, id: expect.any(Number), user: ids['user.admin'] }],
  ])
  expect(JSON.stringify(await api.site.export())).toContain('Of it')
})

test('D2 has no country argument', async () => {
  const { ada, events } = await openSite({ profile: d2, listen: ['product-feedback.submitted'] })
  await ada('POST', feedback, { body: { ...input, countryCode: 'PT' } })
  expect(events[0]).toMatchObject(['product-feedback.submitted', { countryCode: '' }])
})

test.each(['product', 'subject', 'title', 'description'])('rejects feedback without %s', async (name) => {
  const { ada } = await openSite()
  const { [name as keyof typeof input]: _, ...others } = input
  expect(refusalOf(await ada('POST', feedback, { body: others }))).toEqual([400, 'rest_missing_callback_param'])
  const long = { ...input, [name]: 'x'.repeat(10_001) }
  expect(refusalOf(await ada('POST', feedback, { body: long }))).toEqual([400, 'rest_invalid_param'])
})

test('rejects feedback that is too large', async () => {
  const { ada } = await openSite()
  const response = await ada('POST', feedback, { body: { ...input, description: 'x'.repeat(1_000_000) } })
  expect(response.status).toBe(413)
})
