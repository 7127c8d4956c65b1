/** Compares the permission decision of each route and method for each actor with the permission table. */
import { describe, expect, test } from 'vitest'
import { parsePattern } from '../../src/core/declare/pattern.ts'
import { type Profile, profile } from '../../src/core/declare/profile.ts'
import { siteHealth } from '../../src/features/guidance/site-health/index.ts'
import { content } from '../../src/profiles/content.ts'
import { currentClients } from '../../src/profiles/current-clients.ts'
import { d1 } from '../../src/profiles/d1.ts'
import { d2 } from '../../src/profiles/d2.ts'
import { full } from '../../src/profiles/full.ts'
import { createPackages } from '../../src/services/packages/index.ts'
import { listed } from '../support/assertion-messages.ts'
import { counted } from '../support/counted.ts'
import { withDocuments } from '../support/documents-profile.ts'
import { basic, createTestSite, failuresOf, type Received, type TestSite } from '../support/site.ts'
import { smallSite } from '../support/small-site.ts'
import { routesOf } from './declared-routes.ts'
import { actors, type Decision, type Decisions, type Entry, type Sent } from './permission-actors.ts'
import { filled, recordOf, type Values } from './permission-records.ts'
import { permissionTable } from './permission-table.ts'

const logins = [null, 'sam', 'connie', 'arthur', 'edith', 'ada'] as const
type Index = { readonly routes: { readonly [key: string]: { readonly methods: readonly string[] } } }
type Send = (method: string, path: string, sent: { query?: string; body?: unknown }) => Promise<Received>

/** Packages of the host: without them, the package routes fail before they check the permission. */
const packages = () =>
  createPackages([
    { kind: 'plugin', slug: 'assistant', name: 'Assistant', version: '1.0', initially: 'absent' },
    { kind: 'plugin', slug: 'site-mailer', name: 'Site mailer', version: '1.0', initially: 'inactive' },
    { kind: 'plugin', slug: 'image-optimization', name: 'Pictures', version: '1.0', initially: 'inactive' },
    { kind: 'theme', slug: 'builder-theme', name: 'Builder theme', version: '1.0', initially: 'active' },
    { kind: 'theme', slug: 'builder-theme-biz', name: 'Business', version: '1.0', initially: 'absent' },
  ])

const profiles = { d1, d2, content, documents: withDocuments } as const
type Name = keyof typeof profiles

const openSite = (name: Name) =>
  createTestSite({
    profile: profiles[name],
    limit: () => 0,
    services: {
      packages: packages(),
      templates: { list: () => [], get: () => ({ title: 'Prices', type: 'page', content: [] }) },
    },
    seed: { ...smallSite, options: { ...smallSite.options, menu_locations: { primary: 'Main place' } } },
  })

const callsOf = ([methods, path]: Entry) => methods.split(' ').map((method) => `${method} ${path}`)

const callsOfProfile = (profile: Profile) => routesOf(profile).map(({ method, readable }) => `${method} ${readable}`)
const callsIn = (name: Name) => callsOfProfile(profiles[name])

const isOfDocuments = (call: string) => call.includes(' /site-api/v1')
const callsOfDocuments = callsOfProfile(withDocuments).filter(isOfDocuments)
const callsOfFullAlone = callsOfProfile(profile({ ...full, features: [currentClients, siteHealth] }))
const callsOfFull = [...callsOfProfile(full), ...full.features.map(({ namespace }) => `GET /${namespace}`)]

/**
 * The entries that the tables of other profiles state. The namespace indexes are those of the profiles with the page
 * builder.
 */
const knownCalls: { readonly [profile in Name]?: readonly string[] } = {
  d1: callsOfDocuments,
  d2: callsOfDocuments,
  content: [...callsIn('d1'), 'GET /', 'GET /batch/v1', 'GET /cms/v2', 'GET /oembed/1.0'],
  documents: [
    ...callsOfFull.filter((call) => !isOfDocuments(call) && !callsOfFullAlone.includes(call)),
    'GET /batch/v1',
  ],
}

/** The calls of the site index, and those of endpoints that the index does not show. */
async function servedBy(site: TestSite, name: Name): Promise<Set<string>> {
  const { routes } = (await site.api.index()) as Index
  const published = Object.entries(routes).flatMap(([key, { methods }]) =>
    methods.map((method) => `${method} ${parsePattern(key).readable}`),
  )
  const declared = callsIn(name)
  const known = new Set(knownCalls[name])
  return new Set([...published, ...declared].filter((call) => !known.has(call)))
}

const decisionOf = ({ status, body }: Received): Decision | string => {
  if (status === 401 || status === 403) return status
  const isWrongRequest = body?.code === 'rest_no_route' || body?.code === 'rest_missing_callback_param'
  return status >= 500 || status === 429 || isWrongRequest ? `${status} ${body?.code}` : 'ok'
}

