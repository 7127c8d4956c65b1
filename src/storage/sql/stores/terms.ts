/** Terms in SQL, their tree and their assignments to posts. */

import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { all, andThen, sequence } from '../../../core/runtime/maybe-promise.ts'
import type { MaybePromise, Term, TermQuery, TermStore } from '../../contract.ts'
import { type Fields, fieldsOf } from '../engine/fields.ts'
import type { Session } from '../engine/session.ts'
import { parameter, type Row, type Statements, Values } from '../engine/statements.ts'
import { listRows } from './listing.ts'
import { insertRows, type Table, updateRows } from './rows.ts'

const fields: Fields = fieldsOf({
  taxonomy: { kind: 'text' },
  slug: { kind: 'text' },
  name: { kind: 'text', folded: 'name_folded' },
  description: { kind: 'text' },
  parent: { kind: 'integer' },
})
const table: Table = { name: 'terms', fields }
const columns = ['id', 'taxonomy', 'slug', 'name', 'description', 'parent']
const orders: { readonly [by: string]: string } = { id: 'id', name: 'name_folded' }

interface Assignment {
  readonly post: number
  readonly taxonomy: string
  readonly terms: readonly number[]
}

export function termStore(statements: Statements, session: Session): TermStore {
  return {
    query: (query) => queryTerms(statements, session, query),
    insert: (rows) => insertRows(statements, session, table, rows),
    update: (updates) => updateRows(statements, session, table, updates),
    remove: (ids) => removeTerms(statements, session, ids),
    below: (ids) => below(statements, session, ids),
    of: (posts) => termsOfPosts(statements, session, posts),
    assign: (assignments) => assign(statements, session, assignments),
  }
}

function queryTerms(
  statements: Statements,
  session: Session,
  query: TermQuery,
): MaybePromise<{ rows: Term[]; total: number }> {
  const { dialect } = statements
  const column = orders[query.order.by]
  if (column === undefined) throw new TypeError(`unknown field ${query.order.by}`)
  const values = new Values()
  const list = (wanted: readonly (number | string)[] | undefined) =>
    wanted === undefined ? undefined : values.addList(wanted)
  const slots = {
    taxonomies: list(query.taxonomies),
    ids: list(query.ids),
    slugs: list(query.slugs),
    parents: list(query.parents),
    search: query.search === undefined ? undefined : values.add(query.search),
    types: list(query.usedBy?.types),
    statuses: list(query.usedBy?.statuses),
  }
  const conditions = (): RawBuilder<SqlBool>[] => {
    const found: RawBuilder<SqlBool>[] = []
    if (slots.taxonomies !== undefined) found.push(dialect.within(sql`taxonomy`, slots.taxonomies, 'text'))
    if (slots.ids !== undefined) found.push(dialect.within(sql`id`, slots.ids, 'integer'))
    if (slots.slugs !== undefined) found.push(dialect.within(sql`slug`, slots.slugs, 'text'))
    if (slots.parents !== undefined) found.push(dialect.within(sql`parent`, slots.parents, 'integer'))
    if (slots.search !== undefined) found.push(dialect.holds(sql`name_folded`, parameter(slots.search)))
    if (slots.types !== undefined && slots.statuses !== undefined) {
      found.push(sql`exists (select 1 from term_counts c where c.term_id = terms.id and c.count > 0
        and ${dialect.within(sql`c.type`, slots.types, 'text')} and ${dialect.within(sql`c.status`, slots.statuses, 'text')})`)
    }
    return found
  }
  const order = { column, descending: query.order.descending }
  return listRows(
    statements,
    session,
    { table: 'terms', columns, shape: slots, values, conditions, order },
    query,
    termOf,
  )
}

function termOf([id, taxonomy, slug, name, description, parent]: Row): Term {
  // The cast: the columns are typed by the schema, and strict tables keep to it.
  return { id, taxonomy, slug, name, description, parent } as Term
}

/** One after another, so that a child of two removed terms moves up past both. */
function removeTerms(statements: Statements, session: Session, ids: readonly number[]): MaybePromise<void> {
  if (ids.length === 0) return
  const moveChildren = statements.get('terms.move-children', (db) =>
    sql`update terms set parent = (select t.parent from terms t where t.id = ${parameter(0)})
      where parent = ${parameter(0)} and id <> ${parameter(0)} and exists (select 1 from terms t where t.id = ${parameter(0)})`.compile(
      db,
    ),
  )
  const remove = statements.get('terms.remove', (db) => sql`delete from terms where id = ${parameter(0)}`.compile(db))
  const removed = session.atomic((inside) =>
    sequence(ids, (id) => andThen(inside.run(moveChildren, [id]), () => inside.run(remove, [id]))),
  )
  return andThen(removed, () => undefined)
}

