/** Conditions joined to one. */
import { type RawBuilder, type SqlBool, sql } from 'kysely'

export type Condition = RawBuilder<SqlBool>

export function both(conditions: readonly Condition[]): Condition {
  return joined(conditions, sql`1 = 1`, sql` and `)
}

export function either(conditions: readonly Condition[]): Condition {
  return joined(conditions, sql`1 = 0`, sql` or `)
}

/** SQLite allows expressions a depth of 1000, and a plain chain is as deep as it is long: so long ones are halved. */
const LONGEST_CHAIN = 50

function joined(conditions: readonly Condition[], none: Condition, by: RawBuilder<unknown>): Condition {
  if (conditions.length === 0) return sql`(${none})`
  if (conditions.length <= LONGEST_CHAIN) return sql`(${sql.join(conditions, by)})`
  const middle = conditions.length >> 1
  return sql`(${joined(conditions.slice(0, middle), none, by)} ${by} ${joined(conditions.slice(middle), none, by)})`
}
