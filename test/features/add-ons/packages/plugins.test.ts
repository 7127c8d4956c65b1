import { expect, onTestFinished, test, vi } from 'vitest'
import { ApiError } from '../../../../src/core/declare/errors.ts'
import type { PackageHook } from '../../../../src/services/packages/declaration.ts'
import { createPackages } from '../../../../src/services/packages/index.ts'
import { base, openSite, refusalOf } from './fixture.ts'

const plugins = `${base}/plugins`

test('lists installed plugins in a fixed order, and filters them by words and state', async () => {
  const { ada } = await openSite()
  const { status, body } = await ada('GET', plugins)
  expect(status).toBe(200)
  expect(body).toEqual([
    {
      slug: 'builder',
      status: 'active',
      version: '3.30.0',
      newVersion: null,
      isMigrated: false,
      isConnected: false,
      hasCmsOnePackage: true,
    },
    {
      slug: 'site-mailer',
      status: 'inactive',
      version: '1.4.2',
      newVersion: null,
      isMigrated: false,
      isConnected: false,
      hasCmsOnePackage: true,
    },
  ])
  const slugsOf = async (query: string) =>
    (await ada('GET', plugins, { query })).body.map(({ slug }: { slug: string }) => slug)
  expect(await slugsOf('status=active')).toEqual(['builder'])
  expect(await slugsOf('status=inactive')).toEqual(['site-mailer'])
  expect(await slugsOf('status=active&status[]=inactive')).toEqual(['site-mailer'])
  expect(await slugsOf('status=active,inactive')).toEqual(['builder', 'site-mailer'])
  expect(await slugsOf('search=MAIL')).toEqual(['site-mailer'])
  expect(await slugsOf('search=mail&status=active')).toEqual([])
  expect(await slugsOf('search=nothing')).toEqual([])
  expect(await slugsOf('search=')).toEqual(['builder', 'site-mailer'])
})

test('the list is empty when the host declares no packages', async () => {
  const { createTestSite } = await import('../../../support/site.ts')
  const site = await createTestSite()
  expect((await site.as('ada')('GET', plugins)).body).toEqual([])
  await site.dispose()
})

test('installs, activates and deactivates, and repeating runs no hook', async () => {
  const listen = ['package.installed', 'package.activated', 'package.deactivated'] as const
  const { ada, hooks, events, ids } = await openSite({ listen })
  const installed = await ada('POST', plugins, { body: { slug: 'builder-pro' } })
  expect([installed.status, installed.body.slug, installed.body.status]).toEqual([200, 'builder-pro', 'inactive'])
  for (const status of ['active', 'active', 'inactive', 'inactive']) {
    const action = status === 'active' ? 'activate' : 'deactivate'
    const { status: code, body } = await ada('POST', `${plugins}/builder-pro/${action}`)
    expect([code, body.status]).toEqual([200, status])
  }
  expect(hooks).toEqual(['install builder-pro', 'activate builder-pro', 'deactivate builder-pro'])
  const payload = { kind: 'plugin', slug: 'builder-pro', version: '1.0', by: ids['user.admin'] }
  expect(events).toEqual(listen.map((name) => [name, payload]))
})

test('installs and activates in one request', async () => {
  const { ada, hooks } = await openSite()
  const { body } = await ada('POST', plugins, { body: { slug: 'image-optimization', status: 'active' } })
  expect(body.status).toBe('active')
  expect(hooks).toEqual(['install image-optimization', 'activate image-optimization'])
})

test('refuses to install an installed, undeclared or unknown plugin with 400', async () => {
  const { ada, hooks } = await openSite()
  expect(refusalOf(await ada('POST', plugins, { body: { slug: 'builder' } }))).toEqual([400, 'bad_request'])
  expect(refusalOf(await ada('POST', plugins, { body: { slug: 'manage' } }))).toEqual([400, 'bad_request'])
  expect(refusalOf(await ada('POST', plugins, { body: { slug: 'gallery' } }))).toEqual([400, 'rest_invalid_param'])
  expect(hooks).toEqual([])
})

