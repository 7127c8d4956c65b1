import { expect, test } from 'vitest'
import { wordpress } from '../../../src/names/wordpress.ts'
import { d2 } from '../../../src/profiles/d2.ts'
import { createFeeds } from '../../../src/services/feeds.ts'
import { smallSite } from '../../support/small-site.ts'
import { openSite as open } from '../add-ons/packages/fixture.ts'

const biz = '/builder-theme-biz/v1'
const plus = '/builder-theme-plus/v1'
const openSite = (options: Parameters<typeof open>[0] = {}) => open({ profile: d2, ...options })
const absent = { initially: 'absent' } as const

const routes = [
  ['GET', `${plus}/onboarding-settings`, {}],
  ['GET', `${plus}/whats-new`, {}],
  ['GET', `${biz}/promotions`, {}],
  ['GET', `${biz}/admin-settings`, {}],
  ['GET', `${biz}/whats-new`, {}],
  ['GET', `${biz}/theme-settings`, {}],
  ['POST', `${biz}/theme-settings`, { settings: { skip_link: true } }],
  ['PUT', `${biz}/theme-settings`, { settings: {} }],
  ['PATCH', `${biz}/theme-settings`, { settings: {} }],
  ['POST', `${biz}/install-confirmation/dismiss`, {}],
] as const

test.each([
  [null, 401],
  ['sam', 403],
  ['connie', 403],
  ['arthur', 403],
  ['edith', 403],
  ['ada', 200],
])('responds to %s on the routes of both themes with %d', async (login, status) => {
  const { as } = await openSite()
  for (const [method, path, body] of routes) {
    const response = await as(login)(method, path, method === 'GET' ? {} : { body })
    expect([path, response.status]).toEqual([path, status])
    if (status > 200) expect(response.body.code).toBe('rest_forbidden')
  }
})

// ---------------------------------------------------------------- news and promotions

const news = (id: string, more: object = {}) => ({ id, title: id, ...more })
const promotion = (type: string) => ({
  type,
  image: 'https://x.test/i.png',
  url: 'https://x.test',
  alt: '',
  title: type,
  messages: ['One'],
  button: 'Go',
})

test('both themes list the matching news, each once', async () => {
  const feeds = createFeeds({
    news: () => [news('a'), news('a'), news('b', { conditions: [[{ type: 'multisite', multisite: true }]] })],
  })
  const { ada } = await openSite({ services: { feeds } })
  for (const namespace of [plus, biz]) {
    expect((await ada('GET', `${namespace}/whats-new`)).body).toEqual([news('a')])
  }
})

test('failing feeds give empty lists', async () => {
  const fail = () => {
    throw new Error('out of reach')
  }
  const feeds = createFeeds({ news: fail, promotions: fail, kits: fail })
  const { ada } = await openSite({ services: { feeds }, failures: 4 })
  expect((await ada('GET', `${plus}/whats-new`)).body).toEqual([])
  expect((await ada('GET', `${biz}/whats-new`)).body).toEqual([])
  expect((await ada('GET', `${biz}/promotions`)).body).toEqual({ links: [] })
  expect((await ada('GET', `${plus}/onboarding-settings`)).body.settings).toMatchObject({
    kits: [],
    wizardCompleted: false,
  })
})

test('drops a promotion once its plugin is active, not when it is installed', async () => {
  const promotions = () => ['go-image-optimizer', 'go-send', 'go-ai', 'go-pro'].map(promotion)
  const { ada } = await openSite({ services: { feeds: createFeeds({ promotions }) } })
  const types = async () => (await ada('GET', `${biz}/promotions`)).body.links.map(({ type }: { type: string }) => type)
  expect(await types()).toEqual(['go-image-optimizer', 'go-send', 'go-ai', 'go-pro'])
  await ada('POST', '/builder-one/v1/plugins/site-mailer/activate')
  expect(await types()).toEqual(['go-image-optimizer', 'go-ai', 'go-pro'])
  await ada('POST', '/builder-one/v1/plugins', { body: { slug: 'builder-pro', status: 'active' } })
  expect(await types()).toEqual(['go-image-optimizer', 'go-ai'])
})

// ---------------------------------------------------------------- the wizard

const kit = (id: string, updated: string) => ({ _id: id, title: id, updated_at: updated, manifest: { name: id } })

