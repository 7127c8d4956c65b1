import { expect, test } from 'vitest'
import { errorOf, invalidParams, openSite, problemsOf, root } from './fixture.ts'

test('creating a note returns it with cleaned texts', async () => {
  const { createNote, connie, ids, doc } = await openSite()
  const { status, body } = await createNote(connie, {
    content: '  <b>Bold</b> & "plain" \n',
    element_id: ' a1b2c3d ',
    route_post_id: doc,
    route_url: 'https://quay.example/built/?utm_source=mail&page=2',
    route_title: '  Built <i>page</i> \n',
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
  ['route_url', 'xhttp://quay.example/'],
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
  for (const key of ['post.hello', 'post.classic', 'page.front', 'media.pier', 'revision.hello.1', 'post.trashed']) {
    for (const name of ['post_id', 'route_post_id']) {
      const response = await createNote(ada, { [name]: ids[key] })
      expect([key, ...invalidParams(response)]).toEqual([key, 400, 'rest_invalid_param', [name]])
    }
  }
})

test('refuses the revisions of a builder document, and a builder document in the trash', async () => {
  const { createNote, ada, ids } = await openSite()
  const path = `/cms/v2/posts/${ids['post.other']}`
  await ada('POST', path, { body: { title: 'Another title' } })
  const { body: revisions } = await ada('GET', `${path}/revisions`)
  expect(revisions).toHaveLength(1)
  const noDocument = { post_id: 'This is no builder document.' }
  expect(problemsOf(await createNote(ada, { post_id: revisions[0].id }))).toEqual([
    400,
    'rest_invalid_param',
    noDocument,
  ])
  await ada('DELETE', path)
  expect(problemsOf(await createNote(ada, { post_id: ids['post.other'] }))).toEqual([
    400,
    'rest_invalid_param',
    noDocument,
  ])
})

test.each([
  ['route_post_id', 'home', 'This is no id of a post.'],
  ['route_post_id', '00', 'This is no id of a post.'],
  ['route_post_id', -1, 'This is no id of a post.'],
  ['route_post_id', 999_999, 'This is no builder document.'],
  ['route_url', '/a b', 'This is no address of a page.'],
  ['content', ' ', 'The content is empty.'],
  ['element_id', 'short1', 'This is no id of an element.'],
])('says what is wrong about %s %j', async (name, value, problem) => {
  const { createNote, connie } = await openSite()
  expect(problemsOf(await createNote(connie, { [name]: value }))).toEqual([
    400,
    'rest_invalid_param',
    { [name]: problem },
  ])
})

test.each([
  ['/contact', '/contact'],
  [' /contact ', '/contact'],
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
  ['/contact?preview&fbclid=1234', '/contact'],
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

test('accepts a route_url of 2048 characters', async () => {
  const { createNote, connie } = await openSite()
  const route_url = `/${'x'.repeat(2047)}`
  expect((await createNote(connie, { route_url })).body.data.route_url).toBe(route_url)
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
  const problemIn = async (more: object) => {
    const [status, code, params] = problemsOf(await createNote(connie, { parent_id: thread, ...more }))
    expect([status, code]).toEqual([400, 'rest_invalid_param'])
    return params
  }
  expect(await problemIn({ parent_id: reply })).toEqual({ parent_id: 'A reply cannot be replied to.' })
  expect(await problemIn({ post_id: ids['post.other'] })).toEqual({ parent_id: 'The thread lies on another post.' })
  for (const is_public of [false, true]) {
    expect(await problemIn({ is_public })).toEqual({ is_public: 'A reply is as public as its thread.' })
  }
  const unknown = await createNote(connie, { parent_id: 999_999 })
  expect([...errorOf(unknown), unknown.body.message]).toEqual([404, 'not-found', 'There is no such note.'])
})

test('refuses a reply to a thread that was made on a page the user may not read', async () => {
  const { make, createNote, ada, sam, ids } = await openSite()
  const thread = await make(ada, { route_post_id: ids['post.secret'] })
  expect(errorOf(await createNote(sam, { parent_id: thread }))).toEqual([403, 'rest_forbidden'])
  expect((await createNote(ada, { parent_id: thread })).status).toBe(200)
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
