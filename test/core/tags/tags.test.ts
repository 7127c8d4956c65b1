/** Tags of reads and tags of changes come from the same names: no change of a result lacks a tag of its read. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Storage } from '../../../src/contract/storage.ts'
import { observedStorage } from '../../../src/core/changes/observed-storage.ts'
import type { ChangeSet, RowChange } from '../../../src/core/changes/row-change.ts'
import { tagsOfChanges } from '../../../src/core/tags/change-tags.ts'
import { isTouched } from '../../../src/core/tags/list-reads.ts'
import { ReadTags } from '../../../src/core/tags/read-tags.ts'
import { memoryStorage } from '../../../src/storage/memory/index.ts'
import { addPosts, addTerm, addUser } from '../../../src/testing/content.ts'
import { type Content, content, type Step, shelf, write } from '../../storage/generated-content.ts'
import { postQuery, recordQuery, termQuery, userQuery } from '../../storage/generated-queries.ts'
import { casesOf } from '../../support/generated-cases.ts'

/** A list of one record, a list of an owner by name, and lists by other fields. */
const collection = { ...shelf, orders: [['owner', 'name', 'size']] }
const rules = {
  ...{ collections: new Map([[collection.name, collection]]), shownOptions: new Set<string>() },
  ...{ needsTerms: () => false, looksForOthers: true },
}

const all = { order: { by: 'id', descending: false }, offset: 0, limit: 1000 } as const
const ids = Array.from({ length: 40 }, (_, index) => index + 1)

async function rowsOf(storage: Storage) {
  const posts = await storage.posts.read(ids)
  const { rows: terms } = await storage.terms.query(all)
  const { rows: users } = await storage.users.query(all)
  const { rows: records } = await storage.records.query(collection, {})
  const assigned = await storage.terms.of(ids)
  const lists = Map.groupBy(assigned, ({ post, taxonomy }) => `${post} ${taxonomy}`)
  return {
    posts: new Map(posts.map((row) => [row.id, row])),
    // Counts follow from the posts.
    terms: new Map(terms.map(({ count: _, ...row }) => [row.id, row])),
    users: new Map(users.map((row) => [row.id, row])),
    records: new Map(records.map((row) => [row.id, row])),
    assignments: new Map([...lists].map(([key, list]) => [key, list.map(({ term }) => term)])),
  }
}

type Rows = Awaited<ReturnType<typeof rowsOf>>

const isEqual = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

function changesBetween(before: Rows, after: Rows): RowChange[] {
  const changes: RowChange[] = []
  for (const store of ['posts', 'terms', 'users', 'records'] as const) {
    for (const id of new Set([...before[store].keys(), ...after[store].keys()])) {
      const [had, has] = [before[store].get(id), after[store].get(id)]
      if (isEqual(had, has)) continue
      const images = { ...(had && { before: had }), ...(has && { after: has }) }
      const subject = store === 'records' ? { store, collection: collection.name, id } : { store, id }
      // The cast: rows and store belong together.
      changes.push({ ...subject, ...images } as RowChange)
    }
  }
  for (const key of new Set([...before.assignments.keys(), ...after.assignments.keys()])) {
    const [had = [], has = []] = [before.assignments.get(key), after.assignments.get(key)]
    const [post, taxonomy = ''] = key.split(' ')
    if (!isEqual(had, has))
      changes.push({ store: 'assignments', post: Number(post), taxonomy, before: had, after: has })
  }
  return changes
}

const reads = fc.record({
  posts: fc.array(postQuery, { maxLength: 25, size: 'max' }),
  terms: fc.array(termQuery, { maxLength: 10, size: 'max' }),
  users: fc.array(userQuery, { maxLength: 10, size: 'max' }),
  records: fc.array(recordQuery, { maxLength: 20, size: 'max' }),
})
type Reads = typeof reads extends fc.Arbitrary<infer T> ? T : never

type Read = (storage: Storage) => unknown

