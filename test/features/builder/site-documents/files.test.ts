import { expect, test } from 'vitest'
import { recorded } from '../../../support/spied-storage.ts'
import { instanceOf } from './elements.ts'
import { atomic, errorOf, heading, openSite, root, shown } from './fixture.ts'

/** The JSON text of display conditions, as the page builder stores it. */
const conditionsOn = (ids: { readonly [reference: string]: number }) =>
  JSON.stringify([
    [
      {
        condition: 'in_categories',
        comparator: 'is_one_of',
        categories: [{ id: String(ids['category.news']), text: 'News' }],
      },
      { condition: 'post_author', comparator: 'is', authors: [ids['user.editor']] },
    ],
    [{ condition: 'page_parent', comparator: 'is', parents: { id: ids['post.ferry'] } }],
  ])

/** A page whose elements name rows of each kind, in each form in which ids are stored. */
async function openLinked() {
  const site = await openSite()
  const { ids } = site
  const [card, top] = [await site.component('Card'), await site.template('Top')]
  const tag = encodeURIComponent(JSON.stringify({ type: 'post', post_id: String(ids['post.ferry']) }))
  const settings = {
    image: { id: ids['media.pier'], url: 'https://quay.example/pier.jpg' },
    gallery: [{ id: String(ids['media.pier']), url: 'x' }],
    template_id: String(top),
    posts_posts_ids: [String(ids['post.tide']), ids['post.knots']],
    posts_include_term_ids: [ids['category.news']],
    post_query_exclude_authors: [String(ids['user.editor'])],
    text: `See [builder-template id="${top}"] and [gallery ids="${ids['media.pier']},99999"].`,
    __dynamic__: { link: `[builder-tag id="a" name="internal-url" settings="${tag}"]` },
    count: ids['post.ferry'],
    e_display_conditions: [conditionsOn(ids)],
  }
  const elements = [heading('Linked', { settings }), instanceOf(card)]
  const page = `${root}/${ids['page.about']}`
  const body = { elements, settings: { background_image: { id: ids['media.pier'], url: 'y' } } }
  expect((await site.ada('POST', page, { body })).status).toBe(200)
  return { ...site, page, elements, card, top }
}

test('an exported page has references in place of the ids of rows', async () => {
  const { ada, page, ids } = await openLinked()
  const { body, headers } = await ada('GET', `${page}/export`)
  expect(headers.get('content-disposition')).toMatch(/^attachment; filename="document-\d+\.json"$/)
  expect(body).toMatchObject({ format: 'site-api/document', key: 'page.about', kind: 'page', slug: 'about' })
  const [{ settings }, instance] = body.elements
  expect(settings).toEqual({
    image: { id: { $ref: 'media.pier' }, url: 'https://quay.example/pier.jpg' },
    gallery: [{ id: { $ref: 'media.pier', text: true }, url: 'x' }],
    template_id: { $ref: 'template.top', text: true },
    posts_posts_ids: [{ $ref: 'post.tide', text: true }, { $ref: 'post.knots' }],
    posts_include_term_ids: [{ $ref: 'term.category.news' }],
    post_query_exclude_authors: [{ $ref: 'user.edith-editor', text: true }],
    // An id of nothing would name something else on another site.
    text: 'See [builder-template id="ref:template.top"] and [gallery ids="ref:media.pier,0"].',
    __dynamic__: { link: expect.stringContaining(encodeURIComponent('{"$ref":"post.ferry","text":true}')) },
    count: ids['post.ferry'],
    e_display_conditions: [expect.any(String)],
  })
  expect(JSON.parse(settings.e_display_conditions[0])).toEqual([
    [
      {
        ...{ condition: 'in_categories', comparator: 'is_one_of' },
        categories: [{ id: { $ref: 'term.category.news', text: true }, text: 'News' }],
      },
      { condition: 'post_author', comparator: 'is', authors: [{ $ref: 'user.edith-editor' }] },
    ],
    [{ condition: 'page_parent', comparator: 'is', parents: { id: { $ref: 'post.ferry' } } }],
  ])
  expect(instance.settings.component_instance.value.component_id).toEqual({
    $$type: 'number',
    value: { $ref: 'component.uid-Card' },
  })
  expect(body.settings.background_image.id).toEqual({ $ref: 'media.pier' })
})

