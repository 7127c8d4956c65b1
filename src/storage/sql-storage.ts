/** Runs the SQL engine on a database of the host, exported as `site-api/storage/sql`. */
import type { Storage } from '../contract/storage.ts'
import { checkOptionNames } from './option-names.ts'
import { SqlClient } from './sql/engine/client.ts'
import type { Row, SqlValue } from './sql/engine/fragments.ts'
import type { SqlSession } from './sql/engine/sql-session.ts'
import { DrivenPostgres } from './sql/postgres/driven.ts'
import { DrivenSqlite } from './sql/sqlite/driven.ts'
import { storageOn } from './sql/storage.ts'

export type {
  BeginOptions,
  SqlResult,
  SqlSession,
  SqlStatement,
  SqlTransaction,
  Written,
} from './sql/engine/sql-session.ts'
export { postgresParsers } from './sql/postgres/parsers.ts'
export type { Row, SqlValue }

/** The statements have the words of SQLite 3.43 or newer, or of PostgreSQL 14 or newer. */
export type SqlDialect = 'sqlite' | 'postgres'

/** The options of `sqlStorage`. */
export interface SqlOptions {
  /** The database understands the SQL of SQLite, or of PostgreSQL. */
  readonly dialect: SqlDialect
  /** Reads from the database, and begins transactions. */
  readonly session: SqlSession
  /** The index for text search. Without it, searches read the texts and give the same results. Default: true. */
  readonly searchIndex?: boolean
  /** The schema of the tables, which the dialect `postgres` has. Default: `site_api`. */
  readonly schema?: string
  /** False: only checks the version of the schema; the dialect `postgres` has this option. Default: true. */
  readonly migrate?: boolean
  /** Called with the text of each statement before it runs, except transaction control: for tests and tracing. */
  readonly onStatement?: (sql: string) => void
}

const optionNames = {
  dialect: true,
  session: true,
  searchIndex: true,
  schema: true,
  migrate: true,
  onStatement: true,
} as const

/**
 * A storage on any database that speaks the SQL of SQLite or PostgreSQL. The session runs statements and transactions; the
 * engine writes the statements, makes and migrates the tables, orders the transactions and names the errors.
 *
 * ```ts
 * import { createSiteApi, d1 } from 'site-api'
 * import { type SqlSession, sqlStorage } from 'site-api/storage/sql'
 *
 * declare const session: SqlSession
 * const storage = sqlStorage({ dialect: 'sqlite', session })
 * export const api = createSiteApi({ storage, profile: d1, url: 'https://example.com' })
 * ```
 */
export function sqlStorage(options: SqlOptions): Storage {
  checkOptionNames('sqlStorage', options, optionNames)
  assertSession(options.session)
  if (options.dialect === 'sqlite') return onSqlite(options)
  if (options.dialect === 'postgres') return onPostgres(options)
  throw new TypeError(`dialect of sqlStorage is sqlite or postgres, and not ${JSON.stringify(options.dialect)}`)
}

function onSqlite({ session: driver, searchIndex = true, onStatement, ...others }: SqlOptions): Storage {
  for (const name of ['schema', 'migrate'] as const) {
    if (others[name] !== undefined) throw new TypeError(`the option ${name} of sqlStorage needs the dialect postgres`)
  }
  const session = new DrivenSqlite(driver, { searchIndex, onStatement })
  const client = new SqlClient({ dialect: session.dialect, session })
  session.indexWith(client)
  return storageOn(client, session)
}

function onPostgres(options: SqlOptions): Storage {
  const { session: driver, searchIndex = true, schema = 'site_api', migrate = true, onStatement } = options
  const session = new DrivenPostgres(driver, { searchIndex, schema, migrate, onStatement })
  return storageOn(new SqlClient({ dialect: session.dialect, session }), session)
}

function assertSession(session: Partial<SqlSession> | undefined): void {
  for (const name of ['all', 'begin'] as const) {
    if (typeof session?.[name] !== 'function') throw new TypeError(`session of sqlStorage has no method ${name}`)
  }
}
