/** Lists, single comments and embeds: who sees what. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Received, TestSite } from '../../../support/site.ts'
import { comments, createCommentedSite } from './site.ts'

let site: TestSite
beforeEach(async () => {
  site = await createCommentedSite()
})
afterEach(async () => {
  expect(site.failures).toEqual([])
  await site.dispose()
})

const keysOf = ({ body }: Received): string[] =>
  body.map(({ content }: { content: { rendered: string } }) => /Words of (\w+)/.exec(content.rendered)?.[1])
const list = (login: string | null, query: string) => site.as(login)('GET', comments, { query })

test('a list leaves out what the caller may not read, and counts it', async () => {
  const seen = await list(null, 'order=asc&orderby=id')
  expect([keysOf(seen), seen.headers.get('x-cms-total')]).toEqual([['first', 'reply', 'page'], '5'])
  expect(keysOf(await list('edith', 'order=asc&orderby=id'))).toEqual(['first', 'reply', 'secret', 'locked', 'page'])
  expect(keysOf(await list('arthur', 'order=asc&orderby=id'))).toEqual(['first', 'reply', 'locked', 'page'])
  expect(seen.headers.get('allow')).toBe('GET')
})

test('a password opens the comments on a locked post', async () => {
  const post = site.ids['post.locked']
  const closed = await list(null, `post=${post}`)
  expect([closed.status, closed.body.code]).toEqual([401, 'rest_cannot_read_post'])
  expect(keysOf(await list(null, `post=${post}&password=sesame`))).toEqual(['locked'])
  const path = `${comments}/${site.ids['comment.locked']}`
  expect((await site.visitor('GET', path)).status).toBe(401)
  expect((await site.visitor('GET', path, { query: 'password=sesame' })).status).toBe(200)
})

test.each([
  ['status=hold', ['held']],
  ['status=all', ['held', 'reply', 'first']],
  ['status=spam', ['spam']],
  ['status=approve', ['reply', 'first']],
  // The word that a comment shows is no word of the filter.
  ['status=approved', []],
  ['status=1', ['reply', 'first']],
  ['status=0', ['held']],
  ['status=bogus', []],
  ['author_email=vera@example.test', ['first']],
  ['author_email=sam@example.test', ['reply']],
  ['search=words of f', ['first']],
  ['after=2024-03-01T12:00:00', ['reply']],
  ['before=2024-03-01T12:00:00', ['first']],
  ['parent=0', ['first']],
  ['parent_exclude=0', ['reply']],
])('filters by %s', async (filter, keys) => {
  expect(keysOf(await list('edith', `post=${site.ids['post.ferry']}&${filter}`))).toEqual(keys)
})

test.each([
  // Vera has written on the post of arthur, who may change the comment but not read her address in it.
  ['first', null, 401],
  ['first', 'sam', 403],
  ['first', 'connie', 403],
  ['first', 'arthur', 403],
  ['first', 'edith', 200],
  // Those who wrote it do not read it so either.
  ['reply', 'sam', 403],
  ['held', 'connie', 403],
])('the edit context of a comment (%s) as %s: %i', async (key, as, status) => {
  const requester = as === null ? site.visitor : site.as(as)
  const path = `${comments}/${site.ids[`comment.${key}`]}`
  const { body, ...answer } = await requester('GET', path, { query: 'context=edit' })
  expect(answer.status).toBe(status)
  if (status !== 200) expect(body.code).toBe('rest_forbidden_context')
  else expect(body.author_email).toBe('vera@example.test')
})

test('addresses are found only by those who see them', async () => {
  expect(keysOf(await list('edith', 'search=vera@'))).toEqual(['page', 'first'])
  expect(keysOf(await list('connie', 'search=vera@'))).toEqual([])
})

test('a page beyond the end is empty, with the same totals', async () => {
  const { status, headers, body } = await list(null, 'page=9')
  expect([status, headers.get('x-cms-total'), body]).toEqual([200, '5', []])
})

test('orders by the given ids', async () => {
  const [a, b] = [site.ids['comment.reply'], site.ids['comment.first']]
  expect(keysOf(await list(null, `orderby=include&include=${a},${b}`))).toEqual(['reply', 'first'])
})

test('the commenter and the author of the post see a held comment, others do not', async () => {
  const path = `${comments}/${site.ids['comment.held']}`
  const asked = async (login: string | null) => {
    const { status, headers } = await site.as(login)('GET', path)
    return [status, headers.get('allow')]
  }
  expect(await asked(null)).toEqual([401, null])
  expect(await asked('sam')).toEqual([403, null])
  expect(await asked('connie')).toEqual([200, 'GET'])
  expect(await asked('arthur')).toEqual([200, 'GET, POST, PUT, PATCH, DELETE'])
})

test('embeds author, post, the comment above and the replies', async () => {
  const { body } = await site.visitor('GET', `${comments}/${site.ids['comment.reply']}`, { query: '_embed' })
  expect(body._embedded).toMatchObject({
    author: [{ name: 'Sam Subscriber' }],
    up: [{ slug: 'ferry', type: 'post' }],
    'in-reply-to': [{ author_name: 'Vera' }],
  })
  expect(body._links).not.toHaveProperty('children')
  const above = await site.visitor('GET', `${comments}/${site.ids['comment.first']}`, { query: '_embed=children' })
  expect(above.body._embedded.children[0].map(({ author_name }: { author_name: string }) => author_name)).toEqual([
    'Sam Subscriber',
  ])
  const post = await site.visitor('GET', `/cms/v2/posts/${site.ids['post.ferry']}`, { query: '_embed=replies' })
  expect(post.body._embedded.replies[0]).toHaveLength(2)
})

test('the comment leads to its place on the page', async () => {
  const id = site.ids['comment.page']
  const { body } = await site.visitor('GET', `${comments}/${id}`)
  expect(body.link).toBe(`https://quay.example/front/about/#comment-${id}`)
})

test('comments link to their replies, also below a comment with more replies than one read takes', async () => {
  const ada = site.as('ada')
  const [first, page] = [site.ids['comment.first'], site.ids['comment.page']]
  const reply = (parent: number | undefined, index: number) =>
    ada('POST', comments, { body: { post: site.ids['post.ferry'], parent, content: `Reply ${index}` } })
  const linked = async () => {
    const { body } = await list('ada', 'per_page=100&parent=0&order=asc&orderby=id')
    const withReplies = body.filter(({ _links }: { _links: object }) => 'children' in _links)
    return withReplies.map(({ id }: { id: number }) => id)
  }
  const few = await linked()
  expect(few).toContain(first)
  expect(few).not.toContain(page)
  for (let index = 0; index <= 200; index++) expect((await reply(first, index)).status).toBe(201)
  expect(await linked()).toEqual(few)
})