test('an import leads references to the rows of the site, and an export of it is equal', async () => {
  const { ada, page, elements } = await openLinked()
  const { body: file } = await ada('GET', `${page}/export`)
  const { status, body } = await ada('POST', `${root}/import`, { body: { documents: [file] } })
  expect([status, body.unresolved]).toEqual([201, []])
  const [made] = body.documents
  const text = elements[0] as unknown as { readonly settings: { readonly text: string } }
  const expected = structuredClone(elements) as typeof elements
  Object.assign(expected[0] as object, {
    settings: { ...text.settings, text: text.settings.text.replace('99999', '0') },
  })
  expect(made).toMatchObject({ kind: 'page', status: 'draft', title: 'About', elements: expected })
  const again = await ada('GET', `${root}/${made.id}/export`)
  expect({ ...again.body, key: file.key, slug: file.slug }).toEqual(file)
})

test('documents of one archive keep their references to each other on a site that has neither', async () => {
  const from = await openLinked()
  const ids = [from.ids['page.about'], from.card, from.top].join()
  const exported = await from.documents.exportZip([from.ids['page.about'] as number, from.card, from.top])
  const response = await from.api.fetch(
    new Request(`https://quay.example${from.api.root}${root}/export?ids=${ids}`, {
      headers: { authorization: `Basic ${btoa(`ada:${'adax 1a2B 3c4D 5e6F 7g8H 9i0J'}`)}` },
    }),
  )
  expect(response.headers.get('content-type')).toBe('application/zip')
  expect(new Uint8Array(await response.arrayBuffer())).toEqual(exported)

  const to = await openSite()
  const { documents, unresolved } = await to.documents.import(exported)
  expect(unresolved).toEqual([])
  const [page, card, top] = documents
  expect(documents.map(({ kind, title }) => [kind, title])).toEqual([
    ['page', 'About'],
    ['component', 'Card'],
    ['template', 'Top'],
  ])
  expect(await to.documents.usedBy(card?.id ?? 0)).toMatchObject([{ id: page?.id }])
  expect(await to.documents.usedBy(top?.id ?? 0)).toMatchObject([{ id: page?.id }])
  const again = await to.documents.export(documents.map(({ id }) => id))
  const files = await from.documents.export([from.ids['page.about'] as number, from.card, from.top])
  const sameKeys = (file: (typeof files)[number]) => ({ ...file, slug: '', key: '' })
  expect(again.map(sameKeys)).toEqual(files.map(sameKeys))
})

test('documents that name each other are imported together, and what is nowhere is listed', async () => {
  const { documents } = await openSite()
  const file = (key: string, other: string) => ({
    ...{ format: 'site-api/document', version: 1, key, kind: 'template', type: 'header', title: key },
    elements: [heading(key, { settings: { title: key, template_id: { $ref: other } } })],
  })
  const files = [
    file('template.a', 'template.b'),
    file('template.b', 'template.a'),
    file('template.c', 'template.gone'),
  ]
  const { documents: made, unresolved } = await documents.import(files)
  expect(unresolved).toEqual(['template.gone'])
  const [a, b, c] = made.map(({ elements }) => (elements[0] as ReturnType<typeof heading>).settings)
  const named = [a, b, c].map((settings) => (settings as unknown as { readonly template_id: number }).template_id)
  expect(named).toEqual([made[1]?.id, made[0]?.id, 0])
})

test('a component that is imported where it is has a uid and a title of its own', async () => {
  const { documents, component } = await openSite()
  const id = await component('Card')
  const [file] = await documents.export([id])
  expect(file).toMatchObject({ key: 'component.uid-Card', uid: 'uid-Card' })
  const { documents: made } = await documents.import([file])
  expect(made).toMatchObject([{ kind: 'component', title: 'Card 2', elements: [atomic('Card')] }])
  const [again] = await documents.export([made[0]?.id ?? 0])
  expect(again?.uid).not.toBe('uid-Card')
})

