/** Runs reads that may be long on the reading thread, and measures the others. */
import { resolve } from 'node:path'
import type { MaybePromise } from '../../../../contract/storage.ts'
import type { Extent, Fragment, Row } from '../../engine/fragments.ts'
import type { ReadFile, SideReader } from '../client.ts'
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

  read(statement: Fragment, extent: Extent | undefined): MaybePromise<readonly Row[]> | undefined {
    if (extent === undefined) return undefined
    this.#thread ??= this.#createThread()
    if (!this.#thread.isAvailable) return undefined
    if (this.#longReads.has(statement.text, extent)) return this.#readOnThread(this.#thread, statement)
    const started = performance.now()
    const rows = this.#file.all(statement)
    this.#longReads.add(statement.text, performance.now() - started)
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
      pragmas: this.#file.pragmas,
      assertSameFile: () => this.#file.assertSame(),
      readHere: (text, values) => this.#file.all({ text, values }),
    })
  }

  async #readOnThread(thread: ReadingThread, { text, values }: Fragment): Promise<readonly Row[]> {
    this.#file.onStatement(text)
    try {
      const { rows, ms } = await thread.read(text, values)
      this.#longReads.add(text, ms)
      return rows
    } catch (error) {
      throw this.#file.failureOf(error)
    }
  }
}
