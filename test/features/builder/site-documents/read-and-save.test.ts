import { expect, test } from 'vitest'
import { errorOf, heading, openSite, root, shown } from './fixture.ts'

test('each kind is listed by itself, the last change first', async () => {
  const { ada, ids, component, template, clock } = await openSite()
  const card = await component()
  const top = await template('Top')
  const list = async (kind: string) => (await ada('GET', root, { query: { kind, per_page: 100 } })).body
  expect(await list('component')).toMatchObject([{ id: card, kind: 'component', title: 'Card', status: 'publish' }])
  expect(await list('template')).toMatchObject([{ id: top, kind: 'template', type: 'header', is_built: true }])
  expect((await list('page')).map(({ id }: { id: number }) => id).toSorted()).toEqual(
    [ids['page.front'], ids['page.journal'], ids['page.about']].toSorted(),
  )
  clock.now += 1000
  await ada('POST', `${root}/${ids['page.about']}`, { body: { elements: [heading('About')] } })
  const [first] = await list('page')
  expect(first).toMatchObject({ id: ids['page.about'], is_built: true })
})

test('a list is paged and counts what the caller may edit', async () => {
  const { as, ids } = await openSite()
  const { body, headers } = await as('connie')('GET', root, { query: { kind: 'post', per_page: 100 } })
  expect(body.map(({ author }: { author: number }) => author)).toEqual(body.map(() => ids['user.contributor']))
  expect(body.map(({ id }: { id: number }) => id)).toContain(ids['post.draft-connie'])
  expect(headers.get('x-cms-total')).toBe(String(body.length))
  const all = await as('edith')('GET', root, { query: { kind: 'post', per_page: 1, page: 2 } })
  expect(all.body).toHaveLength(1)
  expect(Number(all.headers.get('x-cms-total'))).toBeGreaterThan(10)
})

test('a saved document is read with its elements and settings, has a revision, and shows on its page', async () => {
  const { ada, ids } = await openSite()
  const path = `${root}/${ids['page.about']}`
  const body = { title: 'Who we are', elements: [heading('Hello there')], settings: { hide_title: 'yes' } }
  const saved = await ada('POST', path, { body })
  expect([saved.status, saved.body]).toEqual([200, expect.objectContaining({ ...body, draft: null, is_built: true })])
  const read = await ada('GET', path)
  expect(read.body).toEqual(saved.body)
  expect(read.headers.get('etag')).toBeTruthy()
  const page = await ada('GET', `/cms/v2/pages/${ids['page.about']}`)
  expect(page.body.content.rendered).toContain('Hello there')
  const revisions = await ada('GET', `/cms/v2/pages/${ids['page.about']}/revisions`)
  expect(revisions.body[0].title.rendered).toBe('Who we are')
})

test.each(['component', 'template'] as const)('a %s is read and saved like a page', async (kind) => {
  const site = await openSite()
  const id = await site[kind]('Wall')
  const path = `${root}/${id}`
  const { body } = await site.ada('GET', path)
  expect(body).toMatchObject({ id, kind, title: 'Wall', elements: [{ elType: 'widget' }] })
  const elements = [{ ...body.elements[0], id: '7777777' }]
  expect((await site.ada('POST', path, { body: { elements } })).body.elements).toEqual(elements)
  expect((await site.ada('GET', path)).body).toMatchObject({ elements, status: 'publish' })
})

test('a save with the tag of an older state is refused, and changes nothing', async () => {
  const { ada, ids, documents } = await openSite()
  const id = ids['post.built'] as number
  const path = `${root}/${id}`
  const tag = (await ada('GET', path)).headers.get('etag') ?? ''
  const first = await ada('POST', path, { body: { elements: [heading('One')] }, headers: { 'if-match': tag } })
  expect(first.status).toBe(200)
  const late = await ada('POST', path, { body: { elements: [heading('Two')] }, headers: { 'if-match': tag } })
  expect(errorOf(late)).toEqual([412, 'rest_precondition_failed'])
  await expect(documents.save(id, { title: 'Late' }, { ifMatch: tag })).rejects.toMatchObject({ status: 412 })
  const { elements, tag: current, title } = await documents.read(id)
  expect([shown(elements as never), title]).toEqual([['One'], 'Built in the builder'])
  const next = await ada('POST', path, { body: { title: 'Next' }, headers: { 'if-match': current } })
  expect(next.body.title).toBe('Next')
  expect(next.headers.get('etag')).not.toBe(current)
})

test('a read with the tag that was read is 304', async () => {
  const { ada, ids } = await openSite()
  const path = `${root}/${ids['page.about']}`
  const tag = (await ada('GET', path)).headers.get('etag') ?? ''
  expect((await ada('GET', path, { headers: { 'if-none-match': tag } })).status).toBe(304)
  await ada('POST', `${path}/autosave`, { body: { elements: [heading('Draft')] } })
  expect((await ada('GET', path, { headers: { 'if-none-match': tag } })).status).toBe(200)
})

test('an author without unfiltered HTML stores no script', async () => {
  const { as, ids } = await openSite()
  const elements = [heading('<b>Bold</b><script>alert(1)</script>')]
  const settings = { custom: '<img src=x onerror=alert(1)>' }
  const { body } = await as('arthur')('POST', `${root}/${ids['post.ferry']}`, { body: { elements, settings } })
  expect(JSON.stringify(body)).toContain('<b>Bold</b>')
  expect(JSON.stringify(body)).not.toMatch(/<script|onerror/)
})

test('ids that name no document are 404, and bad input is 400 with a code', async () => {
  const { ada, ids } = await openSite()
  for (const id of [99999, ids['media.pier'] as number]) {
    expect(errorOf(await ada('GET', `${root}/${id}`))).toEqual([404, 'document_not_found'])
  }
  const path = `${root}/${ids['page.about']}`
  for (const body of [{ elements: 'x' }, { elements: [1] }, { settings: 5 }, { status: 'new' }, { title: {} }]) {
    expect(errorOf(await ada('POST', path, { body }))).toEqual([400, 'rest_invalid_param'])
  }
  expect(errorOf(await ada('GET', root))).toEqual([400, 'rest_missing_callback_param'])
  expect(errorOf(await ada('GET', root, { query: { kind: 'kite' } }))).toEqual([400, 'rest_invalid_param'])
})

test('publishing needs the right to publish', async () => {
  const { as, ids } = await openSite()
  const path = `${root}/${ids['post.draft-connie']}`
  expect((await as('connie')('POST', path, { body: { elements: [heading('Mine')] } })).status).toBe(200)
  expect((await as('connie')('POST', path, { body: { status: 'publish' } })).status).toBe(403)
  expect((await as('connie')('POST', `${path}/publish`)).status).toBe(403)
  expect((await as('edith')('POST', `${path}/publish`)).body).toMatchObject({ status: 'publish' })
})
