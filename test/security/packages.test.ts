/** Plugins and themes: accepted names, required capabilities, and that only hooks of declared packages run. */
import { expect, test } from 'vitest'
import { d1 } from '../../src/profiles/d1.ts'
import { d2 } from '../../src/profiles/d2.ts'
import { openSite } from '../features/add-ons/packages/fixture.ts'
import { createTestSite, type Received } from '../support/site.ts'
import { smallSite } from '../support/small-site.ts'
import { routesOf } from './declared-routes.ts'

const one = '/builder-one/v1'
const steps = '/builder/v1/onboarding'
const refusalOf = ({ status, body }: Received) => [status, body?.code]

test.each([
  '../x',
  '..',
  'builder/../../x',
  'https://evil.example/plugin.zip',
  'name@evil',
  'builder ',
  'Builder',
  '',
  '*',
  '__proto__',
  'constructor',
  'toString',
  'other-plugin',
  'builder\0',
  7,
  true,
  null,
  ['builder'],
  { slug: 'builder' },
])('does not install a plugin by the name %j', async (slug) => {
  const { ada, hooks } = await openSite()
  expect((await ada('POST', `${one}/plugins`, { body: { slug } })).status).toBe(400)
  expect(hooks).toEqual([])
})

test.each([
  ['../x', 400],
  ['https://evil.example/theme.zip', 400],
  ['name@evil', 400],
  ['a.b', 400],
  ['', 400],
  ['théme', 400],
  ['builder-theme\n', 400],
  ['builder-theme\0', 400],
  [['builder-theme'], 400],
  ['__proto__', 404],
  ['constructor', 404],
  ['builder', 404],
  ['of-the-right-shape', 404],
  ['x'.repeat(100_000), 404],
])('does not install a theme by the name %.40j: %i', async (slug, status) => {
  const { ada, hooks } = await openSite()
  expect((await ada('POST', `${one}/themes`, { body: { slug } })).status).toBe(status)
  if (typeof slug === 'string' && slug !== 'builder-theme\0') {
    const response = await ada('POST', `${steps}/install-theme`, { body: { theme_slug: slug } })
    expect(refusalOf(response)).toEqual([400, 'invalid_theme'])
  }
  expect(hooks).toEqual([])
})

test.each(['%2e%2e%2fx', 'name@evil', 'a.b', 'builder%00', 'x/y'])(
  'rejects the package name %s in a path with 400 or 404',
  async (slug) => {
    const { ada, hooks } = await openSite()
    for (const path of [`plugins/${slug}/activate`, `plugins/${slug}/upgrade`, `themes/${slug}/activate`]) {
      expect([400, 404]).toContain((await ada('POST', `${one}/${path}`)).status)
    }
    expect(hooks).toEqual([])
  },
)

const writes: readonly (readonly [path: string, body: object])[] = [
  [`${one}/plugins`, { slug: 'builder-pro' }],
  [`${one}/plugins`, { slug: 'builder-pro', status: 'active' }],
  [`${one}/plugins/site-mailer/activate`, {}],
  [`${one}/plugins/builder/deactivate`, {}],
  [`${one}/plugins/builder/upgrade`, {}],
  [`${one}/plugins/builder/upgrade`, { status: 'active' }],
  [`${one}/plugins/builder/migration/run`, {}],
  [`${one}/plugins/builder/migration/rollback`, {}],
  [`${one}/themes`, { slug: 'builder-theme-biz' }],
  [`${one}/themes`, { slug: 'builder-theme-biz', status: 'active' }],
  [`${one}/themes/builder-theme-biz/activate`, {}],
  [`${steps}/install-pro`, {}],
  [`${steps}/install-theme`, { theme_slug: 'builder-theme-biz' }],
]

test.each([null, 'sam', 'connie', 'arthur', 'edith'])('does not let %s change a package', async (login) => {
  const { as, hooks } = await openSite({ changes: { 'builder-theme-biz': { initially: 'inactive' } } })
  for (const [path, body] of writes) {
    const { status } = await as(login)('POST', path, { body })
    // Interface: theme routes respond with 403 to visitors too.
    expect([path, status]).toEqual([path, login === null && !path.startsWith(`${one}/themes`) ? 401 : 403])
  }
  expect((await as(login)('GET', `${one}/plugins`)).status).toBe(login === null ? 401 : 403)
  expect(hooks).toEqual([])
})

test('a revoked password changes no package', async () => {
  const { api, ids, visitor, hooks } = await openSite()
  const { password, id } = await api.site.passwords.create(ids['user.admin'] ?? 0, 'gone')
  await api.site.passwords.revoke(id)
  const authorization = `Basic ${btoa(`ada:${password}`)}`
  for (const [path, body] of writes) {
    expect((await visitor('POST', path, { body, headers: { authorization } })).status).toBe(401)
  }
  expect(hooks).toEqual([])
})

/** An administrator without one capability. */
const without = (capability: string) => ({
  ...smallSite,
  users: smallSite.users.map((user) =>
    user.key === 'admin' ? { ...user, capabilities: { [capability]: false } } : user,
  ),
})

