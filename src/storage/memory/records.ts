/** Records: rows of the collections that features declare. */

import type { StoredRecord, Where } from '../contract.ts'
import { type Collection, type Json, type RecordQuery, type RecordStore, StorageConflict } from '../contract.ts'
import { checkedKind, comparableKind } from '../field-kinds.ts'
import { collectionTable, type RecordRow, type State, scalarKey, uniqueKeys, uniqueName } from './state.ts'
import type { Table } from './table.ts'
import type { Access } from './transactions.ts'
import { knownValues } from './values.ts'
import { compareScalars, fieldReader, whereTest } from './where.ts'
import { type Compare, windowOf } from './paging.ts'

type Values = { readonly [field: string]: Json }

export function recordStore(state: State, access: Access): RecordStore {
  return {
    query: (collection, query) => access.read((depth) => queryRecords(state, collection, query, depth)),
    insert: (collection, rows) =>
      access.write((depth) => {
        const table = collectionTable(state, collection)
        return rows.map((row) => {
          const values = checkedValues(collection, row)
          const record: RecordRow = { id: table.nextId(), values }
          refuseTaken(collection, table, record, depth)
          table.put(record.id, record)
          return record.id
        })
      }),
    update: (collection, updates) =>
      access.write((depth) => {
        const table = collectionTable(state, collection)
        const changed: number[] = []
        for (const { id, changes, when } of updates) {
          const values = checkedValues(collection, changes)
          const test = when === undefined ? () => true : whereTest(collection, when)
          const before = table.get(id, depth)
          if (before === undefined || !test(before)) continue
          const record: RecordRow = { id, values: { ...before.values, ...values } }
          refuseTaken(collection, table, record, depth)
          table.put(id, record)
          changed.push(id)
        }
        return changed
      }),
    remove: (collection, where) =>
      access.write((depth) => {
        const table = collectionTable(state, collection)
        const test = whereTest(collection, where)
        const found = candidates(collection, table, where, depth).filter(test)
        for (const { id } of found) table.delete(id)
        return found.length
      }),
  }
}

function checkedValues(collection: Collection, given: object): Values {
  const values = knownValues(given, new Set(Object.keys(collection.fields)))
  for (const [field, value] of Object.entries(values)) {
    checkedKind(field, collection.fields[field] ?? 'json', value)
  }
  return values
}

function refuseTaken(collection: Collection, table: Table<number, RecordRow>, record: RecordRow, depth: number): void {
  for (const fields of collection.unique ?? []) {
    const others = table.find(uniqueName(fields), uniqueKeys(fields, record.values), depth)
    if (others.some((other) => other.id !== record.id)) throw new StorageConflict(fields[0] ?? 'id')
  }
}

function queryRecords(
  state: State,
  collection: Collection,
  query: RecordQuery,
  depth: number,
): { rows: StoredRecord[]; total: number } {
  const { where, order = [], offset = 0, limit = Number.MAX_SAFE_INTEGER } = query
  const table = collectionTable(state, collection)
  const test = where === undefined ? () => true : whereTest(collection, where)
  const compare = recordOrder(collection, order)
  const found = candidates(collection, table, where, depth).filter(test)
  const rows = windowOf(found, compare, { offset, limit }).map((row) => storedRecord(collection, row))
  return { rows, total: query.total ? found.length : 0 }
}

/** The rows that an indexed part of the condition allows, or all of them. */
function candidates(
  collection: Collection,
  table: Table<number, RecordRow>,
  where: Where | undefined,
  depth: number,
): RecordRow[] {
  for (const part of where === undefined ? [] : 'every' in where ? where.every : [where]) {
    if (!('is' in part || 'in' in part)) continue
    const values = 'is' in part ? [part.is] : part.in
    if (part.field === 'id') {
      const ids = [...new Set(values)].filter((value) => typeof value === 'number')
      return ids.map((id) => table.get(id, depth)).filter((row) => row !== undefined)
    }
    if (collection.indexed?.includes(part.field)) return table.find(part.field, values.map(scalarKey), depth)
  }
  return table.all(depth)
}

function storedRecord(collection: Collection, { id, values }: RecordRow): StoredRecord {
  const fields = Object.keys(collection.fields).map((field) => [field, values[field] ?? null] as const)
  // The cast: a spread of named entries loses the index signature.
  return { id, ...Object.fromEntries(fields) } as StoredRecord
}

function recordOrder(collection: Collection, order: NonNullable<RecordQuery['order']>): Compare<RecordRow> {
  const columns = order.map(({ by, descending }) => {
    comparableKind(collection, by)
    return { read: fieldReader(by), sign: descending ? -1 : 1 }
  })
  return (a, b) => {
    for (const { read, sign } of columns) {
      const compared = compareScalars(read(a), read(b))
      if (compared !== 0) return sign * compared
    }
    return a.id - b.id
  }
}
