/** AZ-22: what each actor may call is what the permission table states, route by route and method by method. */
import { describe, expect, test } from 'vitest'
import { parsePattern } from '../../src/core/declare/pattern.ts'
import { d1 } from '../../src/profiles/d1.ts'
import { d2 } from '../../src/profiles/d2.ts'
import { createPackages } from '../../src/services/packages/index.ts'
import { basic, createTestSite, type Received, type TestSite } from '../support/site.ts'
import { routesOf } from './declared-routes.ts'
import { filled, recordOf, type Values } from './permission-records.ts'
import { actors, type Decision, type Entry, permissionTable, type Sent } from './permission-table.ts'

const logins = [null, 'sam', 'connie', 'arthur', 'edith', 'ada'] as const
type Index = { readonly routes: { readonly [key: string]: { readonly methods: readonly string[] } } }
type Send = (method: string, path: string, sent: { query?: string; body?: unknown }) => Promise<Received>

/** What the host offers: without packages their routes would end before the question of who asks matters. */
const packages = () =>
  createPackages([
    { kind: 'plugin', slug: 'assistant', name: 'Assistant', version: '1.0', initially: 'absent' },
    { kind: 'plugin', slug: 'site-mailer', name: 'Site mailer', version: '1.0', initially: 'inactive' },
    { kind: 'plugin', slug: 'image-optimization', name: 'Pictures', version: '1.0', initially: 'inactive' },
    { kind: 'theme', slug: 'builder-theme', name: 'Builder theme', version: '1.0', initially: 'active' },
    { kind: 'theme', slug: 'builder-theme-biz', name: 'Business', version: '1.0', initially: 'absent' },
  ])

const openSite = (name: 'd1' | 'd2') =>
  createTestSite({ profile: name === 'd1' ? d1 : d2, services: { packages: packages() } })

const callsOf = ([methods, path]: Entry) => methods.split(' ').map((method) => `${method} ${path}`)

/** What the site publishes, and what it answers without publishing it. */
async function servedBy(site: TestSite, name: 'd1' | 'd2'): Promise<Set<string>> {
  const { routes } = (await site.api.index()) as Index
  const published = Object.entries(routes).flatMap(([key, { methods }]) =>
    methods.map((method) => `${method} ${parsePattern(key).readable}`),
  )
  const declared = routesOf(name === 'd1' ? d1 : d2).map(({ method, readable }) => `${method} ${readable}`)
  return new Set([...published, ...declared])
}

const decisionOf = ({ status, body }: Received): Decision | string => {
  if (status === 401 || status === 403) return status
  const wrong = body?.code === 'rest_no_route' || body?.code === 'rest_missing_callback_param'
  return status >= 500 || status === 429 || wrong ? `${status} ${body?.code}` : 'ok'
}

async function sendersOf(site: TestSite): Promise<Send[]> {
  const made = await site.api.site.passwords.create(site.ids['user.admin'] as number, 'A former application')
  const headers = { authorization: basic('ada', made.password) }
  expect((await site.visitor('GET', '/builder/v1/user-data/current-user', { headers })).status).toBe(200)
  await site.api.site.passwords.revoke(made.id)
  const revoked: Send = (method, path, sent) => site.visitor(method, path, { ...sent, headers })
  return [...logins.map((login) => site.as(login)), revoked]
}

describe.each(['d1', 'd2'] as const)('profile %s', (name) => {
  const table = permissionTable[name]

  test('each route and method has an entry, and no entry is about another', async () => {
    const site = await openSite(name)
    const served = await servedBy(site, name)
    await site.dispose()
    const stated = new Set(table.flatMap(callsOf))
    expect([...served].filter((call) => !stated.has(call))).toEqual([])
    expect([...stated].filter((call) => !served.has(call))).toEqual([])
  })

  test('each actor gets what the table states', { timeout: 120_000 }, async () => {
    const site = await openSite(name)
    const senders = await sendersOf(site)
    const served = await servedBy(site, name)
    let serial = 0
    const differences: string[] = []

    async function compare(call: string, decisions: Entry[2], { on, at, query, body }: Sent) {
      const [method = '', path = ''] = call.split(' ')
      let record: Values | undefined
      for (const [index, send] of senders.entries()) {
        serial += 1
        if (on !== undefined) record ??= await recordOf(on)(site, serial)
        const values = { ...at, ...record, serial }
        const answer = await send(method, String(filled(path, values)), {
          ...(query === undefined ? {} : { query: String(filled(query, values)) }),
          ...(body === undefined ? {} : { body: filled(body, values) }),
        })
        const decided = decisionOf(answer)
        // Who was refused left the record as it was, and so did who only read it.
        if (decided === 'ok' && method !== 'GET') record = undefined
        if (decided === decisions[index]) continue
        const about = on === undefined ? '' : ` (${on})`
        differences.push(`${call}${about} as ${actors[index]}: ${decisions[index]} stated, ${decided} decided`)
      }
    }
    for (const entry of table) {
      for (const call of callsOf(entry)) if (served.has(call)) await compare(call, entry[2], entry[3] ?? {})
    }
    const failures = site.failures
    await site.dispose()
    expect(differences).toEqual([])
    expect(failures).toEqual([])
  })
})
