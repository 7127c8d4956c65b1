/**
 * Counters that triggers maintain, compared with the rows that they count, and made anew from them. A host that writes with
 * triggers turned off, or a damaged file, makes them wrong.
 */

import { copied, postCounts, termCounts } from './schema/triggers.ts'

/** A table of counters or copies. */
interface Counter {
  /** The name of a wrong counter in the report: `the number of posts`. */
  readonly name: string
  /** Rows of `what`, the stored value and the right one, where they differ. */
  readonly differences: string
  readonly rebuild: readonly string[]
}

interface Dialect {
  /** Precedes the name of a table: empty, or a quoted schema and a dot. */
  readonly prefix: string
  /** A separate table has the roles of users. */
  readonly hasRoleTable: boolean
}

/** The values of a key, with blanks between them; the type of a file is empty for most posts. */
const keyText = (columns: readonly string[], row = '') =>
  `trim(${columns.map((column) => `${row}${column}`).join(` || ' ' || `)})`

/** A table of counters and the rows that it counts. */
function counter(p: string, name: string, { table, by }: typeof postCounts, rows: string): Counter {
  return {
    name,
    differences: differing(
      `select ${keyText(by)} as what, count as stored, 0 as counted from ${p}${table}`,
      `select ${keyText(by)}, 0, count(*) from ${p}${rows} group by ${by.join(', ')}`,
    ),
    rebuild: [
      `delete from ${p}${table}`,
      `insert into ${p}${table} (${by.join(', ')}, count) select ${by.join(', ')}, count(*) from ${p}${rows} group by ${by.join(', ')}`,
    ],
  }
}

/** In the order in which they must be made anew: the later ones count rows of the earlier ones. */
export function counters({ prefix: p, hasRoleTable }: Dialect): readonly Counter[] {
  const differs = copied.map((column) => `x.${column} <> p.${column}`).join(' or ')
  return [
    counter(p, 'the number of posts', postCounts, 'posts'),
    {
      name: 'the copy of a post beside its terms',
      differences: `select 'post ' || x.post_id || ' term ' || x.term_id, ${keyText(copied, 'x.')}, ${keyText(copied, 'p.')}
        from ${p}post_terms x join ${p}posts p on p.id = x.post_id where ${differs}`,
      rebuild: copied.map(
        (column) => `update ${p}post_terms set ${column} = (select o.${column} from ${p}posts o where o.id = post_id)
          where ${column} <> (select o.${column} from ${p}posts o where o.id = post_id)`,
      ),
    },
    counter(p, 'the number of posts of a term', termCounts, 'post_terms'),
    ...(hasRoleTable ? [roles] : []),
  ]
}

const differing = (stored: string, counted: string) =>
  `select what, sum(stored), sum(counted) from (${stored} union all ${counted}) pairs
    group by what having sum(stored) <> sum(counted) order by what`

const roles: Counter = {
  name: 'the role of a user',
  differences: differing(
    `select 'user ' || user_id || ' ' || role as what, 1 as stored, 0 as counted from user_roles`,
    `select distinct 'user ' || u.id || ' ' || r.value, 0, 1 from users u, json_each(u.roles) r`,
  ),
  rebuild: [
    'delete from user_roles',
    'insert or ignore into user_roles select r.value, u.id from users u, json_each(u.roles) r',
  ],
}

/** The result of a check. */
export interface CheckReport {
  /** Sentences about what was wrong and is right now; without `repair`, what it would mend. */
  readonly repaired: readonly string[]
  /** Sentences about what it can not mend. */
  readonly problems: readonly string[]
}

/** Called with how much of a total is done: of steps, or of bytes. */
export type Progress = (done: number, total: number) => void

/** Writes `the number of posts: post draft 1 is stored as 3 and is 2`. */
export const differenceText = (name: string, [what, stored, counted]: readonly unknown[]): string =>
  `${name}: ${what} is stored as ${stored} and is ${counted}`
