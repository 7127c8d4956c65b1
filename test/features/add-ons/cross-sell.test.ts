import { expect, test } from 'vitest'
import { ApiError } from '../../../src/core/declare/errors.ts'
import { wordpress } from '../../../src/names/wordpress.ts'
import { d2 } from '../../../src/profiles/d2.ts'
import { createPackages } from '../../../src/services/packages/index.ts'
import { createTestSite } from '../../support/site.ts'
import { smallSite } from '../../support/small-site.ts'
import { openSite as open } from './packages/fixture.ts'

const base = '/crosssell/v1/plugincrosssell'
const installing = `${base}/install_plugin`
const activating = `${base}/activate_plugin`
const openSite = (options: Parameters<typeof open>[0] = {}) => open({ profile: d2, ...options })
const requestOf = (slug: string, current?: string) => ({
  body: { plugin_slug: slug, ...(current === undefined ? {} : { current_slug: current }) },
})

test('installs a plugin and activates it', async () => {
  const { ada, hooks, events } = await openSite({ listen: ['package.installed', 'package.activated'] })
  const installed = await ada('POST', installing, requestOf('image-optimization', 'site-mailer'))
  expect(installed).toMatchObject({
    status: 200,
    body: { success: true, message: expect.any(String), data: { message: expect.any(String), success: true } },
  })
  const activated = await ada('PUT', activating, requestOf('image-optimization'))
  expect(activated).toMatchObject({ status: 200, body: { success: true, data: { message: '' } } })
  expect(hooks).toEqual(['install image-optimization', 'activate image-optimization'])
  expect(events).toHaveLength(2)
})

test('repeating succeeds and runs no hook', async () => {
  const { ada, hooks } = await openSite()
  expect(await ada('PATCH', installing, requestOf('builder'))).toMatchObject({ status: 200, body: { success: true } })
  expect(await ada('PATCH', activating, requestOf('builder'))).toMatchObject({ status: 200, body: { success: true } })
  expect(hooks).toEqual([])
})

test.each([
  ['install', 'itself', installing, requestOf('builder-pro', 'builder-pro')],
  ['install', 'an unknown slug', installing, requestOf('other')],
  ['install', 'a path', installing, requestOf('../builder')],
  ['install', 'an undeclared plugin', installing, requestOf('accessibility')],
  ['activate', 'a plugin that is not installed', activating, requestOf('builder-pro')],
  ['activate', 'an unknown slug', activating, requestOf('other')],
  ['activate', 'a theme', activating, requestOf('builder-theme')],
])('refuses to %s %s with 400 in the envelope', async (_, __, path, request) => {
  const { ada, hooks } = await openSite()
  const { status, body } = await ada('POST', path, request)
  expect(status).toBe(400)
  expect(body).toMatchObject({ success: false, message: expect.any(String), data: { message: expect.any(String) } })
  expect(body).not.toHaveProperty('code')
  expect(hooks).toEqual([])
})

test('a failing hook is 400 and changes nothing', async () => {
  const broken = () => {
    throw new Error('secret of the host')
  }
  const { ada } = await openSite({
    changes: { 'builder-pro': { install: broken }, 'site-mailer': { activate: broken } },
    failures: 2,
  })
  for (const [path, slug] of [
    [installing, 'builder-pro'],
    [activating, 'site-mailer'],
  ] as const) {
    const { status, body } = await ada('POST', path, requestOf(slug))
    expect([status, body.success]).toEqual([400, false])
    expect(JSON.stringify(body)).not.toContain('secret')
  }
  expect((await ada('POST', activating, requestOf('builder-pro'))).status).toBe(400)
})

test('an ApiError of a hook has its message in the response', async () => {
  const install = () => {
    throw new ApiError('no_seats', 'There are no seats left.', 402)
  }
  const { ada } = await openSite({ changes: { 'builder-pro': { install } } })
  expect(await ada('POST', installing, requestOf('builder-pro'))).toMatchObject({
    status: 400,
    body: { success: false, message: 'There are no seats left.', data: { success: false } },
  })
})

test('checks the slug before the permission', async () => {
  const { visitor, ada } = await openSite()
  for (const path of [installing, activating]) {
    expect(await visitor('POST', path)).toMatchObject({ status: 400, body: { code: 'rest_missing_callback_param' } })
    expect((await ada('POST', path, { body: { plugin_slug: ['builder'] } })).body.code).toBe('rest_invalid_param')
  }
})

test.each([null, 'sam', 'connie', 'arthur', 'edith'])('refuses %s', async (login) => {
  const { as, hooks } = await openSite()
  for (const method of ['POST', 'PUT', 'PATCH']) {
    for (const path of [installing, activating]) {
      const response = await as(login)(method, path, requestOf('site-mailer'))
      expect([response.status, response.body.code]).toEqual([login === null ? 401 : 403, 'rest_forbidden'])
    }
  }
  expect(hooks).toEqual([])
})

test.each([
  ['install_plugins', installing, activating],
  ['activate_plugins', activating, installing],
])('without %s one route is refused and the other is not', async (capability, refused, allowed) => {
  const users = smallSite.users.map((user) =>
    user.key === 'admin' ? { ...user, capabilities: { [capability]: false } } : user,
  )
  const { ada } = await openSite({ seed: { ...smallSite, users } })
  expect((await ada('POST', refused, requestOf('builder'))).status).toBe(403)
  expect((await ada('POST', allowed, requestOf('builder'))).status).toBe(200)
})

test('a GET installs nothing', async () => {
  const { ada, hooks } = await openSite()
  for (const path of [installing, activating]) {
    expect((await ada('GET', path, { query: { plugin_slug: 'builder-pro' } })).status).toBe(404)
  }
  expect(hooks).toEqual([])
})

test('accepts the names of deployed clients', async () => {
  const catalogue = [{ kind: 'plugin', slug: 'accessibility', name: 'A', version: '1' }] as const
  const site = await createTestSite({
    profile: d2,
    names: wordpress,
    services: { packages: createPackages(catalogue) },
  })
  const path = '/wpmudev_pcs/v1/plugincrosssell/install_plugin'
  expect((await site.as('ada')('POST', path, requestOf('pojo-accessibility'))).status).toBe(200)
  await site.dispose()
})
