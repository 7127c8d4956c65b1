/**
 * Conditions on records as SQL. Fields and values are checked against the collection first; only checked names enter
 * the text.
 */
import type { Collection, Where } from '../../../contract/storage.ts'
import { fold } from '../../../contract/text-fold.ts'
import { checkedKind, comparableKind } from '../../field-kinds.ts'
import type { Dialect, ListType } from '../engine/dialect.ts'
import { every, type Fragment, joined, literal, raw, some, sql } from '../engine/fragments.ts'

type Value = number | string

/** A checked condition: null and a list of one value are not lists, and booleans are numbers. */
export type Condition =
  | { readonly every: readonly Condition[] }
  | { readonly some: readonly Condition[] }
  | { readonly not: Condition }
  | { readonly field: string; readonly isNull: true }
  | { readonly field: string; readonly is: Value }
  | { readonly field: string; readonly in: readonly Value[]; readonly orNull: boolean }
  | { readonly field: string; readonly bounds: readonly Bound[] }
  | { readonly field: string; readonly holds: string }

interface Bound {
  readonly operator: '>' | '>=' | '<' | '<='
  readonly value: Value
}

const operators = { above: '>', from: '>=', below: '<', to: '<=' } as const

const sqlValue = (value: boolean | Value): Value => (typeof value === 'boolean' ? Number(value) : value)

export function checkedWhere(collection: Collection, where: Where): Condition {
  const checkedAll = (branches: readonly Where[]) => branches.map((branch) => checkedWhere(collection, branch))
  if ('every' in where) return { every: checkedAll(where.every) }
  if ('some' in where) return { some: checkedAll(where.some) }
  if ('not' in where) return { not: checkedWhere(collection, where.not) }
  const { field } = where
  const kind = comparableKind(collection, field)
  if ('in' in where) {
    const scalars = where.in.map((value) => checkedKind(field, kind, value))
    const values = scalars.filter((value) => value !== null).map(sqlValue)
    const [only] = values
    if (only !== undefined && scalars.length === 1) return { field, is: only }
    return { field, in: values, orNull: values.length < scalars.length }
  }
  if ('is' in where) {
    const value = checkedKind(field, kind, where.is)
    return value === null ? { field, isNull: true } : { field, is: sqlValue(value) }
  }
  if ('holds' in where) {
    if (kind !== 'text') throw new TypeError(`only a text holds another; ${field} is no text`)
    return { field, holds: fold(where.holds) }
  }
  return { field, bounds: boundsOf(where).map((bound) => ({ ...bound, value: checkedKind(field, kind, bound.value) })) }
}

const limits = ['above', 'from', 'below', 'to'] as const

const boundsOf = (where: Extract<Where, { readonly above?: unknown }>): Bound[] =>
  limits.flatMap((name) => {
    const value = where[name]
    return value === undefined ? [] : [{ operator: operators[name], value }]
  })

/** Always true or false, never unknown, so that `not` negates it. */
export function whereCondition(
  dialect: Dialect,
  collection: Collection,
  condition: Condition,
  index?: UsedIndex,
): Fragment {
  const list = dialect.looksListsUp && index === undefined ? selectiveList(collection, condition) : undefined
  if (list === undefined) return conditionOf(dialect, collection, condition, index)
  const others = partsOf(condition).filter((part) => part !== list)
  return every([
    listedCondition(dialect, collection, list),
    ...others.map((part) => conditionOf(dialect, collection, part, index)),
  ])
}

function conditionOf(dialect: Dialect, collection: Collection, condition: Condition, index: UsedIndex): Fragment {
  const all = (branches: readonly Condition[]) =>
    branches.map((branch) => conditionOf(dialect, collection, branch, index))
  if ('every' in condition) return every(all(condition.every))
  if ('some' in condition) return some(all(condition.some))
  if ('not' in condition) return sql`not ${conditionOf(dialect, collection, condition.not, index)}`
  return fieldCondition(dialect, collection, condition, index)
}

export const partsOf = (condition: Condition): readonly Condition[] =>
  'every' in condition ? condition.every : [condition]

type ListCondition = Extract<Condition, { readonly in: unknown }>

/** The list whose values find the fewest rows along an index, if no single value does. */
function selectiveList({ indexed = [], unique = [] }: Collection, condition: Condition): ListCondition | undefined {
  const isUnique = (field: string) => unique.some(([first]) => first === field)
  const isLookedUp = (field: string) => isUnique(field) || indexed.includes(field)
  const parts = partsOf(condition)
  if (parts.some((part) => 'is' in part && (part.field === 'id' || isLookedUp(part.field)))) return undefined
  const lists = parts.filter((part): part is ListCondition => 'in' in part && !part.orNull)
  if (lists.some(({ field }) => field === 'id')) return undefined
  return lists.find(({ field }) => isUnique(field)) ?? lists.find(({ field }) => isLookedUp(field))
}

