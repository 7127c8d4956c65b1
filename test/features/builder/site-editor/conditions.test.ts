import { expect, test } from 'vitest'
import {
  conditionKinds,
  parseCondition,
  priorityOf,
} from '../../../../src/features/shared/templates/template-conditions.ts'
import type { TemplateContext } from '../../../../src/render/builder/pass/render-context.ts'
import { blamed, openSite, root, template } from './fixture.ts'

test('sets, reads and clears conditions', async () => {
  const { ada, id } = await openSite([template('top', 'header')])
  const path = `${root}/templates-conditions/${id('top')}`
  const read = async () => (await ada('GET', path)).body
  expect(await read()).toEqual([])
  for (const method of ['POST', 'PUT', 'PATCH']) {
    const conditions = [
      ['include', 'general', '', ''],
      { type: 'include', name: 'singular', sub: 'post', id: 12, _id: 'x1' },
      ['exclude', 'archive'],
    ]
    const { status, body } = await ada(method, path, { body: { conditions } })
    expect([status, body]).toEqual([200, true])
    expect(await read()).toEqual([
      { type: 'include', name: 'general', sub_name: '', sub_id: '' },
      { type: 'include', name: 'singular', sub_name: 'post', sub_id: '12' },
      { type: 'exclude', name: 'archive', sub_name: '', sub_id: '' },
    ])
    for (const empty of [{}, { conditions: [] }, { conditions: '' }, { conditions: null }]) {
      expect((await ada(method, path, { body: empty })).body).toBe(true)
      expect(await read()).toEqual([])
    }
  }
})

test('rejects invalid conditions', async () => {
  const { ada, id } = await openSite([template('top', 'header', ['include/general'])])
  const path = `${root}/templates-conditions/${id('top')}`
  const wrong = [
    'include/general',
    ['include'],
    [5],
    [null],
    [['include', 'a', 'b', 'c', 'd']],
    [['include', 'a/b']],
    [['sometimes', 'general']],
    [[]],
    [['include', { a: 1 }]],
    7,
    Array(201).fill(['include', 'general']),
  ]
  for (const conditions of wrong) {
    const received = await ada('POST', path, { body: { conditions } })
    expect([conditions, ...blamed(received)]).toEqual([conditions, 400, 'rest_invalid_param', ['conditions']])
  }
  const misspelt = await ada('POST', path, { body: { condition: [] } })
  expect([...blamed(misspelt), misspelt.body.data.details.condition.code]).toEqual([
    ...[400, 'rest_invalid_param', ['condition']],
    'rest_unknown_argument',
  ])
  expect((await ada('GET', path)).body).toHaveLength(1)
  expect((await ada('POST', path, { body: { conditions: [['include', 'general']], kind: 'x' } })).body).toBe(true)
})

test('reports templates of one location with the same condition as conflicts', async () => {
  const { ada, id } = await openSite([
    template('top', 'header', ['include/general']),
    template('other', 'header', ['include/general', 'include/archive']),
    template('third', 'header', ['include/archive'], { status: 'draft' }),
    template('bottom', 'footer', ['include/general']),
    template('gone', 'header', ['include/general'], { status: 'trash' }),
    template('post', 'single-post', ['include/singular']),
    template('page', 'single-page', ['include/singular']),
    template('loop', 'loop-item', ['include/general']),
  ])
  const conflicts = async (query: { [name: string]: string | number }) => {
    const { status, body } = await ada('GET', `${root}/templates-conditions-conflicts`, { query })
    expect(status).toBe(200)
    return body.map((one: { template_id: number }) => one.template_id)
  }
  expect(await conflicts({ post_id: id('top'), condition: 'include/general' })).toEqual([id('other')])
  expect(await conflicts({ post_id: id('top'), condition: 'include/archive' })).toEqual([id('third'), id('other')])
  expect(await conflicts({ post_id: id('page'), condition: 'include/singular' })).toEqual([id('post')])
  expect(await conflicts({ post_id: id('loop'), condition: 'include/general' })).toEqual([])
  expect(await conflicts({ post_id: 999_999, condition: 'include/general' })).toEqual([])
  expect(await conflicts({ condition: 'include/general' })).toEqual([])
  expect(await conflicts({ post_id: id('top') })).toEqual([])
  const { body } = await ada('GET', `${root}/templates-conditions-conflicts`, {
    query: { post_id: id('top'), condition: 'include/general' },
  })
  expect(body).toEqual([
    {
      ...{ template_id: id('other'), template_title: 'The other' },
      edit_url: `https://quay.example/?p=${id('other')}&edit=builder`,
    },
  ])
})

test('the condition kinds form a tree', async () => {
  const { ada } = await openSite()
  const { body } = await ada('GET', `${root}/conditions-config`)
  expect(Object.keys(body)).toEqual(Object.keys(conditionKinds))
  expect(body.general).toEqual({
    ...{ label: 'General', all_label: 'Entire site', sub_conditions: ['archive', 'singular'], controls: {} },
  })
  expect(body.category).toEqual({
    ...{ label: 'Categories', all_label: 'Categories', sub_conditions: [] },
    controls: { sub_id: { type: 'query', autocomplete: { object: 'tax', query: { taxonomy: 'category' } } } },
  })
  expect(body.author.controls.sub_id.autocomplete.object).toBe('author')
  const named = Object.values(body).flatMap((one) => (one as { sub_conditions: string[] }).sub_conditions)
  expect(named.filter((name) => !Object.hasOwn(body, name))).toEqual([])
})

