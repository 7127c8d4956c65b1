import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Collection } from '../../src/contract/storage.ts'
import { feature } from '../../src/core/declare/feature.ts'
import { profile } from '../../src/core/declare/profile.ts'
import { isPasswordOf } from '../../src/core/runtime/crypto.ts'
import { createSiteApi, type SiteApi } from '../../src/host/create-site-api.ts'
import { toolFeatures } from '../../src/profiles/tools.ts'
import { basic, createTestSite, type TestSite } from '../support/site.ts'
import { openStorage } from '../support/storage.ts'

let site: TestSite

beforeEach(async () => {
  site = await createTestSite()
})
afterEach(() => site.dispose())

/** The status that a request with this password gets. */
async function signIn(login: string, password: string): Promise<number> {
  const headers = { authorization: basic(login, password) }
  return (await site.visitor('GET', '/cms/v2/posts', { headers })).status
}

// ---------------------------------------------------------------- users and passwords

test('creates, changes, finds and removes a user', async () => {
  const { users } = site.api.site
  const events: unknown[] = []
  site.api.on('user.created', (payload) => events.push(payload))
  const made = await users.create({ login: 'Zoe Ray', email: 'zoe@example.test', roles: ['author'] })
  expect(made).toMatchObject({ login: 'Zoe Ray', slug: 'zoe-ray', displayName: 'Zoe Ray', roles: ['author'] })
  expect(made).not.toHaveProperty('password')
  expect(made.registered).toBe('2024-06-15T12:00:00')
  await users.update(made.id, { displayName: 'Zoe', roles: ['editor'], meta: { locale: 'pt' } })
  expect(await users.find({ login: 'ZOE RAY' })).toMatchObject({ displayName: 'Zoe', roles: ['editor'] })
  expect(await users.find({ email: 'Zoe@example.test' })).toMatchObject({ id: made.id })
  expect(await users.remove(made.id)).toBe(true)
  expect(await users.find({ slug: 'zoe-ray' })).toBeUndefined()
  expect(await users.remove(made.id)).toBe(false)
  expect(events).toEqual([{ id: made.id }])
})

test.each([
  ['login', { login: 'ADA' }],
  ['slug', { login: 'other', slug: 'ada-administrator' }],
  ['email', { login: 'other', email: 'ADA@example.test' }],
])('refuses a user whose %s is taken', async (field, values) => {
  await expect(site.api.site.users.create(values)).rejects.toMatchObject({ code: 'storage_conflict', field })
})

test('refuses roles that the site does not have, and says which one is meant', async () => {
  const { users, options } = site.api.site
  await expect(users.create({ login: 'zoe', roles: ['adminn'] })).rejects.toThrow(
    /^there is no role adminn: did you mean administrator\?$/,
  )
  expect(await users.find({ login: 'zoe' })).toBeUndefined()
  const { id } = await users.create({ login: 'zoe' })
  await expect(users.update(id, { roles: ['pilot'] })).rejects.toThrow(/^there is no role pilot: the roles are admin/)
  await options.write({ roles: { pilot: { read: true } } })
  expect(await users.update(id, { roles: ['pilot'] })).toMatchObject({ roles: ['pilot'] })
})

test.each(['url', 'home'])('refuses a %s option that is no address', async (name) => {
  const { options } = site.api.site
  await expect(options.write({ [name]: 'example.com' })).rejects.toThrow(`the option ${name} must be an address`)
  await options.write({ [name]: null })
})

test.each([['read'], { pilot: ['read'] }, { pilot: { read: 1 } }, { pilot: null }, 'pilot'])(
  'refuses %j as the roles of the site, and keeps those it has',
  async (roles) => {
    const { options } = site.api.site
    await options.write({ roles: { pilot: { read: true } } })
    await expect(options.write({ roles })).rejects.toThrow('the option roles must be an object of roles')
    expect(await options.read(['roles'])).toEqual({ roles: { pilot: { read: true } } })
  },
)

