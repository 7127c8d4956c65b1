import { expect, test } from 'vitest'
import { errorOf, invalidParams, openSite, root } from './fixture.ts'

test('creating a note returns it with cleaned texts', async () => {
  const { createNote, connie, ids, doc } = await openSite()
  const { status, body } = await createNote(connie, {
    content: '  <b>Bold</b> & "plain" \n',
    element_id: ' a1b2c3d ',
    route_post_id: doc,
    route_url: 'https://quay.example/built/?utm_source=mail&page=2',
    route_title: 'Built <i>page</i>',
  })
  expect(status).toBe(200)
  expect(Object.keys(body)).toEqual(['data', 'meta'])
  expect(body.meta).toEqual([])
  expect(Object.entries(body.data)).toEqual(
    Object.entries({
      id: body.data.id,
      post_id: doc,
      element_id: 'a1b2c3d',
      parent_id: 0,
      author_id: ids['user.contributor'],
      author_display_name: null,
      route_post_id: doc,
      route_url: '/built/?page=2',
      route_title: 'Built page',
      status: 'publish',
      position: { x: 10, y: 20.5 },
      content: '&lt;b&gt;Bold&lt;/b&gt; &amp; &quot;plain&quot;',
      is_resolved: false,
      is_public: true,
      is_read: false,
      replies: [],
      mentions: [],
      author: {
        id: ids['user.contributor'],
        name: 'Connie Contributor',
        url: '',
        slug: 'connie-contributor',
        avatar_urls: { 24: expect.any(String), 48: expect.any(String), 96: expect.any(String) },
        capabilities: { notes: { can_read: true } },
      },
      document: null,
      replies_count: 0,
      unread_replies_count: 0,
      readers: [],
      created_at: '2024-06-15T12:00:00+00:00',
      updated_at: '2024-06-15T12:00:00+00:00',
      last_activity_at: '2024-06-15T12:00:00+00:00',
      user_can: [],
    }),
  )
})

test('creates a draft with the unlisted argument status', async () => {
  const { make, createNote, list, connie, visitor } = await openSite()
  const id = await make(connie, { status: 'draft' })
  expect(await list(connie)).toEqual([])
  expect(await list(connie, { status: 'draft' })).toEqual([id])
  expect(invalidParams(await createNote(connie, { status: 'trash' }))).toEqual([400, 'rest_invalid_param', ['status']])
  const { body } = await visitor('GET', '/')
  const [, create] = body.routes[root].endpoints
  expect(Object.keys(create.args)).not.toContain('status')
})

test.each([
  ['content', ' \n '],
  ['element_id', 'short1'],
  ['element_id', 'abcdefghij'],
  ['element_id', 'ABCDEFG'],
  ['position', { x: 1 }],
  ['position', { x: 1, y: 'far' }],
  ['position', 7],
  ['route_post_id', 'home'],
  ['route_post_id', 1.5],
  ['route_post_id', 999_999],
  ['post_id', 999_999],
  ['route_url', 'javascript:alert(1)'],
  ['route_url', 'http://'],
  ['route_url', '/a b'],
  ['route_url', '/"onload='],
  ['route_url', `/${'x'.repeat(2048)}`],
])('refuses a note with %s %j with 400', async (name, value) => {
  const { createNote, list, connie } = await openSite()
  expect(invalidParams(await createNote(connie, { [name]: value }))).toEqual([400, 'rest_invalid_param', [name]])
  expect(await list(connie)).toEqual([])
})

test('refuses a post_id or route_post_id that is not a live builder document', async () => {
  const { createNote, ada, ids } = await openSite()
  for (const key of ['post.hello', 'page.front', 'media.pier', 'revision.hello.1', 'post.trashed']) {
    for (const name of ['post_id', 'route_post_id']) {
      const response = await createNote(ada, { [name]: ids[key] })
      expect([key, ...invalidParams(response)]).toEqual([key, 400, 'rest_invalid_param', [name]])
    }
  }
})

