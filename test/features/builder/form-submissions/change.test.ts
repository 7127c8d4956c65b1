import { expect, test } from 'vitest'
import type { Requester } from '../../../support/site.ts'
import { errorOf, invalidParams, openSite, root } from './fixture.ts'

const affected = (count: number) => ({ data: [], meta: { affected: count, failed: 0 } })

test('changes the read status and the values of a submission', async () => {
  const { submit, ada, clock } = await openSite()
  const id = await submit({ values: { name: 'Bob', email: 'bob@mail.test' } })
  clock.now += 60_000
  for (const method of ['POST', 'PUT', 'PATCH']) {
    const values = { name: '<b>Bobby</b>\r\n T.  <script>x', toString: 'x', unknown: 'new' }
    const { status, body } = await ada(method, `${root}/${id}`, { body: { is_read: true, values } })
    expect([status, body.meta, body.data.is_read, body.data.updated_at_gmt]).toEqual([
      200,
      [],
      true,
      '2024-06-15 12:01:01',
    ])
    expect(body.data.values.map(({ key, value }: { key: string; value: string }) => [key, value])).toEqual([
      ['name', 'Bobby T. x'],
      ['email', 'bob@mail.test'],
    ])
    expect((await ada('GET', `${root}/${id}`)).body).toEqual(body)
  }
  expect((await ada('GET', root, { query: { search: 'bobby' } })).body.data).toHaveLength(1)
  expect((await ada('PATCH', `${root}/${id}`, { body: {} })).body.data.is_read).toBe(true)
})

test('refuses invalid values with 400 and unknown submissions with 404', async () => {
  const { submit, ada } = await openSite()
  const id = await submit()
  const response = await ada('PATCH', `${root}/${id}`, { body: { values: { name: { a: 1 } } } })
  expect(invalidParams(response)).toEqual([400, 'rest_invalid_param', ['values']])
  expect(invalidParams(await ada('PATCH', `${root}/${id}`, { body: { values: 'x' } }))[0]).toBe(400)
  expect(invalidParams(await ada('PATCH', `${root}/${id}`, { body: { is_read: 'maybe' } }))[0]).toBe(400)
  for (const body of [{ values: { name: 'x' } }, { is_read: true }]) {
    expect(errorOf(await ada('PATCH', `${root}/999`, { body }))).toEqual([404, 'rest_not_found'])
  }
})

test('two concurrent changes of different values both succeed', async () => {
  const { submit, ada, read } = await openSite()
  const id = await submit()
  await Promise.all([
    ada('PATCH', `${root}/${id}`, { body: { values: { name: 'Ann' } } }),
    ada('PATCH', `${root}/${id}`, { body: { values: { email: 'ann@mail.test' } } }),
  ])
  expect((await read(id)).values.map(({ value }: { value: string }) => value)).toEqual(['Ann', 'ann@mail.test'])
})

test('changes the read status of several; with a single id the response is that submission', async () => {
  const { submit, ada, read } = await openSite()
  const [first, second] = [await submit(), await submit()]
  const mark = (body: object) => ada('PUT', root, { body })
  expect((await mark({ ids: [first, second, 999], is_read: true })).body).toEqual(affected(2))
  expect([(await read(first)).is_read, (await read(second)).is_read]).toEqual([true, true])
  expect((await mark({ ids: `${first},${second}` })).body).toEqual(affected(2))
  expect((await mark({ ids: [998, 999], is_read: true })).body).toEqual(affected(0))
  const one = await mark({ ids: [first, first], is_read: false })
  expect([one.status, one.body.data.id, one.body.data.is_read, one.body.meta]).toEqual([200, first, false, []])
  expect(errorOf(await mark({ ids: [999], is_read: false }))).toEqual([404, 'rest_not_found'])
})

test('refuses invalid lists of ids with 400', async () => {
  const { ada } = await openSite()
  const calls: [string, string][] = [
    ['PATCH', root],
    ['DELETE', root],
    ['PATCH', `${root}/restore`],
  ]
  for (const [method, path] of calls) {
    for (const ids of [[], '', ['1e9'], ['x'], [1.5], [null], '1,<2', { a: 'x' }, [[1]]]) {
      const response = await ada(method, path, { body: { ids } })
      expect([method, path, ids, ...invalidParams(response)]).toEqual([
        method,
        path,
        ids,
        400,
        'rest_invalid_param',
        ['ids'],
      ])
    }
    const missing = await ada(method, path, { body: {} })
    expect([missing.status, missing.body.code, missing.body.data.params]).toEqual([
      400,
      'rest_missing_callback_param',
      ['ids'],
    ])
  }
})

test('a submission is trashed and restored', async () => {
  const { submit, ada, read, clock } = await openSite()
  const id = await submit()
  await ada('PATCH', `${root}/${id}`, { body: { is_read: true } })
  clock.now += 60_000
  expect((await ada('DELETE', `${root}/${id}`)).body).toEqual(affected(1))
  const trashed = await read(id)
  expect([trashed.status, trashed.is_read, trashed.updated_at_gmt]).toEqual(['trash', true, '2024-06-15 12:01:01'])
  expect((await ada('DELETE', `${root}/${id}`)).body).toEqual(affected(1))
  expect((await ada('PATCH', `${root}/${id}`, { body: { is_read: false } })).body.data.status).toBe('trash')
  for (const method of ['POST', 'PUT', 'PATCH']) {
    clock.now += 60_000
    const before = (await read(id)).updated_at_gmt
    expect((await ada(method, `${root}/restore/${id}`)).body).toEqual(affected(1))
    const restored = await read(id)
    expect([restored.status, restored.is_read, restored.updated_at_gmt]).toEqual(['new', false, before])
    expect(errorOf(await ada(method, `${root}/restore/${id}`))).toEqual([404, 'rest_not_found'])
    await ada('DELETE', root, { query: { ids: id } })
  }
})

