/**
 * The stored fields that a site document holds as they are: the members of entries, their values in an export, and the
 * values of a row that is made of an entry.
 */

import { equalJson } from '../../contract/equal-json.ts'
import type {
  ColumnOf,
  FieldKind,
  NamesWith,
  StoredField,
  StoredFields,
  ValueOf,
} from '../../contract/fields/stored-field.ts'
import { namesWith, valuesIn } from '../../contract/fields/stored-field.ts'
import { lookupTable } from '../../contract/lookup-table.ts'
import type { Json } from '../../contract/storage.ts'
import { type Arg, bool, int, list, nullable, str } from '../../core/declare/args.ts'

/** An object whose members have any names. */
export const mapOf = <T>(member: Arg<T>): Arg<{ readonly [name: string]: T }, false> => ({
  node: { type: 'object', additionalProperties: member.node },
})

export const integer = int({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER })

const kinds: { readonly [kind in FieldKind]: Arg<Json> } = lookupTable({
  text: str(),
  integer,
  boolean: bool(),
  texts: list(str()),
  flags: mapOf(bool()),
})

/** The field of a member: members are called like the columns. */
type Plain<T> = {
  readonly [N in NamesWith<T, 'inDocuments'> as ColumnOf<T[N]>]: T[N]
}

/** The members that entries of a table have. */
type StoredMembers<T> = { readonly [C in keyof Plain<T>]: Arg<ValueOf<Plain<T>[C]>, false> }
type MemberValues<T> = { readonly [C in keyof Plain<T>]?: ValueOf<Plain<T>[C]> }

export function storedMembers<T extends StoredFields>(fields: T): StoredMembers<T> {
  const members = plainFields(fields).map(([, { column, kind, isNullable }]) => [
    column,
    isNullable ? nullable(kinds[kind]) : kinds[kind],
  ])
  // The cast: one member for each field, of its kind.
  return Object.fromEntries(members) as StoredMembers<T>
}

/** The members of a row's entry, but for values that equal those of `leftOut`. */
export function membersOf<T extends StoredFields>(fields: T, row: object, leftOut: object = {}): MemberValues<T> {
  const given = row as { readonly [name: string]: Json }
  const defaults = leftOut as { readonly [name: string]: Json }
  const members = plainFields(fields).filter(([name]) => !equalJson(given[name], defaults[name]))
  // The cast: a row has a value of the right kind for each field.
  return Object.fromEntries(members.map(([name, { column }]) => [column, given[name]])) as MemberValues<T>
}

/** The values of an entry's row: those of the entry, and the defaults for what it lacks. */
export function valuesOf<T extends StoredFields, Row>(fields: T, entry: MemberValues<T>, defaults: Row): Row {
  return { ...defaults, ...valuesIn(fields, namesWith(fields, 'inDocuments'), entry) }
}

const plainFields = (fields: StoredFields): (readonly [string, StoredField])[] =>
  namesWith(fields, 'inDocuments').map((name) => [name, fields[name] as StoredField])
