/** A transaction on the server as the engine runs it: what needs no result is sent without waiting for the answer. */
import { andThen } from '../../../contract/maybe-promise.ts'
import type { MaybePromise } from '../../../contract/storage.ts'
import type { SqlValue } from '../engine/fragments.ts'
import type { CountedTable, Insertion, InsertOptions } from '../engine/session.ts'
import type { InOrder, SqlTransaction, Written } from '../engine/sql-session.ts'
import { postgresConflict } from './errors.ts'
import { countError, failedChecks, insertParts, type ServerStatement, type ServerStatements } from './statements.ts'
import type { ServerTransaction } from './transaction.ts'
import type { TransactionTexts } from './transaction-texts.ts'

interface Parts {
  readonly statements: ServerStatements
  readonly sequences: TransactionTexts['sequences']
  /** Later transactions wait for the server's ids. */
  forgetSequences(): void
  createIndexes(statements: readonly string[]): Promise<void>
  commit(written: Written): Promise<{ readonly settled: Promise<void> }>
  rollback(): Promise<void>
}

/** An insert of more rows is waited for, so that an import does not fill the memory with unsent rows. */
const maxPipelinedRows = 32

export function pipelinedTransaction(transaction: ServerTransaction, parts: Parts): SqlTransaction {
  const { connection, known } = transaction
  const { of, countedOf } = parts.statements
  let settled: Promise<void> | undefined
  return {
    all: async ({ text, values }) => (await execute(transaction, of(text), values)).rows,
    run: async ({ text, values }) => ({ changes: (await execute(transaction, of(text), values)).rowCount ?? 0 }),
    send: async ({ text, values }, count) =>
      count === undefined
        ? transaction.send(of(text), values)
        : transaction.send(countedOf(text), [...values, count], countError),
    insert: (insertion, { isSure = false }: InsertOptions, inOrder) =>
      isSure
        ? insertUnwaited(transaction, parts, insertion, inOrder)
        : insert(transaction, parts.statements, insertion),
    savepoints: {
      begin: (depth) => transaction.beginSavepoint(depth),
      release: (depth) => transaction.releaseSavepoint(depth),
      rollback: (depth) => transaction.rollbackToSavepoint(depth),
    },
    createIndexes: (statements) => transaction.direct(() => parts.createIndexes(statements)),
    known,
    position: () => transaction.position(),
    lost: connection.lost,
    get retryError() {
      return connection.retryError
    },
    get settled() {
      return settled
    },
    commit: async (written) => {
      ;({ settled } = await parts.commit(written))
    },
    rollback: () => parts.rollback(),
  }
}

async function execute(transaction: ServerTransaction, statement: ServerStatement, values: readonly SqlValue[]) {
  try {
    return await transaction.execute(statement, values)
  } catch (error) {
    throw postgresConflict(error) ?? error
  }
}

async function insert(
  transaction: ServerTransaction,
  statements: ServerStatements,
  insertion: Insertion,
): Promise<number[]> {
  transaction.forgetIds(insertion.table)
  const ids: number[] = []
  const converted = statements.insertOf(insertion)
  for (const part of insertParts(insertion.rows)) {
    const inserted = await execute(transaction, converted, part.flat())
    for (const [id] of inserted.rows) ids.push(Number(id))
  }
  return ids
}

async function insertUnwaited(
  transaction: ServerTransaction,
  parts: Parts,
  insertion: Insertion,
  inOrder: InOrder,
): Promise<number[]> {
  // The cast: other tables have no known sequence.
  const sequence = parts.sequences.get(insertion.table as CountedTable)
  if (sequence === undefined || insertion.rows.length > maxPipelinedRows)
    return inOrder(() => insert(transaction, parts.statements, insertion))
  await transaction.ready()
  return inOrder(() => insertCounted(transaction, parts, insertion, sequence))
}

/** Takes the ids in the turn in which the insert is sent: another one may have been sent while this one waited for its turn. */
function insertCounted(
  transaction: ServerTransaction,
  { statements, forgetSequences }: Parts,
  insertion: Insertion,
  sequence: string,
): MaybePromise<number[]> {
  const { rows } = insertion
  const ids = transaction.takeIds(insertion.table as CountedTable, rows.length)
  if (ids === undefined) return insert(transaction, statements, insertion)
  // Rows that something else inserts take ids too: then the transaction runs again, and waits for the server's ids from now on.
  const errorOf = (error: unknown) => {
    if ((error as { readonly code?: unknown }).code !== failedChecks.id) return error
    forgetSequences()
    transaction.connection.retryError = error
    return error
  }
  const values = rows.flatMap((row, at) => [...row, ids[at] as number])
  return andThen(transaction.send(statements.insertOf(insertion, sequence), values, errorOf), () => ids)
}
