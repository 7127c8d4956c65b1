/** Conditions on records as SQL. Everything in them is checked against the collection first; names never become text unchecked. */
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { fold } from '../../../site/text-fold.ts'
import type { Collection, Where } from '../../contract.ts'
import { checkedKind, comparableKind } from '../../field-kinds.ts'
import { both, type Condition, either } from '../engine/conditions.ts'
import type { Dialect, ListOf } from '../engine/dialect.ts'
import { parameter, type Values } from '../engine/statements.ts'

/** The condition with slots instead of values: plain JSON, the shape of its statement. */
export type WhereShape =
  | { readonly every: readonly WhereShape[] }
  | { readonly some: readonly WhereShape[] }
  | { readonly not: WhereShape }
  | { readonly field: string; readonly isNull: true }
  | { readonly field: string; readonly is: number }
  | { readonly field: string; readonly in: number; readonly orNull: boolean }
  | { readonly field: string; readonly bounds: readonly { readonly sign: Sign; readonly value: number }[] }
  | { readonly field: string; readonly holds: number }

type Sign = '>' | '>=' | '<' | '<='

const signs = { above: '>', from: '>=', below: '<', to: '<=' } as const

export function shapeWhere(collection: Collection, where: Where, values: Values): WhereShape {
  if ('every' in where) return { every: where.every.map((branch) => shapeWhere(collection, branch, values)) }
  if ('some' in where) return { some: where.some.map((branch) => shapeWhere(collection, branch, values)) }
  if ('not' in where) return { not: shapeWhere(collection, where.not, values) }
  const { field } = where
  const kind = comparableKind(collection, field)
  if ('in' in where) {
    const wanted = where.in.map((value) => checkedKind(field, kind, value))
    return { field, in: values.addList(wanted.filter((value) => value !== null)), orNull: wanted.includes(null) }
  }
  if ('is' in where) {
    const value = checkedKind(field, kind, where.is)
    return value === null ? { field, isNull: true } : { field, is: values.add(value) }
  }
  if ('holds' in where) {
    if (kind !== 'text') throw new TypeError(`only a text holds another; ${field} is no text`)
    return { field, holds: values.add(fold(where.holds)) }
  }
  const bounds: { sign: Sign; value: number }[] = []
  for (const name of ['above', 'from', 'below', 'to'] as const) {
    const limit = where[name]
    if (limit !== undefined) bounds.push({ sign: signs[name], value: values.add(checkedKind(field, kind, limit)) })
  }
  return { field, bounds }
}

/** Always true or false, never unknown, so that `not` turns it around. */
export function whereCondition(dialect: Dialect, collection: Collection, plan: WhereShape): Condition {
  if ('every' in plan) return both(plan.every.map((branch) => whereCondition(dialect, collection, branch)))
  if ('some' in plan) return either(plan.some.map((branch) => whereCondition(dialect, collection, branch)))
  if ('not' in plan) return sql`not ${whereCondition(dialect, collection, plan.not)}`
  const field = fieldExpression(dialect, collection, plan.field)
  const isSet: Condition = sql`${field} is not null`
  if ('isNull' in plan) return sql`(${field} is null)`
  const starts = isText(collection, plan.field) && isIndexed(collection, plan.field) ? dialect.beginnings : undefined
  if ('is' in plan) {
    const value = parameter(plan.is)
    const found = starts ? [sql`${starts.of(field)} = ${starts.of(value)}`] : []
    return sql`(${sql.join([isSet, ...found, sql`${field} = ${value}`], sql` and `)})`
  }
  if ('in' in plan) {
    const found = starts ? [starts.within(field, plan.in)] : []
    const within = dialect.within(field, plan.in, listOf(collection, plan.field))
    const listed = sql<SqlBool>`(${sql.join([isSet, ...found, within], sql` and `)})`
    return plan.orNull ? sql`(${field} is null or ${listed})` : listed
  }
  if ('holds' in plan) {
    const folded = dialect.jsonField(sql`r.folded`, plainName(plan.field), 'text')
    return sql`(${folded} is not null and ${dialect.holds(folded, parameter(plan.holds))})`
  }
  const bounds = plan.bounds.flatMap(({ sign, value }) => {
    const bound = sql`${field} ${sql.raw(sign)} ${parameter(value)}`
    // What lies above a text may begin as it does.
    const start = starts && sql`${starts.of(field)} ${sql.raw(sign[0] as string)}= ${starts.of(parameter(value))}`
    return start ? [start, bound] : [bound]
  })
  return sql`(${sql.join([isSet, ...bounds], sql` and `)})`
}

export function fieldExpression(dialect: Dialect, collection: Collection, field: string): RawBuilder<unknown> {
  if (field === 'id') return sql`r.id`
  return dialect.jsonField(sql`r.body`, plainName(field), comparableKind(collection, field))
}

const isText = (collection: Collection, field: string) => field !== 'id' && collection.fields[field] === 'text'

/** Whether an index of the collection begins with this field. */
export function isIndexed({ indexed = [], unique = [] }: Collection, field: string): boolean {
  return indexed.includes(field) || unique.some(([first]) => first === field)
}

/** Names of collections and fields become part of a statement's text, so nothing but words passes. */
export function plainName(name: string): string {
  if (!/^[a-z_][a-z0-9_-]*$/i.test(name)) throw new TypeError(`${name} can't be the name of a collection or a field`)
  return name
}

function listOf(collection: Collection, field: string): ListOf {
  const kind = comparableKind(collection, field)
  return kind === 'boolean' ? 'integer' : kind
}
