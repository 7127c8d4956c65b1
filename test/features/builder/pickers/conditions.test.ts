/** Conditions on meta and terms in a search for posts. */
import { describe, expect, test } from 'vitest'
import { smallSite } from '../../../support/small-site.ts'
import { invalidParams, labels, openSite } from './fixture.ts'

const boat = (key: string, meta: object, more: object = {}) => ({
  key,
  slug: key,
  title: `Boat ${key}`,
  content: '',
  status: 'publish',
  author: 'author',
  date: '2024-05-01T10:00:00',
  meta,
  ...more,
})

const seed = {
  ...smallSite,
  posts: [
    ...smallSite.posts,
    boat('ann', { length: 9, tone: 'Red' }, { categories: ['news'], tags: ['red'] }),
    boat('bob', { length: '12', tone: 'green' }, { categories: ['news-harbour'], tags: ['red', 'green'] }),
    boat('cat', { length: 30, _builder_data: '[]' }, { categories: ['guides'], tags: [] }),
  ],
}

const labelsWith = async (query: string) => labels((await openSite({ seed })).connie, 'post', `term=boat&${query}`)
const invalidParamsWith = async (query: string) =>
  invalidParams((await openSite({ seed })).connie, 'post', `term=boat&${query}`)
const boats = (keys: string) => keys.split(' ').map((key) => `Boat ${key}`)
const json = (name: string, value: unknown) => `${name}=${encodeURIComponent(JSON.stringify(value))}`

describe('conditions on meta', () => {
  test.each<[object, string]>([
    [{ key: 'tone', value: 'red' }, 'ann'],
    [{ key: 'tone', value: 'RED', compare: '=' }, 'ann'],
    [{ key: 'tone', value: 'red', compare: '!=' }, 'bob'],
    [{ key: 'tone', value: 're', compare: 'like' }, 'ann bob'],
    [{ key: 'tone', value: 'een', compare: 'NOT LIKE' }, 'ann'],
    [{ key: 'tone', value: ['red', 'blue'] }, 'ann'],
    [{ key: 'tone', value: ['red'], compare: 'NOT IN' }, 'bob'],
    [{ key: 'tone', compare: 'EXISTS' }, 'ann bob'],
    [{ key: 'tone', compare: 'NOT EXISTS' }, 'cat'],
    [{ key: 'length', value: 10, compare: '>', type: 'NUMERIC' }, 'bob cat'],
    [{ key: 'length', value: '12', compare: '>=', type: 'numeric' }, 'bob cat'],
    [{ key: 'length', value: 12, compare: '<', type: 'SIGNED' }, 'ann'],
    [{ key: 'length', value: 12, compare: '<=', type: 'DECIMAL(10,2)' }, 'ann bob'],
    [{ key: 'length', value: [10, 20], compare: 'BETWEEN', type: 'UNSIGNED' }, 'bob'],
    [{ key: 'length', value: [10, 20], compare: 'NOT BETWEEN', type: 'NUMERIC' }, 'ann cat'],
    // Compared as texts, 12 and 30 are below 9.
    [{ key: 'length', value: '9', compare: '<' }, 'bob cat'],
  ])('%j', async (condition, keys) => {
    expect(await labelsWith(json('meta_query', [condition]))).toEqual(boats(keys))
  })

  test('are joined by AND or by the given relation, and can be nested', async () => {
    const [red, long] = [
      { key: 'tone', value: 'red' },
      { key: 'length', value: 20, compare: '>', type: 'NUMERIC' },
    ]
    expect(await labelsWith(json('meta_query', [red, long]))).toEqual([])
    expect(await labelsWith(json('meta_query', { relation: 'or', 0: red, 1: long }))).toEqual(boats('ann cat'))
    const nested = [
      { key: 'length', compare: 'EXISTS' },
      { relation: 'OR', a: red, b: long },
    ]
    expect(await labelsWith(json('meta_query', nested))).toEqual(boats('ann cat'))
    expect(await labelsWith('meta_query[0][key]=tone&meta_query[0][value]=red')).toEqual(boats('ann'))
    expect(await labelsWith(json('meta_query', red))).toEqual(boats('ann'))
    expect(await labelsWith('meta_query=')).toEqual(boats('ann bob cat'))
    expect(await labelsWith('meta_query=[]')).toEqual(boats('ann bob cat'))
  })

  test.each<[string, unknown]>([
    ['protected', [{ key: '_builder_data', compare: 'EXISTS' }]],
    ['protected inside', [{ relation: 'OR', x: { key: '_edit_lock', value: 1 } }]],
    ['without a key', [{ value: 1 }]],
    ['with no text as key', [{ key: 7, value: 1 }]],
    ['with an unknown comparison', [{ key: 'tone', value: 1, compare: 'REGEXP' }]],
    ['with an unknown type', [{ key: 'tone', value: 1, type: 'BLOB' }]],
    ['with an object as value', [{ key: 'tone', value: { a: { b: 1 } } }]],
    ['too many', Array.from({ length: 21 }, () => ({ key: 'tone', value: 1 }))],
    ['too deep', [[[[[{ key: 'tone', value: 1 }]]]]]],
    ['with another relation', { relation: 'XOR', a: { key: 'tone', value: 1 } }],
  ])('refuses conditions: %s', async (_, conditions) => {
    expect(await invalidParamsWith(json('meta_query', conditions))).toEqual([400, 'rest_invalid_param', 'meta_query'])
  })

  test('refuses text that is not a list of conditions', async () => {
    for (const text of ['tone', '{broken', '12']) {
      expect(await invalidParamsWith(`meta_query=${text}`)).toEqual([400, 'rest_invalid_param', 'meta_query'])
    }
  })

  test('are evaluated over windows until enough posts match', async () => {
    const many = Array.from({ length: 1200 }, (_, index) => boat(`n${index}`, index > 1100 ? { late: 1 } : {}))
    const { connie } = await openSite({ seed: { ...seed, posts: [...seed.posts, ...many] } })
    const titles = await labels(
      connie,
      'post',
      `term=boat&items_count=5&${json('meta_query', [{ key: 'late', value: 1 }])}`,
    )
    expect(titles).toEqual(boats('n1101 n1102 n1103 n1104 n1105'))
  })
})

