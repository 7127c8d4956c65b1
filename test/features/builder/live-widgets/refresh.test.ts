import { describe, expect, test } from 'vitest'
import { containerElement, storeDocument, storeTemplate, widgetElement } from '../../../support/documents.ts'
import type { Requester } from '../../../support/site.ts'
import { blamed, listed, openSite, refusalOf, root } from './fixture.ts'

const filter = (terms: unknown, logicalJoin = 'OR', taxonomy = 'category') => ({
  widget_filters: { taxonomy: { [taxonomy]: { terms, logicalJoin } } },
})

test('a loop without a template lists published posts as articles, newest first', async () => {
  const { loop } = await openSite()
  const { status, body } = await loop()
  expect([status, Object.keys(body), listed(body.data)]).toEqual([200, ['data'], ['built', 'wide', 'locked']])
  expect(body.data).toMatch(/^<div data-id="loop001"><div class="builder-posts-container.*<article .*<\/div>$/s)
  expect([body.data.includes('Plain words of wide'), body.data.includes('Hidden.')]).toEqual([true, false])
})

describe('a loop with a template', () => {
  const settings = (template: number) => ({
    ...{ template_id: template, posts_per_page: 2, post_query_orderby: 'post_title', post_query_order: 'asc' },
    ...{ pagination_type: 'numbers', pagination_individual_handle: 'yes' },
  })

  async function openLoop() {
    const site = await openSite()
    const title = '[builder-tag id="t" name="post-title" settings=""]'
    const item = [widgetElement('item001', 'heading', { __dynamic__: { title } })]
    const author = site.ids['user.admin'] ?? 0
    const template = await storeTemplate(site.storage, 'loop-item', item, { author })
    const grid = widgetElement('looppgs', 'loop-grid', settings(template))
    const search = widgetElement('search2', 'search', { template_id: template, number_of_items: 1 })
    const doc = await storeDocument(site, [containerElement('c0ntain', {}, [grid, search])])
    const titles = (html: string) => [...html.matchAll(/<h2[^>]*>([^<]+)<\/h2>/g)].map(([, text]) => text)
    return { ...site, doc, template, titles }
  }

  test('is drawn as on the page, with the links to its pages', async () => {
    const { loop, api, doc, titles } = await openLoop()
    const url = 'https://quay.example/journal/?a=%22x%22&b=1'
    const { body } = await loop({ post_id: doc, widget_id: 'looppgs', pagination_base_url: url })
    expect(titles(body.data)).toEqual(['A built post', 'Behind a password'])
    const page = await api.render.document(doc, { url, templateContext: { post: doc } })
    expect(page?.html).toContain(body.data)
    expect(body.data).toContain('href="https://quay.example/journal/?a=%22x%22&amp;b=1&amp;e-page-looppgs=2"')
  })

  test('is filtered, and shows another page', async () => {
    const { loop, visitor, doc, titles } = await openLoop()
    const filtered = await loop({ post_id: doc, widget_id: 'looppgs', ...filter(['guides']) })
    expect(titles(filtered.body.data)).toHaveLength(2)
    expect(filtered.body.data).not.toContain('<nav')
    const query = { post_id: doc, element_id: 'looppgs', page: 2 }
    const second = await visitor('GET', `${root}/posts-widget`, { query })
    expect(titles(second.body.content)).toHaveLength(2)
    expect(titles(second.body.content)).not.toContain('A built post')
    const none = await loop({ post_id: doc, widget_id: 'looppgs', ...filter(['unheard-of']) })
    expect(none.body).toEqual({ data: '' })
  })

  test('is any page of its list, with the rules of its entries where they are wanted', async () => {
    const { loop, search, doc, titles } = await openLoop()
    const ask = { post_id: doc, widget_id: 'looppgs' }
    const [first, second] = [await loop(ask), await loop({ ...ask, page_number: 2 })]
    expect(titles(second.body.data)).toHaveLength(2)
    expect(titles(second.body.data)).not.toEqual(titles(first.body.data))
    expect(second.body.data).toContain('data-page="2"')
    expect(refusalOf(await loop({ ...ask, page_number: 0 }))).toEqual([400, 'rest_invalid_param'])
    const found = await search({ post_id: doc, widget_id: 'search2', search_term: 'plain words', with_css: true })
    expect(found.body.css).toContain('.builder-widget-heading')
    expect(found.body.css).not.toContain('--e-global-color-primary:')
  })

  test('shows the results of a search in its template', async () => {
    const { search, doc, titles } = await openLoop()
    const { body } = await search({ post_id: doc, widget_id: 'search2', search_term: 'plain words' })
    expect(titles(body.data)).toHaveLength(1)
    expect(body.data).toMatch(/^<div class="builder-loop-container/)
    expect(body.pagination).toContain('href="https://quay.example/page/2/?s=plain+words"')
  })

  test('answers the links of a search apart from its list, which may have lists of its own, and draws them once', async () => {
    const site = await openSite()
    const title = '[builder-tag id="t" name="post-title" settings=""]'
    const inner = { posts_per_page: 1, pagination_type: 'numbers', pagination_individual_handle: 'yes' }
    const item = [
      widgetElement('item001', 'heading', { __dynamic__: { title } }),
      widgetElement('inner01', 'posts', { ...inner, classic_posts_per_page: 1 }),
    ]
    const template = await storeTemplate(site.storage, 'loop-item', item, { author: site.ids['user.admin'] ?? 0 })
    const search = widgetElement('search3', 'search', { template_id: template, number_of_items: 1 })
    const doc = await storeDocument(site, [search])
    const ask = (search_term: string) => site.search({ post_id: doc, widget_id: 'search3', search_term })
    const several = (await ask('plain words')).body
    expect(several.pagination).toMatch(/^<div class="e-load-more-anchor"[^>]*><\/div><nav .*\/page\/2\/.*<\/nav>$/s)
    expect(several.pagination).not.toContain('e-page-inner01')
    expect(several.data).toContain('e-page-inner01')
    expect(several.data).toMatch(/^<div class="builder-loop-container.*<\/div>$/s)
    expect(several.data).not.toContain('/page/2/')
    const one = (await ask('tide')).body
    expect(one.pagination).toBe('')
    expect(one.data).toContain('e-page-inner01')
  })

  test('shows an unsaved widget by the rights of its editor', async () => {
    const site = await openSite()
    const doc = await storeDocument(site, [widgetElement('head002', 'heading', { title: 'x' })], { author: 'author' })
    const model = widgetElement('newone1', 'html', { html: '<script>go()</script>' })
    for (const [login, isKept] of [
      ['ada', true],
      ['arthur', false],
    ] as const) {
      const request = { post_id: doc, widget_id: 'newone1', widget_model: model }
      const { status, body } = await site.loop(request, site.as(login))
      expect([login, status, body.data.includes('<script>')]).toEqual([login, 200, isKept])
    }
  })
})

test('filters a loop by terms', async () => {
  const { loop } = await openSite()
  const filtered = async (more: object) => listed((await loop(more)).body.data)
  expect(await filtered(filter(['guides']))).toEqual(['knots', 'tide'])
  expect(await filtered(filter(['news']))).toEqual(['tide', 'ferry'])
  expect(await filtered(filter(['news', 'guides']))).toEqual(['knots', 'tide', 'ferry'])
  expect(await filtered(filter(['news-harbour', 'guides'], 'AND'))).toEqual(['tide'])
  expect(await filtered(filter(['guides'], 'DISABLED'))).toEqual(['knots', 'tide'])
  expect(await filtered(filter(['guides', 'unheard-of'], 'AND'))).toEqual([])
  expect(await filtered(filter(['guides', 'unheard-of']))).toEqual(['knots', 'tide'])
  expect((await loop(filter(['unheard-of']))).body).toEqual({ data: '' })
  expect(await filtered(filter(['x'], 'OR', 'unheard_of'))).toEqual([])
  expect(await filtered(filter(['', 'guides']))).toHaveLength(3)
  expect(await filtered(filter([]))).toHaveLength(3)
  expect(await filtered({ widget_filters: { taxonomy: [] } })).toHaveLength(3)
  const both = { category: { terms: ['guides'] }, post_tag: { terms: ['red'] } }
  expect(await filtered({ widget_filters: { taxonomy: both } })).toEqual(['tide'])
})

test('links a page below its parents, and the front page to the site URL', async () => {
  const { search } = await openSite()
  expect(listed((await search({ search_term: 'about' })).body.data)).toEqual(['front/about'])
  expect((await search({ search_term: 'front' })).body.data).toContain('<a href="https://quay.example/">Front</a>')
})

test('a search finds published posts and pages without a password', async () => {
  const { search } = await openSite()
  const first = await search({ search_term: 'plain words' })
  expect([first.status, Object.keys(first.body)]).toEqual([200, ['data', 'pagination']])
  expect(listed(first.body.data)).toHaveLength(2)
  expect(first.body.data).toMatch(/^<div data-id="search1">/)
  expect(first.body.pagination).toContain('href="https://quay.example/page/2/?s=plain+words"')
  const second = await search({ search_term: 'plain words', page_number: 2 })
  expect(listed(second.body.data)).toHaveLength(2)
  expect(second.body.data).not.toBe(first.body.data)
  expect(second.body.pagination).toMatch(/<span aria-current="page"[^>]*>.*2<\/span>/)
  expect(listed((await search({ search_term: 'tide' })).body.data)).toEqual(['tide'])
  for (const term of ['', 'hidden', 'sesame', '%', 'unheard of']) {
    expect([term, (await search({ search_term: term })).body]).toEqual([term, { data: '', pagination: '' }])
  }
  expect((await search()).body).toEqual({ data: '', pagination: '' })
  expect((await search({ search_term: 'tide', page_number: 9 })).body.data).toBe('')
  const attack = await search({ search_term: 'words "><script>alert(1)</script>' })
  expect(attack.body.pagination).not.toContain('<script')
})

test('renders an unsaved widget for an editor of the document', async () => {
  const { loop, search, as, doc } = await openSite()
  const model = { id: 'loop001', elType: 'widget', settings: { posts_per_page: 1 } }
  const shown = await loop({ widget_model: model }, as('arthur'))
  expect(listed(shown.body.data)).toEqual(['built'])
  const unsaved = await loop({ widget_id: 'newone1', widget_model: { ...model, id: 'newone1' } }, as('edith'))
  expect([unsaved.status, listed(unsaved.body.data)]).toEqual([200, ['built']])
  const response = await search({ widget_model: { ...model, id: 'search1' }, search_term: 'words' }, as('ada'))
  expect(listed(response.body.data)).toHaveLength(1)
  expect(refusalOf(await loop({ widget_id: 'newone1' }, as('ada')))).toEqual([404, 'Element_not_exist'])
  for (const [send, more] of [
    [loop, { widget_model: model }],
    [search, { widget_model: model }],
  ] as const) {
    for (const login of [null, 'sam', 'connie', 'aiko']) {
      const received = await send(more, as(login))
      expect([login, ...blamed(received)]).toEqual([login, 400, 'rest_invalid_param', ['widget_model']])
    }
  }
  for (const wrong of [{}, { id: 5, settings: {} }, { id: 'x' }, { id: 'x', settings: [] }, 'x']) {
    expect(blamed(await loop({ widget_model: wrong, post_id: doc }, as('ada')))[0]).toBe(400)
  }
})

test('only editors refresh widgets of other types or of private documents', async () => {
  const { loop, search, as, ids, visitor } = await openSite()
  const sketch = { post_id: ids['post.sketch'] }
  const cases: [typeof loop, object, readonly (string | null)[]][] = [
    [loop, {}, [null, 'sam', 'connie', 'arthur', 'aiko', 'edith', 'ada']],
    [search, {}, [null, 'sam', 'connie', 'arthur', 'aiko', 'edith', 'ada']],
    [loop, sketch, ['arthur', 'edith', 'ada']],
    [search, sketch, ['arthur', 'edith', 'ada']],
    [loop, { post_id: ids['post.hidden'] }, ['arthur', 'edith', 'ada']],
    [loop, { widget_id: 'search1' }, ['arthur', 'edith', 'ada']],
    [search, { widget_id: 'loop001' }, ['arthur', 'edith', 'ada']],
    [loop, { post_id: ids['post.hello'] }, []],
    [loop, { post_id: ids['post.binned'] }, []],
    [loop, { post_id: 999_999 }, []],
  ]
  const logins: readonly (string | null)[] = [null, 'sam', 'connie', 'arthur', 'aiko', 'edith', 'ada']
  for (const [send, more, may] of cases) {
    for (const login of logins) {
      const received = await send(more, login === null ? visitor : as(login))
      const expected = may.includes(login) ? [200, undefined] : [login === null ? 401 : 403, 'rest_forbidden']
      expect([more, login, ...refusalOf(received)]).toEqual([more, login, ...expected])
    }
  }
})

test('checks arguments before permissions', async () => {
  const { loop, search } = await openSite()
  const wrong: [typeof loop, object, string][] = [
    [loop, { post_id: 0 }, 'post_id'],
    [loop, { post_id: 'x' }, 'post_id'],
    [loop, { widget_id: 'short' }, 'widget_id'],
    [loop, { widget_id: 'toolong1' }, 'widget_id'],
    [loop, { widget_id: 'a-b-c-d' }, 'widget_id'],
    [loop, { widget_filters: 'x' }, 'widget_filters'],
    [loop, { widget_filters: { taxonomy: 'x' } }, 'widget_filters'],
    [loop, { widget_filters: { taxonomy: { category: 'x' } } }, 'widget_filters'],
    [loop, filter('x'), 'widget_filters'],
    [loop, filter([5]), 'widget_filters'],
    [loop, filter(['x'], 'XOR'), 'widget_filters'],
    [loop, filter(Array(101).fill('x')), 'widget_filters'],
    [loop, { pagination_base_url: '/journal' }, 'pagination_base_url'],
    [loop, { pagination_base_url: 'javascript:alert(1)' }, 'pagination_base_url'],
    [loop, { pagination_base_url: 5 }, 'pagination_base_url'],
    [search, { widget_id: 'x' }, 'widget_id'],
    [search, { page_number: 0 }, 'page_number'],
    [search, { search_term: 'x'.repeat(1001) }, 'search_term'],
  ]
  for (const [send, more, name] of wrong) {
    expect([more, ...blamed(await send(more))]).toEqual([more, 400, 'rest_invalid_param', [name]])
  }
})

test('renders a requested page of a post list', async () => {
  const { visitor, as, ids, doc } = await openSite()
  const ask = (query: { [name: string]: string | number }, send: Requester = visitor) =>
    send('GET', `${root}/posts-widget`, { query: { post_id: doc, element_id: 'posts01', ...query } })
  const first = await ask({})
  expect([first.status, Object.keys(first.body), listed(first.body.content)]).toEqual([
    ...[200, ['content']],
    ['locked', 'built', 'grid', 'hello'].sort((a, b) => titles[a as 'grid'].localeCompare(titles[b as 'grid'])),
  ])
  expect(listed((await ask({ page: 2 })).body.content)).toHaveLength(4)
  expect((await ask({ page: 99 })).body).toEqual({ content: '' })
  expect((await ask({ element_id: 'head001' })).body).toEqual({
    content: '<h2 class="builder-heading-title builder-size-default">Hello</h2>',
  })
  expect(refusalOf(await ask({ element_id: 'nothere' }))).toEqual([404, 'Element_not_exist'])
  for (const key of ['post.hello', 'post.sketch', 'post.hidden', 'post.binned']) {
    expect([key, ...refusalOf(await ask({ post_id: ids[key] as number }))]).toEqual([key, 404, 'document_not_exist'])
  }
  expect(refusalOf(await visitor('GET', `${root}/posts-widget`))).toEqual([404, 'document_not_exist'])
  expect((await ask({ post_id: ids['post.sketch'] as number }, as('arthur'))).status).toBe(200)
  expect((await ask({ post_id: ids['post.hidden'] as number }, as('edith'))).status).toBe(200)
  expect((await ask({ post_id: ids['post.hidden'] as number }, as('aiko'))).status).toBe(404)
  expect(blamed(await ask({ page: 0 }))).toEqual([400, 'rest_invalid_param', ['page']])
})

const titles = { locked: 'Behind a password', built: 'Built in the builder', grid: 'grid', hello: 'Hello quay' }
