/**
 * The PostgreSQL dialect: lists as arrays, `pg_trgm` where available, no index hints because the planner has
 * statistics.
 */

import { lookupTable } from '../../../contract/lookup-table.ts'
import type { Dialect, ListType } from '../engine/dialect.ts'
import { type Fragment, raw, rowsText, some, sql } from '../engine/fragments.ts'
import { INDEXED_LENGTH, titlePrefix } from '../schema/postgres.ts'
import { isInSearch } from '../schema/tables.ts'

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
    inList: (column, values, type) => {
      const [only] = values
      if (only === undefined) return raw('(1 = 0)')
      if (values.length === 1) return sql`${raw(column)} = ${only}`
      return sql`${raw(column)} = any(${array(values, type)})`
    },
    listTable: (values, type) =>
      sql`(select value, ordinal from unnest(${array(values, type)}) with ordinality as l (value, ordinal))`,
    rowTable: (rows, columns) => {
      const list = Object.entries(columns).map(([column, type], at) => {
        return `(value ->> ${at})::${type === 'integer' ? 'bigint' : 'text'} as ${column}`
      })
      return sql`(select ${raw(list.join(', '))} from json_array_elements(${rowsText(rows)}::json))`
    },
    joinById: (table, alias, id) => `cross join lateral (select * from ${table} where id = ${id} limit 1) ${alias}`,
    along: () => '',
    join: 'join',
    unindexed: '',
    limit: '?',
    skipsUnread: false,
    looksListsUp: false,
    // A planner that knows no limit, as with a prepared statement, would read all rows first.
    rowByRow: ' offset 0',
    oneRow: { insertInto: 'insert into', update: 'update' },
    forUpdate: 'for update',
    milliseconds: 'floor(extract(epoch from clock_timestamp()) * 1000)',
    contains: (column, text) => sql`strpos(${raw(column)}, ${text}) > 0`,
    textOrder: (column) => [prefixOf(column), column],
    titleOrder: (column) => [column.replace('title_folded', titlePrefix), column],
    prefixes: {
      compared: (column, operator, value) =>
        sql`${raw(`${prefixOf(column)} ${operator} left(`)}${value}, ${lengthText})`,
      inList: (column, values) =>
        sql`${raw(prefixOf(column))} = any(array(select ${raw(prefixOf('v'))} from unnest(${array(values, 'text')}) v))`,
    },
    candidates: (texts) => {
      if (support.searchIndex === 'none') return undefined
      const pattern = likePattern(texts, support.searchIndex === 'unicode' ? unicodeTrigram : asciiTrigram)
      if (pattern === undefined) return undefined
      const columns = ['title_folded', 'excerpt_folded', 'content_folded']
      const found = some(columns.map((column) => sql`${raw(column)} like ${pattern}`))
      const rows = sql`select id from posts where ${raw(isInSearch(''))} and ${found}`
      return { rows, counted: (most) => sql`(select count(*) from (${rows} limit ${most}) hits)` }
    },
    jsonField,
    // Nulls first, as in the order of records.
    indexedField: (field, kind, { isUnique }) => {
      const value = jsonField('body', field, kind)
      if (kind !== 'text') return [`(${value}) nulls first`]
      // An index entry is limited to a third of a page. The digest distinguishes texts with equal prefixes.
      const prefix = `${prefixOf(value)} nulls first`
      return isUnique ? [prefix, `md5(${value})`] : [prefix]
    },
    jsonOf: (text) => `${text}::json`,
    lowerJson: (column) => `lower((${column})::jsonb #>> '{}') collate "C"`,
    jsonFlag: (column, name) => sql`(${raw(column)}::jsonb ->> ${name}::text)::boolean::int`,
    hasRole: (roles) => sql`roles ?| ${array(roles, 'text')}`,
    advanceIds,
  }
}

/** The name of a field is checked. */
const jsonField = (column: string, field: string, kind: keyof typeof casts): string =>
  `(${column} ->> '${field}')${casts[kind]}`

/** The sequence never goes back. The name of the table is that of its rows, whatever the schema. */
function advanceIds(table: string): string {
  const last = `select t.tableoid::regclass::text as name, t.id from ${table} t order by t.id desc limit 1`
  const sequence = `pg_get_serial_sequence(last.name, 'id')`
  return `select setval(${sequence}, greatest(last.id, nextval(${sequence}))) from (${last}) last`
}

const prefixOf = (column: string): string => `left(${column}, ${INDEXED_LENGTH})`
const lengthText = raw(String(INDEXED_LENGTH))

function array(values: readonly (number | string)[], type?: ListType): Fragment {
  const known = type ?? (typeof values[0] === 'number' ? 'integer' : 'text')
  return sql`${JSON.stringify(values)}::${raw(arrays[known])}`
}

const asciiTrigram = /[a-z0-9]{3}/
const unicodeTrigram = /[\p{L}\p{N}]{3}/u

/** The pattern of the longest text, which is likely the rarest; the rows that it finds are tested for the others. */
function likePattern(parts: readonly string[], trigram: RegExp): string | undefined {
  const indexed = parts.filter((part) => trigram.test(part))
  if (indexed.length === 0) return undefined
  const longest = indexed.reduce((best, part) => (part.length > best.length ? part : best))
  return `%${longest.replace(/[\\%_]/g, '\\$&')}%`
}
