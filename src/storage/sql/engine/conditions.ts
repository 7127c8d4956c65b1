/** Joins lists of conditions with AND and OR. */
import { type RawBuilder, type SqlBool, sql } from 'kysely'

export type Condition = RawBuilder<SqlBool>

/** True for an empty list. */
export function and(conditions: readonly Condition[]): Condition {
  return join(conditions, sql`1 = 1`, sql` and `)
}

/** False for an empty list. */
export function or(conditions: readonly Condition[]): Condition {
  return join(conditions, sql`1 = 0`, sql` or `)
}

/** SQLite limits expressions to a depth of 1000, in a Durable Object of 100, and a plain chain is as deep as it is long: long chains are halved. */
const MAX_CHAIN = 16

function join(conditions: readonly Condition[], empty: Condition, operator: RawBuilder<unknown>): Condition {
  if (conditions.length === 0) return sql`(${empty})`
  if (conditions.length <= MAX_CHAIN) return sql`(${sql.join(conditions, operator)})`
  const middle = conditions.length >> 1
  return sql`(${join(conditions.slice(0, middle), empty, operator)} ${operator} ${join(conditions.slice(middle), empty, operator)})`
}
