/** Element defaults of the kit, AI permissions and empty namespaces, which both profiles share. */
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Profile } from '../../../src/core/declare/profile.ts'
import { d1 } from '../../../src/profiles/d1.ts'
import { d2 } from '../../../src/profiles/d2.ts'
import { createTestSite } from '../../support/site.ts'

async function openSite(profile: Profile = d1) {
  const site = await createTestSite({ profile })
  onTestFinished(async () => {
    expect(site.failures).toEqual([])
    await site.dispose()
  })
  return { ...site, ada: site.as('ada'), connie: site.as('connie') }
}

const actors = [null, 'sam', 'connie', 'arthur', 'edith', 'ada'] as const

describe('element defaults', () => {
  const path = '/builder/v1/kit-elements-defaults'

  test('returns an empty object when nothing is stored', async () => {
    const { connie } = await openSite()
    const { status, body } = await connie('GET', path)
    expect([status, body]).toEqual([200, {}])
  })

  test('are refused with a code when all of them together are too many', async () => {
    const { ada, connie } = await openSite()
    const settings = Object.fromEntries(Array.from({ length: 12_000 }, (_, at) => [`a${at}`, at]))
    expect((await ada('PUT', `${path}/heading`, { body: { settings } })).status).toBe(200)
    expect(await ada('PUT', `${path}/section`, { body: { settings } })).toMatchObject({
      status: 413,
      body: { code: 'rest_too_many_defaults' },
    })
    expect((await ada('PUT', `${path}/heading`, { body: { settings } })).status).toBe(200)
    expect(Object.keys((await connie('GET', path)).body)).toEqual(['heading'])
  })

  test('a write replaces the settings of its type and removes markup', async () => {
    const { ada, connie, api } = await openSite()
    const events: unknown[] = []
    api.on('element-defaults.changed', (payload) => events.push(payload))
    const settings = { title: '<b>Bold</b>', gap: 5, list: [{ text: '<i>x</i>' }, null], on: true }
    for (const method of ['POST', 'PUT', 'PATCH']) {
      const { status, body } = await ada(method, `${path}/heading`, { body: { settings } })
      expect([method, status, body]).toEqual([method, 200, {}])
    }
    await ada('PUT', `${path}/section`, { body: { settings: { gap: 'no' } } })
    await ada('PUT', `${path}/section`, { body: { settings: { height: 'full' } } })
    expect((await connie('GET', path)).body).toEqual({
      heading: { title: 'Bold', gap: 5, list: [{ text: 'x' }, null], on: true },
      section: { height: 'full' },
    })
    expect(events).toHaveLength(5)
  })

  test('a removal deletes the type; removing an absent type succeeds', async () => {
    const { ada, connie } = await openSite()
    await ada('PUT', `${path}/heading`, { body: { settings: { a: 1 } } })
    for (let times = 0; times < 2; times++) {
      const { status, body } = await ada('DELETE', `${path}/heading`)
      expect([status, body]).toEqual([200, {}])
    }
    expect((await connie('GET', path)).body).toEqual({})
  })

  test.each(['no-such-type', 'head.ing', 'constructor', '__proto__', 'HEADING'])(
    'rejects the unknown type %s',
    async (type) => {
      const { ada } = await openSite()
      for (const [method, body] of [
        ['POST', { settings: {} }],
        ['DELETE', undefined],
      ] as const) {
        const response = await ada(method, `${path}/${type}`, body ? { body } : {})
        expect([response.status, response.body.code, Object.keys(response.body.data.params)]).toEqual([
          400,
          'rest_invalid_param',
          ['type'],
        ])
      }
    },
  )

  test('accepts elements of the new generation in D1 only', async () => {
    const [first, second] = [await openSite(d1), await openSite(d2)]
    const write = { body: { settings: {} } }
    expect((await first.ada('POST', `${path}/e-heading`, write)).status).toBe(200)
    expect((await second.ada('POST', `${path}/e-heading`, write)).status).toBe(400)
    expect((await second.ada('POST', `${path}/container`, write)).status).toBe(200)
  })

  test('requires settings as an object', async () => {
    const { ada } = await openSite()
    expect((await ada('POST', `${path}/heading`, { body: {} })).body.code).toBe('rest_missing_callback_param')
    const wrong = await ada('POST', `${path}/heading`, { body: { settings: 12 } })
    expect([wrong.status, wrong.body.code]).toEqual([400, 'rest_invalid_param'])
  })

  test('treats names of Object.prototype members as ordinary names', async () => {
    const { ada, connie } = await openSite()
    const body = '{"settings":{"toString":"x","inner":{"hasOwnProperty":1}}}'
    await ada('POST', `${path}/heading`, { body, headers: { 'content-type': 'application/json' } })
    expect((await connie('GET', path)).body).toEqual({ heading: { toString: 'x', inner: { hasOwnProperty: 1 } } })
  })

  test('parallel writes of two types are both stored', async () => {
    const { ada, connie } = await openSite()
    const types = ['heading', 'image', 'video', 'button', 'divider', 'spacer']
    await Promise.all(types.map((type) => ada('PUT', `${path}/${type}`, { body: { settings: { type } } })))
    expect(Object.keys((await connie('GET', path)).body).sort()).toEqual(types.toSorted())
  })

  test('authors read defaults, administrators change them', async () => {
    const { as } = await openSite()
    const reads = [401, 403, 200, 200, 200, 200]
    const writes = [401, 403, 403, 403, 403, 200]
    for (const [index, login] of actors.entries()) {
      const send = as(login)
      const statuses = [
        (await send('GET', path)).status,
        (await send('POST', `${path}/heading`, { body: { settings: {} } })).status,
        (await send('DELETE', `${path}/heading`)).status,
      ]
      expect([login, ...statuses]).toEqual([login, reads[index], writes[index], writes[index]])
    }
  })
})

test('only administrators read the AI permissions', async () => {
  const { as } = await openSite()
  for (const [index, login] of actors.entries()) {
    const { status, body } = await as(login)('GET', '/builder-ai/v1/permissions')
    expect([login, status]).toEqual([login, [401, 403, 403, 403, 403, 200][index]])
    if (status === 200) expect(body).toEqual({ success: true, data: { SitePlannerConnect: true } })
    else expect(body.code).toBe('rest_forbidden')
  }
})

describe('namespaces', () => {
  const documented = ['oembed/1.0', 'builder/v1/documents', 'builder/v1', 'builder-ai/v1', 'builder/v1/feedback']
  const last = ['cms/v2', 'cms-site-health/v1', 'cms-block-editor/v1', 'cms-abilities/v1']

  test.each([d1, d2])('are listed in the order of the interface', async (profile) => {
    const { visitor } = await openSite(profile)
    const { namespaces } = (await visitor('GET', '/')).body
    const mine = [...documented, ...last]
    expect(namespaces.filter((one: string) => mine.includes(one))).toEqual(mine)
    expect(namespaces.slice(-4)).toEqual(last)
  })

  test.each(last.slice(1))('%s has an index and no other route', async (namespace) => {
    const { visitor } = await openSite()
    const { status, body } = await visitor('GET', `/${namespace}`)
    expect([status, body.namespace, Object.keys(body.routes)]).toEqual([200, namespace, [`/${namespace}`]])
    expect((await visitor('GET', `/${namespace}/tests`)).body.code).toBe('rest_no_route')
  })
})
