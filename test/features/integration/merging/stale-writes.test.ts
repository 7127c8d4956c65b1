/** Writes of an older version: merged where the client asks for it and both sides changed different things. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { mergeFeatures } from '../../../../src/features/integration/merging/index.ts'
import { content } from '../../../../src/profiles/content.ts'
import { full } from '../../../../src/profiles/full.ts'
import type { Parsed } from '../../../support/parsed.ts'
import { createTestSite, failuresOf, type Received, type Requester, type TestSite } from '../../../support/site.ts'

let site: TestSite
let ada: Requester
let edith: Requester
beforeEach(async () => {
  site = await createTestSite({ profile: full })
  ada = site.as('ada')
  edith = site.as('edith')
})
afterEach(async () => {
  expect(failuresOf(site)).toEqual([])
  await site.dispose()
})

/** Sends what was made of the version with this tag. */
const stale = (send: Requester, method: string, path: string, tag: string, body: object) =>
  send(method, path, { body, headers: { 'If-Match': tag, Prefer: 'merge' } })
const tagOf = ({ headers }: Received) => headers.get('etag') as string
const editing = { query: { context: 'edit' } }

async function made(
  path: string,
  body: object,
): Promise<{ readonly path: string; readonly tag: string; readonly body: Parsed }> {
  const answer = await ada('POST', path, { body })
  expect(answer.status).toBe(201)
  const own = `${path}/${answer.body.id}`
  const read = await ada('GET', own, editing)
  return { path: own, tag: tagOf(read), body: read.body }
}

const text = '<p>Low water is at six in the morning.</p>\n<p>The boats leave at noon.</p>'

test('merges a post by member and word, a set of terms by its members, and says so', async () => {
  const post = await made('/cms/v2/posts', { title: 'Tides', content: text, status: 'publish', categories: [1] })
  const theirs = { content: text.replace('six', 'seven'), excerpt: 'By Edith.', categories: [1, 2] }
  expect((await edith('PUT', post.path, { body: theirs })).status).toBe(200)
  const mine = { title: 'Tides of May', content: text.replace('boats', 'ferries'), excerpt: '', categories: [] }

  const refused = await ada('PUT', post.path, { body: mine, headers: { 'If-Match': post.tag } })
  expect([refused.status, refused.body.code]).toEqual([412, 'rest_precondition_failed'])

  const merged = await stale(ada, 'PUT', post.path, post.tag, mine)
  expect([merged.status, merged.headers.get('preference-applied')]).toEqual([200, 'merge'])
  const { body } = await ada('GET', post.path, editing)
  expect([body.title.raw, body.excerpt.raw, body.categories]).toEqual(['Tides of May', 'By Edith.', [2]])
  expect(body.content.raw).toBe(text.replace('six', 'seven').replace('boats', 'ferries'))

  // The answer has the tag of what was merged: with it the next write is no stale one.
  const next = await stale(ada, 'PUT', post.path, tagOf(merged), { title: 'Tides of June' })
  expect([next.status, next.headers.get('preference-applied')]).toEqual([200, null])
})

test('tells what both have changed, with both values and the rest merged, and writes nothing', async () => {
  const post = await made('/cms/v2/posts', { title: 'Tides', content: text })
  await edith('PUT', post.path, { body: { title: 'Ebb', content: text.replace('six', 'seven') } })
  const before = await ada('GET', post.path, editing)
  const mine = { title: 'Flow', content: text.replace('noon', 'one') }
  const conflict = await stale(ada, 'PUT', post.path, post.tag, mine)
  expect([conflict.status, conflict.body.code]).toEqual([409, 'rest_merge_conflict'])
  const { conflicts, merged, etag } = conflict.body.data
  expect(conflicts).toEqual([{ member: 'title', base: 'Tides', yours: 'Flow', theirs: 'Ebb' }])
  expect(merged).toEqual({ title: 'Ebb', content: text.replace('six', 'seven').replace('noon', 'one') })
  expect((await ada('GET', post.path, editing)).body).toEqual(before.body)

  const decided = await ada('PUT', post.path, {
    body: { ...merged, title: 'Ebb and flow' },
    headers: { 'If-Match': etag },
  })
  expect(decided.status).toBe(200)
})

const container = (id: string, settings: object, elements: object[] = []) => ({
  id,
  elType: 'container',
  isInner: false,
  settings,
  elements,
})
const heading = (id: string, title: string, more: object = {}) => ({
  ...{ id, elType: 'widget', widgetType: 'heading', isInner: false, elements: [] },
  settings: { title, ...more },
})

