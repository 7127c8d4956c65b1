/** Post queries: orders, ties, pages, totals, and reads of the listed posts. */

import { maxRankedWords } from '../../contract/post-rank.ts'
import type { PostOrder, PostValues } from '../../contract/storage.ts'
import { type ConformanceCase, equal, throws } from '../case.ts'
import { addPost, addPosts, addTerm, assign, countPosts, findPosts, postValues } from '../content.ts'

const numbers = [
  [10, 1],
  [2, 0],
  [10, 1],
  [100, 2],
] as const
const menuOrders = [
  [3, 2],
  [-1, 0],
  [0, 1],
  [3, 2],
  [20, 3],
] as const
const dates = [
  ['2024-01-01T00:00:00', 1],
  ['2023-12-31T23:59:59', 0],
  ['2024-01-01T00:00:01', 2],
  ['2024-01-01T00:00:00', 1],
] as const
/** Folded, then by code point: U+E000 sorts before the emoji, although its UTF-16 unit is higher. */
const titles = [
  ['😀', 5],
  ['éclair', 2],
  ['', 0],
  ['zebra', 3],
  ['Eclair', 2],
  ['\ue000', 4],
  ['Apple', 1],
] as const
const slugs = [
  ['😀', 7],
  ['', 0],
  ['é', 5],
  ['a-b', 4],
  ["'", 1],
  ['a', 3],
  ['', 0],
  ['\ue000', 6],
  ['B', 2],
] as const

type Column = Extract<PostOrder, { descending: boolean }>['by']

/** Each column has values in the order of insertion, each with its rank in the order; equal values share a rank. */
const columns: { readonly [column in Column]: readonly (readonly [Partial<PostValues>, rank: number])[] } = {
  id: [0, 1, 2].map((rank) => [{}, rank]),
  author: numbers.map(([author, rank]) => [{ author }, rank]),
  parent: numbers.map(([parent, rank]) => [{ parent }, rank]),
  date: dates.map(([date, rank]) => [{ date }, rank]),
  modified: dates.map(([modified, rank]) => [{ modified }, rank]),
  title: titles.map(([title, rank]) => [{ title }, rank]),
  slug: slugs.map(([slug, rank]) => [{ slug }, rank]),
  menuOrder: menuOrders.map(([menuOrder, rank]) => [{ menuOrder }, rank]),
}

const orderCases: readonly ConformanceCase[] = Object.entries(columns).map(([column, values]) => ({
  name: `orders posts by ${column}, ties by id in the same direction`,
  async run(storage) {
    // The cast: Object.entries loses the type of the keys.
    const by = column as Column
    const ids = await addPosts(
      storage,
      values.map(([value]) => value),
    )
    const ranks = values.map(([, rank], index) => ({ id: ids[index] ?? 0, rank }))
    const ascending = ranks.sort((a, b) => a.rank - b.rank || a.id - b.id).map(({ id }) => id)
    equal(await findPosts(storage, { order: { by, descending: false } }), ascending, 'ascending')
    equal(await findPosts(storage, { order: { by, descending: true } }), ascending.toReversed(), 'descending')
    equal(
      await findPosts(storage, { order: { by, descending: true }, limit: 2 }),
      ascending.toReversed().slice(0, 2),
      'the first two',
    )
  },
}))

