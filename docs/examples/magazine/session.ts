/** Statements, and transactions with their savepoints. One transaction of the site runs at a time, in all processes. */
import pg from 'pg'
import { type MaybePromise, StorageConflict, StorageRetry, StorageUnavailable } from 'site-api/storage'
import { compile, type Sql } from './sql.ts'

export interface Session {
  query<Row>(statement: Sql): Promise<Row[]>
  /** A transaction, or a savepoint in one. The session that `work` receives ends with it. */
  atomic<T>(work: (inside: Session) => MaybePromise<T>): Promise<T>
}

interface SessionOptions {
  /** Sent with the notification of each write, so that a process knows its own. */
  readonly origin: string
  readonly onCommit: () => void
}

/** The session outside transactions: it reads on any connection of the pool. */
export function openSession(pool: pg.Pool, { origin, onCommit }: SessionOptions): Session {
  const inTurn = createQueue()
  // The lock makes processes take turns; within one, the queue does, so that waiting takes no connection.
  const begin = `begin; select pg_advisory_xact_lock(hashtext('site:' || current_schema()));
    select set_config('site.origin', '${origin}', true)`
  const transact = async <T>(client: pg.PoolClient, work: (inside: Session) => MaybePromise<T>): Promise<T> => {
    await client.query(begin)
    const result = await runInside(client, 1, work)
    const { command } = await client.query('commit').catch((error) => {
      throw failureOf(error, 'perhaps')
    })
    // After a failed statement the server rolls back instead, and reports no error.
    if (command !== 'COMMIT') throw new Error('a statement of this transaction has failed; nothing was written')
    onCommit()
    return result
  }
  return {
    query: (statement) => run(pool, statement),
    atomic: (work) =>
      inTurn(async () => {
        const client = await pool.connect().catch((error) => {
          throw failureOf(error)
        })
        let broken = false
        try {
          return await transact(client, work)
        } catch (error) {
          await client.query('rollback').catch(() => {
            broken = true
          })
          throw isRetryable(error) ? new StorageRetry(error) : error
        } finally {
          client.release(broken)
        }
      }),
  }
}

/** Runs `work` on a session of an open transaction, and waits for all that it has started. */
async function runInside<T>(
  client: pg.PoolClient,
  depth: number,
  work: (inside: Session) => MaybePromise<T>,
): Promise<T> {
  const queue = createQueue()
  let hasEnded = false
  const inTurn = async <R>(step: () => Promise<R>): Promise<R> => {
    if (hasEnded) throw new Error('this transaction has ended; use the storage it was opened on')
    return queue(step)
  }
  const savepoint = `site_${depth}`
  try {
    return await work({
      query: (statement) => inTurn(() => run(client, statement)),
      atomic: (inner) =>
        inTurn(async () => {
          await client.query(`savepoint ${savepoint}`)
          try {
            const result = await runInside(client, depth + 1, inner)
            await client.query(`release ${savepoint}`)
            return result
          } catch (error) {
            await client.query(`rollback to ${savepoint}; release ${savepoint}`)
            throw error
          }
        }),
    })
  } finally {
    hasEnded = true
    await queue(async () => undefined)
  }
}

async function run<Row>(on: pg.Pool | pg.PoolClient, statement: Sql): Promise<Row[]> {
  try {
    const { rows } = await on.query({ ...compile(statement), types })
    // The cast: the caller knows the columns of its statement.
    return rows as Row[]
  } catch (error) {
    throw conflictOf(error) ?? failureOf(error)
  }
}

/** `pg` returns 64-bit integers as texts; those of the site are safe integers. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (type, format) => (type === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(type, format)),
}

function conflictOf(error: unknown): StorageConflict | undefined {
  const { code, constraint } = error as { readonly code?: string; readonly constraint?: string }
  const field = code === '23505' ? /^site_(?:post|user)_(\w+)$/.exec(constraint ?? '')?.[1] : undefined
  return field === undefined ? undefined : new StorageConflict(field)
}

/** Errors that the server has not sent, or with which it ends the connection, have nothing to do with the statement. */
function failureOf(error: unknown, written: 'no' | 'perhaps' = 'no'): unknown {
  const { severity } = error as { readonly severity?: string }
  if (severity !== undefined && severity !== 'FATAL') return error
  return new StorageUnavailable('the database can not be reached', { written, cause: error })
}

/** Recognises a deadlock with a transaction of the magazine, and a failed serialization. */
const isRetryable = (error: unknown): boolean => ['40P01', '40001'].includes((error as { code: string }).code)

/** Runs each step after the end of the previous one. */
function createQueue(): <T>(step: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (step) => {
    const result = last.then(step)
    last = result.catch(() => undefined)
    return result
  }
}
