import { expect, test } from 'vitest'
import { basic, invalidParams, openSite, root } from './fixture.ts'

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
  expect(invalidParams(await set(false))).toEqual([400, 'rest_invalid_param', ['is_resolved']])
  clock.now += 1000
  const { data } = (await set(true)).body
  expect(data).toMatchObject({ is_resolved: true, last_activity_at: data.updated_at })
  expect(data.last_activity_at).not.toBe(data.created_at)
  expect(invalidParams(await set(true))).toEqual([400, 'rest_invalid_param', ['is_resolved']])
  expect((await set(false)).body.data.is_resolved).toBe(false)
})

test.each([
  ['is_resolved', true],
  ['is_public', false],
])('refuses %s in a change of a reply with 400', async (name, value) => {
  const { make, connie } = await openSite()
  const reply = await make(connie, { parent_id: await make(connie) })
  const response = await connie('PATCH', `${root}/${reply}`, { body: { [name]: value } })
  expect(invalidParams(response)).toEqual([400, 'rest_invalid_param', [name]])
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
    { post_id: 'post.built', author_id: 'user.connie', parent_id: 0 },
    { post_id: 'post.built', author_id: 'user.connie', parent_id: 'notes.1' },
  ])
  expect(records?.['note_marks']).toContainEqual({ note: 'notes.1', user: 'user.sam', kind: 'mention' })
})
