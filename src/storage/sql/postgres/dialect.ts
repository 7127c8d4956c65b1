/**
 * The PostgreSQL dialect: lists as arrays, `pg_trgm` where available, no index hints because the planner has
 * statistics.
 */

import { lookupTable } from '../../../contract/lookup-table.ts'
import type { Dialect, ListType, ListWords } from '../engine/dialect.ts'
import { type Fragment, joined, literal, numbered, raw, ref, some, sql } from '../engine/fragments.ts'
import { parameter } from '../engine/statements.ts'
import { INDEXED_LENGTH } from '../schema/postgres.ts'

/** Set when the storage opens. */
export interface SearchSupport {
  /** `none`: no index. `ascii`: the index supports only ASCII letters, because of the database's locale. */
  searchIndex: 'none' | 'ascii' | 'unicode'
}

const arrays: { readonly [type in ListType]: string } = lookupTable({
  integer: 'bigint[]',
  number: 'double precision[]',
  text: 'text[]',
})
const casts = { integer: '::bigint', number: '::double precision', boolean: '::boolean::int', text: ' collate "C"' }

export function postgresDialect(support: SearchSupport): Dialect {
  return {
    lists: listWords(support),
    orderedJoin: raw('join'),
    oneRow: { insertInto: sql`insert into`, update: sql`update` },
    listTable: (index, type) =>
      sql`(select value, ordinal from unnest(${array(index, type)}) with ordinality as l (value, ordinal))`,
    rowTable: (index, columns) => {
      const list = Object.entries(columns).map(([column, type], at) => {
        const cast = raw(type === 'integer' ? 'bigint' : 'text')
        return sql`(value ->> ${literal(at)})::${cast} as ${ref(column)}`
      })
      return sql`(select ${joined(list, ', ')} from json_array_elements(${parameter(index)}::json))`
    },
    joinById: (table, alias, id) =>
      sql`cross join lateral (select * from ${ref(table)} where id = ${id} limit 1) ${ref(alias)}`,
    inList: (column, index, type) => sql`${column} = any(${array(index, type)})`,
    looksListsUp: false,
    unindexed: (column) => column,
    contains: (text, part) => sql`strpos(${text}, ${part}) > 0`,
    textOrder: (column) => [prefixOf(column), column],
    jsonField: (column, field, kind) => sql`(${column} ->> ${literal(field)})${raw(casts[kind])}`,
    // Nulls first, as in the order of records.
    indexedField: (field, kind, { isUnique }) => {
      const value = `(body ->> '${field}')${casts[kind]}`
      if (kind !== 'text') return [`(${value}) nulls first`]
      // An index entry is limited to a third of a page. The digest distinguishes texts with equal prefixes.
      const prefix = `left(${value}, ${INDEXED_LENGTH}) nulls first`
      return isUnique ? [prefix, `md5(${value})`] : [prefix]
    },
    prefixes: {
      of: prefixOf,
      inList: (text, index) =>
        sql`${prefixOf(text)} = any(array(select ${prefixOf(sql`v`)} from unnest(${array(index, 'text')}) v))`,
    },
    forUpdate: sql`for update`,
    advanceIds,
    hasRole: (index) => sql`roles ?| ${array(index, 'text')}`,
    jsonOf: (text) => sql`${text}::json`,
    jsonText: (column) => sql`((${column})::jsonb #>> '{}') collate "C"`,
    jsonFlag: (column, index) => sql`(${column}::jsonb ->> ${parameter(index)}::text)::boolean::int`,
  }
}

/** The sequence never goes back. The name of the table is that of its rows, whatever the schema. */
const advanceIds = (table: Fragment): Fragment => {
  const last = sql`select t.tableoid::regclass::text as name, t.id from ${table} t order by t.id desc limit 1`
  const sequence = sql`pg_get_serial_sequence(last.name, 'id')`
  return sql`select setval(${sequence}, greatest(last.id, nextval(${sequence}))) from (${last}) last`
}

const prefixOf = (text: Fragment): Fragment => sql`left(${text}, ${literal(INDEXED_LENGTH)})`

function array(index: number, type: ListType): Fragment {
  return sql`${parameter(index)}::${raw(arrays[type])}`
}

const listWords = (support: SearchSupport): ListWords => ({
  numbered,
  inList: (column, values) => {
    const [only] = values
    if (only === undefined) return raw('(1 = 0)')
    if (values.length === 1) return sql`${raw(column)} = ${only}`
    return sql`${raw(column)} = any(${JSON.stringify(values)}::${raw(typeof values[0] === 'number' ? 'bigint[]' : 'text[]')})`
  },
  table: (values, type) => {
    const list = sql`${JSON.stringify(values)}::${raw(arrays[type])}`
    return sql`(select value, ordinal from unnest(${list}) with ordinality as l (value, ordinal))`
  },
  along: () => '',
  join: 'join',
  unindexed: '',
  skipsUnread: false,
  // A planner that knows no limit, as with a prepared statement, would read all rows first.
  rowByRow: ' offset 0',
  contains: (column, text) => sql`strpos(${raw(column)}, ${text}) > 0`,
  textKeys: (column) => [`left(${column}, ${INDEXED_LENGTH})`, column],
  lowerJson: (column) => `lower((${column})::jsonb #>> '{}') collate "C"`,
  candidates: (texts) => {
    if (support.searchIndex === 'none') return undefined
    const pattern = likePattern(texts, support.searchIndex === 'unicode' ? unicodeTrigram : asciiTrigram)
    if (pattern === undefined) return undefined
    const columns = ['title_folded', 'excerpt_folded', 'content_folded']
    const rows = sql`select id from posts where ${some(columns.map((column) => sql`${raw(column)} like ${pattern}`))}`
    return { rows, counted: (most) => sql`(select count(*) from (${rows} limit ${most}) hits)` }
  },
})

const asciiTrigram = /[a-z0-9]{3}/
const unicodeTrigram = /[\p{L}\p{N}]{3}/u

/** The pattern of the longest text, which is likely the rarest; the rows that it finds are tested for the others. */
function likePattern(parts: readonly string[], trigram: RegExp): string | undefined {
  const indexed = parts.filter((part) => trigram.test(part))
  if (indexed.length === 0) return undefined
  const longest = indexed.reduce((best, part) => (part.length > best.length ? part : best))
  return `%${longest.replace(/[\\%_]/g, '\\$&')}%`
}
