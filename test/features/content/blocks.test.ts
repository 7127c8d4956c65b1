/** Blocks: who lists and reads them, their fields beside the meta, links and versions. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { wordpress } from '../../../src/names/wordpress.ts'
import { content } from '../../../src/profiles/content.ts'
import { createTestSite, type Received, type Requester, type TestSite } from '../../support/site.ts'

const blocks = '/cms/v2/blocks'
let site: TestSite
let edith: Requester

beforeEach(async () => {
  site = await createTestSite({ profile: content })
  edith = site.as('edith')
})
afterEach(async () => {
  expect(site.failures).toEqual([])
  await site.dispose()
})

const created = async (body: object = {}) =>
  (await edith('POST', blocks, { body: { title: 'Ferry times', content: 'First.', status: 'publish', ...body } })).body

const totalsOf = ({ status, body, headers }: Received) => [status, body.length, headers.get('x-cms-total')]
const titleIn = ({ body }: Received) => body.map(({ title }: { title: { raw: string } }) => title.raw)

test('visitors and subscribers get the totals of blocks, and neither rows nor one of them', async () => {
  const { id } = await created()
  for (const title of ['Address', 'Opening hours']) await created({ title })
  await created({ title: 'Not yet', status: 'draft' })
  const query = { per_page: 2 }
  for (const [as, refused] of [
    [null, 401],
    ['sam', 403],
  ] as const) {
    const by = site.as(as)
    const listed = await by('GET', blocks, { query })
    expect(totalsOf(listed)).toEqual([200, 0, '3'])
    expect(listed.headers.get('allow')).toBe('GET')
    expect(totalsOf(await by('GET', blocks, { query: 'context=embed' }))).toEqual([200, 0, '3'])
    // Words and slugs are looked for in what the caller may read.
    expect(totalsOf(await by('GET', blocks, { query: 'search=ferry' }))).toEqual([200, 0, '0'])
    expect(totalsOf(await by('GET', blocks, { query: 'slug=ferry-times' }))).toEqual([200, 0, '0'])
    expect((await by('GET', blocks, { query: 'context=edit' })).body.code).toBe('rest_forbidden_context')
    expect((await by('GET', blocks, { query: 'status=draft' })).status).toBe(400)
    expect((await by('GET', `${blocks}/${id}`)).status).toBe(refused)
    expect((await by('OPTIONS', blocks)).headers.get('allow')).toBe('GET')
    expect((await by('OPTIONS', `${blocks}/${id}`)).headers.get('allow')).toBeNull()
  }
  const read = await site.as('connie')('GET', blocks, { query: { ...query, orderby: 'title', order: 'asc' } })
  expect([titleIn(read), read.headers.get('x-cms-total')]).toEqual([['Address', 'Ferry times'], '3'])
})

test('the sync status is beside the meta of a record, and in the meta of writes and versions', async () => {
  const block = await created()
  const path = `${blocks}/${block.id}`
  expect(block).toMatchObject({ cms_pattern_sync_status: '', meta: { footnotes: '' } })
  const changed = await edith('POST', path, { body: { meta: { cms_pattern_sync_status: 'unsynced' } } })
  expect(changed.body.cms_pattern_sync_status).toBe('unsynced')
  // A response without long texts shows it too.
  const short = await edith('POST', path, { query: '_fields=cms_pattern_sync_status', body: { content: 'Second.' } })
  expect(short.body).toEqual({ cms_pattern_sync_status: 'unsynced' })
  const connie = site.as('connie')
  for (const { body } of [await connie('GET', path), { body: (await connie('GET', blocks)).body[0] }]) {
    expect([body.cms_pattern_sync_status, body.meta]).toEqual(['unsynced', { footnotes: '' }])
  }
  expect((await connie('GET', path, { query: 'context=embed' })).body).not.toHaveProperty('cms_pattern_sync_status')
  const refused = await edith('POST', path, { body: { meta: { cms_pattern_sync_status: 'often' } } })
  expect([refused.status, refused.body.code]).toEqual([400, 'rest_not_in_enum'])
  // A client may send a record as it has read it.
  const whole = (await edith('GET', path, { query: 'context=edit' })).body
  expect((await edith('PUT', path, { body: whole })).body).toMatchObject({ cms_pattern_sync_status: 'unsynced' })
  const [version] = (await edith('GET', `${path}/revisions`)).body
  expect(version.meta).toEqual({ cms_pattern_sync_status: '', footnotes: '' })
  expect(version).not.toHaveProperty('cms_pattern_sync_status')
})

test('a block has one text of each kind as it is stored, and links to its files', async () => {
  const block = await created()
  const { body } = await site.as('arthur')('GET', `${blocks}/${block.id}`)
  expect([body.title, body.content]).toEqual([{ raw: 'Ferry times' }, { raw: 'First.', protected: false }])
  expect(body._links['cms:attachment']).toEqual([{ href: `https://quay.example/api/cms/v2/media?parent=${block.id}` }])
})

test('versions and autosaves of a block are stored text and HTML', async () => {
  const block = await created()
  const path = `${blocks}/${block.id}`
  await edith('POST', path, { body: { content: 'Second.' } })
  const autosave = (await site.as('ada')('POST', `${path}/autosaves`, { body: { content: 'Third.' } })).body
  expect(autosave.content).toEqual({ raw: 'Third.', rendered: '<p>Third.</p>\n' })
  for (const context of ['view', 'edit']) {
    const [version] = (
      await edith('GET', `${path}/revisions`, { query: { context, orderby: 'id', per_page: 1, page: 2 } })
    ).body
    expect(version.title).toEqual({ raw: 'Ferry times', rendered: 'Ferry times' })
    expect(version.content).toEqual({ raw: 'Second.', rendered: '<p>Second.</p>\n' })
    const one = (await edith('GET', `${path}/autosaves/${autosave.id}`, { query: { context } })).body
    expect(one.content).toEqual({ raw: 'Third.', rendered: '<p>Third.</p>\n' })
  }
  const [embedded] = (await edith('GET', `${path}/revisions`, { query: 'context=embed' })).body
  expect(Object.keys(embedded.title)).toEqual(['rendered'])
})

test('the fields of a block have the words of the preset', async () => {
  const other = await createTestSite({ profile: content, names: wordpress })
  try {
    const body = { title: 'Hours', status: 'publish', meta: { wp_pattern_sync_status: 'partial' } }
    const made = (await other.as('edith')('POST', '/wp/v2/blocks', { body })).body
    expect(made).toMatchObject({ wp_pattern_sync_status: 'partial', meta: { footnotes: '' } })
    expect(made._links['wp:attachment']).toHaveLength(1)
    expect((await other.visitor('GET', '/wp/v2/blocks')).headers.get('x-wp-total')).toBe('1')
  } finally {
    await other.dispose()
  }
})