test.each(['activate', 'deactivate', 'upgrade', 'migration/run', 'migration/rollback'])(
  '%s of a plugin that is not installed is 404',
  async (action) => {
    const { ada, hooks } = await openSite()
    for (const slug of ['builder-pro', 'manage']) {
      expect(refusalOf(await ada('POST', `${plugins}/${slug}/${action}`))).toEqual([404, 'not_found'])
    }
    expect(hooks).toEqual([])
  },
)

test('upgrades to the version that the host declares', async () => {
  const { ada, hooks, declare, events } = await openSite({ listen: ['package.upgraded'] })
  await ada('POST', `${plugins}`, { body: { slug: 'builder-pro' } })
  const upgrade = (body?: object) => ada('POST', `${plugins}/builder-pro/upgrade`, { body })
  expect(refusalOf(await upgrade())).toEqual([400, 'bad_request'])
  declare({ 'builder-pro': { version: '1.10' } })
  const listed = (await ada('GET', plugins)).body.find(({ slug }: { slug: string }) => slug === 'builder-pro')
  expect([listed.version, listed.newVersion]).toEqual(['1.0', '1.10'])
  const { status, body } = await upgrade()
  expect([status, body.version, body.newVersion, body.status]).toEqual([200, '1.10', null, 'inactive'])
  declare({ 'builder-pro': { version: '2.0' } })
  expect((await upgrade({ status: 'active' })).body).toMatchObject({ version: '2.0', status: 'active' })
  expect(hooks).toEqual(['install builder-pro', 'upgrade builder-pro', 'upgrade builder-pro', 'activate builder-pro'])
  expect(events).toHaveLength(2)
})

test('refuses to upgrade to an older version', async () => {
  const { ada, declare } = await openSite()
  await ada('POST', plugins, { body: { slug: 'builder-pro' } })
  declare({ 'builder-pro': { version: '0.9' } })
  expect(refusalOf(await ada('POST', `${plugins}/builder-pro/upgrade`))).toEqual([400, 'bad_request'])
})

test('a plugin that the host no longer declares is 404, and has its state when declared again', async () => {
  const { ada, declare } = await openSite()
  await ada('POST', plugins, { body: { slug: 'builder-pro', status: 'active' } })
  declare({ 'builder-pro': { slug: 'builder-pro', kind: 'theme' } })
  expect(refusalOf(await ada('POST', `${plugins}/builder-pro/deactivate`))).toEqual([404, 'not_found'])
  declare()
  const { body } = await ada('GET', plugins)
  expect(body.map(({ slug, status }: { slug: string; status: string }) => [slug, status])).toContainEqual([
    'builder-pro',
    'active',
  ])
})

// ---------------------------------------------------------------- failing hooks

const failing = () => {
  throw new Error('the disk of db.internal is full')
}

test.each([
  ['install', 400, 'bad_request'],
  ['upgrade', 400, 'bad_request'],
  ['activate', 502, 'internal_server_error'],
  ['deactivate', 502, 'internal_server_error'],
] as const)('a failing %s hook changes nothing and its message is not in the response', async (hook, status, code) => {
  const { ada, declare, hooks, failures, events } = await openSite({ failures: 1, listen: ['package.installed'] })
  const changes = { 'builder-pro': { [hook]: failing, version: '2.0' } }
  if (hook !== 'install') await ada('POST', plugins, { body: { slug: 'builder-pro' } })
  if (hook === 'deactivate') await ada('POST', `${plugins}/builder-pro/activate`)
  const before = (await ada('GET', plugins)).body
  const [hooksBefore, eventsBefore] = [[...hooks], events.length]
  declare(changes)
  const path = hook === 'install' ? plugins : `${plugins}/builder-pro/${hook}`
  const response = await ada('POST', path, { body: { slug: 'builder-pro' } })
  expect(refusalOf(response)).toEqual([status, code])
  expect(response.body.data.id).toBe((failures[0] as { id: string }).id)
  expect(JSON.stringify(response.body)).not.toContain('db.internal')
  declare()
  expect((await ada('GET', plugins)).body).toEqual(before)
  expect([hooks, events.length]).toEqual([hooksBefore, eventsBefore])
})

