import { expect, test } from 'vitest'
import { about, home, openSite, refusalOf } from './fixture.ts'

const item = '/remediation/global-item'
const items = '/remediation/global-items'
const group = '/remediation/global-items-group'

async function openWithTwoGlobal() {
  const site = await openSite()
  const first = await site.add(home, { global: true })
  const second = await site.add(about, { global: true, group: 'tables' })
  return { ...site, first, second }
}

test('makes a remediation of a page global', async () => {
  const { add, send, states } = await openSite()
  const id = await add(home)
  expect((await send('POST', item, { id })).body).toEqual({ success: true, data: { message: expect.any(String) } })
  expect(await states(home)).toEqual([[], [`${id}:1:1`]])
  expect(await states(about)).toEqual([[], [`${id}:1:1`]])
})

test('an override switches one page, and switching everywhere sets the override too', async () => {
  const { send, states, first, second } = await openWithTwoGlobal()
  await send('PUT', item, { id: first, url: about, active: false })
  expect(await states(about)).toEqual([[], [`${first}:1:0`, `${second}:1:1`]])
  expect(await states(home)).toEqual([[], [`${first}:1:1`, `${second}:1:1`]])
  await send('PUT', item, { id: first, url: about, active: true })
  expect((await states(about))[1]).toEqual([`${first}:1:1`, `${second}:1:1`])
  await send('PATCH', item, { id: first, active: false })
  expect((await states(about))[1]).toEqual([`${first}:0:0`, `${second}:1:1`])
  await send('PUT', item, { id: first, url: home, active: 'on' })
  expect((await states(home))[1]).toEqual([`${first}:0:1`, `${second}:1:1`])
  expect((await states(about))[1]).toEqual([`${first}:0:0`, `${second}:1:1`])
})

test('switches all global remediations, on a page and everywhere', async () => {
  const { send, states, first, second } = await openWithTwoGlobal()
  await send('PUT', items, { url: home, active: false })
  expect((await states(home))[1]).toEqual([`${first}:1:0`, `${second}:1:0`])
  expect((await states(about))[1]).toEqual([`${first}:1:1`, `${second}:1:1`])
  await send('PATCH', items, { active: false })
  expect((await states(about))[1]).toEqual([`${first}:0:0`, `${second}:0:0`])
  await send('PATCH', items, { active: true })
  expect((await states(home))[1]).toEqual([`${first}:1:1`, `${second}:1:1`])
})

test('switches the global remediations of a group, on a page and everywhere', async () => {
  const { send, states, first, second } = await openWithTwoGlobal()
  await send('PUT', group, { url: home, group: 'tables', active: false })
  expect((await states(home))[1]).toEqual([`${first}:1:1`, `${second}:1:0`])
  await send('PATCH', group, { group: 'altText', active: false })
  expect((await states(home))[1]).toEqual([`${first}:0:0`, `${second}:1:0`])
  expect((await states(about))[1]).toEqual([`${first}:0:0`, `${second}:1:1`])
})

test('removes global remediations by id, by group and all', async () => {
  const { add, send, states, first, second } = await openWithTwoGlobal()
  const [third, own] = [await add(home, { global: true }), await add(home)]
  await send('PUT', item, { id: first, url: home, active: false })
  await send('DELETE', item, { id: first })
  await send('DELETE', item, { id: own })
  expect(await states(home)).toEqual([[`${own}:1`], [`${second}:1:1`, `${third}:1:1`]])
  await send('DELETE', items, { group: 'tables' })
  expect((await states(home))[1]).toEqual([`${third}:1:1`])
  await send('DELETE', items)
  expect(await states(home)).toEqual([[`${own}:1`], []])
})

test('unknown ids and those of page remediations change nothing and succeed', async () => {
  const { add, send, states } = await openSite()
  const own = await add(home)
  expect((await send('POST', item, { id: 999 })).status).toBe(200)
  for (const id of [own, 999]) {
    expect((await send('PUT', item, { id, url: home, active: false })).status).toBe(200)
    expect((await send('PATCH', item, { id, active: false })).status).toBe(200)
    expect((await send('DELETE', item, { id })).status).toBe(200)
  }
  expect(await states(home)).toEqual([[`${own}:1`], []])
})

test('refuses missing and invalid arguments with 400', async () => {
  const { send } = await openSite()
  const cases: readonly (readonly [method: string, path: string, body: object, code: string])[] = [
    ['POST', item, {}, 'missing_parameters'],
    ['POST', item, { id: 'x' }, 'rest_invalid_param'],
    ['PUT', item, { id: 1, active: true }, 'missing_parameters'],
    ['PUT', item, { id: 1, url: home }, 'missing_parameters'],
    ['PUT', item, { id: 1, url: home, active: 'maybe' }, 'rest_invalid_param'],
    ['PATCH', item, { id: 1 }, 'missing_parameters'],
    ['PATCH', item, { active: true }, 'missing_parameters'],
    ['DELETE', item, {}, 'missing_parameters'],
    ['PUT', items, { active: true }, 'missing_parameters'],
    ['PUT', items, { url: home }, 'missing_parameters'],
    ['PATCH', items, {}, 'missing_parameters'],
    ['PATCH', items, { active: [] }, 'rest_invalid_param'],
    ['DELETE', items, { group: 7 }, 'rest_invalid_param'],
    ['PUT', group, { url: home, active: true }, 'missing_parameters'],
    ['PUT', group, { group: 'tables', active: true }, 'missing_parameters'],
    ['PATCH', group, { group: 'tables' }, 'missing_parameters'],
    ['PATCH', group, { active: true }, 'missing_parameters'],
    ['PATCH', group, { group: 'x'.repeat(129), active: true }, 'rest_invalid_param'],
  ]
  for (const [method, path, body, code] of cases) {
    expect([method, path, body, ...refusalOf(await send(method, path, body))]).toEqual([method, path, body, 400, code])
  }
})

test('parallel switches leave one override per remediation', async () => {
  const { send, states, first, second } = await openWithTwoGlobal()
  const responses = await Promise.all(Array.from({ length: 8 }, () => send('PUT', items, { url: home, active: false })))
  expect(responses.map(({ status }) => status)).toEqual(Array(8).fill(200))
  expect((await states(home))[1]).toEqual([`${first}:1:0`, `${second}:1:0`])
})
