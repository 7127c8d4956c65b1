/** Generated queries that often match generated content. */
import fc from 'fast-check'
import type {
  PostOrder,
  PostQuery,
  RecordQuery,
  TermQuery,
  TermTree,
  UserQuery,
  Where,
} from '../../src/contract/storage.ts'
import { fold } from '../../src/contract/text-fold.ts'
import { day, formats, letters, roles, scalars, shortText, statuses, taxonomies, types } from './generated-content.ts'

/** Mostly absent: with all conditions at once no row would match. */
const maybe = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: 5, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value })
const some = <T>(values: readonly T[]) => fc.subarray([...values])
const small = fc.integer({ min: 0, max: 4 })
const numbers = fc.array(small, { maxLength: 4, size: 'max' })
const ids = fc.array(fc.integer({ min: 1, max: 32 }), { maxLength: 20, size: 'max' })
/** Mostly one letter: longer texts rarely match. */
const needle = fc
  .oneof({ weight: 2, arbitrary: fc.constantFrom(...letters) }, { weight: 1, arbitrary: shortText })
  .map(fold)
const columns = ['title', 'content', 'excerpt'] as const
const search = fc.record({
  every: fc.array(needle, { maxLength: 2 }),
  none: fc.oneof(fc.constant([]), fc.array(needle, { maxLength: 1 })),
  columns: fc.oneof(fc.constant(columns), some(columns)),
  exact: fc.oneof(fc.constant(false), fc.constant(false), fc.boolean()),
})
const paging = { offset: fc.constantFrom(0, 0, 1, 4), limit: fc.constantFrom(100, 5, 1, 0), total: fc.boolean() }

const termTree: fc.Arbitrary<TermTree> = fc.letrec<{ tree: TermTree }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.record({
      terms: fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 3 }),
      has: fc.constantFrom('any', 'all', 'none'),
    }),
    fc.record({ formats: some(formats) }),
    fc.record({ every: fc.array(tie('tree'), { maxLength: 3 }) }),
    fc.record({ some: fc.array(tie('tree'), { maxLength: 3 }) }),
  ),
})).tree

const columnOrder: fc.Arbitrary<PostOrder> = fc.record({
  by: fc.constantFrom('date', 'modified', 'id', 'author', 'parent', 'title', 'slug', 'menuOrder'),
  descending: fc.boolean(),
})
const postOrder: fc.Arbitrary<PostOrder> = fc.oneof(
  columnOrder,
  fc.constantFrom<PostOrder>({ by: 'ids' }, { by: 'slugs' }),
  fc.record({
    by: fc.constant('relevance'),
    phrase: needle,
    words: fc.array(needle, { maxLength: 8 }),
  }),
)

const anyPostQuery: fc.Arbitrary<PostQuery> = fc
  .record<PostQuery>({
    types: fc.oneof(fc.constant(types), some(types)),
    statuses: maybe(
      fc.array(fc.record({ status: fc.constantFrom(...statuses), author: maybe(small) }), { maxLength: 4 }),
    ),
    ids: maybe(ids),
    notIds: maybe(ids),
    authors: maybe(numbers),
    notAuthors: maybe(numbers),
    parents: maybe(numbers),
    notParents: maybe(numbers),
    menuOrders: maybe(numbers),
    mimeTypes: maybe(fc.array(fc.constantFrom('', 'image/png'), { maxLength: 2 })),
    featuredMedia: maybe(numbers),
    slugs: maybe(fc.array(shortText, { maxLength: 4 })),
    sticky: maybe(fc.boolean()),
    withPassword: maybe(fc.boolean()),
    dates: maybe(
      fc.array(
        fc.record({
          field: fc.constantFrom('date', 'dateGmt', 'modified'),
          after: maybe(day),
          before: fc.oneof(day, fc.constant('2024-01-09T00:00:00')),
        }),
        { maxLength: 2 },
      ),
    ),
    terms: maybe(termTree),
    search: maybe(search),
    order: postOrder,
    ...paging,
  })
  .map((query) => ({
    ...query,
    // An order by a list needs that list.
    ...(query.order.by === 'ids' && { ids: query.ids ?? [9, 2, 17, 2, 5] }),
    ...(query.order.by === 'slugs' && { slugs: query.slugs ?? ['b', '', 'a'] }),
  }))

export const postQuery: fc.Arbitrary<PostQuery> = fc.oneof(
  { weight: 2, arbitrary: anyPostQuery },
  {
    weight: 1,
    arbitrary: fc.record({
      types: fc.constant(types),
      search,
      statuses: maybe(fc.constant([{ status: 'publish' }])),
      order: columnOrder,
      ...paging,
    }),
  },
)

