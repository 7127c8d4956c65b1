/**
 * Compares the schema of a database with its description. Without a trigger counters are wrong in silence, and without an index two
 * posts could share a slug. Tables and indexes of others are left alone.
 */
import { columnsOf } from '../engine/fields.ts'
import { rowsOf, type Steps } from '../engine/steps.ts'
import { sqliteSchema } from '../schema/sqlite.ts'
import { type Table, tables } from '../schema/tables.ts'
import { hasSearchIndex } from './search-index.ts'

interface SchemaProblem {
  /** `the index posts_by_date is missing`. */
  readonly text: string
  /** Statements that mend it; absent where rows would be missing too. */
  readonly mend?: readonly string[]
}

/** Without options, the database may have a search index or none. */
export function* schemaProblems(options?: { readonly hasSearchIndex: boolean }): Steps<SchemaProblem[]> {
  const expected = sqliteSchema(options ?? { hasSearchIndex: yield* hasSearchIndex() })
  const stored = yield* storedStatements()
  const storedColumns = yield* columnsIn()
  const ofTables = tables
    .filter(({ engine }) => engine !== 'postgres')
    .flatMap((table) => tableProblems(table.name, columnNames(table), storedColumns.get(table.name)))
  const parts = [
    ...[...expected.indexes].map(([name, sql]) => ['index', name, sql] as const),
    ...[...expected.triggers].map(([name, sql]) => ['trigger', name, sql] as const),
  ]
  return [
    ...ofTables,
    ...parts.flatMap(([kind, name, sql]) => statementProblems(kind, name, sql, stored.get(name))),
    ...(stored.has(ofSearch) && !expected.triggers.has(ofSearch) ? [leftOver] : []),
  ]
}

/** Without the search index this trigger would write into a table that does not exist. */
const ofSearch = 'posts_retexted'
const leftOver = { text: `the trigger ${ofSearch} is there without a search index`, mend: [`drop trigger ${ofSearch}`] }

const columnNames = ({ columns, fields = {} }: Table): string[] => [
  ...columns.map(({ name }) => name),
  ...columnsOf(fields, Object.keys(fields)),
]

function tableProblems(table: string, expected: readonly string[], stored: readonly string[] | undefined) {
  if (stored === undefined) return [{ text: `the table ${table} is missing` }]
  return expected
    .filter((column) => !stored.includes(column))
    .map((column) => ({ text: `the table ${table} lacks the column ${column}` }))
}

function statementProblems(kind: string, name: string, expected: string, stored: string | undefined): SchemaProblem[] {
  if (stored !== undefined && comparable(stored) === comparable(expected)) return []
  if (stored === undefined) return [{ text: `the ${kind} ${name} is missing`, mend: [expected] }]
  return [{ text: `the ${kind} ${name} differs`, mend: [`drop ${kind} ${name}`, expected] }]
}

/** SQLite keeps the text of a statement, but for the case of its first words. */
const comparable = (sql: string) => sql.toLowerCase().replace(/\s+/g, ' ').replace(/;$/, '').trim()

function* storedStatements(): Steps<Map<string, string>> {
  const rows = yield* rowsOf("select name, sql from sqlite_master where type in ('index', 'trigger')")
  return new Map(rows.map(([name, sql]) => [String(name), String(sql)]))
}

function* columnsIn(): Steps<Map<string, string[]>> {
  const columns = new Map<string, string[]>()
  const rows = yield* rowsOf(
    "select m.name, c.name from sqlite_master m, pragma_table_info(m.name) c where m.type = 'table'",
  )
  for (const [table, column] of rows) {
    columns.set(String(table), [...(columns.get(String(table)) ?? []), String(column)])
  }
  return columns
}
