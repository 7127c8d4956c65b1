/** The past of a site: who may read it, what changed between two moments, and how far back it goes. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { SiteApi } from '../../../../src/host/create-site-api.ts'
import { type Full, full } from '../../../../src/profiles/full.ts'
import { storeDocument } from '../../../support/documents.ts'
import type { Parsed } from '../../../support/parsed.ts'
import {
  createTestSite,
  failuresOf,
  type Requester,
  type TestSite,
  type TestSiteOptions,
} from '../../../support/site.ts'

let site: TestSite
let ada: Requester
const open = async (options: TestSiteOptions = {}) => {
  site = await createTestSite({ profile: full, ...options })
  ada = site.as('ada')
}
beforeEach(() => open())
afterEach(async () => {
  expect(failuresOf(site)).toEqual([])
  await site.dispose()
})

const root = '/site-api/v1/history'

/** Returns the moment now; all that follows is later. */
function moment(): string {
  const at = new Date(site.clock.now).toISOString()
  site.clock.now += 1000
  return at
}

const readAs = (send: Requester, path: string, as_of: string) => send('GET', `${root}/read`, { query: { path, as_of } })

async function made(body: object, send = ada): Promise<number> {
  const answer = await send('POST', '/cms/v2/posts', { body: { status: 'publish', ...body } })
  expect(answer.status).toBe(201)
  site.clock.now += 1000
  return answer.body.id
}

test('reads a post, its list and its page as they were, in process too', async () => {
  const id = await made({ title: 'Low water', content: '<p>Six in the morning.</p>' })
  const before = moment()
  await ada('PUT', `/cms/v2/posts/${id}`, { body: { title: 'High water', content: '<p>Noon.</p>', status: 'draft' } })
  const then = await readAs(ada, `/cms/v2/posts/${id}`, before)
  expect([then.status, then.body.title.rendered, then.body.status]).toEqual([200, 'Low water', 'publish'])
  const list = await readAs(ada, '/cms/v2/posts?search=Low+water', before)
  expect(list.body.map((post: { id: number }) => post.id)).toEqual([id])
  expect(list.headers.get('x-cms-total')).toBe('1')
  const { data } = await site.api.call(
    'GET',
    `/cms/v2/posts/${id}`,
    { context: 'edit' },
    { as: 'system', asOf: before },
  )
  expect(data).toMatchObject({ title: { raw: 'Low water' }, content: { raw: '<p>Six in the morning.</p>' } })
  await expect(site.api.call('POST', '/cms/v2/posts', {}, { as: 'system', asOf: before })).rejects.toMatchObject({
    code: 'history_only_reads',
  })
})

test('opens the past to those who may change the record, as it was and as it is', async () => {
  const arthur = site.as('arthur')
  const own = await made({ title: 'Mine' }, arthur)
  const others = await made({ title: 'Of Ada' })
  const before = moment()
  await arthur('PUT', `/cms/v2/posts/${own}`, { body: { title: 'Mine, later' } })
  await ada('PUT', `/cms/v2/posts/${others}`, { body: { status: 'private' } })
  const outcomeOf = async (send: Requester, id: number) => (await readAs(send, `/cms/v2/posts/${id}`, before)).status
  expect(await outcomeOf(arthur, own)).toBe(200)
  expect(await outcomeOf(arthur, others)).toBe(403)
  expect(await outcomeOf(site.as('edith'), others)).toBe(200)
  expect(await outcomeOf(site.as('sam'), own)).toBe(403)
  expect(await outcomeOf(site.visitor, own)).toBe(401)
})

test('leaves out of a list what its reader may no longer read', async () => {
  const hidden = await made({ title: 'Hidden since' })
  const locked = await made({ title: 'Locked since' })
  const removed = await made({ title: 'Removed since' })
  const kept = await made({ title: 'Changed since' })
  const before = moment()
  await ada('PUT', `/cms/v2/posts/${hidden}`, { body: { status: 'private' } })
  await ada('PUT', `/cms/v2/posts/${locked}`, { body: { password: 'tide' } })
  await ada('DELETE', `/cms/v2/posts/${removed}`, { query: { force: true } })
  await ada('PUT', `/cms/v2/posts/${kept}`, { body: { title: 'Other words' } })
  const titles = async (send: Requester) => {
    const { body } = await readAs(send, '/cms/v2/posts?search=since&orderby=id&order=asc', before)
    return body.map((post: { title: { rendered: string } }) => post.title.rendered)
  }
  expect(await titles(ada)).toEqual(['Hidden since', 'Locked since', 'Removed since', 'Changed since'])
  expect(await titles(site.as('arthur'))).toEqual(['Changed since'])
  expect((await readAs(site.as('sam'), '/cms/v2/posts', before)).status).toBe(403)
})

