/** Posts in SQL: reads pages and rows, and writes rows with their folded texts. */
import { sql } from 'kysely'
import { postFields } from '../../../contract/fields/posts.ts'
import { andThen } from '../../../contract/maybe-promise.ts'
import type { MaybePromise, Post, PostHead, PostQuery, PostStore, PostValues } from '../../../contract/storage.ts'
import type { Session } from '../engine/session.ts'
import { parameter, type Statements } from '../engine/statements.ts'
import { insertRows, removeRows, type Table, updateRows } from '../stores/rows.ts'
import { criteriaOf, matchesNothing } from './criteria.ts'
import { postReader } from './fields.ts'
import { PostList } from './post-list.ts'
import { claimSlugs, takenSlugs } from './slugs.ts'

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
  const criteria = criteriaOf(query)
  if (matchesNothing(criteria)) return { heads: [], total: 0 }
  return new PostList(statements, session, criteria).query(query.total)
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
