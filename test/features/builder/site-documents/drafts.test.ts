import { expect, test } from 'vitest'
import { atomic, errorOf, heading, openSite, root, shown } from './fixture.ts'

test('an autosave keeps the draft of its author beside the document until it is published', async () => {
  const { ada, as, ids, clock } = await openSite()
  const path = `${root}/${ids['page.about']}`
  await ada('POST', path, { body: { elements: [heading('Public')] } })
  clock.now += 1000
  const drafted = await ada('POST', `${path}/autosave`, { body: { elements: [heading('Secret')], title: 'New' } })
  expect(shown(drafted.body.elements)).toEqual(['Public'])
  expect(drafted.body.draft).toMatchObject({ title: 'New', elements: [{ settings: { title: 'Secret' } }] })
  expect((await as('edith')('GET', path)).body.draft).toBeNull()
  clock.now += 1000
  const { body } = await ada('POST', `${path}/publish`)
  expect([shown(body.elements), body.title, body.draft]).toEqual([['Secret'], 'New', null])
})

test('a discarded draft is gone, and the document stays', async () => {
  const { ada, ids, clock } = await openSite()
  const path = `${root}/${ids['page.about']}`
  await ada('POST', path, { body: { elements: [heading('Public')] } })
  clock.now += 1000
  await ada('POST', `${path}/autosave`, { body: { elements: [heading('Secret')] } })
  const { body } = await ada('POST', `${path}/discard`)
  expect([shown(body.elements), body.draft]).toEqual([['Public'], null])
  clock.now += 1000
  expect(shown((await ada('POST', `${path}/publish`)).body.elements)).toEqual(['Public'])
})

test('a save of elements replaces the draft of its author', async () => {
  const { ada, ids } = await openSite()
  const path = `${root}/${ids['page.about']}`
  await ada('POST', `${path}/autosave`, { body: { elements: [heading('Draft')] } })
  const { body } = await ada('POST', path, { body: { elements: [heading('Saved')] } })
  expect(body.draft).toBeNull()
  expect(shown((await ada('POST', `${path}/publish`)).body.elements)).toEqual(['Saved'])
})

test("an autosave of one's own draft is written to the document itself", async () => {
  const { as, ids } = await openSite()
  const path = `${root}/${ids['post.draft-connie']}`
  const { body } = await as('connie')('POST', `${path}/autosave`, { body: { elements: [heading('Mine')] } })
  expect([shown(body.elements), body.draft]).toEqual([['Mine'], null])
})

test('elements of a component are drafted, shown to nobody else, published with the newest draft, and discarded', async () => {
  const { ada, component, clock, api, ids, as } = await openSite()
  const id = await component('Card')
  const path = `${root}/${id}`
  clock.now += 1000
  const drafted = await ada('POST', `${path}/autosave`, { body: { elements: [atomic('Second')] } })
  expect(drafted.body).toMatchObject({
    elements: [atomic('Card')],
    draft: { title: 'Card', elements: [atomic('Second')] },
  })
  expect((await as('edith')('GET', path)).body.draft).toBeNull()
  // A second administrator has another draft, which contains nothing of the first.
  await api.site.users.update(ids['user.editor'] as number, { roles: ['administrator'] })
  clock.now += 1000
  await as('edith')('POST', `${path}/autosave`, { body: { elements: [atomic('Third')], title: 'Plate' } })
  clock.now += 1000
  const published = await ada('POST', `${path}/publish`)
  expect(published.body).toMatchObject({ title: 'Plate', elements: [atomic('Third')], draft: null, status: 'publish' })
  clock.now += 1000
  await ada('POST', `${path}/autosave`, { body: { elements: [atomic('Fourth')] } })
  expect((await ada('POST', `${path}/discard`)).body).toMatchObject({ elements: [atomic('Third')], draft: null })
  const list = await ada('GET', '/builder/v1/components')
  expect(list.body.data).toMatchObject([{ id, name: 'Plate', uid: 'uid-Card' }])
})

test('elements of another generation are refused in a component', async () => {
  const { ada, component } = await openSite()
  const path = `${root}/${await component()}`
  for (const action of ['', '/autosave']) {
    const refused = await ada('POST', `${path}${action}`, { body: { elements: [heading('Old')] } })
    expect(errorOf(refused)).toEqual([422, 'non_atomic_element_in_component'])
  }
})

test('a revision is saved again with its elements', async () => {
  const { ada, ids, clock } = await openSite()
  const path = `${root}/${ids['page.about']}`
  for (const title of ['One', 'Two']) {
    clock.now += 1000
    await ada('POST', path, { body: { elements: [heading(title)] } })
  }
  const { body: revisions } = await ada('GET', `/cms/v2/pages/${ids['page.about']}/revisions`)
  const [first, before] = [revisions.at(-2).id, revisions.at(-1).id]
  clock.now += 1000
  expect(shown((await ada('POST', `${path}/restore`, { body: { revision: first } })).body.elements)).toEqual(['One'])
  const unbuilt = await ada('POST', `${path}/restore`, { body: { revision: before } })
  expect(errorOf(unbuilt)).toEqual([422, 'revision_not_built'])
  const foreign = await ada('POST', `${root}/${ids['page.front']}/restore`, { body: { revision: first } })
  expect(errorOf(foreign)).toEqual([404, 'revision_not_found'])
})
