/**
 * With a preset of names no response contains a neutral word, and without one none contains a word of the preset. The
 * requests are those of the permission table, as a visitor, a subscriber and the administrator.
 */
import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { createNames, type NameMap } from '../../src/names/word-map.ts'
import { wordpress } from '../../src/names/wordpress.ts'
import { content } from '../../src/profiles/content.ts'
import { d1 } from '../../src/profiles/d1.ts'
import { d2 } from '../../src/profiles/d2.ts'
import { createPackages } from '../../src/services/packages/index.ts'
import { type GeneratedRequest, requestsTo } from '../security/generated-requests.ts'
import type { Entry } from '../security/permission-actors.ts'
import { filled, recordOf, type Values } from '../security/permission-records.ts'
import { permissionTable } from '../security/permission-table.ts'
import { casesOf, isFullRun } from '../support/generated-cases.ts'
import { createTestSite, failuresOf, type Received, type TestSite } from '../support/site.ts'
import { inWordsOf, namesIn, textOf, wordsOn } from './preset-words.ts'

const profiles = { d1, d2, content }
/** The origin of a page that reads this site. */
const reader = 'https://reader.example'
const actors = isFullRun ? [null, 'sam', 'ada'] : [null, 'ada']

const packages = () =>
  createPackages([
    { kind: 'plugin', slug: 'assistant', name: 'Helper', version: '1.0', initially: 'inactive' },
    { kind: 'plugin', slug: 'builder-pro', name: 'Add-on', version: '1.0', initially: 'inactive' },
    { kind: 'plugin', slug: 'accessibility', name: 'For all', version: '1.0', initially: 'absent' },
    { kind: 'plugin', slug: 'site-mailer', name: 'Site mailer', version: '1.0', initially: 'inactive' },
    { kind: 'theme', slug: 'builder-theme', name: 'Plain', version: '1.0', initially: 'active' },
    { kind: 'theme', slug: 'builder-theme-biz', name: 'Business', version: '1.0', initially: 'absent' },
  ])

const failedHandlers = 'Handlers failed, or returned what the responses of their endpoints do not declare'

let opened: TestSite | undefined
afterEach(() => opened?.dispose())

/** A site whose requesters accept neutral words, whatever names it uses. */
async function openSite(name: keyof typeof profiles, map: NameMap): Promise<TestSite> {
  const names = map.length > 0 ? { names: map } : {}
  const services = { packages: packages() }
  const site = await createTestSite({
    profile: profiles[name],
    services,
    docs: true,
    cors: { origins: [reader] },
    ...names,
  })
  opened = site
  const as = (login: string | null) => inWordsOf(map, site.as(login))
  return { ...site, as, visitor: as(null) }
}

interface Exchange {
  readonly request: string
  readonly response: Received
}

/** Sends each entry of the permission table, and OPTIONS and HEAD to each path, as each actor. */
async function tableExchanges(site: TestSite, name: keyof typeof profiles): Promise<Exchange[]> {
  const exchanges: Exchange[] = []
  const calls = permissionTable[name].flatMap((entry) =>
    [...entry[0].split(' '), 'OPTIONS', 'HEAD'].flatMap((method) => actors.map((login) => ({ entry, method, login }))),
  )
  for (const [index, { entry, method, login }] of calls.entries()) {
    exchanges.push(await sendEntry(site, entry, method, login, index + 1))
  }
  return exchanges
}

async function sendEntry(
  site: TestSite,
  [, path, , { on, at, query, body } = {}]: Entry,
  method: string,
  login: string | null,
  serial: number,
): Promise<Exchange> {
  const values: Values = { ...at, ...(on === undefined ? {} : await recordOf(on)(site, serial)), serial }
  const isRead = method === 'OPTIONS' || method === 'HEAD'
  const response = await site.as(login)(method, String(filled(path, values)), {
    ...(query === undefined ? {} : { query: String(filled(query, values)) }),
    ...(body === undefined || isRead ? {} : { body: filled(body, values) }),
  })
  return { request: `${method} ${path} as ${login}`, response }
}

const neutral = new Map<string, Promise<{ exchanges: Exchange[]; failures: string[] }>>()

/** The exchanges of a site without a preset, made once for the tests that read them. */
function neutralExchanges(name: keyof typeof profiles) {
  const made =
    neutral.get(name) ??
    (async () => {
      const site = await openSite(name, [])
      const exchanges = [...(await tableExchanges(site, name)), ...(await moreExchanges(site))]
      return { exchanges, failures: failuresOf(site) }
    })()
  neutral.set(name, made)
  return made
}

