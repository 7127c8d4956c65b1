import { expect, test } from 'vitest'
import { type Note, updateNotesOfPosts } from '../../../../src/features/builder/notes/model.ts'
import type { Storage } from '../../../../src/storage/contract.ts'
import type { Requester } from '../../../support/site.ts'
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
  const { make, list, applyChange, connie, ids } = await openWithChange((doc) => ({ trashed: [doc] }))
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

test('events list the participants who may read the note, without the acting user', async () => {
  const { api, make, connie, sam, ada, grant, ids } = await openSite()
  const events: [string, number[]][] = []
  const slugs = new Map(Object.entries({ admin: 'ada', contributor: 'connie', subscriber: 'sam', editor: 'edith' }))
  const names = new Map([...slugs].map(([key, login]) => [ids[`user.${key}`], login]))
  const record =
    (event: string) =>
    ({ notify }: { readonly note: Note; readonly notify?: readonly number[] }) =>
      void events.push([event, (notify ?? []).map((id) => names.get(id)) as never])
  for (const event of ['created', 'updated', 'resolved', 'deleted', 'mentioned'] as const) {
    api.on(`note.${event}`, record(event))
  }
  const eventsOf = async (work: Promise<unknown>) => {
    await work
    return events.splice(0)
  }
  await grant('editor', [])
  let thread = 0
  const mentions = ['sam-subscriber', 'edith-editor', 'connie-contributor']
  expect(await eventsOf(make(connie, { mentioned_usernames: mentions }).then((id) => (thread = id)))).toEqual([
    ['created', []],
    ['mentioned', ['sam']],
  ])
  expect(await eventsOf(make(sam, { parent_id: thread, mentioned_usernames: ['ada-administrator'] }))).toEqual([
    ['created', ['connie']],
    ['mentioned', ['ada']],
  ])
  const change = (send: Requester, body: object) => eventsOf(send('PATCH', `${root}/${thread}`, { body }))
  expect(await change(connie, { is_resolved: true })).toEqual([
    ['updated', []],
    ['resolved', ['sam', 'ada']],
  ])
  expect(await change(ada, { mentioned_usernames: ['sam-subscriber', 'ada-administrator', 'edith-editor'] })).toEqual([
    ['updated', []],
  ])
  expect(await change(connie, { is_resolved: false, is_public: false })).toEqual([['updated', []]])
  expect(await change(connie, { is_resolved: true })).toEqual([
    ['updated', []],
    ['resolved', ['ada']],
  ])
  expect(await change(connie, { is_resolved: true })).toEqual([])
  expect(await eventsOf(connie('DELETE', `${root}/${thread}`))).toEqual([['deleted', []]])
})

test("notes of the host's own calls have no author and leave no receipts", async () => {
  const { api, values, ada } = await openSite()
  const { data } = await api.call<{ data: { id: number } }>('POST', root, values, { as: 'system' })
  await api.call('POST', `${root}/read-status`, { ids: [data.data.id] }, { as: 'system' })
  const { body } = await ada('GET', `${root}/${data.data.id}`)
  expect(body.data).toMatchObject({ author_id: 0, author: null, author_display_name: null, readers: [] })
})

test('notes follow their post through the trash, a change of its elements and its end', async () => {
  const { as, doc, make, list, connie } = await openSite()
  const ada = as('ada')
  const thread = await make(connie)
  const path = `/cms/v2/posts/${doc}`
  const isListed = async () => (await list(connie)).includes(thread)
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

test('notes of a post that is deleted for good are not read any more', async () => {
  const { as, doc, make, connie } = await openSite()
  const thread = await make(connie)
  await as('ada')('DELETE', `/cms/v2/posts/${doc}`, { query: { force: true } })
  expect((await connie('GET', `${root}/${thread}`)).status).toBe(404)
})
