/** The columns of the stored fields, in the words of an engine: those of the first schema, and those that were added to it. */
import { postFields } from '../../../contract/fields/posts.ts'
import type { FieldKind, StoredField, StoredFields } from '../../../contract/fields/stored-field.ts'
import { termFields } from '../../../contract/fields/terms.ts'
import { userFields } from '../../../contract/fields/users.ts'
import { fold } from '../../../contract/text-fold.ts'

/** The type of the columns of each kind. */
export type ColumnTypes = { readonly [kind in FieldKind]: string }

/** The stored fields of each table. */
export const storedTables = { posts: postFields, terms: termFields, users: userFields } as const

/** The columns of fields that are stored as JSON. */
export const jsonFieldColumns: readonly string[] = Object.values(storedTables).flatMap((fields) =>
  Object.values<StoredField>(fields).flatMap(({ kind, column }) =>
    kind === 'texts' || kind === 'flags' ? [column] : [],
  ),
)

export const foldedColumn = ({ column }: StoredField): string => `${column}_folded`
export const identityColumn = ({ column }: StoredField): string => `${column}_identity`

/** This addition to the schema made the columns for identity. */
export const identitiesSince = 1

/** The definitions of a field's columns. The folded copy of a text follows it. */
function definitionsOf(field: StoredField, types: ColumnTypes): string[] {
  const { column, kind, isFolded } = field
  const constraint = `${field.isNullable ? '' : ' not null'}${field.since === undefined ? '' : ' default'}`
  const value = field.since === undefined ? undefined : field.default
  const written = (given: typeof value) => (given === undefined ? '' : ` ${literal(given)}`)
  const own = `${column} ${types[kind]}${constraint}${written(value)}`
  if (!isFolded) return [own]
  return [own, `${foldedColumn(field)} ${types.text}${constraint}${written(value && fold(String(value)))}`]
}

function literal(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'boolean') return String(Number(value))
  return `'${(typeof value === 'string' ? value : JSON.stringify(value)).replaceAll("'", "''")}'`
}

/** The definitions of the columns that a table of the first schema has, in the order of the fields. */
export const firstColumns = (fields: StoredFields, types: ColumnTypes): string[] =>
  Object.values(fields)
    .filter(({ since }) => since === undefined)
    .flatMap((field) => definitionsOf(field, types))

/** A column that follows the first schema as a migration: rows that are there already get the default. */
export interface AddedColumn {
  readonly since: number
  readonly table: string
  readonly definition: string
}

export function addedColumns(types: ColumnTypes): readonly AddedColumn[] {
  return Object.entries(storedTables).flatMap(([table, fields]) =>
    Object.values<StoredField>(fields).flatMap((field) => [
      ...(field.hasIdentity
        ? [{ since: identitiesSince, table, definition: `${identityColumn(field)} ${types.text} not null default ''` }]
        : []),
      ...(field.since === undefined
        ? []
        : definitionsOf(field, types).map((definition) => ({ since: field.since, table, definition }))),
    ]),
  )
}
