/** Pages: parents, places, slugs below a parent, addresses, rights. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { content } from '../../../src/profiles/content.ts'
import { createTestSite, type Requester, type TestSite } from '../../support/site.ts'

const pages = '/cms/v2/pages'
let site: TestSite
let edith: Requester

beforeEach(async () => {
  site = await createTestSite({ profile: content })
  edith = site.as('edith')
})
afterEach(async () => {
  expect(site.failures).toEqual([])
  await site.dispose()
})

const created = async (body: object) => (await edith('POST', pages, { body: { status: 'publish', ...body } })).body

test('a page below a page has an address with both slugs, which follows a change of the upper one', async () => {
  const above = await created({ title: 'Above' })
  const below = await created({ title: 'Below', parent: above.id })
  expect(below.link).toBe('https://quay.example/above/below/')
  expect(below._links.up).toEqual([{ embeddable: true, href: `https://quay.example/api/cms/v2/pages/${above.id}` }])
  const read = () => site.visitor('GET', `${pages}/${below.id}`)
  const before = await read()
  await edith('POST', `${pages}/${above.id}`, { body: { slug: 'renamed' } })
  const after = await read()
  expect([before.body.link, after.body.link]).toEqual([
    'https://quay.example/above/below/',
    'https://quay.example/renamed/below/',
  ])
  expect(after.headers.get('etag')).not.toBe(before.headers.get('etag'))
})

test('slugs are unique below one parent, also after a move', async () => {
  const above = await created({ title: 'Above' })
  const first = await created({ title: 'Team' })
  const second = await created({ title: 'Team', parent: above.id })
  expect([first.slug, second.slug]).toEqual(['team', 'team'])
  const moved = await edith('POST', `${pages}/${second.id}`, { body: { parent: 0 } })
  expect(moved.body).toMatchObject({ slug: 'team-2', parent: 0 })
})

test('a loop of parents ends at the top, and an unknown parent is refused', async () => {
  const a = await created({ title: 'A' })
  const b = await created({ title: 'B', parent: a.id })
  const looped = await edith('POST', `${pages}/${a.id}`, { body: { parent: b.id } })
  expect(looped.body.parent).toBe(0)
  const unknown = await edith('POST', `${pages}/${a.id}`, { body: { parent: site.ids['post.hello'] } })
  expect([unknown.status, unknown.body.code]).toEqual([400, 'rest_post_invalid_id'])
})

test('the children of a removed page move up, with free slugs', async () => {
  const a = await created({ title: 'A' })
  const b = await created({ title: 'B', parent: a.id })
  const taken = await created({ title: 'Same', parent: a.id })
  const child = await created({ title: 'Same', parent: b.id })
  await edith('DELETE', `${pages}/${b.id}`, { query: 'force=true' })
  const { body } = await site.visitor('GET', `${pages}/${child.id}`)
  expect([body.parent, body.slug, taken.slug]).toEqual([a.id, 'same-2', 'same'])
})

test('lists pages by parent and by place', async () => {
  const above = await created({ title: 'Above' })
  const late = await created({ title: 'Late', parent: above.id, menu_order: 2 })
  const early = await created({ title: 'Early', parent: above.id, menu_order: -1 })
  const listed = async (query: string) =>
    (await site.visitor('GET', pages, { query })).body.map(({ id }: { id: number }) => id)
  expect(await listed(`parent=${above.id}&orderby=menu_order&order=asc`)).toEqual([early.id, late.id])
  expect(await listed(`parent=${above.id}&menu_order=2`)).toEqual([late.id])
  expect(await listed(`parent_exclude=0,${above.id}`)).toEqual([site.ids['page.about']])
})

test('the edit context of pages of several parents takes one read for their generated slugs', async () => {
  const above = await created({ title: 'Above' })
  await created({ title: 'Journal', parent: above.id })
  const { body } = await edith('GET', pages, { query: 'context=edit' })
  const slugs = body.map(({ slug, generated_slug: generated }: { [name: string]: string }) => [slug, generated])
  expect(slugs).toContainEqual(['journal', 'journal'])
  expect(slugs.every(([slug, generated]: string[]) => slug === generated)).toBe(true)
})

test.each([
  ['arthur', 'POST', 403, 'rest_cannot_create'],
  ['connie', 'POST', 403, 'rest_cannot_create'],
  [null, 'POST', 401, 'rest_cannot_create'],
])('%s may not create pages', async (login, method, status, code) => {
  const { status: got, body } = await site.as(login)(method, pages, { body: { title: 'Mine' } })
  expect([got, body.code]).toEqual([status, code])
})

test('a page may be empty, and has the templates of pages', async () => {
  expect((await edith('POST', pages, { body: {} })).status).toBe(201)
  const refused = await edith('POST', pages, { body: { template: 'wide.php' } })
  expect(refused.body.data.details.template.code).toBe('rest_invalid_param')
  const wrong = await edith('POST', pages, { body: { template: 5 } })
  expect(wrong.body.data.details.template.code).toBe('rest_invalid_param')
})

test('a record tells in its link to itself what this caller may do', async () => {
  const hintOf = async (login: string | null) => {
    const { body } = await site.as(login)('GET', pages, { query: { include: site.ids['page.about'] ?? 0 } })
    return body[0]._links.self[0].targetHints.allow
  }
  expect(await hintOf(null)).toEqual(['GET'])
  expect(await hintOf('arthur')).toEqual(['GET'])
  expect(await hintOf('edith')).toEqual(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])
  expect(await hintOf(null)).toEqual(['GET'])
})

test('a page that stays where it is keeps its slug', async () => {
  const about = `${pages}/${site.ids['page.about']}`
  expect((await edith('POST', about, { body: { title: 'About us' } })).body).toMatchObject({ slug: 'about' })
})

test('a new page is closed to comments and pings, whatever the settings say of posts', async () => {
  expect(await created({ title: 'Quiet' })).toMatchObject({ comment_status: 'closed', ping_status: 'closed' })
  const { body } = await edith('POST', '/cms/v2/posts', { body: { title: 'Loud' } })
  expect(body).toMatchObject({ comment_status: 'open', ping_status: 'open' })
})
