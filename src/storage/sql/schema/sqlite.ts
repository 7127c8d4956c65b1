/**
 * The statements of the schema in the words of SQLite.
 *
 * SQLite copies each page that a statement changes into a journal if the statement can fail after its first change. Inserts and updates of
 * one row need none, because they are `or fail` and their constraints are checked before the change. So the triggers have no constraint
 * that a row can violate: counters may be null, references are checked at the commit, and conflicts are named, because the policy of the
 * statement replaces that of its triggers.
 */
import { lookupTable } from '../../../contract/lookup-table.ts'
import { type ColumnTypes, firstColumns } from '../engine/columns.ts'
import { type Addition, additionsOf } from './additions.ts'
import { type Column, type ColumnKind, type Index, indexes, isInSearch, type Table, tables } from './tables.ts'
import { type Counter, copied, differs, type Rows, type Trigger, type TriggerWords, triggers } from './triggers.ts'

interface SchemaStatements {
  /** The definitions by the name of the table. */
  readonly tables: ReadonlyMap<string, string>
  readonly indexes: ReadonlyMap<string, string>
  readonly triggers: ReadonlyMap<string, string>
}

/** `hasSearchIndex`: writes mark the posts whose texts have to be indexed. */
export function sqliteSchema({ hasSearchIndex }: { readonly hasSearchIndex: boolean }): SchemaStatements {
  const words = wordsOf(hasSearchIndex)
  return {
    tables: named(tables, tableStatement),
    indexes: named(indexes, indexStatement),
    triggers: named(
      triggers.filter(({ isOfSearch }) => !isOfSearch || hasSearchIndex),
      (trigger) => triggerStatement(trigger, words),
    ),
  }
}

const named = <T extends { readonly name: string; readonly engine?: string | undefined }>(
  parts: readonly T[],
  statementOf: (part: T) => string,
): ReadonlyMap<string, string> =>
  new Map(parts.filter(({ engine = 'sqlite' }) => engine === 'sqlite').map((part) => [part.name, statementOf(part)]))

const types: { readonly [kind in ColumnKind]: string } = lookupTable({
  id: 'integer primary key autoincrement',
  integer: 'integer not null',
  counter: 'integer',
  text: 'text not null',
  document: 'text not null',
  set: 'text not null',
})

const fieldTypes: ColumnTypes = { text: 'text', integer: 'integer', boolean: 'integer', texts: 'text', flags: 'text' }

function columnText({ name, kind, default: value, references }: Column): string {
  const target =
    references === undefined ? '' : ` references ${references} (id) on delete cascade deferrable initially deferred`
  return `${name} ${types[kind]}${value === undefined ? '' : ` default ${value}`}${target}`
}

/** The later additions, in their order. */
export const sqliteAdditions = (): readonly Addition[] =>
  additionsOf({
    types: fieldTypes,
    engine: 'sqlite',
    addColumn: (table, definition) => `alter table ${table} add column ${definition}`,
    replaceIndex: (index) => [`drop index if exists ${index.name}`, indexStatement(index)],
  })

function tableStatement({ name, columns, fields = {}, key }: Table): string {
  const ofKey = key === undefined ? [] : [`primary key (${key.join(', ')})`]
  const parts = [...columns.map(columnText), ...firstColumns(fields, fieldTypes), ...ofKey]
  // Values of any length are kept beside their key; other tables are found by their key alone.
  const isWide = key === undefined || name === 'meta'
  return `create table ${name} (\n${parts.map((part) => `  ${part}`).join(',\n')}\n) strict${isWide ? '' : ', without rowid'}`
}

function indexStatement({ name, table, columns, isUnique, where }: Index): string {
  const list = columns.map((column) => (typeof column === 'string' ? column : column.prefix))
  return `create ${isUnique ? 'unique ' : ''}index ${name} on ${table} (${list.join(', ')})${where ? ` where ${where}` : ''}`
}

function triggerStatement(trigger: Trigger, words: TriggerWords): string {
  const { name, table, on, of } = trigger
  const event = of === undefined ? on : `${on} of ${of.join(', ')}`
  const when = of === undefined ? '' : `\nwhen ${differs(trigger)}`
  const statements = trigger.run(words).filter((statement) => statement !== '')
  return `create trigger ${name} after ${event} on ${table}${when} begin\n${statements.map((statement) => `  ${statement};`).join('\n')}\nend`
}

const wordsOf = (hasSearchIndex: boolean): TriggerWords => ({
  count: countRow,
  markTypes: (rows) =>
    `insert or ignore into post_changes (type, version) values (${rows}.type, 1) on conflict do update set version = version + 1`,
  remove: (table, where, column, rows) => `delete from ${table} where ${where}${column} = ${rows}.id`,
  markText: (rows) =>
    hasSearchIndex
      ? `insert into search_pending select ${rows}.id where ${isInSearch(`${rows}.`)} on conflict do nothing`
      : '',
  copyToTerms: () => copyRow(''),
  addRoles: () =>
    'insert into user_roles select value, new.id from json_each(new.roles) where true on conflict do nothing',
  removeRoles: () => 'delete from user_roles where user_id = new.id',
})

/** Counts one row. SQLite changes no table while a trigger has another name for one. */
function countRow({ table, by }: Counter, rows: Rows, change: 1 | -1): string {
  if (change === -1) return `update ${table} set count = count - 1 where ${isCounted(by)}`
  return `insert or ignore into ${table} (${by.join(', ')}, count) values (${by.map((column) => `${rows}.${column}`).join(', ')}, 1)
    on conflict do update set count = count + 1`
}

/** A row that is not counted any more may have lost its counter: a term goes before its posts. */
export const isCounted = (by: readonly string[]): string =>
  by.map((column) => `${column} = old.${column}`).join(' and ')

/** Copies the row of the post of a trigger, on each engine; `schema` is empty, or a quoted name and a dot. */
export const copyRow = (schema: string): string =>
  `update ${schema}post_terms set ${copied.map((column) => `${column} = new.${column}`).join(', ')} where post_id = new.id`
