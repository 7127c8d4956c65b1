/** Makes pools of `pg` from what a host gives, and loads the package only then. */
import { defaultTimeouts, type PostgresPool } from './connection.ts'

/** Options of the `Pool` of `pg`; those not listed here are passed on unchanged. */
export interface PostgresConnectionOptions {
  /** `postgres://user@host/database`. */
  readonly connectionString?: string
  /** The most connections of the pool. Default: 10. */
  readonly max?: number
  readonly [option: string]: unknown
}

/** Takes a pool of the host, options of a pool, or a connection string. */
export type PostgresServer = PostgresPool | PostgresConnectionOptions | string

/** Whether the host has given a pool, which stays open. */
export function isPool(poolOrOptions: PostgresServer): poolOrOptions is PostgresPool {
  return typeof poolOrOptions === 'object' && typeof (poolOrOptions as { connect?: unknown }).connect === 'function'
}

/** A server as the options of a storage name it. */
export const serverOf = (poolOrOptions: PostgresServer, connectMs: number) => ({
  pool: () => poolFrom(poolOrOptions, connectMs),
  ownsPool: !isPool(poolOrOptions),
})

export async function poolFrom(
  poolOrOptions: PostgresServer,
  connectMs = defaultTimeouts.connectMs,
): Promise<PostgresPool> {
  const options = typeof poolOrOptions === 'string' ? { connectionString: poolOrOptions } : poolOrOptions
  const pool = isPool(options) ? options : await createPool(options, connectMs)
  // The pool replaces an idle connection that is lost; without a listener its error would end the process.
  if (!poolsWithListener.has(pool)) pool.on('error', () => undefined)
  poolsWithListener.add(pool)
  return pool
}

/** Several storages may share a pool, which needs only one listener. */
const poolsWithListener = new WeakSet<PostgresPool>()

async function createPool(options: PostgresConnectionOptions, connectMs: number): Promise<PostgresPool> {
  const { default: pg } = await import('pg').catch((cause) => {
    throw new Error('the PostgreSQL storage needs the package pg: install it, or hand in a pool', { cause })
  })
  return new pg.Pool({
    // Statements go out without waiting for the answers to those before.
    pipeline: true,
    // A connection that no packet has crossed for a while may be gone: the system asks.
    ...{ keepAlive: true, keepAliveInitialDelayMillis: 10_000 },
    // Without it a handshake that a server does not answer holds its place in the pool for good.
    connectionTimeoutMillis: connectMs,
    ...options,
  })
}
