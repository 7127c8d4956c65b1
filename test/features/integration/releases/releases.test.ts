/** Releases: changes that are written apart, read as the site would be, published as one, and undone as one. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { full } from '../../../../src/profiles/full.ts'
import { createTestSite, failuresOf, type Requester, type TestSite } from '../../../support/site.ts'

let site: TestSite
let ada: Requester
let edith: Requester
let release: number
beforeEach(async () => {
  site = await createTestSite({ profile: full })
  ada = site.as('ada')
  edith = site.as('edith')
  release = (await ada('POST', '/site-api/v1/releases', { body: { name: 'Summer' } })).body.id
})
afterEach(async () => {
  expect(failuresOf(site)).toEqual([])
  await site.dispose()
})

const inRelease =
  (send: Requester, id = release): Requester =>
  (method, path, { headers, ...input } = {}) =>
    send(method, path, { ...input, headers: { ...headers, 'X-CMS-Release': String(id) } })
const editing = { query: { context: 'edit' } }
const publish = (body: object = {}, send = ada) => send('POST', `/site-api/v1/releases/${release}/publish`, { body })
const undo = (body: object = {}) => ada('POST', `/site-api/v1/releases/${release}/undo`, { body })
const changes = async () => (await ada('GET', `/site-api/v1/releases/${release}/changes`)).body

const page = async (body: object) => {
  const made = await ada('POST', '/cms/v2/pages', { body: { status: 'publish', ...body } })
  expect(made.status).toBe(201)
  return `/cms/v2/pages/${made.body.id}`
}
const titleAt = async (path: string, send = ada) => (await send('GET', path, editing)).body.title?.raw

test('keeps a write in the release: ordinary reads see nothing of it, reads with its name do', async () => {
  const path = await page({ title: 'Tides', content: 'Low water is at six.' })
  const before = await ada('GET', path, editing)
  const written = await inRelease(ada)('POST', path, { body: { title: 'Tides of summer' } })
  expect([written.status, written.headers.get('x-cms-release'), written.body.title.raw]).toEqual([
    200,
    String(release),
    'Tides of summer',
  ])
  expect((await ada('GET', path, editing)).body).toEqual(before.body)
  const read = await inRelease(ada)('GET', path, editing)
  expect([read.body.title.raw, read.body.content.raw]).toEqual(['Tides of summer', 'Low water is at six.'])
  expect(read.headers.get('cache-control')).toBe('private, no-store')
  const byQuery = await ada('GET', '/cms/v2/pages', { query: { search: 'summer', release } })
  expect(byQuery.body.map(({ title }: { title: { rendered: string } }) => title.rendered)).toEqual(['Tides of summer'])
  expect((await ada('GET', '/cms/v2/pages', { query: { search: 'summer' } })).body).toEqual([])
})

test('publishes and undoes new posts, terms, documents, settings and removals as one', async () => {
  const path = await page({ title: 'Tides' })
  const gone = await page({ title: 'Gone' })
  const send = inRelease(ada)
  const category = await send('POST', '/cms/v2/categories', { body: { name: 'Winds' } })
  const made = await send('POST', '/cms/v2/posts', {
    body: { title: 'Foehn', status: 'publish', categories: [category.body.id] },
  })
  expect([category.status, made.status]).toEqual([201, 201])
  const container = { id: 'aaaa111', elType: 'container', isInner: false, settings: {}, elements: [] }
  const document = await send('POST', `/site-api/v1/documents/${path.split('/').at(-1)}`, {
    body: { elements: [container] },
  })
  const settings = await send('POST', '/cms/v2/settings', { body: { description: 'All about winds' } })
  const removed = await send('DELETE', gone, { query: { force: true } })
  expect([document.status, settings.status, removed.status]).toEqual([200, 200, 200])
  const post = `/cms/v2/posts/${made.body.id}`

  // A new live record takes no id of the release.
  const live = await ada('POST', '/cms/v2/posts', { body: { title: 'Breeze' } })
  expect(live.body.id).toBeGreaterThan(made.body.id)
  expect((await ada('GET', post)).status).toBe(404)
  expect((await send('GET', post)).body.categories).toEqual([category.body.id])
  expect((await send('GET', gone)).status).toBe(404)
  expect((await send('GET', '/cms/v2/settings')).body.description).toBe('All about winds')

  const before = await site.api.site.export({ ids: true })
  const published = await publish()
  expect(published.body.code).toBeUndefined()
  expect([published.status, published.body.release.state]).toEqual([200, 'published'])
  expect((await ada('GET', post)).body.categories).toEqual([category.body.id])
  expect((await ada('GET', gone)).status).toBe(404)
  expect((await ada('GET', '/cms/v2/settings')).body.description).toBe('All about winds')
  expect((await ada('GET', `/site-api/v1/documents/${path.split('/').at(-1)}`)).body.elements).toEqual([container])
  expect((await inRelease(ada)('POST', post, { body: { title: 'Late' } })).body.code).toBe('release_published')

  expect((await undo()).body.release.state).toBe('undone')
  const after = await site.api.site.export({ ids: true })
  expect(withoutTimes(after)).toEqual(withoutTimes(before))
  expect((await publish()).status).toBe(200)
  expect((await ada('GET', post)).status).toBe(200)
})

/** Publishing gives posts that change a new time. */
test('merges a document by its elements, and writes the text of the merged one', async () => {
  const path = await page({ title: 'Tides' })
  const document = `/site-api/v1/documents/${path.split('/').at(-1)}`
  const elements = (...titles: readonly string[]) =>
    titles.map((title, at) => ({
      ...{ id: `abcde1${at}`, elType: 'widget', widgetType: 'heading', isInner: false, elements: [] },
      settings: { title },
    }))
  const save = (send: Requester, ...titles: readonly string[]) =>
    send('POST', document, { body: { elements: elements(...titles) } })
  const shown = async () => {
    const { body } = await ada('GET', document)
    const { body: post } = await ada('GET', path, editing)
    return [body.elements.map((one: { settings: { title: string } }) => one.settings.title), post.content.raw]
  }
  await save(ada, 'Ebb', 'Flow')
  await save(inRelease(edith), 'Ebb tide', 'Flow')
  await save(ada, 'Ebb', 'Spring flow')
  expect((await changes())[0].conflicts).toEqual([])
  expect((await publish()).status).toBe(200)
  expect(await shown()).toEqual([['Ebb tide', 'Spring flow'], '<p>Ebb tide</p>\n<p>Spring flow</p>'])
  await save(ada, 'Ebb tide', 'Neap flow')
  expect((await undo()).status).toBe(200)
  expect(await shown()).toEqual([['Ebb', 'Neap flow'], '<p>Ebb</p>\n<p>Neap flow</p>'])
})