/** Reads the index once for each value. */
function listedCondition(dialect: Dialect, collection: Collection, { field, in: values }: ListCondition): Fragment {
  const value = dialect.jsonField('x.body', checkedName(field), comparableKind(collection, field))
  const listed = dialect.listTable(values, listType(collection, field))
  return sql`r.id in (select x.id from ${listed} l ${raw(dialect.join)} records x
    on x.collection = ${raw(nameOf(collection))} and ${raw(value)} = l.value)`
}

type FieldCondition = Extract<Condition, { readonly field: string }>

function fieldCondition(
  dialect: Dialect,
  collection: Collection,
  condition: FieldCondition,
  index: UsedIndex,
): Fragment {
  const { field } = condition
  const expression = fieldExpression(dialect, collection, field)
  const hasIndex = index === undefined ? isIndexed(collection, field) : index.includes(field)
  const column = hasIndex || index === undefined ? expression : `${dialect.unindexed}${expression}`
  const isSet = raw(`${column} is not null`)
  if ('isNull' in condition) return raw(`(${column} is null)`)
  const prefixes = hasIndex && isText(collection, field) ? dialect.prefixes : undefined
  const allOf = (...parts: readonly (Fragment | undefined)[]) =>
    sql`(${joined(
      [isSet, ...parts].filter((part) => part !== undefined),
      ' and ',
    )})`
  if ('is' in condition) {
    return allOf(prefixes?.compared(column, '=', condition.is), sql`${raw(column)} = ${condition.is}`)
  }
  if ('in' in condition) {
    const inList = dialect.inList(column, condition.in, listType(collection, field))
    const isListed = allOf(prefixes?.inList(column, condition.in), inList)
    return condition.orNull ? sql`(${raw(column)} is null or ${isListed})` : isListed
  }
  if ('holds' in condition) {
    const folded = dialect.jsonField('r.folded', checkedName(field), 'text')
    return sql`(${raw(folded)} is not null and ${dialect.contains(folded, condition.holds)})`
  }
  return allOf(
    ...condition.bounds.flatMap(({ operator, value }) => [
      // Inclusive, because a text beyond the bound may have the same prefix.
      prefixes?.compared(column, `${operator[0]}=`, value),
      sql`${raw(`${column} ${operator}`)} ${value}`,
    ]),
  )
}

export function fieldExpression(dialect: Dialect, collection: Collection, field: string): string {
  if (field === 'id') return 'r.id'
  return dialect.jsonField('r.body', checkedName(field), comparableKind(collection, field))
}

const isText = (collection: Collection, field: string) => field !== 'id' && collection.fields[field] === 'text'

/** Whether an index of the collection begins with this field. */
export function isIndexed({ indexed = [], unique = [], orders = [] }: Collection, field: string): boolean {
  return indexed.includes(field) || [...unique, ...orders].some(([first]) => first === field)
}

/** The fields of the index that a query uses; the conditions on all others must not lead to another one. */
export type UsedIndex = readonly string[] | undefined

/** The index of `orders` that has the rows of a query in its order, if any. */
export function orderIndex({ orders = [] }: Collection, where: Condition, orderedBy: string | undefined): UsedIndex {
  if (orders.length === 0) return undefined
  const parts = partsOf(where)
  // The rows with these ids are few.
  if (parts.some((part) => ('is' in part || 'in' in part) && part.field === 'id')) return undefined
  const isFirst = (field: string) => orders.some(([first, ...rest]) => first === field && rest.length > 0)
  const key = parts.find((part) => ('is' in part || 'in' in part) && isFirst(part.field))
  // Rows of several values are in no order of an index.
  if (key && 'in' in key) return undefined
  const first = key && 'field' in key ? key.field : undefined
  const named = new Set(parts.flatMap((part) => ('is' in part ? [part.field] : [])))
  const isNamed = (fields: readonly string[]) => fields.slice(0, -1).every((field) => named.has(field))
  const candidates = orders.filter((fields) => fields[0] === first)
  if (orderedBy === undefined) return candidates.find(isNamed) ?? candidates[0]
  const inOrder = [...candidates, ...orders.filter((fields) => fields.length === 1)]
  return inOrder.find((fields) => fields.at(-1) === orderedBy && isNamed(fields))
}

/** Names of collections and fields become part of a statement's text, so only words pass. */
export function checkedName(name: string): string {
  if (!/^[a-z_][a-z0-9_-]*$/i.test(name)) throw new TypeError(`${name} can't be the name of a collection or a field`)
  return name
}

/** The name as a literal, because a partial index serves only a condition with a literal. */
export const nameOf = ({ name }: Collection): string => literal(checkedName(name))

function listType(collection: Collection, field: string): ListType {
  const kind = comparableKind(collection, field)
  return kind === 'boolean' ? 'integer' : kind
}
