/** SQLite: lists as JSON, the trigram table of FTS5, index hints (its planner has no statistics here, and wants none). */
import { DummyDriver, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler, sql } from 'kysely'
import type { Dialect } from './dialect.ts'
import { slot } from './statements.ts'

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
    list: (index) => sql`(select value, key as place from json_each(${slot(index)}))`,
    within: (column, index) => sql`${column} in (select value from json_each(${slot(index)}))`,
    passive: (column) => sql`+${column}`,
    by: (table, index) => sql`${table} indexed by ${sql.raw(index)}`,
    holds: (text, part) => sql`instr(${text}, ${part}) > 0`,
    search: hasSearchIndex
      ? {
          table: sql`posts_search`,
          id: sql`f.rowid`,
          matches: (index) => sql`f.posts_search match ${slot(index)}`,
          textFor: trigramsOf,
        }
      : undefined,
    jsonField: (column, field) => sql`json_extract(${column}, ${sql.lit(`$."${field}"`)})`,
    indexedField: (field) => `json_extract(body, '$."${field}"')`,
    // There is one writer.
    lock: sql``,
    jsonArrayHasOne: (column, index) =>
      sql`exists (select 1 from json_each(${column}) a where a.value in (select value from json_each(${slot(index)})))`,
  }
}

/** A row that holds all these texts holds all their trigrams; a text of less than three characters has none. */
function trigramsOf(parts: readonly string[]): string | undefined {
  const trigrams = new Set<string>()
  for (const part of parts) {
    const characters = Array.from(part)
    for (let at = 0; at + 3 <= characters.length; at++) trigrams.add(characters.slice(at, at + 3).join(''))
  }
  if (trigrams.size === 0) return undefined
  const all = [...trigrams]
  const step = Math.ceil(all.length / MOST_TRIGRAMS)
  const some = all.filter((_, at) => at % step === 0)
  return some.map((trigram) => `"${trigram.replaceAll('"', '""')}"`).join(' AND ')
}
