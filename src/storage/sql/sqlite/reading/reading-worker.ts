/**
 * The program of the reading thread: one connection that only reads, one answer for each message. It is a file of the package, and
 * imports the drivers alone, so that nothing else is loaded into the thread.
 */
import { parentPort, workerData } from 'node:worker_threads'
import type { Row, SqlValue } from '../../engine/fragments.ts'
import type { Connection, PreparedStatement } from '../driver.ts'
import { openSqlite } from '../open.ts'

/** The file that the thread reads. */
export interface ReadingWorkerData {
  readonly file: string
  /** Run on each new connection. */
  readonly pragmas: readonly string[]
}

/** `error` has the message and the result code of an error of SQLite, which a copy of the error would lose. */
export type WorkerAnswer =
  | { readonly rows: readonly Row[]; readonly ms: number }
  | { readonly error: { readonly message: string; readonly code?: unknown; readonly errcode?: unknown } }

interface ReadMessage {
  readonly sql: string
  readonly parameters: readonly SqlValue[]
}

const maxPrepared = 200
const prepared = new Map<string, PreparedStatement>()
let connection: Connection | undefined

function open(): Connection {
  // The cast: the reading thread starts the worker with it.
  const { file, pragmas } = workerData as ReadingWorkerData
  const opened = openSqlite(file, { busyMs: 0, readOnly: true })
  try {
    for (const pragma of pragmas) opened.exec(pragma)
    return opened
  } catch (error) {
    opened.close()
    throw error
  }
}

function statementOf(sql: string): PreparedStatement {
  connection ??= open()
  const cached = prepared.get(sql)
  if (cached !== undefined) return cached
  if (prepared.size >= maxPrepared) prepared.clear()
  const statement = connection.prepare(sql)
  prepared.set(sql, statement)
  return statement
}

function answerTo({ sql, parameters }: ReadMessage): WorkerAnswer {
  const started = performance.now()
  try {
    return { rows: statementOf(sql).all(parameters), ms: performance.now() - started }
  } catch (error) {
    const { message, code, errcode, errno } = error as Error & { code?: unknown; errcode?: unknown; errno?: unknown }
    return { error: { message, code, errcode, ...(errno === undefined ? {} : { errno }) } }
  }
}

/** The message without content ends the thread. */
parentPort?.on('message', (message: ReadMessage | undefined) => {
  if (message !== undefined) return parentPort?.postMessage(answerTo(message))
  prepared.clear()
  connection?.close()
  parentPort?.close()
})
