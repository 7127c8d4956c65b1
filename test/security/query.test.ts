/** Filters and query strings are typed, limited, matched literally, and the same on every storage. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Args, SchemaNode } from '../../src/core/declare/args.ts'
import { d1 } from '../../src/profiles/d1.ts'
import { createTestSite, type TestSite } from '../support/site.ts'
import { isWrite, recorded, type StorageCall } from '../support/spied-storage.ts'
import { signedInBefore } from './signed-in-before.ts'

const { calls, wrap } = recorded()
let site: TestSite

beforeAll(async () => {
  site = await signedInBefore(await createTestSite({ storage: wrap, limits: { responseBytes: 0 } }))
})
beforeEach(() => {
  calls.length = 0
})
afterEach(() => {
  expect(site.failures).toEqual([])
  expect(calls.filter(isWrite)).toEqual([])
})
afterAll(() => site.dispose())

const list = (query: string, login: string | null = null) => site.as(login)('GET', '/cms/v2/posts', { query })
const ids = (body: readonly { readonly id: number }[]) => body.map(({ id }) => id)
const queries = () => calls.filter(({ name }) => name === 'posts.query').map(({ args }) => args[0])

const takesIntegers = (node: SchemaNode): boolean => {
  const items = node.type === 'array' ? node.items : undefined
  return items?.type === 'integer' || (node.oneOf ?? []).some(takesIntegers)
}
/** Every argument of a GET route that is declared as a list of integers. */
const integerLists = d1.features.flatMap(({ namespace, endpoints }) =>
  endpoints
    .filter(({ methods, path }) => methods.includes('GET') && !path.includes('('))
    .flatMap(({ path, args }) =>
      Object.entries(args)
        .filter(([, { node }]) => takesIntegers(node))
        .map(([name]) => [`/${namespace}${path}`, name, requiredIn(args, name)] as const),
    ),
)

/** The other required arguments of the route; all are numbers so far. */
function requiredIn(args: Args, tested: string): string {
  const names = Object.keys(args).filter((name) => name !== tested && args[name]?.node.required === true)
  return names.map((name) => `&${name}=1`).join('')
}

describe('lists of integers accept integers only', () => {
  test('the profiles declare lists of integers', () => {
    expect(integerLists).toContainEqual(['/cms/v2/posts', 'include', ''])
    expect(integerLists.length).toBeGreaterThan(7)
  })

  test.each(integerLists)('%s checks %s', async (path, name, others) => {
    for (const bad of [
      `${name}=1) OR 1=1-- `,
      `${name}=1);DROP TABLE posts;--`,
      `${name}[]=1 or 1`,
      `${name}=abc`,
      `${name}[]=1&${name}[]=b`,
      `${name}=1,2,x`,
      `${name}=1.5`,
      `${name}=0x10`,
      `${name}[]=NaN`,
      `${name}[]=Infinity`,
      `${name}[x]=1`,
      `${name}[$gt]=0`,
      `${name}[][]=1`,
      `${name}=9007199254740993`,
      `${name}=1e400`,
    ]) {
      const { status, body } = await site.as('ada')('GET', path, { query: encodeURI(bad) + others })
      expect({ bad, status, named: Object.keys(body.data?.params ?? {}) }).toEqual({ bad, status: 400, named: [name] })
    }
    // No rejected value reaches a query.
    expect(calls.filter(({ name }) => /^(?:posts|terms)\./.test(name)).map(({ name }) => name)).toEqual([])
  })

  test('valid values reach the storage as numbers', async () => {
    const [news, red] = [site.ids['category.news'], site.ids['tag.red']]
    await list(`include=1,2&author[]=3&exclude=%204&categories=${news}&tags[terms]=${red}&tags[operator]=AND`)
    const numbers = (value: unknown): unknown[] =>
      typeof value === 'object' && value !== null ? Object.values(value).flatMap(numbers) : [value]
    const [{ ids: found, authors, terms }] = queries() as [{ ids: unknown; authors: unknown; terms: unknown }]
    expect({ found, authors }).toEqual({ found: [1, 2], authors: [3] })
    expect(numbers(terms).filter((value) => value !== 'any' && value !== 'all')).toEqual([news, red])
  })
})

describe('slugs are compared as values', () => {
  const odd = [
    "'",
    "x' OR '1'='1",
    '"',
    '\\',
    '%',
    '%25',
    '_',
    ';',
    '; DROP TABLE posts',
    '😀',
    '日本',
    '--',
    '/*',
    '$1',
    '?',
    '(',
  ]

  test('odd slugs match nothing and keep the order of the others', async () => {
    const { body } = await list(
      `orderby=include_slugs&${['knots', ...odd, 'hello', 'ferry'].map((slug) => `slug[]=${encodeURIComponent(slug)}`).join('&')}`,
    )
    expect(ids(body)).toEqual(['knots', 'hello', 'ferry'].map((key) => site.ids[`post.${key}`]))
  })

  test.each(odd)('%j matches no other slug', async (slug) => {
    const { status, body } = await list(`slug[]=${encodeURIComponent(slug)}&orderby=include_slugs`)
    // Interface: a value that sanitizes to an empty slug is no filter: the complete list, never a part of it.
    const all = await list('')
    expect(status).toBe(200)
    expect([[], ids(all.body)]).toContainEqual(ids(body))
  })
})

