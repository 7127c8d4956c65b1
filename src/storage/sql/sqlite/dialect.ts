/**
 * The SQLite dialect: lists as JSON, an FTS5 trigram table for search, index hints because the planner has no
 * statistics.
 */
import type { Dialect, ListWords } from '../engine/dialect.ts'
import { joined, literal, raw, ref, sql } from '../engine/fragments.ts'
import { parameter } from '../engine/statements.ts'

/** Each trigram costs a look-up; beyond this number they hardly narrow the result. */
const MAX_TRIGRAMS = 24

interface SqliteOptions {
  readonly hasSearchIndex: boolean
  readonly maxUnion?: number
}

export function sqliteDialect({ hasSearchIndex, maxUnion }: SqliteOptions): Dialect {
  return {
    lists: { ...listWords(hasSearchIndex), ...(maxUnion !== undefined && { maxUnion }) },
    orderedJoin: raw('cross join'),
    oneRow: { insertInto: sql`insert or fail into`, update: sql`update or fail` },
    listTable: (index) => sql`(select value, key as ordinal from json_each(${parameter(index)}))`,
    rowTable: (index, columns) => {
      const list = Object.keys(columns).map((column, at) => sql`value ->> ${literal(at)} as ${ref(column)}`)
      return sql`(select ${joined(list, ', ')} from json_each(${parameter(index)}))`
    },
    joinById: (table, alias, id) => sql`cross join ${ref(table)} ${ref(alias)} on ${ref(`${alias}.id`)} = ${id}`,
    inList: (column, index) => sql`${column} in (select value from json_each(${parameter(index)}))`,
    looksListsUp: true,
    unindexed: (column) => sql`+${column}`,
    contains: (text, part) => sql`instr(${text}, ${part}) > 0`,
    textOrder: (column) => [column],
    jsonField: (column, field) => sql`json_extract(${column}, ${literal(`$."${field}"`)})`,
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

const listWords = (hasSearchIndex: boolean): ListWords => ({
  numbered: (text) => text,
  inList: (column, values) => {
    const [only] = values
    if (only === undefined) return raw('(1 = 0)')
    if (values.length === 1) return sql`${raw(column)} = ${only}`
    return sql`${raw(column)} in (select value from json_each(${JSON.stringify(values)}))`
  },
  table: (values) => sql`(select value, key as ordinal from json_each(${JSON.stringify(values)}))`,
  along: (index) => (index === undefined ? ' not indexed' : ` indexed by ${index}`),
  join: 'cross join',
  unindexed: '+',
  skipsUnread: true,
  // Loops run in the order of the joins.
  rowByRow: '',
  contains: (column, text) => sql`instr(${raw(column)}, ${text}) > 0`,
  textKeys: (column) => [column],
  lowerJson: (column) => `lower(json_extract(${column}, '$'))`,
  candidates: (texts) => {
    const query = hasSearchIndex ? trigramQuery(texts) : undefined
    if (query === undefined) return undefined
    const found = sql`select rowid as id from posts_search where posts_search match ${query}`
    return {
      rows: sql`${found} union select post_id from search_pending`,
      // Five pending posts count as one hit: most of them do not contain the text.
      counted: (most) => sql`(select count(*) from (${found} limit ${most}))
        + (select count(*) from (select 1 from search_pending limit ${5 * most})) / 5`,
    }
  },
})

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
