import { expect, test } from 'vitest'
import { errorOf, openSite, root } from './fixture.ts'

const hourMs = 3_600_000
const unlocked = { is_current_user_allow_to_edit: true, locked_by: null }

async function openWithComponent() {
  const site = await openSite()
  const edith = await site.promoteEdith()
  const id = await site.create()
  const statusOf = async (send = site.ada) =>
    (await send('GET', `${root}/lock-status`, { query: { componentId: id } })).body.data
  const lock = (send = site.ada, more: object = {}) => site.post('/lock', { componentId: id, ...more }, send)
  const unlock = (send = site.ada, more: object = {}) => site.post('/unlock', { componentId: id, ...more }, send)
  return { ...site, edith, id, statusOf, lock, unlock }
}

test('every administrator sees a lock, and its holder can unlock it', async () => {
  const { edith, statusOf, lock, unlock } = await openWithComponent()
  expect(await statusOf()).toEqual(unlocked)
  expect((await lock()).body).toEqual({ data: { locked: true }, meta: [] })
  expect(await statusOf()).toEqual({ is_current_user_allow_to_edit: true, locked_by: 'Ada Admin' })
  expect(await statusOf(edith)).toEqual({ is_current_user_allow_to_edit: false, locked_by: 'Ada Admin' })
  expect((await unlock()).body).toEqual({ data: { unlocked: true }, meta: [] })
  expect(await statusOf(edith)).toEqual(unlocked)
  expect((await unlock(edith)).status).toBe(200)
})

test('refuses locking and unlocking by other users with 409, and ignores a holder in the body', async () => {
  const { edith, ids, statusOf, lock, unlock } = await openWithComponent()
  const asAda = { user: ids['user.admin'], user_id: ids['user.admin'], locked_by: ids['user.admin'], userId: 1 }
  await lock()
  for (const holder of [{}, asAda]) {
    expect(errorOf(await lock(edith, holder))).toEqual([409, 'lock_failed'])
    const { status, body } = await unlock(edith, holder)
    expect([status, body.code, body.data]).toEqual([409, 'unlock_failed', { status: 409, meta: [] }])
  }
  expect(await statusOf(edith)).toMatchObject({ locked_by: 'Ada Admin' })
})

test('a lock ends after an hour, unless its holder renews it', async () => {
  const { edith, clock, statusOf, lock } = await openWithComponent()
  await lock()
  clock.now += hourMs - 1
  expect((await lock()).status).toBe(200)
  clock.now += hourMs - 1
  expect(errorOf(await lock(edith))).toEqual([409, 'lock_failed'])
  clock.now += 1
  expect(await statusOf(edith)).toEqual(unlocked)
  expect((await lock(edith)).status).toBe(200)
  expect(await statusOf()).toEqual({ is_current_user_allow_to_edit: false, locked_by: 'Edith Editor' })
})

test('another user cannot unlock an expired lock before its holder has read the lock status', async () => {
  const { edith, ada, clock, id, statusOf, lock, unlock } = await openWithComponent()
  await lock()
  clock.now += hourMs
  expect(errorOf(await unlock(edith))).toEqual([409, 'unlock_failed'])
  await ada('HEAD', `${root}/lock-status`, { query: { componentId: id } })
  expect(errorOf(await unlock(edith))).toEqual([409, 'unlock_failed'])
  expect(await statusOf()).toEqual(unlocked)
  expect((await unlock(edith)).status).toBe(200)
})

test('a lock does not last longer than an hour after the clock is set back', async () => {
  const { edith, clock, statusOf, lock } = await openWithComponent()
  await lock()
  clock.now -= 60_000
  expect(errorOf(await lock(edith))).toEqual([409, 'lock_failed'])
  clock.now -= 24 * hourMs
  expect(await statusOf(edith)).toEqual(unlocked)
  expect((await lock(edith)).status).toBe(200)
})

test('exactly one of two users who lock concurrently holds the lock', async () => {
  const { edith, ada, lock, statusOf } = await openWithComponent()
  const responses = await Promise.all(Array.from({ length: 20 }, (_, index) => lock(index % 2 ? ada : edith)))
  const winners = responses.flatMap(({ status }, index) => (status === 200 ? [index % 2] : []))
  expect(new Set(winners).size).toBe(1)
  expect(responses.filter(({ status }) => status === 409)).toHaveLength(10)
  expect((await statusOf()).locked_by).toBe(winners[0] ? 'Ada Admin' : 'Edith Editor')
})

test('locking, unlocking and lock-status are 404 for ids without a component', async () => {
  const { ada, ids, post } = await openSite()
  for (const id of [99_999, 0, -1, 1.5, ids['post.hello'] ?? 0]) {
    expect(errorOf(await post('/lock', { componentId: id }))).toEqual([404, 'lock_failed'])
    expect(errorOf(await post('/unlock', { componentId: id }))).toEqual([404, 'unlock_failed'])
    const lockStatus = await ada('GET', `${root}/lock-status`, { query: { componentId: id } })
    expect(errorOf(lockStatus)).toEqual([404, 'get_lock_status_failed'])
  }
  expect(errorOf(await ada('GET', `${root}/lock-status`, { query: { componentId: 'x' } }))).toEqual([
    404,
    'get_lock_status_failed',
  ])
  expect(errorOf(await post('/lock', {}))).toEqual([400, 'rest_missing_callback_param'])
  expect(errorOf(await post('/lock', { componentId: 'x' }))).toEqual([400, 'rest_invalid_param'])
})
