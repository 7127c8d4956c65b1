import { expect, test } from 'vitest'
import type { Collection, Storage } from '../../../../src/contract/storage.ts'
import { isWrite, recorded } from '../../../support/spied-storage.ts'
import { errorOf, openSite, root } from './fixture.ts'

test('a single note has its replies, readers, document and the permissions of the caller', async () => {
  const { make, read, connie, sam, ids, doc } = await openSite()
  const other = ids['post.other'] as number
  const thread = await make(connie, { post_id: other })
  const [first, second] = [
    await make(sam, { post_id: other, parent_id: thread }),
    await make(connie, { post_id: other, parent_id: thread }),
  ]
  await connie('DELETE', `${root}/${second}`)
  await sam('POST', `${root}/read-status`, { body: { ids: [thread] } })
  const note = await read(sam, thread)
  expect(note).toMatchObject({
    is_read: true,
    document: { id: other, type: 'wp-post', type_title: 'Post' },
    user_can: { edit: false, delete: false },
    replies: [{ id: first, is_read: true, user_can: { edit: true, delete: true }, replies: [], document: null }],
    replies_count: 1,
    unread_replies_count: 0,
  })
  expect(note.readers.map(({ slug }: { slug: string }) => slug).sort()).toEqual([
    'connie-contributor',
    'sam-subscriber',
  ])
  expect((await read(connie, thread)).unread_replies_count).toBe(1)
  expect(doc).not.toBe(other)
})

test('shows readers and authors of replies as users, and replies oldest first', async () => {
  const { make, read, connie, sam, ada, clock } = await openSite()
  const thread = await make(connie, { mentioned_usernames: ['ada-administrator'] })
  const later = await make(sam, { parent_id: thread })
  // The clock of another process may be behind.
  clock.now -= 60_000
  const earlier = await make(ada, { parent_id: thread })
  const slugsOf = (users: readonly { readonly slug: string }[]) => users.map(({ slug }) => slug)
  const note = await read(connie, thread)
  expect(slugsOf([note.author, ...note.readers])).toEqual(['connie-contributor', 'connie-contributor'])
  const replies = note.replies as { readonly id: number; readonly author: { readonly slug: string } }[]
  expect(replies.map(({ id }) => id)).toEqual([earlier, later])
  expect(slugsOf(replies.map(({ author }) => author))).toEqual(['ada-administrator', 'sam-subscriber'])
})

test.each([
  ['post.built', '', ''],
  ['post.other', 'wp-post', 'Post'],
  ['post.page-like', 'wp-page', 'Page'],
  ['post.buttons', 'floating-buttons', 'Floating Buttons'],
  ['post.component', 'builder_component', 'Builder Component'],
])('a note on %s has a document of type %j with the title %j', async (key, type, type_title) => {
  const { make, read, connie, ids } = await openSite()
  const id = await make(connie, { post_id: ids[key] })
  expect((await read(connie, id)).document).toEqual({ id: ids[key], type, type_title })
})

test('a note whose post is gone has no document', async () => {
  let opened: Storage | undefined
  const { make, read, connie, doc } = await openSite({ storage: (storage) => (opened = storage) })
  const id = await make(connie)
  await opened?.posts.remove([doc])
  expect(await read(connie, id)).toMatchObject({ post_id: doc, document: null })
})

test('a seeded note without texts has empty ones, and is published', async () => {
  const time = '2024-06-15T12:00:00+00:00'
  const times = { created_at: time, updated_at: time, last_activity_at: time }
  const { read, ada, ids, doc } = await openSite({ records: { notes: [{ post_id: 'post.built', ...times }] } })
  expect(await read(ada, ids['notes.1'] as number)).toMatchObject({
    ...times,
    post_id: doc,
    element_id: '',
    parent_id: 0,
    author: null,
    author_display_name: null,
    route_post_id: null,
    route_url: null,
    route_title: null,
    status: 'publish',
    content: '',
    is_resolved: false,
    is_public: false,
  })
})

test('reading a note does not change its read status', async () => {
  const { make, read, connie, sam } = await openSite()
  const id = await make(connie)
  expect((await read(sam, id)).is_read).toBe(false)
  expect((await read(sam, id)).is_read).toBe(false)
  expect((await read(connie, id)).is_read).toBe(true)
})