test('keeps a password as a slow digest with its method and the cost of the site', async () => {
  const { storage, dispose } = await openStorage()
  const options = { storage, profile: profile({ name: 'none', gmtOffset: 'text', features: [] }) } as const
  const created = async (api: SiteApi, login: string) => {
    const { id } = await api.site.users.create({ login, password: 'correct horse' })
    const { rows } = await storage.users.query({
      ids: [id],
      order: { by: 'id', descending: false },
      offset: 0,
      limit: 1,
    })
    return rows[0]?.password ?? ''
  }
  const digest = await created(createSiteApi(options), 'zoe')
  expect(digest).toMatch(/^scrypt\$32768\$8\$1\$/)
  const cheap = await created(createSiteApi({ ...options, passwordCost: 10 }), 'yan')
  expect(cheap).toMatch(/^scrypt\$1024\$8\$1\$/)
  for (const kept of [digest, cheap]) {
    expect(await isPasswordOf('correct horse', kept, 10)).toBe(true)
    expect(await isPasswordOf('correct hors', kept, 10)).toBe(false)
  }
  expect(await isPasswordOf('', '', 10)).toBe(false)
  await dispose()
})

test('shows an application password once, and refuses it once it is revoked', async () => {
  const { passwords } = site.api.site
  const user = site.ids['user.author'] ?? 0
  const { id, password } = await passwords.create(user, 'A reader')
  expect(password).toMatch(/^(?:[A-Za-z0-9]{4} ){5}[A-Za-z0-9]{4}$/)
  expect(await signIn('arthur', password)).toBe(200)
  expect(await signIn('arthur', password.replaceAll(' ', ''))).toBe(200)
  const listed = await passwords.list(user)
  expect(listed.map(({ name }) => name)).toEqual(['Seed', 'A reader'])
  expect(listed[1]).toMatchObject({ created: '2024-06-15T12:00:00', lastUsed: '2024-06-15T12:00:00' })
  expect(JSON.stringify(listed)).not.toContain(password)
  expect(await passwords.revoke(id)).toBe(true)
  expect(await signIn('arthur', password)).toBe(401)
  expect(await passwords.revoke(id)).toBe(false)
  await expect(passwords.create(999, 'Nobody')).rejects.toThrow('there is no user 999')
})

test('rejects the credentials of a blocked or removed user', async () => {
  const { passwords, users } = site.api.site
  const user = site.ids['user.author'] ?? 0
  const { password } = await passwords.create(user, 'A reader')
  await users.update(user, { blocked: true })
  expect(await signIn('arthur', password)).toBe(401)
  await users.update(user, { blocked: false })
  expect(await signIn('arthur', password)).toBe(200)
  await users.remove(user)
  expect(await signIn('arthur', password)).toBe(401)
  expect(await passwords.list(user)).toEqual([])
})

test('applies a change of roles from the next request on', async () => {
  const edit = () => site.as('sam')('GET', '/cms/v2/posts', { query: 'context=edit' })
  expect((await edit()).status).toBe(403)
  await site.api.site.users.update(site.ids['user.subscriber'] ?? 0, { roles: ['editor'] })
  expect((await edit()).status).toBe(200)
})

// ---------------------------------------------------------------- terms, media, options

test('creates, changes and removes terms', async () => {
  const { terms } = site.api.site
  const made = await terms.create({ taxonomy: 'category', name: 'News', parent: site.ids['category.guides'] })
  expect(made).toMatchObject({ slug: 'news-guides', parent: site.ids['category.guides'], count: 0 })
  expect(await terms.update(made.id, { name: 'More news', slug: 'more' })).toMatchObject({ name: 'More news' })
  expect(await terms.find({ taxonomy: 'category', slug: 'more' })).toMatchObject({ id: made.id })
  const other = await terms.create({ taxonomy: 'category', name: 'Fish & chips', slug: 'news' })
  expect(other).toMatchObject({ name: 'Fish &amp; chips', slug: 'news-2' })
  const twice = terms.create({ taxonomy: 'category', name: 'fish & chips' })
  await expect(twice).rejects.toMatchObject({ code: 'term_exists', data: { term_id: other.id } })
  await expect(terms.update(other.id, { slug: 'more' })).rejects.toMatchObject({ code: 'duplicate_term_slug' })
  const child = terms.create({ taxonomy: 'post_tag', name: 'X', parent: made.id })
  await expect(child).rejects.toMatchObject({ code: 'rest_taxonomy_not_hierarchical' })
  expect(await terms.update(site.ids['category.guides'] ?? 0, { parent: made.id })).toMatchObject({ parent: 0 })
  expect(await terms.remove(made.id)).toBe(true)
  expect(await terms.remove(made.id)).toBe(false)
})

