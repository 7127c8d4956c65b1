/** The routes of users: who sees whom, how users are made, changed and removed. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Post } from '../../../src/contract/storage.ts'
import { content } from '../../../src/profiles/content.ts'
import type { Parsed } from '../../support/parsed.ts'
import { createTestSite, failuresOf, type TestSite } from '../../support/site.ts'
import { spied } from '../../support/spied-storage.ts'

let site: TestSite
let calls = 0

beforeEach(async () => {
  site = await createTestSite({ profile: content, storage: counting })
})

afterEach(async () => {
  expect(failuresOf(site)).toEqual([])
  await site.dispose()
})

/** Counts all calls of the storage. */
const counting = (storage: Parameters<typeof spied>[0]) =>
  spied(storage, () => {
    calls += 1
  })

const callsOf = async (work: () => Promise<unknown>) => {
  const before = calls
  await work()
  return calls - before
}

const users = '/cms/v2/users'
const ids = (body: Parsed): number[] => body.map(({ id }: { readonly id: number }) => id)
const idsOf = (...names: readonly string[]) => names.map((name) => site.ids[`user.${name}`])
const list = async (login: string | null, query = '') => (await site.as(login)('GET', users, { query })).body
const create = async (more: object = {}) => {
  const body = { username: 'otto', email: 'otto@example.test', password: 'open sesame', ...more }
  return site.as('ada')('POST', users, { body })
}

describe('lists', () => {
  test('only users with published posts or pages, by name, for those without list_users', async () => {
    const published = ids(await list(null))
    expect(published).toEqual(ids(await list('edith')))
    expect(published).not.toContain(site.ids['user.subscriber'])
    expect(ids(await list('ada'))).toHaveLength(6)
    await site.as('edith')('POST', '/cms/v2/pages', {
      body: { title: 'Of Sam', status: 'publish', author: site.ids['user.subscriber'] },
    })
    expect(ids(await list(null))).toContain(site.ids['user.subscriber'])
  })

  test('in the orders that it offers', async () => {
    const [first = 0, ...others] = ids(await list('ada', 'orderby=id'))
    expect(first).toBeLessThan(others[0] ?? 0)
    expect(ids(await list('ada', 'orderby=email&order=desc'))[0]).toBe(site.ids['user.subscriber'])
    const sent = idsOf('subscriber', 'admin').join()
    expect(ids(await list('ada', `include=${sent}&orderby=include`))).toEqual(idsOf('subscriber', 'admin'))
    expect(ids(await list('ada', 'slug=sam-subscriber,ada-administrator&orderby=include_slugs'))).toEqual(
      idsOf('subscriber', 'admin'),
    )
  })

  test('by roles, capabilities and published types', async () => {
    expect(ids(await list('ada', 'roles=author'))).toEqual(idsOf('author2', 'author'))
    expect(ids(await list('ada', 'capabilities=moderate_comments'))).toEqual(idsOf('admin', 'editor'))
    expect(ids(await list('ada', 'capabilities=moderate_comments,read&per_page=1'))).toHaveLength(1)
    for (const login of ['ada', 'edith', 'connie']) {
      const authors = ids(await list(login, 'who=authors'))
      expect([login, authors.toSorted()]).toEqual([
        login,
        idsOf('admin', 'editor', 'author', 'author2', 'contributor').toSorted(),
      ])
      const published = ids(await list(login, 'who=authors&has_published_posts=true'))
      expect(published).not.toContain(site.ids['user.contributor'])
    }
    for (const login of ['sam', null]) {
      const refused = await site.as(login)('GET', '/cms/v2/users', { query: 'who=authors' })
      expect(refused.body.code).toBe('rest_forbidden_who')
    }
    await site.api.site.users.update(site.ids['user.editor'] ?? 0, { capabilities: { moderate_comments: false } })
    expect(ids(await list('ada', 'capabilities=moderate_comments'))).toEqual(idsOf('admin'))
    expect(await list('ada', 'has_published_posts=cms_block')).toEqual([])
  })

  test('searches addresses only for those with list_users', async () => {
    expect(await list(null, 'search=example.test')).toEqual([])
    expect(await list('ada', 'search=example.test')).toHaveLength(6)
    expect(ids(await list('ada', `search=${site.ids['user.author']}&search_columns=id`))).toEqual(idsOf('author'))
    expect(await list(null, 'search=%25')).toEqual([])
  })

  test('an empty page beyond the end, with the totals unchanged', async () => {
    const { status, body, headers } = await site.as('ada')('GET', users, { query: 'page=9' })
    expect([status, body, headers.get('x-cms-total')]).toEqual([200, [], '6'])
  })

  test('with as many reads for six users as for one', async () => {
    // Tasks that other tests left for later are not counted.
    await site.api.site.runDue()
    for (const size of [1, 100]) await list('ada', `context=edit&per_page=${size}`)
    const one = await callsOf(() => list('ada', 'context=edit&per_page=1'))
    const all = await callsOf(() => list('ada', 'context=edit&per_page=100'))
    expect(all).toBe(one)
  })
})

