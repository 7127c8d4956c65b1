/** Whose file it is: SQLite's application id says so, and no other program's database is changed. */
import type { Connection } from './driver.ts'

/** `site` in ASCII. Migrations set it, so that `file` and other programs can tell. */
export const applicationId = 0x73_69_74_65

/** A file that holds something else. Recognised by `code`. */
export class ForeignDatabase extends Error {
  readonly code = 'storage_foreign'
}

/** Throws a ForeignDatabase unless the file is empty or this package's. Runs before anything is changed. */
export function assertOurs(connection: Connection): void {
  const id = Number(connection.prepare('pragma application_id').all([])[0]?.[0] ?? 0)
  if (id === applicationId) return
  const tables = tablesIn(connection)
  if (id === 0 && (tables.length === 0 || isOlder(connection, tables))) return
  const contents = tables.length === 0 ? 'no tables' : `the tables ${tables.slice(0, 5).join(', ')}`
  throw new ForeignDatabase(
    `it is the database of another program (application id ${id}, ${contents}): give the site a file of its own`,
  )
}

/** Files of version 0.1 have no application id. */
function isOlder(connection: Connection, tables: readonly string[]): boolean {
  if (!tables.includes('schema_versions') || !tables.includes('posts')) return false
  const columns = connection.prepare("select name from pragma_table_info('schema_versions') order by cid").all([])
  if (columns.map(([name]) => name).join() !== 'version,name') return false
  return connection.prepare('select name from schema_versions where version = 1').all([])[0]?.[0] === 'tables'
}

const tablesIn = (connection: Connection): string[] =>
  connection
    .prepare(
      "select name from sqlite_master where type = 'table' and name not like 'sqlite@_%' escape '@' order by name",
    )
    .all([])
    .map(([name]) => String(name))
