import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { hubAt } from '../../../docs/examples/hub.ts'
import type { Hub, HubReport } from '../../../src/features/add-ons/hub-connector/model.ts'
import { d2 } from '../../../src/profiles/d2.ts'
import { createPackages } from '../../../src/services/packages/index.ts'
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

test('tells the hub what changed in settings, content and packages, and counts a failed report as not sent', async () => {
  const reports: HubReport[] = []
  let isDown = false
  const site = await createTestSite({
    profile: d2,
    services: {
      packages: createPackages([{ kind: 'plugin', slug: 'assistant', name: 'Assistant', version: '1.2.0' }]),
      hub: {
        sync: (report: HubReport) => {
          if (isDown) throw new Error('down')
          reports.push(report)
        },
        leave: () => undefined,
      },
    },
  })
  const { api, clock } = site
  const ada = site.as('ada')
  await api.site.options.write({ hub_connector_key: 'secret-key' })
  await ada('POST', sync)
  expect(reports[0]?.changed).toEqual(['settings', 'content', 'packages'])
  const posts = reports[0]?.content.find(({ type }) => type === 'post')
  expect(posts).toEqual({
    ...{ type: 'post', count: expect.any(Number), published: expect.any(Number) },
    modified: expect.stringMatching(/^\d{4}-/),
  })

  const post = (await ada('POST', '/cms/v2/posts', { body: { title: 'New', status: 'publish' } })).body
  isDown = true
  expect((await ada('POST', sync)).body.error).toBe('down')
  isDown = false
  clock.now += 5000
  await ada('POST', sync)
  expect(reports[1]?.changed).toEqual(['content'])
  expect(reports[1]?.content.find(({ type }) => type === 'post')).toMatchObject({
    ...{ count: (posts?.count ?? 0) + 1, published: (posts?.published ?? 0) + 1 },
  })
  // The clock is in the same second as the last change.
  await ada('POST', `/cms/v2/posts/${post.id}`, { body: { title: 'Newer' } })
  await ada('POST', sync)
  expect(reports[2]?.changed).toEqual(['content'])

  await ada('POST', '/builder-one/v1/plugins', { body: { slug: 'assistant', status: 'active' } })
  await ada('POST', sync)
  expect(reports[3]?.changed).toEqual(['packages'])
  expect(reports[3]?.packages).toEqual([
    { kind: 'plugin', slug: 'assistant', version: '1.2.0', newVersion: null, status: 'active' },
  ])
  await ada('POST', sync)
  expect(reports).toHaveLength(4)
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

test('the hub of the documentation gets reports over HTTP, and ends the link with 401', async () => {
  const received: { method: string | undefined; key: string | undefined; body: HubReport }[] = []
  let status = 204
  const server = createServer(async (request, response) => {
    const { method, headers } = request
    received.push({ method, key: headers.authorization, body: (await json(request)) as HubReport })
    response.writeHead(status).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const site = await createTestSite({ profile: d2, services: { hub: hubAt(`http://127.0.0.1:${port}/sites`) } })
  onTestFinished(() => site.dispose())
  const ada = site.as('ada')
  await site.api.site.options.write({ hub_connector_key: 'secret-key' })
  await ada('POST', sync)
  expect(received).toMatchObject([{ method: 'POST', key: 'Bearer secret-key', body: { name: 'Quay Notes' } }])
  expect(received[0]?.body.changed).toEqual(['settings', 'content', 'packages'])
  status = 401
  expect((await ada('POST', sync, { body: { force: true } })).body.error).toBe('The key is not valid.')
  expect((await ada('POST', sync)).body.error).toBe('Not logged in.')
})
