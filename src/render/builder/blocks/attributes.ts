/** Reads the attributes of blocks: values of users, of any type. */

import { isObject, numberOf, ownValue, textOf } from '../document/values.ts'
import type { BlockCall } from '../pass/pass.ts'

type WithAttributes = Pick<BlockCall, 'attributes'>

export const text = ({ attributes }: WithAttributes, name: string, byDefault = ''): string => {
  const value = ownValue(attributes, name)
  return value === undefined ? byDefault : textOf(value)
}

/** A switch that is on or off unless the block says otherwise. */
export const isOn = ({ attributes }: WithAttributes, name: string, byDefault = false): boolean => {
  const value = ownValue(attributes, name)
  return typeof value === 'boolean' ? value : byDefault
}

/** An integer, moved into its bounds. */
export const integer = (
  { attributes }: WithAttributes,
  name: string,
  byDefault: number,
  [least, most]: readonly [number, number],
): number => {
  const value = numberOf(ownValue(attributes, name))
  return value === undefined ? byDefault : Math.min(Math.max(Math.trunc(value), least), most)
}

export const choice = <T extends string>(
  call: WithAttributes,
  name: string,
  values: readonly T[],
  byDefault: NoInfer<T>,
): T => {
  const value = text(call, name)
  // The cast: the list has the value.
  return (values as readonly string[]).includes(value) ? (value as T) : byDefault
}

export const object = ({ attributes }: WithAttributes, name: string): { readonly [name: string]: unknown } => {
  const value = ownValue(attributes, name)
  return isObject(value) ? value : {}
}

/** Returns the ids in a list of numbers, or of objects with an id. */
export function ids({ attributes }: WithAttributes, name: string): readonly number[] {
  const value = ownValue(attributes, name)
  if (!Array.isArray(value)) return []
  return value.slice(0, maxIds).flatMap((entry: unknown) => {
    const id = Number(isObject(entry) ? ownValue(entry, 'id') : entry)
    return Number.isSafeInteger(id) && id > 0 ? [id] : []
  })
}

const maxIds = 200
