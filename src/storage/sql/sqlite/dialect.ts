/**
 * The SQLite dialect: lists as JSON, an FTS5 trigram table for search, index hints because the planner has no
 * statistics.
 */
import type { Dialect } from '../engine/dialect.ts'
import { raw, rowsText, sql } from '../engine/fragments.ts'

/** Each trigram costs a look-up; beyond this number they hardly narrow the result. */
const MAX_TRIGRAMS = 24

interface SqliteOptions {
  readonly hasSearchIndex: boolean
  readonly maxUnion?: number
}

export function sqliteDialect({ hasSearchIndex, maxUnion }: SqliteOptions): Dialect {
  return {
    inList: (column, values) => {
      const [only] = values
      if (only === undefined) return raw('(1 = 0)')
      if (values.length === 1) return sql`${raw(column)} = ${only}`
      return sql`${raw(column)} in (select value from json_each(${JSON.stringify(values)}))`
    },
    listTable: (values) => sql`(select value, key as ordinal from json_each(${JSON.stringify(values)}))`,
    rowTable: (rows, columns) => {
      const list = Object.keys(columns).map((column, at) => `value ->> ${at} as ${column}`)
      return sql`(select ${raw(list.join(', '))} from json_each(${rowsText(rows)}))`
    },
    joinById: (table, alias, id) => `cross join ${table} ${alias} on ${alias}.id = ${id}`,
    along: (index) => (index === undefined ? ' not indexed' : ` indexed by ${index}`),
    ...(maxUnion !== undefined && { maxUnion }),
    join: 'cross join',
    unindexed: '+',
    limit: '(? + 0)',
    skipsUnread: true,
    looksListsUp: true,
    // Loops run in the order of the joins.
    rowByRow: '',
    oneRow: { insertInto: 'insert or fail into', update: 'update or fail' },
    // Not needed: SQLite has one writer.
    forUpdate: '',
    milliseconds: "cast(round((julianday('now') - 2440587.5) * 86400000) as integer)",
    contains: (column, text) => sql`instr(${raw(column)}, ${text}) > 0`,
    textOrder: (column) => [column],
    titleOrder: (column) => [column],
    candidates: (texts) => {
      const query = hasSearchIndex ? trigramQuery(texts) : undefined
      if (query === undefined) return undefined
      const found = sql`select rowid as id from posts_search where posts_search match ${query}`
      // Five pending posts count as one hit: most of them do not contain the text.
      const pending = (most: number) =>
        sql`(select count(*) from (select 1 from search_pending limit ${raw(String(5 * most))})) / 5`
      const upTo = (most: number) => sql`select id from (${found} limit ${raw(String(most))})`
      return {
        rows: sql`${found} union select post_id from search_pending`,
        counted: (most) => sql`(select count(*) from (${upTo(most)})) + ${pending(most)}`,
        once: {
          ids: (most) => sql`${upTo(most)} union all select -${pending(most)}`,
          rows: (ids) =>
            sql`select value as id from json_each(${JSON.stringify(ids)}) union select post_id from search_pending`,
        },
      }
    },
    jsonField,
    indexedField: (field) => [jsonField('body', field)],
    jsonOf: (text) => text,
    lowerJson: (column) => `lower(json_extract(${column}, '$'))`,
    jsonFlag: (column, name) => sql`(select value from json_each(${raw(column)}) where key = ${name})`,
    hasRole: (roles) =>
      sql`id in (select user_id from user_roles where role in (select value from json_each(${JSON.stringify(roles)})))`,
  }
}

/** The name of a field is checked. */
const jsonField = (column: string, field: string): string => `json_extract(${column}, '$."${field}"')`

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
