/** A content type of a host, as in docs/add-a-content-type.md. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { kitchen } from '../../../docs/examples/content-type.ts'
import { createTestSite, type TestSite } from '../../support/site.ts'

let site: TestSite
beforeEach(async () => {
  site = await createTestSite({ profile: kitchen })
})
afterEach(async () => {
  expect(site.failures).toEqual([])
  await site.dispose()
})

test('has routes with the members that it supports', async () => {
  const arthur = site.as('arthur')
  const { status, headers, body } = await arthur('POST', '/cms/v2/recipes', {
    body: { title: 'Soup', content: '<p>Stir.</p>', status: 'publish', meta: { servings: 6 }, excerpt: 'dropped' },
  })
  expect([status, headers.get('location')]).toEqual([201, `https://quay.example/api/cms/v2/recipes/${body.id}`])
  expect(body).toMatchObject({ type: 'recipe', slug: 'soup', meta: { servings: 6, footnotes: '' } })
  for (const absent of ['excerpt', 'sticky', 'format', 'categories', 'parent', 'menu_order', 'featured_media']) {
    expect(body).not.toHaveProperty(absent)
  }
  const listed = await site.visitor('GET', '/cms/v2/recipes')
  expect(listed.body.map(({ id }: { id: number }) => id)).toEqual([body.id])
  const posts = await site.visitor('GET', `/cms/v2/posts/${body.id}`)
  expect([posts.status, posts.body.code]).toEqual([404, 'rest_post_invalid_id'])
})

test('checks its fields', async () => {
  const { status, body } = await site.as('edith')('POST', '/cms/v2/recipes', {
    body: { title: 'Soup', meta: { servings: 'many' } },
  })
  expect([status, body.code]).toEqual([400, 'rest_invalid_type'])
})

test('has revisions, and is listed among the types', async () => {
  const edith = site.as('edith')
  const { body } = await edith('POST', '/cms/v2/recipes', { body: { title: 'Soup', status: 'publish' } })
  await edith('POST', `/cms/v2/recipes/${body.id}`, { body: { title: 'Stew' } })
  const { body: revisions } = await edith('GET', `/cms/v2/recipes/${body.id}/revisions`)
  expect(revisions).toHaveLength(1)
  const { body: type } = await site.visitor('GET', '/cms/v2/types/recipe')
  expect(type).toMatchObject({ name: 'Recipes', slug: 'recipe', rest_base: 'recipes', taxonomies: [] })
  expect((await site.api.site.export()).documents?.map(({ type: name }) => name)).toEqual(['recipe'])
})