const lookUps: readonly Read[] = [
  async ({ posts }) => posts.childCounts('revision', [0, 1, 2, 3]),
  async ({ posts }) => posts.takenSlugs('post', ['a', 'b0', 'é1']),
  async ({ posts }) => posts.read([1, 2, 3, 31, 32]),
  async ({ terms }) => terms.of([1, 2, 3, 4]),
  async ({ terms }) => terms.below([1, 2]),
]

/** Versions are shown nowhere; every write makes another one. */
const shown = (result: unknown) => JSON.stringify(result, (name, value: unknown) => (name === 'version' ? 0 : value))

const readsOf = (generated: Reads): readonly Read[] => [
  ...generated.posts.map((query) => async (storage: Storage) => storage.posts.query({ ...query, total: true })),
  ...generated.terms.map((query) => async (storage: Storage) => storage.terms.query({ ...query, total: true })),
  ...generated.users.map((query) => async (storage: Storage) => storage.users.query({ ...query, total: true })),
  ...generated.records.map((query) => async (storage: Storage) => storage.records.query(collection, query)),
  ...lookUps,
]

async function readWithTags(read: Read, storage: Storage) {
  const recorder = new ReadTags(rules.collections, { keepsLists: true })
  const result = shown(await read(recorder.storage(storage)))
  expect(recorder.isComplete).toBe(true)
  return { read, result, tags: recorder.tags, sources: recorder.sources }
}

const columns = [
  'status',
  'slug',
  'title',
  'content',
  'excerpt',
  'author',
  'parent',
  'menuOrder',
  'date',
  'dateGmt',
  'modified',
  'password',
  'sticky',
  'format',
] as const
const small = fc.integer({ min: 1, max: 30 })

/** Changes of one column alone, to the value of another row: a change of several has more tags. */
const single = fc.oneof(
  fc.tuple(small, small, fc.constantFrom(...columns)).map(([id, from, column]) => ({ posts }: Content): Step => {
    const value = posts[from % Math.max(1, posts.length)]?.[column]
    const changes = column === 'slug' && value !== '' ? { slug: `${value}x${id}` } : { [column]: value ?? '' }
    return (storage) => storage.posts.update([{ id, changes }])
  }),
  fc.tuple(small, fc.integer({ min: 1, max: 8 })).map(
    ([post, term]) =>
      (): Step =>
      async (storage) => {
        const { rows } = await storage.terms.query({ ...all, ids: [term] })
        const taxonomy = rows[0]?.taxonomy ?? 'tag'
        const had = (await storage.terms.of([post])).filter((one) => one.taxonomy === taxonomy).map((one) => one.term)
        const terms = had.includes(term) ? had.filter((one) => one !== term) : [...had, term]
        await storage.terms.assign([{ post, taxonomy, terms }])
      },
  ),
  fc
    .tuple(fc.integer({ min: 1, max: 8 }), fc.constantFrom('name', 'slug', 'parent'), fc.integer({ min: 0, max: 8 }))
    .map(
      ([id, column, value]) =>
        (): Step =>
        ({ terms }) =>
          terms.update([{ id, changes: { [column]: column === 'parent' ? value : `t${value}` } }]),
    ),
  fc.tuple(small, fc.constantFrom('owner', 'size', 'name', 'ready'), fc.integer({ min: 0, max: 3 })).map(
    ([id, field, value]) =>
      (): Step =>
      ({ records }) =>
        records.update(collection, [
          { id, changes: { [field]: field === 'name' ? `${value}` : field === 'ready' ? value > 1 : value } },
        ]),
  ),
)