describe('reads', () => {
  test('tells a visitor of an unknown user, and refuses one without published posts', async () => {
    expect(await site.visitor('GET', `${users}/999`)).toMatchObject({
      status: 404,
      body: { code: 'rest_user_invalid_id' },
    })
    const hidden = await site.visitor('GET', `${users}/${site.ids['user.subscriber']}`)
    expect(hidden).toMatchObject({ status: 401, body: { code: 'rest_user_cannot_view' } })
    expect((await site.as('sam')('GET', `${users}/${site.ids['user.subscriber']}`)).status).toBe(200)
  })

  test('allows exactly what the caller may do, in Allow and in the link to itself', async () => {
    const path = `${users}/${site.ids['user.author']}`
    for (const [login, methods] of [
      [null, 'GET'],
      ['edith', 'GET'],
      ['arthur', 'GET, POST, PUT, PATCH'],
      ['ada', 'GET, POST, PUT, PATCH, DELETE'],
    ] as const) {
      const { headers, body } = await site.as(login)('GET', path)
      expect(headers.get('allow')).toBe(methods)
      expect(body._links.self[0].targetHints.allow.join(', ')).toBe(methods)
    }
  })

  test('embeds the description of the author of a post', async () => {
    await site.as('aiko')('PATCH', `${users}/me`, { body: { description: 'Writes <b>little</b><script>x</script>' } })
    const { body } = await site.visitor('GET', `/cms/v2/posts/${site.ids['post.tide']}`, { query: '_embed=author' })
    expect(body._embedded.author[0]).toMatchObject({ name: 'Aiko Author', description: 'Writes <b>little</b>x' })
  })

  test('draws pictures of initials that anybody may load', async () => {
    const { body } = await site.as('sam')('GET', `${users}/me`)
    const path = new URL(body.avatar_urls['24']).pathname.slice(site.api.root.length)
    const { status, headers, body: drawn } = await site.visitor('GET', path, { query: 's=24' })
    expect([status, headers.get('content-type')]).toEqual([200, 'image/svg+xml; charset=UTF-8'])
    expect(drawn).toContain('width="24"')
    expect(drawn).toContain('>SS<')
    const hostile = await site.visitor('GET', '/avatars/%3Cscript%3E%22')
    expect(hostile.body).toContain('>sc<')
  })
})

