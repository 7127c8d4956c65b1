/** Runs PostgreSQL in the process, by `@electric-sql/pglite`; exported as `site-api/storage/pglite`. */
import type { Storage } from '../../contract/storage.ts'
import { checkOptionNames } from '../option-names.ts'
import type { Row, SqlValue } from '../sql/engine/fragments.ts'
import type { SqlSession, SqlStatement, SqlTransaction } from '../sql/engine/sql-session.ts'
import { postgresParsers, sqlStorage } from '../sql-storage.ts'

interface QueryOptions {
  readonly rowMode: 'array'
  readonly parsers: { [oid: number]: (text: string) => SqlValue }
}

/** The part of a `PGlite` that the storage uses. */
export interface PgliteDatabase {
  readonly waitReady?: Promise<void>
  query(
    text: string,
    values: SqlValue[],
    options: QueryOptions,
  ): Promise<{ readonly rows: unknown[]; readonly affectedRows?: number }>
  close(): Promise<void>
}

/** The options of `pgliteStorage`. */
export interface PgliteOptions {
  /** The schema of the tables. Default: `site_api`. */
  readonly schema?: string
  /**
   * The index for text search; needs the extension `pg_trgm` of PGlite. Without it, searches read the texts and give the same
   * results. Default: true.
   */
  readonly searchIndex?: boolean
}

/**
 * A storage in a PGlite database: PostgreSQL as WebAssembly, in this process, in memory or in a folder. The storage closes it. Nothing
 * else may run a transaction on it.
 *
 * ```ts
 * import { PGlite } from '@electric-sql/pglite'
 * import { pgliteStorage } from 'site-api/storage/pglite'
 *
 * export const storage = pgliteStorage(new PGlite('site-data'))
 * ```
 */
export function pgliteStorage(database: PgliteDatabase, options: PgliteOptions = {}): Storage {
  checkOptionNames('pgliteStorage', options, { schema: true, searchIndex: true })
  return sqlStorage({ dialect: 'postgres', session: sessionOn(database), ...options })
}

function sessionOn(database: PgliteDatabase): SqlSession {
  const options = { rowMode: 'array', parsers: { ...postgresParsers } } as const
  const query = ({ text, values }: SqlStatement) => database.query(text, [...values], options)
  const control = async (text: string) => void (await query({ text, values: [] }))
  // The cast: with this mode rows are arrays, and the parsers make their values.
  const all = async (statement: SqlStatement) => (await query(statement)).rows as Row[]
  const transaction: SqlTransaction = {
    all,
    run: async (statement) => ({ changes: (await query(statement)).affectedRows ?? 0 }),
    commit: () => control('commit'),
    rollback: () => control('rollback'),
  }
  return {
    hasOneConnection: true,
    open: () => database.waitReady,
    all,
    begin: async () => {
      await control('begin')
      return transaction
    },
    close: () => database.close(),
  }
}