test('each change of a result has a tag of the read', { timeout: 300_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(
      content,
      fc.array(single, { maxLength: 40, size: 'max' }),
      reads,
      async (made, singles, generated) => {
        const storage = memoryStorage()
        await write(storage, { ...made, steps: [] })
        const steps = [...singles.map((step) => step(made)), ...made.steps]
        const known = await Promise.all(readsOf(generated).map((read) => readWithTags(read, storage)))
        for (const step of steps) {
          const before = await rowsOf(storage)
          try {
            await step(storage)
          } catch {
            continue
          }
          const changes = changesBetween(before, await rowsOf(storage))
          const touch = await tagsOfChanges(changes, storage, rules)
          for (const [at, { read, result, tags, sources }] of known.entries()) {
            const now = await readWithTags(read, storage)
            if (now.result !== result) {
              const message = messageOf(at, generated, changes, tags, touch.tags)
              expect(
                [...tags].some((tag) => touch.tags.has(tag)),
                message,
              ).toBe(true)
              expect(isTouched(sources, touch), `by the posts: ${message}`).toBe(true)
            }
            known[at] = now
          }
        }
      },
    ),
    { numRuns: casesOf(500, 1 / 10), endOnFailure: true },
  )
})

function messageOf(
  at: number,
  generated: Reads,
  changes: readonly RowChange[],
  tags: Iterable<string>,
  touched: Iterable<string>,
) {
  const query = Object.values(generated).flat()[at]
  return `${JSON.stringify({ at, query, changes })}\n${[...tags].join(' ')}\n${[...touched].join(' ')}`
}

/** So many have no tag each. */
const many = Array.from({ length: 120 }, (_, index) => index + 1)
const noSearch = { every: ['hull'], none: [], columns: [], exact: false } as const
const ofPosts = { types: ['post'], ...all } as const

/** Made for a post without a parent, which has the second of two terms. */
const conditions: { readonly [name: string]: (ids: Ids) => readonly [Read, Step] } = {
  'a term that is left out': ({ post, term, other }) => [
    ({ posts }) => posts.query({ ...ofPosts, terms: { terms: [term], has: 'none' } }),
    ({ terms }) => terms.assign([{ post, taxonomy: 'category', terms: [term, other] }]),
  ],
  'a term that is left out of those with another': ({ post, term, other }) => [
    ({ posts }) => {
      const every = [
        { terms: [term], has: 'none' as const },
        { terms: [other], has: 'any' as const },
      ]
      return posts.query({ ...ofPosts, terms: { every } })
    },
    ({ terms }) => terms.assign([{ post, taxonomy: 'category', terms: [term, other] }]),
  ],
  'a format': ({ post }) => [
    ({ posts }) => posts.query({ ...ofPosts, terms: { formats: ['aside'] } }),
    ({ posts }) => posts.update([{ id: post, changes: { format: 'aside' } }]),
  ],
  'a text in the meta': ({ post }) => [
    ({ posts }) => posts.query({ ...ofPosts, search: { ...noSearch, meta: ['alt'] } }),
    ({ meta }) => meta.write('post', [{ id: post, key: 'alt', value: 'Hull' }]),
  ],
  'a text in the meta of one post': ({ post }) => [
    ({ posts }) => posts.query({ ...ofPosts, ids: [post], search: { ...noSearch, meta: ['alt'] } }),
    ({ meta }) => meta.write('post', [{ id: post, key: 'alt', value: 'Hull' }]),
  ],
  'posts of terms below one': ({ post, term, below }) => [
    ({ terms }) => terms.query({ ...all, ids: [term], counted: 'orBelow' }),
    ({ terms }) => terms.assign([{ post, taxonomy: 'category', terms: [below] }]),
  ],
  'terms of many posts': ({ draft, term }) => [
    ({ terms }) => terms.query({ ...all, posts: many }),
    ({ terms }) => terms.assign([{ post: draft, taxonomy: 'category', terms: [term] }]),
  ],
  'the order of users': ({ user }) => [
    // Rows that are shown add the tags of their columns.
    async ({ users }) =>
      (await users.query({ ...all, order: { by: 'displayName', descending: false } })).rows.map(({ id }) => id),
    ({ users }) => users.update([{ id: user, changes: { displayName: 'Zoe' } }]),
  ],
  'the last post of an author': ({ authored }) => [
    ({ users }) => users.query({ ...all, authorsOf: { types: ['post'], statuses: ['publish'] } }),
    ({ posts }) => posts.update([{ id: authored, changes: { status: 'draft' } }]),
  ],
  'the first post of one author': ({ reader, draft }) => [
    ({ users }) => users.query({ ...all, ids: [reader], authorsOf: { types: ['post'], statuses: ['publish'] } }),
    ({ posts }) => posts.update([{ id: draft, changes: { status: 'publish', author: reader } }]),
  ],
  'slugs below a post': ({ post }) => [
    ({ posts }) => posts.takenSlugs('post', ['a'], 7),
    ({ posts }) => posts.update([{ id: post, changes: { parent: 7 } }]),
  ],
  'many slugs': ({ post }) => [
    ({ posts }) =>
      posts.takenSlugs(
        'post',
        many.map((at) => `a${at}`),
      ),
    ({ posts }) => posts.update([{ id: post, changes: { slug: 'a9' } }]),
  ],
  'children of many posts': ({ post }) => [
    ({ posts }) => posts.childCounts('post', many),
    ({ posts }) => posts.update([{ id: post, changes: { parent: 7 } }]),
  ],
}

