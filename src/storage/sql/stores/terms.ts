/** Terms in SQL: the terms, their hierarchy and their assignments to posts. */
import { type SqlBool, sql } from 'kysely'
import { termFields } from '../../../contract/fields/terms.ts'
import { all, andThen, sequence } from '../../../contract/maybe-promise.ts'
import type { MaybePromise, Term, TermQuery, TermStore } from '../../../contract/storage.ts'
import { or } from '../engine/conditions.ts'
import { rowReader } from '../engine/fields.ts'
import type { KnownReads } from '../engine/known-reads.ts'
import type { Session, WritesAhead } from '../engine/session.ts'
import { countOf, parameter, type Statements } from '../engine/statements.ts'
import { ListConditions, listRows } from './listing.ts'
import { insertRows, updateRows } from './rows.ts'

const integer = { kind: 'integer' } as const

const terms = {
  name: 'terms',
  fields: termFields,
  reader: rowReader({ id: { ...integer, column: 'id' }, ...termFields, count: { ...integer, column: 'count' } }),
  orders: { id: 'id', name: 'name_folded', slug: 'slug', description: 'description', count: 'count' },
  longTexts: ['name_folded', 'description'],
  /** The published posts of a term, from the counters that triggers keep. */
  computed: {
    count: sql`(select coalesce(sum(c.count), 0) from term_counts c where c.term_id = terms.id and c.status = 'publish')`,
  },
} as const

interface Assignment {
  readonly post: number
  readonly taxonomy: string
  readonly terms: readonly number[]
}

export function termStore(statements: Statements, session: Session): TermStore {
  return {
    query: (query) =>
      query.counts === false && session.ahead && isOfIdsAlone(query)
        ? queryKnown(statements, session, session.ahead.known, query)
        : queryTerms(statements, session, query),
    insert: (rows, ids) => {
      session.ahead?.known.clear()
      return insertRows(statements, session, terms, rows, ids)
    },
    update: (updates) => {
      session.ahead?.known.clear()
      return updateRows(statements, session, terms, updates)
    },
    remove: (ids) => {
      session.ahead?.known.clear()
      return removeTerms(statements, session, ids)
    },
    below: (ids) => descendants(statements, session, ids),
    of: (posts) => termsOfPosts(statements, session, posts),
    assign: (assignments) => assignTerms(statements, session, assignments),
  }
}

/** All the terms with some ids. */
function isOfIdsAlone({ ids, order, offset, limit, total, counts: _counts, ...others }: TermQuery): boolean {
  const isWhole = ids !== undefined && order.by === 'id' && offset === 0 && limit >= ids.length && !total
  return isWhole && Object.values(others).every((other) => other === undefined)
}

/** Reads only those of the terms that the transaction does not know yet. */
function queryKnown(
  statements: Statements,
  session: Session,
  { terms: known }: KnownReads,
  query: TermQuery,
): MaybePromise<{ rows: Term[]; total: number }> {
  const { ids = [], order } = query
  const asked = ids.filter((id) => !known.has(id))
  const whole = { ...query, ids: asked, limit: Number.MAX_SAFE_INTEGER }
  const read = asked.length === 0 ? { rows: [] } : queryTerms(statements, session, whole)
  return andThen(read, ({ rows }) => {
    const found = new Map(rows.map((row) => [row.id, row]))
    for (const id of asked) known.set(id, found.get(id))
    const all = [...new Set(ids)].sort((a, b) => (order.descending ? b - a : a - b))
    return { rows: all.flatMap((id) => known.get(id) ?? []), total: 0 }
  })
}

function queryTerms(
  statements: Statements,
  session: Session,
  query: TermQuery,
): MaybePromise<{ rows: Term[]; total: number }> {
  const { dialect } = statements
  const conditions = new ListConditions(dialect)
  // A post has few terms.
  conditions.inList('taxonomy', query.taxonomies, 'text', { isUnindexed: query.posts !== undefined })
  conditions.inList('id', query.ids, 'integer')
  conditions.inList('slug', query.slugs, 'text')
  conditions.inList('parent', query.parents, 'integer')
  conditions.notInList('id', query.notIds)
  conditions.inList('name_folded', query.names, 'text')
  if (query.search !== undefined) {
    const { text, fields } = query.search
    conditions.contains(
      fields.map((field) => searchColumn(field)),
      text,
    )
  }
  addPostConditions(conditions, statements, query)
  return listRows(statements, session, terms, conditions, query)
}

