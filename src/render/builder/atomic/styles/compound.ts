/** Value kinds that set several properties: which properties each sets, and how its declarations are written. */
import type { Declaration, Declarations } from '../../css/rules.ts'
import type { StyleValues } from './values.ts'

/** Returns a member of the stored object. */
export type Members = (name: string) => unknown

export interface Compound {
  readonly properties: readonly string[]
  readonly write: (members: Members, values: StyleValues, property: string) => Declarations
}

/** A value kind that is a list. */
export interface ListCompound {
  readonly properties: readonly string[]
  readonly writeList: (entries: readonly unknown[], values: StyleValues, property: string) => Declarations
}

/** Leaves out pairs without a value. */
export const pairs = (list: readonly (readonly [property: string, value: string | undefined])[]): Declarations =>
  list.flatMap(([property, value]): Declaration[] => (value === undefined ? [] : [[property, value]]))

/** Joins the valid entries into one declaration. */
export const joinedList = (property: string, texts: readonly (string | undefined)[], by: string): Declarations => {
  const written = texts.filter((text) => text !== undefined)
  return written.length === 0 ? [] : [[property, written.join(by)]]
}
