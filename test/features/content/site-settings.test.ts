/** The settings of the site, and the statuses of posts. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Json } from '../../../src/contract/storage.ts'
import { content } from '../../../src/profiles/content.ts'
import { counted } from '../../support/counted.ts'
import { createTestSite, type Requester, type TestSite } from '../../support/site.ts'

const settings = '/cms/v2/settings'
let site: TestSite
let ada: Requester

beforeEach(async () => {
  site = await createTestSite({ profile: content })
  ada = site.as('ada')
})
afterEach(async () => {
  expect(site.failures).toEqual([])
  await site.dispose()
})

test('administrators read and change the settings, and the index follows', async () => {
  const { body } = await ada('GET', settings)
  expect(body).toMatchObject({
    ...{ title: 'Quay Notes', timezone: 'Europe/Lisbon', show_on_front: 'page', posts_per_page: 10 },
    ...{ page_on_front: site.ids['page.front'], default_category: site.ids['category.uncategorized'] },
    ...{ site_logo: null, date_format: 'F j, Y' },
  })
  const changed = await ada('PATCH', settings, { body: { title: 'Other', posts_per_page: '7', colour: 'red' } })
  expect(changed.body).toMatchObject({ title: 'Other', posts_per_page: 7, timezone: 'Europe/Lisbon' })
  expect((await site.visitor('GET', '/', { query: '_fields=name' })).body).toEqual({ name: 'Other' })
  for (const [login, status] of [
    [null, 401],
    ['edith', 403],
  ] as const) {
    const refused = await site.as(login)('POST', settings, { body: { title: 'Taken' } })
    expect([refused.status, refused.body.code]).toEqual([status, 'rest_forbidden'])
  }
})

test('null resets a setting', async () => {
  await ada('POST', settings, { body: { description: 'Boats', posts_per_page: 7 } })
  const { body } = await ada('POST', settings, { body: { description: null, posts_per_page: null } })
  expect(body).toMatchObject({ description: null, posts_per_page: 10, title: 'Quay Notes' })
})

const long = 'Y'.repeat(5000)

/** Values that a setting can not mean, by its name. */
const mistakes: readonly (readonly [string, unknown])[] = Object.entries({
  posts_per_page: [0, -1, 101, 1e9],
  start_of_week: [-1, 7],
  date_format: ['<script>', '<img src=x onerror=alert(1)>', '../../x', '//evil.example', 'x', '', '%s', '{Y}', long],
  time_format: ['<b>H</b>', '../H', 'qqq', long],
  language: ['<script>', '../../en', 'english', 'e', 'qq_QQ', 'en US', long],
  timezone: ['UTC+99', 'UTC-13', '<b>', '../UTC'],
  url: ['https://quay.example/<script>', 'https://quay.example/a b', 'javascript:alert(1)', 'https://'],
  email: ['ada@', '<script>@example.test'],
  show_on_front: ['pages', '<script>'],
  default_ping_status: ['ajar'],
  default_post_format: ['letter', '<script>'],
}).flatMap(([name, values]) => values.map((value) => [name, value] as const))

test('settings take whatever they can mean', async () => {
  const values = {
    posts_per_page: [1, 25, 100],
    start_of_week: [0, 6],
    date_format: [
      'j. F Y',
      'Y-m-d',
      'F jS, Y',
      'd/m/Y',
      'Y年n月j日',
      'j \\d\\e F \\d\\e Y',
      'l, j F Y',
      "j F 'y",
      'M j, Y @ G:i',
      'd–m–Y',
    ],
    time_format: ['H:i', 'g:i a', 'H\\hi', 'G \\u\\h\\r', 'H.i'],
    language: ['de_DE', 'de_DE_formal', 'pt_BR', 'ckb', 'sr-Latn-RS', ''],
    timezone: ['UTC', 'UTC+5.75', 'UTC-3', 'America/Sao_Paulo'],
    email: ['harbour@quay.example'],
    default_post_format: ['0', 'aside'],
  }
  for (const [name, each] of Object.entries(values)) {
    for (const value of each) {
      const { status, body } = await ada('POST', settings, { body: { [name]: value } })
      const stored = name === 'timezone' && String(value).startsWith('UTC') ? body[name] : value
      expect([name, status, body[name]]).toEqual([name, 200, stored])
    }
  }
})

test('the host and a site document keep the same rules', async () => {
  const options = { timezone: 'timezone_string' } as const
  for (const [name, value] of mistakes) {
    if (name === 'timezone' && String(value).startsWith('UTC')) continue
    const option = name === 'timezone' ? options.timezone : name
    const { api } = site
    const write = api.site.options.write({ name: 'Half', [option]: value as Json })
    await expect(write, `${name}: ${value}`).rejects.toThrow(`the option ${option} must be`)
    const document = { options: { [option]: value as Json } }
    await expect(createTestSite({ profile: content, seed: document })).rejects.toThrow(`options.${option}`)
  }
  expect((await ada('GET', settings)).body.title).toBe('Quay Notes')
  for (const permalink of ['posts/{slug}', '/{year}/', '/<b>/{slug}/', '/a?{slug}']) {
    await expect(site.api.site.options.write({ permalink })).rejects.toThrow('the option permalink must be')
  }
  for (const gmt_offset of [15, -12.5, 0.1]) {
    await expect(site.api.site.options.write({ gmt_offset })).rejects.toThrow('the option gmt_offset must be')
  }
})