test('the Allow header lists the methods that the caller may use', async () => {
  const { make, connie, sam } = await openSite()
  const id = await make(connie)
  expect((await connie('GET', `${root}/${id}`)).headers.get('allow')).toBe('GET, POST, PUT, PATCH, DELETE')
  expect((await sam('GET', `${root}/${id}`)).headers.get('allow')).toBe('GET')
})

test('shows the name of an author whose account was removed', async () => {
  const { api, make, read, connie, ada, ids } = await openSite()
  const id = await make(connie)
  await api.site.users.remove(ids['user.contributor'] as number)
  expect(await read(ada, id)).toMatchObject({ author: null, author_display_name: 'Connie Contributor' })
})

test('no response contains an e-mail address or a login', async () => {
  const { make, connie, ada } = await openSite()
  const id = await make(connie, { mentioned_usernames: ['sam-subscriber'] })
  await make(ada, { parent_id: id })
  const responses = [
    await ada('GET', root),
    await ada('GET', `${root}/${id}`),
    await ada('PATCH', `${root}/${id}`, { body: { content: 'x' } }),
    await ada('GET', `${root}/users`),
  ]
  for (const { body } of responses)
    expect(JSON.stringify(body)).not.toMatch(/example\.test|"(?:login|email|user_(?!can)\w+)"/)
})

test('read status is per user and note, and setting it again has no effect', async () => {
  const { make, read, connie, sam, ada } = await openSite()
  const thread = await make(connie)
  const reply = await make(connie, { parent_id: thread })
  for (let times = 0; times < 2; times++) {
    const { status, body } = await sam('POST', `${root}/read-status`, { body: { ids: [thread, 999_999, thread] } })
    expect([status, body]).toEqual([201, []])
  }
  expect(await read(sam, thread)).toMatchObject({ is_read: true, unread_replies_count: 1 })
  expect((await read(sam, reply)).is_read).toBe(false)
  expect((await read(ada, thread)).is_read).toBe(false)
  for (let times = 0; times < 2; times++) {
    const { status, body } = await sam('DELETE', `${root}/read-status`, { query: `ids=${thread},${reply}` })
    expect([status, body]).toEqual([200, []])
  }
  expect((await read(sam, thread)).is_read).toBe(false)
  expect((await read(connie, thread)).is_read).toBe(true)
})

test('ten concurrent requests to mark a note as read store one receipt', async () => {
  const { api, make, connie, sam } = await openSite()
  const id = await make(connie)
  const responses = await Promise.all(
    Array.from({ length: 10 }, () => sam('POST', `${root}/read-status`, { body: { ids: [id] } })),
  )
  expect(responses.map(({ status }) => status)).toEqual(Array(10).fill(201))
  expect((await api.site.export()).records?.['note_marks']).toHaveLength(2)
})

test('read-status refuses an empty list and private notes with 403, and unknown notes with 404', async () => {
  const { make, read, connie, sam } = await openSite()
  const [publicNote, privateNote] = [await make(connie), await make(connie, { is_public: false })]
  for (const method of ['POST', 'DELETE']) {
    const mark = (ids: number[]) => sam(method, `${root}/read-status`, { body: { ids } })
    expect(errorOf(await mark([]))).toEqual([403, 'rest_forbidden'])
    expect(errorOf(await mark([999_999]))).toEqual([404, 'not-found'])
    expect(errorOf(await mark([publicNote, privateNote]))).toEqual([403, 'rest_forbidden'])
  }
  expect((await read(sam, publicNote)).is_read).toBe(false)
})

test("notes of the host's own calls have no author, leave no receipts and are nobody's own", async () => {
  const { calls, wrap } = recorded()
  const { api, values, ada } = await openSite({ storage: wrap })
  const { data } = await api.call<{ data: { id: number } }>('POST', root, values, { as: 'system' })
  await api.call('POST', `${root}/read-status`, { ids: [data.data.id] }, { as: 'system' })
  const receipts = calls.filter((call) => isWrite(call) && (call.args[0] as Collection).name === 'note_marks')
  expect(receipts).toEqual([])
  const relevant = await api.call('GET', root, { only_relevant: true }, { as: 'system' })
  expect(relevant.data).toEqual({ data: [], meta: [] })
  const { body } = await ada('GET', `${root}/${data.data.id}`)
  expect(body.data).toMatchObject({ author_id: 0, author: null, author_display_name: null, readers: [] })
})
