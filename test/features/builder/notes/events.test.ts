import { expect, test } from 'vitest'
import type { Note } from '../../../../src/features/builder/notes/model.ts'
import type { Requester } from '../../../support/site.ts'
import { basic, openSite, root } from './fixture.ts'

const eventNames = ['created', 'updated', 'resolved', 'deleted', 'mentioned'] as const

/** A site whose events are collected: their names and payloads since the last call of `taken`. */
async function openWithEvents() {
  const site = await openSite()
  const events: [string, { readonly note: Note; readonly notify?: readonly number[] }][] = []
  for (const name of eventNames) site.api.on(`note.${name}`, (payload) => void events.push([name, payload]))
  return { ...site, taken: () => events.splice(0) }
}

test('events list the participants who may read the note, without the acting user', async () => {
  const { make, connie, sam, ada, grant, ids, taken } = await openWithEvents()
  const slugs = new Map(Object.entries({ admin: 'ada', contributor: 'connie', subscriber: 'sam', editor: 'edith' }))
  const names = new Map([...slugs].map(([key, login]) => [ids[`user.${key}`], login]))
  const eventsOf = async (work: Promise<unknown>) => {
    await work
    return taken().map(([name, { notify = [] }]) => [name, notify.map((id) => names.get(id))])
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

test('events carry the whole note', async () => {
  const { make, connie, sam, taken, doc, ids } = await openWithEvents()
  const [connieId, samId] = [ids['user.contributor'], ids['user.subscriber']]
  const thread = await make(connie)
  const note = {
    id: thread,
    postId: doc,
    elementId: 'a1b2c3d',
    parentId: 0,
    authorId: connieId,
    authorName: 'Connie Contributor',
    routePostId: null,
    routeUrl: null,
    routeTitle: null,
    status: 'publish',
    x: 10,
    y: 20.5,
    content: 'Nice',
    isResolved: false,
    isPublic: true,
    createdAt: '2024-06-15T12:00:00+00:00',
    updatedAt: '2024-06-15T12:00:00+00:00',
    lastActivityAt: '2024-06-15T12:00:00+00:00',
  }
  expect(taken()).toEqual([['created', { note, notify: [] }]])
  const reply = await make(sam, { parent_id: thread })
  const replyNote = {
    ...{ ...note, id: reply, parentId: thread, authorId: samId, authorName: 'Sam Subscriber' },
    ...{ createdAt: '2024-06-15T12:00:01+00:00', updatedAt: '2024-06-15T12:00:01+00:00' },
    lastActivityAt: '2024-06-15T12:00:01+00:00',
  }
  expect(taken()).toEqual([['created', { note: replyNote, notify: [connieId] }]])
  await connie('PATCH', `${root}/${thread}`, { body: { is_resolved: true } })
  const resolved = {
    ...{ ...note, isResolved: true, updatedAt: '2024-06-15T12:00:02+00:00' },
    lastActivityAt: '2024-06-15T12:00:02+00:00',
  }
  expect(taken()).toEqual([
    ['updated', { note: resolved }],
    ['resolved', { note: resolved, notify: [samId] }],
  ])
  await sam('DELETE', `${root}/${reply}`)
  expect(taken()).toEqual([['deleted', { note: replyNote }]])
  await connie('DELETE', `${root}/${thread}`, { query: { force: true } })
  expect(taken()).toEqual([
    ['deleted', { note: resolved }],
    ['deleted', { note: { ...replyNote, status: 'trash', updatedAt: resolved.updatedAt } }],
  ])
})

test('readers and those who are mentioned in other threads are no participants', async () => {
  const { make, connie, sam, edith, ada, grant, taken, ids } = await openWithEvents()
  await grant('editor', basic)
  const thread = await make(connie)
  await make(sam, { parent_id: thread })
  await make(ada, { mentioned_usernames: ['edith-editor'] })
  await ada('POST', `${root}/read-status`, { body: { ids: [thread] } })
  await edith('POST', `${root}/read-status`, { body: { ids: [thread] } })
  taken()
  await connie('PATCH', `${root}/${thread}`, { body: { is_resolved: true } })
  expect(taken().map(([name, { notify }]) => [name, notify])).toEqual([
    ['updated', undefined],
    ['resolved', [ids['user.subscriber']]],
  ])
})

test('a user who has read a note already is notified of a mention in it', async () => {
  const { make, connie, sam, taken, ids } = await openWithEvents()
  const id = await make(connie)
  await sam('POST', `${root}/read-status`, { body: { ids: [id] } })
  taken()
  await connie('PATCH', `${root}/${id}`, { body: { mentioned_usernames: ['sam-subscriber'] } })
  expect(taken().map(([name, { notify }]) => [name, notify])).toEqual([
    ['updated', undefined],
    ['mentioned', [ids['user.subscriber']]],
  ])
})

test('a mention on a post or a page that the user may not read notifies nobody', async () => {
  const { make, ada, doc, taken, ids } = await openWithEvents()
  for (const more of [{ post_id: ids['post.secret'] }, { post_id: doc, route_post_id: ids['post.secret'] }]) {
    const id = await make(ada, { ...more, mentioned_usernames: ['sam-subscriber'] })
    expect(taken().map(([name, { notify }]) => [name, notify])).toEqual([['created', []]])
    await ada('PATCH', `${root}/${id}`, { body: { mentioned_usernames: [] } })
    await ada('PATCH', `${root}/${id}`, { body: { mentioned_usernames: ['sam-subscriber'] } })
    expect(taken().map(([name]) => name)).toEqual(['updated', 'updated'])
  }
})
