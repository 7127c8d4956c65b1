import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestSite, type TestSite } from '../../../support/site.ts'

let site: TestSite
beforeAll(async () => {
  site = await createTestSite()
})
afterAll(() => site.dispose())

const newestFirst = ['built', 'wide', 'locked', 'knots', 'tide', 'ferry', 'hello', 'pinned']

/** Replaces `{post.hello}` with the id. */
const filled = (query: string) => query.replace(/\{([\w.-]+)\}/g, (_, key: string) => String(site.ids[key]))

async function keysOf(query: string, login: string | null = null): Promise<string[]> {
  const { status, body } = await site.as(login)('GET', '/cms/v2/posts', { query: filled(query) })
  expect(status, JSON.stringify(body)).toBe(200)
  const keys = new Map(Object.entries(site.ids).map(([key, id]) => [id, key]))
  return body.map((post: { id: number }) => keys.get(post.id)?.replace('post.', ''))
}

test('lists only published posts to a visitor, newest first', async () => {
  expect(await keysOf('per_page=100')).toEqual(newestFirst)
})

describe('filters', () => {
  test.each([
    ['include={post.hello},{post.tide}', ['tide', 'hello']],
    ['exclude={post.hello},{post.built}', newestFirst.filter((key) => key !== 'hello' && key !== 'built')],
    ['include={post.hello}&exclude={post.hello}', ['hello']],
    ['include=', newestFirst],
    ['include=-{post.hello}', ['hello']],
    ['exclude=-{post.hello}&per_page=100', newestFirst.filter((key) => key !== 'hello')],
    ['sticky=true&exclude={post.pinned}', ['pinned']],
    ['categories=-{category.guides}', ['knots', 'tide']],
    ['tags_exclude=-{tag.red}&categories={category.guides}', ['knots']],
    ['author_exclude=-{user.author}', ['built', 'tide', 'hello', 'pinned']],
    ['author={user.editor}', ['built', 'pinned']],
    ['author={user.editor},{user.author2}', ['built', 'tide', 'pinned']],
    ['author_exclude={user.author}', ['built', 'tide', 'hello', 'pinned']],
    ['author={user.editor}&author_exclude={user.author}', ['built', 'tide', 'hello', 'pinned']],
    ['author=0', []],
    ['slug=hello,tide', ['tide', 'hello']],
    ['slug=Hello', ['hello']],
    ['slug=nobody', []],
    ['sticky=true', ['pinned']],
    ['sticky=false', newestFirst.filter((key) => key !== 'pinned')],
    ['sticky=false&include={post.pinned}', ['pinned']],
    ['format=aside', ['knots']],
    ['format=standard,aside&per_page=3', ['built', 'wide', 'locked']],
    ['after=2024-02-02T09:00:00', ['built', 'wide']],
    ['after=2024-02-02T08:59:59Z', ['built', 'wide', 'locked']],
    ['before=2024-01-10T09:00:00', ['pinned']],
    ['after=2024-01-10T00:00:00&before=2024-01-13T00:00:00', ['ferry', 'hello']],
    ['modified_after=2024-02-01T00:00:00&modified_before=2024-02-02T00:00:00', ['hello']],
    ['categories={category.guides}', ['knots', 'tide']],
    ['categories={category.news}', ['ferry']],
    ['categories[terms]={category.news}&categories[include_children]=1', ['tide', 'ferry']],
    ['categories[terms]={category.guides},{category.news-harbour}&categories[operator]=AND', ['tide']],
    ['categories_exclude={category.uncategorized}', ['knots', 'tide', 'ferry']],
    ['tags={tag.red}', ['tide', 'ferry']],
    ['tags[terms][]={tag.red}&tags[terms][]={tag.green}&tags[operator]=AND', ['tide']],
    ['tags_exclude[terms]={tag.red}&categories={category.guides}', ['knots']],
    ['categories={category.news}&tags={tag.rare}', []],
    ['categories={category.news}&tags={tag.rare}&tax_relation=OR', ['knots', 'ferry']],
    ['tags={tag.rare}&format=aside&tax_relation=OR', ['knots']],
    ['search=quay', ['hello']],
    ['search=LIGHTHOUSE', ['tide']],
    ['search=words%20knots', ['knots']],
    ['search="the%20ferry"', ['ferry']],
    ['search=plain%20-ferry&per_page=100', ['built', 'wide', 'knots', 'tide', 'pinned']],
    ['search=quay&search_columns=post_content', []],
    ['search=lighthouse&search_columns=post_excerpt', ['tide']],
    ['search=Knots&search_semantics=exact', ['knots']],
    ['search=%25', []],
    ['search=%3Cb%3Equay%3C%2Fb%3E', ['hello']],
    ['search=%20', newestFirst],
    ['orderby=id&order=asc&per_page=3', ['hello', 'ferry', 'tide']],
    ['orderby=title&order=asc&per_page=3', ['locked', 'built', 'hello']],
    ['orderby=slug&order=asc&per_page=3', ['built', 'ferry', 'hello']],
    ['orderby=modified&per_page=3', ['built', 'wide', 'locked']],
    ['orderby=author&order=asc&per_page=3', ['hello', 'pinned', 'built']],
    ['orderby=include&include={post.tide},{post.built},{post.hello}', ['tide', 'built', 'hello']],
    ['orderby=include_slugs&slug=hello,built,tide&order=asc', ['hello', 'built', 'tide']],
    ['orderby=relevance&search=tide&order=asc', ['tide']],
    ['offset=6', ['hello', 'pinned']],
    ['offset=-6', ['hello', 'pinned']],
    ['per_page=3&page=2', ['knots', 'tide', 'ferry']],
    ['per_page=2&offset=1&page=3', ['wide', 'locked']],
  ])('%s', async (query, expected) => {
    expect((await keysOf(query)).toSorted()).toEqual(expected.toSorted())
    if (!query.includes('orderby=author') && !query.includes('author=')) expect(await keysOf(query)).toEqual(expected)
  })

  test('adds sticky posts to the top of the first page without counting them', async () => {
    const { headers } = await site.visitor('GET', '/cms/v2/posts', { query: 'ignore_sticky=false&per_page=3' })
    expect(headers.get('x-cms-total')).toBe('8')
    expect(await keysOf('ignore_sticky=false&per_page=3')).toEqual(['pinned', 'built', 'wide', 'locked'])
    expect(await keysOf('ignore_sticky=false&per_page=3&page=2')).toEqual(['knots', 'tide', 'ferry'])
    expect(await keysOf('ignore_sticky=false&search=tide')).toEqual(['tide'])
  })
})