describe('conditions on terms', () => {
  const bySlug = (taxonomy: string, terms: unknown, more: object = {}) => [{ taxonomy, field: 'slug', terms, ...more }]

  test.each<[string, unknown, string]>([
    ['one', bySlug('post_tag', 'red'), 'ann bob'],
    ['any', bySlug('post_tag', ['red', 'green']), 'ann bob'],
    ['each', bySlug('post_tag', ['red', 'green'], { operator: 'AND' }), 'bob'],
    ['none', bySlug('post_tag', ['green'], { operator: 'NOT IN' }), 'ann cat'],
    ['with children', bySlug('category', 'news'), 'ann bob'],
    ['without children', bySlug('category', 'news', { include_children: false }), 'ann'],
    ['unknown', bySlug('post_tag', 'no-such-tag'), ''],
    ['each, one unknown', bySlug('post_tag', ['red', 'no-such-tag'], { operator: 'AND' }), ''],
    ['two', [...bySlug('post_tag', 'red'), ...bySlug('category', 'news-harbour')], 'bob'],
    ['either', { relation: 'OR', a: bySlug('post_tag', 'green')[0], b: bySlug('category', 'guides')[0] }, 'bob cat'],
  ])('%s', async (_, conditions, keys) => {
    expect(await labelsWith(json('tax_query', conditions))).toEqual(keys === '' ? [] : boats(keys))
  })

  test('match terms by id', async () => {
    const { connie, ids } = await openSite({ seed })
    const query = `term=boat&tax_query[0][taxonomy]=category&tax_query[0][terms]=${ids['category.guides']}`
    expect(await labels(connie, 'post', query)).toEqual(boats('cat'))
  })

  test('are combined with conditions on meta', async () => {
    const meta = json('meta_query', [{ key: 'tone', value: 'green' }])
    expect(await labelsWith(`${json('tax_query', bySlug('post_tag', 'red'))}&${meta}`)).toEqual(boats('bob'))
  })

  test.each<[string, unknown]>([
    ['of no taxonomy', [{ terms: 1 }]],
    ['of an unknown taxonomy', [{ taxonomy: 'nav_menu', terms: 1 }]],
    ['of __proto__', [{ taxonomy: '__proto__', terms: 1 }]],
    ['by another field', [{ taxonomy: 'category', field: 'name', terms: 'x' }]],
    ['with another operator', [{ taxonomy: 'category', terms: 1, operator: 'XOR' }]],
    ['with a text as id', [{ taxonomy: 'category', terms: '1) OR 1=1' }]],
    ['with terms in terms', [{ taxonomy: 'category', terms: [[1]] }]],
    ['with too many terms', [{ taxonomy: 'category', terms: Array.from({ length: 101 }, (_, index) => index) }]],
  ])('refuses conditions %s', async (_, conditions) => {
    expect(await invalidParamsWith(json('tax_query', conditions))).toEqual([400, 'rest_invalid_param', 'tax_query'])
  })
})
