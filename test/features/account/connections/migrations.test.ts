/** Migrates plugins to the account of the site, and rolls back. */
import { expect, test } from 'vitest'
import { base, openSite, refusalOf } from '../../add-ons/packages/fixture.ts'
import { connect, openConnected, withServer } from './fixture.ts'

const server = withServer()
const plugins = `${base}/plugins`

type Site = Awaited<ReturnType<typeof openConnected>>

const migrated = async ({ ada }: Pick<Site, 'ada'>) => {
  const { body } = await ada('GET', plugins)
  return Object.fromEntries(
    body.map(({ slug, isMigrated }: { slug: string; isMigrated: boolean }) => [slug, isMigrated]),
  )
}

test('checks in this order: installed, active, connected', async () => {
  const { ada } = await openSite()
  for (const action of ['run', 'rollback']) {
    const migrate = (slug: string) => ada('POST', `${plugins}/${slug}/migration/${action}`)
    expect(refusalOf(await migrate('assistant'))).toEqual([400, 'rest_invalid_param'])
    expect(refusalOf(await migrate('builder-pro'))).toEqual([404, 'not_found'])
    expect(refusalOf(await migrate('site-mailer'))).toEqual([400, 'bad_request'])
    expect(refusalOf(await migrate('builder'))).toEqual([403, 'rest_forbidden'])
  }
})

test('connecting the account migrates each active plugin, and disconnecting rolls all back', async () => {
  const site = await openConnected(server(), { changes: { 'image-optimization': { initially: 'active' } } })
  await site.connectAccount()
  expect(await migrated(site)).toEqual({ builder: true, 'image-optimization': true, 'site-mailer': false })
  await site.ada('POST', `${connect}/disconnect`)
  expect(await migrated(site)).toEqual({ builder: false, 'image-optimization': false, 'site-mailer': false })
  expect(site.hooks).toEqual([
    'migrate builder',
    'migrate image-optimization',
    'rollback builder',
    'rollback image-optimization',
  ])
})

test('migrates and rolls back one plugin, and repeating either changes nothing', async () => {
  const listen = ['package.migrated', 'package.rolled-back'] as const
  const { ada, connectAccount, hooks, events } = await openConnected(server(), { listen })
  await connectAccount()
  const run = (action: string) => ada('POST', `${plugins}/builder/migration/${action}`)
  for (const [action, isMigrated] of [
    ['run', true],
    ['rollback', false],
    ['rollback', false],
    ['run', true],
    ['run', true],
  ] as const) {
    expect(await run(action)).toMatchObject({ status: 200, body: { slug: 'builder', isMigrated } })
  }
  expect(hooks).toEqual(['migrate builder', 'rollback builder', 'migrate builder'])
  expect(events).toHaveLength(3)
})

test('activating a plugin migrates it', async () => {
  const site = await openConnected(server())
  await site.connectAccount()
  const { body } = await site.ada('POST', `${plugins}/site-mailer/activate`)
  expect(body).toMatchObject({ status: 'active', isMigrated: true })
})

test('refuses to migrate a plugin with its own connection unless forced', async () => {
  let isOn = true
  const ownConnection = {
    isConnected: () => isOn,
    end: () => {
      isOn = false
    },
  }
  const site = await openConnected(server(), { changes: { 'site-mailer': { ownConnection } } })
  await site.connectAccount()
  // Activation never ends the plugin's own connection.
  const activated = await site.ada('POST', `${plugins}/site-mailer/activate`)
  expect(activated.body).toMatchObject({ isConnected: true, isMigrated: false })
  const run = (body: object) => site.ada('POST', `${plugins}/site-mailer/migration/run`, { body })
  expect(refusalOf(await run({ force: false }))).toEqual([422, 'migration_exception'])
  expect(isOn).toBe(true)
  expect((await run({})).body).toMatchObject({ isConnected: false, isMigrated: true })
})

test('a version that cannot use the account is 409, except for the page builder', async () => {
  const changes = {
    'site-mailer': { usesAccount: false, initially: 'active' },
    builder: { usesAccount: false, initially: 'active' },
    'builder-pro': { usesAccount: false, initially: 'active' },
  } as const
  const site = await openConnected(server(), { changes })
  await site.connectAccount()
  expect(await migrated(site)).toEqual({ builder: true, 'builder-pro': true, 'site-mailer': false })
  const response = await site.ada('POST', `${plugins}/site-mailer/migration/run`)
  expect(refusalOf(response)).toEqual([409, 'migration_exception'])
})

test('a failing migration hook leaves the plugin as it was, and the account is connected', async () => {
  const migrate = () => {
    throw new Error('no')
  }
  const site = await openConnected(server(), { changes: { builder: { migrate, initially: 'active' } }, failures: 2 })
  await site.connectAccount()
  expect(await site.isConnected()).toBe(true)
  expect(refusalOf(await site.ada('POST', `${plugins}/builder/migration/run`))).toEqual([502, 'migration_exception'])
  expect((await migrated(site)).builder).toBe(false)
})
