/** Posts in SQL: queries are planned, routed and run; rows are written with their folded texts. */

import { sql } from 'kysely'
import { all, andThen } from '../../../core/runtime/maybe-promise.ts'
import type { MaybePromise, Post, PostHead, PostQuery, PostStore } from '../../contract.ts'
import type { Session } from '../engine/session.ts'
import { parameter, type Row, type SqlValue, type Statements } from '../engine/statements.ts'
import { insertRows, removeRows, type Table, updateRows } from '../stores/rows.ts'
import { type AccessPath, accessPathOfTotal, chooseAccessPath } from './access-path.ts'
import { headColumns, headOf, postColumns, postFields, postOf } from './fields.ts'
import { FEW_PASSED, hasCursors, KeysetCursors } from './keyset-cursors.ts'
import { type ShapedQuery, shapePostQuery } from './query-shape.ts'
import { isCounted, selectHeads, selectTotal } from './select.ts'

const table: Table = { name: 'posts', fields: postFields, hasVersion: true }

export function postStore(statements: Statements, session: Session): PostStore {
  return {
    query: (query) => queryPosts(statements, session, query),
    read: (ids) => readPosts(statements, session, ids),
    insert: (rows) => insertRows(statements, session, table, rows),
    update: (updates) => updateRows(statements, session, table, updates),
    remove: (ids) => removeRows(statements, session, table, ids),
    takenSlugs: (type, slugs) => takenSlugs(statements, session, type, slugs),
    families: (type, parents) => families(statements, session, type, parents),
  }
}

function queryPosts(
  statements: Statements,
  session: Session,
  query: PostQuery,
): MaybePromise<{ heads: PostHead[]; total: number }> {
  return andThen(chooseAccessPath(statements, session, query), (route) => {
    const planned = shapePostQuery(query, route)
    if (matchesNothing(query, planned)) return { heads: [], total: 0 }
    const heads = readHeads(statements, session, query, planned)
    if (!query.total) return andThen(heads, (rows) => ({ heads: rows, total: 0 }))
    return andThen(all([heads, countPosts(statements, session, query, route, planned)]), ([rows, total]) => ({
      heads: rows,
      total,
    }))
  })
}

function matchesNothing(query: PostQuery, { plan }: ShapedQuery): boolean {
  const lists = [query.types, query.statuses, query.ids, query.authors, query.parents, query.slugs]
  return plan.branches?.length === 0 || lists.some((list) => list?.length === 0)
}

function readHeads(
  statements: Statements,
  session: Session,
  { offset, limit }: PostQuery,
  planned: ShapedQuery,
): MaybePromise<PostHead[]> {
  if (limit <= 0) return []
  if (offset <= FEW_PASSED || !session.remember || !hasCursors(planned.plan)) {
    return andThen(readWindow(statements, session, planned, { offset, limit }), (rows) => rows.map(headOf))
  }
  const key = `anchors ${JSON.stringify([planned.plan, planned.values.list])}`
  return andThen(
    session.remember(key, () => new KeysetCursors()),
    (anchors) => {
      const anchor = anchors.before(offset)
      const window = { offset: offset - (anchor?.offset ?? 0), limit, from: anchor?.keys ?? [] }
      return andThen(readWindow(statements, session, planned, window), (rows) => {
        const [first, last] = [rows[0], rows.at(-1)]
        if (first) anchors.add({ offset, keys: keysOf(first) })
        if (last) anchors.add({ offset: offset + rows.length - 1, keys: keysOf(last) })
        return rows.map(headOf)
      })
    },
  )
}

/** Behind the columns of the head stand the keys of the order; the id is the last of them. */
const keysOf = (row: Row): readonly SqlValue[] => [...row.slice(headColumns.length), row[0] as SqlValue]

function readWindow(
  statements: Statements,
  session: Session,
  { plan, values }: ShapedQuery,
  { offset, limit, from }: { readonly offset: number; readonly limit: number; readonly from?: readonly SqlValue[] },
): MaybePromise<readonly Row[]> {
  const list = [...values.list, offset, wholeLimit(limit), wholeLimit(offset + limit), ...(from ?? [])]
  const first = values.list.length
  const slots = {
    ...{ offset: first, limit: first + 1, end: first + 2 },
    ...(from && { from: from.map((_, at) => first + 3 + at) }),
  }
  const statement = statements.get(`posts.heads:${from?.length ?? ''}:${JSON.stringify(plan)}`, (db) =>
    selectHeads(db, statements.dialect, plan, slots),
  )
  return session.all(statement, list)
}

