/** The driver on the SQLite database of a Durable Object. Declares the parts of `ctx.storage` that it uses. */
import type { Row, SqlValue } from '../engine/fragments.ts'
import type { Connection } from '../sqlite/driver.ts'

interface Cursor {
  raw(): Iterable<readonly unknown[]>
}

/** The part of `ctx.storage` of a Durable Object that the storage uses. */
export interface DurableObjectDatabase {
  readonly sql: { exec(query: string, ...bindings: SqlValue[]): Cursor }
  /** A transaction, or a savepoint in one. */
  transaction<T>(work: () => Promise<T>): Promise<T>
  transactionSync<T>(work: () => T): T
}

/** The runtime's limit. */
const MAX_PARAMETERS = 100

export function durableObjectConnection(database: DurableObjectDatabase): Connection {
  const all = (text: string, values: readonly SqlValue[] = []) => {
    const { sql, parameters } =
      values.length > MAX_PARAMETERS ? withOneParameter(text, values) : { sql: text, parameters: values }
    // The cast: no column has a blob.
    return [...database.sql.exec(sql, ...parameters).raw()] as unknown as Row[]
  }
  return {
    prepare: (sql) => ({
      all: (parameters) => all(sql, parameters),
      run: (parameters) => {
        all(sql, parameters)
        // Its own count of written rows includes those of indexes.
        const [[changes, lastId] = []] = all('select changes(), last_insert_rowid()')
        return { changes: Number(changes), lastId: Number(lastId) }
      },
    }),
    exec: (sql) => void all(sql),
    // Statements can not begin one.
    inTransaction: false,
    transaction: (work) => database.transactionSync(work),
    close: () => undefined,
  }
}

/** Passes all values as one JSON list; each placeholder reads its value from that list by index. */
function withOneParameter(text: string, values: readonly SqlValue[]): { sql: string; parameters: SqlValue[] } {
  let at = 0
  const sql = text.replace(/'(?:[^']|'')*'|"(?:[^"]|"")*"|\?/g, (part) =>
    part === '?' ? `json_extract(?1, '$[${at++}]')` : part,
  )
  return { sql, parameters: [JSON.stringify(values)] }
}
