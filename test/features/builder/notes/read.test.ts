import { expect, test } from 'vitest'
import { openSite, refusalOf, root } from './fixture.ts'

test('a single note comes with its replies, readers, document and what may be done', async () => {
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

test('reading a note does not mark it as read', async () => {
  const { make, read, connie, sam } = await openSite()
  const id = await make(connie)
  expect((await read(sam, id)).is_read).toBe(false)
  expect((await read(sam, id)).is_read).toBe(false)
  expect((await read(connie, id)).is_read).toBe(true)
})

test('a note tells which methods its caller may use', async () => {
  const { make, connie, sam } = await openSite()
  const id = await make(connie)
  expect((await connie('GET', `${root}/${id}`)).headers.get('allow')).toBe('GET, POST, PUT, PATCH, DELETE')
  expect((await sam('GET', `${root}/${id}`)).headers.get('allow')).toBe('GET')
})

test('the name of an author outlives the account', async () => {
  const { api, make, read, connie, ada, ids } = await openSite()
  const id = await make(connie)
  await api.site.users.remove(ids['user.contributor'] as number)
  expect(await read(ada, id)).toMatchObject({ author: null, author_display_name: 'Connie Contributor' })
})

test('no answer shows an e-mail address or a login', async () => {
  const { make, connie, ada } = await openSite()
  const id = await make(connie, { mentioned_usernames: ['sam-subscriber'] })
  await make(ada, { parent_id: id })
  const answers = [
    await ada('GET', root),
    await ada('GET', `${root}/${id}`),
    await ada('PATCH', `${root}/${id}`, { body: { content: 'x' } }),
    await ada('GET', `${root}/users`),
  ]
  for (const { body } of answers)
    expect(JSON.stringify(body)).not.toMatch(/example\.test|"(?:login|email|user_(?!can)\w+)"/)
})

test('marking as read and unread can be repeated, and stays with the user and the note', async () => {
  const { make, read, connie, sam, ada } = await openSite()
  const thread = await make(connie)
  const reply = await make(connie, { parent_id: thread })
  for (let times = 0; times < 2; times++) {
    const marked = await sam('POST', `${root}/read-status`, { body: { ids: [thread, 999_999, thread] } })
    expect([marked.status, marked.body]).toEqual([201, []])
  }
  expect(await read(sam, thread)).toMatchObject({ is_read: true, unread_replies_count: 1 })
  expect((await read(sam, reply)).is_read).toBe(false)
  expect((await read(ada, thread)).is_read).toBe(false)
  for (let times = 0; times < 2; times++) {
    const unmarked = await sam('DELETE', `${root}/read-status`, { query: `ids=${thread},${reply}` })
    expect([unmarked.status, unmarked.body]).toEqual([200, []])
  }
  expect((await read(sam, thread)).is_read).toBe(false)
  expect((await read(connie, thread)).is_read).toBe(true)
})

test('marking at once leaves one mark', async () => {
  const { api, make, connie, sam } = await openSite()
  const id = await make(connie)
  const marked = await Promise.all(
    Array.from({ length: 10 }, () => sam('POST', `${root}/read-status`, { body: { ids: [id] } })),
  )
  expect(marked.map(({ status }) => status)).toEqual(Array(10).fill(201))
  expect((await api.site.export()).records?.['note_marks']).toHaveLength(2)
})

test('no note to mark is refused, an unknown one is 404, one that is private refuses all', async () => {
  const { make, read, connie, sam } = await openSite()
  const [open, hidden] = [await make(connie), await make(connie, { is_public: false })]
  for (const method of ['POST', 'DELETE']) {
    const mark = (ids: number[]) => sam(method, `${root}/read-status`, { body: { ids } })
    expect(refusalOf(await mark([]))).toEqual([403, 'rest_forbidden'])
    expect(refusalOf(await mark([999_999]))).toEqual([404, 'not-found'])
    expect(refusalOf(await mark([open, hidden]))).toEqual([403, 'rest_forbidden'])
  }
  expect((await read(sam, open)).is_read).toBe(false)
})
