/** Generated queries match the same rows in SQLite and PostgreSQL as in memory, also with cached statements. */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PostQuery, RecordQuery, Storage, TermTree, UserQuery, Where } from '../../src/contract/storage.ts'
import { memoryStorage } from '../../src/storage/memory/index.ts'
import { sqliteStorage } from '../../src/storage/sqlite.ts'
import { things } from '../../src/testing/content.ts'
import { driversOf } from '../support/drivers.ts'
import { isFullRun } from '../support/generated-cases.ts'
import { openPostgres } from '../support/postgres.ts'
import { fillStorage } from './fill-storage.ts'

const project = process.env.TEST_STORAGE ?? 'memory'
/** Memory first, then the engine with and without its search index. */
let storages: readonly Storage[] = []

beforeAll(async () => {
  storages = [memoryStorage(), ...(await Promise.all([true, false].map((searchIndex) => engine(searchIndex))))]
  if (isFullRun && project !== 'memory') storages = [...storages, ...(await onDrivers())]
  for (const storage of storages) await fillStorage(storage)
})
afterAll(async () => {
  for (const storage of storages) await storage.close?.()
})

/** The drivers of the package with the same engine. */
const onDrivers = () =>
  Promise.all(
    driversOf(project === 'postgres' ? 'postgres' : 'sqlite').map(async ([, , open]) => (await open()).storage),
  )

async function engine(searchIndex: boolean): Promise<Storage> {
  return project === 'postgres'
    ? (await openPostgres({ searchIndex })).storage
    : sqliteStorage(':memory:', { searchIndex })
}

const some = <T>(...values: T[]) => fc.subarray(values)
/** Mostly absent: with all conditions at once no row would match. */
const maybe = <T>(value: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value })
const ids = fc.uniqueArray(fc.integer({ min: 0, max: 130 }), { maxLength: 12 })
const authors = some(0, 1, 2, 3)
const words = some('a', 'an', 'ana', 'banana', 'ßtraße', 'zoe', '_', '%', 'na zo', 'nothing', '', 'ΣΑΣ'.toLowerCase())

const termTree: fc.Arbitrary<TermTree> = fc.letrec<{ tree: TermTree }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.record({
      terms: some(1, 2, 3, 4, 5, 99),
      has: fc.constantFrom('any' as const, 'all' as const, 'none' as const),
    }),
    fc.record({ formats: some('standard', 'gallery') }),
    fc.record({ every: fc.array(tie('tree'), { maxLength: 3 }) }),
    fc.record({ some: fc.array(tie('tree'), { maxLength: 3 }) }),
  ),
})).tree

const order: fc.Arbitrary<PostQuery['order']> = fc.oneof(
  fc.record({
    by: fc.constantFrom('date', 'modified', 'id', 'author', 'parent', 'title', 'slug' as const),
    descending: fc.boolean(),
  }) as fc.Arbitrary<PostQuery['order']>,
  fc.constantFrom({ by: 'ids' }, { by: 'slugs' }) as fc.Arbitrary<PostQuery['order']>,
  fc.record({ by: fc.constant('relevance' as const), phrase: fc.constantFrom('ana', 'zoe banana'), words }),
)

const day = fc.integer({ min: 1, max: 28 }).map((of) => `2024-01-${String(of).padStart(2, '0')}T12:00:00`)

const postQuery: fc.Arbitrary<PostQuery> = fc.record({
  types: fc.subarray(['post', 'page', 'revision'], { minLength: 1 }),
  statuses: maybe(
    fc.array(
      fc.record({ status: fc.constantFrom('publish', 'draft', 'private'), author: maybe(fc.constantFrom(1, 2)) }),
      { maxLength: 4 },
    ),
  ),
  ids: maybe(ids),
  notIds: maybe(ids),
  authors: maybe(authors),
  notAuthors: maybe(authors),
  parents: maybe(some(0, 1, 2, 3)),
  slugs: maybe(some('slug-1', 'slug-2', 'slug-30', '', 'none')),
  sticky: maybe(fc.boolean()),
  withPassword: maybe(fc.boolean()),
  dates: maybe(
    fc.array(
      fc.record({
        field: fc.constantFrom('date', 'dateGmt', 'modified' as const),
        after: maybe(day),
        before: maybe(day),
      }),
      { maxLength: 2 },
    ),
  ) as fc.Arbitrary<PostQuery['dates']>,
  terms: maybe(termTree),
  search: maybe(
    fc.record({
      every: words,
      none: some('zoe', 'q', ''),
      columns: some('title', 'content', 'excerpt' as const),
      exact: fc.boolean(),
    }),
  ) as fc.Arbitrary<PostQuery['search']>,
  order,
  offset: fc.constantFrom(0, 0, 1, 5, 200),
  limit: fc.constantFrom(0, 1, 7, 1000),
  total: fc.boolean(),
})