const searchColumns: { readonly [field: string]: string } = { name: 'name_folded', slug: 'slug' }

function searchColumn(field: string): string {
  const column = searchColumns[field]
  if (column === undefined) throw new TypeError(`unknown field ${field}`)
  return column
}

/** That posts have the term: some posts, posts of some kind, published ones. */
function addPostConditions(conditions: ListConditions, { dialect }: Statements, query: TermQuery): void {
  if (query.posts !== undefined) {
    const posts = conditions.values.addList(query.posts)
    conditions.add(
      'of posts',
      () => sql`id in (select x.term_id from post_terms x where ${dialect.inList(sql`x.post_id`, posts, 'integer')})`,
    )
  }
  if (query.usedBy !== undefined) {
    const types = conditions.values.addList(query.usedBy.types)
    const statuses = conditions.values.addList(query.usedBy.statuses)
    conditions.add(
      'used by',
      () => sql`exists (select 1 from term_counts c where c.term_id = terms.id and c.count > 0
        and ${dialect.inList(sql`c.type`, types, 'text')} and ${dialect.inList(sql`c.status`, statuses, 'text')})`,
    )
  }
  if (query.counted === undefined) return
  const { counted } = query
  if (counted !== 'itself' && counted !== 'orBelow') throw new TypeError(`unknown value ${String(counted)}`)
  conditions.add(`counted ${counted}`, () =>
    counted === 'itself' ? isUsed('terms.id') : or([isUsed('terms.id'), isUsedBelow]),
  )
}

/** That published posts have the term. */
const isUsed = (id: string) =>
  sql<SqlBool>`exists (select 1 from term_counts c where c.term_id = ${sql.raw(id)} and c.status = 'publish' and c.count > 0)`

/** That they have a term below it. `union`, not `union all`: parents may form a circle. */
const isUsedBelow = sql<SqlBool>`exists (
  with recursive below (id) as (
    select t.id from terms t where t.parent = terms.id union select t.id from terms t join below b on t.parent = b.id
  ) select 1 from below where ${isUsed('below.id')})`

/** In order, so that a child of two removed terms moves up past both. */
function removeTerms(statements: Statements, session: Session, ids: readonly number[]): MaybePromise<void> {
  if (ids.length === 0) return
  const moveChildren = statements.get('terms.move-children', (db) =>
    sql`update terms set parent = (select t.parent from terms t where t.id = ${parameter(0)})
      where parent = ${parameter(0)} and id <> ${parameter(0)} and exists (select 1 from terms t where t.id = ${parameter(0)})`.compile(
      db,
    ),
  )
  const remove = statements.get('terms.remove', (db) => sql`delete from terms where id = ${parameter(0)}`.compile(db))
  const removal = session.atomic((transaction) =>
    sequence(ids, (id) => andThen(transaction.run(moveChildren, [id]), () => transaction.run(remove, [id]))),
  )
  return andThen(removal, () => undefined)
}

function descendants(statements: Statements, session: Session, ids: readonly number[]): MaybePromise<number[]> {
  if (ids.length === 0) return []
  // `union`, not `union all`: ends the recursion if parents form a cycle.
  const statement = statements.get('terms.below', (db) =>
    sql`with recursive descendants (id) as (
        select id from terms where ${statements.dialect.inList(sql`parent`, 0, 'integer')}
        union select t.id from terms t join descendants d on t.parent = d.id
      ) select id from descendants order by id`.compile(db),
  )
  return andThen(session.all(statement, [JSON.stringify(ids)]), (rows) => rows.map(([id]) => Number(id)))
}

function termsOfPosts(
  statements: Statements,
  session: Session,
  posts: readonly number[],
): MaybePromise<{ post: number; term: number; taxonomy: string }[]> {
  if (posts.length === 0) return []
  const statement = statements.get('terms.of', (db) =>
    sql`select x.post_id, x.term_id, t.taxonomy from post_terms x join terms t on t.id = x.term_id
      where ${statements.dialect.inList(sql`x.post_id`, 0, 'integer')} order by x.post_id, x.term_id`.compile(db),
  )
  return andThen(session.all(statement, [JSON.stringify(posts)]), (rows) =>
    rows.map(([post, term, taxonomy]) => ({ post: Number(post), term: Number(term), taxonomy: String(taxonomy) })),
  )
}