async function furnish(storage: Storage) {
  const [post, draft] = await addPosts(storage, [{ slug: 'a' }, { slug: 'b', status: 'draft' }])
  const term = await addTerm(storage, 'term')
  const [other, below] = [await addTerm(storage, 'other'), await addTerm(storage, 'below', { parent: term })]
  if (post === undefined || draft === undefined) throw new Error('no posts')
  await storage.terms.assign([{ post, taxonomy: 'category', terms: [other] }])
  const user = await addUser(storage, 'ann', { displayName: 'Ann' })
  const author = await addUser(storage, 'ben', { displayName: 'Ben' })
  const reader = await addUser(storage, 'cid', { displayName: 'Cid' })
  const [authored] = await addPosts(storage, [{ slug: 'c', author }])
  if (authored === undefined) throw new Error('no post')
  return { post, draft, term, other, below, user, reader, authored }
}

type Ids = Awaited<ReturnType<typeof furnish>>

test.each(Object.entries(conditions))('a change ends what depends on %s', async (_, conditionOf) => {
  const changes: RowChange[] = []
  const observer = { wants: () => true, afterCommit: (set: ChangeSet) => void changes.push(...set.changes) }
  const storage = observedStorage(memoryStorage(), [observer], () => ['post'])
  const [read, step] = conditionOf(await furnish(storage))
  const { result, tags, sources } = await readWithTags(read, storage)
  changes.length = 0
  await step(storage)
  expect(shown(await read(storage))).not.toBe(result)
  const touch = await tagsOfChanges(changes, storage, rules)
  expect([...tags].filter((tag) => touch.tags.has(tag))).not.toEqual([])
  expect(isTouched(sources, touch)).toBe(true)
})

test('reads of meta and options have the tags of their keys', async () => {
  const storage = memoryStorage()
  const cases: readonly [Read, RowChange][] = [
    [
      async ({ meta }) => meta.read('post', [3], ['a']),
      { store: 'meta', owner: 'post', id: 3, key: 'a', before: null, after: 1 },
    ],
    [
      async ({ meta }) => meta.read('user', [3]),
      { store: 'meta', owner: 'user', id: 3, key: 'b c', before: null, after: 1 },
    ],
    [async ({ options }) => options.read(['x']), { store: 'options', name: 'x', before: null, after: 1 }],
    [async ({ options }) => options.read(), { store: 'options', name: 'y', before: null, after: 1 }],
  ]
  for (const [read, change] of cases) {
    const { tags } = await readWithTags(read, storage)
    const { tags: touched } = await tagsOfChanges([change], storage, rules)
    expect(
      [...tags].some((tag) => touched.has(tag)),
      [...tags].join(),
    ).toBe(true)
    const { tags: other } = await tagsOfChanges(
      [{ ...change, id: 4, name: 'z', key: 'd' } as unknown as RowChange],
      storage,
      rules,
    )
    if (![...tags].includes('options')) expect([...tags].some((tag) => other.has(tag))).toBe(false)
  }
})
