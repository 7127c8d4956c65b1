/** Posts in SQL: reads pages and rows, and writes rows with their folded texts. */
import { postFields } from '../../../contract/fields/posts.ts'
import { andThen } from '../../../contract/maybe-promise.ts'
import type { MaybePromise, Post, PostStore, PostValues } from '../../../contract/storage.ts'
import { quoted, raw, sql } from '../engine/fragments.ts'
import type { Session } from '../engine/session.ts'
import { insertRows, removeRows, type Table, updateRows } from '../stores/rows.ts'
import { postReader } from './fields.ts'
import { queryPosts } from './post-list.ts'
import { claimSlugs, takenSlugs } from './slugs.ts'

const table: Table = { name: 'posts', fields: postFields, hasVersion: true }

export function postStore(session: Session): PostStore {
  return {
    query: (query) => queryPosts(session, query),
    read: (ids) => readKnown(session, ids),
    insert: (rows, ids) => insertPosts(session, rows, ids),
    update: (updates) => updatePosts(session, updates),
    remove: (ids) => removePosts(session, ids),
    takenSlugs: (type, slugs, parent) => takenSlugs(session, { type, slugs, parent }),
    childCounts: (type, parents) => childCounts(session, type, parents),
  }
}

/** A row whose slug is known to be free can not violate uniqueness. */
function insertPosts(
  session: Session,
  rows: readonly PostValues[],
  ids: readonly number[] | undefined,
): MaybePromise<number[]> {
  const known = session.known
  const isSure = ids === undefined && known !== undefined && claimSlugs(known, rows)
  // A transaction that goes on after an insert has failed knows nothing of the slugs.
  if (!isSure) known?.clear()
  const inserted = insertRows(session, table, rows, { ids, isSure })
  const { newPosts } = session
  if (newPosts === undefined) return inserted
  return andThen(inserted, (added) => {
    for (const id of added) newPosts.add(id)
    return added
  })
}

type PostUpdate = Parameters<PostStore['update']>[0][number]

/** An update of a row that the transaction has read, without what may be taken, can not fail. */
function updatePosts(session: Session, updates: readonly PostUpdate[]): MaybePromise<number[]> {
  const known = session.known
  if (known === undefined) return updateRows(session, table, updates)
  const isPlain = updates.every(({ changes }) => uniqueFields.every((field) => changes[field] === undefined))
  const isSure = isPlain && updates.every(({ id, when }) => when === undefined && known.posts.has(id))
  if (!isPlain) known.clear()
  return updateRows(session, table, updates, { isSure })
}

/** A slug is unique for a type, and below a parent. */
const uniqueFields = ['slug', 'type', 'parent'] as const

function removePosts(session: Session, ids: readonly number[]): MaybePromise<void> {
  session.known?.clear()
  return removeRows(session, table, ids)
}

function readKnown(session: Session, ids: readonly number[]): MaybePromise<Post[]> {
  // The set as it is now: a row that is removed before the answer comes is not in the next one.
  const known = session.known?.posts
  if (known === undefined) return readPosts(session, ids)
  return andThen(readPosts(session, ids), (rows) => {
    for (const { id } of rows) known.add(id)
    return rows
  })
}

const columns = postReader.columns.map(quoted).join(', ')

function readPosts(session: Session, ids: readonly number[]): MaybePromise<Post[]> {
  if (ids.length === 0) return []
  const rows = session.all(sql`select ${raw(columns)} from posts where ${session.dialect.inList('id', ids)}`)
  return andThen(rows, (found) => {
    if (ids.length === 1) return found.map(postReader.read)
    const posts = new Map(found.map((row) => [row[0], postReader.read(row)]))
    return [...new Set(ids)].map((id) => posts.get(id)).filter((post) => post !== undefined)
  })
}

function childCounts(
  session: Session,
  type: string,
  parents: readonly number[],
): MaybePromise<{ parent: number; count: number; latest: number }[]> {
  if (parents.length === 0) return []
  const rows = session.all(
    sql`select parent, count(*), max(id) from posts
        where type = ${type} and ${session.dialect.inList('parent', parents)} group by parent`,
    'list',
  )
  return andThen(rows, (found) => {
    const counts = new Map(
      found.map(([parent, count, latest]) => [
        Number(parent),
        { parent: Number(parent), count: Number(count), latest: Number(latest) },
      ]),
    )
    return [...new Set(parents)].map((parent) => counts.get(parent)).filter((count) => count !== undefined)
  })
}