test('a plugin whose activation fails stays installed, and the event is emitted', async () => {
  const changes = { 'builder-pro': { activate: failing } }
  const { ada, events } = await openSite({ changes, failures: 1, listen: ['package.installed', 'package.activated'] })
  const response = await ada('POST', plugins, { body: { slug: 'builder-pro', status: 'active' } })
  expect(refusalOf(response)).toEqual([502, 'internal_server_error'])
  expect((await ada('GET', plugins)).body[1]).toMatchObject({ slug: 'builder-pro', status: 'inactive' })
  expect(events.map((event) => (event as [string])[0])).toEqual(['package.installed'])
})

test('a hook may throw its own ApiError', async () => {
  const install = () => {
    throw new ApiError('license_expired', 'The license has expired.', 402)
  }
  const { ada } = await openSite({ changes: { 'builder-pro': { install } } })
  const response = await ada('POST', plugins, { body: { slug: 'builder-pro' } })
  expect(refusalOf(response)).toEqual([402, 'license_expired'])
  expect(await ada('POST', `${plugins}/builder-pro/activate`)).toMatchObject({ status: 404 })
})

// ---------------------------------------------------------------- parallel requests

test('of parallel installations one succeeds, and the hook runs once', async () => {
  let finish: () => void = () => undefined
  const finished = new Promise<void>((resolve) => {
    finish = resolve
  })
  let runs = 0
  const install = async () => {
    runs++
    await finished
  }
  const { ada } = await openSite({ changes: { 'builder-pro': { install } } })
  const requests = Array.from({ length: 8 }, () => ada('POST', plugins, { body: { slug: 'builder-pro' } }))
  // The hook ends only after the other seven have responded.
  let responded = 0
  await new Promise<void>((resolve) => {
    for (const request of requests) void request.then(() => ++responded === 7 && resolve())
  })
  finish()
  const statuses = (await Promise.all(requests)).map(({ status }) => status).sort()
  expect([statuses, runs]).toEqual([[200, ...new Array(7).fill(409)], 1])
})

test('a change that never ends blocks others for a limited time', async () => {
  const begun = Promise.withResolvers<void>()
  const never = () => {
    begun.resolve()
    return new Promise<never>(() => undefined)
  }
  const { ada, declare, clock } = await openSite({ changes: { 'builder-pro': { install: never } } })
  void ada('POST', plugins, { body: { slug: 'builder-pro' } })
  await begun.promise
  await expect.poll(async () => (await ada('POST', plugins, { body: { slug: 'builder-pro' } })).status).toBe(409)
  declare()
  clock.now += 5 * 60 * 1000
  expect((await ada('POST', plugins, { body: { slug: 'builder-pro' } })).status).toBe(200)
})

test('a hook has half a minute unless the host says otherwise', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const begun = Promise.withResolvers<AbortSignal>()
  const packages = createPackages([
    {
      ...{ kind: 'plugin', slug: 'assistant', name: 'Assistant', version: '1.0' },
      install: (_, { signal }) => {
        begun.resolve(signal)
        return new Promise<never>(() => undefined)
      },
    },
  ])
  const { ada } = await openSite({ services: { packages }, failures: 1 })
  const answer = ada('POST', plugins, { body: { slug: 'assistant' } })
  const signal = await begun.promise
  vi.advanceTimersByTime(29_999)
  expect(signal.aborted).toBe(false)
  vi.advanceTimersByTime(1)
  expect(refusalOf(await answer)).toEqual([400, 'bad_request'])
  expect(signal.aborted).toBe(true)
})

test('a hook that takes too long fails its change, and keeps the package busy until its claim expires', async () => {
  let signal: AbortSignal | undefined
  const never: PackageHook = (_, options) => {
    signal = options.signal
    return new Promise<never>(() => undefined)
  }
  const { ada, declare, clock } = await openSite({
    changes: { 'builder-pro': { install: never } },
    hookTimeoutMs: 5,
    failures: 1,
  })
  const install = () => ada('POST', plugins, { body: { slug: 'builder-pro' } })
  expect(refusalOf(await install())).toEqual([400, 'bad_request'])
  expect(signal?.aborted).toBe(true)
  declare()
  expect((await install()).status).toBe(409)
  clock.now += 5 * 60 * 1000
  expect((await install()).status).toBe(200)
})
