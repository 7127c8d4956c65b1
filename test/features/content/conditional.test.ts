/** Tests the entity tags of all records that a client reads one by one, except those of posts. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { content } from '../../../src/profiles/content.ts'
import { createTestSite, failuresOf, type Requester, type TestSite } from '../../support/site.ts'
import { commentedSite } from './comments/site.ts'
import { upload } from './media/pictures.ts'

const seed = {
  ...commentedSite,
  options: { ...commentedSite.options, menu_locations: { primary: 'Main place' } },
  menus: [
    {
      ...{ key: 'main', name: 'Main menu', slug: 'main-menu' },
      items: [{ key: 'about', type: 'post_type', object: 'page', object_id: 'page.about' }],
    },
  ],
}

let site: TestSite
let ada: Requester
beforeEach(async () => {
  site = await createTestSite({ profile: content, seed })
  ada = site.as('ada')
})
afterEach(async () => {
  expect(failuresOf(site)).toEqual([])
  await site.dispose()
})

/** A record of each resource: its route, its id here, two changes and how one is made anew. */
const records = [
  ['categories', 'category.news', { name: 'One' }, { description: 'Two' }, { name: 'Fresh' }],
  ['tags', 'tag.red', { name: 'One' }, { slug: 'two' }, { name: 'Fresh' }],
  ['menus', 'menu.main', { name: 'One' }, { locations: ['primary'] }, { name: 'Fresh' }],
  ['menu-items', 'item.about', { title: 'One' }, { xfn: ['me'] }, { title: 'Fresh', url: 'https://a.example/' }],
  ['comments', 'comment.reply', { content: 'One' }, { author_ip: '192.0.2.7' }, { content: 'Fresh' }],
  [
    ...(['users', 'user.author', { name: 'One' }, { first_name: 'Two' }] as const),
    { username: 'otto', email: 'otto@example.test', password: 'open sesame' },
  ],
  ['media', 'media.pier', { title: 'One' }, { alt_text: 'Two' }, {}],
  ['pages', 'page.about', { title: 'One' }, { menu_order: 7 }, { title: 'Fresh' }],
] as const

const at = (route: string, id: unknown) => `/cms/v2/${route}/${id}`
const tagOf = async (path: string, query = '', by = ada): Promise<string> => {
  const { status, headers } = await by('GET', path, { query })
  expect([status, path]).toEqual([200, path])
  return headers.get('etag') as string
}

async function create(route: string, body: object) {
  if (route === 'media') return upload(site, 'notes.txt', 'High at six.', { type: 'text/plain', as: 'ada' })
  const more = route === 'comments' ? { post: site.ids['post.ferry'] } : {}
  return ada('POST', `/cms/v2/${route}`, { body: { ...body, ...more } })
}

describe.each(records)('%s', (route, key, first, second, fresh) => {
  const path = () => at(route, site.ids[key])

  test('are not sent again to a reader who has them, and are once they change', async () => {
    const tags = [await tagOf(path())]
    const again = await ada('GET', path(), { headers: { 'if-none-match': `"other", W/${tags[0]}` } })
    expect([again.status, again.body, again.headers.get('etag')]).toEqual([304, undefined, tags[0]])
    for (const change of [first, second]) {
      expect((await ada('POST', path(), { body: change })).status).toBe(200)
      tags.push(await tagOf(path(), 'context=edit'))
    }
    const late = await ada('GET', path(), { headers: { 'if-none-match': String(tags[0]) } })
    // A private part of a record may change without a change of what readers see: its tag for readers differs all the same.
    expect([late.status, new Set(tags).size]).toEqual([200, 3])
  })

  test('give each representation a tag of its own', async () => {
    const queries = ['', 'context=edit', 'context=embed', '_fields=id']
    const tags = await Promise.all(queries.map((query) => tagOf(path(), query)))
    expect(new Set(tags).size).toBe(queries.length)
  })

  test.each(['', 'context=edit', '_fields=id'])(
    'take the tag of a read (%s) as the condition of a write, once',
    async (query) => {
      const match = { 'if-match': await tagOf(path(), query) }
      expect((await ada('PATCH', path(), { body: first, headers: match })).status).toBe(200)
      const late = await ada('PATCH', path(), { body: second, headers: match })
      expect(late).toMatchObject({ status: 412, body: { code: 'rest_precondition_failed' } })
      const remove = { query: `force=true&reassign=${site.ids['user.admin']}`, headers: match }
      expect((await ada('DELETE', path(), remove)).status).toBe(412)
      expect((await ada('GET', path())).status).toBe(200)
    },
  )

  test('answer writes with the tag for the next one', async () => {
    const created = await create(route, fresh)
    expect(created.status).toBe(201)
    const own = at(route, created.body.id)
    const matching = (tag: string | null) => ({ 'if-match': String(tag) })
    const once = await ada('POST', own, { body: first, headers: matching(created.headers.get('etag')) })
    expect([once.status, once.body.code]).toEqual([200, undefined])
    const twice = await ada('POST', own, { body: second, headers: matching(once.headers.get('etag')) })
    expect([twice.status, twice.body.code]).toEqual([200, undefined])
    const query = `force=true&reassign=${site.ids['user.admin']}`
    const removed = await ada('DELETE', own, { query, headers: matching(await tagOf(own)) })
    expect([removed.status, removed.body.deleted]).toEqual([200, true])
  })

  test('need the condition when the host requires it', async () => {
    const strict = await createTestSite({ profile: content, seed, conditionalWrites: 'required' })
    const by = strict.as('ada')
    const own = at(route, strict.ids[key])
    expect(await by('POST', own, { body: first })).toMatchObject({ status: 428 })
    const tag = (await by('GET', own)).headers.get('etag') as string
    expect((await by('POST', own, { body: first, headers: { 'if-match': tag } })).status).toBe(200)
    await strict.dispose()
  })
})