const scalar = (field: string) =>
  ({
    id: fc.integer({ min: 0, max: 40 }),
    name: fc.constantFrom('a', 'Ä', 'b', '', 'Zoë'),
    size: fc.integer({ min: -2, max: 4 }),
    weight: fc.constantFrom(0.5, -1, 2, 1e21),
    owner: fc.integer({ min: 0, max: 3 }),
    ready: fc.boolean(),
  })[field] as fc.Arbitrary<never>

const condition: fc.Arbitrary<Where> = fc
  .constantFrom(...comparable())
  .chain((field) =>
    fc.oneof(
      fc.record({ field: fc.constant(field), is: fc.option(scalar(field), { nil: null }) }),
      fc.record({ field: fc.constant(field), in: fc.array(fc.option(scalar(field), { nil: null }), { maxLength: 3 }) }),
      ...(kindOf(field) === 'text'
        ? [fc.record({ field: fc.constant(field), holds: fc.constantFrom('a', 'O', '', 'zoe') })]
        : []),
      ...(kindOf(field) === 'boolean'
        ? []
        : [fc.record({ field: fc.constant(field), above: maybe(scalar(field)), to: maybe(scalar(field)) })]),
    ),
  ) as fc.Arbitrary<Where>

const where: fc.Arbitrary<Where> = fc.letrec<{ tree: Where }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    condition,
    fc.record({ every: fc.array(tie('tree'), { maxLength: 3 }) }),
    fc.record({ some: fc.array(tie('tree'), { maxLength: 3 }) }),
    fc.record({ not: tie('tree') }),
  ),
})).tree

const recordQuery: fc.Arbitrary<RecordQuery> = fc.record({
  where: maybe(where),
  order: maybe(
    fc.array(fc.record({ by: fc.constantFrom(...comparable()), descending: fc.boolean() }), { maxLength: 2 }),
  ),
  offset: fc.constantFrom(0, 3),
  limit: fc.constantFrom(2, 100),
  total: fc.boolean(),
})

const userQuery: fc.Arbitrary<UserQuery> = fc.record({
  ids: maybe(ids),
  logins: maybe(some('USER-1', 'user-2', 'unknown')),
  slugs: maybe(some('user-1', 'USER-2')),
  roles: maybe(some('editor', 'author', 'nothing')),
  search: maybe(
    fc.record({
      text: fc.constantFrom('user', '1', 'e', ''),
      fields: some('login', 'slug', 'email', 'displayName' as const),
    }),
  ) as fc.Arbitrary<UserQuery['search']>,
  order: fc.record({
    by: fc.constantFrom('id', 'login', 'slug', 'displayName', 'registered' as const),
    descending: fc.boolean(),
  }) as fc.Arbitrary<UserQuery['order']>,
  offset: fc.constantFrom(0, 1),
  limit: fc.constantFrom(1, 10),
  total: fc.boolean(),
})

/** Adds the list that an order by a list needs. */
function withList(query: PostQuery): PostQuery {
  if (query.order.by === 'ids') return { ids: [30, 2, 7, 2, 110], ...defined(query) }
  if (query.order.by === 'slugs') return { slugs: ['slug-9', 'slug-2', 'slug-40'], ...defined(query) }
  return query
}

function defined(query: PostQuery): PostQuery {
  // The cast: only undefined members are removed, which are optional.
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined)) as unknown as PostQuery
}

describe.runIf(project !== 'memory')(`${project} and memory`, () => {
  test('find the same posts', async () => {
    await agree(postQuery.map(withList), (storage, query) => storage.posts.query(query))
  }, 180_000)
  test('find the same records', async () => {
    await agree(recordQuery, (storage, query) => storage.records.query(things, query))
  }, 180_000)
  test('find the same users', async () => {
    await agree(userQuery, (storage, query) => storage.users.query(query))
  }, 180_000)
})

async function agree<Query>(queries: fc.Arbitrary<Query>, find: (storage: Storage, query: Query) => unknown) {
  await fc.assert(
    fc.asyncProperty(queries, async (query) => {
      const [expected, ...others] = await Promise.all(storages.map((storage) => find(storage, query)))
      for (const other of others) expect(other).toEqual(expected)
    }),
    { numRuns: Number(process.env.AGREEMENT_RUNS ?? 300) },
  )
}

function comparable(): string[] {
  return ['id', ...Object.keys(things.fields).filter((field) => kindOf(field) !== 'json')]
}

function kindOf(field: string): string {
  return field === 'id' ? 'integer' : String(things.fields[field])
}
