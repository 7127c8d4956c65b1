/** Who has signed in is remembered until a user or a password is written, in any process: a test for each way in which it ends. */
import { describe, expect, onTestFinished, test } from 'vitest'
import { createSiteApi } from '../../../../src/host/create-site-api.ts'
import { d1 } from '../../../../src/profiles/d1.ts'
import { basic, createTestSite, type TestSiteOptions } from '../../../support/site.ts'
import { passwordOf, smallSite } from '../../../support/small-site.ts'
import { recorded } from '../../../support/spied-storage.ts'
import { openTwo } from '../../../support/two-storages.ts'

const project = process.env.TEST_STORAGE ?? 'memory'

/** A server gives these rows in the round trip that tells whether anything was written. */
const none = project === 'postgres' ? expect.any(Number) : 0

const readsOfUsers = new Set(['users.query', 'records.query'])

/** A site and a request of Edith, who is known; `read` gives its status and what was read of users and passwords. */
async function openSite(options: TestSiteOptions = {}) {
  const { calls, wrap } = recorded()
  const site = await createTestSite({ storage: wrap, ...options })
  onTestFinished(() => site.dispose())
  const read = async (headers: { [name: string]: string } = { authorization: basic('edith') }) => {
    calls.length = 0
    const { status, body } = await site.visitor('GET', '/cms/v2/users/me?context=edit', { headers })
    return { status, body, reads: calls.filter(({ name }) => readsOfUsers.has(name)).length }
  }
  // The first sign-in records the use of the password, and the second one reads what it has written.
  for (let times = 0; times < 3; times++) await read()
  return { site, read }
}

test('a user who has signed in is read again only after a write of users or passwords', async () => {
  const { site, read } = await openSite()
  const write = (title: string) => site.as('ada')('POST', '/cms/v2/posts', { body: { title } })
  // It records the use of the password.
  await write('A pier')
  await read()
  expect(await read()).toMatchObject({ status: 200, reads: none })
  for (const title of ['A tide', 'An ebb']) {
    await write(title)
    expect(await read()).toMatchObject({ status: 200, reads: none })
  }
  await site.api.site.users.update(site.ids['user.editor'] as number, { displayName: 'Edith' })
  expect((await read()).reads).toBeGreaterThan(0)
  await read()
  expect(await read()).toMatchObject({ status: 200, reads: none })
})

// A server gives the rows in the round trip that tells whether anything was written.
test.skipIf(project === 'postgres')('a user who writes again is not read again', async () => {
  const { calls, wrap } = recorded()
  const site = await createTestSite({ storage: wrap })
  onTestFinished(() => site.dispose())
  const write = () => site.as('ada')('POST', '/cms/v2/posts', { body: { title: 'A tide' } })
  for (let times = 0; times < 3; times++) await write()
  calls.length = 0
  await write()
  const passwords = calls.filter(({ name, args }) => name === 'records.query' && isOfPasswords(args[0]))
  expect(passwords).toEqual([])
})

const isOfPasswords = (collection: unknown) => (collection as { name?: string }).name === 'application_passwords'

test('another secret for a remembered login is refused, and so is the remembered secret for another login', async () => {
  const { read } = await openSite()
  expect(await read({ authorization: basic('edith', 'wrong') })).toMatchObject({ status: 401 })
  expect(await read({ authorization: basic('ada', passwordOf('edith')) })).toMatchObject({ status: 401 })
  expect(await read()).toMatchObject({ status: 200, reads: none })
})

test('a user whom the host names is remembered by the id that it names', async () => {
  let id: number | null = null
  const { site, read } = await openSite({ authenticate: () => id })
  id = site.ids['user.editor'] as number
  await read({})
  expect(await read({})).toMatchObject({ status: 200, body: { id }, reads: 0 })
  id = site.ids['user.admin'] as number
  expect(await read({})).toMatchObject({ status: 200, body: { id } })
  await site.api.site.users.update(id, { blocked: true })
  expect(await read({})).toMatchObject({ status: 401 })
})

test('the last use of a password is still recorded, a day after the one before', async () => {
  const { site, read } = await openSite()
  const lastUses = async () => {
    const listed = await site.api.site.passwords.list(site.ids['user.editor'] as number)
    return listed.map(({ lastUsed }) => lastUsed)
  }
  const before = await lastUses()
  site.clock.now += 25 * 60 * 60 * 1000
  expect(await read()).toMatchObject({ status: 200 })
  expect(await lastUses()).not.toEqual(before)
})

describe('the next request knows at once of', () => {
  test('a revoked password', async () => {
    const { site, read } = await openSite()
    const [password] = await site.api.site.passwords.list(site.ids['user.editor'] as number)
    await site.api.site.passwords.revoke(password?.id ?? 0)
    expect(await read()).toMatchObject({ status: 401 })
  })

  test('a user who was blocked, and one who was removed', async () => {
    const { site, read } = await openSite()
    const id = site.ids['user.editor'] as number
    await site.api.site.users.update(id, { blocked: true })
    expect(await read()).toMatchObject({ status: 401 })
    await site.api.site.users.update(id, { blocked: false })
    expect(await read()).toMatchObject({ status: 200 })
    await site.api.site.users.remove(id)
    expect(await read()).toMatchObject({ status: 401 })
  })

  test('other roles of the user, and other capabilities of a role', async () => {
    const { site, read } = await openSite()
    const id = site.ids['user.editor'] as number
    const mayPublish = async () => (await read()).body.capabilities.publish_posts
    expect(await mayPublish()).toBe(true)
    await site.api.site.users.update(id, { roles: ['contributor'] })
    expect(await mayPublish()).toBeFalsy()
    await site.api.site.roles.grant('contributor', ['publish_posts'])
    expect(await mayPublish()).toBe(true)
  })

  test.skipIf(project === 'memory')('what another process has written', async () => {
    const { storage, other } = await openTwo()
    const apis = [storage, other].map((one) =>
      createSiteApi({ storage: one, profile: d1, url: 'https://quay.example', passwordCost: 10 }),
    )
    const [here, there] = apis as [(typeof apis)[number], (typeof apis)[number]]
    onTestFinished(async () => void (await Promise.all(apis.map((api) => api.close()))))
    const ids = await here.site.seed(smallSite)
    const headers = { authorization: basic('edith') }
    const statusOf = async () =>
      (await here.fetch(new Request('https://quay.example/api/cms/v2/users/me', { headers }))).status
    for (let times = 0; times < 3; times++) expect(await statusOf()).toBe(200)
    const [password] = await there.site.passwords.list(ids['user.editor'] as number)
    await there.site.passwords.revoke(password?.id ?? 0)
    expect(await statusOf()).toBe(401)
  })
})
