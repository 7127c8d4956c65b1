import { expect, test } from 'vitest'
import { followPosts, type Note } from '../../../../src/features/builder/notes/model.ts'
import type { Storage } from '../../../../src/storage/contract.ts'
import type { Requester } from '../../../support/site.ts'
import { openSite, root } from './fixture.ts'

async function followed(change: (doc: number, other: number) => Parameters<typeof followPosts>[1]) {
  let opened: Storage | undefined
  const site = await openSite({
    storage: (storage) => {
      opened = storage
      return storage
    },
  })
  const told: Note[] = []
  const follow = async (asked = change) =>
    followPosts(
      {
        storage: opened as Storage,
        app: { clock: () => site.clock.now } as Parameters<typeof followPosts>[0]['app'],
        emit: (_, payload) => void told.push((payload as { note: Note }).note),
      },
      asked(site.doc, site.ids['post.other'] as number),
    )
  return { ...site, follow, told }
}

test('notes are trashed with their post and come back with it, published', async () => {
  const { make, list, follow, connie, ids } = await followed((doc) => ({ trashed: [doc] }))
  const thread = await make(connie)
  const draft = await make(connie, { status: 'draft' })
  const gone = await make(connie)
  const elsewhere = await make(connie, { post_id: ids['post.other'] })
  await connie('DELETE', `${root}/${gone}`)
  await follow()
  expect(await list(connie)).toEqual([elsewhere])
  expect((await connie('GET', `${root}/${thread}`)).status).toBe(404)
  await follow((doc) => ({ restored: [doc] }))
  expect(await list(connie, { order_by: 'created_at', order: 'asc' })).toEqual([thread, draft, elsewhere])
})

test('notes are removed with their post, with replies and marks', async () => {
  const { api, make, list, follow, told, connie, ids } = await followed((doc) => ({ deleted: [doc] }))
  const thread = await make(connie)
  const reply = await make(connie, { parent_id: thread })
  const elsewhere = await make(connie, { post_id: ids['post.other'] })
  await follow()
  expect(await list(connie)).toEqual([elsewhere])
  expect(told.map(({ id }) => id)).toEqual([thread, reply])
  expect((await api.site.export()).records?.['note_marks']).toHaveLength(1)
})

test('notes are removed with their element, but never for elements that can not be read', async () => {
  const { make, list, follow, connie } = await followed((doc) => ({ saved: [{ post: doc, elements: '' }] }))
  const deep = await make(connie, { element_id: 'deeper01' })
  const lost = await make(connie, { element_id: 'lost0001' })
  await follow()
  await follow((doc) => ({ saved: [{ post: doc, elements: '{"a":1}' }] }))
  expect(await list(connie)).toEqual([lost, deep])
  const elements = JSON.stringify([{ id: 'a1b2c3d', elements: [{ id: 'x', elements: [{ id: 'deeper01' }, null, 7] }] }])
  await follow((doc, other) => ({
    saved: [
      { post: doc, elements },
      { post: other, elements: '[]' },
    ],
  }))
  expect(await list(connie)).toEqual([deep])
})

test('events name who is to be told: those concerned who may read, never the one who acted', async () => {
  const { api, make, connie, sam, ada, grant, ids } = await openSite()
  const told: [string, number[]][] = []
  const slugs = new Map(Object.entries({ admin: 'ada', contributor: 'connie', subscriber: 'sam', editor: 'edith' }))
  const names = new Map([...slugs].map(([key, login]) => [ids[`user.${key}`], login]))
  const record =
    (event: string) =>
    ({ notify }: { readonly note: Note; readonly notify?: readonly number[] }) =>
      void told.push([event, (notify ?? []).map((id) => names.get(id)) as never])
  for (const event of ['created', 'updated', 'resolved', 'deleted', 'mentioned'] as const) {
    api.on(`note.${event}`, record(event))
  }
  const step = async (work: Promise<unknown>) => {
    await work
    return told.splice(0)
  }
  await grant('editor', [])
  let thread = 0
  const mentions = ['sam-subscriber', 'edith-editor', 'connie-contributor']
  expect(await step(make(connie, { mentioned_usernames: mentions }).then((id) => (thread = id)))).toEqual([
    ['created', []],
    ['mentioned', ['sam']],
  ])
  expect(await step(make(sam, { parent_id: thread, mentioned_usernames: ['ada-administrator'] }))).toEqual([
    ['created', ['connie']],
    ['mentioned', ['ada']],
  ])
  const change = (send: Requester, body: object) => step(send('PATCH', `${root}/${thread}`, { body }))
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
  expect(await step(connie('DELETE', `${root}/${thread}`))).toEqual([['deleted', []]])
})

test("the host's own calls leave notes without an author", async () => {
  const { api, values, ada } = await openSite()
  const { data } = await api.call<{ data: { id: number } }>('POST', root, values, { as: 'system' })
  await api.call('POST', `${root}/read-status`, { ids: [data.data.id] }, { as: 'system' })
  const { body } = await ada('GET', `${root}/${data.data.id}`)
  expect(body.data).toMatchObject({ author_id: 0, author: null, author_display_name: null, readers: [] })
})