test('merges a document by element, also where its elements are the meta of a page', async () => {
  const page = await made('/cms/v2/pages', { title: 'Pier' })
  const path = `/site-api/v1/documents/${page.body.id}`
  const base = [
    container('aaaa111', { gap: 1 }, [heading('bbbb222', 'Low'), heading('cccc333', 'High')]),
    container('dddd444', {}),
  ]
  const saved = await ada('POST', path, { body: { elements: base, settings: { hide_title: 'yes' } } })
  const theirs = [
    container('aaaa111', { gap: 1 }, [heading('bbbb222', 'Low', { color: '#111' }), heading('eeee555', 'New')]),
    container('dddd444', {}, [heading('cccc333', 'High')]),
  ]
  expect(
    (await edith('POST', path, { body: { elements: theirs, settings: { hide_title: 'yes', layout: 'wide' } } })).status,
  ).toBe(200)
  const mine = [
    container('aaaa111', { gap: 2 }, [heading('bbbb222', 'Lowest'), heading('cccc333', 'Highest')]),
    container('dddd444', {}),
    heading('ffff666', 'End'),
  ]
  const merged = await stale(ada, 'POST', path, tagOf(saved), { elements: mine, settings: {} })
  expect(merged.status).toBe(200)
  expect(merged.body.elements).toEqual([
    container('aaaa111', { gap: 2 }, [heading('bbbb222', 'Lowest', { color: '#111' }), heading('eeee555', 'New')]),
    container('dddd444', {}, [heading('cccc333', 'Highest')]),
    heading('ffff666', 'End'),
  ])
  expect(merged.body.settings).toEqual({ layout: 'wide' })

  const read = await ada('GET', page.path, editing)
  const elements = JSON.parse(read.body.meta._builder_data)
  elements[0].settings.gap = 3
  await edith('PUT', page.path, { body: { meta: { _builder_data: JSON.stringify(elements) } } })
  const own = JSON.parse(read.body.meta._builder_data)
  own[2].settings.title = 'The end'
  expect(
    (await stale(ada, 'PUT', page.path, tagOf(read), { meta: { _builder_data: JSON.stringify(own) } })).status,
  ).toBe(200)
  const { body } = await ada('GET', path)
  expect([body.elements[0].settings.gap, body.elements[2].settings.title]).toEqual([3, 'The end'])

  const again = await ada('GET', path)
  const removed = again.body.elements.slice(0, 1)
  await edith('POST', path, { body: { elements: [...again.body.elements.slice(0, 2), heading('ffff666', 'Changed')] } })
  const conflict = await stale(ada, 'POST', path, tagOf(again), { elements: removed })
  expect(conflict.status).toBe(409)
  expect(conflict.body.data.conflicts).toMatchObject([
    { member: 'elements[ffff666]', yours: null, theirs: { settings: { title: 'Changed' } } },
  ])
})

test('takes a revision as the base, also without a history', async () => {
  const page = await made('/cms/v2/pages', { title: 'Pier', content: text })
  await ada('PUT', page.path, { body: { title: 'Pier', content: text.replace('six', 'five') } })
  const [revision] = (await ada('GET', `${page.path}/revisions`)).body
  await edith('PUT', page.path, { body: { content: text.replace('six', 'five').replace('boats', 'ferries') } })
  const named = (base: number | string, body: object) =>
    ada('PUT', page.path, { body, headers: { Prefer: `merge; base=${base}` } })
  const mine = { title: 'The pier', content: text.replace('six', 'five').replace('noon', 'one') }
  expect((await named(revision.id, mine)).status).toBe(200)
  expect((await ada('GET', page.path, editing)).body.content.raw).toBe(
    text.replace('six', 'five').replace('boats', 'ferries').replace('noon', 'one'),
  )
  expect((await named(page.body.id, mine)).status).toBe(404)
  expect((await named('first', mine)).status).toBe(400)
})

