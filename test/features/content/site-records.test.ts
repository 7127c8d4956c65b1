/** The code of the host manages records by the rules of the routes: `api.site.posts`, `pages` and `types`. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { kitchen } from '../../../docs/examples/content-type.ts'
import { content, profile } from '../../../src/index.ts'
import { createTestSite, type TestSite } from '../../support/site.ts'

let site: TestSite
beforeEach(async () => {
  site = await createTestSite({ profile: kitchen })
})
afterEach(async () => {
  expect(site.failures).toEqual([])
  await site.dispose()
})

test('creates, finds, changes, lists and removes posts as the host, with events', async () => {
  const { posts } = site.api.site
  const changed: string[] = []
  site.api.on('post.created', ({ post }) => void changed.push(`created ${post.slug}`))
  site.api.on('post.trashed', ({ post }) => void changed.push(`trashed ${post.title}`))
  const before = (await posts.list()).length
  const { id, status } = await posts.create({ title: 'High tide', slug: 'high-tide', author: 1 })
  expect(status).toBe('draft')
  await posts.update(id, { title: 'Low tide', status: 'publish' })
  expect((await site.visitor('GET', `/cms/v2/posts/${id}`)).body.title.rendered).toBe('Low tide')
  expect(await posts.find({ slug: 'high-tide' })).toMatchObject({ id, title: { raw: 'Low tide' } })
  expect(await posts.find({ id })).toMatchObject({ slug: 'high-tide' })
  expect([await posts.find({ slug: 'no-tide' }), await posts.find({ id: 999_999 })]).toEqual([undefined, undefined])
  expect(await posts.list()).toHaveLength(before + 1)
  expect(await posts.list({ search: 'Low tide' })).toMatchObject([{ id }])
  await posts.remove(id)
  expect([(await posts.list()).length, (await posts.find({ id }))?.status]).toEqual([before, 'trash'])
  await posts.remove(id, { force: true })
  expect(await posts.find({ id })).toBeUndefined()
  expect(changed).toEqual(['created high-tide', 'trashed Low tide'])
})

test('serves pages and types of the host, and follows the rules of the routes and of a user', async () => {
  const { pages, types } = site.api.site
  const above = await pages.create({ title: 'About', status: 'publish' })
  expect(await pages.create({ title: 'Us', parent: above.id })).toMatchObject({ parent: above.id })
  const recipe = await types['recipes']?.create({ title: 'Soup', meta: { servings: '6' } })
  expect(recipe?.meta).toMatchObject({ servings: 6 })
  await expect(site.api.site.posts.create({ title: 'x', status: 'lost' })).rejects.toMatchObject({ status: 400 })
  const sam = (await site.as('sam')('GET', '/cms/v2/users/me')).body.id
  await expect(site.api.site.posts.create({ title: 'x' }, { as: sam })).rejects.toMatchObject({ status: 403 })
})

test('refuses to look for a record of a type that the profile has no routes of', async () => {
  const features = content.features.filter(({ name }) => name !== 'pages')
  const other = await createTestSite({ profile: profile({ ...content, features }) })
  const { pages } = other.api.site
  await expect(pages.find({ id: 1 })).rejects.toMatchObject({ code: 'rest_no_route' })
  await expect(pages.find({ slug: 'about' })).rejects.toMatchObject({ code: 'rest_no_route' })
  await other.dispose()
})
