/** Keeps a site in a database of `@libsql/client`, exported as `site-api/storage/libsql`: in a file, the memory, a server or Turso. */
import { type Storage, StorageUnavailable } from '../../contract/storage.ts'
import { checkOptionNames } from '../option-names.ts'
import type { Row, SqlValue } from '../sql/engine/fragments.ts'
import type { SqlSession, SqlStatement, SqlTransaction } from '../sql/engine/sql-session.ts'
import { sqlStorage } from '../sql-storage.ts'

interface Result {
  readonly columns: readonly string[]
  readonly rows: readonly { readonly [at: number]: unknown }[]
  readonly rowsAffected: number
  readonly lastInsertRowid?: bigint | undefined
}

interface Statements {
  execute(statement: { sql: string; args: SqlValue[] }): Promise<Result>
}

interface Transaction extends Statements {
  commit(): Promise<void>
  rollback(): Promise<void>
  close(): void
}

/** The part of a `Client` of `@libsql/client` that the storage uses. */
export interface LibsqlClient extends Statements {
  /** `file`, or the protocol of a server. */
  readonly protocol: string
  transaction(mode: 'write'): Promise<Transaction>
  close(): void
}

/** The options of `libsqlStorage`. */
export interface LibsqlOptions {
  /**
   * True: nothing else writes to the database, so settings and responses are kept in memory between requests. Default: false; each
   * request reads the settings.
   */
  readonly isExclusive?: boolean
  /** True for a client of `:memory:`, which has one connection. Default: false. */
  readonly isInMemory?: boolean
  /** The index for text search, smaller than the texts. Without it, searches read the texts. Default: true. */
  readonly searchIndex?: boolean
}

/**
 * A storage in a database of `@libsql/client`: a file, the memory, a libSQL server or Turso. Takes the client, which the storage closes.
 *
 * ```ts
 * import { createClient } from '@libsql/client'
 * import { libsqlStorage } from 'site-api/storage/libsql'
 *
 * export const storage = libsqlStorage(createClient({ url: 'file:site.db' }))
 * ```
 */
export function libsqlStorage(client: LibsqlClient, options: LibsqlOptions = {}): Storage {
  checkOptionNames('libsqlStorage', options, { isExclusive: true, isInMemory: true, searchIndex: true })
  return sqlStorage({
    dialect: 'sqlite',
    session: sessionOn(client, options),
    searchIndex: options.searchIndex ?? true,
  })
}

function sessionOn(client: LibsqlClient, { isExclusive = false, isInMemory = false }: LibsqlOptions): SqlSession {
  const isFile = client.protocol === 'file'
  return {
    hasOneConnection: isInMemory,
    open: async () => {
      // Readers of a file then never wait. A server decides for itself.
      if (isFile && !isInMemory) await execute(client, { text: 'pragma journal_mode = wal', values: [] })
    },
    all: async (statement) => rowsOf(await execute(client, statement)),
    begin: async () => transactionOn(await named(() => client.transaction('write'))),
    ...((isExclusive || isInMemory) && { changes: () => 0 }),
    close: () => client.close(),
  }
}

function transactionOn(transaction: Transaction): SqlTransaction {
  return {
    all: async (statement) => rowsOf(await execute(transaction, statement)),
    run: async (statement) => {
      const { rowsAffected, lastInsertRowid } = await execute(transaction, statement)
      return { changes: rowsAffected, lastId: Number(lastInsertRowid ?? 0) }
    },
    commit: () => named(() => transaction.commit(), 'perhaps'),
    rollback: async () => {
      try {
        await transaction.rollback()
      } finally {
        transaction.close()
      }
    },
  }
}

const execute = (on: Statements, { text, values }: SqlStatement): Promise<Result> =>
  named(() => on.execute({ sql: text, args: [...values] }))

// The cast: no column has a blob, and the client reads integers as numbers.
const rowsOf = ({ columns, rows }: Result): Row[] => rows.map((row) => columns.map((_, at) => row[at] as SqlValue))

/** Errors of SQLite have its codes; others are of the way to the server. */
async function named<T>(work: () => Promise<T>, written: 'no' | 'perhaps' = 'no'): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const { code } = error as { readonly code?: unknown }
    if (String(code).startsWith('SQLITE_') || code === 'TRANSACTION_ACTIVE') throw error
    throw new StorageUnavailable(`the libSQL server is not available: ${(error as Error).message}`, {
      written,
      cause: error,
    })
  }
}