export const postOrderCases: readonly ConformanceCase[] = [
  ...orderCases,
  {
    name: 'orders posts by the given list of ids',
    async run(storage) {
      const [a, b, c] = (await addPosts(storage, [{}, {}, {}])) as [number, number, number]
      const query = { ids: [c, a, b, c, 999], order: { by: 'ids' } as const }
      equal(await findPosts(storage, query), [c, a, b], 'the order of the ids')
      equal(await findPosts(storage, { ...query, offset: 1, limit: 1 }), [a], 'a page of it')
      await throws(() => findPosts(storage, { order: { by: 'ids' } }), 'the order of ids without ids')
    },
  },
  {
    name: 'orders posts by the given list of slugs, ties by id',
    async run(storage) {
      const [a, b, c, d] = (await addPosts(storage, [
        { slug: 'x' },
        { slug: "y'%_;" },
        { slug: 'x', type: 'page' },
        { slug: '😀' },
      ])) as [number, number, number, number]
      const slugs = ['😀', 'x', 'unknown', "y'%_;", '😀']
      const query = { types: ['page', 'post'], slugs, order: { by: 'slugs' } as const }
      equal(await findPosts(storage, query), [d, a, c, b], 'the order of the slugs')
      await throws(() => findPosts(storage, { order: { by: 'slugs' } }), 'the order of slugs without slugs')
    },
  },
  {
    name: 'orders posts by relevance, then newest first',
    async run(storage) {
      const later = { date: '2025-01-01T00:00:00' }
      const rows = [
        { content: 'about nothing' },
        { content: 'a Red  fox, a RED FÓX' },
        { excerpt: 'the red fox' },
        { title: 'foxes' },
        { title: 'the fox is red' },
        { title: 'A Réd Fox' },
        { title: 'A red fox', ...later },
        { title: 'red foxes', ...later },
        { title: 'red', content: 'red fox', excerpt: 'red fox' },
      ]
      const ids = await addPosts(storage, rows)
      const order = { by: 'relevance', phrase: 'red fox', words: ['red', 'fox'] } as const
      const best = [7, 6, 5, 4, 8, 3, 2, 1, 0].map((index) => ids[index])
      equal(await findPosts(storage, { order }), best, 'best first')
      equal(await findPosts(storage, { order, offset: 2, limit: 3 }), best.slice(2, 5), 'a page')
      const single = { by: 'relevance', phrase: 'fox', words: ['fox'] } as const
      const bestOfOne = [7, 6, 5, 4, 3, 8, 2, 1, 0].map((index) => ids[index])
      equal(await findPosts(storage, { order: single }), bestOfOne, 'best first for one word')
    },
  },
  {
    name: 'orders posts of equal relevance by date, and those of one date by id',
    async run(storage) {
      const on = (day: string) => ({ title: 'red fox', date: `2024-05-${day}T00:00:00` })
      const ids = await addPosts(storage, [on('03'), on('01'), on('02'), on('01'), on('03')])
      const order = { by: 'relevance', phrase: 'red fox', words: ['red', 'fox'] } as const
      const newestFirst = [4, 0, 2, 3, 1].map((index) => ids[index])
      equal(await findPosts(storage, { order }), newestFirst, 'newest first, then the highest id')
      equal(await findPosts(storage, { order, offset: 1, limit: 2 }), newestFirst.slice(1, 3), 'a page')
    },
  },
  {
    name: 'ranks only by words without a phrase, and only by the phrase with many words',
    async run(storage) {
      const rows = [{ content: 'red fox' }, { excerpt: 'red' }, { title: 'the fox' }, { title: 'fox and red' }, {}]
      const ids = await addPosts(storage, rows)
      const ranked = async (phrase: string, words: readonly string[]) => {
        const matches = await findPosts(storage, { order: { by: 'relevance', phrase, words } })
        return matches.map((id) => ids.indexOf(id))
      }
      equal(await ranked('', ['red', 'fox']), [3, 2, 4, 1, 0], 'no phrase')
      equal(await ranked('', ['red']), [3, 4, 2, 1, 0], 'no phrase and one word')
      equal(await ranked('', []), [4, 3, 2, 1, 0], 'neither')
      const many = Array.from({ length: maxRankedWords }, () => 'red')
      equal(await ranked('red fox', many), [3, 0, 4, 2, 1], 'as many words as count')
      equal(await ranked('red fox', [...many, 'red']), [0, 4, 3, 2, 1], 'more words than count')
    },
  },
  {
    name: 'returns pages without gap or overlap',
    async run(storage) {
      const ids = await addPosts(
        storage,
        Array.from({ length: 23 }, (_, index) => ({ author: index % 3 })),
      )
      const order = { by: 'author', descending: true } as const
      const list = await findPosts(storage, { order })
      equal(
        list.toSorted((a, b) => a - b),
        ids,
        'the full list',
      )
      const pages: number[] = []
      for (let offset = 0; offset < 30; offset += 5) {
        pages.push(...(await findPosts(storage, { order, offset, limit: 5 })))
      }
      equal(pages, list, 'the pages joined')
      equal(await findPosts(storage, { order, offset: 22, limit: 5 }), list.slice(22), 'the last page')
      equal(await findPosts(storage, { order, offset: 23, limit: 5 }), [], 'a page after the end')
      equal(await findPosts(storage, { order, offset: 0, limit: 0 }), [], 'an empty page')
    },
  },
  {
    name: 'counts all matches of a post query if the total is requested',
    async run(storage) {
      const ids = (await addPosts(storage, [{}, {}, {}, { status: 'draft' }])) as [number, number, number, number]
      const terms = [await addTerm(storage, 'a'), await addTerm(storage, 'b')]
      for (const id of ids) await assign(storage, id, terms)
      const published = { statuses: [{ status: 'publish' }] }
      equal(await countPosts(storage, { ...published, limit: 1 }), 3, 'with a short page')
      equal(await countPosts(storage, { ...published, offset: 50 }), 3, 'with a page after the end')
      equal(await countPosts(storage, { ...published, limit: 0 }), 3, 'with an empty page')
      const anyTerm = { terms: { terms, has: 'any' as const } }
      equal(await countPosts(storage, { ...published, ...anyTerm }), 3, 'of posts with two fitting terms')
      equal(await findPosts(storage, { ...published, ...anyTerm }), ids.slice(0, 3), 'each of them once')
      equal(await countPosts(storage, { total: false }), 0, 'not requested')
      equal(await countPosts(storage, { total: undefined }), 0, 'undefined')
    },
  },
  {
    name: 'returns an ids page with type, status, author, parent and version',
    async run(storage) {
      const id = await addPost(storage, { type: 'page', status: 'draft', author: 5, parent: 6, title: 'x' })
      await storage.posts.update([{ id, changes: { status: 'private' } }])
      const { idsPage } = await storage.posts.query({
        types: ['page'],
        order: { by: 'id', descending: false },
        offset: 0,
        limit: 10,
      })
      equal(idsPage, [{ id, type: 'page', status: 'private', author: 5, parent: 6, version: 2 }], 'the ids page')
    },
  },
  {
    name: 'reads posts in the order of the ids, each once, without unknown ids',
    async run(storage) {
      const [a, b, c] = (await addPosts(storage, [{}, {}, {}])) as [number, number, number]
      const rows = await storage.posts.read([c, 999, a, c, b, a])
      equal(
        rows.map((row) => row.id),
        [c, a, b],
        'the ids',
      )
      equal(await storage.posts.read([]), [], 'no ids')
    },
  },
  {
    name: 'returns a post as it was written',
    async run(storage) {
      const texts = [
        "it's",
        '"quoted"',
        '\\',
        '100%',
        'a_b',
        'line\nbreak\r\n\ttab',
        '😀é',
        'e\u0301',
        ' spaces ',
        '\u2028',
      ]
      const text = texts.join('|')
      const values = postValues({
        slug: text,
        title: text,
        content: text.repeat(2000),
        excerpt: text,
        author: 123456789,
        parent: 987654321,
        dateGmt: null,
        password: text,
        commentStatus: 'closed',
        format: 'aside',
        sticky: true,
        template: text,
        featuredMedia: 77,
        mimeType: 'image/png',
      })
      const [plain, full] = (await storage.posts.insert([postValues(), values])) as [number, number]
      const rows = await storage.posts.read([full, plain])
      equal(
        rows,
        [
          { id: full, ...values, version: 1 },
          { id: plain, ...postValues(), version: 1 },
        ],
        'the rows',
      )
    },
  },
]
