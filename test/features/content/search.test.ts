/** The search: published records, terms and formats. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { kitchen } from '../../../docs/examples/content-type.ts'
import { content } from '../../../src/profiles/content.ts'
import { createTestSite, type TestSite } from '../../support/site.ts'

const path = '/cms/v2/search'
let site: TestSite

beforeEach(async () => {
  site = await createTestSite({ profile: content })
})
afterEach(async () => {
  expect(site.failures).toEqual([])
  await site.dispose()
})

const found = async (query: string, login: string | null = null) => {
  const { body, headers } = await site.as(login)('GET', path, { query })
  return { titles: body.map(({ title }: { title: string }) => title), total: headers.get('x-cms-total'), body }
}

test('finds published records, those with the words in the title first, and links to them', async () => {
  await site.as('edith')('POST', '/cms/v2/posts', { body: { title: 'Later', content: 'the ferry', status: 'publish' } })
  const { titles, body } = await found('search=ferry')
  expect(titles.slice(0, 2)).toEqual(['The ferry is late', 'Later'])
  const id = site.ids['post.ferry']
  expect(body[0]).toEqual({
    ...{ id, title: 'The ferry is late', url: 'https://quay.example/ferry/', type: 'post', subtype: 'post' },
    _links: {
      self: [
        {
          embeddable: true,
          href: `https://quay.example/api/cms/v2/posts/${id}`,
          targetHints: { allow: ['GET'] },
        },
      ],
      about: [{ href: 'https://quay.example/api/cms/v2/types/post' }],
      collection: [{ href: 'https://quay.example/api/cms/v2/search' }],
    },
  })
})

test('finds no drafts, not even for administrators, and what a password locks only for those who are signed in', async () => {
  await site.as('edith')('POST', '/cms/v2/posts', { body: { title: 'Unfinished quay' } })
  expect((await found('search=unfinished', 'ada')).titles).toEqual([])
  expect((await found('search=password')).titles).toEqual([])
  expect((await found('search=password', 'sam')).titles).toEqual(['Behind a password'])
})

test('narrows to subtypes and ids, and ignores subtypes of another type', async () => {
  const { ids } = site
  expect((await found('subtype=page&per_page=100')).titles.toSorted()).toEqual(['About', 'Front', 'Journal'])
  const some = `include=${ids['page.about']},${ids['post.ferry']}`
  expect((await found(some)).titles.toSorted()).toEqual(['About', 'The ferry is late'])
  expect((await found(`subtype=page&exclude=${ids['page.about']}`)).titles.toSorted()).toEqual(['Front', 'Journal'])
  const posts = (await found('subtype=post')).total
  expect((await found('subtype=category')).total).toBe(posts)
  const wrong = await site.visitor('GET', path, { query: 'subtype=attachment' })
  expect([wrong.status, wrong.body.code]).toEqual([400, 'rest_invalid_param'])
})

test('finds terms with their taxonomy as type, and formats by their names', async () => {
  const terms = await found('type=term&search=%26')
  expect(terms.body).toMatchObject([
    { title: 'Guides &amp; tips', type: 'category', url: 'https://quay.example/category/guides/' },
  ])
  expect(terms.body[0]).not.toHaveProperty('subtype')
  expect((await found('type=term&subtype=post_tag')).titles).toEqual(['Green', 'Rare', 'Red'])
  const formats = await found('type=post-format&per_page=4&page=3')
  expect([formats.titles, formats.total]).toEqual([['Audio'], '9'])
  expect((await found('type=post-format&search=AUD')).body).toMatchObject([
    { id: 'audio', url: 'https://quay.example/type/audio/' },
  ])
})

test('embeds what it has found', async () => {
  const { body } = await found('search=ferry&_embed')
  expect(body[0]._embedded.self[0]).toMatchObject({ id: site.ids['post.ferry'], slug: 'ferry' })
  const terms = await found('type=term&search=harbour&_embed')
  expect(terms.body[0]._embedded.self[0]).toMatchObject({ name: 'Harbour', taxonomy: 'category' })
})

test('without a known taxonomy the terms of formats are found too, where published posts have them', async () => {
  const all = await found('type=term&per_page=100')
  expect(all.body.map(({ type }: { type: string }) => type)).not.toContain('post_format')
  await site.as('ada')('POST', '/cms/v2/posts', { body: { title: 'Kept back', status: 'draft', format: 'quote' } })
  const query = 'type=term&subtype=page'
  const { body, total } = await found(`${query}&per_page=100`)
  expect(body.slice(0, -1)).toEqual(all.body)
  const url = 'https://quay.example/type/aside/'
  expect(body.at(-1)).toMatchObject({ id: 'aside', title: 'Aside', url, type: 'post_format' })
  expect(body.at(-1)._links).toEqual({ collection: [{ href: expect.stringContaining('/search') }] })
  expect(total).toBe(String(Number(all.total) + 1))
  // Pages of any size are the whole list.
  const pages = [1, 2, 3, 4, 5].map(async (page) => (await found(`${query}&per_page=3&page=${page}`)).titles)
  expect((await Promise.all(pages)).flat()).toEqual(body.map(({ title }: { title: string }) => title))
  expect((await found(`${query}&search=FORMAT-AS`)).titles).toEqual(['Aside'])
  expect((await found(`${query}&search=quote`)).titles).toEqual([])
  expect((await found(`${query}&subtype=post_tag,page`)).titles).not.toContain('Aside')
  expect((await found(`${query}&include=${site.ids['tag.red']}`)).titles).not.toContain('Aside')
})

test('beyond the last page of a search for records nothing is counted', async () => {
  const headersOf = async (query: string) => {
    const { status, body, headers } = await site.visitor('GET', path, { query })
    return [status, body.length, headers.get('x-cms-total'), headers.get('x-cms-totalpages')]
  }
  const [, , total] = await headersOf('per_page=2')
  const pages = Math.ceil(Number(total) / 2)
  for (const query of ['per_page=2', 'per_page=2&subtype=page', 'per_page=2&search=quay']) {
    expect([query, await headersOf(`${query}&page=${pages + 1}`)]).toEqual([query, [200, 0, '0', '0']])
  }
  expect((await headersOf(`per_page=2&page=${pages}`)).slice(2)).toEqual([total, String(pages)])
})

test('a page beyond the end is empty', async () => {
  const { status, body, headers } = await site.visitor('GET', path, { query: 'page=90&type=term' })
  expect([status, body, headers.get('x-cms-total')]).toEqual([200, [], '7'])
})

test('finds the records and terms of a host', async () => {
  await site.dispose()
  site = await createTestSite({ profile: kitchen })
  const edith = site.as('edith')
  const cuisine = (await edith('POST', '/cms/v2/cuisines', { body: { name: 'Nordic' } })).body
  const body = { title: 'Zander soup', status: 'publish', cuisines: [cuisine.id] }
  await edith('POST', '/cms/v2/recipes', { body })
  expect((await found('search=zander&subtype=recipe')).body).toMatchObject([{ type: 'post', subtype: 'recipe' }])
  expect((await found('type=term&subtype=cuisine')).titles).toEqual(['Nordic'])
  const { routes } = (await site.api.index()) as { routes: { [path: string]: { endpoints: [{ args: never }] } } }
  expect(routes[path]?.endpoints[0].args).toMatchObject({
    subtype: { items: { enum: ['post', 'page', 'recipe', 'category', 'post_tag', 'cuisine', 'any'] } },
  })
})
