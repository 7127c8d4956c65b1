/** Posts in SQL: reads pages and rows, and writes rows with their folded texts. */
import { postFields } from '../../../contract/fields/posts.ts'
import { andThen } from '../../../contract/maybe-promise.ts'
import type { IdsPageEntry, MaybePromise, Post, PostQuery, PostStore, PostValues } from '../../../contract/storage.ts'
import { joined, ref, sql } from '../engine/fragments.ts'
import type { Session } from '../engine/session.ts'
import { parameter, type Statements } from '../engine/statements.ts'
import { insertRows, removeRows, type Table, updateRows } from '../stores/rows.ts'
import { composedList, readComposed } from './composed-list.ts'
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
    remove: (ids) => removePosts(statements, session, ids),
    takenSlugs: (type, slugs, parent) => takenSlugs(statements, session, { type, slugs, parent }),
    childCounts: (type, parents) => childCounts(statements, session, type, parents),
  }
}

/** A row whose slug is known to be free can not violate uniqueness. */
function insertPosts(
  statements: Statements,
  session: Session,
  rows: readonly PostValues[],
  ids: readonly number[] | undefined,
): MaybePromise<number[]> {
  const known = session.pipeline?.known
  const isSure = ids === undefined && known !== undefined && claimSlugs(known, rows)
  // A transaction that goes on after an insert has failed knows nothing of the slugs.
  if (!isSure) known?.clear()
  const inserted = insertRows(statements, session, table, rows, { ids, pipelined: isSure ? 'posts' : undefined })
  const { newPosts } = session
  if (newPosts === undefined) return inserted
  return andThen(inserted, (added) => {
    for (const id of added) newPosts.add(id)
    return added
  })
}

type PostUpdate = Parameters<PostStore['update']>[0][number]

/** An update of a row that the transaction has read, without what may be taken, can not fail. */
function updatePosts(statements: Statements, session: Session, updates: readonly PostUpdate[]): MaybePromise<number[]> {
  const known = session.pipeline?.known
  if (known === undefined) return updateRows(statements, session, table, updates)
  const isPlain = updates.every(({ changes }) => uniqueFields.every((field) => changes[field] === undefined))
  const isSure = isPlain && updates.every(({ id, when }) => when === undefined && known.posts.has(id))
  if (!isPlain) known.clear()
  return updateRows(statements, session, table, updates, { isSure })
}

/** A slug is unique for a type, and below a parent. */
const uniqueFields = ['slug', 'type', 'parent'] as const

function removePosts(statements: Statements, session: Session, ids: readonly number[]): MaybePromise<void> {
  session.pipeline?.known.clear()
  return removeRows(statements, session, table, ids)
}

function readKnown(statements: Statements, session: Session, ids: readonly number[]): MaybePromise<Post[]> {
  // The set as it is now: a row that is removed before the answer comes is not in the next one.
  const known = session.pipeline?.known.posts
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
): MaybePromise<{ idsPage: IdsPageEntry[]; total: number }> {
  const { criteria, isEmpty, key, page, total } = composedList(statements, query)
  if (isEmpty) return { idsPage: [], total: 0 }
  if (page !== undefined) return readComposed(session, page, total, criteria.offset)
  return new PostList(statements, session, criteria).query(query.total, key)
}

function readPosts(statements: Statements, session: Session, ids: readonly number[]): MaybePromise<Post[]> {
  const [only] = ids
  if (only === undefined) return []
  if (ids.length === 1) return andThen(session.all(readOne(statements), [only]), (rows) => rows.map(postReader.read))
  const statement = statements.get(
    'posts.read',
    () => sql`select ${columnList()} from posts where ${statements.dialect.inList(sql`id`, 0, 'integer')}`,
  )
  return andThen(session.all(statement, [JSON.stringify(ids)]), (rows) => {
    const posts = new Map(rows.map((row) => [row[0], postReader.read(row)]))
    return [...new Set(ids)].map((id) => posts.get(id)).filter((post) => post !== undefined)
  })
}

function readOne(statements: Statements) {
  return statements.get('posts.read-one', () => sql`select ${columnList()} from posts where id = ${parameter(0)}`)
}

function columnList() {
  return joined(
    postReader.columns.map((column) => ref(column)),
    ', ',
  )
}

function childCounts(
  statements: Statements,
  session: Session,
  type: string,
  parents: readonly number[],
): MaybePromise<{ parent: number; count: number; latest: number }[]> {
  if (parents.length === 0) return []
  const statement = statements.get(
    'posts.childCounts',
    () =>
      sql`select parent, count(*), max(id) from posts
        where type = ${parameter(0)} and ${statements.dialect.inList(sql`parent`, 1, 'integer')} group by parent`,
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
