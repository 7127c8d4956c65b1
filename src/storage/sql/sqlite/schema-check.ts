/**
 * Compares the schema of a database with the one that the migrations make. Without a trigger counters are wrong in silence, and
 * without an index two posts could share a slug. Tables and indexes of others are left alone.
 */
import type { Connection } from './driver.ts'
import { type Migration, sqliteMigrations } from './schema.ts'

interface ExpectedSchema {
  readonly columns: Map<string, string[]>
  /** The statements that make indexes and triggers, by name. */
  readonly statements: Map<string, string>
}

interface SchemaProblem {
  /** `the index posts_by_date is missing`. */
  readonly text: string
  /** Statements that mend it; absent where rows would be missing too. */
  readonly mend?: readonly string[]
}

export function schemaProblems(
  connection: Connection,
  migrations: readonly Migration[] = sqliteMigrations,
): SchemaProblem[] {
  const { columns, statements } = expectedSchema(migrations)
  const stored = storedStatements(connection)
  const storedColumns = columnsIn(connection)
  return [
    ...[...columns].flatMap(([table, names]) => tableProblems(table, names, storedColumns.get(table))),
    ...[...statements].flatMap(([name, statement]) => statementProblems(name, statement, stored.get(name))),
  ]
}

function tableProblems(table: string, expected: readonly string[], stored: readonly string[] | undefined) {
  if (stored === undefined) return [{ text: `the table ${table} is missing` }]
  return expected
    .filter((column) => !stored.includes(column))
    .map((column) => ({ text: `the table ${table} lacks the column ${column}` }))
}

function statementProblems(name: string, expected: string, stored: string | undefined): SchemaProblem[] {
  if (stored !== undefined && comparable(stored) === comparable(expected)) return []
  const kind = /^create (?:unique )?(\w+)/.exec(expected)?.[1] ?? 'index'
  if (stored === undefined) return [{ text: `the ${kind} ${name} is missing`, mend: [expected] }]
  return [{ text: `the ${kind} ${name} differs`, mend: [`drop ${kind} ${name}`, expected] }]
}

/** SQLite keeps the text of a statement, but for the case of its first words. */
const comparable = (sql: string) => sql.toLowerCase().replace(/\s+/g, ' ').replace(/;$/, '').trim()

const known = new WeakMap<readonly Migration[], ExpectedSchema>()

function expectedSchema(migrations: readonly Migration[]): ExpectedSchema {
  const cached = known.get(migrations)
  if (cached) return cached
  const schema: ExpectedSchema = { columns: new Map(), statements: new Map() }
  for (const { sql } of migrations) for (const statement of statementsOf(sql)) apply(statement, schema)
  known.set(migrations, schema)
  return schema
}

/** A trigger holds semicolons, and ends with `end;` on a line of its own. */
const statementsOf = (sql: string): string[] =>
  sql.match(/create trigger [\s\S]*?\nend;|[^\s;][^;]*;/g)?.map((text) => text.trim()) ?? []

function apply(statement: string, { columns, statements }: ExpectedSchema): void {
  const [, made, name = ''] = /^create (?:unique )?(table|index|trigger) (\w+)/.exec(statement) ?? []
  if (made === 'table') columns.set(name, columnsOf(statement))
  else if (made !== undefined) statements.set(name, statement)
  const dropped = /^drop (?:index|trigger) (\w+)/.exec(statement)?.[1]
  if (dropped !== undefined) statements.delete(dropped)
  const [, table = '', column = ''] = /^alter table (\w+) add column (\w+)/.exec(statement) ?? []
  if (column !== '') columns.get(table)?.push(column)
}

/** Each column stands on a line of its own. */
const columnsOf = (statement: string): string[] =>
  [...statement.matchAll(/^ {2}(\w+) (?!key)/gm)].map(([, column = '']) => column)

function storedStatements(connection: Connection): Map<string, string> {
  const rows = connection.prepare("select name, sql from sqlite_master where type in ('index', 'trigger')").all([])
  return new Map(rows.map(([name, sql]) => [String(name), String(sql)]))
}

function columnsIn(connection: Connection): Map<string, string[]> {
  const columns = new Map<string, string[]>()
  const rows = connection
    .prepare("select m.name, c.name from sqlite_master m, pragma_table_info(m.name) c where m.type = 'table'")
    .all([])
  for (const [table, column] of rows) {
    columns.set(String(table), [...(columns.get(String(table)) ?? []), String(column)])
  }
  return columns
}