test('who may not read a document exports neither it nor its name', async () => {
  const { ada, as, ids, page } = await openLinked()
  expect((await as('arthur')('GET', `${page}/export`)).status).toBe(403)
  expect((await as('arthur')('GET', `${root}/export`, { query: `ids=${ids['page.about']}` })).status).toBe(403)
  const post = `${root}/${ids['post.ferry']}`
  await ada('POST', post, { body: { elements: [heading('x', { template_id: ids['post.private-editor'] })] } })
  expect((await as('arthur')('GET', `${post}/export`)).body.elements[0].template_id).toBe(0)
  expect((await ada('GET', `${post}/export`)).body.elements[0].template_id).toEqual({ $ref: 'post.private-editor' })
})

test('an import writes by the rights of its caller', async () => {
  const { as, documents, ids } = await openSite()
  const [file] = await documents.export([ids['post.ferry'] as number])
  const script = { ...file, elements: [heading('<b>x</b><script>y</script>')] }
  const { body } = await as('arthur')('POST', `${root}/import`, { body: { documents: [script] } })
  expect(body.documents[0]).toMatchObject({ author: ids['user.author'], status: 'draft' })
  expect(shown(body.documents[0].elements)[0]).not.toContain('script')
  const page = { ...file, kind: 'page', key: 'page.a' }
  const refused = await as('arthur')('POST', `${root}/import`, { body: { documents: [file, page] } })
  expect(errorOf(refused)).toEqual([403, 'rest_cannot_create'])
})

const good = { format: 'site-api/document', version: 1, key: 'post.a', kind: 'post' }
test.each([
  [{}, 'rest_missing_callback_param'],
  [{ documents: [] }, 'rest_invalid_param'],
  [{ documents: 'x' }, 'rest_invalid_param'],
  [{ documents: [{ ...good, format: 'other' }] }, 'invalid_document_file'],
  [{ documents: [{ ...good, version: 2 }] }, 'invalid_document_file'],
  [{ documents: [{ ...good, key: 'a b' }] }, 'invalid_document_file'],
  [{ documents: [{ ...good, kind: 'kite' }] }, 'invalid_document_file'],
  [{ documents: [{ ...good, title: [] }] }, 'invalid_document_file'],
  [{ documents: [{ ...good, elements: ['x'] }] }, 'invalid_document_file'],
  [{ documents: [{ ...good, settings: 'x' }] }, 'invalid_document_file'],
  [{ documents: [good, good] }, 'repeated_document'],
])('an import of %j is refused and creates nothing', async (body, code) => {
  const { ada } = await openSite()
  const count = async () => (await ada('GET', root, { query: 'kind=post&per_page=1' })).headers.get('x-cms-total')
  const before = await count()
  expect(errorOf(await ada('POST', `${root}/import`, { body }))).toEqual([400, code])
  expect(await count()).toBe(before)
})

test('an archive that is none is refused', async () => {
  const { ada } = await openSite()
  const headers = { 'content-type': 'application/zip' }
  const refused = await ada('POST', `${root}/import`, { body: 'PK nothing', headers })
  expect(errorOf(refused)).toEqual([400, 'invalid_document_file'])
})

test('an export of many documents costs the same number of storage calls as one of two', async () => {
  const { calls, wrap } = recorded()
  const { ada, documents, ids } = await openSite({ storage: wrap as never })
  const pages = ['page.about', 'page.front', 'page.journal', 'post.ferry', 'post.tide', 'post.knots']
  for (const key of pages) {
    await ada('POST', `${root}/${ids[key]}`, { body: { elements: [heading(key, { template_id: ids['post.hello'] })] } })
  }
  const cost = async (count: number) => {
    calls.length = 0
    await documents.export(pages.slice(0, count).map((key) => ids[key] as number))
    return calls.length
  }
  // The settings of the site are read once.
  await cost(1)
  const two = await cost(2)
  expect([two > 0, await cost(6)]).toEqual([true, two])
})

test('an unknown document in an export of several is 404', async () => {
  const { ada, ids } = await openSite()
  const missing = await ada('GET', `${root}/export`, { query: `ids=${ids['page.about']},99999` })
  expect(errorOf(missing)).toEqual([404, 'document_not_found'])
})
