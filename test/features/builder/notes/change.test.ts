import { expect, test } from 'vitest'
import { basic, blamed, openSite, root } from './fixture.ts'

test('changing answers the note as it stands', async () => {
  const { make, connie, sam, clock, read } = await openSite()
  const id = await make(connie)
  const before = await read(connie, id)
  await make(sam, { parent_id: id })
  const thread = await read(connie, id)
  clock.now += 60_000
  const { status, body } = await connie('PATCH', `${root}/${id}`, {
    body: { content: ' <i>New</i> ', status: 'draft', is_public: false },
  })
  expect(status).toBe(200)
  expect(body).toEqual({
    data: {
      ...before,
      content: '&lt;i&gt;New&lt;/i&gt;',
      status: 'draft',
      is_public: false,
      updated_at: expect.not.stringMatching(before.updated_at),
      last_activity_at: thread.last_activity_at,
      ...{ replies: [], readers: [], document: null, user_can: [] },
      ...{ replies_count: 1, unread_replies_count: 1 },
    },
    meta: [],
  })
})

test('resolving and opening again are activity; doing it twice is refused', async () => {
  const { make, connie, clock } = await openSite()
  const id = await make(connie)
  const set = (is_resolved: boolean) => connie('PATCH', `${root}/${id}`, { body: { is_resolved } })
  expect(blamed(await set(false))).toEqual([400, 'rest_invalid_param', ['is_resolved']])
  clock.now += 1000
  const { data } = (await set(true)).body
  expect(data).toMatchObject({ is_resolved: true, last_activity_at: data.updated_at })
  expect(data.last_activity_at).not.toBe(data.created_at)
  expect(blamed(await set(true))).toEqual([400, 'rest_invalid_param', ['is_resolved']])
  expect((await set(false)).body.data.is_resolved).toBe(false)
})

test.each([
  ['is_resolved', true],
  ['is_public', false],
])('a reply has no %s of its own', async (name, sent) => {
  const { make, connie } = await openSite()
  const reply = await make(connie, { parent_id: await make(connie) })
  expect(blamed(await connie('PATCH', `${root}/${reply}`, { body: { [name]: sent } }))).toEqual([
    ...[400, 'rest_invalid_param', [name]],
  ])
})

test.each([
  ['content', ' '],
  ['status', 'trash'],
  ['is_public', 'maybe'],
  ['mentioned_usernames', { a: {} }],
])('a change whose %s is %j is refused', async (name, sent) => {
  const { make, connie } = await openSite()
  const id = await make(connie)
  expect(blamed(await connie('PUT', `${root}/${id}`, { body: { [name]: sent } }))).toEqual([
    ...[400, 'rest_invalid_param', [name]],
  ])
})

test('a change of the mentions replaces all of them', async () => {
  const { make, list, connie, sam, edith, grant } = await openSite()
  await grant('editor', basic)
  const id = await make(connie, { mentioned_usernames: ['sam-subscriber'] })
  const set = (mentioned_usernames: string[]) => connie('PATCH', `${root}/${id}`, { body: { mentioned_usernames } })
  const relevant = async () => [
    (await list(sam, { only_relevant: true })).length,
    (await list(edith, { only_relevant: true })).length,
  ]
  expect(await relevant()).toEqual([1, 0])
  await set(['edith-editor', 'edith-editor', 'nobody'])
  expect(await relevant()).toEqual([0, 1])
  await connie('PATCH', `${root}/${id}`, { body: { content: 'x' } })
  expect(await relevant()).toEqual([0, 1])
  await set([])
  expect(await relevant()).toEqual([0, 0])
})

test('deleting moves to the trash; replies stay, without a thread', async () => {
  const { make, list, read, connie } = await openSite()
  const thread = await make(connie)
  const reply = await make(connie, { parent_id: thread })
  for (const query of ['', 'force=false', 'force=0']) {
    const id = await make(connie)
    const gone = await connie('DELETE', `${root}/${id}`, { query })
    expect([gone.status, gone.body]).toEqual([200, []])
  }
  await connie('DELETE', `${root}/${thread}`)
  expect(await list(connie)).toEqual([reply])
  expect((await read(connie, reply)).id).toBe(reply)
})

test('deleting by force removes the note with replies and marks', async () => {
  const { api, make, list, connie, sam } = await openSite()
  const thread = await make(connie, { mentioned_usernames: ['sam-subscriber'] })
  const reply = await make(sam, { parent_id: thread })
  await connie('DELETE', `${root}/${await make(connie, { parent_id: thread })}`)
  const gone = await connie('DELETE', `${root}/${thread}`, { body: { force: true } })
  expect([gone.status, gone.body]).toEqual([200, []])
  expect(await list(connie)).toEqual([])
  expect((await sam('GET', `${root}/${reply}`)).status).toBe(404)
  const { records } = await api.site.export()
  expect(records?.['notes']).toBeUndefined()
  expect(records?.['note_marks']).toBeUndefined()
})

test('notes go along with an export', async () => {
  const { api, make, connie } = await openSite()
  const thread = await make(connie, { mentioned_usernames: ['sam-subscriber'] })
  await make(connie, { parent_id: thread })
  const { records } = await api.site.export()
  expect(records?.['notes']).toMatchObject([
    { post_id: 'post.built', author_id: 'user.connie', parent_id: 0 },
    { post_id: 'post.built', author_id: 'user.connie', parent_id: 'notes.1' },
  ])
  expect(records?.['note_marks']).toContainEqual({ note: 'notes.1', user: 'user.sam', kind: 'mention' })
})
