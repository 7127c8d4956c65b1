import { expect, test } from 'vitest'
import { errorOf, item, openSite, root } from './fixture.ts'

const rename = (componentId: number, title: string, status: string) => ({
  components: [{ componentId, title }],
  status,
})

test('a draft is visible only to its author until it is published', async () => {
  const { ada, create, post, list, promoteEdith } = await openSite()
  const edith = await promoteEdith()
  const id = await create({ title: 'Card' })
  for (const status of ['draft', 'autosave']) {
    const { body } = await post('/update-titles', rename(id, `Tile ${status}`, status))
    expect(body).toEqual({ data: { failedIds: [], successIds: [id] }, meta: [] })
  }
  expect((await post('/archive', { componentIds: [id], status: 'draft' })).body.data.successIds).toEqual([id])
  expect((await list())[0]).toMatchObject({ name: 'Tile autosave', isArchived: true })
  expect((await list(edith))[0]).toMatchObject({ name: 'Card', isArchived: false })
  const { status, body } = await ada('PUT', `${root}/status`, {
    body: { status: 'publish', ids: [id, 99_999, id, 1.5] },
  })
  expect([status, body]).toEqual([200, { data: { success: [id], failed: [99_999, 1.5] }, meta: [] }])
  expect((await list(edith))[0]).toMatchObject({ name: 'Tile autosave', isArchived: true })
})

test('publishing uses the newest draft and removes the others', async () => {
  const { ada, create, post, list, clock, promoteEdith } = await openSite()
  const edith = await promoteEdith()
  const id = await create({ title: 'Card' })
  clock.now += 1000
  await post('/update-titles', rename(id, 'Of ada', 'draft'))
  clock.now += 1000
  await post('/update-titles', rename(id, 'Of edith', 'draft'), edith)
  clock.now += 1000
  await ada('PUT', `${root}/status`, { body: { status: 'publish', ids: [id] } })
  expect([(await list())[0].name, (await list(edith))[0].name]).toEqual(['Of edith', 'Of edith'])
})

test('a draft that is older than the component is ignored and replaced', async () => {
  const { api, ada, create, post, list, clock, promoteEdith } = await openSite()
  const edith = await promoteEdith()
  const id = await create({ title: 'Card' })
  await post('/update-titles', rename(id, 'Old draft', 'draft'))
  clock.now += 1000
  await post('/update-titles', rename(id, 'Named by edith', 'publish'), edith)
  expect((await list())[0].name).toBe('Named by edith')
  await ada('PUT', `${root}/status`, { body: { status: 'publish', ids: [id] } })
  expect((await list())[0].name).toBe('Named by edith')
  await post('/update-titles', rename(id, 'New draft', 'draft'))
  clock.now += 1000
  await post('/update-titles', rename(id, 'Changed again', 'publish'), edith)
  await post('/update-titles', rename(id, 'Newest draft', 'draft'))
  expect((await list())[0].name).toBe('Newest draft')
  const { documents = [] } = await api.site.export()
  expect(documents[0]?.revisions?.map(({ title }) => title)).toEqual(['Newest draft'])
})

test("status publish changes the caller's draft if there is one, otherwise the component", async () => {
  const { create, post, list, promoteEdith } = await openSite()
  const edith = await promoteEdith()
  const id = await create({ title: 'Card' })
  await post('/update-titles', rename(id, 'At once', 'publish'))
  expect((await list(edith))[0].name).toBe('At once')
  await post('/update-titles', rename(id, 'Later', 'draft'))
  await post('/update-titles', rename(id, 'Into the draft', 'publish'))
  expect([(await list())[0].name, (await list(edith))[0].name]).toEqual(['Into the draft', 'At once'])
})

