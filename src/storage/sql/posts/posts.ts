/** Posts in SQL: chooses an access path for each query, runs it, and writes rows with their folded texts. */
import { sql } from 'kysely'
import { postFields } from '../../../contract/fields/posts.ts'
import { all, andThen } from '../../../contract/maybe-promise.ts'
import type { MaybePromise, Post, PostHead, PostQuery, PostStore, PostValues } from '../../../contract/storage.ts'
import type { Session } from '../engine/session.ts'
import { limitValue, parameter, type Row, type SqlValue, type Statements } from '../engine/statements.ts'
import { insertRows, removeRows, type Table, updateRows } from '../stores/rows.ts'
import { type AccessPath, attemptOf, chooseAccessPath } from './access-path.ts'
import { headColumns, headOf, postReader } from './fields.ts'
import { KeysetCursors, MAX_PLAIN_OFFSET } from './keyset-cursors.ts'
import { hasCursors, matchesNothing, type ShapedQuery, shapePostQuery } from './query-shape.ts'
import { extentOf, type PageParameters, selectHeads } from './select.ts'
import { claimSlugs, takenSlugs } from './slugs.ts'
import { countPosts } from './totals.ts'

const table: Table = { name: 'posts', fields: postFields, hasVersion: true }

export function postStore(statements: Statements, session: Session): PostStore {
  return {
    query: (query) => queryPosts(statements, session, query),
    read: (ids) => readKnown(statements, session, ids),
    insert: (rows, ids) => insertPosts(statements, session, rows, ids),
    update: (updates) => updatePosts(statements, session, updates),
    remove: (ids) => {
      session.ahead?.known.clear()
      return removeRows(statements, session, table, ids)
    },
    takenSlugs: (type, slugs, parent) => takenSlugs(statements, session, { type, slugs, parent }),
    families: (type, parents) => families(statements, session, type, parents),
  }
}

/** A row whose slug is known to be free can not violate uniqueness. */
function insertPosts(
  statements: Statements,
  session: Session,
  rows: readonly PostValues[],
  ids: readonly number[] | undefined,
): MaybePromise<number[]> {
  if (ids !== undefined) session.ahead?.known.clear()
  const isSure = ids === undefined && claimSlugs(session, rows)
  const known = session.ahead?.known
  const inserted = insertRows(statements, session, table, rows, ids, isSure ? 'posts' : undefined)
  if (known === undefined) return inserted
  return andThen(inserted, (newIds) => {
    for (const id of newIds) known.newPosts.set(id, new Set())
    return newIds
  })
}

type PostUpdate = Parameters<PostStore['update']>[0][number]

/** Of a row that was read in this transaction, without what may be taken: nothing can fail, and nobody waits for it. */
function updatePosts(statements: Statements, session: Session, updates: readonly PostUpdate[]): MaybePromise<number[]> {
  const { ahead } = session
  if (ahead === undefined) return updateRows(statements, session, table, updates)
  const { known } = ahead
  const isPlain = updates.every(({ changes }) => uniqueFields.every((field) => changes[field] === undefined))
  if (!isPlain) known.forgetSlugs()
  const isSure = isPlain && updates.every(({ id, when }) => when === undefined && known.posts.has(id))
  return updateRows(statements, session, table, updates, isSure)
}

/** A slug is unique for a type, and below a parent. */
const uniqueFields = ['slug', 'type', 'parent'] as const

function readKnown(statements: Statements, session: Session, ids: readonly number[]): MaybePromise<Post[]> {
  // As it is now: rows that are removed before the answer comes are not in the next one.
  const known = session.ahead?.known.posts
  if (known === undefined) return readPosts(statements, session, ids)
  return andThen(readPosts(statements, session, ids), (rows) => {
    for (const { id } of rows) known.add(id)
    return rows
  })
}

function queryPosts(
  statements: Statements,
  session: Session,
  query: PostQuery,
): MaybePromise<{ heads: PostHead[]; total: number }> {
  if (session.isAsync) return queryAtOnce(statements, session, query)
  if (!query.total) return andThen(queryHeads(statements, session, query), (heads) => ({ heads, total: 0 }))
  return andThen(countPosts(statements, session, query), (total) => {
    if (total <= query.offset && 'descending' in query.order) return { heads: [], total }
    return andThen(queryHeads(statements, session, query, total), (heads) => ({ heads, total }))
  })
}

/** Where each statement is a round trip, the page does not wait for the total. */
function queryAtOnce(
  statements: Statements,
  session: Session,
  query: PostQuery,
): MaybePromise<{ heads: PostHead[]; total: number }> {
  return andThen(chooseAccessPath(statements, session, query, { total: undefined }), (path) => {
    const heads = readAlong(statements, session, query, path)
    const total = query.total ? countPosts(statements, session, query, path) : 0
    return andThen(all([heads, total]), ([page, count]) => ({ heads: page, total: count }))
  })
}