test('values that would break the site are refused, and nothing of the request is stored', async () => {
  for (const [name, value] of [
    ['timezone', 'Moon/Base'],
    ['email', 'nobody'],
    ['url', 'ftp://quay.example'],
    ['url', 'https://elsewhere.example'],
    ['page_on_front', 987654],
    ['default_category', 987654],
    ['site_icon', 987654],
    ['default_comment_status', 'ajar'],
    ['start_of_week', 'Monday'],
    ...mistakes,
  ] as const) {
    const { status, body } = await ada('POST', settings, { body: { title: 'Half', [name]: value } })
    expect([name, status, body.code, Object.keys(body.data.params)]).toEqual([name, 400, 'rest_invalid_param', [name]])
    counted(1, 'values refused')
  }
  expect((await ada('GET', settings)).body.title).toBe('Quay Notes')
})

test('another zone moves no stored date, and an offset replaces a zone', async () => {
  const dates = async () =>
    (await site.visitor('GET', `/cms/v2/posts/${site.ids['post.ferry']}?_fields=date,date_gmt`)).body
  const before = await dates()
  expect((await ada('POST', settings, { body: { timezone: 'UTC+5.5' } })).body.timezone).toBe('')
  expect(await dates()).toEqual(before)
  expect((await site.visitor('GET', '/', { query: '_fields=gmt_offset' })).body).toEqual({ gmt_offset: 5.5 })
  await ada('POST', settings, { body: { timezone: 'Asia/Tokyo' } })
  expect((await site.visitor('GET', '/', { query: '_fields=gmt_offset' })).body).toEqual({ gmt_offset: 9 })
})

test('new posts follow the settings of writing, and the new default category is protected at once', async () => {
  const category = site.ids['category.news']
  await ada('POST', settings, { body: { default_category: category, default_comment_status: 'closed' } })
  const { body } = await site.as('arthur')('POST', '/cms/v2/posts', { body: { title: 'New' } })
  expect(body).toMatchObject({ categories: [category], comment_status: 'closed' })
  const removed = await ada('DELETE', `/cms/v2/categories/${category}`, { query: 'force=true' })
  expect([removed.status, removed.body.code]).toEqual([403, 'rest_cannot_delete'])
})

test('visitors see the status of published posts, writers all of them', async () => {
  const { body } = await site.visitor('GET', '/cms/v2/statuses')
  expect(Object.keys(body)).toEqual(['publish'])
  expect(body.publish).toMatchObject({ name: 'Published', public: true, date_floating: false })
  const { body: all } = await site.as('connie')('GET', '/cms/v2/statuses', { query: 'context=edit' })
  expect(Object.keys(all)).toEqual(['publish', 'future', 'draft', 'pending', 'private', 'trash'])
  expect(all.draft).toMatchObject({ protected: true, date_floating: true, show_in_list: true })
  const decided = async (login: string | null, path: string) => {
    const { status, body: error } = await site.as(login)('GET', `/cms/v2/statuses${path}`)
    return [status, error.code]
  }
  expect(await decided(null, '/draft')).toEqual([401, 'rest_cannot_read_status'])
  expect(await decided('ada', '/inherit')).toEqual([403, 'rest_cannot_read_status'])
  expect(await decided('ada', '/nonsense')).toEqual([404, 'rest_status_invalid'])
  expect(await decided('sam', '?context=edit')).toEqual([403, 'rest_cannot_view'])
})

test('the active theme says what it supports, as the option of the site has it', async () => {
  const read = async () =>
    (await site.as('connie')('GET', '/cms/v2/themes', { query: 'context=edit&status=active' })).body
  expect(await read()).toMatchObject([{ status: 'active', theme_supports: { 'post-thumbnails': true } }])
  await site.api.site.options.write({ theme_supports: { 'post-thumbnails': false, 'custom-logo': true } })
  const [theme] = await read()
  expect(theme.theme_supports).toMatchObject({ 'post-thumbnails': false, 'custom-logo': true, 'align-wide': true })
  const inactive = { query: 'status=inactive' }
  expect((await site.as('ada')('GET', '/cms/v2/themes', inactive)).body).toEqual([])
  expect((await site.as('connie')('GET', '/cms/v2/themes', inactive)).body.code).toBe('rest_cannot_view_themes')
})

test('the site index shows logo and icon once they are set, with their links', async () => {
  const pictures = async () => (await site.visitor('GET', '/', { query: '_fields=site_logo,site_icon' })).body
  expect(await pictures()).toEqual([])
  const pier = site.ids['media.pier']
  await ada('POST', settings, { body: { site_icon: pier, site_logo: pier } })
  const href = `https://quay.example/api/cms/v2/media/${pier}`
  expect(await pictures()).toEqual({
    ...{ site_logo: pier, site_icon: pier },
    _links: {
      self: [{ href: 'https://quay.example/api/' }],
      'cms:featuredmedia': [1, 2].map(() => ({ embeddable: true, href })),
    },
  })
})
