/** Stores the rows of all declared collections as JSON documents in one table. */
import {
  type Collection,
  checkedValues,
  comparableKind,
  type Json,
  jsonText,
  type RecordQuery,
  type RecordStore,
  StorageConflict,
  type StoredRecord,
  storedRecord,
} from 'site-api/storage'
import { readPage } from './rows.ts'
import type { Session } from './session.ts'
import { and, join, raw, type Sql, sql } from './sql.ts'
import { conditionOf, storedValue } from './where.ts'

interface Document {
  readonly id: number
  readonly body: { readonly [field: string]: Json }
}

export function recordStore(session: Session): RecordStore {
  return {
    query: async (collection, query) => {
      const { rows, total } = await readPage<Document>(session, {
        from: sql`site_documents`,
        where: isIn(collection, query.where && conditionOf(collection, query.where)),
        order: orderOf(collection, query),
        page: query,
      })
      return { rows: rows.map((row) => recordOf(collection, row)), total }
    },
    insert: (collection, rows) =>
      session.atomic(async (inside) => {
        const bodies = jsonText(rows.map((row) => bodyOf(collection, row)))
        const inserted = await inside.query<Document>(
          sql`insert into site_documents (collection, body)
            select ${collection.name}, value from jsonb_array_elements(${bodies}::jsonb) returning id`,
        )
        return assertUnique(inside, collection, inserted)
      }),
    update: (collection, updates) =>
      session.atomic(async (inside) => {
        const ids: number[] = []
        for (const { id, changes, when } of updates) {
          const where = isIn(collection, sql`id = ${id}::bigint`, when && conditionOf(collection, when))
          const updated = await inside.query<Document>(
            sql`update site_documents set body = body || ${jsonText(bodyOf(collection, changes))}::jsonb
              where ${where} returning id`,
          )
          ids.push(...(await assertUnique(inside, collection, updated)))
        }
        return ids
      }),
    remove: (collection, where) =>
      session.atomic(async (inside) => {
        const condition = isIn(collection, conditionOf(collection, where))
        return (await inside.query(sql`delete from site_documents where ${condition} returning id`)).length
      }),
  }
}

/** Values of the kind 'json' are stored as texts, so that the order of their keys is kept. */
function bodyOf(collection: Collection, values: object): Document['body'] {
  return mapJson(collection, checkedValues(collection, values), jsonText)
}

function recordOf(collection: Collection, { id, body }: Document): StoredRecord {
  return storedRecord(
    collection,
    id,
    mapJson(collection, body, (text) => JSON.parse(String(text))),
  )
}

function mapJson({ fields }: Collection, values: Document['body'], map: (value: Json) => Json): Document['body'] {
  const mapped = Object.entries(values).map(([field, value]) => {
    return [field, fields[field] === 'json' && value !== null ? map(value) : value]
  })
  return Object.fromEntries(mapped)
}

const isIn = ({ name }: Collection, ...conditions: readonly (Sql | undefined)[]): Sql =>
  and([sql`collection = ${name}`, ...conditions])

/**
 * Returns the ids of the documents just written. A look is enough, since no other transaction writes at the same time.
 */
async function assertUnique(
  session: Session,
  collection: Collection,
  documents: readonly Document[],
): Promise<number[]> {
  const ids = documents.map(({ id }) => id)
  for (const fields of ids.length === 0 ? [] : (collection.unique ?? [])) {
    const named = fields.map((field) => raw(`'${field}', one.body -> '${field}'`))
    const isComplete = and(fields.map((field) => sql`one.body ->> ${field}::text is not null`))
    const [taken] = await session.query(
      sql`select from site_documents one join site_documents other
          on other.id <> one.id and other.collection = one.collection
          and other.body @> jsonb_build_object(${join(named, ', ')})
        where one.id = any(${ids}::bigint[]) and ${isComplete} limit 1`,
    )
    if (taken !== undefined) throw new StorageConflict(fields[0] ?? 'id')
  }
  return ids
}

/** Null first; `descending` reverses that too. */
function orderOf(collection: Collection, { order = [] }: RecordQuery): Sql {
  const columns = order.map(({ by, descending }) => {
    comparableKind(collection, by)
    return sql`${storedValue(collection, by)} ${raw(descending ? 'desc nulls last' : 'asc nulls first')}`
  })
  return join([...columns, sql`id`], ', ')
}