function assignTerms(statements: Statements, session: Session, assignments: readonly Assignment[]): MaybePromise<void> {
  if (assignments.length === 0) return
  const { ahead } = session
  if (ahead && assignments.length < minBatch && assignments.every(({ terms }) => terms.length > 0)) {
    return andThen(
      sequence(assignments, (assignment) => assignAhead(statements, ahead, assignment)),
      () => undefined,
    )
  }
  for (const { post } of assignments) ahead?.known.newPosts.delete(post)
  const isBatched = statements.dialect.batchesWrites && assignments.length > 1
  const replacement = session.atomic((transaction) =>
    isBatched
      ? sequence(batchesOf(assignments), (batch) => assignBatch(statements, transaction, batch))
      : sequence(assignments, (assignment) => assignOne(statements, transaction, assignment)),
  )
  return andThen(replacement, () => undefined)
}

function assignOne(statements: Statements, session: Session, assignment: Assignment): MaybePromise<unknown> {
  const { insert, remove, values, count } = assignmentOf(statements, assignment)
  const assigned = count === 0 ? countPosts(statements, session, [assignment.post]) : session.run(insert, values)
  return andThen(assigned, (changed) => {
    if (changed < Math.max(count, 1)) return throwMissing(statements, session, assignment)
    return session.run(remove, values)
  })
}

interface NewAssignment extends Assignment {
  /** The post has no other terms of the taxonomy. */
  readonly isFirst: boolean
}

/** A term or a post that is missing ends the transaction. */
function assignAhead(statements: Statements, ahead: WritesAhead, assignment: Assignment): MaybePromise<void> {
  const { post, taxonomy, terms } = assignment
  const given = ahead.known.newPosts.get(post)
  const row: NewAssignment = { ...assignment, terms: [...terms], isFirst: given !== undefined && !given.has(taxonomy) }
  given?.add(taxonomy)
  return ahead.gather({
    kind: `terms of ${taxonomy}`,
    key: post,
    row,
    size: 0,
    toStatements: (rows) => [
      assigningOf(statements, rows),
      ...removingOf(
        statements,
        rows.filter(({ isFirst }) => !isFirst),
      ),
    ],
  })
}

function assigningOf(statements: Statements, rows: readonly NewAssignment[]) {
  const [only] = rows
  if (only !== undefined && rows.length === 1) {
    const { insert, values, count } = assignmentOf(statements, only)
    return { statement: insert, values, count }
  }
  const { insert, values, count } = batchOf(statements, rows)
  return { statement: insert, values, count }
}

function removingOf(statements: Statements, rows: readonly NewAssignment[]) {
  const [only] = rows
  if (only === undefined) return []
  const { remove, values } = rows.length === 1 ? assignmentOf(statements, only) : batchOf(statements, rows)
  return [{ statement: remove, values }]
}

function assignmentOf({ dialect, get }: Statements, { post, taxonomy, terms }: Assignment) {
  const termIds = [...new Set(terms)]
  const remove = get('terms.unassign', (db) =>
    sql`delete from post_terms where post_id = ${parameter(0)} and not ${dialect.inList(sql`term_id`, 2, 'integer')}
      and exists (select 1 from terms t where t.id = post_terms.term_id and t.taxonomy = ${parameter(1)})`.compile(db),
  )
  // Existing assignments are written again, so that the count shows whether every post and term exists.
  const insert = get('terms.assign', (db) =>
    sql`insert into post_terms (post_id, term_id, type, status, date, author)
      select p.id, t.id, p.type, p.status, p.date, p.author from posts p cross join terms t
      where p.id = ${parameter(0)} and t.taxonomy = ${parameter(1)} and ${dialect.inList(sql`t.id`, 2, 'integer')}
      on conflict (post_id, term_id) do update set date = excluded.date`.compile(db),
  )
  return { insert, remove, values: [post, taxonomy, JSON.stringify(termIds)], count: termIds.length }
}

/** More assignments than a post has taxonomies take less time in one statement, although it is waited for. */
const minBatch = 8
const MAX_BATCH = 500

/**
 * Assignments that one statement can make: of one taxonomy, each post once. Those of different taxonomies have no rows in common, so
 * their order does not count.
 */
