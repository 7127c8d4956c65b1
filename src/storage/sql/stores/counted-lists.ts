/**
 * The numbers of records by fields that a collection names (`counted`). A row of `record_lists` says which fields; triggers
 * on `records` keep the numbers in `list_counts`, by the JSON text of the values.
 */
import type { Collection } from '../../contract.ts'
import type { CountedList } from '../engine/session.ts'
import { checkedName, type WhereShape } from './where.ts'

export const countedLists = ({ name, counted = [] }: Collection): readonly CountedList[] =>
  counted.map((fields) => ({
    name: `${checkedName(name)}: ${fields.map(checkedName).join()}`,
    collection: name,
    fields,
  }))

/** The list that has the number of records of a query; undefined when no list has all fields of its conditions. */
export function countedListOf(collection: Collection, where: WhereShape): CountedList | undefined {
  const fields = fieldsIn(where)
  return fields && countedLists(collection).find((list) => fields.every((field) => list.fields.includes(field)))
}

/** Undefined for conditions on parts of texts, which the lists do not have. */
function fieldsIn(where: WhereShape): readonly string[] | undefined {
  if ('not' in where) return fieldsIn(where.not)
  if ('field' in where) return 'holds' in where ? undefined : [where.field]
  const parts = ('every' in where ? where.every : where.some).map(fieldsIn)
  return parts.includes(undefined) ? undefined : parts.flatMap((fields) => fields ?? [])
}