test('renaming lists unknown components and empty titles as failed and renames the others', async () => {
  const { ids, create, post, list } = await openSite()
  const [one, two] = [await create({ title: 'One' }), await create({ title: 'Two' })]
  const components = [
    { componentId: one, title: '<b>Uno</b>' },
    { componentId: two, title: ' <i></i> ' },
    { componentId: 99_999, title: 'Nobody' },
    { componentId: ids['post.hello'], title: 'No component' },
  ]
  const { status, body } = await post('/update-titles', { components, status: 'publish' })
  expect([status, body.data]).toEqual([200, { failedIds: [two, 99_999, ids['post.hello']], successIds: [one] }])
  const rows = await list()
  expect(rows.map(({ name }: { name: string }) => name).sort()).toEqual(['Two', 'Uno'])
})

test('archiving frees the title, reserves the uid, and can be repeated', async () => {
  const { create, post, list } = await openSite()
  const id = await create({ uid: 'gone', title: 'Card' })
  for (let round = 0; round < 2; round++) {
    const { status, body } = await post('/archive', { componentIds: [id, 99_999], status: 'publish' })
    expect([status, body]).toEqual([200, { data: { failedIds: [99_999], successIds: [id] }, meta: [] }])
  }
  await create({ title: 'Card' })
  expect(errorOf(await post('', { status: 'draft', items: [item({ uid: 'gone' })] }))).toEqual([
    422,
    'components_validation_failed',
  ])
  expect((await list()).map(({ isArchived }: { isArchived: boolean }) => isArchived)).toEqual([false, true])
})

test('refuses more than 1000 ids and invalid ids with 400', async () => {
  const { post } = await openSite()
  for (const componentIds of [Array.from({ length: 1001 }, (_, index) => index), [1e300], ['x'], [null]]) {
    const response = await post('/archive', { componentIds, status: 'draft' })
    expect(errorOf(response)).toEqual([400, 'rest_invalid_param'])
  }
})

test('publishes a component that was created as a draft', async () => {
  const { api, ada, create } = await openSite()
  const id = await create({ title: 'Card' }, 'draft')
  const status = async () => (await api.site.export()).documents?.[0]?.status
  expect(await status()).toBe('draft')
  await ada('PUT', `${root}/status`, { body: { status: 'publish', ids: [id] } })
  expect(await status()).toBe('publish')
  const draft = { status: 'draft', ids: [id] }
  expect(errorOf(await ada('PUT', `${root}/status`, { body: draft }))).toEqual([400, 'rest_invalid_param'])
})

test('a list costs the same number of storage calls for 60 components as for one', async () => {
  const counted = { calls: 0 }
  const site = await openSite({
    storage: (storage) => ({
      ...storage,
      atomic: storage.atomic?.bind(storage),
      posts: counting(storage.posts, counted),
      meta: counting(storage.meta, counted),
    }),
  })
  const cost = async (path: string) => {
    counted.calls = 0
    await site.ada('GET', root + path)
    return counted.calls
  }
  const id = await site.create()
  await site.post('/update-titles', rename(id, 'Draft', 'draft'))
  const before = [await cost(''), await cost('/styles')]
  const { data } = (await site.post('', { status: 'draft', items: Array.from({ length: 60 }, () => item()) })).body
  const components = Object.values(data).map((componentId) => ({ componentId, title: 'Renamed' }))
  await site.post('/update-titles', { components, status: 'draft' })
  expect([await cost(''), await cost('/styles')]).toEqual(before)
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

test('emits an event for each change', async () => {
  const { api, ada, create, post } = await openSite()
  const events: unknown[] = []
  for (const name of ['created', 'published', 'archived', 'renamed', 'drafted', 'locked', 'unlocked'] as const) {
    api.on(`component.${name}`, ({ id }) => void events.push([name, id]))
  }
  const id = await create()
  await post('/update-titles', rename(id, 'New name', 'draft'))
  await ada('PUT', `${root}/status`, { body: { status: 'publish', ids: [id] } })
  await post('/update-titles', rename(id, 'Newer name', 'publish'))
  await post('/lock', { componentId: id })
  await post('/unlock', { componentId: id })
  await post('/unlock', { componentId: id })
  await post('/archive', { componentIds: [id], status: 'publish' })
  await post('/archive', { componentIds: [id], status: 'publish' })
  const names = 'created published drafted published renamed locked unlocked archived'.split(' ')
  expect(events).toEqual(names.map((name) => [name, id]))
})
