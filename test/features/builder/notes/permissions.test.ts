import { expect, test } from 'vitest'
import { capabilities } from '../../../../src/features/builder/notes/model.ts'
import type { Requester } from '../../../support/site.ts'
import { basic, errorOf, openSite, root } from './fixture.ts'

test('each route requires a notes capability', async () => {
  const { as, make, connie, doc, values, grant } = await openSite()
  await grant('subscriber', [])
  const thread = await make(connie)
  const body = { ids: [thread] }
  const routes: [string, string, object | undefined, number][] = [
    ['GET', root, undefined, 200],
    ['GET', `${root}/summary`, undefined, 200],
    ['GET', `${root}/users`, undefined, 200],
    ['GET', `${root}/${thread}`, undefined, 200],
    ['POST', root, { ...values, post_id: doc }, 200],
    ['POST', `${root}/read-status`, body, 201],
    ['DELETE', `${root}/read-status`, body, 200],
    ['POST', `${root}/${thread}`, { content: 'a' }, 200],
    ['PUT', `${root}/${thread}`, { content: 'b' }, 200],
    ['PATCH', `${root}/${thread}`, { content: 'c' }, 200],
    ['DELETE', `${root}/${thread}`, undefined, 200],
  ]
  for (const [method, path, sent, allowed] of routes) {
    const statuses = []
    for (const login of [null, 'sam', 'arthur', 'edith', 'ada']) {
      statuses.push((await as(login)(method, path, sent ? { body: sent } : {})).status)
    }
    expect([method, path, ...statuses]).toEqual([method, path, 401, 403, 403, 403, allowed])
  }
})

test('each basic capability permits only its own action', async () => {
  const { grant, make, createNote, sam } = await openSite()
  const mine = await make(sam)
  const attempts = {
    [capabilities.create]: () => createNote(sam),
    [capabilities.read]: () => sam('GET', `${root}/${mine}`),
    [capabilities.edit]: () => sam('PATCH', `${root}/${mine}`, { body: { content: 'x' } }),
    [capabilities.delete]: () => sam('DELETE', `${root}/${mine}`),
  }
  for (const granted of basic) {
    await grant('subscriber', [granted])
    for (const [needed, attempt] of Object.entries(attempts)) {
      if (needed === capabilities.delete && granted === needed) continue
      expect([granted, needed, (await attempt()).status]).toEqual([granted, needed, granted === needed ? 200 : 403])
    }
  }
  expect((await attempts[capabilities.delete]?.())?.status).toBe(200)
})

test('editing and deleting notes of others requires the capability for others', async () => {
  const { grant, make, connie, sam } = await openSite()
  const id = await make(connie)
  const edit = async () => (await sam('PATCH', `${root}/${id}`, { body: { content: 'x' } })).status
  const remove = async () => (await sam('DELETE', `${root}/${id}`)).status
  expect([await edit(), await remove()]).toEqual([403, 403])
  await grant('subscriber', [...basic, capabilities.deleteOthers])
  expect(await edit()).toBe(403)
  await grant('subscriber', [...basic, capabilities.editOthers])
  expect([await edit(), await remove()]).toEqual([200, 403])
  await grant('subscriber', [...basic, capabilities.deleteOthers])
  expect(await remove()).toBe(200)
})

test('a private note is readable for its author and users with the private capability', async () => {
  const { grant, make, list, createNote, connie, sam, ada } = await openSite()
  const id = await make(connie, { is_public: false })
  const everything = [...basic, capabilities.editOthers, capabilities.deleteOthers]
  await grant('subscriber', everything)
  const statuses = async (send: Requester) => [
    (await send('GET', `${root}/${id}`)).status,
    (await createNote(send, { parent_id: id })).status,
    (await send('POST', `${root}/read-status`, { body: { ids: [id] } })).status,
    (await send('PATCH', `${root}/${id}`, { body: { content: 'x' } })).status,
  ]
  expect(await statuses(sam)).toEqual([403, 403, 403, 403])
  expect((await sam('DELETE', `${root}/${id}`)).status).toBe(403)
  expect([await list(sam), await list(connie), (await list(ada)).includes(id)]).toEqual([[], [id], true])
  expect(await statuses(connie)).toEqual([200, 200, 201, 200])
  await grant('subscriber', [...everything, capabilities.readPrivate])
  expect(await statuses(sam)).toEqual([200, 200, 201, 200])
})

test('refuses writing and reading notes on posts that the user may not read', async () => {
  const { createNote, make, list, ada, edith, sam, grant, ids, doc } = await openSite()
  await grant('editor', basic)
  for (const key of ['post.secret', 'post.sketch', 'post.private', 'post.draft']) {
    const id = ids[key]
    expect([key, ...errorOf(await createNote(sam, { post_id: id }))]).toEqual([key, 403, 'rest_forbidden'])
    expect([key, ...errorOf(await createNote(sam, { route_post_id: id }))]).toEqual([key, 403, 'rest_forbidden'])
  }
  for (const more of [{ post_id: ids['post.secret'] }, { post_id: doc, route_post_id: ids['post.sketch'] }]) {
    const id = await make(ada, more)
    expect(errorOf(await sam('GET', `${root}/${id}`))).toEqual([403, 'rest_forbidden'])
    expect(errorOf(await sam('POST', `${root}/read-status`, { body: { ids: [id] } }))).toEqual([403, 'rest_forbidden'])
    expect([await list(sam), (await list(edith)).includes(id)]).toEqual([[], true])
    expect((await sam('GET', `${root}/summary`)).body.data).toEqual([])
  }
})

test('an unknown note and a trashed note are 404 for every user who may see notes, and 401 for visitors', async () => {
  const { make, connie, ada, visitor } = await openSite()
  const id = await make(connie)
  await connie('DELETE', `${root}/${id}`)
  for (const path of [`${root}/${id}`, `${root}/999999`, `${root}/99999999999999999999`]) {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
      for (const send of [ada, connie, visitor]) {
        const body = method === 'GET' ? {} : { body: { content: 'x', force: true } }
        const expected = send === visitor ? [401, 'rest_forbidden'] : [404, 'not-found']
        expect(errorOf(await send(method, path, body))).toEqual(expected)
      }
    }
  }
  expect(errorOf(await ada('GET', `${root}/abc`))).toEqual([404, 'rest_no_route'])
})

test('OPTIONS lists the permitted methods and changes nothing', async () => {
  const { make, read, connie, sam, visitor } = await openSite()
  const id = await make(connie)
  const allowed = async (send: typeof sam, path: string) => {
    const { status, headers } = await send('OPTIONS', path, { query: 'content=x&ids=1' })
    return [status, headers.get('allow')]
  }
  expect(await allowed(sam, root)).toEqual([200, 'GET, POST'])
  expect(await allowed(sam, `${root}/read-status`)).toEqual([200, 'POST, DELETE'])
  expect(await allowed(sam, `${root}/${id}`)).toEqual([200, 'GET'])
  expect(await allowed(connie, `${root}/${id}`)).toEqual([200, 'GET, POST, PUT, PATCH, DELETE'])
  for (const path of [root, `${root}/read-status`, `${root}/${id}`, `${root}/summary`, `${root}/users`]) {
    expect(await allowed(visitor, path)).toEqual([200, null])
  }
  expect((await read(connie, id)).content).toBe('Nice')
})