describe('creates', () => {
  test('a subscriber with the login as name, nickname and public name', async () => {
    const { status, body, headers } = await create()
    expect(status).toBe(201)
    expect(body).toMatchObject({
      username: 'otto',
      name: 'otto',
      nickname: 'otto',
      slug: 'otto',
      roles: ['subscriber'],
    })
    expect(headers.get('location')).toMatch(new RegExp(`/cms/v2/users/${body.id}$`))
    expect(body).not.toHaveProperty('password')
  })

  test('a user without roles, and one with a public name that is taken', async () => {
    expect((await create({ roles: [] })).body.roles).toEqual([])
    const second = await create({ username: 'two', email: 'two@example.test', slug: 'otto' })
    expect(second.body.slug).toBe('otto-2')
  })

  test.each([
    ['an unknown role', { roles: ['pilot'] }, 'rest_user_invalid_role'],
    ['the name of a method as role', { roles: ['toString'] }, 'rest_user_invalid_role'],
    ['a login that is taken', { username: 'ADA' }, 'existing_user_login'],
    [
      'the address of another user as login',
      { username: 'ada@example.test', email: 'ada@example.test' },
      'existing_user_login',
    ],
    ['an address that is taken', { email: 'Ada@example.test' }, 'existing_user_email'],
    ['a login with @ that is not the own address', { username: 'a@b.test' }, 'rest_user_invalid_username'],
  ])('refuses %s', async (_, more, code) => {
    expect(await create(more)).toMatchObject({ status: 400, body: { code } })
    expect(await list('ada')).toHaveLength(6)
  })

  test.each([
    ['username', { username: 'a/b' }, 'rest_user_invalid_username'],
    ['password', { password: 'a\\b' }, 'rest_user_invalid_password'],
    ['password', { password: '' }, 'rest_user_invalid_password'],
    ['email', { email: 'otto' }, 'rest_invalid_email'],
    ['locale', { locale: 'xx' }, 'rest_not_in_enum'],
  ])('names the %s that is wrong: %j', async (name, more, code) => {
    const { status, body } = await create(more)
    expect([status, body.code, body.data.details[name].code]).toEqual([400, 'rest_invalid_param', code])
  })

  test('in a batch, each in the place of its request', async () => {
    const requests = ['one', 'ada', 'two'].map((username) => ({
      path: users,
      body: { username, email: `${username}.new@example.test`, password: 'open sesame' },
    }))
    const { body } = await site.as('ada')('POST', '/batch/v1', { body: { requests } })
    expect(body.responses.map(({ status }: { status: number }) => status)).toEqual([201, 400, 201])
  })
})

describe('changes', () => {
  test('names, address, preferences and language', async () => {
    const changes = {
      ...{
        name: 'Sam <i>S</i>',
        first_name: 'Sam',
        last_name: 'Sub',
        nickname: '',
        locale: 'en_US',
        url: 'sam.example',
      },
      meta: { persisted_preferences: { core: { panels: ['a'] }, _modified: '2024-06-15T12:00:00Z' } },
    }
    const { status, body } = await site.as('sam')('PUT', `${users}/me`, { body: changes })
    expect(status).toBe(200)
    expect(body).toMatchObject({ name: 'Sam S', nickname: 'sam', url: 'http://sam.example', meta: changes.meta })
    const { body: view } = await site.as('sam')('GET', `${users}/me`)
    expect(view.meta).toEqual([])
    const emptied = { meta: { persisted_preferences: null } }
    expect((await site.as('sam')('PUT', `${users}/me`, { body: emptied })).body.meta).toEqual({
      persisted_preferences: [],
    })
  })

  test('leaves out an address that leads nowhere safe', async () => {
    for (const url of ['javascript:alert(1)', ' java\tscript:x', 'data:text/html,x', '']) {
      expect((await site.as('sam')('PATCH', `${users}/me`, { body: { url } })).body.url).toBe('')
    }
  })

  test.each([
    ['the login', { username: 'other' }, 400, 'rest_user_invalid_argument'],
    ['a taken public name', { slug: 'ada-administrator' }, 400, 'rest_user_invalid_slug'],
    ['a taken address', { email: 'ADA@example.test' }, 400, 'rest_user_invalid_email'],
    ['the own roles', { roles: ['administrator'] }, 403, 'rest_cannot_edit_roles'],
    ['preferences of a wrong type', { meta: { persisted_preferences: 5 } }, 400, 'rest_invalid_type'],
    [
      'preferences that are too long',
      { meta: { persisted_preferences: { a: 'x'.repeat(70_000) } } },
      400,
      'rest_too_long',
    ],
  ])('refuses %s', async (_, body, status, code) => {
    expect(await site.as('sam')('PATCH', `${users}/me`, { body })).toMatchObject({ status, body: { code } })
  })

  test('does not let administrators take the right to edit users from themselves', async () => {
    const refused = await site.as('ada')('PATCH', `${users}/me`, { body: { roles: ['editor'] } })
    expect(refused).toMatchObject({ status: 403, body: { code: 'rest_user_invalid_role' } })
    const path = `${users}/${site.ids['user.editor']}`
    expect((await site.as('ada')('PATCH', path, { body: { roles: ['author', 'author'] } })).body.roles).toEqual([
      'author',
    ])
  })
})

