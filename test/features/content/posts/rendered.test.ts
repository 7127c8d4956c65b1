/** Tests the inputs of rendering besides the text of a post. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { content } from '../../../../src/profiles/content.ts'
import { createRender } from '../../../../src/render/index.ts'
import { createTestSite, type Requester, type TestSite } from '../../../support/site.ts'
import { recorded } from '../../../support/spied-storage.ts'

let site: TestSite
let edith: Requester
beforeAll(async () => {
  site = await createTestSite()
  edith = site.as('edith')
})
afterAll(() => site.dispose())

const posts = '/cms/v2/posts'

const create = async (body: object) => (await edith('POST', posts, { body: { status: 'publish', ...body } })).body

const created = async (body: object): Promise<number> => (await create(body)).id

const read = async (id: number): Promise<string> => (await site.visitor('GET', `${posts}/${id}`)).body.content.rendered

const notes = (content: string) => JSON.stringify([{ id: 'n', content }])

test('a change of the footnotes alone is seen in the content, also by readers of a cached response', async () => {
  const id = await created({ title: 'Noted', content: '<!-- cms:footnotes /-->', meta: { footnotes: notes('First.') } })
  expect(await read(id)).toContain('<li id="n">First. <a ')
  expect(await read(id)).toContain('<li id="n">First. <a ')
  const { body } = await edith('POST', `${posts}/${id}`, { body: { meta: { footnotes: notes('Second.') } } })
  expect(body.content.rendered).toContain('<li id="n">Second. <a ')
  expect(await read(id)).toContain('<li id="n">Second. <a ')
  await edith('POST', `${posts}/${id}`, { body: { meta: { footnotes: null } } })
  expect(await read(id)).toBe('')
})

test('the answer of a creation shows the footnotes that came with it', async () => {
  const { content } = await create({ content: '<!-- cms:footnotes /-->', meta: { footnotes: notes('At once.') } })
  expect(content.rendered).toContain('<li id="n">At once. <a ')
})

test('a revision shows the footnotes that it keeps', async () => {
  const id = await created({ title: 'Versions', content: '<!-- cms:footnotes /-->', meta: { footnotes: notes('One') } })
  await edith('POST', `${posts}/${id}`, { body: { title: 'Versions of it' } })
  await edith('POST', `${posts}/${id}`, { body: { meta: { footnotes: notes('Two') } } })
  const { body } = await edith('GET', `${posts}/${id}/revisions`)
  const shown = body.map(
    ({ content }: { content: { rendered: string } }) => /<li id="n">(\w+)/.exec(content.rendered)?.[1],
  )
  expect(shown).toEqual(['Two', 'One'])
})

test('players of a post have its id in theirs', async () => {
  const id = await created({ title: 'Heard', content: '[audio src="https://quay.example/waves.mp3"]' })
  expect(await read(id)).toContain(`id="audio-${id}-1"`)
})

test('a text is rendered again after a change of the settings that responses show, and not when a post is scheduled', async () => {
  const { calls, wrap } = recorded()
  // Whole responses are not cached, so that the rendered texts are asked for.
  const own = await createTestSite({ profile: content, storage: wrap, limits: { responseBytes: 0 } })
  try {
    await own.api.site.runDue()
    const address = `${posts}/${own.ids['post.tide']}`
    /** The inputs of a rendered text. */
    const readsOf = async () => {
      calls.length = 0
      expect((await own.as('sam')('GET', address)).status).toBe(200)
      return calls.filter(({ name, args }) => name === 'meta.read' && args[0] === 'post').length
    }
    const atFirst = await readsOf()
    expect(atFirst).toBeGreaterThan(0)
    expect(await readsOf()).toBe(0)
    const body = { title: 'Later', status: 'future', date: '2040-01-01T00:00:00' }
    expect((await own.as('edith')('POST', posts, { body })).status).toBe(201)
    expect(await readsOf()).toBe(0)
    await own.api.call('POST', '/cms/v2/settings', { title: 'Another quay' }, { as: own.ids['user.admin'] ?? 0 })
    expect(await readsOf()).toBe(atFirst)
  } finally {
    await own.dispose()
  }
})

test('a list after a write renders the text of the changed post alone, and shows all later changes of the others', async () => {
  let rendered = 0
  const render = createRender()
  const counting: typeof render = {
    ...render,
    content: (raw, context) => {
      rendered++
      return render.content(raw, context)
    },
  }
  const own = await createTestSite({ profile: content, services: { render: counting } })
  try {
    const [changed, other] = [own.ids['post.tide'], own.ids['post.hello']]
    interface Listed {
      readonly id: number
      readonly title: { readonly rendered: string }
      readonly categories: readonly number[]
      readonly class_list: readonly string[]
    }
    const list = async () => {
      rendered = 0
      const { status, body } = await own.visitor('GET', posts, { query: { include: `${changed},${other}` } })
      expect(status).toBe(200)
      return new Map((body as Listed[]).map((post) => [post.id, post]))
    }
    await list()
    expect(rendered).toBe(2)
    for (const title of ['Low water', 'High water']) {
      expect((await own.as('edith')('POST', `${posts}/${changed}`, { body: { title } })).status).toBe(200)
      expect((await list()).get(changed as number)?.title.rendered).toBe(title)
      expect(rendered).toBe(1)
    }
    const category = (await list()).get(other as number)?.categories[0]
    expect((await own.as('edith')('POST', `/cms/v2/categories/${category}`, { body: { slug: 'moved' } })).status).toBe(
      200,
    )
    expect((await list()).get(other as number)?.class_list).toContain('category-moved')
    await own.as('edith')('POST', `${posts}/${other}`, { body: { title: 'Another hello' } })
    expect((await list()).get(other as number)?.title.rendered).toBe('Another hello')
  } finally {
    await own.dispose()
  }
})