function countPosts(
  statements: Statements,
  session: Session,
  query: PostQuery,
  route: AccessPath,
  planned: ShapedQuery,
): MaybePromise<number> {
  const totalRoute = accessPathOfTotal(statements, query, route)
  const { plan, values } = totalRoute === route ? planned : shapePostQuery(query, totalRoute)
  const statement = statements.get(`posts.total:${JSON.stringify(plan)}`, (db) =>
    selectTotal(db, statements.dialect, plan),
  )
  const count = () => andThen(session.all(statement, values.list), (rows) => Number(rows[0]?.[0] ?? 0))
  if (session.remember === undefined || isCounted(plan)) return count()
  return session.remember(`${statement.sql} ${JSON.stringify(values.list)}`, count)
}

/** Engines count in whole numbers of 64 bits. */
export function wholeLimit(limit: number): number {
  return Math.min(limit, Number.MAX_SAFE_INTEGER)
}

function readPosts(statements: Statements, session: Session, ids: readonly number[]): MaybePromise<Post[]> {
  const [only] = ids
  if (only === undefined) return []
  if (ids.length === 1) return andThen(session.all(readOne(statements), [only]), (rows) => rows.map(postOf))
  const statement = statements.get('posts.read', (db) =>
    sql`select ${columnList()} from posts where ${statements.dialect.within(sql`id`, 0, 'integer')}`.compile(db),
  )
  return andThen(session.all(statement, [JSON.stringify(ids)]), (rows) => {
    const posts = new Map(rows.map((row) => [row[0], postOf(row)]))
    return [...new Set(ids)].map((id) => posts.get(id)).filter((post) => post !== undefined)
  })
}

function readOne(statements: Statements) {
  return statements.get('posts.read-one', (db) =>
    sql`select ${columnList()} from posts where id = ${parameter(0)}`.compile(db),
  )
}

function columnList() {
  return sql.join(postColumns.map((column) => sql.ref(column)))
}

function takenSlugs(
  statements: Statements,
  session: Session,
  type: string,
  slugs: readonly string[],
): MaybePromise<string[]> {
  const [only] = slugs
  if (only === undefined) return []
  if (slugs.length === 1) {
    return andThen(session.all(hasSlug(statements), [type, only]), (rows) => (rows.length > 0 ? [only] : []))
  }
  const statement = statements.get('posts.taken-slugs', (db) =>
    sql`select distinct slug from posts
      where type = ${parameter(0)} and ${statements.dialect.within(sql`slug`, 1, 'text')}`.compile(db),
  )
  return andThen(session.all(statement, [type, JSON.stringify(slugs)]), (rows) => {
    const taken = new Set(rows.map(([slug]) => slug))
    return [...new Set(slugs)].filter((slug) => taken.has(slug))
  })
}

/** Nearly always one slug is asked for, and it is free. */
function hasSlug(statements: Statements) {
  return statements.get('posts.has-slug', (db) =>
    sql`select 1 from posts where type = ${parameter(0)} and slug = ${parameter(1)} limit 1`.compile(db),
  )
}

function families(
  statements: Statements,
  session: Session,
  type: string,
  parents: readonly number[],
): MaybePromise<{ parent: number; count: number; latest: number }[]> {
  if (parents.length === 0) return []
  const statement = statements.get('posts.families', (db) =>
    sql`select parent, count(*), max(id) from posts
      where type = ${parameter(0)} and ${statements.dialect.within(sql`parent`, 1, 'integer')} group by parent`.compile(
      db,
    ),
  )
  return andThen(session.all(statement, [type, JSON.stringify(parents)]), (rows) => {
    const found = new Map(
      rows.map(([parent, count, latest]) => [parent, { count: Number(count), latest: Number(latest) }]),
    )
    return [...new Set(parents)].flatMap((parent) => {
      const family = found.get(parent)
      return family === undefined ? [] : [{ parent, ...family }]
    })
  })
}