describe('removes', () => {
  const remove = (id: number | undefined, query: string) => site.as('ada')('DELETE', `${users}/${id}`, { query })
  const authorOf = async (key: string) =>
    (await site.as('ada')('GET', `/cms/v2/posts/${site.ids[key]}`, { query: 'context=edit' })).body

  test('a user whose posts and revisions go to another one', async () => {
    const author = site.ids['user.author2']
    const editor = site.ids['user.editor']
    const { status, body } = await remove(author, `force=true&reassign=${editor}`)
    expect([status, body.deleted, body.previous.username]).toEqual([200, true, 'aiko'])
    expect(body.previous).not.toHaveProperty('_links')
    expect(await authorOf('post.tide')).toMatchObject({ author: editor, status: 'publish' })
    expect(await list('ada', `include=${author}`)).toEqual([])
    expect((await site.as('aiko')('GET', `${users}/me`)).status).toBe(401)
  })

  test('a user whose posts and pages go to the trash', async () => {
    const author = site.ids['user.author2']
    const trashed: number[] = []
    const stop = site.api.on('post.trashed', ({ post }) => void trashed.push(post.id))
    expect((await remove(author, 'force=true&reassign=')).status).toBe(200)
    stop()
    expect(trashed).toContain(site.ids['post.tide'])
    expect(await authorOf('post.tide')).toMatchObject({ author, status: 'trash' })
  })

  test('a user whose posts of all statuses go to the trash', async () => {
    const author = site.ids['user.author2'] ?? 0
    const { storage } = site.api['~parts']
    const [tide] = await storage.posts.read([site.ids['post.tide'] ?? 0])
    const statuses = ['future', 'draft', 'pending', 'private', 'auto-draft']
    const { id: _id, version: _version, ...columns } = tide as Post
    const values = { ...columns, date: '2098-01-01T00:00:00', dateGmt: '2098-01-01T00:00:00' }
    const ids = await storage.posts.insert(statuses.map((status) => ({ ...values, status, slug: `tide-${status}` })))
    await remove(author, 'force=true&reassign=false')
    expect((await storage.posts.read(ids)).map(({ status }) => status)).toEqual(statuses.map(() => 'trash'))
  })

  test('a user whose posts stay as they are, where the host removes the user', async () => {
    expect(await site.api.site.users.remove(site.ids['user.author2'] ?? 0)).toBe(true)
    expect(await authorOf('post.tide')).toMatchObject({ author: site.ids['user.author2'], status: 'publish' })
  })

  test.each([
    ['reassign=1', 501, 'rest_trash_not_supported'],
    ['force=true', 400, 'rest_missing_callback_param'],
    ['force=true&reassign=x', 400, 'rest_invalid_param'],
    ['force=true&reassign=9999', 400, 'rest_user_invalid_reassign'],
  ])('refuses %s', async (query, status, code) => {
    expect(await remove(site.ids['user.author2'], query)).toMatchObject({ status, body: { code } })
    expect(await authorOf('post.tide')).toMatchObject({ author: site.ids['user.author2'] })
  })
})

test('answers visitors of all routes of oneself with one error', async () => {
  for (const [method, path] of [
    ['GET', `${users}/me`],
    ['PATCH', `${users}/me`],
    ['DELETE', `${users}/me?reassign=1`],
    ['GET', `${users}/me/application-passwords`],
    ['GET', `${users}/me/application-passwords/introspect`],
  ] as const) {
    expect(await site.visitor(method, path)).toMatchObject({ status: 401, body: { code: 'rest_not_logged_in' } })
  }
})