test('merges terms, menu items, settings, global colours, classes, variables and templates', async () => {
  const term = await made('/cms/v2/categories', { name: 'Valley', description: 'Green.' })
  await edith('PUT', term.path, { body: { description: 'Wide.' } })
  const named = await stale(ada, 'PUT', term.path, term.tag, { name: 'Valleys', description: 'Green.' })
  expect([named.status, named.body.name, named.body.description]).toEqual([200, 'Valleys', 'Wide.'])

  const settings = await ada('GET', '/cms/v2/settings')
  await ada('PUT', '/cms/v2/settings', { body: { title: 'Quay' } })
  const changed = await stale(ada, 'PUT', '/cms/v2/settings', tagOf(settings), {
    title: settings.body.title,
    description: 'By the sea',
  })
  expect([changed.status, changed.body.title, changed.body.description]).toEqual([200, 'Quay', 'By the sea'])

  const color = '/builder/v1/globals/colors/brand'
  await ada('POST', color, { body: { title: 'Brand', value: '#111111' } })
  const read = await ada('GET', color)
  await ada('POST', color, { body: { title: 'Brand', value: '#222222' } })
  expect((await stale(ada, 'POST', color, tagOf(read), { title: 'Main', value: '#111111' })).status).toBe(200)
  expect((await ada('GET', color)).body).toMatchObject({ title: 'Main', value: '#222222' })

  const classes = '/builder/v1/global-classes'
  const one = (id: string, label: string) => ({ id, type: 'class', label, variants: [] })
  const put = (items: object[], changes: object, headers = {}) =>
    ada('PUT', classes, {
      body: {
        items: Object.fromEntries(items.map((item) => [(item as { id: string }).id, item])),
        order: items.map((item) => (item as { id: string }).id),
        changes: { added: [], modified: [], deleted: [], ...changes },
      },
      headers,
    })
  expect((await put([one('g-1', 'one'), one('g-2', 'two')], { added: ['g-1', 'g-2'] })).status).toBeLessThan(300)
  const list = await ada('GET', classes)
  const merging = { 'If-Match': tagOf(list), Prefer: 'merge' }
  await put([one('g-1', 'uno'), one('g-2', 'two')], { modified: ['g-1'] })
  expect((await put([one('g-1', 'one'), one('g-2', 'due')], { modified: ['g-2'] }, merging)).status).toBeLessThan(300)
  expect(Object.values((await ada('GET', classes)).body.data).map((item) => (item as { label: string }).label)).toEqual(
    ['uno', 'due'],
  )
  const gone = await put([one('g-2', 'two')], { deleted: ['g-1'] }, merging)
  expect([gone.status, gone.body.data.conflicts.map(({ member }: { member: string }) => member)]).toEqual([
    409,
    ['items.g-1'],
  ])

  const variable = await ada('POST', '/builder/v1/variables/create', {
    body: { type: 'global-color-variable', label: 'sea', value: '#111111' },
  })
  const { id } = variable.body.data.variable
  const variables = await ada('GET', '/builder/v1/variables/list')
  await ada('PUT', '/builder/v1/variables/update', { body: { id, label: 'ocean', value: '#111111' } })
  expect(
    (await stale(ada, 'PUT', '/builder/v1/variables/update', tagOf(variables), { id, label: 'sea', value: '#333333' }))
      .body.data.variable,
  ).toMatchObject({ label: 'ocean', value: '#333333' })

  const content = { 0: heading('abcd123', 'Top') }
  const template = (
    await ada('POST', '/builder/v1/template-library/templates', { body: { title: 'Top', type: 'header', content } })
  ).body.template_id
  const conditions = `/builder/v1/site-editor/templates-conditions/${template}`
  await ada('PUT', conditions, { body: { conditions: [['include', 'general']] } })
  const shown = await ada('GET', conditions)
  await ada('PUT', conditions, {
    body: {
      conditions: [
        ['include', 'general'],
        ['exclude', 'singular', 'page'],
      ],
    },
  })
  expect((await stale(ada, 'PUT', conditions, tagOf(shown), { conditions: [['include', 'archive']] })).status).toBe(200)
  const after = (await ada('GET', conditions)).body.map(({ type, name }: { type: string; name: string }) => [
    type,
    name,
  ])
  expect(after.sort()).toEqual([
    ['exclude', 'singular'],
    ['include', 'archive'],
  ])
})

test('a write is not merged where nobody asks for it, where no version is known, and in profiles without it', async () => {
  const post = await made('/cms/v2/posts', { title: 'Tides', content: text })
  await edith('PUT', post.path, { body: { excerpt: 'New.' } })
  const unknown = await stale(ada, 'PUT', post.path, '"abc.w"', { title: 'Mine' })
  expect([unknown.status, unknown.body.code]).toEqual([412, 'rest_precondition_failed'])
  const removal = await stale(ada, 'DELETE', post.path, post.tag, {})
  expect(removal.status).toBe(412)
  const arthur = await stale(site.as('arthur'), 'PUT', post.path, post.tag, { title: 'Mine' })
  expect(arthur.status).toBe(403)
  // Without a condition it is a write like any other.
  expect((await ada('PUT', post.path, { body: { title: 'Mine' }, headers: { Prefer: 'merge' } })).status).toBe(200)

  const alone = await createTestSite({ profile: { ...content, features: [...content.features, ...mergeFeatures] } })
  const send = alone.as('ada')
  const { id } = (await send('POST', '/cms/v2/posts', { body: { title: 'Tides', content: text } })).body
  const path = `/cms/v2/posts/${id}`
  const tag = tagOf(await send('GET', path, editing))
  await send('PUT', path, { body: { title: 'Ebb' } })
  expect((await stale(send, 'PUT', path, tag, { excerpt: 'Mine' })).status).toBe(412)
  await alone.dispose()
})

test('two stale writers each keep what they wrote; a dry run tells what a merge would write', async () => {
  const post = await made('/cms/v2/posts', { title: 'Tides', content: text, excerpt: 'None.' })
  for (const word of ['six', 'boats', 'noon']) {
    const answer = await stale(ada, 'PUT', post.path, post.tag, { content: text.replace(word, `new${word}`) })
    expect(answer.status).toBe(200)
  }
  const { body } = await ada('GET', post.path, editing)
  expect(body.content.raw).toBe(text.replace('six', 'newsix').replace('boats', 'newboats').replace('noon', 'newnoon'))
  const tried = await ada('PUT', post.path, {
    body: { excerpt: 'Tried.', content: text },
    headers: { 'If-Match': post.tag, Prefer: 'merge, dry-run' },
  })
  expect([tried.body.status, tried.body.body.content.raw]).toEqual([200, body.content.raw])
  expect((await ada('GET', post.path, editing)).body.excerpt.raw).toBe('None.')
})