test.each([
  ['/contact', '/contact'],
  ['/contact/', '/contact'],
  ['https://quay.example/contact//#top', '/contact'],
  ['//elsewhere.example/contact', '/contact'],
  ['contact', '/contact'],
  ['/', ''],
  ['', ''],
  ['https://quay.example', ''],
  ['/?p=7', '/?p=7'],
  ['/contact/?a=1&utm_source=x&b=2&utm_medium=y', '/contact/?a=1&b=2'],
  [
    '/contact?fbclid=1&builder-preview=2&ver=3&preview_id=4&preview_nonce=5&preview=6&theme_template_id=7&nonce=8',
    '/contact',
  ],
  ['/contact?my_nonce=1&nonces=2', '/contact?nonces=2'],
  ['/contact?%75tm_x=1&%=2', '/contact?%=2'],
])('route_url %j is stored as %j and both find the note', async (url, stored) => {
  const { createNote, list, connie } = await openSite()
  const { body } = await createNote(connie, { route_url: url })
  expect(body.data.route_url).toBe(stored)
  expect(await list(connie, { route_url: url })).toEqual([body.data.id])
  expect(await list(connie, { route_url: stored })).toEqual([body.data.id])
  expect(await list(connie, { route_url: '/elsewhere' })).toEqual([])
})

test.each([null, '', 0, '0'])('route_post_id %j means no post', async (value) => {
  const { createNote, connie } = await openSite()
  expect((await createNote(connie, { route_post_id: value })).body.data.route_post_id).toBeNull()
})

test('cuts route_title to 255 characters', async () => {
  const { createNote, connie } = await openSite()
  const { body } = await createNote(connie, { route_title: '😀'.repeat(300) })
  expect(body.data.route_title).toBe('😀'.repeat(255))
})

test('a reply updates the last activity and the counts of its thread', async () => {
  const { make, list, read, connie, ada } = await openSite()
  const [first, second] = [await make(connie), await make(connie)]
  expect(await list(connie)).toEqual([second, first])
  const reply = await make(ada, { parent_id: first })
  expect(await list(connie)).toEqual([reply, first, second])
  expect(await list(connie, { parent_id: 0 })).toEqual([first, second])
  expect(await list(connie, { parent_id: first })).toEqual([reply])
  const thread = await read(connie, first)
  expect(thread).toMatchObject({
    replies_count: 1,
    unread_replies_count: 1,
    replies: [{ id: reply, parent_id: first }],
  })
  expect(thread.last_activity_at).toBe((await read(connie, reply)).created_at)
  expect(thread.updated_at).toBe(thread.created_at)
})

test('refuses a reply to a reply, to a thread of another post, and with is_public', async () => {
  const { make, createNote, connie, ids } = await openSite()
  const thread = await make(connie)
  const reply = await make(connie, { parent_id: thread })
  const invalidIn = async (more: object) => invalidParams(await createNote(connie, { parent_id: thread, ...more }))
  expect(await invalidIn({ parent_id: reply })).toEqual([400, 'rest_invalid_param', ['parent_id']])
  expect(await invalidIn({ post_id: ids['post.other'] })).toEqual([400, 'rest_invalid_param', ['parent_id']])
  expect(await invalidIn({ is_public: false })).toEqual([400, 'rest_invalid_param', ['is_public']])
  expect(await invalidIn({ is_public: true })).toEqual([400, 'rest_invalid_param', ['is_public']])
  expect(errorOf(await createNote(connie, { parent_id: 999_999 }))).toEqual([404, 'not-found'])
})

test('replies of a private thread are visible only to users who may read the thread', async () => {
  const { make, list, createNote, sam, connie, ada } = await openSite()
  const thread = await make(connie, { is_public: false })
  const reply = await make(ada, { parent_id: thread })
  expect(await list(connie)).toEqual([reply, thread])
  expect(await list(sam)).toEqual([])
  for (const id of [thread, reply]) expect(errorOf(await sam('GET', `${root}/${id}`))).toEqual([403, 'rest_forbidden'])
  expect(errorOf(await createNote(sam, { parent_id: thread }))).toEqual([403, 'rest_forbidden'])
})
