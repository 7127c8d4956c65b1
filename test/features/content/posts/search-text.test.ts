import { afterEach, expect, test } from 'vitest'
import { blankPost } from '../../../../src/contract/fields/blank.ts'
import type { Storage } from '../../../../src/contract/storage.ts'
import { createSiteApi } from '../../../../src/host/create-site-api.ts'
import { d1 } from '../../../../src/profiles/d1.ts'
import { widgetElement } from '../../../support/documents.ts'
import { baseUrl, createTestSite, type TestSite } from '../../../support/site.ts'

let site: TestSite
let storage: Storage
afterEach(() => site.dispose())

async function open(): Promise<void> {
  site = await createTestSite({
    storage: (opened) => {
      storage = opened
      return opened
    },
  })
}

let rows = 0

/** An older row has the meta of the page builder, and nothing in its columns. */
async function insertBuilt(title: string, columns: object = {}): Promise<number> {
  const date = '2024-01-01T00:00:00'
  const [id = 0] = await storage.posts.insert([
    {
      ...{ ...blankPost, type: 'post', status: 'publish', author: site.ids['user.admin'] ?? 0 },
      ...{ slug: `built-${++rows}`, title: 'A built post', ...columns },
      ...{ date, dateGmt: date, modified: date, modifiedGmt: date },
    },
  ])
  await storage.meta.write('post', [
    { id, key: '_builder_edit_mode', value: 'builder' },
    { id, key: '_builder_data', value: JSON.stringify([widgetElement('1a2b3c5', 'heading', { title })]) },
  ])
  return id
}

/** As in a storage that a version without this task has written. */
const forget = () => storage.options.write({ due: null, plain_forms_after: null })

async function contentOf(id: number): Promise<string | undefined> {
  return (await storage.posts.read([id]))[0]?.content
}

const found = async (text: string) =>
  (await site.visitor('GET', '/cms/v2/posts', { query: { search: text } })).body.map((post: { id: number }) => post.id)

test('the first request, which does not wait, makes the search find a built post of before', async () => {
  await open()
  const id = await insertBuilt('Lanterns of the harbour')
  await forget()
  const indexed = new Promise<readonly number[]>((resolve) => {
    site.api.on('search.indexed', ({ posts }) => resolve(posts))
  })
  expect(await found('lanterns')).toEqual([])
  expect(await indexed).toEqual([id])
  expect(await found('lanterns')).toEqual([id])
  expect(await contentOf(id)).toBe('<p>Lanterns of the harbour</p>')
  const [row] = await storage.posts.read([id])
  expect(row?.modified).toBe('2024-01-01T00:00:00')
})

test('a post with a content of its own keeps it, and so does one that the builder does not edit', async () => {
  await open()
  const written = await insertBuilt('Lanterns', { content: '<p>By hand.</p>' })
  const plain = await insertBuilt('Ropes')
  await storage.meta.write('post', [{ id: plain, key: '_builder_edit_mode', value: '' }])
  await forget()
  await site.api.site.runDue()
  expect([await contentOf(written), await contentOf(plain)]).toEqual(['<p>By hand.</p>', ''])
})

test('the work comes in slices of at most ten documents, which a new process continues', async () => {
  await open()
  const ids: number[] = []
  for (let count = 0; count < 23; count++) ids.push(await insertBuilt(`Lantern ${count}`))
  await forget()
  const slices: { readonly posts: readonly number[]; readonly isDone: boolean }[] = []
  site.api.on('search.indexed', (slice) => void slices.push(slice))
  await site.api.site.runDue()
  expect(slices[0]?.posts.length).toBeLessThanOrEqual(10)
  expect(slices[0]?.isDone).toBe(false)
  // Nothing is due before the pause is over.
  await site.api.site.runDue()
  expect(slices).toHaveLength(1)
  const next = createSiteApi({ profile: d1, url: baseUrl, clock: () => site.clock.now, storage })
  next.on('search.indexed', (slice) => void slices.push(slice))
  for (let run = 0; run < 30 && slices.at(-1)?.isDone === false; run++) {
    site.clock.now += 1000
    await next.site.runDue()
  }
  expect(slices.flatMap(({ posts }) => posts)).toEqual(ids)
  for (const slice of slices) expect(slice.posts.length).toBeLessThanOrEqual(10)
  expect(await contentOf(ids.at(-1) ?? 0)).toBe('<p>Lantern 22</p>')
})

test('several processes at once write each post once', async () => {
  await open()
  const ids: number[] = []
  for (let count = 0; count < 12; count++) ids.push(await insertBuilt(`Lantern ${count}`))
  await forget()
  const written: number[] = []
  const apis = [0, 1, 2].map(() => createSiteApi({ profile: d1, url: baseUrl, clock: () => site.clock.now, storage }))
  for (const api of apis) api.on('search.indexed', ({ posts }) => void written.push(...posts))
  for (let run = 0; run < 30 && written.length < ids.length; run++) {
    await Promise.all(apis.map((api) => api.site.runDue()))
    site.clock.now += 1000
  }
  expect(written.toSorted((a, b) => a - b)).toEqual(ids)
  expect((await storage.posts.read(ids)).map(({ version }) => version)).toEqual(ids.map(() => 2))
})

test('a document that can not be read is passed over', async () => {
  await open()
  const broken = await insertBuilt('x')
  await storage.meta.write('post', [{ id: broken, key: '_builder_data', value: '[{' }])
  const whole = await insertBuilt('Lanterns')
  await forget()
  await site.api.site.runDue()
  expect([await contentOf(broken), await contentOf(whole)]).toEqual(['', '<p>Lanterns</p>'])
})
