import { expect, test } from 'vitest'
import { about, home, openSite, refusalOf } from './fixture.ts'

const register = '/remediation/register'
const level = '/remediation/heading-level'
const dismiss = '/remediation/dismiss-heading-issue'
const save = '/remediation/trigger-save'

// ---------------------------------------------------------------- pages

test('registers a page once', async () => {
  const { send, api, ids } = await openSite()
  const emitted: unknown[] = []
  api.on('accessibility.page-registered', (payload) => emitted.push(payload))
  const body = {
    url: home,
    title: 'Front',
    object_id: '31',
    object_type: 'page',
    object_type_name: 'Page',
    summary: { altText: 2, tables: 3, name: 'x', other: -1 },
  }
  const first = await send('POST', register, body)
  expect([first.status, first.body]).toEqual([
    200,
    {
      success: true,
      data: {
        message: expect.any(String),
        data: {
          id: expect.any(Number),
          url: home,
          title: 'Front',
          object_id: '31',
          object_type: 'page',
          object_type_name: 'Page',
          hash: '',
          full_html: null,
          violations: 5,
          resolved: 0,
          status: 'active',
          created_at: '2024-06-15 12:00:00',
          updated_at: '2024-06-15 12:00:00',
        },
      },
    },
  ])
  const second = await send('POST', register, body)
  expect([second.status, second.body]).toEqual([204, undefined])
  expect(emitted).toEqual([{ id: first.body.data.data.id, url: home, by: ids['user.admin'] }])
})

test('of parallel registrations of a page one succeeds', async () => {
  const { send } = await openSite()
  const responses = await Promise.all(Array.from({ length: 6 }, () => send('POST', register, { url: home })))
  expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 204, 204, 204, 204, 204])
})

test('registers a page by its address alone', async () => {
  const { send } = await openSite()
  expect((await send('POST', register, { url: about, summary: 'x' })).body.data.data).toMatchObject({
    title: '',
    object_id: '',
    object_type: '',
    object_type_name: '',
    violations: 0,
  })
})

test.each([
  ['counts by group', { counts: { altText: 1 } }, 1],
  ['several groups', { counts: { altText: 1, colorContrast: 2, tables: 0 } }, 3],
  ['counts of an engine, which names its violations', { counts: { violation: 2, potentialviolation: 7, pass: 90 } }, 2],
  ['counts of an engine that found none', { counts: { violation: 0, altText: 4 } }, 0],
  [
    'what is right and what was looked at',
    { counts: { altText: 2, pass: 40, ignored: 3, manual: 1, elements: 80 } },
    2,
  ],
  ['groups with counts of their own', { counts: { altText: { violation: 1, pass: 4 }, tables: { td: 2 } } }, 3],
  ['a list of violations', { violations: [{ id: 'image-alt' }, { id: 'label' }] }, 2],
  ['counts as texts', { counts: { altText: '3', label: 'x' } }, 3],
  ['no counts', { counts: {} }, 0],
])('counts the issues of a summary: %s', async (_, summary, violations) => {
  const { send } = await openSite()
  expect((await send('POST', register, { url: home, summary })).body.data.data).toMatchObject({ violations })
})

test('stores the term of a page with object type taxonomy', async () => {
  const { send } = await openSite()
  const input = { url: about, object_id: 4, object_type: 'taxonomy' }
  expect((await send('POST', register, input)).body.data.data.object_id).toBe('4')
})

// ---------------------------------------------------------------- headings

const at = { url: home, xpath: '/html/body/h2', rule: 'heading_level' }
const attribute = (name: string, value: string) =>
  JSON.stringify({
    type: 'ATTRIBUTE',
    category: 'A',
    xpath: at.xpath,
    action: 'add',
    attribute_name: name,
    attribute_value: value,
  })

test.each([1, 2, 3, 4, 5, 6])('sets a heading to level %d', async (digit) => {
  const { send, lists } = await openSite()
  expect((await send('POST', level, { ...at, level: `h${digit}` })).body.data).toEqual({ message: expect.any(String) })
  const { page } = await lists(home)
  expect(page.map((row) => row['content'])).toEqual([attribute('role', 'heading'), attribute('aria-level', `${digit}`)])
  expect(page[0]).toMatchObject({
    category: 'A',
    rule: 'heading_level',
    group: 'headingStructure',
    active: '1',
    global: '0',
  })
})

