import { expect, test } from 'vitest'
import { basic, invalidParams, openSite, problemsOf, root } from './fixture.ts'

test('a change returns the changed note', async () => {
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
      replies: [],
      readers: [],
      document: null,
      user_can: [],
      replies_count: 1,
      unread_replies_count: 1,
    },
    meta: [],
  })
})

test('resolving and reopening update last_activity_at; repeating either is refused with 400', async () => {
  const { make, connie, clock } = await openSite()
  const id = await make(connie)
  const set = (is_resolved: boolean) => connie('PATCH', `${root}/${id}`, { body: { is_resolved } })
  const refusal = [400, 'rest_invalid_param', { is_resolved: 'The note is in this state already.' }]
  expect(problemsOf(await set(false))).toEqual(refusal)
  clock.now += 1000
  const { data } = (await set(true)).body
  expect(data).toMatchObject({ is_resolved: true, last_activity_at: data.updated_at })
  expect(data.last_activity_at).not.toBe(data.created_at)
  expect(problemsOf(await set(true))).toEqual(refusal)
  expect((await set(false)).body.data.is_resolved).toBe(false)
})

test('a change leaves what it does not name', async () => {
  const { make, read, connie } = await openSite()
  const id = await make(connie, { status: 'draft', is_public: false })
  const before = await read(connie, id)
  expect(before).toMatchObject({ status: 'draft', is_public: false, is_resolved: false })
  await connie('PATCH', `${root}/${id}`, { body: { content: 'Else' } })
  const changed = await read(connie, id)
  expect(changed).toEqual({ ...before, content: 'Else', updated_at: changed.updated_at })
  await connie('PATCH', `${root}/${id}`, { body: { status: 'publish' } })
  expect(await read(connie, id)).toEqual({ ...changed, status: 'publish' })
})

test('the text and the status of a reply can be changed', async () => {
  const { make, connie } = await openSite()
  const reply = await make(connie, { parent_id: await make(connie) })
  const { status, body } = await connie('PATCH', `${root}/${reply}`, { body: { content: 'Else', status: 'draft' } })
  expect([status, body.data.content, body.data.status]).toEqual([200, 'Else', 'draft'])
})

test.each([
  ['is_resolved', true, 'Only a thread can be resolved.'],
  ['is_public', false, 'A reply is as public as its thread.'],
])('refuses %s in a change of a reply with 400', async (name, value, problem) => {
  const { make, connie } = await openSite()
  const reply = await make(connie, { parent_id: await make(connie) })
  const response = await connie('PATCH', `${root}/${reply}`, { body: { [name]: value } })
  expect(problemsOf(response)).toEqual([400, 'rest_invalid_param', { [name]: problem }])
})

test.each([
  ['content', ' '],
  ['status', 'trash'],
  ['is_public', 'maybe'],
  ['mentioned_usernames', { a: {} }],
])('refuses a change with %s %j with 400', async (name, value) => {
  const { make, connie } = await openSite()
  const id = await make(connie)
  const response = await connie('PUT', `${root}/${id}`, { body: { [name]: value } })
  expect(invalidParams(response)).toEqual([400, 'rest_invalid_param', [name]])
})

test('mentioned_usernames replaces all mentions', async () => {
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
  await set(['edith-editor', 'sam-subscriber'])
  expect(await relevant()).toEqual([1, 1])
  await set([])
  expect(await relevant()).toEqual([0, 0])
})

test('deleting a thread moves it to the trash and leaves its replies', async () => {
  const { make, list, read, connie } = await openSite()
  const thread = await make(connie)
  const reply = await make(connie, { parent_id: thread })
  for (const query of ['', 'force=false', 'force=0']) {
    const id = await make(connie)
    const { status, body } = await connie('DELETE', `${root}/${id}`, { query })
    expect([status, body]).toEqual([200, []])
  }
  await connie('DELETE', `${root}/${thread}`)
  expect(await list(connie)).toEqual([reply])
  expect((await read(connie, reply)).id).toBe(reply)
})

test('deleting with force removes the note, its replies and its receipts', async () => {
  const { api, make, list, connie, sam } = await openSite()
  const thread = await make(connie, { mentioned_usernames: ['sam-subscriber'] })
  const reply = await make(sam, { parent_id: thread })
  await connie('DELETE', `${root}/${await make(connie, { parent_id: thread })}`)
  const { status, body } = await connie('DELETE', `${root}/${thread}`, { body: { force: true } })
  expect([status, body]).toEqual([200, []])
  expect(await list(connie)).toEqual([])
  expect((await sam('GET', `${root}/${reply}`)).status).toBe(404)
  const { records } = await api.site.export()
  expect(records?.['notes']).toBeUndefined()
  expect(records?.['note_marks']).toBeUndefined()
})

test('an export contains notes and receipts with keys instead of ids', async () => {
  const { api, make, connie } = await openSite()
  const thread = await make(connie, { mentioned_usernames: ['sam-subscriber'] })
  await make(connie, { parent_id: thread })
  const { records } = await api.site.export()
  expect(records?.['notes']).toMatchObject([
    { post_id: 'post.built', author_id: 'user.connie', parent_id: 0, status: 'publish', trashed_with_post: false },
    { post_id: 'post.built', author_id: 'user.connie', parent_id: 'notes.1' },
  ])
  expect(records?.['note_marks']).toEqual([
    { note: 'notes.1', user: 'user.connie', kind: 'read' },
    { note: 'notes.1', user: 'user.sam', kind: 'mention' },
    { note: 'notes.2', user: 'user.connie', kind: 'read' },
  ])
})
