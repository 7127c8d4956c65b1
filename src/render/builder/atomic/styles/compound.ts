/** Values of several parts: which properties take them, and their declarations. */
import type { Declaration, Declarations } from '../../css/rules.ts'
import type { StyleValues } from './values.ts'

/** A member of the stored object. */
export type Members = (name: string) => unknown

export interface Compound {
  readonly properties: readonly string[]
  readonly write: (members: Members, values: StyleValues, property: string) => Declarations
}

/** A value that is a list. */
export interface ListCompound {
  readonly properties: readonly string[]
  readonly writeList: (entries: readonly unknown[], values: StyleValues, property: string) => Declarations
}

/** Those that have a value. */
export const pairs = (list: readonly (readonly [property: string, value: string | undefined])[]): Declarations =>
  list.flatMap(([property, value]): Declaration[] => (value === undefined ? [] : [[property, value]]))

/** One declaration of all entries that can be written. */
export const joinedList = (property: string, texts: readonly (string | undefined)[], by: string): Declarations => {
  const written = texts.filter((text) => text !== undefined)
  return written.length === 0 ? [] : [[property, written.join(by)]]
}
