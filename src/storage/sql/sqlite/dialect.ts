/**
 * The SQLite dialect: lists as JSON, an FTS5 trigram table for search, index hints because the planner has no
 * statistics.
 */
import { DummyDriver, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler, sql } from 'kysely'
import type { Dialect } from '../engine/dialect.ts'
import { parameter } from '../engine/statements.ts'
import { recordPart } from './schema.ts'

/** Each trigram costs a look-up; beyond this number they hardly narrow the result. */
const MAX_TRIGRAMS = 24

export function sqliteDialect({ hasSearchIndex }: { readonly hasSearchIndex: boolean }): Dialect {
  return {
    kysely: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
    mergesUnions: true,
    orderedJoin: sql.raw('cross join'),
    // Loops run in the order of the joins.
    rowByRow: sql``,
    listTable: (index) => sql`(select value, key as ordinal from json_each(${parameter(index)}))`,
    inList: (column, index) => sql`${column} in (select value from json_each(${parameter(index)}))`,
    looksListsUp: true,
    unindexed: (column) => sql`+${column}`,
    withIndex: (table, index) => sql`${table} indexed by ${sql.raw(index)}`,
    contains: (text, part) => sql`instr(${text}, ${part}) > 0`,
    textOrder: (column) => [column],
    // The columns of a head are at the start of the stored row, so reading them is cheap.
    selectsIdsFirst: false,
    batchesWrites: false,
    search: hasSearchIndex
      ? {
          candidates: (index) => sql`(${matches(index)} union ${pending})`,
          // Five pending posts count as one hit: most of them do not contain the text.
          count: (index, max) => sql`(select count(*) from (${matches(index)} limit ${sql.lit(max)}))
            + (select count(*) from (${pending} limit ${sql.lit(5 * max)})) / 5`,
          indexQuery: trigramQuery,
        }
      : undefined,
    recordPart,
    jsonField: (column, field) => sql`json_extract(${column}, ${sql.lit(`$."${field}"`)})`,
    indexedField: (field) => [`json_extract(body, '$."${field}"')`],
    // Not needed: SQLite has one writer.
    forUpdate: sql``,
    hasRole: (index) =>
      sql`id in (select user_id from user_roles where role in (select value from json_each(${parameter(index)})))`,
    jsonOf: (text) => text,
    jsonText: (column) => sql`json_extract(${column}, '$')`,
    jsonFlag: (column, index) => sql`(select value from json_each(${column}) where key = ${parameter(index)})`,
  }
}

const matches = (index: number) =>
  sql`select rowid as id from posts_search where posts_search match ${parameter(index)}`
const pending = sql`select post_id as id from search_pending`

/**
 * A row that contains the texts has all their trigrams; a text of fewer than three characters has none. Every second trigram
 * still covers the whole text, for half the look-ups.
 */
function trigramQuery(parts: readonly string[]): string | undefined {
  const trigrams = new Set<string>()
  for (const part of parts) {
    const characters = Array.from(part)
    const last = characters.length - 3
    for (let at = 0; at < last; at += 2) trigrams.add(characters.slice(at, at + 3).join(''))
    if (last >= 0) trigrams.add(characters.slice(last).join(''))
  }
  // No row has a NUL and the query syntax cannot express one; comparing the texts then excludes every row.
  const terms = [...trigrams].filter((trigram) => !trigram.includes('\0')).slice(0, MAX_TRIGRAMS)
  if (terms.length === 0) return undefined
  return terms.map((trigram) => `"${trigram.replaceAll('"', '""')}"`).join(' AND ')
}