test('creates media that posts can show', async () => {
  const { media } = site.api.site
  const file = '2024/06/quay.jpg'
  const made = await media.create({ file, mimeType: 'image/jpeg', title: 'Pier', width: 10, height: 5, alt: 'A pier' })
  expect(made).toMatchObject({ type: 'attachment', status: 'inherit', slug: 'pier-2', mimeType: 'image/jpeg' })
  expect(made).toMatchObject({ date: '2024-06-15T13:00:00', dateGmt: '2024-06-15T12:00:00' })
  const { body } = await site.as('ada')('POST', `/cms/v2/posts/${site.ids['post.hello']}`, {
    body: { featured_media: made.id },
  })
  expect(body.featured_media).toBe(made.id)
  expect(await media.remove(site.ids['post.hello'] ?? 0)).toBe(false)
  expect(await media.remove(made.id)).toBe(true)
  expect(await media.find(made.id)).toBeUndefined()
})

test('writes options, emits an event, and shows the values at once', async () => {
  const { options } = site.api.site
  const events: unknown[] = []
  site.api.on('site.changed', (payload) => events.push(payload))
  await options.write({ name: 'New name', extra: { a: 1 } })
  expect((await site.visitor('GET', '/')).body.name).toBe('New name')
  expect(await options.read(['extra', 'missing'])).toEqual({ extra: { a: 1 } })
  await options.write({ extra: null })
  expect(await options.read(['extra'])).toEqual({})
  expect(events).toEqual([{ options: ['name', 'extra'] }, { options: ['extra'] }])
  await expect(options.write({ timezone_string: 'Atlantis/Capital' })).rejects.toThrow(TypeError)
})

// ---------------------------------------------------------------- persisted data of features

const replies: Collection = {
  name: 'replies',
  fields: { post: 'integer', by: 'integer', parent: 'integer', text: 'text', seen: 'json' },
}

const keeping = profile({
  name: 'keeping',
  gmtOffset: 'text',
  features: [
    ...toolFeatures,
    feature('replies', 'replies/v1', [], {
      persisted: {
        postTypes: ['block'],
        collections: [{ collection: replies, references: { post: 'post', by: 'user', parent: 'replies' } }],
      },
    }),
  ],
})

test('seeds and exports records and other post types with their references', async () => {
  const document = {
    users: [{ key: 'a', login: 'a' }],
    posts: [{ key: 'late', author: 'a' }],
    documents: [{ key: 'b', type: 'block', status: 'publish', parent: 'post.late', title: 'Block' }],
    records: {
      replies: [
        { post: 'post.late', by: 'user.a', parent: 'replies.2', text: 'first', seen: [1] },
        { post: 'document.b', parent: 0, text: 'second' },
      ],
    },
  }
  const first = await openStorage()
  const api = createSiteApi({ storage: first.storage, profile: keeping })
  const ids = await api.site.seed(document)
  const { rows } = await first.storage.records.query(replies, {})
  expect(rows[0]).toMatchObject({ post: ids['post.late'], by: ids['user.a'], parent: rows[1]?.id, seen: [1] })
  expect(rows[1]).toMatchObject({ post: ids['document.b'], parent: 0, by: null })
  const exported = await api.site.export()
  expect(exported.records).toEqual(document.records)
  expect(exported.documents).toMatchObject([{ key: 'b', type: 'block', parent: 'post.late' }])
  const second = await openStorage()
  const copy = createSiteApi({ storage: second.storage, profile: keeping })
  await copy.site.seed(JSON.parse(JSON.stringify(exported)))
  expect(await copy.site.export()).toEqual(exported)
  await first.dispose()
  await second.dispose()
})