describe('search is literal and limited', () => {
  test.each([
    '%',
    '_',
    '\\',
    "'",
    '"',
    '%%',
    'h_llo',
    'hel%',
    '*',
    '?',
    '$',
    '(',
    "' OR 1=1 --",
    'hello*',
    'NEAR(hello quay)',
    'title:hello',
    'hello OR ferry',
    'hello AND quay AND',
    '^hello',
    '{title}: hello',
  ])('%j is no wildcard', async (text) => {
    const { status, body, headers } = await list(
      `search=${encodeURIComponent(text)}&orderby=relevance&per_page=100`,
      'ada',
    )
    expect(status).toBe(200)
    // No title or text of the site contains any of these; as patterns, some would match.
    expect({ body, total: headers.get('x-cms-total') }).toEqual({ body: [], total: '0' })
  })

  test('finds a special character in a title', async () => {
    const own = await createTestSite()
    for (const title of ['100% sure', '1000 sure', 'under_score', 'underxscore', 'back\\slash', "o'clock"]) {
      await own.as('edith')('POST', '/cms/v2/posts', { body: { title, status: 'publish' } })
    }
    for (const [text, title] of [
      ['100%', '100% sure'],
      ['under_', 'under_score'],
      ['back\\', 'back\\slash'],
      ["o'c", "o'clock"],
    ] as const) {
      const { body } = await own.as('edith')('GET', '/cms/v2/posts', { query: { search: text, context: 'edit' } })
      expect(body.map((post: { title: { raw: string } }) => post.title.raw)).toEqual([title])
    }
    await own.dispose()
  })

  test.each([
    ['10 000 characters', 'a'.repeat(10_000)],
    ['one beyond the limit', 'a'.repeat(1001)],
    ['1 000 words', 'word '.repeat(1000)],
  ])('rejects %s without a query', async (_, text) => {
    expect(await list(`search=${encodeURIComponent(text)}`)).toMatchObject({
      status: 400,
      body: { data: { params: { search: expect.any(String) } } },
    })
    expect(queries()).toEqual([])
  })

  test.each([
    ['as many characters as the limit allows', 'a'.repeat(1000)],
    ['as many words', 'ab '.repeat(333)],
    [
      'as many different words',
      Array.from({ length: 250 }, (_, index) => `w${index}`.slice(0, 4))
        .join(' ')
        .slice(0, 1000),
    ],
    ['as many excluded words', '-ab '.repeat(250)],
    ['quotes without an end', `"${'a" '.repeat(300)}`.slice(0, 1000)],
    ['accents without letters', '\u0301'.repeat(1000)],
  ])('searches for %s with one query', async (_, text) => {
    for (const orderby of ['date', 'relevance']) {
      calls.length = 0
      const { status } = await list(`search=${encodeURIComponent(text)}&orderby=${orderby}`)
      expect(status).toBe(200)
      expect(queries()).toHaveLength(1)
    }
  })
})

describe('page sizes', () => {
  const bad = ['-1', '0', '101', '0x10', '10abc', '1.5', '99999999999999999999', 'abc', '1e2000', 'NaN', '', '٣', '1,2']
  test.each(bad)('rejects per_page=%s', async (value) => {
    expect(await list(`per_page=${encodeURIComponent(value)}`)).toMatchObject({
      status: 400,
      body: { data: { params: { per_page: expect.any(String) } } },
    })
  })

  test.each(['-1', '0', '1.5', '0x1', '1e400', '99999999999999999999'])('rejects page=%s', async (value) => {
    expect(await list(`page=${value}`)).toMatchObject({
      status: 400,
      body: { data: { params: { page: expect.any(String) } } },
    })
  })

  test.each([
    'page=9007199254740991',
    'page=9007199254740991&per_page=100',
    'offset=9007199254740991',
    'offset=-9007199254740991',
  ])('does not fail for the largest safe integer: %s', async (query) => {
    expect([200, 400]).toContain((await list(query)).status)
  })
})

describe('the last value of a name counts', () => {
  test.each([
    ['page=1&page=2', 'page=2'],
    ['page=2&page=1', 'page=1'],
    ['per_page[]=1&per_page=2', 'per_page=2'],
    ['include=1&include[]=2', 'include[]=2'],
    ['include[]=2&include=1', 'include=1'],
    ['include[]=1&include[]=2', 'include=1,2'],
    ['include%5B%5D=1&include%5B%5D=2', 'include=1,2'],
    ['categories=1&categories[terms]=2', 'categories[terms]=2'],
    ['categories[terms]=2&categories=1', 'categories=1'],
    ['tags[terms]=1&tags[terms]=2', 'tags[terms]=2'],
    ['%69nclude=1', 'include=1'],
  ])('%s means %s', async (query, meaning) => {
    await list(query)
    const expected = queries()
    calls.length = 0
    await list(meaning)
    expect(expected).toHaveLength(1)
    expect(expected).toEqual(queries())
    // The same rule applies to calls inside the process.
    calls.length = 0
    await site.api.call('GET', `/cms/v2/posts?${query}`).catch(() => undefined)
    expect(queries()).toEqual(expected)
  })
})