test('judges by the rights of today', async () => {
  const before = moment()
  await ada('POST', '/cms/v2/settings', { body: { title: 'Other' } })
  expect((await readAs(ada, '/cms/v2/settings', before)).body.title).toBe('Quay Notes')
  await ada('PUT', `/cms/v2/users/${site.ids['user.editor']}`, { body: { roles: ['administrator'] } })
  expect((await readAs(site.as('edith'), '/cms/v2/settings', before)).status).toBe(200)
  await ada('PUT', `/cms/v2/users/${site.ids['user.editor']}`, { body: { roles: ['subscriber'] } })
  expect((await readAs(site.as('edith'), '/cms/v2/settings', before)).status).toBe(403)
})

test('refuses moments and addresses with a reason', async () => {
  const at = moment()
  const codeOf = async (path: string, as_of: string) => (await readAs(ada, path, as_of)).body.code
  expect(await codeOf('/cms/v2/posts', 'yesterday')).toBe('history_invalid_moment')
  expect(await codeOf('/cms/v2/posts', '2999-01-01T00:00:00Z')).toBe('history_future')
  expect(await codeOf('/cms/v2/posts', '2001-01-01T00:00:00Z')).toBe('history_not_kept')
  expect(await codeOf('/cms/v2/users', at)).toBe('history_no_route')
  expect(await codeOf('/cms/v2/comments', at)).toBe('history_no_route')
  expect(await codeOf('cms/v2/posts', at)).toBe('history_no_route')
  expect(await codeOf('/cms/v2/nothing', at)).toBe('rest_no_route')
  expect((await ada('GET', root, { query: { record: 'boat:1' } })).body).toEqual([])
  expect((await ada('GET', root, { query: { record: 'no record' } })).body.code).toBe('history_invalid_record')
})

test('lists the changes of a record with their authors, without secrets', async () => {
  const id = await made({ title: 'One' }, site.as('arthur'))
  await ada('PUT', `/cms/v2/posts/${id}`, { body: { title: 'Two', password: 'hidden-word' } })
  const { body, headers } = await ada('GET', root, { query: { record: `post:${id}` } })
  expect(headers.get('x-cms-total')).toBe('2')
  expect(body).toMatchObject([
    { change: 'changed', user: site.ids['user.admin'], members: expect.arrayContaining(['title', 'password']) },
    { change: 'created', user: site.ids['user.author'], members: [] },
  ])
  await ada('PUT', `/cms/v2/users/${site.ids['user.author']}`, { body: { password: 'a new secret word' } })
  await ada('POST', `/cms/v2/users/${site.ids['user.author']}/application-passwords`, { body: { name: 'Phone' } })
  const all = await ada('GET', root, { query: { per_page: 100 } })
  const kinds = new Set(all.body.map(({ record }: { record: string }) => record.split(':')[0]))
  expect([...kinds].sort()).toEqual(['option', 'post', 'term'])
})

test('tells the difference by member, element and word', async () => {
  const id = await made({ title: 'The old harbour', content: '<p>Boats leave at six in the morning.</p>' })
  const heading = (id: string, settings: object) => ({
    ...{ id, elType: 'widget', widgetType: 'heading', isInner: false, elements: [], settings },
  })
  const path = `/site-api/v1/documents/${id}`
  const [a, b, c] = ['aaaa111', 'bbbb222', 'cccc333']
  const first = [heading(a, { title: 'One', title_color: '#112233' }), heading(b, { title: 'Two' }), heading(c, {})]
  expect((await ada('POST', path, { body: { elements: first } })).status).toBe(200)
  const from = moment()
  const second = [
    heading(b, { title: 'Two' }),
    heading(a, { title: 'One', title_color: '#445566', _css_classes: 'wide' }),
    heading('dddd444', { title: 'Four' }),
  ]
  await ada('POST', path, { body: { elements: second } })
  await ada('PUT', `/cms/v2/posts/${id}`, { body: { title: 'The new harbour', categories: [2] } })
  const { body } = await ada('GET', `${root}/difference`, { query: { record: `post:${id}`, from } })
  expect(body).toMatchObject({ state: 'changed', title: 'The new harbour', record: `post:${id}` })
  const title = body.members.find(({ member }: { member: string }) => member === 'title')
  expect(title).toMatchObject({
    before: 'The old harbour',
    after: 'The new harbour',
    words: [
      { change: 'same', text: 'The ' },
      { change: 'removed', text: 'old' },
      { change: 'added', text: 'new' },
      { change: 'same', text: ' harbour' },
    ],
    sentence: 'title: 1 word added, 1 word removed',
  })
  const changes = body.elements.map(({ id, change, sentence }: { [member: string]: string }) => [id, change, sentence])
  expect(changes).toEqual([
    expect.arrayContaining(['moved']),
    ['dddd444', 'added', 'heading added'],
    ['cccc333', 'removed', 'heading removed'],
  ])
  const sentences = body.elements.flatMap(({ members }: { members: { sentence: string }[] }) =>
    members.map(({ sentence }) => sentence),
  )
  expect(sentences).toEqual(
    expect.arrayContaining(['title color changed from #112233 to #445566', 'class wide added', 'title set to “Four”']),
  )
})

