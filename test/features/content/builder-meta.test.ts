/** Meta of the page builder in requests: kept by every type that supports documents, refused by all others. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { content, contentFeatures, contentType, d1, full, profile } from '../../../src/index.ts'
import { widgetElement } from '../../support/documents.ts'
import { createTestSite, type Requester, type TestSite } from '../../support/site.ts'

const words = (title: string) => JSON.stringify([widgetElement('abc1234', 'heading', { title })])
const document = (title: string) => ({
  _builder_edit_mode: 'builder',
  _builder_template_type: 'wp-page',
  _builder_data: words(title),
  _builder_page_settings: { hide_title: 'yes' },
})

const own = { supports: ['title', 'editor', 'author', 'revisions', 'autosave', 'builder'] as const }
const guides = contentType({
  name: 'guide',
  labels: { singular: 'Guide', plural: 'Guides' },
  restBase: 'guides',
  ...own,
})
const bare = contentType({
  ...{ name: 'memo', labels: { singular: 'Memo', plural: 'Memos' }, restBase: 'memos' },
  supports: ['title', 'editor', 'revisions', 'autosave'],
})

const profiles = [
  profile({ ...full, name: 'whole', features: [...full.features, guides, bare] }),
  profile({ ...content, name: 'texts', features: [...content.features, guides, bare] }),
  profile({ ...d1, name: 'builder', features: [...d1.features, ...contentFeatures, guides, bare] }),
]

describe.each(profiles)('on the profile $name', (served) => {
  let site: TestSite
  let ada: Requester
  beforeAll(async () => {
    site = await createTestSite({ profile: served })
    ada = site.as('ada')
  })
  afterAll(async () => {
    expect(site.failures).toEqual([])
    await site.dispose()
  })
  const isDrawn = served.name !== 'texts'
  const edit = async (path: string) => (await ada('GET', path, { query: 'context=edit' })).body

  describe.each(['posts', 'pages', 'guides'])('%s', (base) => {
    const route = `/cms/v2/${base}`
    const make = async (body: object = {}) =>
      (await ada('POST', route, { body: { title: 'Pier', status: 'publish', content: 'Old words', ...body } })).body

    test('keep the document that creates them, and show it', async () => {
      const made = await ada('POST', route, { body: { title: 'Pier', status: 'publish', meta: document('Low tide') } })
      expect(made.status).toBe(201)
      expect(made.body).not.toHaveProperty('_warnings')
      expect(made.body.meta).toEqual({ ...document('Low tide'), footnotes: '' })
      const seen = (await site.visitor('GET', `${route}/${made.body.id}`)).body
      expect(seen.content.rendered.includes('Low tide</h2>')).toBe(isDrawn)
      expect(seen.meta).toEqual({ footnotes: '' })
    })

    test('keep it in an update and in a batch, with a revision of each', async () => {
      const { id } = await make()
      const changed = await ada('PUT', `${route}/${id}`, { body: { meta: document('Ebb') } })
      expect([changed.status, changed.body.meta._builder_data]).toEqual([200, words('Ebb')])
      const requests = [{ method: 'PUT', path: `${route}/${id}`, body: { meta: { _builder_data: words('Flood') } } }]
      const batch = await ada('POST', '/batch/v1', { body: { requests } })
      expect(batch.body.responses[0].body.meta._builder_data).toBe(words('Flood'))
      const shown = async (path: string) => (await edit(path)).content.rendered
      expect(await shown(`${route}/${id}`)).toContain(isDrawn ? 'Flood</h2>' : '<p>Old words</p>')
      const [latest, taken] = await edit(`${route}/${id}/revisions`)
      expect([latest, taken].map(({ meta }) => meta._builder_data)).toEqual([words('Flood'), words('Ebb')])
      const revision = await edit(`${route}/${id}/revisions/${taken.id}`)
      expect(revision.content.rendered).toContain(isDrawn ? 'Ebb</h2>' : '<p>Old words</p>')
    })

    test('keep it in autosaves, beside the record and in a draft of the caller', async () => {
      const { id } = await make({ meta: document('Live') })
      const beside = await ada('POST', `${route}/${id}/autosaves`, { body: { meta: document('Later') } })
      expect(beside.body.meta._builder_data).toBe(words('Later'))
      expect((await edit(`${route}/${id}/autosaves`))[0].meta._builder_data).toBe(words('Later'))
      expect((await edit(`${route}/${id}`)).meta._builder_data).toBe(words('Live'))
      const draft = await make({ status: 'draft', meta: document('Draft') })
      await ada('POST', `${route}/${draft.id}/autosaves`, { body: { meta: document('Again') } })
      expect((await edit(`${route}/${draft.id}`)).meta._builder_data).toBe(words('Again'))
    })

    test('refuse values of other types, and write nothing then', async () => {
      const wrong = await ada('POST', route, { body: { title: 'Wrong', meta: { _builder_data: [1] } } })
      expect([wrong.status, wrong.body.code]).toEqual([400, 'rest_invalid_type'])
      const found = await edit(`${route}?search=Wrong&status=any`)
      expect(Array.isArray(found) ? found : []).toEqual([])
    })

    test('are in the list of types with what they support', async () => {
      const types = await edit('/cms/v2/types')
      const type = Object.values(types as object).find(({ rest_base: name }) => name === base)
      expect(type.supports.builder).toBe(true)
    })
  })

  test('pages without a document show none, as posts do', async () => {
    const body = { title: 'Plain', content: 'Words', status: 'publish' }
    const page = (await ada('POST', '/cms/v2/pages', { body })).body
    expect(page.meta).toEqual({ footnotes: '' })
    await ada('POST', `/cms/v2/pages/${page.id}`, { body: { content: 'Other words' } })
    expect((await edit(`/cms/v2/pages/${page.id}/revisions`))[0].meta).toEqual({ footnotes: '' })
    const post = (await ada('POST', '/cms/v2/posts', { body })).body
    expect(post.meta).toMatchObject({ _builder_edit_mode: '', _builder_data: '', footnotes: '' })
  })

  describe('records of other types', () => {
    const meta = { _builder_data: words('Lost') }
    const records = [
      ['/cms/v2/memos', { title: 'Lost memo' }],
      ['/cms/v2/blocks', { title: 'Lost pattern', content: '<p>x</p>' }],
      ['/cms/v2/categories', { name: 'Lost category' }],
      ['/cms/v2/menu-items', { title: 'Lost item', url: 'https://quay.example/' }],
      ['/cms/v2/comments', { content: 'Lost remark' }],
    ] as const

    test.each(records)('%s refuse a document, and are not written', async (route, body) => {
      const about = route.endsWith('comments') ? { post: site.ids['post.hello'] } : {}
      const refused = await ada('POST', route, { body: { ...body, ...about, meta } })
      expect([refused.status, refused.body.code]).toEqual([400, 'rest_builder_unsupported'])
      expect(refused.body.message).toContain('meta._builder_data')
      expect(JSON.stringify((await ada('GET', `${route}?search=Lost`)).body)).not.toContain('Lost')
      const kept = await ada('POST', route, { body: { ...body, ...about, meta: { _builder_data: '' } } })
      expect(kept.status).toBe(201)
      const changed = await ada('POST', `${route}/${kept.body.id}`, { body: { meta } })
      expect([changed.status, changed.body.code]).toEqual([400, 'rest_builder_unsupported'])
    })

    test('refuse one in changes of files and users', async () => {
      for (const route of [`/cms/v2/media/${site.ids['media.pier']}`, '/cms/v2/users/me']) {
        const refused = await ada('POST', route, { body: { title: 'Lost', first_name: 'Lost', meta } })
        expect([refused.status, refused.body.code]).toEqual([400, 'rest_builder_unsupported'])
        expect(JSON.stringify(await edit(route))).not.toContain('Lost')
      }
    })

    test('refuse one in autosaves, and in each item of a batch', async () => {
      const { id } = (await ada('POST', '/cms/v2/memos', { body: { title: 'Memo', status: 'publish' } })).body
      const autosave = await ada('POST', `/cms/v2/memos/${id}/autosaves`, { body: { title: 'Other', meta } })
      expect([autosave.status, autosave.body.code]).toEqual([400, 'rest_builder_unsupported'])
      expect(await edit(`/cms/v2/memos/${id}/autosaves`)).toEqual([])
      const requests = [
        { method: 'POST', path: '/cms/v2/memos', body: { title: 'One', meta } },
        { method: 'POST', path: '/cms/v2/memos', body: { title: 'Two' } },
      ]
      const { responses } = (await ada('POST', '/batch/v1', { body: { requests } })).body
      expect(responses.map(({ status }: { status: number }) => status)).toEqual([400, 201])
    })
  })
})