function below(statements: Statements, session: Session, ids: readonly number[]): MaybePromise<number[]> {
  if (ids.length === 0) return []
  // `union`, not `union all`: a circle of parents comes to an end.
  const statement = statements.get('terms.below', (db) =>
    sql`with recursive down (id) as (
        select id from terms where ${statements.dialect.within(sql`parent`, 0, 'integer')}
        union select t.id from terms t join down d on t.parent = d.id
      ) select id from down order by id`.compile(db),
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
      where ${statements.dialect.within(sql`x.post_id`, 0, 'integer')} order by x.post_id, x.term_id`.compile(db),
  )
  return andThen(session.all(statement, [JSON.stringify(posts)]), (rows) =>
    rows.map(([post, term, taxonomy]) => ({ post: Number(post), term: Number(term), taxonomy: String(taxonomy) })),
  )
}

function assign(statements: Statements, session: Session, assignments: readonly Assignment[]): MaybePromise<void> {
  if (assignments.length === 0) return
  const isBulk = statements.dialect.fewStatements && assignments.length > 1
  const done = session.atomic((inside) =>
    isBulk
      ? sequence(windowsOf(assignments), (window) => assignWindow(statements, inside, window))
      : sequence(assignments, (assignment) => assignOne(statements, inside, assignment)),
  )
  return andThen(done, () => undefined)
}

function assignOne(
  statements: Statements,
  session: Session,
  { post, taxonomy, terms }: Assignment,
): MaybePromise<unknown> {
  const { dialect } = statements
  const wanted = [...new Set(terms)]
  const values = [post, taxonomy, JSON.stringify(wanted)]
  const withdraw = statements.get('terms.withdraw', (db) =>
    sql`delete from post_terms where post_id = ${parameter(0)} and not ${dialect.within(sql`term_id`, 2, 'integer')}
      and exists (select 1 from terms t where t.id = post_terms.term_id and t.taxonomy = ${parameter(1)})`.compile(db),
  )
  // What the post has already is written again, so that the count tells whether everything was known.
  const grant = statements.get('terms.grant', (db) =>
    sql`insert into post_terms (post_id, term_id, type, status, date)
      select p.id, t.id, p.type, p.status, p.date from posts p cross join terms t
      where p.id = ${parameter(0)} and t.taxonomy = ${parameter(1)} and ${dialect.within(sql`t.id`, 2, 'integer')}
      on conflict (post_id, term_id) do update set date = excluded.date`.compile(db),
  )
  const granted = wanted.length === 0 ? findPost(statements, session, post) : session.run(grant, values)
  return andThen(granted, (count) => {
    if (count < Math.max(wanted.length, 1)) return refuse(statements, session, { post, taxonomy, terms: wanted })
    return session.run(withdraw, values)
  })
}

const LARGEST_WINDOW = 500

/** Assignments that can be made at once: of one taxonomy, each post once. */
function windowsOf(assignments: readonly Assignment[]): Assignment[][] {
  const windows: Assignment[][] = []
  let window: Assignment[] = []
  let posts = new Set<number>()
  for (const assignment of assignments) {
    const isNext = window[0]?.taxonomy !== assignment.taxonomy || posts.has(assignment.post)
    if (isNext || window.length >= LARGEST_WINDOW) {
      window = []
      posts = new Set()
      windows.push(window)
    }
    window.push(assignment)
    posts.add(assignment.post)
  }
  return windows
}

/** `assignOne` for all of them. What is not there is found by looking at each, which throws. */
function assignWindow(statements: Statements, session: Session, window: readonly Assignment[]): MaybePromise<unknown> {
  const { dialect } = statements
  const pairs = window.flatMap(({ post, terms }) => [...new Set(terms)].map((term) => ({ post, term })))
  const values = [
    window[0]?.taxonomy ?? '',
    JSON.stringify(window.map(({ post }) => post)),
    JSON.stringify(pairs.map(({ post }) => post)),
    JSON.stringify(pairs.map(({ term }) => term)),
  ]
  const pairList = sql`${dialect.list(2, 'integer')} a join ${dialect.list(3, 'integer')} b on b.place = a.place`
  const grant = statements.get('terms.grant-many', (db) =>
    sql`insert into post_terms (post_id, term_id, type, status, date)
      select p.id, t.id, p.type, p.status, p.date from ${pairList}
        join posts p on p.id = a.value join terms t on t.id = b.value where t.taxonomy = ${parameter(0)}
      on conflict (post_id, term_id) do update set date = excluded.date`.compile(db),
  )
  const withdraw = statements.get('terms.withdraw-many', (db) =>
    sql`delete from post_terms where ${dialect.within(sql`post_id`, 1, 'integer')}
      and exists (select 1 from terms t where t.id = post_terms.term_id and t.taxonomy = ${parameter(0)})
      and not exists (select 1 from ${pairList} where a.value = post_terms.post_id and b.value = post_terms.term_id)`.compile(
      db,
    ),
  )
  const isEachNamed = window.every(({ terms }) => terms.length > 0)
  return andThen(session.run(grant, values), (count) =>
    count < pairs.length || !isEachNamed
      ? sequence(window, (assignment) => assignOne(statements, session, assignment))
      : session.run(withdraw, values),
  )
}

function findPost(statements: Statements, session: Session, post: number): MaybePromise<number> {
  const statement = statements.get('terms.post', (db) =>
    sql`select 1 from posts where id = ${parameter(0)}`.compile(db),
  )
  return andThen(session.all(statement, [post]), (rows) => rows.length)
}

/** Says what it was that the assignment named and that is not there. */
function refuse(statements: Statements, session: Session, { post, taxonomy, terms }: Assignment): MaybePromise<never> {
  const statement = statements.get('terms.known', (db) =>
    sql`select id from terms where taxonomy = ${parameter(0)} and ${statements.dialect.within(sql`id`, 1, 'integer')}`.compile(
      db,
    ),
  )
  return andThen(
    all([findPost(statements, session, post), session.all(statement, [taxonomy, JSON.stringify(terms)])]),
    ([found, rows]) => {
      if (found === 0) throw new TypeError(`there is no post ${post}`)
      const known = new Set(rows.map(([id]) => id))
      throw new TypeError(`${taxonomy} has no term ${terms.find((term) => !known.has(term))}`)
    },
  )
}
