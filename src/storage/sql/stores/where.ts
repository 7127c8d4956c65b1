/**
 * Conditions on records as SQL. Fields and values are checked against the collection first; only checked names enter
 * the text.
 */
import type { Collection, Where } from '../../../contract/storage.ts'
import { fold } from '../../../contract/text-fold.ts'
import { checkedKind, comparableKind } from '../../field-kinds.ts'
import type { Dialect, ListType } from '../engine/dialect.ts'
import { every, type Fragment, joined, literal, raw, some, sql } from '../engine/fragments.ts'
import { parameter, type Values } from '../engine/statements.ts'

/** The condition with parameter indexes instead of values: JSON that is the shape of its statement. */
export type WhereShape =
  | { readonly every: readonly WhereShape[] }
  | { readonly some: readonly WhereShape[] }
  | { readonly not: WhereShape }
  | { readonly field: string; readonly isNull: true }
  | { readonly field: string; readonly is: number }
  | { readonly field: string; readonly in: number; readonly orNull: boolean }
  | { readonly field: string; readonly bounds: readonly { readonly operator: Operator; readonly value: number }[] }
  | { readonly field: string; readonly holds: number }

type Operator = '>' | '>=' | '<' | '<='

const operators = { above: '>', from: '>=', below: '<', to: '<=' } as const

export function shapeWhere(collection: Collection, where: Where, values: Values): WhereShape {
  if ('every' in where) return { every: where.every.map((branch) => shapeWhere(collection, branch, values)) }
  if ('some' in where) return { some: where.some.map((branch) => shapeWhere(collection, branch, values)) }
  if ('not' in where) return { not: shapeWhere(collection, where.not, values) }
  const { field } = where
  const kind = comparableKind(collection, field)
  if ('in' in where) {
    const scalars = where.in.map((value) => checkedKind(field, kind, value))
    return { field, in: values.addList(scalars.filter((value) => value !== null)), orNull: scalars.includes(null) }
  }
  if ('is' in where) {
    const value = checkedKind(field, kind, where.is)
    return value === null ? { field, isNull: true } : { field, is: values.add(value) }
  }
  if ('holds' in where) {
    if (kind !== 'text') throw new TypeError(`only a text holds another; ${field} is no text`)
    return { field, holds: values.add(fold(where.holds)) }
  }
  const bounds: { operator: Operator; value: number }[] = []
  for (const name of ['above', 'from', 'below', 'to'] as const) {
    const limit = where[name]
    if (limit !== undefined) {
      bounds.push({ operator: operators[name], value: values.add(checkedKind(field, kind, limit)) })
    }
  }
  return { field, bounds }
}

/** Always true or false, never unknown, so that `not` negates it. */
export function whereCondition(
  dialect: Dialect,
  collection: Collection,
  shape: WhereShape,
  index?: UsedIndex,
): Fragment {
  const list = dialect.looksListsUp && index === undefined ? selectiveList(collection, shape) : undefined
  if (list !== undefined) {
    const others = partsOf(shape).filter((part) => part !== list)
    return every([
      listedCondition(dialect, collection, list),
      ...others.map((part) => conditionOf(dialect, collection, part, index)),
    ])
  }
  return conditionOf(dialect, collection, shape, index)
}

function conditionOf(dialect: Dialect, collection: Collection, shape: WhereShape, index: UsedIndex): Fragment {
  if ('every' in shape) return every(shape.every.map((branch) => conditionOf(dialect, collection, branch, index)))
  if ('some' in shape) return some(shape.some.map((branch) => conditionOf(dialect, collection, branch, index)))
  if ('not' in shape) return sql`not ${conditionOf(dialect, collection, shape.not, index)}`
  return fieldCondition(dialect, collection, shape, index)
}

export const partsOf = (shape: WhereShape): readonly WhereShape[] => ('every' in shape ? shape.every : [shape])

type ListShape = Extract<WhereShape, { readonly in: number }>

