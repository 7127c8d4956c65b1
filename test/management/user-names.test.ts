/** Tests the names of users: no account takes a name that another user signs in with. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { blankUser } from '../../src/contract/fields/blank.ts'
import { basic, createTestSite, type TestSite } from '../support/site.ts'
import { openStorage } from '../support/storage.ts'

let site: TestSite

beforeEach(async () => {
  site = await createTestSite()
})

afterEach(() => site.dispose())

const whoIs = async (login: string, password: string) => {
  const headers = { authorization: basic(login, password) }
  const { status, body } = await site.visitor('GET', '/cms/v2/users/me', { headers })
  return status === 200 ? body.name : status
}

test('refuses a login that is the address of another user, and an address that is the login of another one', async () => {
  const { users } = site.api.site
  const conflict = (field: string) => ({ code: 'storage_conflict', field })
  await expect(users.create({ login: 'Ada@Example.test', email: 'Ada@Example.test' })).rejects.toMatchObject(
    conflict('login'),
  )
  const { id } = await users.create({ login: 'kim@example.test', email: 'kim@example.test' })
  await users.update(id, { email: 'kim.new@example.test' })
  await expect(users.create({ login: 'kim', email: 'KIM@example.test' })).rejects.toMatchObject(conflict('email'))
  await expect(users.update(site.ids['user.admin'] ?? 0, { email: 'kim@example.test' })).rejects.toMatchObject(
    conflict('email'),
  )
  await expect(users.update(site.ids['user.admin'] ?? 0, { login: 'edith@example.test' })).rejects.toThrow(
    'a login with @ has to be the e-mail address of the user',
  )
  expect(await users.update(id, { email: 'kim@example.test' })).toMatchObject({ email: 'kim@example.test' })
})

test('refuses a login with @ that is not the own address', async () => {
  const { users } = site.api.site
  await expect(users.create({ login: 'new@example.test' })).rejects.toThrow('a login with @ has to be')
  await expect(users.create({ login: 'new@example.test', email: 'old@example.test' })).rejects.toThrow('a login with @')
  expect(await users.create({ login: 'new@example.test', email: 'NEW@example.test' })).toMatchObject({
    login: 'new@example.test',
    slug: 'newexample-test',
  })
})

test.each([
  ['blanks at the ends', ' ada '],
  ['a blank without a width of its own', 'ada\u3000'],
  ['full-width letters', 'ａｄａ'],
  ['capitals', 'ADA'],
])('counts a login with %s as the same', async (_, login) => {
  await expect(site.api.site.users.create({ login })).rejects.toMatchObject({
    code: 'storage_conflict',
    field: 'login',
  })
  expect(await whoIs(login, `ada${'x'} 1a2B 3c4D 5e6F 7g8H 9i0J`)).toBe('Ada Admin')
})

test('counts a login with accents as another one', async () => {
  const { login } = await site.api.site.users.create({ login: 'édith' })
  expect(login).toBe('édith')
  await expect(site.api.site.users.create({ login: 'ÉDITH' })).rejects.toMatchObject({ code: 'storage_conflict' })
})

test.each([
  ['an invisible character', 'ad\u200ba'],
  ['a colon', 'a:b'],
  ['a line end inside markup', 'a<b>'],
  ['nothing but blanks', '  '],
  ['too many characters', 'a'.repeat(61)],
])('refuses a login with %s', async (_, login) => {
  await expect(site.api.site.users.create({ login })).rejects.toThrow(TypeError)
})

test('stores a login without blanks at its ends', async () => {
  expect(await site.api.site.users.create({ login: ' Ann \t Lee ' })).toMatchObject({
    login: 'Ann Lee',
    slug: 'ann-lee',
  })
  expect(await site.api.site.users.find({ login: 'ann  lee ' })).toMatchObject({ login: 'Ann Lee' })
  expect(await site.api.site.users.create({ login: 'ann-lee' })).toMatchObject({ slug: 'ann-lee-2' })
})

test.each(['ada', 'ada@', '@example.test', 'a b@example.test', 'a@localhost', `${'a'.repeat(65)}@example.test`])(
  'refuses the address %s',
  async (email) => {
    await expect(site.api.site.users.create({ login: 'new', email })).rejects.toThrow('this is no e-mail address')
  },
)

test('gives a name of two users of an earlier version to the one whose address it is', async () => {
  const { storage, dispose } = await openStorage()
  const stored = { ...blankUser, displayName: '', registered: '' }
  await storage.users.insert([
    { ...stored, login: 'kim@example.test', slug: 'squatter', email: '' },
    { ...stored, login: 'kim', slug: 'kim', email: 'kim@example.test' },
  ])
  const { findUserByName } = await import('../../src/site/user-names.ts')
  expect(await findUserByName(storage, 'Kim@example.test ')).toMatchObject({ slug: 'kim' })
  await dispose()
})

test.each([
  ['a login that another user has as address', [{ login: 'ann', email: 'bob@x.test' }, { login: 'bob@x.test' }]],
  ['an address that another user has as login', [{ login: 'bob@x.test' }, { login: 'ann', email: 'BOB@x.test' }]],
  ['an unknown role', [{ login: 'ann', role: 'pilot' }]],
  ['a login with a colon', [{ login: 'a:b' }]],
  ['an address that is none', [{ login: 'ann', email: 'ann' }]],
])('refuses a document with %s', async (_, users) => {
  const empty = await createTestSite({ seed: false })
  const document = { users: users.map((user, index) => ({ key: `k${index}`, nicename: `n${index}`, ...user })) }
  await expect(empty.api.site.seed(document)).rejects.toMatchObject({ name: 'SiteDocumentError' })
  await empty.dispose()
})

test('takes the roles of a document from its options', async () => {
  const empty = await createTestSite({ seed: false })
  const users = [{ key: 'a', login: 'ann', role: 'pilot' }]
  await empty.api.site.seed({ options: { roles: { pilot: { read: true } } }, users })
  expect(await empty.api.site.users.list({ roles: ['pilot'] })).toHaveLength(1)
  await empty.dispose()
})

test('takes the record of a host, whose other members no account has', async () => {
  const record = { login: 'pat', email: 'pat@people.example', name: 'Pat Doe', department: 'Harbour' }
  await site.api.site.users.create(record)
  expect(await site.api.site.users.find({ login: 'pat' })).toMatchObject({ login: 'pat', email: 'pat@people.example' })
})

test.each([
  ['capabilities', ['edit_posts', 'publish_posts'], 'capabilities of a user must be an object such as'],
  ['capabilities', { edit_posts: 1 }, 'capabilities of a user must be'],
  ['capabilities', 'edit_posts', 'capabilities of a user must be'],
  ['roles', 'editor', 'roles of a user must be a list'],
  ['roles', { editor: true }, 'roles of a user must be a list'],
  ['roles', [7], 'roles of a user must be a list'],
  ['blocked', 'no', 'blocked of a user must be true or false'],
  ['displayName', 5, 'displayName of a user must be a text'],
  ['meta', ['x'], 'meta of a user must be an object'],
  ['capability', { edit_posts: true }, 'users have no capability: did you mean capabilities'],
])('refuses %s as %j, and takes nothing away', async (name, value, message) => {
  const { users } = site.api.site
  const id = site.ids['user.editor'] as number
  await users.update(id, { capabilities: { read_private_pages: false } })
  const before = await users.find({ id })
  // The cast: a host without types may send anything.
  const changes = { [name]: value } as object
  await expect(users.update(id, changes)).rejects.toThrow(message)
  await expect(users.create({ login: 'new', ...changes })).rejects.toThrow(message)
  expect(await users.find({ id })).toEqual(before)
  expect(await users.find({ login: 'new' })).toBeUndefined()
})

test('a change with further members of the host changes the account alone', async () => {
  const { users } = site.api.site
  const id = site.ids['user.editor'] as number
  // The cast: a host without types may send anything.
  const changed = await users.update(id, { displayName: 'Edith M.', version: 9, color: 'red' } as object)
  expect(changed).toMatchObject({ id, displayName: 'Edith M.' })
  expect(Object.keys(changed)).not.toContain('color')
})
