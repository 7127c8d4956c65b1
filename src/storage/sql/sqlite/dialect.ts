/** SQLite: lists as JSON, the trigram table of FTS5, index hints (its planner has no statistics here, and wants none). */
import { DummyDriver, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler, sql } from 'kysely'
import type { Dialect } from '../engine/dialect.ts'
import { parameter } from '../engine/statements.ts'

/** More trigrams narrow little and cost a look-up each. */
const MOST_TRIGRAMS = 24

export function sqliteDialect({ hasSearchIndex }: { readonly hasSearchIndex: boolean }): Dialect {
  return {
    kysely: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
    stepJoin: sql.raw('cross join'),
    list: (index) => sql`(select value, key as place from json_each(${parameter(index)}))`,
    within: (column, index) => sql`${column} in (select value from json_each(${parameter(index)}))`,
    passive: (column) => sql`+${column}`,
    by: (table, index) => sql`${table} indexed by ${sql.raw(index)}`,
    holds: (text, part) => sql`instr(${text}, ${part}) > 0`,
    textOrder: (column) => [column],
    // The columns of a head stand at the beginning of its row.
    idsFirst: false,
    fewStatements: false,
    search: hasSearchIndex
      ? {
          candidates: (index) => sql`(${matches(index)} union ${pending})`,
          // Five pending posts weigh as much as one that was found: most of them will not hold the text.
          count: (index, most) => sql`(select count(*) from (${matches(index)} limit ${sql.lit(most)}))
            + (select count(*) from (${pending} limit ${sql.lit(5 * most)})) / 5`,
          textFor: trigramsOf,
        }
      : undefined,
    jsonField: (column, field) => sql`json_extract(${column}, ${sql.lit(`$."${field}"`)})`,
    indexedField: (field) => [`json_extract(body, '$."${field}"')`],
    // There is one writer.
    lock: sql``,
    jsonArrayHasOne: (column, index) =>
      sql`exists (select 1 from json_each(${column}) a where a.value in (select value from json_each(${parameter(index)})))`,
  }
}

const matches = (index: number) =>
  sql`select rowid as id from posts_search where posts_search match ${parameter(index)}`
const pending = sql`select post_id as id from search_pending`

/**
 * A row that holds all these texts holds all their trigrams; a text of less than three characters has none. Every other
 * trigram covers a text as well as all of them, for half the look-ups.
 */
function trigramsOf(parts: readonly string[]): string | undefined {
  const trigrams = new Set<string>()
  for (const part of parts) {
    const characters = Array.from(part)
    const last = characters.length - 3
    for (let at = 0; at < last; at += 2) trigrams.add(characters.slice(at, at + 3).join(''))
    if (last >= 0) trigrams.add(characters.slice(last).join(''))
  }
  // No row holds a NUL, and the search syntax ends at one; the rows themselves will say no.
  const some = [...trigrams].filter((trigram) => !trigram.includes('\0')).slice(0, MOST_TRIGRAMS)
  if (some.length === 0) return undefined
  return some.map((trigram) => `"${trigram.replaceAll('"', '""')}"`).join(' AND ')
}