/** A known total tells how many rows a scan in order would read. */
function queryHeads(
  statements: Statements,
  session: Session,
  query: PostQuery,
  total?: number,
): MaybePromise<PostHead[]> {
  return andThen(chooseAccessPath(statements, session, query, { total }), (path) =>
    readAlong(statements, session, query, path),
  )
}

/** An attempt that does not fill the page is followed by the other path. */
function readAlong(
  statements: Statements,
  session: Session,
  query: PostQuery,
  path: AccessPath,
): MaybePromise<PostHead[]> {
  const shaped = shapePostQuery(query, path)
  if (matchesNothing(query, shaped.shape)) return []
  const { otherwise, wanted = 0 } = attemptOf(path)
  return andThen(readHeads(statements, session, query, shaped), (heads) =>
    otherwise === undefined || heads.length >= wanted ? heads : readAlong(statements, session, query, otherwise),
  )
}

function readHeads(
  statements: Statements,
  session: Session,
  { types, offset, limit }: PostQuery,
  shaped: ShapedQuery,
): MaybePromise<PostHead[]> {
  if (limit <= 0) return []
  if (offset <= MAX_PLAIN_OFFSET || !session.cached || !hasCursors(shaped.shape)) {
    return andThen(readPage(statements, session, shaped, { offset, limit }), (rows) => rows.map(headOf))
  }
  const key = `cursors ${JSON.stringify([shaped.shape, shaped.values.list])}`
  return andThen(
    session.cached(key, () => new KeysetCursors(), types),
    (cursors) => {
      const cursor = cursors.nearest(offset)
      const page = { offset: offset - (cursor?.offset ?? 0), limit, start: cursor?.keys ?? [] }
      return andThen(readPage(statements, session, shaped, page), (rows) => {
        const first = rows[0]
        const last = rows.at(-1)
        if (first) cursors.add({ offset, keys: keysOf(first) })
        if (last) cursors.add({ offset: offset + rows.length - 1, keys: keysOf(last) })
        return rows.map(headOf)
      })
    },
  )
}

/** The keys of the order follow the columns of the head; the id, which is the first column, comes last. */
const keysOf = (row: Row): readonly SqlValue[] => [...row.slice(headColumns.length), row[0] as SqlValue]

/** `start` has the keys of the row from which `offset` counts; empty for the first row of the list. */
function readPage(
  statements: Statements,
  session: Session,
  { shape, values }: ShapedQuery,
  { offset, limit, start }: { readonly offset: number; readonly limit: number; readonly start?: readonly SqlValue[] },
): MaybePromise<readonly Row[]> {
  const first = values.list.length
  const parameters: PageParameters = {
    offset: first,
    limit: first + 1,
    end: first + 2,
    start: start?.map((_, at) => first + 3 + at),
  }
  const extent = extentOf(shape, { limit, isDeep: start !== undefined })
  const statement = statements.get(
    `posts.heads:${extent}:${start?.length ?? ''}:${JSON.stringify(shape)}`,
    (db) => selectHeads(db, statements.dialect, shape, parameters),
    extent,
  )
  const page = [offset, limitValue(limit), limitValue(offset + limit), ...(start ?? [])]
  return session.all(statement, [...values.list, ...page])
}

function readPosts(statements: Statements, session: Session, ids: readonly number[]): MaybePromise<Post[]> {
  const [only] = ids
  if (only === undefined) return []
  if (ids.length === 1) return andThen(session.all(readOne(statements), [only]), (rows) => rows.map(postReader.read))
  const statement = statements.get('posts.read', (db) =>
    sql`select ${columnList()} from posts where ${statements.dialect.inList(sql`id`, 0, 'integer')}`.compile(db),
  )
  return andThen(session.all(statement, [JSON.stringify(ids)]), (rows) => {
    const posts = new Map(rows.map((row) => [row[0], postReader.read(row)]))
    return [...new Set(ids)].map((id) => posts.get(id)).filter((post) => post !== undefined)
  })
}

function readOne(statements: Statements) {
  return statements.get('posts.read-one', (db) =>
    sql`select ${columnList()} from posts where id = ${parameter(0)}`.compile(db),
  )
}

function columnList() {
  return sql.join(postReader.columns.map((column) => sql.ref(column)))
}

function families(
  statements: Statements,
  session: Session,
  type: string,
  parents: readonly number[],
): MaybePromise<{ parent: number; count: number; latest: number }[]> {
  if (parents.length === 0) return []
  const statement = statements.get(
    'posts.families',
    (db) =>
      sql`select parent, count(*), max(id) from posts
        where type = ${parameter(0)} and ${statements.dialect.inList(sql`parent`, 1, 'integer')} group by parent`.compile(
        db,
      ),
    'list',
  )
  return andThen(session.all(statement, [type, JSON.stringify(parents)]), (rows) => {
    const byParent = new Map(
      rows.map(([parent, count, latest]) => [parent, { count: Number(count), latest: Number(latest) }]),
    )
    return [...new Set(parents)].flatMap((parent) => {
      const family = byParent.get(parent)
      return family === undefined ? [] : [{ parent, ...family }]
    })
  })
}