const withoutTimes = (document: unknown): unknown =>
  JSON.parse(JSON.stringify(document, (name, value) => (/^modified/.test(name) ? undefined : value)))

test('merges what the site has changed elsewhere, and names what both have changed', async () => {
  const text = '<p>Low water is at six in the morning.</p>\n<p>The boats leave at noon.</p>'
  const path = await page({ title: 'Tides', content: text })
  const id = path.split('/').at(-1)
  await inRelease(edith)('POST', path, { body: { content: text.replace('six', 'seven') } })
  await ada('POST', path, { body: { content: text.replace('noon', 'one') } })
  const merged = text.replace('six', 'seven').replace('noon', 'one')
  expect((await inRelease(ada)('GET', path, editing)).body.content.raw).toBe(merged)

  await inRelease(edith)('POST', path, { body: { title: 'Ebb' } })
  await ada('POST', path, { body: { title: 'Flow' } })
  const before = await ada('GET', path, editing)
  const conflict = { record: `post:${id}`, member: 'title', base: 'Tides', yours: 'Ebb', theirs: 'Flow' }
  expect((await changes())[0].conflicts).toEqual([conflict])
  const refused = await publish()
  expect([refused.status, refused.body.code, refused.body.data.conflicts]).toEqual([
    409,
    'release_conflict',
    [conflict],
  ])
  expect((await ada('GET', path, editing)).body).toEqual(before.body)

  expect((await publish({ decide: { [`post:${id} title`]: 'release' } })).status).toBe(200)
  const { body } = await ada('GET', path, editing)
  expect([body.title.raw, body.content.raw]).toEqual(['Ebb', merged])

  // An edit after publishing is a conflict of the way back.
  await edith('POST', path, { body: { title: 'Spring' } })
  const back = await undo()
  expect([back.status, back.body.data.conflicts]).toEqual([
    409,
    [{ record: `post:${id}`, member: 'title', base: 'Ebb', yours: 'Flow', theirs: 'Spring' }],
  ])
  expect((await undo({ decide: { '*': 'live' } })).status).toBe(200)
  const undone = (await ada('GET', path, editing)).body
  expect([undone.title.raw, undone.content.raw]).toEqual(['Spring', text.replace('noon', 'one')])
})

