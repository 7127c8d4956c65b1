/**
 * The general form of a stored field. A table of them declares the rows of one store: what a row holds, its columns, its
 * blank values, and its members in site documents follow from the table.
 */

/** The values of each kind. `texts` and `flags` are stored as JSON. */
interface KindValues {
  readonly text: string
  readonly integer: number
  readonly boolean: boolean
  readonly texts: readonly string[]
  readonly flags: { readonly [name: string]: boolean }
}

export type FieldKind = keyof KindValues

interface FieldOfKind<K extends FieldKind> {
  readonly kind: K
  /** The column and the member in site documents have this name. */
  readonly column: string
  readonly isNullable?: true
  /** The value of a blank row. A field without a default is given with each new row. */
  readonly default?: KindValues[K]
  /** True: the storage searches and sorts it by `fold(value)`, which has a separate column. */
  readonly isFolded?: K extends 'text' ? true : never
  /** True: the storage finds it by `identityFold(value)`, which has a separate column. */
  readonly hasIdentity?: K extends 'text' ? true : never
  /** True: revisions and autosaves of a post hold it, and it decides whether a revision differs from the last one. */
  readonly isRevisioned?: true
  /** True: a site document holds it as it is stored. References, dates and secrets have other rules there. */
  readonly inDocuments?: true
  readonly since?: undefined
}

/** A field that was declared after the first version of the schema: rows that are there already get the default. */
interface AddedField<K extends FieldKind> extends Omit<FieldOfKind<K>, 'since' | 'default'> {
  readonly default: KindValues[K]
  /** The addition to the schema that made its column: 1 is the first one. */
  readonly since: number
}

/** One line of a table. */
export type StoredField = { [K in FieldKind]: FieldOfKind<K> | AddedField<K> }[FieldKind]

/** A table of stored fields. The order is that of the columns. */
export type StoredFields = { readonly [name: string]: StoredField }

type NullOf<F> = F extends { readonly isNullable: true } ? null : never

/** The values of a field. */
export type ValueOf<F> = F extends { readonly kind: infer K extends FieldKind } ? KindValues[K] | NullOf<F> : never

/** The name of a field's column. */
export type ColumnOf<F> = F extends { readonly column: infer C extends string } ? C : never

/** The values of a row. */
export type ValuesOf<T> = { readonly [N in keyof T]: ValueOf<T[N]> }

/** The values that a blank row has: the fields with a default. */
type BlankOf<T> = {
  readonly [N in keyof T as T[N] extends { readonly default: unknown } ? N : never]: ValueOf<T[N]>
}

/** The names of the fields with this mark. */
export type NamesWith<T, Mark extends 'isRevisioned' | 'inDocuments'> = {
  [N in keyof T]: T[N] extends { readonly [M in Mark]: true } ? N : never
}[keyof T]

/** The names of the fields with this mark, in the order of the table. */
export function namesWith<T extends StoredFields, Mark extends 'isRevisioned' | 'inDocuments'>(
  fields: T,
  mark: Mark,
): readonly NamesWith<T, Mark>[] {
  // The cast: the names were chosen by the mark.
  return Object.keys(fields).filter((name) => fields[name]?.[mark]) as NamesWith<T, Mark>[]
}

/** Returns the values that an object holds under the names of the columns. Members that are undefined count as absent. */
export function valuesIn<T extends StoredFields, N extends keyof T>(
  fields: T,
  names: readonly N[],
  members: object,
): { readonly [M in N]?: ValueOf<T[M]> } {
  const given = members as { readonly [column: string]: unknown }
  const values = names.flatMap((name) => {
    const value = given[(fields[name] as StoredField).column]
    return value === undefined ? [] : [[name, value] as const]
  })
  // The cast: arguments and entries were checked by the kinds of their fields.
  return Object.fromEntries(values) as { readonly [M in N]?: ValueOf<T[M]> }
}

/** The members of a row with these names. */
export function picked<Row, N extends keyof Row>(row: Row, names: readonly N[]): Pick<Row, N> {
  // The cast: one entry for each name.
  return Object.fromEntries(names.map((name) => [name, row[name]])) as Pick<Row, N>
}

export function blankOf<T extends StoredFields>(fields: T): BlankOf<T> {
  const withDefaults = Object.entries(fields).filter(([, field]) => field.default !== undefined)
  // The cast: the fields with a default are those of the type.
  return Object.fromEntries(withDefaults.map(([name, field]) => [name, field.default])) as BlankOf<T>
}