test('replaces the earlier level and nothing else', async () => {
  const { send, add, lists } = await openSite()
  const group = 'headingStructure'
  await add(home, { group, remediation: { xpath: at.xpath, attribute_name: 'id' } })
  await add(home, { group, remediation: { xpath: '/other', attribute_name: 'role' } })
  await add(home, { remediation: { xpath: at.xpath, attribute_name: 'role' } })
  await add(home, { group, remediation: { xpath: at.xpath, attribute_name: 'aria-level' }, global: true })
  await send('POST', level, { ...at, level: 'h4' })
  await send('POST', level, { ...at, level: 'p' })
  const { page, global } = await lists(home)
  expect([page.length, global.length]).toEqual([4, 1])
  expect(page.map((row) => row['content'])).toContain(attribute('role', 'presentation'))
  expect(JSON.stringify(page)).not.toContain('aria-level')
})

test('dismisses a heading of a page once', async () => {
  const { send, api } = await openSite()
  const { id } = (await send('POST', register, { url: home })).body.data.data
  const xpath = `/html/body${'/div[1]'.repeat(250)}/h2`
  for (let n = 0; n < 2; n++) expect((await send('POST', dismiss, { pageId: id, xpath })).status).toBe(200)
  await send('POST', dismiss, { pageId: String(id), xpath: '/h3' })
  expect((await send('POST', dismiss, { pageId: 999, xpath })).status).toBe(200)
  expect(await api.site.accessibility.dismissedHeadings(home)).toEqual([xpath, '/h3'])
  expect(await api.site.accessibility.dismissedHeadings(about)).toEqual([])
})

// ---------------------------------------------------------------- trigger-save

test('emits update events for a published post and for a term', async () => {
  const { send, api, ids } = await openSite()
  const emitted: unknown[] = []
  api.on('post.updated', ({ post }) => emitted.push(post.id))
  api.on('term.updated', ({ id }) => emitted.push(`term ${id}`))
  const [hello, news] = [ids['post.hello'], ids['category.news']]
  expect((await send('POST', save, { object_id: hello, object_type: 'post' })).body.data.message).toBeTypeOf('string')
  await send('POST', save, { object_id: String(ids['page.about']), object_type: 'page' })
  await send('POST', save, { object_id: news, object_type: 'taxonomy' })
  expect(emitted).toEqual([hello, ids['page.about'], `term ${news}`])
})

test('emits nothing for unknown and non-public objects, and succeeds', async () => {
  const { send, api, ids } = await openSite()
  const emitted: unknown[] = []
  for (const name of ['post.updated', 'term.updated', 'accessibility.changed'] as const)
    api.on(name, () => emitted.push(name))
  for (const object_id of [999, ids['post.draft'], ids['post.private'], ids['post.trashed'], ids['media.pier']]) {
    expect((await send('POST', save, { object_id, object_type: 'post' })).status).toBe(200)
  }
  expect((await send('POST', save, { object_id: 999, object_type: 'taxonomy' })).status).toBe(200)
  expect(emitted).toEqual([])
})

test('refuses missing and invalid arguments with 400', async () => {
  const { send } = await openSite()
  const long = (length: number) => 'x'.repeat(length)
  const cases: readonly (readonly [path: string, body: object, code: string])[] = [
    [register, {}, 'internal_server_error'],
    [register, { url: '' }, 'internal_server_error'],
    [register, { url: home, title: long(256) }, 'rest_invalid_param'],
    [register, { url: home, object_id: 'x' }, 'rest_invalid_param'],
    [register, { url: long(2049) }, 'rest_invalid_param'],
    [level, { ...at }, 'missing_parameters'],
    [level, { ...at, level: 'h7' }, 'rest_invalid_param'],
    [level, { ...at, level: 3 }, 'rest_invalid_param'],
    [level, { ...at, level: 'h3', xpath: undefined }, 'missing_parameters'],
    [level, { ...at, level: 'h3', xpath: long(2049) }, 'rest_invalid_param'],
    [level, { ...at, level: 'h3', url: undefined }, 'missing_parameters'],
    [level, { ...at, level: 'h3', rule: long(129) }, 'rest_invalid_param'],
    [dismiss, { pageId: 1 }, 'missing_parameters'],
    [dismiss, { xpath: '/h2' }, 'missing_parameters'],
    [dismiss, { pageId: 'x', xpath: '/h2' }, 'rest_invalid_param'],
    [save, { object_id: 1 }, 'missing_parameters'],
    [save, { object_type: 'post' }, 'missing_parameters'],
    [save, { object_id: {}, object_type: 'post' }, 'rest_invalid_param'],
  ]
  for (const [path, body, code] of cases) {
    expect([path, body, ...refusalOf(await send('POST', path, body))]).toEqual([path, body, 400, code])
  }
})