/** The list whose values find the fewest rows along an index, if no single value does. */
function selectiveList({ indexed = [], unique = [] }: Collection, shape: WhereShape): ListShape | undefined {
  const isUnique = (field: string) => unique.some(([first]) => first === field)
  const isLookedUp = (field: string) => isUnique(field) || indexed.includes(field)
  const parts = partsOf(shape)
  if (parts.some((part) => 'is' in part && (part.field === 'id' || isLookedUp(part.field)))) return undefined
  const lists = parts.filter((part): part is ListShape => 'in' in part && !part.orNull)
  if (lists.some(({ field }) => field === 'id')) return undefined
  return lists.find(({ field }) => isUnique(field)) ?? lists.find(({ field }) => isLookedUp(field))
}

/** Reads the index once for each value. */
function listedCondition(dialect: Dialect, collection: Collection, { field, in: index }: ListShape): Fragment {
  const kind = comparableKind(collection, field)
  const value = dialect.jsonField(sql`x.body`, checkedName(field), kind)
  return sql`r.id in (select x.id from ${dialect.listTable(index, listType(collection, field))} l ${dialect.orderedJoin} records x
    on x.collection = ${literal(checkedName(collection.name))} and ${value} = l.value)`
}

type FieldShape = Extract<WhereShape, { readonly field: string }>

function fieldCondition(dialect: Dialect, collection: Collection, shape: FieldShape, index: UsedIndex): Fragment {
  const expression = fieldExpression(dialect, collection, shape.field)
  const hasIndex = index === undefined ? isIndexed(collection, shape.field) : index.includes(shape.field)
  const field = hasIndex || index === undefined ? expression : dialect.unindexed(expression)
  const isSet: Fragment = sql`${field} is not null`
  if ('isNull' in shape) return sql`(${field} is null)`
  const prefixes = hasIndex && isText(collection, shape.field) ? dialect.prefixes : undefined
  if ('is' in shape) {
    const value = parameter(shape.is)
    const hasPrefix = prefixes ? [sql`${prefixes.of(field)} = ${prefixes.of(value)}`] : []
    return sql`(${joined([isSet, ...hasPrefix, sql`${field} = ${value}`], ' and ')})`
  }
  if ('in' in shape) {
    const hasPrefix = prefixes ? [prefixes.inList(field, shape.in)] : []
    const inList = dialect.inList(field, shape.in, listType(collection, shape.field))
    const isListed = sql`(${joined([isSet, ...hasPrefix, inList], ' and ')})`
    return shape.orNull ? sql`(${field} is null or ${isListed})` : isListed
  }
  if ('holds' in shape) {
    const folded = dialect.jsonField(sql`r.folded`, checkedName(shape.field), 'text')
    return sql`(${folded} is not null and ${dialect.contains(folded, parameter(shape.holds))})`
  }
  const bounds = shape.bounds.flatMap(({ operator, value }) => {
    const bound = sql`${field} ${raw(operator)} ${parameter(value)}`
    if (prefixes === undefined) return [bound]
    // Inclusive, because a text beyond the bound may have the same prefix.
    const inclusive = raw(`${operator[0]}=`)
    return [sql`${prefixes.of(field)} ${inclusive} ${prefixes.of(parameter(value))}`, bound]
  })
  return sql`(${joined([isSet, ...bounds], ' and ')})`
}

export function fieldExpression(dialect: Dialect, collection: Collection, field: string): Fragment {
  if (field === 'id') return sql`r.id`
  return dialect.jsonField(sql`r.body`, checkedName(field), comparableKind(collection, field))
}

const isText = (collection: Collection, field: string) => field !== 'id' && collection.fields[field] === 'text'

/** Whether an index of the collection begins with this field. */
export function isIndexed({ indexed = [], unique = [], orders = [] }: Collection, field: string): boolean {
  return indexed.includes(field) || [...unique, ...orders].some(([first]) => first === field)
}

/** The fields of the index that a query uses; the conditions on all others must not lead to another one. */
export type UsedIndex = readonly string[] | undefined

/** The index of `orders` that has the rows of a query in its order, if any. */
export function orderIndex({ orders = [] }: Collection, where: WhereShape, orderedBy: string | undefined): UsedIndex {
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

function listType(collection: Collection, field: string): ListType {
  const kind = comparableKind(collection, field)
  return kind === 'boolean' ? 'integer' : kind
}