function batchesOf(assignments: readonly Assignment[]): Assignment[][] {
  return [...Map.groupBy(assignments, ({ taxonomy }) => taxonomy).values()].flatMap(batchesOfTaxonomy)
}

function batchesOfTaxonomy(assignments: readonly Assignment[]): Assignment[][] {
  const batches: Assignment[][] = []
  let batch: Assignment[] = []
  let posts = new Set<number>()
  for (const assignment of assignments) {
    if (batches.length === 0 || posts.has(assignment.post) || batch.length >= MAX_BATCH) {
      batch = []
      posts = new Set()
      batches.push(batch)
    }
    batch.push(assignment)
    posts.add(assignment.post)
  }
  return batches
}

/** `assignOne` for a batch. If something is missing, falls back to `assignOne`, which throws for it. */
function assignBatch(statements: Statements, session: Session, batch: readonly Assignment[]): MaybePromise<unknown> {
  const { insert, remove, values, count } = batchOf(statements, batch)
  const withoutTerms = batch.filter(({ terms }) => terms.length === 0).map(({ post }) => post)
  const found = withoutTerms.length === 0 ? 0 : countPosts(statements, session, withoutTerms)
  return andThen(all([session.run(insert, values), found]), ([changed, posts]) =>
    changed < count || posts < withoutTerms.length
      ? sequence(batch, (assignment) => assignOne(statements, session, assignment))
      : session.run(remove, values),
  )
}

/** `assignmentOf` for assignments of one taxonomy, each post once. */
function batchOf({ dialect, get }: Statements, batch: readonly Assignment[]) {
  const pairs = batch.flatMap(({ post, terms }) => [...new Set(terms)].map((term) => ({ post, term })))
  const values = [
    batch[0]?.taxonomy ?? '',
    JSON.stringify(batch.map(({ post }) => post)),
    JSON.stringify(pairs.map(({ post }) => post)),
    JSON.stringify(pairs.map(({ term }) => term)),
  ]
  const pairList = sql`${dialect.listTable(2, 'integer')} a join ${dialect.listTable(3, 'integer')} b on b.ordinal = a.ordinal`
  // Row by row: a plan for sets would be kept from when the tables were small.
  const insert = get('terms.assign-batch', (db) =>
    sql`insert into post_terms (post_id, term_id, type, status, date, author)
      select a.value, b.value, p.type, p.status, p.date, p.author from ${pairList}
        cross join lateral (select * from posts where id = a.value limit 1) p
        cross join lateral (select * from terms where id = b.value limit 1) t where t.taxonomy = ${parameter(0)}
      on conflict (post_id, term_id) do update set date = excluded.date`.compile(db),
  )
  const remove = get('terms.unassign-batch', (db) =>
    sql`delete from post_terms where ${dialect.inList(sql`post_id`, 1, 'integer')}
      and exists (select 1 from terms t where t.id = post_terms.term_id and t.taxonomy = ${parameter(0)})
      and not exists (select 1 from ${pairList} where a.value = post_terms.post_id and b.value = post_terms.term_id)`.compile(
      db,
    ),
  )
  return { insert, remove, values, count: pairs.length }
}

/** How many of these posts exist. */
function countPosts(statements: Statements, session: Session, posts: readonly number[]): MaybePromise<number> {
  const statement = statements.get('terms.posts', (db) =>
    sql`select count(*) from posts where ${statements.dialect.inList(sql`id`, 0, 'integer')}`.compile(db),
  )
  return andThen(session.all(statement, [JSON.stringify(posts)]), countOf)
}

/** Throws an error that names the missing post or term. */
function throwMissing(
  statements: Statements,
  session: Session,
  { post, taxonomy, terms }: Assignment,
): MaybePromise<never> {
  const statement = statements.get('terms.existing', (db) =>
    sql`select id from terms where taxonomy = ${parameter(0)} and ${statements.dialect.inList(sql`id`, 1, 'integer')}`.compile(
      db,
    ),
  )
  return andThen(
    all([countPosts(statements, session, [post]), session.all(statement, [taxonomy, JSON.stringify(terms)])]),
    ([posts, rows]) => {
      if (posts === 0) throw new TypeError(`there is no post ${post}`)
      const existing = new Set(rows.map(([id]) => id))
      throw new TypeError(`${taxonomy} has no term ${terms.find((term) => !existing.has(term))}`)
    },
  )
}
