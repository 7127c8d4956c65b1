/**
 * The numbers of records by fields that a collection names (`counted`). A row of `record_lists` says which fields; triggers
 * on `records` keep the numbers in `list_counts`, by the JSON text of the values.
 */
import type { Collection } from '../../../contract/storage.ts'
import type { CountedList } from '../engine/session.ts'
import { checkedName, type WhereShape } from './where.ts'

export const countedLists = ({ name, counted = [], countedEach = [] }: Collection): readonly CountedList[] =>
  [...counted, ...countedEach].map((fields) => ({
    name: `${checkedName(name)}: ${fields.map(checkedName).join()}`,
    collection: name,
    fields,
  }))

/** The list that has the number of records of a query; undefined when no list has all fields of its conditions. */
export function countedListOf(collection: Collection, where: WhereShape): CountedList | undefined {
  const fields = fieldsIn(where)
  const lists = countedLists({ ...collection, countedEach: [] })
  return fields && lists.find((list) => fields.every((field) => list.fields.includes(field)))
}

/** The list whose fields a query names with one value each, and the indexes of these values in the order of the fields. */
export function eachListOf(
  collection: Collection,
  where: WhereShape,
): { readonly list: CountedList; readonly values: readonly number[] } | undefined {
  const parts = 'every' in where ? where.every : [where]
  const named = new Map(parts.flatMap((part) => ('is' in part ? [[part.field, part.is] as const] : [])))
  if (named.size !== parts.length) return undefined
  const list = countedLists({ ...collection, counted: [] }).find(
    ({ fields }) => fields.length === named.size && fields.every((field) => named.has(field)),
  )
  return list && { list, values: list.fields.map((field) => named.get(field) ?? 0) }
}

/** Undefined for conditions on parts of texts, which the lists do not have. */
function fieldsIn(where: WhereShape): readonly string[] | undefined {
  if ('not' in where) return fieldsIn(where.not)
  if ('field' in where) return 'holds' in where ? undefined : [where.field]
  const parts = ('every' in where ? where.every : where.some).map(fieldsIn)
  return parts.includes(undefined) ? undefined : parts.flatMap((fields) => fields ?? [])
}
