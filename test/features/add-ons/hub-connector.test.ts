import { expect, test } from 'vitest'
import type { Hub } from '../../../src/features/add-ons/hub-connector.ts'
import { d2 } from '../../../src/profiles/d2.ts'
import { createTestSite } from '../../support/site.ts'

const sync = '/hub-connector/v1/sync'
const logout = '/hub-connector/v1/logout'

async function linked(hub?: Partial<Hub>) {
  const calls: string[] = []
  const site = await createTestSite({
    profile: d2,
    services: {
      hub: {
        sync: async (...parameters: Parameters<Hub['sync']>) => {
          calls.push('sync')
          await hub?.sync?.(...parameters)
        },
        leave: async (...parameters: Parameters<Hub['leave']>) => {
          calls.push('leave')
          await hub?.leave?.(...parameters)
        },
      },
    },
  })
  await site.api.site.options.write({ hub_connector_key: 'secret-key' })
  return { site, calls, ada: site.as('ada') }
}

test.each([
  [null, 401],
  ['sam', 403],
  ['edith', 403],
  ['ada', 200],
])('responds to sync and logout by %s with %d', async (login, status) => {
  const site = await createTestSite({ profile: d2 })
  for (const method of ['POST', 'PUT', 'PATCH']) {
    expect((await site.as(login)(method, sync)).status).toBe(status)
    expect((await site.as(login)(method, logout)).status).toBe(status)
  }
  await site.dispose()
})

test('a site without a key responds with 200 and an error', async () => {
  const site = await createTestSite({ profile: d2 })
  for (const path of [sync, logout]) {
    expect(await site.as('ada')('POST', path)).toMatchObject({
      status: 200,
      body: { success: false, error: 'Not logged in.' },
    })
  }
  expect((await site.as('ada')('POST', sync, { body: { force: 'maybe' } })).status).toBe(400)
  await site.dispose()
})

test('syncs once in six hours unless the settings changed or it is forced', async () => {
  const { site, calls, ada } = await linked()
  expect((await ada('POST', sync)).body).toEqual({ success: true, data: [] })
  await ada('POST', sync)
  expect(calls).toHaveLength(1)
  await ada('POST', sync, { body: { force: true } })
  expect(calls).toHaveLength(2)
  await site.api.site.options.write({ name: 'Renamed' })
  await ada('POST', sync)
  expect(calls).toHaveLength(3)
  site.clock.now += 6 * 3_600_000
  await ada('POST', sync)
  expect(calls).toHaveLength(4)
  await site.dispose()
})

test('waits longer after each failure of the hub', async () => {
  const { site, calls, ada } = await linked({
    sync: () => {
      throw new Error('The hub is closed.')
    },
  })
  expect((await ada('POST', sync)).body).toEqual({ success: false, error: 'The hub is closed.' })
  expect((await ada('POST', sync)).body).toEqual({ success: true, data: [] })
  expect(calls).toHaveLength(1)
  site.clock.now += 5000
  await ada('POST', sync)
  site.clock.now += 5000
  await ada('POST', sync)
  expect(calls).toHaveLength(2)
  site.clock.now += 20_000
  await ada('POST', sync)
  expect(calls).toHaveLength(3)
  await site.dispose()
})

test('an invalid key removes the link, and logout does even when the hub fails', async () => {
  const invalid = await linked({
    sync: () => {
      throw Object.assign(new Error('Key expired.'), { isInvalid: true })
    },
  })
  await invalid.ada('POST', sync)
  expect((await invalid.ada('POST', sync)).body.error).toBe('Not logged in.')
  await invalid.site.dispose()
  const failing = await linked({
    leave: () => {
      throw new Error('down')
    },
  })
  expect((await failing.ada('POST', logout)).body).toEqual({ success: true, data: [] })
  expect(failing.calls).toEqual(['leave'])
  expect((await failing.ada('POST', logout)).body.error).toBe('Not logged in.')
  await failing.site.dispose()
})