test('force removes a submission permanently, in the trash or not', async () => {
  const { submit, ada } = await openSite()
  const [live, trashed] = [await submit(), await submit()]
  await ada('DELETE', `${root}/${trashed}`)
  for (const id of [live, trashed]) {
    expect((await ada('DELETE', `${root}/${id}`, { body: { force: true } })).body).toEqual(affected(1))
    expect(errorOf(await ada('GET', `${root}/${id}`))).toEqual([404, 'rest_not_found'])
    for (const query of ['', 'force=1']) {
      expect(errorOf(await ada('DELETE', `${root}/${id}`, { query }))).toEqual([404, 'rest_not_found'])
    }
  }
})

test('trashes, restores and removes several submissions in one request', async () => {
  const { submit, ada, list } = await openSite()
  const ids = [await submit(), await submit(), await submit()]
  expect((await ada('DELETE', root, { query: `ids[]=${ids[0]}&ids[]=${ids[1]}&ids[]=999` })).body).toEqual(affected(2))
  expect(await list({ status: 'trash' })).toEqual([ids[1], ids[0]])
  expect((await ada('POST', `${root}/restore`, { body: { ids } })).body).toEqual(affected(2))
  expect((await ada('POST', `${root}/restore`, { body: { ids } })).body).toEqual(affected(0))
  expect(errorOf(await ada('POST', `${root}/restore`, { body: { ids: [ids[0]] } }))[0]).toBe(404)
  expect((await ada('DELETE', root, { body: { ids: [...ids, 999], force: true } })).body).toEqual(affected(3))
  expect((await ada('DELETE', root, { body: { ids, force: true } })).body).toEqual(affected(0))
  expect(errorOf(await ada('DELETE', root, { body: { ids: [999] } }))).toEqual([404, 'rest_not_found'])
  expect(await list()).toEqual([])
})

test('removes submissions that were in the trash for 30 days, and no others', async () => {
  const { submit, ada, clock, list, api } = await openSite()
  const [first, second, untouched, restored] = [await submit(), await submit(), await submit(), await submit()]
  const day = 24 * 60 * 60 * 1000
  await ada('DELETE', `${root}/${first}`)
  await ada('DELETE', `${root}/${restored}`)
  clock.now += day
  await ada('DELETE', `${root}/${second}`)
  await ada('PATCH', `${root}/restore/${restored}`)
  clock.now += 29 * day - 1000
  expect(await list({ status: 'trash' })).toEqual([second, first])
  clock.now += 1000
  expect(await list({ status: 'trash' })).toEqual([second])
  clock.now += day
  await api.site.runDue()
  expect(await list({ status: 'trash' })).toEqual([])
  expect(await list({ order: 'asc' })).toEqual([untouched, restored])
})

test('emits an event for each change', async () => {
  const { submit, ada, api } = await openSite()
  const events: unknown[] = []
  api.on('submission.created', ({ submission }) => events.push(['created', submission.id]))
  for (const name of ['updated', 'trashed', 'restored', 'deleted'] as const) {
    api.on(`submission.${name}`, ({ ids }) => events.push([name, ...ids]))
  }
  const id = await submit()
  await ada('PATCH', root, { body: { ids: [id], is_read: true } })
  await ada('PATCH', root, { body: { ids: [id, 999], is_read: true } })
  await ada('DELETE', `${root}/${id}`)
  await ada('PATCH', `${root}/restore/${id}`)
  await ada('DELETE', `${root}/${id}`, { body: { force: true } })
  expect(events).toEqual([
    ['created', id],
    ['updated', id],
    ['updated', id],
    ['trashed', id],
    ['restored', id],
    ['deleted', id],
  ])
})

test('only administrators can call the routes of submissions', async () => {
  const { submit, as, api, ids, visitor } = await openSite()
  const id = await submit()
  const body = { ids: [id], is_read: true, force: true }
  const calls: [string, string][] = [
    ['GET', '/builder/v1/forms'],
    ['GET', root],
    ['DELETE', root],
    ...['POST', 'PUT', 'PATCH'].map((method): [string, string] => [method, root]),
    ['GET', `${root}/${id}`],
    ['GET', `${root}/999`],
    ['DELETE', `${root}/${id}`],
    ...['POST', 'PUT', 'PATCH'].map((method): [string, string] => [method, `${root}/${id}`]),
    ...['POST', 'PUT', 'PATCH'].map((method): [string, string] => [method, `${root}/restore/${id}`]),
    ...['POST', 'PUT', 'PATCH'].map((method): [string, string] => [method, `${root}/restore`]),
    ['GET', `${root}/export`],
    ['GET', `${root}/referer`],
  ]
  const senders: [string, Requester, number][] = [
    ['visitor', visitor, 401],
    ...['sam', 'connie', 'arthur', 'edith'].map((login): [string, Requester, number] => [login, as(login), 403]),
  ]
  for (const [login, send, status] of senders) {
    for (const [method, path] of calls) {
      const response = await send(method, path, method === 'GET' ? {} : { body })
      expect([login, method, path, ...errorOf(response)]).toEqual([login, method, path, status, 'rest_forbidden'])
    }
  }
  const [password] = await api.site.passwords.list(ids['user.admin'] as number)
  await api.site.passwords.revoke(password?.id ?? 0)
  expect((await as('ada')('GET', `${root}/export`)).status).toBe(401)
})