describe('queries that are costly to parse', () => {
  const brackets = (depth: number) => `include${'[a]'.repeat(depth)}=1`

  test.each<[string, string, number[]]>([
    ['200 nested brackets', brackets(200), [400, 414]],
    ['5 nested brackets of an undeclared name', `x${'[a]'.repeat(5)}=1`, [400, 414]],
    ['10 000 parameters', Array.from({ length: 10_000 }, (_, index) => `a${index}=1`).join('&'), [400, 414]],
    ['10 000 empty parameters', 'a&'.repeat(10_000), [400, 414]],
    ['1 001 values of one list', 'include[]=1&'.repeat(1001), [400, 414]],
    ['a million commas', `include=${','.repeat(1_000_000)}`, [400, 414]],
    ['a million spaces', `include=${'+'.repeat(1_000_000)}`, [400, 414]],
    ['a million brackets', `${'['.repeat(1_000_000)}`, [400, 414]],
    ['a name of 40 000 letters', `${'a'.repeat(40_000)}=1`, [400, 414]],
  ])('rejects %s before any query', async (_, query, statuses) => {
    expect(statuses).toContain((await list(query)).status)
    expect(calls.filter(({ name }) => name !== 'options.read')).toEqual([])
  })

  // Recorded: `a[3]=1` is a list of one. A large key does not make a longer list.
  test.each(['include[999999999]=1', 'include[4294967296]=1', 'include[007]=1'])(
    '%s makes a list of at most one value',
    async (query) => {
      const { status } = await list(query)
      if (status === 200) expect(queries()).toMatchObject([{ ids: [1] }])
      else expect(status).toBe(400)
    },
  )

  test('a value of commas only is an empty list', async () => {
    await list(`include=${','.repeat(30_000)}`)
    expect(queries()).toMatchObject([expect.not.objectContaining({ ids: expect.anything() })])
  })
})

describe('numbers are exact', () => {
  test.each([
    '9007199254740993',
    '9007199254740992',
    '99999999999999999999',
    '1e3',
    '+1',
    '%2B1',
    '١',
    '%D9%A1',
    '12.0',
    '-1',
    '0x1',
    '1,2',
    '1%20',
    '0',
    '00000000000000000000',
  ])('a path with the id %s is 404', async (id) => {
    for (const path of [`/cms/v2/posts/${id}`]) {
      const { status } = await site.as('ada')('GET', path)
      expect(status).toBe(404)
    }
  })

  test('a number above the safe integers is not rounded to its neighbour', async () => {
    const { status } = await site.as('ada')('GET', '/cms/v2/posts/9007199254740993')
    expect(status).toBe(404)
    const reads = calls.filter(({ name }) => name === 'posts.read').flatMap(({ args }) => args[0])
    expect(reads.every((id) => id === 0)).toBe(true)
  })

  test.each<[string, readonly number[] | 400]>([
    ['9007199254740991', [9007199254740991]],
    ['9007199254740993', 400],
    ['99999999999999999999', 400],
    ['1e3', [1000]],
    ['+1', [1]],
    ['%2B1', [1]],
    ['12.0', [12]],
    ['0012', [12]],
    ['12.5', 400],
    ['٣', 400],
    ['１', 400],
    ['0b1', 400],
    ['1_000', 400],
    ['-0', [0]],
  ])('a filter %s is exactly its number or rejected', async (value, meaning) => {
    const { status } = await list(`include=${value}`)
    expect(status === 400 ? status : (queries() as { ids: number[] }[])[0]?.ids).toEqual(meaning)
    if (meaning !== 400) expect(Object.is((queries() as { ids: number[] }[])[0]?.ids[0], -0)).toBe(false)
  })
})

describe('argument names of the storage contract', () => {
  const names = [
    'where',
    'filter',
    'sort',
    'lookup',
    'limit',
    'total',
    'statuses',
    'types',
    'ids',
    'parents',
    'withPassword',
    'dates',
    'every',
    'some',
    'order[by]',
    'where[field]',
    '$where',
    'posts',
    'storage',
  ]
  const described = (found: readonly StorageCall[]) => found.filter(({ name }) => name !== 'options.read')

  test.each(names)('%s is ignored and never passed to the storage', async (name) => {
    const { body: plain } = await list('per_page=2&order=asc')
    const expected = described(calls)
    calls.length = 0
    const { status, body } = await list(`per_page=2&order=asc&${encodeURIComponent(name)}=1&${name}[x]=2`)
    // `order` is declared; an object is of the wrong type.
    if (name.startsWith('order')) return expect(status).toBe(400)
    expect(body).toEqual(plain)
    expect(described(calls).filter(({ name }) => name === 'posts.query')).toEqual(
      expected.filter(({ name }) => name === 'posts.query'),
    )
  })
})
