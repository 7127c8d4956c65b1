/** Inserts rows where the database gives ids one by one, as SQLite does. */
import { andThen, isPromise, type MaybePromise } from '../../../contract/maybe-promise.ts'
import type { Dialect } from './dialect.ts'
import { type Fragment, quoted, type Row, rowsText } from './fragments.ts'
import type { Insertion, InsertOptions } from './session.ts'
import type { SqlTransaction } from './sql-session.ts'

interface Parts {
  readonly dialect: Dialect
  readonly isAsync: boolean
}

/** Returns the new ids, in order. Where each statement is a round trip, one inserts all rows. */
export function insertRows(
  transaction: SqlTransaction,
  insertion: Insertion,
  options: InsertOptions,
  { dialect, isAsync }: Parts,
): MaybePromise<number[]> {
  if (isAsync) return insertTogether(transaction, insertion)
  return insertOrUndo(insertion, options, {
    dialect,
    execute: (statement) => lastIdOf(transaction.run(statement)),
    isAlive: () => transaction.isAlive !== false,
  })
}

const lastIdOf = (result: MaybePromise<{ readonly lastId?: number }>): { readonly lastId: number } => {
  if (isPromise(result)) throw new Error('a session that is not asynchronous has returned a promise')
  return { lastId: result.lastId ?? 0 }
}

/** Ids rise with the order of the rows, unless the rows have theirs. */
function insertTogether(transaction: SqlTransaction, { table, columns, rows }: Insertion): MaybePromise<number[]> {
  const list = columns.map(quoted).join(', ')
  const values = columns.map((_, at) => `value ->> ${at}`).join(', ')
  const text = `insert into ${quoted(table)} (${list}) select ${values} from json_each(?) order by key returning id`
  const idColumn = columns.indexOf('id')
  return andThen(transaction.all({ text, values: [rowsText(rows)] }), (inserted: readonly Row[]) =>
    idColumn === -1
      ? inserted.map(([id]) => Number(id)).sort((a, b) => a - b)
      : rows.map((row) => Number(row[idColumn])),
  )
}

/** Runs a statement that writes, and names the last new id. */
type Execute = (statement: Fragment) => { readonly lastId: number }

/** Inserts rows one by one; `undo`, if present, removes those before one that fails, unless the engine has ended the transaction. */
export function insertOrUndo(
  { table, columns, rows }: Insertion,
  { undo }: InsertOptions,
  { dialect, execute, isAlive }: { readonly dialect: Dialect; readonly execute: Execute; isAlive(): boolean },
): number[] {
  const text = insertTexts.get(columns) ?? insertText(dialect, table, columns)
  insertTexts.set(columns, text)
  const ids: number[] = []
  try {
    for (const values of rows) ids.push(execute({ text, values }).lastId)
    return ids
  } catch (error) {
    if (undo !== undefined && ids.length > 0 && isAlive()) execute(undo(ids))
    throw error
  }
}

/** By the list of columns: to make the text of an insert of a post takes a tenth of the time of the insert. */
const insertTexts = new WeakMap<readonly string[], string>()

function insertText({ oneRow }: Dialect, table: string, columns: readonly string[]): string {
  const values = columns.map(() => '?').join(', ')
  return `${oneRow.insertInto} ${quoted(table)} (${columns.map(quoted).join(', ')}) values (${values})`
}
