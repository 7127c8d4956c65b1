/** The routes of the plain theme, in profile d1. */
import { expect, test } from 'vitest'
import { createFeeds, type FeedPromotion } from '../../../src/services/feeds.ts'
import { openSite, refusalOf } from '../add-ons/packages/fixture.ts'

const base = '/builder-theme/v1'
const settings = `${base}/theme-settings`

const off = {
  DESCRIPTION_META_TAG: false,
  SKIP_LINK: false,
  HEADER_FOOTER: false,
  PAGE_TITLE: false,
  BASE_STYLE: false,
  THEME_STYLE: false,
}

test('refuses everybody but administrators', async () => {
  const { as } = await openSite()
  for (const login of [null, 'sam', 'connie', 'arthur', 'edith', 'ada']) {
    const expected = login === null ? 401 : login === 'ada' ? 200 : 403
    for (const path of ['theme-settings', 'promotions', 'admin-settings', 'whats-new']) {
      expect([login, path, (await as(login)('GET', `${base}/${path}`)).status]).toEqual([login, path, expected])
    }
    for (const method of ['POST', 'PUT', 'PATCH']) {
      expect((await as(login)(method, settings, { body: { settings: {} } })).status).toBe(expected)
    }
  }
})

// ---------------------------------------------------------------- settings

test('switches parts off and on, and responds with the settings of the request', async () => {
  const { ada, events } = await openSite({ listen: ['theme-settings.changed'] })
  expect((await ada('GET', settings)).body).toEqual({ settings: off })
  const body = { settings: { SKIP_LINK: 1, PAGE_TITLE: 'yes', other: { a: 1 } } }
  expect(await ada('POST', settings, { body })).toMatchObject({ status: 200, body })
  expect((await ada('GET', settings)).body).toEqual({ settings: { ...off, SKIP_LINK: true, PAGE_TITLE: true } })
  await ada('PATCH', settings, { body: { settings: { SKIP_LINK: false, PAGE_TITLE: '' } } })
  expect((await ada('GET', settings)).body).toEqual({ settings: off })
  expect(events[0]).toEqual(['theme-settings.changed', { keys: ['SKIP_LINK', 'PAGE_TITLE'] }])
})

test('each part is a setting by key, as text, that clients may also write there', async () => {
  const { ada } = await openSite()
  const keyed = '/builder/v1/settings/builder_theme_settings_skip_link'
  await ada('POST', settings, { body: { settings: { SKIP_LINK: true, PAGE_TITLE: false } } })
  expect((await ada('GET', keyed)).body.data.value).toBe('true')
  await ada('POST', keyed, { body: { value: 'false' } })
  expect((await ada('GET', settings)).body).toEqual({ settings: off })
})

test.each<[unknown, boolean]>([
  [true, true],
  ['true', true],
  [2, true],
  [{}, true],
  [['a'], true],
  ['false', false],
  ['0', false],
  [0, false],
  [null, false],
  [[], false],
])('stores %j as %s', async (value, expected) => {
  const { ada } = await openSite()
  await ada('PUT', settings, { body: { settings: { SKIP_LINK: value } } })
  expect((await ada('GET', settings)).body.settings.SKIP_LINK).toBe(expected)
})

test.each([[{}], [{ settings: null }], [{ settings: 'SKIP_LINK' }], [{ settings: 5 }], [undefined]])(
  'refuses a body without settings: %j',
  async (body) => {
    const { ada } = await openSite()
    expect(refusalOf(await ada('POST', settings, { body }))).toEqual([400, 'invalid_settings'])
  },
)

test('stores all parallel changes', async () => {
  const { ada } = await openSite()
  await Promise.all(Object.keys(off).map((key) => ada('POST', settings, { body: { settings: { [key]: true } } })))
  expect(Object.values((await ada('GET', settings)).body.settings)).toEqual(new Array(6).fill(true))
})

// ---------------------------------------------------------------- promotions