test('a more specific condition has a smaller priority', () => {
  const numbers: [string, number][] = [
    ['include/general', 100],
    ['include/archive', 80],
    ['include/singular', 60],
    ['include/archive/author', 55],
    ['include/archive/author/3', 50],
    ['include/archive/post_archive', 60],
    ['include/archive/category/5', 50],
    ['include/singular/post', 30],
    ['include/singular/post/12', 20],
    ['include/singular/in_category/5', 20],
    ['include/singular/front_page', 15],
    ['include/singular/not_found404', 5],
    ['include/unheard_of', 100],
  ]
  expect(numbers.map(([path]) => [path, priorityOf(parseCondition(path))])).toEqual(numbers)
})

test('selects the most specific published template, unless it is excluded', async () => {
  const { api, id, ids } = await openSite([
    template('all', 'header', ['include/general', 'exclude/singular/not_found404']),
    template('newer', 'header', ['include/general']),
    template('posts', 'header', ['include/singular/post', 'exclude/singular/in_category/NEWS']),
    template('draft', 'header', ['include/singular/front_page'], { status: 'draft' }),
    template('foot', 'footer', ['include/archive']),
  ])
  const at = async (place: TemplateContext) => api.site.templates.at('header', place)
  expect(await at({ archive: 'posts' })).toBe(id('all'))
  expect(await at({ post: ids['post.hello'] as number })).toBe(id('posts'))
  expect(await at({ post: ids['page.front'] as number })).toBe(id('all'))
  expect(await at({ notFound: true })).toBe(id('newer'))
  expect(await at({ post: 999_999 })).toBeUndefined()
  expect(await at({ archive: 'term', term: 999_999 })).toBeUndefined()
  expect(await api.site.templates.at('footer', { archive: 'search' })).toBe(id('foot'))
  expect(await api.site.templates.at('footer', { post: ids['post.hello'] as number })).toBeUndefined()
})

test('each condition matches only its own pages', async () => {
  const { api, id, ids, ada } = await openSite([template('top', 'header')])
  const key = (name: string) => ids[name] as number
  const places: { readonly [name: string]: TemplateContext } = {
    front: { post: key('page.front') },
    about: { post: key('page.about') },
    hello: { post: key('post.hello') },
    tide: { post: key('post.tide') },
    pier: { post: key('media.pier') },
    blog: { archive: 'posts' },
    date: { archive: 'date' },
    search: { archive: 'search' },
    ada: { archive: 'author', user: key('user.admin') },
    news: { archive: 'term', term: key('category.news') },
    harbour: { archive: 'term', term: key('category.news-harbour') },
    red: { archive: 'term', term: key('tag.red') },
    lost: { notFound: true },
  }
  const singular = ['front', 'about', 'hello', 'tide', 'pier', 'lost']
  const archives = ['blog', 'date', 'search', 'ada', 'news', 'harbour', 'red']
  const cases: [string, readonly string[]][] = [
    ['general', Object.keys(places)],
    ['singular', singular],
    ['archive', archives],
    ['archive/author', ['ada']],
    [`archive/author/${key('user.editor')}`, []],
    ['archive/date', ['date']],
    ['archive/search', ['search']],
    ['archive/post_archive', ['blog', 'news', 'harbour', 'red']],
    ['archive/category', ['news', 'harbour']],
    [`archive/category/${key('category.news')}`, ['news']],
    [`archive/child_of_category/${key('category.news')}`, ['harbour']],
    [`archive/any_child_of_category/${key('category.news')}`, ['harbour']],
    ['archive/any_child_of_category', ['harbour']],
    [`archive/post_tag/${key('tag.red')}`, ['red']],
    ['singular/front_page', ['front']],
    ['singular/post', ['hello', 'tide']],
    [`singular/post/${key('post.tide')}`, ['tide']],
    ['singular/page', ['front', 'about']],
    ['singular/attachment', ['pier']],
    [`singular/in_category/${key('category.news-harbour')}`, ['tide']],
    [`singular/in_category_children/${key('category.news')}`, ['tide']],
    ['singular/in_post_tag', ['tide']],
    [`singular/post_by_author/${key('user.admin')}`, ['hello']],
    [`singular/page_by_author/${key('user.admin')}`, ['front', 'about']],
    [`singular/by_author/${key('user.admin')}`, ['front', 'about', 'hello']],
    [`singular/child_of/${key('page.front')}`, ['about']],
    [`singular/any_child_of/${key('page.front')}`, ['about']],
    ['singular/child_of', ['about']],
    ['singular/not_found404', ['lost']],
    ['singular/unheard_of', []],
    ['unheard_of', []],
  ]
  for (const [path, expected] of cases) {
    const conditions = [`include/${path}`.split('/')]
    await ada('POST', `${root}/templates-conditions/${id('top')}`, { body: { conditions } })
    const matching = []
    for (const [name, place] of Object.entries(places)) {
      if ((await api.site.templates.at('header', place)) === id('top')) matching.push(name)
    }
    expect([path, matching]).toEqual([path, expected])
  }
})