describe('statuses', () => {
  test.each([
    ['edith', 'status=draft', ['draft-connie', 'draft'], '2'],
    ['connie', 'status=draft', ['draft-connie'], '2'],
    ['connie', 'status=private', [], '2'],
    ['arthur', 'status=private', ['private'], '2'],
    ['edith', 'status=future', ['future'], '1'],
    ['edith', 'status=trash', ['trashed-editor', 'trashed'], '2'],
    ['ada', 'status=any&search=draft', ['draft-connie', 'draft'], '2'],
    ['ada', 'status=any,trash&search=thrown', ['trashed-editor', 'trashed'], '2'],
    ['connie', 'status=pending&context=edit', ['pending'], '1'],
    ['edith', 'status=&per_page=2&author={user.editor}', ['private-editor', 'built'], '3'],
    ['arthur', 'status=&search=private', ['private'], '1'],
    [null, 'status=&search=private', [], '0'],
    ['arthur', 'context=edit&per_page=3', ['wide', 'locked'], '8'],
  ])('%s lists %s', async (login, query, expected, total) => {
    expect((await keysOf(query, login)).toSorted()).toEqual(expected.toSorted())
    const { headers } = await site.as(login)('GET', '/cms/v2/posts', { query: filled(query) })
    expect(headers.get('x-cms-total')).toBe(total)
  })

  test.each([
    [null, 'status=draft', 'rest_forbidden_status'],
    [null, 'status=publish,bogus', 'rest_forbidden_status'],
    ['sam', 'status=bogus', 'rest_forbidden_status'],
    [null, 'status[a]=publish', 'rest_invalid_type'],
    ['connie', 'status=publish,bogus', 'rest_not_in_enum'],
  ])('for %s, %s is the argument error %s', async (login, query, code) => {
    const { status, body } = await site.as(login)('GET', '/cms/v2/posts', { query })
    expect([status, body.data.details.status.code]).toEqual([400, code])
  })

  test.each([
    [null, 'status=draft', 400, 'rest_invalid_param'],
    ['sam', 'status[]=publish&status[]=private', 400, 'rest_invalid_param'],
    [null, 'context=edit', 401, 'rest_forbidden_context'],
    ['sam', 'context=edit', 403, 'rest_forbidden_context'],
  ])('refuses to %s: %s', async (login, query, status, code) => {
    expect(await site.as(login)('GET', '/cms/v2/posts', { query })).toMatchObject({ status, body: { code } })
  })
})

