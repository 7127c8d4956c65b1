/** Declares a content type and a taxonomy of a host, as in docs/add-a-content-type.md. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { kitchen } from '../../../docs/examples/content-type.ts'
import type { PostQuery } from '../../../src/contract/storage.ts'
import { contentType, profile } from '../../../src/index.ts'
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
  expect(type).toMatchObject({ name: 'Recipes', slug: 'recipe', rest_base: 'recipes', taxonomies: ['cuisine'] })
  expect((await site.api.site.export()).documents?.map(({ type: name }) => name)).toEqual(['recipe'])
})

test('has a taxonomy with typed fields, a filter, counts, links and embeds', async () => {
  const edith = site.as('edith')
  const north = await edith('POST', '/cms/v2/cuisines', { body: { name: 'Northern', meta: { country: 'Norway' } } })
  expect(north.body).toMatchObject({ taxonomy: 'cuisine', slug: 'northern', parent: 0, meta: { country: 'Norway' } })
  const coast = await edith('POST', '/cms/v2/cuisines', { body: { name: 'Coast', parent: north.body.id } })
  expect(coast.body.link).toBe('https://quay.example/cuisine/northern/coast/')
  const wrong = await edith('POST', '/cms/v2/cuisines', { body: { name: 'X', meta: { country: 5 } } })
  expect([wrong.status, wrong.body.code]).toEqual([400, 'rest_invalid_type'])
  const soup = { title: 'Soup', status: 'publish', cuisines: [coast.body.id] }
  const { body: recipe } = await edith('POST', '/cms/v2/recipes', { body: soup })
  await edith('POST', '/cms/v2/recipes', { body: { title: 'Toast', status: 'publish' } })
  expect(recipe.cuisines).toEqual([coast.body.id])
  const query = `cuisines[terms]=${north.body.id}&cuisines[include_children]=true&_embed=cms:term`
  const { body: listed } = await site.visitor('GET', '/cms/v2/recipes', { query })
  expect(listed.map(({ id }: { id: number }) => id)).toEqual([recipe.id])
  expect(listed[0]._embedded['cms:term']).toMatchObject([[{ name: 'Coast', taxonomy: 'cuisine' }]])
  const { body: read } = await site.visitor('GET', `/cms/v2/cuisines/${coast.body.id}`)
  expect(read).toMatchObject({ count: 1 })
  expect(read._links['cms:post_type']).toEqual([
    { href: `https://quay.example/api/cms/v2/recipes?cuisines=${coast.body.id}` },
  ])
  const { body: taxonomy } = await site.visitor('GET', '/cms/v2/taxonomies/cuisine')
  expect(taxonomy).toMatchObject({ name: 'Cuisines', hierarchical: true, rest_base: 'cuisines', types: ['recipe'] })
  const { body: again } = await site.as('edith')('GET', `/cms/v2/recipes/${recipe.id}`, { query: 'context=edit' })
  expect(again._links).toHaveProperty('cms:action-create-cuisines')
})

test('without revisions and authors keeps no versions, and stays when its author is removed', async () => {
  const notices = contentType({
    ...{ name: 'notice', labels: { singular: 'Notice', plural: 'Notices' }, restBase: 'notices' },
    supports: ['title', 'editor'],
  })
  await site.dispose()
  const board = profile({ ...kitchen, name: 'board', features: [...kitchen.features, notices] })
  site = await createTestSite({ profile: board })
  const events: [string, string[]?][] = []
  site.api.on('post.updated', ({ changedMeta }) => void events.push(['updated', [...changedMeta]]))
  site.api.on('revision.created', () => void events.push(['revision']))
  const aiko = site.as('aiko')
  const { body } = await aiko('POST', '/cms/v2/notices', {
    body: { title: 'Ice', content: 'Thin.', status: 'publish' },
  })
  const path = `/cms/v2/notices/${body.id}`
  expect((await aiko('POST', path, { body: { title: 'Thick ice', meta: { footnotes: '[]' } } })).status).toBe(200)
  expect(events).toEqual([['updated', ['footnotes']]])
  const kept = { types: ['revision'], parents: [body.id], order: { by: 'id', descending: false }, offset: 0, limit: 9 }
  expect((await site.api['~parts'].storage.posts.query(kept as PostQuery)).idsPage).toEqual([])
  const query = 'force=true&reassign=false'
  const removed = await site.as('ada')('DELETE', `/cms/v2/users/${site.ids['user.author2']}`, { query })
  expect(removed.status).toBe(200)
  expect((await site.visitor('GET', path)).body).toMatchObject({ status: 'publish', title: { rendered: 'Thick ice' } })
})