/** The decision, with the response that it was read from. */
const shown = (response: Received) => `${decisionOf(response)} (${response.status} ${response.body?.code ?? ''})`

async function sendersOf(site: TestSite): Promise<Send[]> {
  const credential = await site.api.site.passwords.create(site.ids['user.admin'] as number, 'A former application')
  const headers = { authorization: basic('ada', credential.password) }
  expect((await site.visitor('GET', '/cms/v2/users/me', { headers })).status).toBe(200)
  await site.api.site.passwords.revoke(credential.id)
  const revoked: Send = (method, path, sent) => site.visitor(method, path, { ...sent, headers })
  return [...logins.map((login) => site.as(login)), revoked]
}

type Compare = (call: string, decisions: Decisions, sent: Sent) => Promise<string[]>

/** Sends a call as each actor and returns the decisions that differ. Each call that may change its record gets a new one. */
function createComparison(site: TestSite, senders: readonly Send[]): Compare {
  let serial = 0
  return async (call, decisions, sent) => {
    const about = sent.on === undefined ? '' : ` (${sent.on})`
    const differences: string[] = []
    let record: Values | undefined
    for (const [index, send] of senders.entries()) {
      serial += 1
      if (sent.on !== undefined) record ??= await recordOf(sent.on)(site, serial)
      const { method, path, ...request } = requestOf(call, sent, { ...sent.at, ...record, serial })
      const response = await send(method, path, request)
      const decided = decisionOf(response)
      // A rejected call and a read leave the record unchanged.
      if (decided === 'ok' && method !== 'GET') record = undefined
      if (decided !== decisions[index]) {
        differences.push(
          `${call}${about} as ${actors[index]}: the table has ${decisions[index]}, the service ${shown(response)}`,
        )
      }
    }
    return differences
  }
}

function requestOf(call: string, { query, body }: Sent, values: Values) {
  const [method = '', pattern = ''] = call.split(' ')
  const path = String(filled(pattern, values))
  const [parameter] = /\{\w+\}/.exec(path) ?? []
  if (parameter)
    throw new Error(`${call} has no value for ${parameter}: add { on: '...' } or { at: { ... } } to its entry`)
  return {
    method,
    path,
    ...(query === undefined ? {} : { query: String(filled(query, values)) }),
    ...(body === undefined ? {} : { body: filled(body, values) }),
  }
}

/** A line to complete for each call. */
const missingEntries = (calls: readonly string[]) =>
  listed(
    'test/security/permission-table.ts has no entry for these calls. Add each to both, onlyD1 or onlyD2, with decisions ' +
      'taken from the requirement, not from the code: anybody, signedIn, writers, administrators or a tuple. A path with an ' +
      "id needs { on: '...' }, a record of permission-records.ts; the index of a namespace belongs to namespaceIndexes(...):",
    calls.map((call) => `['${call.replace(' ', "', '")}', decisions],`),
  )

describe.each(['d1', 'd2', 'content', 'documents'] as const)('profile %s', (name) => {
  const table = permissionTable[name]

  test('each route and method has an entry, and each entry a route', async () => {
    const site = await openSite(name)
    const served = await servedBy(site, name)
    await site.dispose()
    const stated = new Set(table.flatMap(callsOf))
    const missing = [...served].filter((call) => !stated.has(call))
    expect(missing, missingEntries(missing)).toEqual([])
    const stale = [...stated].filter((call) => !served.has(call))
    expect(
      stale,
      listed(
        `Profile ${name} does not serve these routes: remove their entries from test/security/permission-table.ts:`,
        stale,
      ),
    ).toEqual([])
  })

  test('each actor gets the decision of the table', { timeout: 120_000 }, async () => {
    const site = await openSite(name)
    const senders = await sendersOf(site)
    const served = await servedBy(site, name)
    const compare = createComparison(site, senders)
    const differences: string[] = []
    let cells = 0
    for (const entry of table) {
      for (const call of callsOf(entry).filter((one) => served.has(one))) {
        differences.push(...(await compare(call, entry[2], entry[3] ?? {})))
        cells += actors.length
      }
    }
    const failures = failuresOf(site)
    await site.dispose()
    counted(cells, 'cells')
    expect(
      failures,
      listed('These requests failed; correct the handler, or the responses of its endpoint:', failures),
    ).toEqual([])
    expect(
      differences,
      listed(
        'The permission table and the service differ. Correct the permission of the endpoint, or the entry in ' +
          'test/security/permission-table.ts (after a 404, its record):',
        differences,
      ),
    ).toEqual([])
  })
})