describe('paging', () => {
  test('returns totals, pages and links in the headers', async () => {
    const { headers } = await site.visitor('GET', '/cms/v2/posts', { query: 'per_page=3&page=2&author=' })
    expect(headers.get('x-cms-total')).toBe('8')
    expect(headers.get('x-cms-totalpages')).toBe('3')
    expect(headers.get('link')).toContain(
      '<https://quay.example/api/cms/v2/posts?per_page=3&author=&page=1>; rel="prev", <https://quay.example/api/cms/v2/posts?per_page=3&author=&page=3>; rel="next"',
    )
  })

  test('refuses a page beyond the end, unless the list is empty', async () => {
    expect(await site.visitor('GET', '/cms/v2/posts', { query: 'page=99' })).toMatchObject({
      status: 400,
      body: { code: 'rest_post_invalid_page_number' },
    })
    expect(await keysOf('page=99&search=nowhere')).toEqual([])
  })

  test('an offset beyond the end is an empty page with a total of 0', async () => {
    const { status, headers, body } = await site.visitor('GET', '/cms/v2/posts', { query: 'offset=99' })
    expect([status, headers.get('x-cms-total'), body]).toEqual([200, '0', []])
  })

  test('HEAD has the headers of GET and no body', async () => {
    const get = await site.visitor('GET', '/cms/v2/posts', { query: 'per_page=2' })
    const head = await site.visitor('HEAD', '/cms/v2/posts', { query: 'per_page=2' })
    expect(head.body).toBeUndefined()
    for (const name of ['x-cms-total', 'x-cms-totalpages', 'link', 'content-type']) {
      expect(head.headers.get(name)).toBe(get.headers.get(name))
    }
  })
})

describe('arguments', () => {
  test.each([
    ['per_page=0', 'per_page', 'rest_out_of_bounds'],
    ['per_page=101', 'per_page', 'rest_out_of_bounds'],
    ['page=1.5', 'page', 'rest_invalid_type'],
    ['order=up', 'order', 'rest_not_in_enum'],
    ['orderby=password', 'orderby', 'rest_not_in_enum'],
    ['author=abc', 'author', 'rest_invalid_type'],
    ['after=yesterday', 'after', 'rest_invalid_date'],
    ['sticky=maybe', 'sticky', 'rest_invalid_type'],
    ['format=aside,aside', 'format', 'rest_duplicate_items'],
    ['categories[bogus]=1', 'categories', 'rest_no_matching_schema'],
    ['categories=', 'categories', 'rest_one_of_multiple_matches'],
    ['tags[terms]=1&tags[include_children]=1', 'tags', 'rest_no_matching_schema'],
    ['include=99999999999999999999', 'include', 'rest_invalid_type'],
  ])('%s is refused and names the argument', async (query, name, code) => {
    const { status, body } = await site.visitor('GET', '/cms/v2/posts', { query })
    expect([status, body.code, body.data.details[name]?.code]).toEqual([400, 'rest_invalid_param', code])
    expect(Object.keys(body.data.params)).toEqual([name])
  })

  test('reports all errors of the first round of checks, then those of the second', async () => {
    const both = await site.visitor('GET', '/cms/v2/posts', { query: 'per_page=500&order=up&sticky=x' })
    expect(Object.keys(both.body.data.params)).toEqual(['per_page'])
    const second = await site.visitor('GET', '/cms/v2/posts', { query: 'order=up&sticky=x' })
    expect(Object.keys(second.body.data.params)).toEqual(['order', 'sticky'])
  })

  test('refuses an order without the argument that it needs', async () => {
    expect((await site.visitor('GET', '/cms/v2/posts', { query: 'orderby=include' })).body.code).toBe(
      'rest_orderby_include_missing_include',
    )
    expect((await site.visitor('GET', '/cms/v2/posts', { query: 'orderby=relevance' })).body.code).toBe(
      'rest_no_search_term_defined',
    )
  })
})

test('a list makes the same number of storage calls for few and many rows, also with _embed', async () => {
  let calls = 0
  const counting = <T extends object>(target: T): T =>
    new Proxy(target, {
      get(inner, name) {
        const value = Reflect.get(inner, name)
        if (typeof value === 'object' && value !== null) return counting(value)
        if (typeof value !== 'function') return value
        return (...args: unknown[]) => {
          if (name !== 'changes') calls++
          return value.apply(inner, args)
        }
      },
    })
  const counted = await createTestSite({ storage: counting })
  const cost = async (query: string) => {
    calls = 0
    await counted.visitor('GET', '/cms/v2/posts', { query })
    return calls
  }
  for (let i = 0; i < 30; i++) {
    await counted.as('ada')('POST', '/cms/v2/posts', {
      body: { title: `Row ${i}`, status: 'publish', author: counted.ids['user.editor'] },
    })
  }
  await cost('per_page=1')
  const few = await cost('per_page=2&search=row')
  const many = await cost('per_page=30&search=row&offset=2')
  expect(many).toBeLessThanOrEqual(few)
  expect(await cost('per_page=30&_embed')).toBeLessThanOrEqual((await cost('per_page=2&_embed&page=2')) + 2)
  await counted.dispose()
})