/** More requests to posts, to pages and to missing routes. */
async function moreExchanges(site: TestSite): Promise<Exchange[]> {
  const ada = site.as('ada')
  const posts = '/cms/v2/posts'
  const requests: [string, string, object?][] = [
    ['GET', `${posts}?context=edit&_embed&per_page=2&status=any`],
    ['GET', `${posts}?_envelope&per_page=1`],
    ['GET', `${posts}/${site.ids['post.built']}?context=edit`],
    ['GET', `${posts}/999999`],
    ['GET', '/nowhere'],
    ['GET', posts, { headers: { origin: reader } }],
    ['OPTIONS', posts, { headers: { origin: reader, 'access-control-request-method': 'POST' } }],
    ['GET', '/openapi.json'],
    ['GET', '/docs'],
    ['GET', '/authorize?app_name=Reader'],
    ['POST', posts, { body: { title: 'x', meta: { _builder_template_type: 'nonsense' } } }],
    ['POST', posts, { body: { title: 'x', meta: { _builder_data: 5 } } }],
    [
      'POST',
      posts,
      {
        body: {
          title: 'Blocks',
          status: 'publish',
          content: '<!-- cms:list --><ul class="cms-block-list"></ul><!-- /cms:list -->',
        },
      },
    ],
    [
      'POST',
      '/batch/v1',
      { body: { requests: [{ path: posts, body: { title: 'In it' } }, { path: '/cms/v2/types' }] } },
    ],
    ['GET', `/oembed/1.0/embed?format=xml&url=${encodeURIComponent('https://quay.example/ferry/')}`],
  ]
  const exchanges: Exchange[] = []
  for (const [method, path, sent = {}] of requests) {
    exchanges.push({ request: `${method} ${path}`, response: await ada(method, path, sent) })
  }
  return exchanges
}

const wordsLeft = (exchanges: readonly Exchange[], unwanted: RegExp) =>
  exchanges.flatMap(({ request, response }) =>
    [...new Set(textOf(response).match(unwanted))].map((word) => `${word} in the response to ${request}`),
  )

/** Stems of neutral words, to find words that the map lacks. */
const neutralStem = /cms|builder|imgopt|block_editor|\bassistant\b|^accessibility$/i
/**
 * Words that are equal in both: the edit mode, a setting for other builders, the edit address of the host, and slugs made
 * from titles.
 */
const sameInBoth = /^builder$|^js_builder$|[?&]edit=builder$|^built-in-the-builder$|^builder-post-\d+$/
/** Stems of public words, without document types that are equal in both. */
const outerStem =
  /elementor|wordpress|\bwp\b(?!-post\b|-page\b)|gutenberg|smush|wpmu|\bangie\b|pojo|\bea11y|hello-(?:biz|plus)/gi

describe.each(['d1', 'd2', 'content'] as const)('profile %s', (name) => {
  test('with the preset no neutral word is left', { timeout: 120_000 }, async () => {
    const site = await openSite(name, wordpress)
    const exchanges = [...(await tableExchanges(site, name)), ...(await moreExchanges(site))]
    expect(wordsLeft(exchanges, wordsOn('neutral', wordpress))).toEqual([])
    // A tag of the document is the name of a feature, for people.
    const stems = exchanges
      .filter(({ request }) => request !== 'GET /openapi.json')
      .flatMap(({ response: { headers, body } }) => namesIn([[...headers], body]))
    expect([...new Set(stems)].filter((one) => neutralStem.test(one) && !sameInBoth.test(one))).toEqual([])
    expect(failuresOf(site), failedHandlers).toEqual([])
  })

  test('without the preset none of its words occurs', { timeout: 120_000 }, async () => {
    const { exchanges, failures } = await neutralExchanges(name)
    expect(wordsLeft(exchanges, wordsOn('outer', wordpress))).toEqual([])
    expect(wordsLeft(exchanges, outerStem)).toEqual([])
    expect(failures, failedHandlers).toEqual([])
  })

  test.each([
    ['the preset', wordpress, wordsOn('neutral', wordpress)],
    ['neutral words', [], wordsOn('outer', wordpress)],
  ] as const)('generated requests get responses in %s', { timeout: 120_000 }, async (_, map, unwanted) => {
    const site = await openSite(name, map)
    const ids = Object.entries(site.ids).flatMap(([key, id]) => (/^(?:post|revision)\./.test(key) ? [id] : []))
    const property = fc.asyncProperty(requestsTo(profiles[name], ids), async (request) => {
      const { login, method, path, type, body } = request
      const response = await site.as(login)(method, path, {
        ...(type === undefined ? {} : { headers: { 'content-type': type } }),
        ...(body === undefined ? {} : { body: bodyIn(request, map) }),
      })
      expect({ request, found: wordsLeft([{ request: path, response }], unwanted) }).toEqual({ request, found: [] })
    })
    await fc.assert(property, { seed: 20240615, numRuns: casesOf(400), endOnFailure: true })
    expect(failuresOf(site), failedHandlers).toEqual([])
  })
})

test('the responses contain each word of the map', { timeout: 120_000 }, async () => {
  const missing = new Set(wordpress.map(([neutral]) => neutral))
  const strike = (text: string) => {
    const lower = text.toLowerCase()
    for (const word of missing) if (lower.includes(word.toLowerCase())) missing.delete(word)
  }
  for (const name of ['d1', 'd2', 'content'] as const) {
    for (const { response } of (await neutralExchanges(name)).exchanges) strike(textOf(response))
  }
  expect([...missing]).toEqual([])
})

/** Translates a form body as text; `inWordsOf` translates JSON. */
const bodyIn = ({ type, body = '' }: GeneratedRequest, map: NameMap): unknown =>
  type === 'application/json' ? JSON.parse(body) : createNames(map).toPublic(body)