test.each([
  ['install_plugins', 'POST', `${one}/plugins`, { slug: 'builder-pro' }, 'rest_cannot_install_plugin'],
  ['install_plugins', 'POST', `${steps}/install-pro`, {}, 'insufficient_permissions'],
  ['activate_plugins', 'GET', `${one}/plugins`, undefined, 'rest_cannot_view_plugins'],
  [
    ...(['activate_plugins', 'POST', `${one}/plugins`] as const),
    { slug: 'builder-pro', status: 'active' },
    'rest_cannot_activate_plugin',
  ],
  ['activate_plugins', 'POST', `${one}/plugins/site-mailer/activate`, {}, 'rest_cannot_activate_plugin'],
  ['activate_plugins', 'POST', `${one}/plugins/builder/deactivate`, {}, 'rest_cannot_activate_plugin'],
  ['activate_plugins', 'POST', `${one}/plugins/builder/upgrade`, {}, 'rest_cannot_manage_plugins'],
  ['manage_options', 'POST', `${one}/plugins/site-mailer/activate`, {}, 'forbidden'],
  ['manage_options', 'POST', `${one}/plugins/builder/upgrade`, { status: 'active' }, 'forbidden'],
  ['manage_options', 'POST', `${one}/plugins/builder/migration/run`, {}, 'forbidden'],
  ['install_themes', 'POST', `${one}/themes`, { slug: 'builder-theme-biz' }, 'forbidden'],
  ['switch_themes', 'POST', `${one}/themes`, { slug: 'builder-theme-biz', status: 'active' }, 'forbidden'],
  ['switch_themes', 'POST', `${one}/themes/builder-theme/activate`, {}, 'forbidden'],
  [
    ...(['install_themes', 'POST', `${steps}/install-theme`] as const),
    { theme_slug: 'builder-theme-biz' },
    'insufficient_permissions',
  ],
  [
    ...(['switch_themes', 'POST', `${steps}/install-theme`] as const),
    { theme_slug: 'builder-theme-biz' },
    'insufficient_permissions',
  ],
])('without %s, %s %s is rejected', async (capability, method, path, body, code) => {
  const { ada, hooks } = await openSite({ seed: without(capability) })
  expect(refusalOf(await ada(method, path, { body }))).toEqual([403, code])
  expect(hooks).toEqual([])
})

test.each([
  ['d1', d1],
  ['d2', d2],
] as const)('no GET route of %s runs a package hook', async (_, profile) => {
  const { ada, hooks } = await openSite({ profile })
  const reads = routesOf(profile).filter(({ method, readable }) => {
    return method === 'GET' && /plugin|theme|install|onboarding|promotions|settings/.test(readable)
  })
  expect(reads.length).toBeGreaterThan(2)
  for (const { readable } of reads) {
    const path = readable.replace(/\{\w+\}/g, 'builder')
    for (const query of ['', 'plugin_slug=builder-pro&theme_slug=builder-theme-biz&slug=builder-pro&status=active']) {
      expect((await ada('GET', path, { query })).status).toBeLessThan(500)
      await ada('HEAD', path, { query })
    }
  }
  expect(hooks).toEqual([])
})

test('GET on an installation route reports the package and installs nothing', async () => {
  const { ada, hooks } = await openSite()
  const state = async (path: string) => (await ada('GET', `${steps}/${path}`)).body
  expect(await state('install-pro')).toEqual({ data: { installed: false, active: false } })
  expect(await state('install-theme')).toEqual({ data: { installed: true, active: true } })
  await ada('POST', `${one}/plugins`, { body: { slug: 'builder-pro' } })
  expect(await state('install-pro')).toEqual({ data: { installed: true, active: false } })
  expect(hooks).toEqual(['install builder-pro'])
})

test('every route rejects an undeclared package, and sends no request outside', async () => {
  const site = await createTestSite()
  const ada = site.as('ada')
  const responses: [string, unknown][] = []
  for (const slug of ['builder', 'manage', 'builder-pro']) {
    for (const action of ['activate', 'deactivate', 'upgrade', 'migration/run', 'migration/rollback']) {
      const response = await ada('POST', `${one}/plugins/${slug}/${action}`)
      expect([slug, action, ...refusalOf(response)]).toEqual([slug, action, 404, 'not_found'])
    }
    responses.push([slug, refusalOf(await ada('POST', `${one}/plugins`, { body: { slug } }))])
  }
  expect(responses.map(([, refusal]) => refusal)).toEqual(new Array(3).fill([400, 'bad_request']))
  for (const slug of ['builder-theme', 'anything']) {
    expect(refusalOf(await ada('POST', `${one}/themes`, { body: { slug } }))).toEqual([404, 'not_found'])
    expect(refusalOf(await ada('POST', `${one}/themes/${slug}/activate`))).toEqual([404, 'not_found'])
  }
  const theme = await ada('POST', `${steps}/install-theme`, { body: { theme_slug: 'builder-theme' } })
  expect(refusalOf(theme)).toEqual([404, 'theme_install_failed'])
  expect(refusalOf(await ada('POST', `${steps}/install-pro`))).toEqual([409, 'connect_unavailable'])
  expect((await ada('GET', `${one}/plugins`)).body).toEqual([])
  expect(site.failures).toEqual([])
  await site.dispose()
})
