/** Inserts and updates of posts, terms and users: values are checked, rows frozen, uniqueness asserted row by row. */
import type { StoredFields } from '../../contract/fields/stored-field.ts'
import type { Table } from './table.ts'
import { completeValues, definedValues } from './values.ts'

export interface RowTable<Row> {
  readonly table: Table<number, Row & object>
  readonly fields: StoredFields
  /** Throws StorageConflict if another row has a value that must be unique. */
  assertUnique(row: Row, depth: number): void
}

/** The ids of new rows: the next ones, or those that the caller gives. */
export function newIds<Row extends object>(
  table: Table<number, Row>,
  rows: readonly object[],
  ids: readonly number[] | undefined,
  depth: number,
): (index: number) => number {
  if (ids !== undefined && ids.length !== rows.length) throw new TypeError('there must be one id for each row')
  return (index) => (ids === undefined ? table.nextId() : table.takeId(ids[index] ?? 0, depth))
}

/** Returns the new ids. `defaults` are the members that callers never set. */
export function insertRows<Row extends { readonly id: number }>(
  { table, fields, assertUnique }: RowTable<Row>,
  rows: readonly object[],
  depth: number,
  { ids, defaults }: { readonly ids: readonly number[] | undefined; readonly defaults?: Partial<Row> },
): number[] {
  const idOf = newIds(table, rows, ids, depth)
  return rows.map((values, index) => {
    // The cast: `completeValues` has checked that each field is present, and no other.
    const row = Object.freeze({ id: idOf(index), ...completeValues(values, fields), ...defaults }) as unknown as Row
    assertUnique(row, depth)
    table.put(row.id, row)
    return row.id
  })
}

/**
 * Returns the ids of the updated rows. `change` returns the members to set besides `changes`, or undefined to skip the
 * row.
 */
export function updateRows<Row extends { readonly id: number }, Update extends { id: number; changes: object }>(
  { table, fields, assertUnique }: RowTable<Row>,
  updates: readonly Readonly<Update>[],
  depth: number,
  change: (before: Row, update: Readonly<Update>) => Partial<Row> | undefined = () => ({}),
): number[] {
  const updated: number[] = []
  for (const update of updates) {
    const values = definedValues(update.changes, fields)
    const before = table.get(update.id, depth)
    if (before === undefined) continue
    const others = change(before, update)
    if (others === undefined) continue
    const row: Row = Object.freeze({ ...before, ...values, ...others })
    assertUnique(row, depth)
    table.put(row.id, row)
    updated.push(row.id)
  }
  return updated
}