test('the wizard lists the starter websites of the active theme, newest first', async () => {
  const requests: unknown[] = []
  const kits = (options: object) => {
    requests.push(options)
    return [kit('old', '2024-01-01T00:00:00Z'), kit('new', '2024-05-01T00:00:00Z')]
  }
  const { ada, api } = await openSite({ services: { feeds: createFeeds({ kits }) } })
  const read = async () => (await ada('GET', `${plus}/onboarding-settings`)).body.settings
  const settings = await read()
  expect(settings).toEqual({
    nonce: expect.stringMatching(/^[0-9a-f]{10}$/),
    builderInstalled: true,
    builderActive: true,
    modalCloseRedirectUrl: expect.stringMatching(/^https:/),
    kits: [kit('new', '2024-05-01T00:00:00Z'), kit('old', '2024-01-01T00:00:00Z')],
    applyKitBaseUrl: expect.stringMatching(/^https:/),
    wizardCompleted: false,
    returnUrl: expect.stringMatching(/^https:/),
    getStartedText: {
      title: expect.any(String),
      description: expect.any(String),
      disclaimer: expect.any(String),
      termsUrl: expect.any(String),
      termsText: expect.any(String),
      buttonText: expect.any(String),
    },
    readyToGoText: {
      title: expect.any(String),
      description: expect.any(String),
      viewSite: expect.any(String),
      customizeSite: expect.any(String),
    },
    installKitText: { title: expect.any(String), description: expect.any(String) },
  })
  expect(requests).toEqual([{ theme: 'builder-theme' }])
  await api.site.options.write({ last_imported_kit: 'other' })
  expect((await read()).wizardCompleted).toBe(false)
  await api.site.options.write({ last_imported_kit: 'old' })
  expect((await read()).wizardCompleted).toBe(true)
})

test('requests the starter websites once an hour, and again after a failure', async () => {
  const clock = { now: 0 }
  let calls = 0
  const kits = () => {
    calls++
    if (calls === 1) throw new Error('out of reach')
    return [kit('one', '2024-01-01')]
  }
  const feeds = createFeeds({ kits }, { clock: () => clock.now })
  const { ada } = await openSite({ services: { feeds }, failures: 1 })
  const count = async () => (await ada('GET', `${plus}/onboarding-settings`)).body.settings.kits.length
  expect(await count()).toBe(0)
  expect(await count()).toBe(1)
  clock.now = 3_599_999
  expect(await count()).toBe(1)
  expect(calls).toBe(2)
  clock.now = 3_600_000
  expect(await count()).toBe(1)
  expect(calls).toBe(3)
})

// ---------------------------------------------------------------- the start page

const configOf = async ({ ada }: Awaited<ReturnType<typeof openSite>>) =>
  (await ada('GET', `${biz}/admin-settings`)).body.config

test('the start page depends on the state of the setup', async () => {
  const site = await openSite({ changes: { builder: absent } })
  const first = await configOf(site)
  expect(first.welcome).toMatchObject({ agreementText: expect.any(String), image: { src: expect.any(String) } })
  expect(first.siteParts.siteParts.map(({ id }: { id: string }) => id)).toEqual(['header', 'footer'])
  expect(Object.keys(first.quickLinks)).toEqual(['site_name', 'site_logo', 'site_favicon'])
  await site.ada('POST', '/builder-one/v1/plugins', { body: { slug: 'builder', status: 'active' } })
  const second = await configOf(site)
  expect(second.welcome.title).toBe(first.welcome.title)
  expect(second.welcome).not.toHaveProperty('agreementText')
  await site.api.site.options.write({ last_imported_kit: 'one' })
  const third = await configOf(site)
  expect(third.welcome.title).not.toBe(second.welcome.title)
  expect(third.welcome.buttons).toHaveLength(1)
  await site.ada('POST', '/builder/v1/settings/builder_onboarded', { body: { value: true } })
  expect((await configOf(site)).welcome).toMatchObject({
    image: { src: '', alt: '' },
    video: expect.stringMatching(/mp4$/),
    buttons: [
      { variant: 'contained', color: 'primary' },
      { variant: 'outlined', color: 'secondary' },
    ],
  })
})

test('the start page lists parts, pages, links and resources', async () => {
  const config = await configOf(await openSite())
  expect(config.siteParts.siteParts.map(({ id }: { id: string }) => id)).toEqual(['header', 'footer', 'theme-builder'])
  expect(config.siteParts.sitePages.map(({ title }: { title: string }) => title)).toEqual(['About', 'Journal', 'Front'])
  expect(config.siteParts.general[0]).toMatchObject({ title: expect.any(String), link: expect.any(String) })
  expect(Object.keys(config.quickLinks)).toHaveLength(5)
  expect(config.resourcesData).toMatchObject({ community: [], resources: [{ target: '_blank' }] })
  expect(config.config).toEqual({
    showText: true,
    nonceInstall: expect.stringMatching(/^[0-9a-f]{10}$/),
    createNewHeader: expect.stringMatching(/^https:/),
  })
})

