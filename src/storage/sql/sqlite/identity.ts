/** Whose file it is: SQLite's application id says so, and no other program's database is changed. */
import { type Connection, inTransaction } from './driver.ts'

/** `site` in ASCII. A new file gets it, so that `file` and other programs can tell. */
export const applicationId = 0x73_69_74_65

/** A file that holds something else. Recognised by `code`. */
export class ForeignDatabase extends Error {
  readonly code = 'storage_foreign'
}

/** Throws a ForeignDatabase unless the file is empty or this package's. Runs before anything is changed. */
export function assertOurs(connection: Connection): void {
  const { id, tables } = inTransaction(connection, 'read', () => ({
    id: Number(connection.prepare('pragma application_id').all([])[0]?.[0] ?? 0),
    tables: tablesIn(connection),
  }))
  if (id === applicationId) return
  if (id === 0 && tables.length === 0) return
  const contents = tables.length === 0 ? 'no tables' : `the tables ${tables.slice(0, 5).join(', ')}`
  throw new ForeignDatabase(
    `it is the database of another program (application id ${id}, ${contents}): give the site a file of its own`,
  )
}

const tablesIn = (connection: Connection): string[] =>
  connection
    .prepare(
      "select name from sqlite_master where type = 'table' and name not like 'sqlite@_%' escape '@' order by name",
    )
    .all([])
    .map(([name]) => String(name))
