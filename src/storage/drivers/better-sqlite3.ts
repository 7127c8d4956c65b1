/** Keeps a site in a database of `better-sqlite3`, exported as `site-api/storage/better-sqlite3`. */
import type { Storage } from '../../contract/storage.ts'
import { checkOptionNames } from '../option-names.ts'
import { evictOldest, type Row, type SqlValue } from '../sql/engine/fragments.ts'
import type { SqlSession, SqlStatement, SqlTransaction } from '../sql/engine/sql-session.ts'
import { sqlStorage } from '../sql-storage.ts'

interface Statement {
  /** Whether it returns rows. */
  readonly reader: boolean
  raw(): Statement
  all(...values: SqlValue[]): unknown[]
  run(...values: SqlValue[]): { readonly changes: number; readonly lastInsertRowid: number | bigint }
}

/** The part of a `Database` of `better-sqlite3` that the storage uses. */
export interface BetterSqlite3Database {
  prepare(sql: string): Statement
  readonly inTransaction: boolean
  close(): unknown
}

/** The options of `betterSqlite3Storage`. */
export interface BetterSqlite3Options {
  /** A second, read-only connection to the same file: reads then do not wait for a transaction that is running. */
  readonly reader?: BetterSqlite3Database
  /** The index for text search, smaller than the texts. Without it, searches read the texts. Default: true. */
  readonly searchIndex?: boolean
}

/** The most prepared statements of a connection. */
const MAX_PREPARED = 500

/**
 * A storage in a database that the host has opened with `better-sqlite3`. The storage closes it. Statements are synchronous, as those
 * of `sqliteStorage` are.
 *
 * ```ts
 * const database = new Database('site.db')
 * const storage = betterSqlite3Storage(database, { reader: new Database('site.db', { readonly: true }) })
 * ```
 */
export function betterSqlite3Storage(database: BetterSqlite3Database, options: BetterSqlite3Options = {}): Storage {
  checkOptionNames('betterSqlite3Storage', options, { reader: true, searchIndex: true })
  const { reader, searchIndex = true } = options
  return sqlStorage({ dialect: 'sqlite', session: sessionOn(database, reader), searchIndex })
}

function sessionOn(database: BetterSqlite3Database, reader: BetterSqlite3Database | undefined): SqlSession {
  const writing = prepared(database)
  const reading = reader === undefined ? writing : prepared(reader)
  const exec = (text: string) => void writing({ text, values: [] }).run()
  const transaction: SqlTransaction = {
    all: ({ text, values }) => rows(writing({ text, values }), values),
    run: ({ text, values }) => {
      const { changes, lastInsertRowid } = writing({ text, values }).run(...values)
      return { changes, lastId: Number(lastInsertRowid) }
    },
    get isAlive() {
      return database.inTransaction
    },
    commit: () => exec('commit'),
    rollback: () => {
      if (database.inTransaction) exec('rollback')
    },
  }
  return {
    isAsync: false,
    hasOneConnection: reader === undefined,
    open: () => {
      for (const pragma of ['journal_mode = wal', 'synchronous = full', 'foreign_keys = on', 'busy_timeout = 20']) {
        rows(writing({ text: `pragma ${pragma}`, values: [] }), [])
      }
    },
    all: (statement) => rows(reading(statement), statement.values),
    begin: () => {
      exec('begin immediate')
      return transaction
    },
    // Differs after commits of other connections.
    changes: () => Number(rows(writing({ text: 'pragma data_version', values: [] }), [])[0]?.[0]),
    close: () => {
      reader?.close()
      database.close()
    },
  }
}

/** Prepares each text once. */
function prepared(database: BetterSqlite3Database): (statement: SqlStatement) => Statement {
  const statements = new Map<string, Statement>()
  return ({ text }) => {
    const known = statements.get(text)
    if (known !== undefined) return known
    if (statements.size >= MAX_PREPARED) evictOldest(statements)
    const statement = database.prepare(text)
    statements.set(text, statement.reader ? statement.raw() : statement)
    return statement
  }
}

function rows(statement: Statement, values: readonly SqlValue[]): readonly Row[] {
  // The cast: rows are arrays, and no column has a blob.
  if (statement.reader) return statement.all(...values) as Row[]
  statement.run(...values)
  return []
}
