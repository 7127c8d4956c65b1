/** Runs reads that may be long on the reading thread, and measures the others. */
import { resolve } from 'node:path'
import type { MaybePromise } from '../../../../contract/storage.ts'
import { parametersOf, type Row, type SqlValue, type Statement } from '../../engine/statements.ts'
import type { ReadFile, SideReader } from '../client.ts'
import { readerPragmas } from '../connection.ts'
import { sqliteFailure } from '../errors.ts'
import { LongReads } from './long-reads.ts'
import { ReadingThread } from './reading-thread.ts'

export class LongReader implements SideReader {
  readonly #file: ReadFile
  /** The folder of the process may change later. A name that is no path is left as it is. */
  readonly #path: string
  readonly #longReads: LongReads
  #thread: ReadingThread | undefined

  constructor(file: ReadFile) {
    this.#file = file
    this.#path = file.file.startsWith('file:') ? file.file : resolve(file.file)
    this.#longReads = new LongReads(() => file.bytes())
  }

  get isBusy(): boolean {
    return this.#thread?.isBusy === true
  }

  read(statement: Statement, values: readonly SqlValue[]): MaybePromise<readonly Row[]> | undefined {
    if (statement.kind === undefined) return undefined
    this.#thread ??= this.#createThread()
    if (!this.#thread.isAvailable) return undefined
    if (this.#longReads.has(statement)) return this.#readOnThread(this.#thread, statement, values)
    const started = performance.now()
    const rows = this.#file.all(statement, values)
    this.#longReads.add(statement.sql, performance.now() - started)
    return rows
  }

  close(): MaybePromise<void> {
    const thread = this.#thread
    this.#thread = undefined
    return thread?.close()
  }

  #createThread(): ReadingThread {
    return new ReadingThread({
      file: this.#path,
      pragmas: readerPragmas,
      assertSameFile: () => this.#file.assertSame(),
      readHere: (sql, parameters) => this.#file.all({ sql, parameters: parameters.map((_, at) => at) }, parameters),
    })
  }

  async #readOnThread(
    thread: ReadingThread,
    statement: Statement,
    values: readonly SqlValue[],
  ): Promise<readonly Row[]> {
    this.#file.onStatement(statement.sql)
    try {
      const { rows, ms } = await thread.read(statement.sql, parametersOf(statement, values))
      this.#longReads.add(statement.sql, ms)
      return rows
    } catch (error) {
      throw sqliteFailure(error)
    }
  }
}
