import { expect, onTestFinished, test } from 'vitest'
import { createTestSite } from '../../support/site.ts'

const path = '/builder/v1/user-data/current-user'

async function openSite() {
  const site = await createTestSite()
  onTestFinished(async () => {
    expect(site.failures).toEqual([])
    await site.dispose()
  })
  return { ...site, sam: site.as('sam') }
}

test('a new user has no dismissed messages; capabilities include the roles', async () => {
  const { sam, as } = await openSite()
  const { status, body } = await sam('GET', path)
  expect([status, body]).toEqual([
    200,
    { suppressedMessages: [], capabilities: expect.arrayContaining(['read', 'subscriber']) },
  ])
  expect(body.capabilities).not.toContain('edit_posts')
  expect((await as('ada')('GET', path)).body.capabilities).toEqual(
    expect.arrayContaining(['administrator', 'manage_options']),
  )
})

test('does not list a revoked capability', async () => {
  const { as, api, ids } = await openSite()
  await api.site.users.update(ids['user.editor'] ?? 0, { capabilities: { edit_pages: false, extra: true } })
  const { capabilities } = (await as('edith')('GET', path)).body
  expect([capabilities.includes('edit_pages'), capabilities.includes('extra')]).toEqual([false, true])
})

test('replaces the list of dismissed messages, cleaned', async () => {
  const { sam } = await openSite()
  const messages = ['welcome', '<b>tour</b>', 'welcome', '', '  ', '<i></i>']
  const { status, body } = await sam('PATCH', path, { body: { suppressedMessages: messages } })
  expect([status, body.suppressedMessages]).toEqual([200, ['welcome', 'tour']])
  expect(body.capabilities).toContain('read')
  await sam('PATCH', path, { body: { suppressedMessages: ['other'] } })
  expect((await sam('GET', path)).body.suppressedMessages).toEqual(['other'])
  await sam('PATCH', path, { body: { suppressedMessages: [] } })
  expect((await sam('GET', path)).body.suppressedMessages).toEqual([])
})

test('a body without the list changes nothing', async () => {
  const { sam } = await openSite()
  await sam('PATCH', path, { body: { suppressedMessages: ['welcome'] } })
  const { status, body } = await sam('PATCH', path, { body: { other: 1 } })
  expect([status, body.suppressedMessages]).toEqual([200, ['welcome']])
})

test('stores the list per user', async () => {
  const { sam, as } = await openSite()
  await sam('PATCH', path, { body: { suppressedMessages: ['welcome'] } })
  expect((await as('ada')('GET', path)).body.suppressedMessages).toEqual([])
})

test.each([
  ['an object', { a: 'b' }],
  ['a list of objects', [{ a: 'b' }]],
  ['too many messages', Array.from({ length: 1001 }, (_, index) => `m${index}`)],
  ['a message that is too long', ['x'.repeat(201)]],
])('rejects %s', async (_, suppressedMessages) => {
  const { sam } = await openSite()
  const { status, body } = await sam('PATCH', path, { body: { suppressedMessages } })
  expect([status, body.code, Object.keys(body.data.params)]).toEqual([
    400,
    'rest_invalid_param',
    ['suppressedMessages'],
  ])
})

test('responds with 404 to POST and PUT', async () => {
  const { sam } = await openSite()
  for (const method of ['POST', 'PUT', 'DELETE']) {
    const { status, body } = await sam(method, path, { body: { suppressedMessages: [] } })
    expect([method, status, body.code]).toEqual([method, 404, 'rest_no_route'])
  }
})

test('rejects visitors and revoked passwords, and accepts any signed-in user', async () => {
  const { as, visitor, api, ids } = await openSite()
  for (const method of ['GET', 'PATCH']) {
    const refused = await visitor(method, path)
    expect([refused.status, refused.body.code]).toEqual([401, 'rest_forbidden'])
    for (const login of ['sam', 'connie', 'arthur', 'edith', 'ada']) {
      expect([login, (await as(login)(method, path)).status]).toEqual([login, 200])
    }
  }
  const sam = ids['user.subscriber'] ?? 0
  for (const { id } of await api.site.passwords.list(sam)) await api.site.passwords.revoke(id)
  expect((await as('sam')('GET', path)).status).toBe(401)
})

test('rejects in-process calls without a user', async () => {
  const { api } = await openSite()
  await expect(api.call('GET', path, {}, { as: 'system' })).rejects.toMatchObject({ status: 403 })
})
