import { expect, test } from 'vitest'
import { about, home, openSite, refusalOf } from './fixture.ts'

const one = '/remediation/global-item'
const all = '/remediation/global-items'
const group = '/remediation/global-items-group'

async function twoShared() {
  const site = await openSite()
  const first = await site.add(home, { global: true })
  const second = await site.add(about, { global: true, group: 'tables' })
  return { ...site, first, second }
}

test('a remediation of a page becomes one of all pages', async () => {
  const { add, send, states } = await openSite()
  const id = await add(home)
  expect((await send('POST', one, { id })).body).toEqual({ success: true, data: { message: expect.any(String) } })
  expect(await states(home)).toEqual([[], [`${id}:1:1`]])
  expect(await states(about)).toEqual([[], [`${id}:1:1`]])
})

test('a page says otherwise, and everywhere means that page too', async () => {
  const { send, states, first, second } = await twoShared()
  await send('PUT', one, { id: first, url: about, active: false })
  expect(await states(about)).toEqual([[], [`${first}:1:0`, `${second}:1:1`]])
  expect(await states(home)).toEqual([[], [`${first}:1:1`, `${second}:1:1`]])
  await send('PUT', one, { id: first, url: about, active: true })
  expect((await states(about))[1]).toEqual([`${first}:1:1`, `${second}:1:1`])
  await send('PATCH', one, { id: first, active: false })
  expect((await states(about))[1]).toEqual([`${first}:0:0`, `${second}:1:1`])
  await send('PUT', one, { id: first, url: home, active: 'on' })
  expect((await states(home))[1]).toEqual([`${first}:0:1`, `${second}:1:1`])
  expect((await states(about))[1]).toEqual([`${first}:0:0`, `${second}:1:1`])
})

test('all of them are switched, on a page and everywhere', async () => {
  const { send, states, first, second } = await twoShared()
  await send('PUT', all, { url: home, active: false })
  expect((await states(home))[1]).toEqual([`${first}:1:0`, `${second}:1:0`])
  expect((await states(about))[1]).toEqual([`${first}:1:1`, `${second}:1:1`])
  await send('PATCH', all, { active: false })
  expect((await states(about))[1]).toEqual([`${first}:0:0`, `${second}:0:0`])
  await send('PATCH', all, { active: true })
  expect((await states(home))[1]).toEqual([`${first}:1:1`, `${second}:1:1`])
})

test('those of a group are switched, on a page and everywhere', async () => {
  const { send, states, first, second } = await twoShared()
  await send('PUT', group, { url: home, group: 'tables', active: false })
  expect((await states(home))[1]).toEqual([`${first}:1:1`, `${second}:1:0`])
  await send('PATCH', group, { group: 'altText', active: false })
  expect((await states(home))[1]).toEqual([`${first}:0:0`, `${second}:1:0`])
  expect((await states(about))[1]).toEqual([`${first}:0:0`, `${second}:1:1`])
})

test('they are removed one by one, by group, and all', async () => {
  const { add, send, states, first, second } = await twoShared()
  const [third, own] = [await add(home, { global: true }), await add(home)]
  await send('PUT', one, { id: first, url: home, active: false })
  await send('DELETE', one, { id: first })
  await send('DELETE', one, { id: own })
  expect(await states(home)).toEqual([[`${own}:1`], [`${second}:1:1`, `${third}:1:1`]])
  await send('DELETE', all, { group: 'tables' })
  expect((await states(home))[1]).toEqual([`${third}:1:1`])
  await send('DELETE', all)
  expect(await states(home)).toEqual([[`${own}:1`], []])
})

test('unknown ids, and those of a page, change nothing and are no failure', async () => {
  const { add, send, states } = await openSite()
  const own = await add(home)
  expect((await send('POST', one, { id: 999 })).status).toBe(200)
  for (const id of [own, 999]) {
    expect((await send('PUT', one, { id, url: home, active: false })).status).toBe(200)
    expect((await send('PATCH', one, { id, active: false })).status).toBe(200)
    expect((await send('DELETE', one, { id })).status).toBe(200)
  }
  expect(await states(home)).toEqual([[`${own}:1`], []])
})

test('what is missing or wrong is 400', async () => {
  const { send } = await openSite()
  const cases: readonly (readonly [method: string, path: string, body: object, code: string])[] = [
    ['POST', one, {}, 'missing_parameters'],
    ['POST', one, { id: 'x' }, 'rest_invalid_param'],
    ['PUT', one, { id: 1, active: true }, 'missing_parameters'],
    ['PUT', one, { id: 1, url: home }, 'missing_parameters'],
    ['PUT', one, { id: 1, url: home, active: 'maybe' }, 'rest_invalid_param'],
    ['PATCH', one, { id: 1 }, 'missing_parameters'],
    ['PATCH', one, { active: true }, 'missing_parameters'],
    ['DELETE', one, {}, 'missing_parameters'],
    ['PUT', all, { active: true }, 'missing_parameters'],
    ['PUT', all, { url: home }, 'missing_parameters'],
    ['PATCH', all, {}, 'missing_parameters'],
    ['PATCH', all, { active: [] }, 'rest_invalid_param'],
    ['DELETE', all, { group: 7 }, 'rest_invalid_param'],
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

test('many who switch the same at once leave one word for each page', async () => {
  const { send, states, first, second } = await twoShared()
  const answers = await Promise.all(Array.from({ length: 8 }, () => send('PUT', all, { url: home, active: false })))
  expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200))
  expect((await states(home))[1]).toEqual([`${first}:1:0`, `${second}:1:0`])
})
