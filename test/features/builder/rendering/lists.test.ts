import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Storage } from '../../../../src/contract/storage.ts'
import { storeDocument, storeTemplate, widgetElement } from '../../../support/documents.ts'
import { createTestSite, type TestSite } from '../../../support/site.ts'

let site: TestSite
let storage: Storage

beforeAll(async () => {
  site = await createTestSite({
    storage: (opened) => {
      storage = opened
      return opened
    },
  })
})
afterAll(() => site.dispose())

const rendered = async (elements: unknown[], context: object = {}) => {
  const id = await storeDocument(site, elements, { title: 'Lists' })
  try {
    const result = await site.api.render.document(id, context)
    if (!result) throw new Error('the document was not rendered')
    return { ...result, css: result.css.map(({ css }) => css).join('\n'), id }
  } finally {
    await site.api.call('DELETE', `/cms/v2/posts/${id}`, { force: true }, { as: 'system' })
  }
}

/** The titles of each list, by the ids of their elements. */
async function titles(lists: { readonly [id: string]: object }, context: object = {}) {
  const own = { posts_exclude: ['manual_selection'] }
  const elements = Object.entries(lists).map(([id, settings]) =>
    widgetElement(id, 'posts', {
      posts_orderby: 'post_title',
      posts_order: 'asc',
      classic_posts_per_page: -1,
      ...own,
      ...settings,
    }),
  )
  const { html } = await rendered(elements, context)
  const parts = html.split(/data-id="/).slice(1)
  return Object.fromEntries(
    parts.map((part) => [
      part.slice(0, part.indexOf('"')),
      [...part.matchAll(/builder-post__title"><a[^>]*>([^<]*)</g)]
        .map(([, text]) => text)
        .filter((one) => one !== 'Lists'),
    ]),
  )
}
const ids = (...keys: string[]) => keys.map((key) => site.ids[key])

describe('queries', () => {
  test('terms stand for their descendants, and taxonomies are joined', async () => {
    const include = (...terms: string[]) => ({ posts_include: ['terms'], posts_include_term_ids: ids(...terms) })
    const found = await titles({
      news: include('category.news'),
      both: include('category.news', 'tag.green'),
      gone: { posts_include: ['terms'], posts_include_term_ids: [99_999] },
      unlisted: { posts_include_term_ids: ids('category.guides'), posts_include: [], posts_post_type: 'page' },
      not: { posts_exclude: ['terms'], posts_exclude_term_ids: ids('category.news', 'category.uncategorized') },
    })
    expect(found).toEqual({
      news: ['Reading the tide', 'The ferry is late'],
      both: ['Reading the tide'],
      unlisted: ['About', 'Front', 'Journal'],
      not: ['Knots'],
    })
  })

  test('authors, ids and other types', async () => {
    const found = await titles({
      by: { posts_include: ['authors'], posts_include_authors: ids('user.editor') },
      ids: { posts_post_type: 'by_id', posts_posts_ids: ids('post.knots', 'page.about', 'post.draft', 'post.private') },
      none: { posts_post_type: 'by_id', posts_posts_ids: [] },
      secret: { posts_post_type: 'builder_library' },
      away: { posts_post_type: 'current_query' },
    })
    expect(found).toEqual({ by: ['Built in the builder', 'Pinned notice'], ids: ['About', 'Knots'] })
  })

  test('dates are inclusive, and a list starts behind its offset', async () => {
    const found = await titles({
      days: { posts_select_date: 'exact', posts_date_after: '2024-01-12', posts_date_before: '2024-01-14' },
      rest: {
        posts_select_date: 'exact',
        posts_date_before: '2024-01-16',
        posts_offset: 2,
        posts_orderby: 'post_date',
      },
      new: { posts_select_date: 'quarter' },
    })
    expect(found['days']).toEqual(['Reading the tide', 'The ferry is late'])
    expect(found['rest']).toEqual(['The ferry is late', 'Reading the tide', 'Knots'])
    expect(found['new'] ?? []).toEqual([])
  })

  test('related posts share a term, and fall back when there are none', async () => {
    const related = { posts_post_type: 'related', posts_include: ['terms'] }
    const found = await titles(
      {
        red: { ...related, posts_related_taxonomies: ['post_tag'] },
        none: { ...related, posts_related_taxonomies: ['post_format'] },
        back: {
          ...related,
          posts_related_taxonomies: ['post_format'],
          posts_related_fallback: 'fallback_by_id',
          posts_fallback_ids: ids('post.knots'),
        },
      },
      { post: site.ids['post.ferry'] },
    )
    expect(found).toEqual({ red: ['Reading the tide'], back: ['Knots'] })
  })

  test('a list leaves out what an earlier one showed', async () => {
    const two = { classic_posts_per_page: 2, posts_post_type: 'page' }
    const found = await titles({ one: two, two: { ...two, posts_avoid_duplicates: 'yes' } })
    expect(found).toEqual({ one: ['About', 'Front'], two: ['Journal'] })
  })

  test('sticky posts come first on page one when they are not ignored', async () => {
    const sticky = { posts_ignore_sticky_posts: '', classic_posts_per_page: 1, posts_include: ['authors'] }
    const found = await titles({ a: { ...sticky, posts_include_authors: ids('user.editor', 'user.author2') } })
    expect(found).toEqual({ a: ['Pinned notice', 'Built in the builder'] })
  })

  test('the posts of an archive and of a search', async () => {
    const list = { a: { posts_post_type: 'current_query' } }
    const term = { templateContext: { archive: 'term', term: site.ids['category.news'] } }
    expect(await titles(list, term)).toEqual({ a: ['Reading the tide', 'The ferry is late'] })
    const search = { templateContext: { archive: 'search' }, url: 'https://quay.example/?s=ferry' }
    expect(await titles(list, search)).toEqual({ a: ['The ferry is late'] })
    const date = { templateContext: { archive: 'date' }, url: 'https://quay.example/2023/' }
    expect(await titles(list, date)).toEqual({ a: ['Pinned notice'] })
  })

  test('a random order stays for a day', async () => {
    const list = { a: { posts_orderby: 'rand' } }
    const at = (now: string) => titles(list, { now: Date.parse(now) })
    expect(await at('2024-06-15T08:00:00Z')).toEqual(await at('2024-06-15T18:00:00Z'))
    expect(await at('2024-06-15T08:00:00Z')).not.toEqual(await at('2024-06-16T08:00:00Z'))
  })

  test('protected posts are listed by their title alone', async () => {
    const { html } = await rendered([
      widgetElement('a', 'posts', { posts_post_type: 'by_id', posts_posts_ids: ids('post.locked') }),
    ])
    expect(html).toContain('Behind a password')
    expect(html).not.toContain('Hidden.')
  })
})

describe('pages of a list', () => {
  const list = (more: object) =>
    widgetElement('l1', 'posts', {
      posts_post_type: 'page',
      classic_posts_per_page: 1,
      posts_orderby: 'post_title',
      posts_order: 'asc',
      ...more,
    })

  test('numbers link to the address of the request with another page', async () => {
    const { html } = await rendered([list({ pagination_type: 'numbers_and_prev_next' })], {
      page: 2,
      url: 'https://quay.example/list/?a=1',
    })
    expect(html).toContain('<a class="page-numbers prev" href="https://quay.example/list/?a=1">')
    expect(html).toContain('<a class="page-numbers next" href="https://quay.example/list/?a=1&amp;page=3">')
    expect(html).toContain('<span aria-current="page" class="page-numbers current">')
    expect(html).toContain('>Front<')
    expect(html).not.toContain('>About<')
  })

  test('a list with pages of its own reads its own parameter', async () => {
    const paged = list({ pagination_type: 'load_more_on_click', pagination_individual_handle: 'yes' })
    const { html, dependencies } = await rendered([paged], { url: 'https://quay.example/?e-page-l1=2' })
    expect(html).toContain('>Front<')
    expect(html).toContain('data-page="2" data-max-page="3" data-next-page="https://quay.example/?e-page-l1=3"')
    expect(html).toContain('Load More')
    expect(dependencies).toContain('vary:request')
  })

  test('of two lists have a parameter for each of them', async () => {
    const other = { ...list({ pagination_type: 'numbers' }), id: 'l2' }
    const both = [list({ pagination_type: 'numbers' }), other]
    const { html } = await rendered(both, { url: 'https://quay.example/?e-page-l2=2&page=3' })
    const current = [...html.matchAll(/page-numbers current"><span[^>]*>Page<\/span>(\d)/g)].map(([, page]) => page)
    expect(current).toEqual(['1', '2'])
    expect(html).toContain('href="https://quay.example/?e-page-l2=2&amp;page=3&amp;e-page-l1=2"')
    const archive = { archive: 'term' as const, term: site.ids['category.news'] ?? 0 }
    const inArchive = await rendered([list({ pagination_type: 'numbers' })], { templateContext: archive, page: 2 })
    expect(inArchive.html).toContain('data-page="1"')
  })

  test('are those of the terms that a reader has chosen', async () => {
    const posts = (id: string) =>
      widgetElement(id, 'posts', { posts_post_type: 'post', classic_posts_per_page: 1, pagination_type: 'numbers' })
    const filter = (more: object = {}) =>
      widgetElement('f1', 'taxonomy-filter', { selected_element: 'l1', taxonomy: 'category', ...more })
    const titles = (html: string) => [...html.matchAll(/builder-post__title"><a[^>]*>([^<]*)/g)].map(([, text]) => text)
    const at = async (query: string, more?: object) => {
      const { html } = await rendered([filter(more), posts('l1'), posts('l2')], {
        url: `https://quay.example/?${query}`,
      })
      return html
    }
    const [all, filtered] = [await at(''), await at('e-filter-l1-category=guides&e-page-l1=1&x=1')]
    expect(titles(all)[0]).not.toBe(titles(filtered)[0])
    expect(titles(all)[1]).toBe(titles(filtered)[1])
    expect(all).toMatch(
      /<a class="e-filter-item" href="https:\/\/quay\.example\/" aria-current="true" data-term="">All</,
    )
    expect(filtered).toMatch(/href="https:\/\/quay\.example\/\?e-filter-l1-category=news&amp;x=1"[^>]*data-term="news"/)
    expect(filtered).toMatch(/aria-current="true" data-term="guides"/)
    expect(await at('e-filter-l1-category=unheard-of')).toContain('Nothing was found here.')
    expect(await at('e-filter-l1-secret=guides')).toContain('Nothing was found here.')
    expect(titles(await at('e-filter-l2-category=unheard-of'))).toHaveLength(2)
    const inArchive = await rendered([filter(), posts('l1')], {
      url: 'https://quay.example/category/news/page/2/?x=page/2?',
      ...{ templateContext: { archive: 'term' as const, term: site.ids['category.news'] ?? 0 }, page: 2 },
    })
    expect(inArchive.html).toMatch(/href="https:\/\/quay\.example\/category\/news\/\?x=page%2F2%3F"[^>]*>All</)
    const several = await at('e-filter-l1-category=guides', { multiple_selection: 'yes', logical_combination: 'AND' })
    expect(several).toContain('e-filter-l1-category=guides%2Bnews')
    for (const plus of ['+', '%2B']) {
      const marked = [...(await at(`e-filter-l1-category=guides${plus}news`)).matchAll(/"true" data-term="(\w*)"/g)]
      expect(marked.map(([, term]) => term)).toEqual(['guides', 'news'])
    }
  })

  test('are those of the term in the bar of a portfolio', async () => {
    const portfolio = widgetElement('l1', 'portfolio', { show_filter_bar: 'yes', taxonomy: 'category' })
    const at = async (query: string) => (await rendered([portfolio], { url: `https://quay.example/${query}` })).html
    const count = (html: string) => html.split('<article').length - 1
    const [all, some] = [await at(''), await at('?e-filter-l1-category=guides')]
    expect(all).toContain('href="https://quay.example/?e-filter-l1-category=guides"')
    expect(some).toMatch(/href="https:\/\/quay\.example\/" aria-current="true" data-term="guides"/)
    expect(count(some)).toBeLessThan(count(all))
    expect(await at('?e-filter-l1-category=unheard-of')).toMatch(/<nav class="e-filter".*Nothing was found here/)
  })

  test('archives have a path for each page, and without pagination there is one page', async () => {
    const templateContext = { archive: 'term', term: site.ids['category.news'] }
    const paged = list({ posts_post_type: 'current_query', pagination_type: 'prev_next' })
    expect((await rendered([paged], { templateContext })).html).toContain(
      'href="https://quay.example/category/news/page/2/"',
    )
    const { html } = await rendered([list({})], { page: 2 })
    expect(html).toContain('>About<')
    expect(html).not.toContain('page-numbers')
  })
})

describe('loops', () => {
  const template = (elements: unknown[]) =>
    storeTemplate(storage, 'loop-item', elements, { author: site.ids['user.admin'] ?? 0 })
  const postTitle = widgetElement('t1', 'theme-post-title', { header_size: 'h3' })
  const loop = (template_id: number, more: object = {}) =>
    widgetElement('g1', 'loop-grid', {
      template_id,
      post_query_post_type: 'by_id',
      post_query_posts_ids: ids('post.tide', 'post.knots', 'post.ferry'),
      post_query_orderby: 'post_title',
      post_query_order: 'asc',
      ...more,
    })

  test('each post has the template with itself as the current post', async () => {
    const id = await template([postTitle])
    const { html, dependencies } = await rendered([loop(id)])
    const tide = site.ids['post.tide']
    expect(html.match(/e-loop-item e-loop-item-/g)).toHaveLength(3)
    expect(html).toContain(
      `e-loop-item-${tide} post-${tide} type-post status-publish category-news-harbour category-guides`,
    )
    expect([...html.matchAll(/<h3[^>]*>([^<]*)/g)].map(([, text]) => text)).toEqual([
      'Knots',
      'Reading the tide',
      'The ferry is late',
    ])
    expect(dependencies).toEqual(expect.arrayContaining(['query:post', `post:${id}`, `post:${tide}`]))
  })

  test('alternates take their positions, and may be wider', async () => {
    const id = await template([postTitle])
    const other = await template([widgetElement('o1', 'heading', { title: 'Other' })])
    const { html, css } = await rendered([
      loop(id, {
        alternate_template: 'yes',
        alternate_templates: [{ template_id: other, repeat_template: 2, show_once: 'yes', column_span: '2' }],
      }),
    ])
    expect([...html.matchAll(/<h[23][^>]*>([^<]*)/g)].map(([, text]) => text)).toEqual([
      'Knots',
      'Other',
      'The ferry is late',
    ])
    expect(css).toContain(':nth-child(2){grid-column:span 2}')
  })

  test('loops within loops end, and a template does not loop over itself', async () => {
    const id = await template([postTitle, loop(999_999)])
    const { html, warnings } = await rendered([loop(id)])
    expect(html.match(/<h3/g)).toHaveLength(3)
    expect(warnings.map(({ code }) => code)).toEqual(['missing_reference'])
  })

  test('a carousel has its items as slides', async () => {
    const id = await template([postTitle])
    const { html, behaviours } = await rendered([{ ...loop(id), widgetType: 'loop-carousel' }])
    expect(html.match(/ swiper-slide" role="group" aria-roledescription="slide"/g)).toHaveLength(3)
    expect(behaviours).toEqual(['carousel'])
  })

  test('dynamic values of an item have a rule for each post', async () => {
    const id = await template([
      widgetElement('t2', 'heading', {
        title: 'x',
        _background_background: 'classic',
        _background_color: '#010203',
        __dynamic__: { _background_image: '[builder-tag name="post-featured-image" settings=""]' },
      }),
    ])
    const { css } = await rendered([loop(id)])
    expect(css.match(/#010203/g)).toHaveLength(1)
    expect(css).toMatch(
      new RegExp(`\\.e-loop-item-${site.ids['post.tide']} [^{]*builder-element-t2\\{background-image:url`),
    )
  })
})