test('lists at most five pages, published ones only', async () => {
  const more = Array.from({ length: 6 }, (_, index) => ({
    key: `more${index}`,
    slug: `more${index}`,
    title: `More ${index}`,
    content: '',
    author: 'admin',
    status: index === 5 ? 'draft' : 'publish',
    date: `2024-03-0${index + 1}T10:00:00`,
  }))
  const site = await openSite({ seed: { ...smallSite, pages: [...smallSite.pages, ...more] } })
  const { sitePages } = (await configOf(site)).siteParts
  const titles = sitePages.map(({ title }: { title: string }) => title)
  expect(titles).toEqual(['More 4', 'More 3', 'More 2', 'More 1', 'More 0'])
})

const builderPages = async ({ ada }: Awaited<ReturnType<typeof openSite>>): Promise<{ id: number }[]> =>
  (await ada('GET', '/builder/v1/site-navigation/recent-posts', { query: 'posts_per_page=100&post_type=page' })).body

test('parallel reads create one draft page for the page builder', async () => {
  const site = await openSite({ listen: ['post.created'] })
  await site.ada('HEAD', `${biz}/admin-settings`)
  expect(site.events).toHaveLength(0)
  await Promise.all([configOf(site), configOf(site), configOf(site)])
  await configOf(site)
  expect(await builderPages(site)).toHaveLength(1)
  expect(site.events).toMatchObject([['post.created', { post: { type: 'page', status: 'draft' } }]])
})

test('creates no page without the page builder or when the site has one', async () => {
  const without = await openSite({ changes: { builder: absent }, listen: ['post.created'] })
  await configOf(without)
  expect(without.events).toEqual([])
  const having = await openSite({ listen: ['post.created'] })
  await having.ada('POST', '/builder/v1/site-navigation/add-new-post', { body: { post_type: 'page' } })
  await configOf(having)
  expect(having.events).toHaveLength(1)
  // The start page of the other theme creates none.
  expect(await builderPages(having)).toHaveLength(1)
})

// ---------------------------------------------------------------- settings

const defaults = {
  skip_link: false,
  header_footer: false,
  page_title: true,
  builder_theme: false,
  description_meta_tag: false,
}

test('merges theme settings, unknown ones too, and responds with all of them', async () => {
  const { ada } = await openSite()
  expect((await ada('GET', `${biz}/theme-settings`)).body).toEqual({
    settings: defaults,
    builder_theme_plus_active: false,
  })
  const changed = { ...defaults, skip_link: true, color: { main: 'red' } }
  const input = { settings: { skip_link: true, color: { main: 'red' } } }
  expect((await ada('POST', `${biz}/theme-settings`, { body: input })).body).toEqual({
    settings: changed,
    _warnings: [
      { code: 'undrawn_setting', param: 'settings.color', message: expect.any(String) },
      { code: 'theme_not_active', param: 'settings', message: expect.any(String) },
    ],
  })
  await ada('PATCH', `${biz}/theme-settings`, { body: { settings: { page_title: false } } })
  expect((await ada('GET', `${biz}/theme-settings`)).body.settings).toEqual({ ...changed, page_title: false })
})

test.each([[{}], [{ settings: 'x' }], [{ settings: 7 }], [{ settings: null }], [{ settings: true }]])(
  'refuses settings that are missing or not an object: %j',
  async (body) => {
    const { ada } = await openSite()
    const response = await ada('POST', `${biz}/theme-settings`, { body })
    expect([response.status, response.body.code]).toEqual([400, 'invalid_settings'])
  },
)

test('refuses too many or too large settings', async () => {
  const { ada } = await openSite()
  const many = Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`k${index}`, true]))
  for (const settings of [many, { text: 'x'.repeat(20_000) }]) {
    expect((await ada('POST', `${biz}/theme-settings`, { body: { settings } })).body.code).toBe('invalid_settings')
  }
})

test('uses the names of deployed clients', async () => {
  const { ada } = await openSite({ names: wordpress })
  const { body } = await ada('GET', '/elementor-hello-biz/v1/theme-settings')
  expect(Object.keys(body)).toEqual(['settings', 'hello_plus_active'])
  expect(body.settings).toHaveProperty('hello_theme')
  const wizard = await ada('GET', '/elementor-hello-plus/v1/onboarding-settings')
  expect(wizard.body.settings).toMatchObject({ elementorInstalled: true, elementorActive: true })
})

// ---------------------------------------------------------------- the confirmation

test('each user can dismiss the message, also twice', async () => {
  const { ada, api } = await openSite()
  const dismiss = `${biz}/install-confirmation/dismiss`
  for (let n = 0; n < 2; n++) {
    expect(await ada('POST', dismiss)).toMatchObject({
      status: 200,
      body: { success: true, message: expect.any(String) },
    })
  }
  await expect(api.call('POST', dismiss, {}, { as: 'system' })).rejects.toMatchObject({ code: 'no_user', status: 401 })
})