const promotion = (type: string): FeedPromotion => ({
  type,
  image: 'https://quay.example/i.svg',
  url: 'https://quay.example/more',
  alt: type,
  title: type,
  messages: ['More of it.'],
  button: 'Get it',
  upgrade: true,
  features: ['one'],
})

test('drops a promotion once its plugin is installed or the builder inactive', async () => {
  const all = ['go-pro', 'go-image-optimizer', 'go-send', 'go-ai', 'go-elsewhere'].map(promotion)
  const { ada } = await openSite({ services: { feeds: createFeeds({ promotions: () => all }) } })
  const types = async () =>
    (await ada('GET', `${base}/promotions`)).body.links.map(({ type }: { type: string }) => type)
  // The mail plugin is installed from the start.
  expect(await types()).toEqual(['go-pro', 'go-image-optimizer', 'go-ai', 'go-elsewhere'])
  await ada('POST', '/builder-one/v1/plugins', { body: { slug: 'image-optimization' } })
  expect(await types()).toEqual(['go-pro', 'go-ai', 'go-elsewhere'])
  await ada('POST', '/builder-one/v1/plugins/builder/deactivate')
  expect(await types()).toEqual(['go-ai', 'go-elsewhere'])
  expect((await ada('GET', `${base}/promotions`)).body.links[0]).toEqual(promotion('go-ai'))
})

test('the list is empty when the feed is missing or fails', async () => {
  const silent = await openSite()
  expect((await silent.ada('GET', `${base}/promotions`)).body).toEqual({ links: [] })
  const promotions = () => Promise.reject(new Error('down'))
  const broken = await openSite({ services: { feeds: createFeeds({ promotions }) }, failures: 1 })
  expect(await broken.ada('GET', `${base}/promotions`)).toMatchObject({ status: 200, body: { links: [] } })
})

// ---------------------------------------------------------------- start page

test('the start page lists the parts and newest pages of the site', async () => {
  const { ada, ids } = await openSite()
  const { config } = (await ada('GET', `${base}/admin-settings`)).body
  expect(Object.keys(config)).toEqual(['welcome', 'siteParts', 'quickLinks', 'resourcesData', 'config'])
  expect(config.config).toEqual({ nonceInstall: expect.stringMatching(/^[0-9a-f]{10}$/), slug: 'builder' })
  expect(config.welcome.buttons[0]).toMatchObject({
    variant: 'contained',
    color: 'primary',
    linkText: expect.any(String),
    link: `https://quay.example/?p=${ids['page.front']}&edit=builder`,
  })
  const link = { title: expect.any(String), link: expect.stringMatching(/^https:\/\/quay\.example\//) }
  const [header, footer, builder] = config.siteParts.siteParts
  expect([header.id, footer.id, builder.id]).toEqual(['header', 'footer', undefined])
  for (const part of [header, footer, builder, ...config.siteParts.general]) expect(part).toMatchObject(link)
  expect(config.siteParts.sitePages.map(({ title }: { title: string }) => title)).toEqual(['About', 'Journal', 'Front'])
  expect(Object.keys(config.quickLinks)).toEqual([
    'site_name',
    'site_logo',
    'site_favicon',
    'site_colors',
    'site_fonts',
  ])
  for (const quickLink of Object.values(config.quickLinks)) expect(quickLink).toMatchObject(link)
  expect(config.resourcesData).toMatchObject({ community: [], resources: [{ target: '_blank' }] })
})

test('the start page has no welcome with the add-on, and no builder links without the builder', async () => {
  const { ada } = await openSite({ changes: { 'builder-pro': { initially: 'active' } } })
  const config = async () => (await ada('GET', `${base}/admin-settings`)).body.config
  expect((await config()).welcome).toEqual([])
  await ada('POST', '/builder-one/v1/plugins/builder/deactivate')
  const { siteParts, quickLinks } = await config()
  expect(siteParts.siteParts).toHaveLength(2)
  expect(Object.keys(quickLinks)).toEqual(['site_name', 'site_logo', 'site_favicon'])
})
