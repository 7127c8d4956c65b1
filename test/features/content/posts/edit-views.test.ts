/**
 * The texts of the edit context are cached for all who may do the same with a record. After each write every role receives what a
 * service that has cached nothing answers.
 */
import { expect, onTestFinished, test } from 'vitest'
import type { Storage } from '../../../../src/contract/storage.ts'
import * as args from '../../../../src/core/declare/args.ts'
import { profile } from '../../../../src/core/declare/profile.ts'
import { createSiteApi, metaFields } from '../../../../src/index.ts'
import { full } from '../../../../src/profiles/full.ts'
import { counted } from '../../../support/counted.ts'
import { baseUrl, basic, createTestSite, type TestSite } from '../../../support/site.ts'

const logins = ['ada', 'edith', 'arthur', 'aiko', 'connie', 'sam']

const withFields = profile({
  ...full,
  features: [
    ...full.features,
    metaFields({ post: { pier: args.str(), cost: args.field(args.int(), { readCapability: 'manage_options' }) } }),
  ],
})

async function openSite() {
  let storage: Storage | undefined
  const site = await createTestSite({
    profile: withFields,
    storage: (opened) => {
      storage = opened
      return opened
    },
  })
  onTestFinished(site.dispose)
  /** The answers of a service that has just begun. */
  const uncached = () => {
    // The cast: createTestSite has opened it.
    const api = createSiteApi({
      ...{ storage: storage as Storage, profile: withFields, url: baseUrl, passwordCost: 10 },
      clock: () => site.clock.now,
    })
    return (login: string, path: string) => answerOf(api, login, path)
  }
  return { site, uncached, cached: (login: string, path: string) => answerOf(site.api, login, path) }
}

async function answerOf(api: Pick<TestSite['api'], 'fetch'>, login: string, path: string) {
  const headers = { authorization: basic(login) }
  const response = await api.fetch(new Request(`${baseUrl}/api${path}`, { headers }))
  expect(response.status).toBeLessThan(500)
  return { status: response.status, etag: response.headers.get('etag'), body: await response.json() }
}

/** Lists by everybody, and two records alone. */
function pathsOf({ ids }: TestSite): readonly string[] {
  const lists = ['posts', 'pages'].map((type) => `/cms/v2/${type}?context=edit&per_page=100&status=any`)
  return [
    ...lists,
    `/cms/v2/posts/${ids['post.hello']}?context=edit`,
    `/cms/v2/pages/${ids['page.front']}?context=edit`,
  ]
}

const idOf = (site: TestSite, key: string): number => site.ids[key] ?? 0

/** Each changes a value that the edit context shows, of the record itself or of another. */
const writes: { readonly [name: string]: (site: TestSite) => Promise<unknown> } = {
  'a title': (site) => change(site, 'post.hello', { title: 'The lighthouse' }),
  'a new post whose title another has': (site) =>
    site.as('ada')('POST', '/cms/v2/posts', {
      body: { title: 'The lighthouse', slug: 'the-lighthouse', status: 'publish' },
    }),
  'a slug': (site) => change(site, 'post.hello', { slug: 'another-name' }),
  'a text, with a revision': (site) => change(site, 'post.hello', { content: '<p>New words.</p>' }),
  'an autosave by another': (site) =>
    site.as('edith')('POST', `/cms/v2/posts/${idOf(site, 'post.hello')}/autosaves`, { body: { content: 'Draft' } }),
  'an excerpt': (site) => change(site, 'post.hello', { excerpt: 'Short' }),
  'terms of a post': (site) => change(site, 'post.hello', { categories: [idOf(site, 'category.news')] }),
  'the slug of a term': (site) =>
    site.as('ada')('POST', `/cms/v2/categories/${idOf(site, 'category.news')}`, { body: { slug: 'newest' } }),
  'a removed term': (site) =>
    site.as('ada')('DELETE', `/cms/v2/categories/${idOf(site, 'category.news')}`, { query: { force: true } }),
  'a field': (site) => change(site, 'post.hello', { meta: { pier: 'north', cost: 12 } }),
  'a field that few may read': (site) => change(site, 'post.hello', { meta: { cost: 99 } }),
  'a sticky post': (site) => change(site, 'post.hello', { sticky: true }),
  'a post that is not sticky any more': (site) => change(site, 'post.hello', { sticky: false }),
  'a password': (site) => change(site, 'post.hello', { password: 'tide' }),
  'a status': (site) => change(site, 'post.hello', { password: '', status: 'private' }),
  'an author': (site) => change(site, 'post.hello', { author: idOf(site, 'user.author2') }),
  'the slug of a page above': (site) => change(site, 'page.front', { slug: 'harbour-front' }),
  'a role': (site) => site.api.site.users.update(idOf(site, 'user.author2'), { roles: ['editor'] }),
  'a capability of one user': (site) =>
    site.api.site.users.update(idOf(site, 'user.author'), { capabilities: { manage_categories: true } }),
  'the time zone': (site) => site.as('ada')('POST', '/cms/v2/settings', { body: { timezone: 'Asia/Tokyo' } }),
  'a record in the trash': (site) => site.as('ada')('DELETE', `/cms/v2/posts/${idOf(site, 'post.hello')}`),
}

async function change(site: TestSite, key: string, values: object): Promise<void> {
  const [type] = key.split('.')
  const { status, body } = await site.as('ada')('POST', `/cms/v2/${type}s/${idOf(site, key)}`, { body: values })
  expect(status, JSON.stringify(body)).toBe(200)
}

test('everybody receives in the edit context what an uncached service answers, after each kind of write', async () => {
  const { site, cached, uncached } = await openSite()
  const paths = pathsOf(site)
  counted(Object.keys(writes).length, 'kinds of writes')
  for (const [name, write] of Object.entries(writes)) {
    for (const path of paths) for (const login of logins) await cached(login, path)
    await write(site)
    for (const login of logins) {
      // A service for each, since one of another would have cached what he may read.
      const fresh = uncached()
      for (const path of paths) {
        const expected = await fresh(login, path)
        expect(await cached(login, path), `${login} after ${name}: ${path}`).toEqual(expected)
        expect(await cached(login, path), `${login} after ${name}, again: ${path}`).toEqual(expected)
      }
    }
  }
})

test('a write that is rolled back leaves no text behind for the next one with its version', async () => {
  const { site, cached, uncached } = await openSite()
  const path = `/cms/v2/posts/${idOf(site, 'post.hello')}`
  const dry = { prefer: 'dry-run' }
  const { body } = await site.as('ada')('POST', path, { body: { title: 'Never' }, headers: dry })
  expect(body.dry_run).toBe(true)
  await change(site, 'post.hello', { title: 'Really' })
  expect(await cached('ada', `${path}?context=edit`)).toEqual(await uncached()('ada', `${path}?context=edit`))
  expect((await cached('ada', `${path}?context=edit`)).body.title.raw).toBe('Really')
})
