/**
 * With a preset of names no neutral word is left in any answer, and without one none of the preset's: all routes, asked as
 * the permission table states, by a visitor, a subscriber and the administrator.
 */
import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { createNames, type NameMap } from '../../src/names/word-map.ts'
import { wordpress } from '../../src/names/wordpress.ts'
import { d1 } from '../../src/profiles/d1.ts'
import { d2 } from '../../src/profiles/d2.ts'
import { createPackages } from '../../src/services/packages/index.ts'
import { type GeneratedRequest, requestsTo } from '../security/generated-requests.ts'
import { filled, recordOf, type Values } from '../security/permission-records.ts'
import { permissionTable } from '../security/permission-table.ts'
import { createTestSite, type Received, type TestSite } from '../support/site.ts'
import { inWordsOf, namesIn, textOf, wordsOn } from './preset-words.ts'

const profiles = { d1, d2 }
/** A page of another site that reads this one. */
const reader = 'https://reader.example'
const actors = [null, 'sam', 'ada'] as const

const packages = () =>
  createPackages([
    { kind: 'plugin', slug: 'assistant', name: 'Helper', version: '1.0', initially: 'inactive' },
    { kind: 'plugin', slug: 'builder-pro', name: 'Add-on', version: '1.0', initially: 'inactive' },
    { kind: 'plugin', slug: 'accessibility', name: 'For all', version: '1.0', initially: 'absent' },
    { kind: 'plugin', slug: 'site-mailer', name: 'Site mailer', version: '1.0', initially: 'inactive' },
    { kind: 'theme', slug: 'builder-theme', name: 'Plain', version: '1.0', initially: 'active' },
    { kind: 'theme', slug: 'builder-theme-biz', name: 'Business', version: '1.0', initially: 'absent' },
  ])

let opened: TestSite | undefined
afterEach(() => opened?.dispose())

/** A site that is spoken to in neutral words, whatever words it speaks itself. */
async function openSite(name: 'd1' | 'd2', map: NameMap): Promise<TestSite> {
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

interface Told {
  readonly asked: string
  readonly answer: Received
}

/** Each entry of the table, and each path by OPTIONS and HEAD. */
async function allAnswers(
  site: TestSite,
  name: 'd1' | 'd2',
  asking: readonly (string | null)[] = actors,
): Promise<Told[]> {
  const told: Told[] = []
  let serial = 0
  for (const [methods, path, , { on, at, query, body } = {}] of permissionTable[name]) {
    for (const method of [...methods.split(' '), 'OPTIONS', 'HEAD']) {
      for (const actor of asking) {
        serial += 1
        const values: Values = { ...at, ...(on === undefined ? {} : await recordOf(on)(site, serial)), serial }
        const isRead = method === 'OPTIONS' || method === 'HEAD'
        const answer = await site.as(actor)(method, String(filled(path, values)), {
          ...(query === undefined ? {} : { query: String(filled(query, values)) }),
          ...(body === undefined || isRead ? {} : { body: filled(body, values) }),
        })
        told.push({ asked: `${method} ${path} as ${actor}`, answer })
      }
    }
  }
  return told
}

/** What clients also ask of posts. */
async function moreAnswers(site: TestSite): Promise<Told[]> {
  const ada = site.as('ada')
  const posts = '/cms/v2/posts'
  const asked: [string, string, object?][] = [
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
  const told: Told[] = []
  for (const [method, path, sent = {}] of asked) {
    told.push({ asked: `${method} ${path}`, answer: await ada(method, path, sent) })
  }
  return told
}

const wordsLeft = (told: readonly Told[], unwanted: RegExp) =>
  told.flatMap(({ asked, answer }) =>
    [...new Set(textOf(answer).match(unwanted))].map((word) => `${word} in the answer to ${asked}`),
  )

/** Neutral words that no pair of the map has, if ever there are some. */
const neutralStem = /cms|builder|imgopt|block_editor|\bassistant\b|^accessibility$/i
/**
 * The mode of editing has one word in both, and so has a setting of other builders; where a document is opened is the
 * host's own address; slugs are made of titles.
 */
const sameInBoth = /^builder$|^js_builder$|[?&]edit=builder$|^built-in-the-builder$|^builder-post-\d+$/
/** Of what the words are about, without the types of documents that have one word in both. */
const outerStem =
  /elementor|wordpress|\bwp\b(?!-post\b|-page\b)|gutenberg|smush|wpmu|\bangie\b|pojo|\bea11y|hello-(?:biz|plus)/gi

describe.each(['d1', 'd2'] as const)('profile %s', (name) => {
  test('with the preset no neutral word is left', { timeout: 120_000 }, async () => {
    const site = await openSite(name, wordpress)
    const told = [...(await allAnswers(site, name)), ...(await moreAnswers(site))]
    expect(wordsLeft(told, wordsOn('neutral', wordpress))).toEqual([])
    // A tag of the document is the name of a feature, for people.
    const stems = told
      .filter(({ asked }) => asked !== 'GET /openapi.json')
      .flatMap(({ answer: { headers, body } }) => namesIn([[...headers], body]))
    expect([...new Set(stems)].filter((one) => neutralStem.test(one) && !sameInBoth.test(one))).toEqual([])
    expect(site.failures).toEqual([])
  })

  test('without the preset none of its words occurs', { timeout: 120_000 }, async () => {
    const site = await openSite(name, [])
    const told = [...(await allAnswers(site, name)), ...(await moreAnswers(site))]
    expect(wordsLeft(told, wordsOn('outer', wordpress))).toEqual([])
    expect(wordsLeft(told, outerStem)).toEqual([])
    expect(site.failures).toEqual([])
  })

  test.each([
    ['the preset', wordpress, wordsOn('neutral', wordpress)],
    ['neutral words', [], wordsOn('outer', wordpress)],
  ] as const)('generated requests are answered in %s', { timeout: 120_000 }, async (_, map, unwanted) => {
    const site = await openSite(name, map)
    const ids = Object.entries(site.ids).flatMap(([key, id]) => (/^(?:post|revision)\./.test(key) ? [id] : []))
    const property = fc.asyncProperty(requestsTo(profiles[name], ids), async (request) => {
      const { login, method, path, type, body } = request
      const answer = await site.as(login)(method, path, {
        ...(type === undefined ? {} : { headers: { 'content-type': type } }),
        ...(body === undefined ? {} : { body: bodyIn(request, map) }),
      })
      expect({ request, found: wordsLeft([{ asked: path, answer }], unwanted) }).toEqual({ request, found: [] })
    })
    await fc.assert(property, { seed: 20240615, numRuns: 400, endOnFailure: true })
    expect(site.failures).toEqual([])
  })
})

test('the responses contain each word of the map', { timeout: 120_000 }, async () => {
  const missing = new Set(wordpress.map(([neutral]) => neutral))
  for (const name of ['d1', 'd2'] as const) {
    const site = await openSite(name, [])
    for (const { answer } of [...(await allAnswers(site, name, ['ada'])), ...(await moreAnswers(site))]) {
      const text = textOf(answer).toLowerCase()
      for (const word of missing) if (text.includes(word.toLowerCase())) missing.delete(word)
    }
    await site.dispose()
  }
  opened = undefined
  expect([...missing]).toEqual([])
})

/** A form is put into the words as a text; JSON is left to `inWordsOf`. */
const bodyIn = ({ type, body = '' }: GeneratedRequest, map: NameMap): unknown =>
  type === 'application/json' ? JSON.parse(body) : createNames(map).toPublic(body)
