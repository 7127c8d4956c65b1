import { expect, test } from 'vitest'
import { instanceOf } from './elements.ts'
import { atomic, errorOf, heading, openSite, root } from './fixture.ts'

test.each(['page', 'template', 'component'] as const)(
  'a duplicated %s is a draft with the same elements',
  async (kind) => {
    const site = await openSite()
    const id = kind === 'page' ? (site.ids['page.about'] as number) : await site[kind]('Wall')
    if (kind === 'page') await site.ada('POST', `${root}/${id}`, { body: { elements: [heading('Wall')] } })
    const before = (await site.ada('GET', `${root}/${id}`)).body
    const { status, body } = await site.ada('POST', `${root}/${id}/duplicate`)
    expect([status, body.id === id, body.status]).toEqual([201, false, 'draft'])
    expect(body).toMatchObject({ kind, type: before.type, title: `${before.title} (copy)`, elements: before.elements })
    expect((await site.ada('GET', `${root}/${id}`)).body).toEqual(before)
  },
)

test('a second copy of a component has a title of its own', async () => {
  const { ada, component } = await openSite()
  const id = await component('Card')
  const duplicate = async () => (await ada('POST', `${root}/${id}/duplicate`)).body.title
  expect([await duplicate(), await duplicate()]).toEqual(['Card (copy)', 'Card (copy) 2'])
})

test.each([
  [
    { kind: 'page', title: 'Map', elements: [heading('Map')] },
    { status: 'draft', kind: 'page' },
  ],
  [
    { kind: 'template', type: 'footer', status: 'publish', elements: [] },
    { status: 'publish', type: 'footer', title: '' },
  ],
  [{ kind: 'component', title: 'Tile', status: 'publish', elements: [atomic('T')] }, { kind: 'component' }],
])('%j is created', async (body, expected) => {
  const { ada } = await openSite()
  const { status, body: made } = await ada('POST', root, { body })
  expect([status, made]).toEqual([201, expect.objectContaining({ ...expected, elements: body.elements })])
  expect((await ada('GET', `${root}/${made.id}`)).body).toEqual(made)
})

test('who may not create a kind of document is refused', async () => {
  const { as } = await openSite()
  const create = async (login: string, kind: string) =>
    errorOf(await as(login)('POST', root, { body: { kind, title: 'New one' } }))
  expect(await create('connie', 'page')).toEqual([403, 'rest_cannot_create'])
  expect(await create('edith', 'component')).toEqual([403, 'rest_cannot_create'])
  expect(await create('connie', 'post')).toEqual([201, undefined])
})

test('the documents that use a template or a component are listed, those of others only to whom they are shown', async () => {
  const { ada, as, ids, component, template } = await openSite()
  const [card, top] = [await component(), await template('Top')]
  const used = (id: number, send = ada) => send('GET', `${root}/${id}/used-by`)
  expect((await used(card)).body).toEqual([])
  await ada('POST', `${root}/${ids['page.about']}`, { body: { elements: [instanceOf(card)] } })
  await ada('POST', `${root}/${ids['post.ferry']}`, {
    body: { elements: [heading('x', { template_id: String(top), note: String(card) })] },
  })
  expect((await used(card)).body).toMatchObject([{ id: ids['page.about'], kind: 'page' }])
  expect((await used(card, as('connie'))).body).toEqual([])
  expect((await used(top)).body).toMatchObject([{ id: ids['post.ferry'], kind: 'post' }])
})

test('a deleted document goes to the trash, and with force for good', async () => {
  const { ada, ids } = await openSite()
  const path = `${root}/${ids['page.about']}`
  expect((await ada('DELETE', path)).body).toEqual({ deleted: true, trashed: true })
  expect((await ada('GET', `/cms/v2/pages/${ids['page.about']}`)).body.status).toBe('trash')
  expect((await ada('DELETE', path, { query: 'force=true' })).body).toEqual({ deleted: true, trashed: false })
  expect(errorOf(await ada('GET', path))).toEqual([404, 'document_not_found'])
})

test('a preview address shows a draft to a visitor until its time is over', async () => {
  const { ada, ids, clock } = await openSite()
  const path = `${root}/${ids['post.draft']}`
  const { body } = await ada('POST', `${path}/preview`, { body: { hours: 2 } })
  expect(body).toMatchObject({
    url: expect.stringContaining(`?p=${ids['post.draft']}&preview=`),
    until: '2024-06-15T14:00:00',
  })
  expect(errorOf(await ada('POST', `${path}/preview`, { body: { hours: 0 } }))).toEqual([400, 'rest_invalid_param'])
  expect(clock.now).toBeGreaterThan(0)
})
