import { expect, test } from 'vitest'
import type { Storage } from '../../../../src/contract/storage.ts'
import type { Requester } from '../../../support/site.ts'
import { errorOf, openSite, root } from './fixture.ts'

test('filters by status, is_resolved and post_id', async () => {
  const { make, list, connie, ids, doc } = await openSite()
  const resolved = await make(connie)
  await connie('PATCH', `${root}/${resolved}`, { body: { is_resolved: true } })
  const draft = await make(connie, { status: 'draft' })
  const onOther = await make(connie, { post_id: ids['post.other'] })
  expect(await list(connie)).toEqual([onOther, resolved])
  expect(await list(connie, { status: 'publish' })).toEqual([onOther, resolved])
  expect(await list(connie, { status: 'draft' })).toEqual([draft])
  expect(await list(connie, { is_resolved: true })).toEqual([resolved])
  expect(await list(connie, { is_resolved: false })).toEqual([onOther])
  expect(await list(connie, { post_id: doc })).toEqual([resolved])
  expect(await list(connie, { post_id: 999_999 })).toEqual([])
})

test('orders by last activity or by creation, in both directions', async () => {
  const { make, list, connie } = await openSite()
  const [first, second] = [await make(connie), await make(connie)]
  await connie('PATCH', `${root}/${first}`, { body: { is_resolved: true } })
  expect(await list(connie)).toEqual([first, second])
  expect(await list(connie, { order: 'asc' })).toEqual([second, first])
  expect(await list(connie, { order_by: 'created_at' })).toEqual([second, first])
  expect(await list(connie, { order_by: 'created_at', order: 'asc' })).toEqual([first, second])
})

test('a list shows the author, the read status and the counts of each note', async () => {
  const { make, connie, sam, ada } = await openSite()
  const thread = await make(connie)
  const reply = await make(ada, { parent_id: thread })
  const own = await make(sam)
  const { body } = await sam('GET', root, { query: { order_by: 'created_at', order: 'asc' } })
  const shown = body.data.map((note: { [member: string]: unknown } & { author: { slug: string } }) => [
    note['id'],
    note.author.slug,
    note['is_read'],
    note['replies_count'],
    note['unread_replies_count'],
  ])
  expect(shown).toEqual([
    [thread, 'connie-contributor', false, 1, 1],
    [reply, 'ada-administrator', false, 0, 0],
    [own, 'sam-subscriber', true, 0, 0],
  ])
})

test('replies that were made on a page the caller may not read are neither shown nor counted', async () => {
  const { make, list, read, connie, ada, ids } = await openSite()
  const thread = await make(connie)
  const hidden = await make(ada, { parent_id: thread, route_post_id: ids['post.secret'] })
  const none = { replies_count: 0, unread_replies_count: 0, replies: [] }
  expect(await list(connie)).toEqual([thread])
  expect(await list(connie, { only_unread: true })).toEqual([])
  expect((await connie('GET', root)).body.data).toEqual([expect.objectContaining(none)])
  expect(await read(connie, thread)).toMatchObject(none)
  const changed = await connie('PATCH', `${root}/${thread}`, { body: { content: 'Else' } })
  expect(changed.body.data).toMatchObject(none)
  expect(await read(ada, thread)).toMatchObject({ replies_count: 1, replies: [{ id: hidden }] })
})

test('a mention does not mark a note as read, and reading a note does not make it relevant', async () => {
  const { make, list, read, connie, sam } = await openSite()
  const mentioning = await make(connie, { mentioned_usernames: ['sam-subscriber'] })
  const other = await make(connie)
  await sam('POST', `${root}/read-status`, { body: { ids: [other] } })
  expect(await list(sam, { only_unread: true })).toEqual([mentioning])
  expect(await list(sam, { only_relevant: true })).toEqual([mentioning])
  expect(await read(sam, mentioning)).toMatchObject({ is_read: false, readers: [{ slug: 'connie-contributor' }] })
})

test('only_unread=true lists unread notes and threads with unread replies', async () => {
  const { make, list, connie, sam } = await openSite()
  const own = await make(sam)
  const thread = await make(connie)
  const reply = await make(connie, { parent_id: thread })
  const unread = () => list(sam, { only_unread: true, order_by: 'created_at', order: 'asc' })
  expect(await unread()).toEqual([thread, reply])
  await sam('POST', `${root}/read-status`, { body: { ids: [thread] } })
  expect(await unread()).toEqual([thread, reply])
  await sam('POST', `${root}/read-status`, { body: { ids: [reply] } })
  expect(await unread()).toEqual([])
  expect(await list(sam, { only_unread: false, order_by: 'created_at', order: 'asc' })).toEqual([own, thread, reply])
})

test('only_relevant=true lists notes that the caller wrote, replied to or is mentioned in', async () => {
  const { make, list, connie, sam, ada } = await openSite()
  const mine = await make(sam)
  const repliedTo = await make(connie)
  const reply = await make(sam, { parent_id: repliedTo })
  const mentioned = await make(connie, { mentioned_usernames: ['sam-subscriber', 'nobody'] })
  const thread = await make(connie)
  const mentioningReply = await make(ada, { parent_id: thread, mentioned_usernames: ['sam-subscriber'] })
  const other = await make(connie)
  const order = { order_by: 'created_at', order: 'asc' }
  const relevant = [mine, repliedTo, reply, mentioned, thread, mentioningReply]
  expect(await list(sam, { only_relevant: true, ...order })).toEqual(relevant)
  expect(await list(sam, { only_relevant: false, ...order })).toEqual([...relevant, other])
})