test('a tag follows what an answer shows of other records', async () => {
  const item = at('menu-items', site.ids['item.about'])
  const comment = at('comments', site.ids['comment.reply'])
  const category = at('categories', site.ids['category.guides'])
  const before = await Promise.all([item, comment, category].map((path) => tagOf(path)))
  await ada('POST', at('pages', site.ids['page.about']), { body: { title: 'About the quay' } })
  await ada('POST', at('posts', site.ids['post.ferry']), { body: { slug: 'boats' } })
  await ada('POST', '/cms/v2/posts', {
    body: { title: 'Way', status: 'publish', categories: [site.ids['category.guides']] },
  })
  const after = await Promise.all([item, comment, category].map((path) => tagOf(path)))
  expect(after.map((tag, index) => tag !== before[index])).toEqual([true, true, true])
  const states = (tags: readonly string[]) => tags.map((tag) => tag.split('.')[0])
  expect(states(after)).toEqual(states(before))
})

test('sizes that are made of a picture do not fail the save of its editor', async () => {
  const { bytesOf, picture } = await import('./media/pictures.ts')
  const bytes = await bytesOf(picture(400, 300), 'png')
  const { body } = await upload(site, 'sea.png', bytes, { as: 'ada', query: 'generate_sub_sizes=false' })
  const path = at('media', body.id)
  const tag = await tagOf(path)
  await ada('POST', `${path}/post-process`, { body: { action: 'create-image-subsizes' } })
  expect(await tagOf(path)).not.toBe(tag)
  expect((await ada('POST', path, { body: { title: 'Sea' }, headers: { 'if-match': tag } })).status).toBe(200)
})

test('a tag for others says nothing of addresses that they may not see', async () => {
  const comment = at('comments', site.ids['comment.first'])
  const user = at('users', site.ids['user.author'])
  const before = await Promise.all([comment, user].map((path) => tagOf(path, '', site.visitor)))
  const own = await Promise.all([comment, user].map((path) => tagOf(path)))
  await ada('POST', comment, { body: { author_ip: '192.0.2.7', author_email: 'v@example.test' } })
  await ada('POST', user, { body: { email: 'other@example.test' } })
  const states = (tags: readonly string[]) => tags.map((tag) => tag.split('.')[0])
  const visitors = await Promise.all([comment, user].map((path) => tagOf(path, '', site.visitor)))
  expect(states(visitors)).toEqual(states(before))
  const admins = await Promise.all([comment, user].map((path) => tagOf(path)))
  expect(states(admins).map((state, index) => state !== states(own)[index])).toEqual([true, true])
})

test('oneself is read and changed under the same conditions', async () => {
  const tag = await tagOf('/cms/v2/users/me')
  expect((await ada('GET', '/cms/v2/users/me', { headers: { 'if-none-match': tag } })).status).toBe(304)
  const match = { 'if-match': tag }
  const saved = await ada('PUT', '/cms/v2/users/me', { body: { description: 'Keeper' }, headers: match })
  expect(saved.status).toBe(200)
  expect((await ada('PUT', '/cms/v2/users/me', { body: { description: 'Late' }, headers: match })).status).toBe(412)
  const next = { 'if-match': saved.headers.get('etag') as string }
  expect((await ada('PUT', '/cms/v2/users/me', { body: { description: 'Next' }, headers: next })).status).toBe(200)
})

test('a due time that moves leaves the tag of a page, and a changed setting does not', async () => {
  const path = at('pages', site.ids['page.about'])
  const tagOf = async () => (await site.visitor('GET', path)).headers.get('etag')
  const before = await tagOf()
  await ada('POST', '/cms/v2/posts', { body: { title: 'Later', status: 'future', date_gmt: '2099-01-01T00:00:00' } })
  expect(await tagOf()).toBe(before)
  await site.api.site.options.write({ permalink: '/read/{slug}/' })
  expect(await tagOf()).not.toBe(before)
})
