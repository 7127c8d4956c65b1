/** Records in memory: one table per collection. */

import type { Compare } from '../../contract/row-order.ts'
import {
  type Collection,
  type RecordQuery,
  type RecordStore,
  StorageConflict,
  type StoredRecord,
  type Where,
} from '../../contract/storage.ts'
import { checkedValues, comparableKind, storedRecord } from '../field-kinds.ts'
import { pageOf } from './paging.ts'
import { newIds } from './rows.ts'
import {
  collectionTable,
  indexedFields,
  type RecordRow,
  type State,
  scalarKey,
  uniqueIndexName,
  uniqueKeys,
} from './state.ts'
import type { Table } from './table.ts'
import type { Access } from './transactions.ts'
import { frozen } from './values.ts'
import { compareScalars, fieldReader, whereTest } from './where.ts'

export function recordStore(state: State, access: Access): RecordStore {
  return {
    query: (collection, query) => access.read((depth) => queryRecords(state, collection, query, depth)),
    insert: (collection, rows, ids) =>
      access.write((depth) => {
        const table = collectionTable(state, collection)
        const idOf = newIds(table, rows, ids, depth)
        return rows.map((row, index) => {
          const values = frozenValues(collection, row)
          const record: RecordRow = { id: idOf(index), values }
          assertUnique(collection, table, record, depth)
          table.put(record.id, record)
          return record.id
        })
      }),
    update: (collection, updates) =>
      access.write((depth) => {
        const table = collectionTable(state, collection)
        const changed: number[] = []
        for (const { id, changes, when } of updates) {
          const values = frozenValues(collection, changes)
          const test = when === undefined ? () => true : whereTest(collection, when)
          const before = table.get(id, depth)
          if (before === undefined || !test(before)) continue
          const record: RecordRow = { id, values: { ...before.values, ...values } }
          assertUnique(collection, table, record, depth)
          table.put(id, record)
          changed.push(id)
        }
        return changed
      }),
    remove: (collection, where) =>
      access.write((depth) => {
        const table = collectionTable(state, collection)
        const test = whereTest(collection, where)
        const rows = candidates(collection, table, where, depth).filter(test)
        for (const { id } of rows) table.delete(id)
        return rows.length
      }),
  }
}

/** Frozen copies of the defined values, which are checked against the collection. */
function frozenValues(collection: Collection, values: object): RecordRow['values'] {
  const copies = Object.entries(checkedValues(collection, values)).map(([field, value]) => [field, frozen(value)])
  return Object.fromEntries(copies)
}

function assertUnique(collection: Collection, table: Table<number, RecordRow>, record: RecordRow, depth: number): void {
  for (const fields of collection.unique ?? []) {
    const others = table.find(uniqueIndexName(fields), uniqueKeys(fields, record.values), depth)
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
  const matches = candidates(collection, table, where, depth).filter(test)
  const total = query.total ? matches.length : 0
  const page = pageOf(matches, compare, { offset, limit })
  return { rows: page.map(({ id, values }) => storedRecord(collection, id, values)), total }
}

/** The rows that an indexed part of the condition allows, or all rows. */
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
      return table.getMany(
        values.filter((value) => typeof value === 'number'),
        depth,
      )
    }
    if (indexedFields(collection).includes(part.field)) return table.find(part.field, values.map(scalarKey), depth)
  }
  return table.all(depth)
}

export function recordOrder(collection: Collection, order: NonNullable<RecordQuery['order']>): Compare<RecordRow> {
  const columns = order.map(({ by, descending }) => {
    comparableKind(collection, by)
    return { fieldValue: fieldReader(by), sign: descending ? -1 : 1 }
  })
  return (a, b) => {
    for (const { fieldValue, sign } of columns) {
      const order = compareScalars(fieldValue(a), fieldValue(b))
      if (order !== 0) return sign * order
    }
    return a.id - b.id
  }
}