test('a list costs the same number of storage calls for 10 and for 100 notes', async () => {
  const calls: string[] = []
  const counted = (storage: Storage): Storage =>
    new Proxy(storage, {
      get(target, name) {
        const store = Reflect.get(target, name)
        if (name === 'atomic' || typeof store !== 'object')
          return typeof store === 'function' ? store.bind(target) : store
        return new Proxy(store, {
          get(inner, method) {
            const work = Reflect.get(inner, method)
            return (...args: unknown[]) => {
              calls.push(`${String(name)}.${String(method)}`)
              return work.apply(inner, args)
            }
          },
        })
      },
    })
  const { make, ada, connie, ids, doc } = await openSite({ storage: counted })
  const cost = async (path: string) => {
    calls.length = 0
    await ada('GET', path)
    return [...calls]
  }
  const paths = [root, `${root}?only_relevant=1&only_unread=1`, `${root}/summary`]
  const costs: string[][] = []
  for (const count of [10, 90]) {
    for (let index = 0; index < count; index += 2) {
      const send = index % 4 === 0 ? ada : connie
      const thread = await make(send, { post_id: index % 3 === 0 ? doc : ids['post.other'] })
      await make(connie, { parent_id: thread, post_id: index % 3 === 0 ? doc : ids['post.other'] })
    }
    for (const path of paths) costs.push(await cost(path))
    costs.push(await cost(`${root}/1`))
  }
  expect(costs.slice(4)).toEqual(costs.slice(0, 4))
  expect(costs[0]?.length).toBeLessThan(14)
})

test('the summary counts the notes on each page that the caller may see', async () => {
  const { make, connie, sam } = await openSite()
  const contact = { route_url: '/contact/', route_title: 'Contact' }
  const thread = await make(connie, contact)
  await make(connie, { ...contact, parent_id: thread })
  await make(connie, { ...contact, is_public: false })
  await make(connie, { route_url: '/', route_title: 'Home' })
  await make(connie)
  const summary = async (send: Requester, query = '') => (await send('GET', `${root}/summary`, { query })).body
  expect(await summary(sam)).toEqual({
    data: [
      { url: null, full_url: 'https://quay.example', title: null, notes_count: 1 },
      { url: '', full_url: 'https://quay.example', title: 'Home', notes_count: 1 },
      { url: '/contact', full_url: 'https://quay.example/contact', title: 'Contact', notes_count: 2 },
    ],
    meta: [],
  })
  const threads = await summary(connie, 'parent_id=0&route_url=/contact')
  expect(threads.data).toEqual([expect.objectContaining({ url: '/contact', notes_count: 2 })])
  expect((await summary(sam, 'only_relevant=1')).data).toEqual([])
})

test('the summary names a page by its first note with a title', async () => {
  const { make, connie } = await openSite()
  for (const more of [{ route_title: 'Oldest' }, { route_title: 'Newer' }, {}]) {
    await make(connie, { route_url: '/contact', ...more })
  }
  const { body } = await connie('GET', `${root}/summary`)
  expect(body.data).toEqual([expect.objectContaining({ url: '/contact', title: 'Newer', notes_count: 3 })])
})

test('lists users to mention, with order, search and limit', async () => {
  const { connie, ada, doc } = await openSite()
  const slugs = async (send: Requester, query: { [name: string]: string | number } = {}) =>
    (await send('GET', `${root}/users`, { query })).body.data.map(({ slug }: { slug: string }) => slug)
  const all = await slugs(connie)
  expect([all.length, all[0], all.at(-1)]).toEqual([6, 'ada-administrator', 'sam-subscriber'])
  expect((await slugs(connie, { order: 'desc' }))[0]).toBe('sam-subscriber')
  expect(await slugs(connie, { order_by: 'user_nicename', limit: 2 })).toEqual(['ada-administrator', 'aiko-author'])
  for (const limit of [0, -1]) expect(await slugs(connie, { limit })).toEqual(all)
  expect(await slugs(connie, { order_by: 'user_registered' })).toHaveLength(6)
  expect(await slugs(connie, { search: 'EDITOR' })).toEqual(['edith-editor'])
  expect(await slugs(connie, { search: '%' })).toEqual([])
  expect(await slugs(connie, { search: 'example.test' })).toEqual([])
  expect(await slugs(ada, { search: 'example.test' })).toHaveLength(6)
  const { body } = await connie('GET', `${root}/users`, { query: { post_id: doc, search: 'connie' } })
  expect(body.data[0].capabilities).toEqual({ notes: { can_read: true }, post: { can_edit: false } })
})

test('refuses the users of a post that the caller may not read', async () => {
  const { sam, ids } = await openSite()
  const ask = (post_id: number | undefined) => sam('GET', `${root}/users`, { query: { post_id: post_id ?? 0 } })
  expect(errorOf(await ask(ids['post.secret']))).toEqual([403, 'rest_forbidden'])
  expect(errorOf(await ask(999_999))).toEqual([404, 'not-found'])
})

test('refuses a search of more than 1000 characters', async () => {
  const { connie } = await openSite()
  const { status } = await connie('GET', `${root}/users`, { query: { search: 'x'.repeat(1001) } })
  expect(status).toBe(400)
})