test('refuses what belongs to no release, and writes nothing', async () => {
  const send = inRelease(ada)
  const user = await send('POST', '/cms/v2/users', {
    body: { username: 'sam', email: 'sam@quay.example', password: 'a long password' },
  })
  expect([user.status, user.body.code]).toEqual([400, 'release_no_route'])
  const upload = await send('POST', '/cms/v2/media', {
    body: 'one',
    headers: { 'Content-Type': 'text/plain', 'Content-Disposition': 'attachment; filename="one.txt"' },
  })
  expect([upload.status, upload.body.code]).toEqual([400, 'release_outside'])
  expect(await changes()).toEqual([])
  const path = await page({ title: 'Tides' })
  const lock = await send('POST', `/site-api/v1/locks/${path.split('/').at(-1)}`)
  expect([lock.status, lock.body.code]).toEqual([400, 'release_no_route'])
  expect((await inRelease(ada, 99)('POST', path, { body: { title: 'x' } })).body.code).toBe('release_not_found')
  expect((await inRelease(site.visitor)('GET', path)).status).toBe(401)
  const dry = await send('POST', path, { body: { title: 'x' }, headers: { Prefer: 'dry-run' } })
  expect([dry.status, dry.body.code]).toEqual([400, 'release_no_dry_run'])
  expect(await titleAt(path)).toBe('Tides')
})

test('lets no conflict stay hidden, and takes a record out of a release', async () => {
  const path = await page({ title: 'Tides' })
  const id = path.split('/').at(-1)
  await inRelease(ada)('POST', path, { body: { slug: 'ebb' } })
  const twin = await page({ title: 'Ebb' })
  expect((await ada('GET', twin, editing)).body.slug).toBe('ebb')
  const refused = await publish()
  expect(refused.body.data.conflicts).toEqual([
    { record: `post:${id}`, member: 'slug', base: null, yours: 'ebb', theirs: `post:${twin.split('/').at(-1)}` },
  ])
  // The slug is edited in the release, where the twin is seen too.
  expect((await inRelease(ada)('POST', path, { body: { title: 'Ebbs' } })).status).toBe(200)
  expect((await inRelease(ada)('POST', path, { body: { slug: 'ebb' } })).body.slug).toBe('ebb-2')
  expect((await changes())[0].conflicts).toEqual([])

  await ada('DELETE', path, { query: { force: true } })
  expect((await publish({ decide: { '*': 'release' } })).status).toBe(409)
  const dropped = await ada('DELETE', `/site-api/v1/releases/${release}/changes`, { body: { record: `post:${id}` } })
  expect(dropped.status).toBe(204)
  expect(await changes()).toEqual([])
  expect((await publish()).body.records).toEqual([])
})

test('publishes with the rights of who publishes', async () => {
  const path = await page({ title: 'Tides' })
  await inRelease(edith)('POST', path, { body: { title: 'Ebb' } })
  await inRelease(ada)('POST', '/cms/v2/settings', { body: { description: 'Winds' } })
  const refused = await publish({}, edith)
  expect([refused.status, refused.body.code]).toEqual([403, 'release_may_not_publish'])
  expect(await titleAt(path)).toBe('Tides')
  expect((await publish()).status).toBe(200)
  expect(await titleAt(path)).toBe('Ebb')
})

test('repeats no write that is sent again with its key', async () => {
  const send = () =>
    inRelease(ada)('POST', '/cms/v2/posts', { body: { title: 'Once' }, headers: { 'Idempotency-Key': 'one' } })
  const [first, second] = [await send(), await send()]
  expect(second.body.id).toBe(first.body.id)
  expect(second.headers.get('idempotency-replayed')).toBe('true')
  const titles = (await changes()).map(({ title }: { title: string }) => title)
  expect(titles.filter((title: string) => title === 'Once')).toHaveLength(1)
})