export const termQuery: fc.Arbitrary<TermQuery> = fc.record<TermQuery>({
  taxonomies: maybe(some(taxonomies)),
  ids: maybe(ids),
  slugs: maybe(some(['t0', 't1', 't2', 'T3'])),
  parents: maybe(numbers),
  names: maybe(some(['é', 'creme', 't0', ''])),
  notIds: maybe(ids),
  posts: maybe(ids),
  search: maybe(fc.record({ text: needle, fields: some(['name', 'slug'] as const) })),
  counted: maybe(fc.constantFrom('itself', 'orBelow')),
  usedBy: maybe(fc.record({ types: some(types), statuses: some(statuses) })),
  order: fc.record({ by: fc.constantFrom('id', 'name', 'slug', 'description', 'count'), descending: fc.boolean() }),
  ...paging,
})

const anyUserQuery: fc.Arbitrary<UserQuery> = fc.record<UserQuery>({
  ids: maybe(ids),
  logins: maybe(some(['user0', 'USER1', 'User2', 'unknown'])),
  slugs: maybe(some(['User0', 'user1', 'User3'])),
  emails: maybe(some(['', 'É@x', 'b@X', 'none'])),
  notIds: maybe(ids),
  names: maybe(some(['user0', 'É@x', 'b@X', ''])),
  roles: maybe(some(roles)),
  capabilities: maybe(
    fc.array(
      fc.array(fc.record({ capability: fc.constantFrom('edit', 'read', 'none'), roles: some(roles) }), {
        maxLength: 2,
      }),
      { maxLength: 2 },
    ),
  ),
  authorsOf: maybe(fc.record({ types: some(types), statuses: some(statuses) })),
  search: maybe(
    fc.record({
      text: fc.oneof(needle, fc.constantFrom('user', '1', '@x')),
      fields: some(['id', 'login', 'slug', 'email', 'displayName'] as const),
    }),
  ),
  order: fc.oneof(
    fc.record({
      by: fc.constantFrom('id', 'login', 'slug', 'displayName', 'email', 'url', 'registered'),
      descending: fc.boolean(),
    }),
    fc.constantFrom({ by: 'ids' } as const, { by: 'slugs' } as const),
  ),
  ...paging,
})

/** An order that follows a list needs the list. */
export const userQuery: fc.Arbitrary<UserQuery> = anyUserQuery.map((query) =>
  'descending' in query.order || query[query.order.by] !== undefined
    ? query
    : { ...query, order: { by: 'id', descending: false } },
)

const fields = [...Object.keys(scalars), 'id'] as const

/** The cast: the type of the value depends on the kind of the field, which types can't express here. */
function scalarOf(field: string): fc.Arbitrary<never> {
  const scalar = field === 'id' ? fc.integer({ min: 1, max: 20 }) : scalars[field as keyof typeof scalars]
  return scalar as fc.Arbitrary<unknown> as fc.Arbitrary<never>
}

const condition: fc.Arbitrary<Where> = fc.constantFrom(...fields).chain((name) => {
  const field = fc.constant(name)
  const scalar = scalarOf(name)
  const bound = scalar.filter((value) => value !== null)
  const conditions: fc.Arbitrary<Where>[] = [
    fc.record({ field, is: scalar }),
    fc.record({ field, in: fc.array(scalar, { maxLength: 3 }) }),
  ]
  if (name !== 'ready') {
    conditions.push(
      fc.record({ field, above: maybe(bound), to: bound }),
      fc.record({ field, from: bound, below: maybe(bound) }),
    )
  }
  if (name === 'name') conditions.push(fc.record({ field, holds: shortText }))
  return fc.oneof(...conditions)
})

export const where: fc.Arbitrary<Where> = fc.letrec<{ tree: Where }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    condition,
    fc.record({ every: fc.array(tie('tree'), { maxLength: 3 }) }),
    fc.record({ some: fc.array(tie('tree'), { maxLength: 3 }) }),
    fc.record({ not: tie('tree') }),
  ),
})).tree

export const recordQuery: fc.Arbitrary<RecordQuery> = fc.record<RecordQuery>({
  where: maybe(where),
  order: maybe(
    fc.uniqueArray(fc.record({ by: fc.constantFrom(...fields), descending: fc.boolean() }), {
      selector: ({ by }) => by,
      maxLength: 3,
    }),
  ),
  offset: maybe(paging.offset),
  limit: maybe(paging.limit),
  total: maybe(fc.boolean()),
})
