/** PostgreSQL: lists as arrays, `pg_trgm` where it is there, no index hints (its planner has statistics). */
import { DummyDriver, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, sql } from 'kysely'
import type { Dialect, Expression, ListOf } from '../engine/dialect.ts'
import { parameter } from '../engine/statements.ts'
import { INDEXED_LENGTH } from './schema.ts'

/** Known once the storage is open. */
export interface SearchSupport {
  /** `none`: there is no index. `ascii`: the index knows no other letters, which follows from the database's locale. */
  searchIndex: 'none' | 'ascii' | 'unicode'
}

const arrays: { readonly [of in ListOf]: string } = {
  integer: 'bigint[]',
  number: 'double precision[]',
  text: 'text[]',
}
const casts = { integer: '::bigint', number: '::double precision', boolean: '::boolean::int', text: ' collate "C"' }

export function postgresDialect(support: SearchSupport): Dialect {
  return {
    kysely: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
    stepJoin: sql.raw('join'),
    list: (index, of) =>
      sql`(select value, place from unnest(${array(index, of)}) with ordinality as l (value, place))`,
    within: (column, index, of) => sql`${column} = any(${array(index, of)})`,
    passive: (column) => column,
    by: (table) => table,
    holds: (text, part) => sql`strpos(${text}, ${part}) > 0`,
    textOrder: (column) => [beginningOf(column), column],
    // An index that holds all that is asked for is read alone.
    idsFirst: true,
    fewStatements: true,
    get search() {
      return support.searchIndex === 'none' ? undefined : search(support)
    },
    jsonField: (column, field, kind) => sql`(${column} ->> ${sql.lit(field)})${sql.raw(casts[kind])}`,
    // Null comes first, as in the order of records.
    indexedField: (field, kind, { isUnique }) => {
      const value = `(body ->> '${field}')${casts[kind]}`
      if (kind !== 'text') return [`(${value}) nulls first`]
      // An entry of an index may not be longer than a third of a page. The digest tells apart what begins alike.
      const beginning = `left(${value}, ${INDEXED_LENGTH}) nulls first`
      return isUnique ? [beginning, `md5(${value})`] : [beginning]
    },
    beginnings: {
      of: beginningOf,
      within: (text, index) =>
        sql`${beginningOf(text)} = any(array(select ${beginningOf(sql`v`)} from unnest(${array(index, 'text')}) v))`,
    },
    lock: sql`for update`,
    jsonArrayHasOne: (column, index) => sql`${column} ?| ${array(index, 'text')}`,
  }
}

const beginningOf = (text: Expression): Expression => sql`left(${text}, ${sql.lit(INDEXED_LENGTH)})`

function array(index: number, of: ListOf): Expression {
  return sql`${parameter(index)}::${sql.raw(arrays[of])}`
}

function search(support: SearchSupport): NonNullable<Dialect['search']> {
  return {
    candidates: (index) => sql`(select id from posts where ${holdsOne(index)})`,
    count: (index, most) =>
      sql`(select count(*) from (select 1 from posts where ${holdsOne(index)} limit ${sql.lit(most)}) hits)`,
    textFor: (parts) => patternOf(parts, support.searchIndex === 'unicode' ? unicodeTrigram : asciiTrigram),
  }
}

const holdsOne = (index: number) =>
  sql`title_folded like ${parameter(index)} or excerpt_folded like ${parameter(index)} or content_folded like ${parameter(index)}`

const asciiTrigram = /[a-z0-9]{3}/
const unicodeTrigram = /[\p{L}\p{N}]{3}/u

/** For the longest text, which is likely the rarest: the rows that it finds are looked at for the others. */
function patternOf(parts: readonly string[], trigram: RegExp): string | undefined {
  const indexed = parts.filter((part) => trigram.test(part))
  if (indexed.length === 0) return undefined
  const longest = indexed.reduce((best, part) => (part.length > best.length ? part : best))
  return `%${longest.replace(/[\\%_]/g, '\\$&')}%`
}
