import { expect, test } from 'vitest'
import { blamed, openSite, refusalOf, root } from './fixture.ts'

test('a new note is answered as it stands', async () => {
  const { leave, connie, ids, doc } = await openSite()
  const { status, body } = await leave(connie, {
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

test('a note can be left as a draft, though the index does not say so', async () => {
  const { make, leave, list, connie, visitor } = await openSite()
  const id = await make(connie, { status: 'draft' })
  expect(await list(connie)).toEqual([])
  expect(await list(connie, { status: 'draft' })).toEqual([id])
  expect(blamed(await leave(connie, { status: 'trash' }))).toEqual([400, 'rest_invalid_param', ['status']])
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
])('refuses a note whose %s is %j', async (name, sent) => {
  const { leave, list, connie } = await openSite()
  expect(blamed(await leave(connie, { [name]: sent }))).toEqual([400, 'rest_invalid_param', [name]])
  expect(await list(connie)).toEqual([])
})

test('notes lie on builder documents only, and so do their routes', async () => {
  const { leave, ada, ids } = await openSite()
  for (const key of ['post.hello', 'page.front', 'media.pier', 'revision.hello.1', 'post.trashed']) {
    expect([key, ...blamed(await leave(ada, { post_id: ids[key] }))]).toEqual([
      ...[key, 400, 'rest_invalid_param', ['post_id']],
    ])
    expect([key, ...blamed(await leave(ada, { route_post_id: ids[key] }))]).toEqual([
      ...[key, 400, 'rest_invalid_param', ['route_post_id']],
    ])
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
])('the address %j is kept as %j and found by both', async (sent, kept) => {
  const { leave, list, connie } = await openSite()
  const { body } = await leave(connie, { route_url: sent })
  expect(body.data.route_url).toBe(kept)
  expect(await list(connie, { route_url: sent })).toEqual([body.data.id])
  expect(await list(connie, { route_url: kept })).toEqual([body.data.id])
  expect(await list(connie, { route_url: '/elsewhere' })).toEqual([])
})

test.each([null, '', 0, '0'])('%j as the post of a route is none', async (sent) => {
  const { leave, connie } = await openSite()
  expect((await leave(connie, { route_post_id: sent })).body.data.route_post_id).toBeNull()
})

test('a title of a route has at most 255 characters', async () => {
  const { leave, connie } = await openSite()
  const { body } = await leave(connie, { route_title: '😀'.repeat(300) })
  expect(body.data.route_title).toBe('😀'.repeat(255))
})

test('a reply moves its thread up and is counted there', async () => {
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

test('a reply goes to a thread of the same post, and is as public as its thread', async () => {
  const { make, leave, connie, ids } = await openSite()
  const thread = await make(connie)
  const reply = await make(connie, { parent_id: thread })
  const wrong = (more: object) => leave(connie, { parent_id: thread, ...more }).then(blamed)
  expect(await wrong({ parent_id: reply })).toEqual([400, 'rest_invalid_param', ['parent_id']])
  expect(await wrong({ post_id: ids['post.other'] })).toEqual([400, 'rest_invalid_param', ['parent_id']])
  expect(await wrong({ is_public: false })).toEqual([400, 'rest_invalid_param', ['is_public']])
  expect(await wrong({ is_public: true })).toEqual([400, 'rest_invalid_param', ['is_public']])
  expect(refusalOf(await leave(connie, { parent_id: 999_999 }))).toEqual([404, 'not-found'])
})

test('replies of a private thread are seen by those who see the thread', async () => {
  const { make, list, leave, sam, connie, ada } = await openSite()
  const thread = await make(connie, { is_public: false })
  const reply = await make(ada, { parent_id: thread })
  expect(await list(connie)).toEqual([reply, thread])
  expect(await list(sam)).toEqual([])
  for (const id of [thread, reply])
    expect(refusalOf(await sam('GET', `${root}/${id}`))).toEqual([403, 'rest_forbidden'])
  expect(refusalOf(await leave(sam, { parent_id: thread }))).toEqual([403, 'rest_forbidden'])
})
