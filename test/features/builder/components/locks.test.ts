import { expect, test } from 'vitest'
import { openSite, refusalOf, root } from './fixture.ts'

const hourMs = 3_600_000
const free = { is_current_user_allow_to_edit: true, locked_by: null }

async function openLocked() {
  const site = await openSite()
  const edith = await site.promoteEdith()
  const id = await site.create()
  const statusOf = async (send = site.ada) =>
    (await send('GET', `${root}/lock-status`, { query: { componentId: id } })).body.data
  const lock = (send = site.ada, more: object = {}) => site.post('/lock', { componentId: id, ...more }, send)
  const unlock = (send = site.ada, more: object = {}) => site.post('/unlock', { componentId: id, ...more }, send)
  return { ...site, edith, id, statusOf, lock, unlock }
}

test('a lock is seen by everybody, and opened by its holder', async () => {
  const { edith, statusOf, lock, unlock } = await openLocked()
  expect(await statusOf()).toEqual(free)
  expect((await lock()).body).toEqual({ data: { locked: true }, meta: [] })
  expect(await statusOf()).toEqual({ is_current_user_allow_to_edit: true, locked_by: 'Ada Admin' })
  expect(await statusOf(edith)).toEqual({ is_current_user_allow_to_edit: false, locked_by: 'Ada Admin' })
  expect((await unlock()).body).toEqual({ data: { unlocked: true }, meta: [] })
  expect(await statusOf(edith)).toEqual(free)
  expect((await unlock(edith)).status).toBe(200)
})

// AZ-20
test('nobody locks or unlocks what somebody else holds, whatever the body says of the holder', async () => {
  const { edith, ids, statusOf, lock, unlock } = await openLocked()
  const asAda = { user: ids['user.admin'], user_id: ids['user.admin'], locked_by: ids['user.admin'], userId: 1 }
  await lock()
  for (const claim of [{}, asAda]) {
    expect(refusalOf(await lock(edith, claim))).toEqual([409, 'lock_failed'])
    const refused = await unlock(edith, claim)
    expect([refused.status, refused.body.code, refused.body.data]).toEqual([
      409,
      'unlock_failed',
      { status: 409, meta: [] },
    ])
  }
  expect(await statusOf(edith)).toMatchObject({ locked_by: 'Ada Admin' })
})

test('a lock ends after an hour, unless its holder locks again', async () => {
  const { edith, clock, statusOf, lock } = await openLocked()
  await lock()
  clock.now += hourMs - 1
  expect((await lock()).status).toBe(200)
  clock.now += hourMs - 1
  expect(refusalOf(await lock(edith))).toEqual([409, 'lock_failed'])
  clock.now += 1
  expect(await statusOf(edith)).toEqual(free)
  expect((await lock(edith)).status).toBe(200)
  expect(await statusOf()).toEqual({ is_current_user_allow_to_edit: false, locked_by: 'Edith Editor' })
})

test('a lock of somebody else that has ended is not unlocked, until its holder asks for its state', async () => {
  const { edith, ada, clock, id, statusOf, lock, unlock } = await openLocked()
  await lock()
  clock.now += hourMs
  expect(refusalOf(await unlock(edith))).toEqual([409, 'unlock_failed'])
  await ada('HEAD', `${root}/lock-status`, { query: { componentId: id } })
  expect(refusalOf(await unlock(edith))).toEqual([409, 'unlock_failed'])
  expect(await statusOf()).toEqual(free)
  expect((await unlock(edith)).status).toBe(200)
})

test('a clock that is set back does not hold a lock for longer than its hour', async () => {
  const { edith, clock, statusOf, lock } = await openLocked()
  await lock()
  clock.now -= 60_000
  expect(refusalOf(await lock(edith))).toEqual([409, 'lock_failed'])
  clock.now -= 24 * hourMs
  expect(await statusOf(edith)).toEqual(free)
  expect((await lock(edith)).status).toBe(200)
})

test('of two who lock at once exactly one holds it', async () => {
  const { edith, ada, lock, statusOf } = await openLocked()
  const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => lock(index % 2 ? ada : edith)))
  const winners = answers.flatMap(({ status }, index) => (status === 200 ? [index % 2] : []))
  expect(new Set(winners).size).toBe(1)
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(10)
  expect((await statusOf()).locked_by).toBe(winners[0] ? 'Ada Admin' : 'Edith Editor')
})

test('what is no component cannot be locked: 404', async () => {
  const { ada, ids, post } = await openSite()
  for (const id of [99_999, 0, -1, 1.5, ids['post.hello'] ?? 0]) {
    expect(refusalOf(await post('/lock', { componentId: id }))).toEqual([404, 'lock_failed'])
    expect(refusalOf(await post('/unlock', { componentId: id }))).toEqual([404, 'unlock_failed'])
    const asked = await ada('GET', `${root}/lock-status`, { query: { componentId: id } })
    expect(refusalOf(asked)).toEqual([404, 'get_lock_status_failed'])
  }
  expect(refusalOf(await ada('GET', `${root}/lock-status`, { query: { componentId: 'x' } }))).toEqual([
    404,
    'get_lock_status_failed',
  ])
  expect(refusalOf(await post('/lock', {}))).toEqual([400, 'rest_missing_callback_param'])
  expect(refusalOf(await post('/lock', { componentId: 'x' }))).toEqual([400, 'rest_invalid_param'])
})
