/** The statements that begin and end a transaction, and what they need to know of the server. */
import type { CountedTable } from '../engine/session.ts'
import { randomToken } from '../schema/postgres.ts'
import type { PostgresConnection } from './connection.ts'
import { advisoryLockKeys } from './migrate.ts'
import { plainStatement, type ServerStatement } from './statements.ts'

interface TransactionOptions {
  readonly schema: string
  readonly quotedSchema: string
  readonly timeouts: { readonly queryMs: number }
}

/** The sequences that give the ids of tables, as text in a literal. */
type Sequences = ReadonlyMap<CountedTable, string>

export const countedTables: readonly CountedTable[] = ['posts', 'records']

/** A wait for the lock is one statement, which a silent connection would never end: it is asked for in slices. */
const LOCK_SLICE_MS = 2000

/** The statements that begin a transaction and mark its end. */
export interface TransactionTexts {
  /** Gets the lock for writes. */
  readonly script: string
  /** Has a row: the version of the schema, whether the server only reads, the next ids of `countedTables` or null, the position. */
  readonly state: ServerStatement
  readonly marks: { readonly options: ServerStatement; readonly others: ServerStatement }
  readonly sequences: Sequences
}

/** The server ends a transaction whose process went away or is silent, and a statement that the process waits for no more. */
export function transactionTexts(options: TransactionOptions, sequences: Sequences = new Map()): TransactionTexts {
  const { schema, quotedSchema, timeouts } = options
  const { queryMs } = timeouts
  const nextIds = countedTables.map((table) => nextIdText(sequences.get(table)))
  const script = [
    // Without "read write", which a server that only reads by its settings would take as an order.
    'begin isolation level read committed',
    `set local idle_in_transaction_session_timeout = ${queryMs}`,
    `set local lock_timeout = ${Math.min(LOCK_SLICE_MS, Math.ceil(queryMs / 2))}`,
    `select pg_advisory_xact_lock(${advisoryLockKeys(schema)})`,
    `set local statement_timeout = ${queryMs}`,
  ].join('; ')
  // Its snapshot is taken when the lock is granted.
  const state = plainStatement(
    `select max(version), current_setting('transaction_read_only'), ${nextIds.join(', ')}, (select position from ${quotedSchema}.changes) from ${quotedSchema}.schema_versions`,
  )
  return { script, state, marks: marksOf(quotedSchema), sequences }
}

/** Follows the script where the commit does not wait for the disk. */
export const flushedLater = '; set local synchronous_commit = off'

/** A role without the right to a sequence gets null. */
const nextIdText = (sequence: string | undefined) =>
  sequence === undefined
    ? 'null::bigint'
    : `case when has_sequence_privilege('${sequence}', 'usage') then coalesce(pg_sequence_last_value('${sequence}'), 0) + 1 end`

/**
 * Marks that the transaction has written: writers run one at a time, so none waits for the row of `changes`. Its tokens are random: a
 * server that fails before it has flushed a commit forgets it, and no later commit may have the same token. Returns a row with the
 * new position.
 */
export const marksOf = (quotedSchema: string): TransactionTexts['marks'] => ({
  options: markOf(quotedSchema, true),
  others: markOf(quotedSchema, false),
})

function markOf(quotedSchema: string, hasWrittenOptions: boolean): ServerStatement {
  const options = hasWrittenOptions ? `, options = ${randomToken}` : ''
  return plainStatement(
    `update ${quotedSchema}.changes set version = ${randomToken}${options}, position = position + 1 returning position`,
  )
}

/**
 * Any transaction that is flushed makes those before it durable, on standbys too. This one writes nothing but a record of the log.
 * So the lock for writes is free before the disk has answered, and one answer of the disk serves several writers.
 */
export const flush: ServerStatement = plainStatement("select pg_logical_emit_message(true, 'site_api', ''::text)")

/** Whether the role may run `flush`, as every role may by default. */
export async function mayFlush(connection: PostgresConnection): Promise<boolean> {
  const [row] = await connection.query(
    `select bool_and(has_function_privilege(oid, 'execute')) from pg_proc
      where proname = 'pg_logical_emit_message' and pronamespace = 'pg_catalog'::regnamespace`,
  )
  return row?.[0] === 1
}

export async function readSequences(
  connection: PostgresConnection,
  { quotedSchema }: TransactionOptions,
): Promise<Sequences> {
  const sequences = new Map<CountedTable, string>()
  for (const table of countedTables) {
    const [row] = await connection.query('select pg_get_serial_sequence($1, $2)', [`${quotedSchema}.${table}`, 'id'])
    if (typeof row?.[0] === 'string') sequences.set(table, row[0].replaceAll("'", "''"))
  }
  return sequences
}
