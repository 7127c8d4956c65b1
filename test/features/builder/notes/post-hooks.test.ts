import { expect, test } from 'vitest'
import type { Storage } from '../../../../src/contract/storage.ts'
import { type Note, updateNotesOfPosts } from '../../../../src/features/builder/notes/model.ts'
import { openSite, root } from './fixture.ts'

async function openWithChange(change: (doc: number, other: number) => Parameters<typeof updateNotesOfPosts>[1]) {
  let opened: Storage | undefined
  const site = await openSite({
    storage: (storage) => {
      opened = storage
      return storage
    },
  })
  const events: Note[] = []
  const applyChange = async (requested = change) =>
    updateNotesOfPosts(
      {
        storage: opened as Storage,
        app: { clock: () => site.clock.now } as Parameters<typeof updateNotesOfPosts>[0]['app'],
        emit: (_, payload) => void events.push((payload as { note: Note }).note),
      },
      requested(site.doc, site.ids['post.other'] as number),
    )
  return { ...site, applyChange, events }
}

test('trashing a post trashes its notes; restoring it restores and publishes them', async () => {
  const { api, make, list, applyChange, connie, ids } = await openWithChange((doc) => ({ trashed: [doc] }))
  const thread = await make(connie)
  const draft = await make(connie, { status: 'draft' })
  const deleted = await make(connie)
  const onOther = await make(connie, { post_id: ids['post.other'] })
  await connie('DELETE', `${root}/${deleted}`)
  await applyChange()
  expect(await list(connie)).toEqual([onOther])
  expect((await connie('GET', `${root}/${thread}`)).status).toBe(404)
  await applyChange((doc) => ({ restored: [doc] }))
  expect(await list(connie, { order_by: 'created_at', order: 'asc' })).toEqual([thread, draft, onOther])
  const { records } = await api.site.export()
  expect(records?.['notes']?.map((note) => [note['status'], note['trashed_with_post']])).toEqual([
    ['publish', false],
    ['publish', false],
    ['trash', false],
    ['publish', false],
  ])
})

test('deleting a post removes its notes, replies and receipts', async () => {
  const { api, make, list, applyChange, events, connie, ids } = await openWithChange((doc) => ({ deleted: [doc] }))
  const thread = await make(connie)
  const reply = await make(connie, { parent_id: thread })
  const onOther = await make(connie, { post_id: ids['post.other'] })
  await applyChange()
  expect(await list(connie)).toEqual([onOther])
  expect(events.map(({ id }) => id)).toEqual([thread, reply])
  expect((await api.site.export()).records?.['note_marks']).toHaveLength(1)
})

test('saving a post removes the notes of missing elements, unless the elements are not readable', async () => {
  const { make, list, applyChange, connie } = await openWithChange((doc) => ({ saved: [{ post: doc, elements: '' }] }))
  const deep = await make(connie, { element_id: 'deeper01' })
  const orphan = await make(connie, { element_id: 'lost0001' })
  await applyChange()
  await applyChange((doc) => ({ saved: [{ post: doc, elements: '{"a":1}' }] }))
  expect(await list(connie)).toEqual([orphan, deep])
  const elements = JSON.stringify([{ id: 'a1b2c3d', elements: [{ id: 'x', elements: [{ id: 'deeper01' }, null, 7] }] }])
  await applyChange((doc, other) => ({
    saved: [
      { post: doc, elements },
      { post: other, elements: '[]' },
    ],
  }))
  expect(await list(connie)).toEqual([deep])
})

test('notes follow their post through the trash, a change of its elements and its end', async () => {
  const { doc, make, ada, connie } = await openSite()
  const thread = await make(connie)
  const path = `/cms/v2/posts/${doc}`
  // An administrator may read posts in the trash.
  const isListed = async () => (await ada('GET', `${root}/${thread}`)).status === 200
  await ada('POST', path, { body: { title: 'Still here' } })
  expect(await isListed()).toBe(true)
  await ada('DELETE', path)
  expect(await isListed()).toBe(false)
  await ada('POST', path, { body: { title: 'In the trash' } })
  expect(await isListed()).toBe(false)
  await ada('POST', path, { body: { status: 'publish' } })
  expect(await isListed()).toBe(true)
  const elements = JSON.stringify([{ id: 'fffffff', elType: 'container', settings: {}, elements: [] }])
  await ada('POST', path, { body: { meta: { _builder_data: elements } } })
  expect(await isListed()).toBe(false)
})

test('notes stay when the elements of their post are removed', async () => {
  const { doc, make, list, ada, connie } = await openSite()
  const thread = await make(connie)
  for (const _builder_data of ['', null]) {
    const { status } = await ada('POST', `/cms/v2/posts/${doc}`, { body: { meta: { _builder_data } } })
    expect([status, await list(connie)]).toEqual([200, [thread]])
  }
})

test('notes of a post that is deleted for good are not read any more', async () => {
  const { as, doc, make, connie } = await openSite()
  const thread = await make(connie)
  await as('ada')('DELETE', `/cms/v2/posts/${doc}`, { query: { force: true } })
  expect((await connie('GET', `${root}/${thread}`)).status).toBe(404)
})
