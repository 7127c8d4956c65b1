/** Reaches PostgreSQL over HTTP and WebSockets, by `@neondatabase/serverless`; exported as `site-api/storage/neon`. */
import type { Storage } from '../../contract/storage.ts'
import { checkOptionNames } from '../option-names.ts'
import type { Row, SqlValue } from '../sql/engine/fragments.ts'
import type { SqlSession, SqlStatement, SqlTransaction } from '../sql/engine/sql-session.ts'
import { parserOf } from '../sql/postgres/parsers.ts'
import { sqlStorage } from '../sql-storage.ts'

interface Result {
  readonly rows: unknown[]
  readonly rowCount: number | null
}

interface Types {
  getTypeParser(oid: number): (text: string) => SqlValue
}

interface Client {
  query(query: { text: string; values: SqlValue[]; rowMode: 'array'; types: Types }): Promise<Result>
  release(error?: boolean): void
}

/** The part of a `Pool` of `@neondatabase/serverless` that the storage uses. */
export interface NeonPool {
  connect(): Promise<Client>
  end(): Promise<void>
  on(event: 'error', listener: (error: Error) => void): unknown
}

/** The part of the function that `neon(url)` returns. */
export interface NeonQuery {
  query(
    text: string,
    values: SqlValue[],
    options: { arrayMode: true; fullResults: true; types: Types },
  ): PromiseLike<Pick<Result, 'rows'>>
}

/** The options of `neonStorage`. */
export interface NeonOptions {
  /** Sends reads outside of transactions as one HTTP request each. Default: all statements use the pool. */
  readonly http?: NeonQuery
  /** The schema of the tables. Default: `site_api`. */
  readonly schema?: string
  /** False: only checks the version of the schema; run `site-api migrate` to migrate. Default: true. */
  readonly migrate?: boolean
  /** The index for text search. Without it, searches read the texts and give the same results. Default: true. */
  readonly searchIndex?: boolean
}

/**
 * A storage in a Neon database, for hosts that open no TCP connections. Writes use the WebSockets of the pool, because a transaction
 * reads before it writes; reads may be HTTP requests.
 *
 * ```ts
 * import { neon, Pool } from '@neondatabase/serverless'
 * import { neonStorage } from 'site-api/storage/neon'
 *
 * const url = process.env.DATABASE_URL ?? ''
 * export const storage = neonStorage(new Pool({ connectionString: url }), { http: neon(url) })
 * ```
 */
export function neonStorage(pool: NeonPool, options: NeonOptions = {}): Storage {
  checkOptionNames('neonStorage', options, { http: true, schema: true, migrate: true, searchIndex: true })
  const { http, ...others } = options
  return sqlStorage({ dialect: 'postgres', session: sessionOn(pool, http), ...others })
}

const types: Types = { getTypeParser: parserOf }

function sessionOn(pool: NeonPool, http: NeonQuery | undefined): SqlSession {
  // The pool replaces an idle connection that is lost; without a listener its error would end the process.
  pool.on('error', () => undefined)
  const overHttp =
    (query: NeonQuery) =>
    async ({ text, values }: SqlStatement) => {
      const { rows } = await query.query(text, [...values], { arrayMode: true, fullResults: true, types })
      return rows as Row[]
    }
  const overPool = async (statement: SqlStatement) => {
    const client = await pool.connect()
    return ending(client, async () => (await send(client, statement)).rows as Row[])
  }
  return {
    all: http === undefined ? overPool : overHttp(http),
    begin: async () => {
      const client = await pool.connect()
      try {
        await send(client, { text: 'begin isolation level read committed', values: [] })
      } catch (error) {
        client.release(true)
        throw error
      }
      return transactionOn(client)
    },
    close: () => pool.end(),
  }
}

function transactionOn(client: Client): SqlTransaction {
  const control = (text: string) => ending(client, () => send(client, { text, values: [] }))
  return {
    // The cast: with `rowMode` rows are arrays, and the parsers make their values.
    all: async (statement) => (await send(client, statement)).rows as Row[],
    run: async (statement) => ({ changes: (await send(client, statement)).rowCount ?? 0 }),
    commit: async () => void (await control('commit')),
    rollback: async () => void (await control('rollback')),
  }
}

const send = (client: Client, { text, values }: SqlStatement): Promise<Result> =>
  client.query({ text, values: [...values], rowMode: 'array', types })

/** Gives the client back after the work, and ends its connection if that fails. */
async function ending<T>(client: Client, work: () => Promise<T>): Promise<T> {
  let hasFailed = true
  try {
    const result = await work()
    hasFailed = false
    return result
  } finally {
    client.release(hasFailed)
  }
}
