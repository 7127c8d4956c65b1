/** `render.queries`: the change that a host makes to a list is the same on the page and in the routes that refresh it. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Storage } from '../../../../src/contract/storage.ts'
import { d2 } from '../../../../src/profiles/d2.ts'
import type { Query, QueryContext } from '../../../../src/render/builder/entry.ts'
import { storeDocument, storeTemplate, widgetElement } from '../../../support/documents.ts'
import { createTestSite, type TestSite } from '../../../support/site.ts'

let site: TestSite
let storage: Storage
let doc = 0
const seen: { readonly query: Query; readonly element: string; readonly page: number; readonly size: number }[] = []

const only =
  (...slugs: string[]) =>
  (query: Query, { element, page, size }: QueryContext): Query => {
    seen.push({ query, element, page, size })
    return { ...query, slugs, order: { by: 'slugs' } }
  }

beforeAll(async () => {
  site = await createTestSite({
    profile: d2,
    render: {
      queries: {
        picks: only('tide', 'knots', 'draft'),
        broken: () => undefined as never,
        hidden: (query) => ({ ...query, statuses: [{ status: 'draft' }], offset: 1 }) as Query,
        shuffle: ({ order: _order, ...query }) => query,
      },
    },
    storage: (opened) => {
      storage = opened
      return opened
    },
  })
  const title = '[builder-tag id="t" name="post-title" settings=""]'
  const item = [widgetElement('item001', 'heading', { __dynamic__: { title } })]
  const template = await storeTemplate(storage, 'loop-item', item, { author: site.ids['user.admin'] ?? 0 })
  const loop = (id: string, queryId: string, more: object = {}) =>
    widgetElement(id, 'loop-grid', { template_id: template, posts_per_page: 50, post_query_query_id: queryId, ...more })
  doc = await storeDocument(
    site,
    [
      loop('loop001', 'picks', { posts_per_page: 1, pagination_type: 'numbers' }),
      widgetElement('posts01', 'posts', { posts_query_id: 'picks' }),
      loop('broken1', 'broken'),
      loop('hidden1', 'hidden'),
      loop('hidden2', ''),
      loop('absent1', 'constructor'),
      loop('shuffl1', 'shuffle'),
    ],
    { title: 'Lists' },
  )
})
afterAll(() => site.dispose())

const page = async () => {
  const rendered = await site.api.render.document(doc)
  if (!rendered) throw new Error('the document was not rendered')
  const parts = new Map(rendered.html.split(/(?=<div [^>]*data-id=")/).map((part) => [idOf(part), part]))
  return { ...rendered, part: (id: string) => parts.get(id) ?? '' }
}
const idOf = (part: string) => /data-id="([^"]*)"/.exec(part)?.[1]
const items = (html: string) => [...html.matchAll(/e-loop-item-(\d+)/g)].map(([, id]) => Number(id))
const titlesIn = (html: string) => [...html.matchAll(/builder-post__title"><a[^>]*>([^<]*)</g)].map(([, text]) => text)

test('a change decides what a loop and a posts widget show, and in which order', async () => {
  const { html } = await page()
  const loop = html.slice(html.indexOf('data-id="loop001"'), html.indexOf('data-id="posts01"'))
  expect(items(loop)[0]).toBe(site.ids['post.tide'])
  expect(loop).toContain('page-numbers')
  const posts = html.slice(html.indexOf('data-id="posts01"'), html.indexOf('data-id="broken1"'))
  const [tide, knots] = await storage.posts.read([site.ids['post.tide'] ?? 0, site.ids['post.knots'] ?? 0])
  expect(titlesIn(posts)).toEqual([tide?.title, knots?.title])
})

test('a change gets the query of the settings, and where it is asked', async () => {
  seen.length = 0
  await storage.posts.update([{ id: site.ids['post.tide'] ?? 0, changes: { menuOrder: 1 } }])
  await page()
  expect(seen.find(({ element }) => element === 'loop001')).toEqual({
    query: { types: ['post'], order: { by: 'date', descending: true } },
    ...{ element: 'loop001', page: 1, size: 1 },
  })
})

test('the routes that refresh a list ask the same way', async () => {
  const root = '/builder-pro/v1'
  const body = { post_id: doc, widget_id: 'loop001', widget_filters: {} }
  const { body: first } = await site.visitor('POST', `${root}/refresh-loop`, { body })
  expect(items(first.data)).toContain(site.ids['post.tide'])
  expect(items(first.data)).not.toContain(site.ids['post.knots'])
  const query = { post_id: doc, element_id: 'loop001', page: 2 }
  const { body: second } = await site.visitor('GET', `${root}/posts-widget`, { query })
  expect(items(second.content)).toContain(site.ids['post.knots'])
})

test('a change shows neither drafts nor another page than its own', async () => {
  const { html } = await page()
  const at = (id: string) => html.indexOf(`data-id="${id}"`)
  const hidden = items(html.slice(at('hidden1'), at('hidden2')))
  expect(hidden).toEqual(items(html.slice(at('hidden2'), at('absent1'))))
  expect(hidden).not.toContain(site.ids['post.draft'])
  expect(items(html)).not.toContain(site.ids['post.draft'])
  // A name that the object of the host only inherits is none of its changes.
  expect(items(html.slice(at('absent1'), at('shuffl1')))).toEqual(hidden)
})

test('without an order the list is shuffled, the same for a day', async () => {
  const once = (await page()).html
  const shuffled = items(once.slice(once.indexOf('data-id="shuffl1"')))
  const all = items(once.slice(once.indexOf('data-id="hidden2"'), once.indexOf('data-id="absent1"')))
  expect(shuffled.toSorted()).toEqual(all.toSorted())
})

test('a change that returns no query leaves its element out with a warning', async () => {
  const { html, warnings } = await page()
  expect(html).not.toContain('data-id="broken1"')
  expect(warnings).toContainEqual({ code: 'element_failed', element: 'broken1' })
})
