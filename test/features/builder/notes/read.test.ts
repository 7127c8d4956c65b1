import { expect, test } from 'vitest'
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