test('restores one record under its tag, and the restoration is undone like any change', async () => {
  const id = await made({ title: 'Kept', categories: [2] })
  const other = await made({ title: 'Apart' })
  const before = moment()
  await ada('PUT', `/cms/v2/posts/${id}`, { body: { title: 'Changed', categories: [3] } })
  await ada('PUT', `/cms/v2/posts/${other}`, { body: { title: 'Apart, later' } })
  await ada('DELETE', `/cms/v2/posts/${id}`, { query: { force: true } })
  const removed = moment()
  const body = { record: `post:${id}`, to: before }
  const stale = await ada('POST', `${root}/restore`, { body, headers: { 'if-match': '"0"' } })
  expect(stale.status).toBe(412)
  const tag = (await ada('GET', root, { query: { record: `post:${id}` } })).headers.get('etag') as string
  const restored = await ada('POST', `${root}/restore`, { body, headers: { 'if-match': tag } })
  expect([restored.status, restored.body]).toEqual([200, { moment: before, records: [`post:${id}`], left: [] }])
  const { body: post } = await ada('GET', `/cms/v2/posts/${id}`)
  expect([post.title.rendered, post.categories]).toEqual(['Kept', [2]])
  expect((await ada('GET', `/cms/v2/posts/${other}`)).body.title.rendered).toBe('Apart, later')
  await (site.api as unknown as SiteApi<Full>).site.history.restore(removed)
  expect((await ada('GET', `/cms/v2/posts/${id}`)).status).toBe(404)
  const tooEarly = await ada('POST', `${root}/restore`, { body: { to: '2001-01-01T00:00:00Z' } })
  expect([tooEarly.status, tooEarly.body.code]).toEqual([404, 'history_not_kept'])
})

test('refuses a slug that another record has taken, and changes nothing', async () => {
  const id = await made({ title: 'Tide', slug: 'tide' })
  const before = moment()
  await ada('PUT', `/cms/v2/posts/${id}`, { body: { slug: 'ebb' } })
  await made({ title: 'Tide', slug: 'tide' })
  const { status, body } = await ada('POST', `${root}/restore`, { body: { record: `post:${id}`, to: before } })
  expect([status, body.code]).toEqual([409, 'history_conflict'])
  expect((await ada('GET', `/cms/v2/posts/${id}`)).body.slug).toBe('ebb')
})

test('keeps as many changes as the site says, and refuses moments before them', async () => {
  await site.dispose()
  await open({ history: { count: 5, days: 30 } })
  const early = moment()
  const id = await made({ title: 'Zero' })
  for (let number = 0; number < 12; number++) await ada('PUT', `/cms/v2/posts/${id}`, { body: { title: `N${number}` } })
  const late = moment()
  await ada('PUT', `/cms/v2/posts/${id}`, { body: { title: 'Last' } })
  await expect.poll(async () => (await readAs(ada, `/cms/v2/posts/${id}`, early)).body.code).toBe('history_not_kept')
  await expect.poll(async () => Number((await ada('GET', root)).headers.get('x-cms-total'))).toBeLessThan(10)
  expect((await readAs(ada, `/cms/v2/posts/${id}`, late)).body.title.rendered).toBe('N11')
})

test('keeps the order of keys, in which style sheets are made', async () => {
  const id = await storeDocument(site, [], { pageSettings: { margin: 'narrow', hide_title: 'yes' } })
  const path = `/cms/v2/posts/${id}?context=edit`
  const keysOf = ({ body }: { body: Parsed }) => Object.keys(body.meta._builder_page_settings)
  const before = moment()
  const meta = { _builder_page_settings: { hide_title: 'yes', margin: 'narrow' } }
  expect((await ada('POST', path, { body: { meta } })).status).toBe(200)
  expect(keysOf(await ada('GET', path))).toEqual(['hide_title', 'margin'])
  expect(keysOf(await readAs(ada, path, before))).toEqual(['margin', 'hide_title'])
})

test('texts of the past are not shown as those of now, nor the other way', async () => {
  const { body: category } = await ada('POST', '/cms/v2/categories', { body: { name: 'Boats' } })
  const id = await made({ title: 'Low water', categories: [category.id] })
  const before = moment()
  // The post gets the default category without a new version.
  await ada('DELETE', `/cms/v2/categories/${category.id}`, { query: { force: true } })
  const after = moment()
  const path = `/cms/v2/posts/${id}?context=edit`
  const categories = async (answer: Promise<{ body: Parsed }>) => (await answer).body.categories
  expect(await categories(readAs(ada, path, before))).toEqual([category.id])
  expect(await categories(ada('GET', path))).not.toContain(category.id)
  expect(await categories(readAs(ada, path, before))).toEqual([category.id])
  expect(await categories(readAs(ada, path, after))).not.toContain(category.id)
})
