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
const asked = (slug: string, current?: string) => ({
  body: { plugin_slug: slug, ...(current === undefined ? {} : { current_slug: current }) },
})

test('installs a plugin, and switches it on', async () => {
  const { ada, hooks, events } = await openSite({ listen: ['package.installed', 'package.activated'] })
  const installed = await ada('POST', installing, asked('image-optimization', 'site-mailer'))
  expect(installed).toMatchObject({
    status: 200,
    body: { success: true, message: expect.any(String), data: { message: expect.any(String), success: true } },
  })
  const activated = await ada('PUT', activating, asked('image-optimization'))
  expect(activated).toMatchObject({ status: 200, body: { success: true, data: { message: '' } } })
  expect(hooks).toEqual(['install image-optimization', 'activate image-optimization'])
  expect(events).toHaveLength(2)
})

test('doing again what is done succeeds, and runs nothing', async () => {
  const { ada, hooks } = await openSite()
  expect(await ada('PATCH', installing, asked('builder'))).toMatchObject({ status: 200, body: { success: true } })
  expect(await ada('PATCH', activating, asked('builder'))).toMatchObject({ status: 200, body: { success: true } })
  expect(hooks).toEqual([])
})

test.each([
  ['install', 'itself', installing, asked('builder-pro', 'builder-pro')],
  ['install', 'a name that nobody knows', installing, asked('other')],
  ['install', 'a path', installing, asked('../builder')],
  ['install', 'what the host does not declare', installing, asked('accessibility')],
  ['activate', 'what is not installed', activating, asked('builder-pro')],
  ['activate', 'a name that nobody knows', activating, asked('other')],
  ['activate', 'a theme', activating, asked('builder-theme')],
])('does not %s %s: 400 in the envelope', async (_, __, path, sent) => {
  const { ada, hooks } = await openSite()
  const { status, body } = await ada('POST', path, sent)
  expect(status).toBe(400)
  expect(body).toMatchObject({ success: false, message: expect.any(String), data: { message: expect.any(String) } })
  expect(body).not.toHaveProperty('code')
  expect(hooks).toEqual([])
})

test('a hook that fails is 400, and changes nothing', async () => {
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
    const { status, body } = await ada('POST', path, asked(slug))
    expect([status, body.success]).toEqual([400, false])
    expect(JSON.stringify(body)).not.toContain('secret')
  }
  expect((await ada('POST', activating, asked('builder-pro'))).status).toBe(400)
})

test('a refusal of the host keeps its words', async () => {
  const install = () => {
    throw new ApiError('no_seats', 'There are no seats left.', 402)
  }
  const { ada } = await openSite({ changes: { 'builder-pro': { install } } })
  expect(await ada('POST', installing, asked('builder-pro'))).toMatchObject({
    status: 400,
    body: { success: false, message: 'There are no seats left.', data: { success: false } },
  })
})

test('the slug is asked for before anybody is refused', async () => {
  const { visitor, ada } = await openSite()
  for (const path of [installing, activating]) {
    expect(await visitor('POST', path)).toMatchObject({ status: 400, body: { code: 'rest_missing_callback_param' } })
    expect((await ada('POST', path, { body: { plugin_slug: ['builder'] } })).body.code).toBe('rest_invalid_param')
  }
})

test.each([null, 'sam', 'connie', 'arthur', 'edith'])('%s installs and activates nothing', async (login) => {
  const { as, hooks } = await openSite()
  for (const method of ['POST', 'PUT', 'PATCH']) {
    for (const path of [installing, activating]) {
      const answer = await as(login)(method, path, asked('site-mailer'))
      expect([answer.status, answer.body.code]).toEqual([login === null ? 401 : 403, 'rest_forbidden'])
    }
  }
  expect(hooks).toEqual([])
})

test.each([
  ['install_plugins', installing, activating],
  ['activate_plugins', activating, installing],
])('without %s the one is refused and the other is not', async (capability, refused, allowed) => {
  const users = smallSite.users.map((user) =>
    user.key === 'admin' ? { ...user, capabilities: { [capability]: false } } : user,
  )
  const { ada } = await openSite({ seed: { ...smallSite, users } })
  expect((await ada('POST', refused, asked('builder'))).status).toBe(403)
  expect((await ada('POST', allowed, asked('builder'))).status).toBe(200)
})

test('nothing is installed by a read', async () => {
  const { ada, hooks } = await openSite()
  for (const path of [installing, activating]) {
    expect((await ada('GET', path, { query: { plugin_slug: 'builder-pro' } })).status).toBe(404)
  }
  expect(hooks).toEqual([])
})

test('takes the words of deployed clients', async () => {
  const catalogue = [{ kind: 'plugin', slug: 'accessibility', name: 'A', version: '1' }] as const
  const site = await createTestSite({
    profile: d2,
    names: wordpress,
    services: { packages: createPackages(catalogue) },
  })
  const path = '/wpmudev_pcs/v1/plugincrosssell/install_plugin'
  expect((await site.as('ada')('POST', path, asked('pojo-accessibility'))).status).toBe(200)
  await site.dispose()
})
