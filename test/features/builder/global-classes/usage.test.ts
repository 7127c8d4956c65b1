import { expect, test } from 'vitest'
import { aClass, adding, element, openSite, root } from './fixture.ts'

const usage = async ({ ada }: Awaited<ReturnType<typeof openSite>>, context = 'frontend') =>
  (await ada('GET', `${root}/usage`, { query: { context } })).body

test('usage is empty while no class is used', async () => {
  const site = await openSite()
  expect(await usage(site)).toEqual({ data: {}, meta: [] })
  await site.put(adding(aClass('g-1')))
  expect(await usage(site)).toEqual({ data: {}, meta: [] })
})

test('usage counts live classes in all documents outside the trash', async () => {
  const site = await openSite()
  const { ids, put, build, ada } = site
  await put(adding(aClass('g-1', 'one'), aClass('g-2', 'two')))
  await put({ context: 'preview', ...adding(aClass('g-3', 'three')) })
  await build('post.hello', [element('a', ['g-1', 'g-1', 'g-3'], [element('b', ['x', 'g-1'])]), element('c', ['g-2'])])
  await build('post.draft', [element('d', ['g-1'])], { _builder_template_type: 'page' })
  await build('post.tide', [element('e', ['g-1'])], { _builder_template_type: 'e-flexbox' })
  await build('post.knots', [element('f', ['g-1'])])
  await ada('DELETE', `/cms/v2/posts/${ids['post.knots']}`)
  await build('post.ferry', [element('g', [])])
  const item = { uid: 'u', title: 'Card', elements: [element('h', ['g-2'])] }
  const { data } = (await ada('POST', '/builder/v1/components', { body: { status: 'draft', items: [item] } })).body
  const expected = {
    'g-1': [
      { pageId: ids['post.hello'], title: 'Hello quay', type: 'wp-post', total: 2, elements: ['a', 'b'] },
      { pageId: ids['post.draft'], title: 'Draft of an author', type: 'page', total: 1, elements: ['d'] },
    ],
    'g-2': [
      { pageId: ids['post.hello'], title: 'Hello quay', type: 'wp-post', total: 1, elements: ['c'] },
      { pageId: data.u, title: 'Card', type: 'builder_component', total: 1, elements: ['h'] },
    ],
  }
  expect(await usage(site)).toEqual({ data: expected, meta: [] })
  expect(await usage(site, 'preview')).toEqual({ data: expected, meta: [] })
})

test('removes a deleted class from all documents, also those of other users', async () => {
  const site = await openSite()
  const { api, ids, put, build, elementsOf, read } = site
  await put(adding(aClass('g-1', 'one'), aClass('g-2', 'two')))
  await build('post.hello', [element('a', ['g-1', 'g-2', 'g-1'], [element('b', ['g-1'])])])
  await build('post.private', [element('c', ['g-2'])])
  const events: unknown[] = []
  api.on('post.updated', ({ post, changedMeta }) => void events.push([post.id, changedMeta]))
  const goes = { changes: { added: [], deleted: ['g-1', 'g-0'], modified: [] }, items: {}, order: [] }
  await put({ context: 'preview', ...goes })
  expect(await elementsOf('post.hello')).toEqual([element('a', ['g-1', 'g-2', 'g-1'], [element('b', ['g-1'])])])
  await put(goes)
  expect((await read()).meta.order).toEqual(['g-2'])
  expect(await elementsOf('post.hello')).toEqual([element('a', ['g-2'], [element('b', [])])])
  expect(await elementsOf('post.private')).toEqual([element('c', ['g-2'])])
  expect(events).toEqual([[ids['post.hello'], ['_builder_data']]])
})

test('usage reads documents in windows: the number of calls does not grow with the documents', async () => {
  const counted = { calls: 0 }
  const site = await openSite({
    storage: (storage) => ({
      ...storage,
      posts: counting(storage.posts, counted),
      meta: counting(storage.meta, counted),
    }),
  })
  await site.put(adding(aClass('g-1')))
  const posts = ['hello', 'ferry', 'tide', 'knots', 'pinned', 'wide', 'built', 'draft', 'pending', 'private']
  const cost = async () => {
    counted.calls = 0
    await usage(site)
    return counted.calls
  }
  await site.build('post.hello', [element('a', ['g-1'])])
  const smallCost = await cost()
  for (const name of posts) await site.build(`post.${name}`, [element('a', ['g-1'])])
  expect(await cost()).toBe(smallCost)
})

function counting<T extends object>(store: T, counted: { calls: number }): T {
  return new Proxy(store, {
    get(target, name) {
      const value = Reflect.get(target, name)
      if (typeof value !== 'function') return value
      return (...args: unknown[]) => {
        counted.calls++
        return value.apply(target, args)
      }
    },
  })
}
