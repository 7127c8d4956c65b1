/**
 * A thread with its own connection for reads, so that a long one does not hold up the event loop. It runs one statement after
 * the other; those that wait, wait here. Their results are handed out one in each turn of the event loop: what becomes of a
 * result may take long too, and requests that need no thread go in between. The worker starts with the first read, keeps the
 * process alive only while a read waits, ends after a minute without one, and is replaced when it dies.
 */
import { existsSync } from 'node:fs'
import type { Worker } from 'node:worker_threads'
import { StorageUnavailable } from '../../../../contract/storage.ts'
import type { Row, SqlValue } from '../../engine/fragments.ts'
import type { ReadingWorkerData, WorkerAnswer } from './reading-worker.ts'

interface ReadingThreadOptions {
  readonly file: string
  /** Run on each new connection. */
  readonly pragmas: readonly string[]
  /** Throws once another file has the name of the one that was opened. */
  readonly assertSameFile: () => void
  /** Reads on the calling thread, where no thread can be started. */
  readonly readHere: (sql: string, parameters: readonly SqlValue[]) => readonly Row[]
}

interface ThreadResult {
  readonly rows: readonly Row[]
  /** How long the statement ran. */
  readonly ms: number
}

interface Read {
  readonly sql: string
  readonly parameters: readonly SqlValue[]
  readonly resolve: (result: ThreadResult) => void
  readonly reject: (error: unknown) => void
}

/** A worker that has had nothing to do for so long ends, and frees its memory. */
const idleMs = 60_000

/** With the next read at hand, the worker does not wait until the process has received a result. */
const maxRunning = 2

export class ReadingThread {
  readonly #options: ReadingThreadOptions
  readonly #waiting: Read[] = []
  /** Settle the reads that have ended. */
  readonly #results: (() => void)[] = []
  #worker: Worker | undefined
  /** The requests of the worker, in the order in which it answers. */
  readonly #running: Read[] = []
  /** Whether this worker has answered a read, from the file that was opened. */
  #hasAnswered = false
  #isAvailable = true
  /** True: the worker was asked to end and has not ended yet. */
  #isEnding = false
  #idleTimer: NodeJS.Timeout | undefined
  #onIdle: (() => void) | undefined

  constructor(options: ReadingThreadOptions) {
    this.#options = options
  }

  /** False where no thread can be started, and when it is closed. */
  get isAvailable(): boolean {
    return this.#isAvailable
  }

  get isBusy(): boolean {
    return this.#running.length + this.#waiting.length + this.#results.length > 0
  }

  read(sql: string, parameters: readonly SqlValue[]): Promise<ThreadResult> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ sql, parameters, resolve, reject })
      this.#runNext()
    })
  }

  /** Waits for the reads that have begun, and for the end of the worker's connection. */
  close(): Promise<void> | undefined {
    this.#isAvailable = false
    return this.#worker === undefined ? undefined : this.#close()
  }

  async #close(): Promise<void> {
    if (this.#running.length > 0 || this.#waiting.length > 0) {
      await new Promise<void>((resolve) => {
        this.#onIdle = resolve
      })
    }
    const worker = this.#worker
    if (worker === undefined) return
    clearTimeout(this.#idleTimer)
    await new Promise((resolve) => {
      worker.once('exit', resolve)
      worker.ref()
      worker.postMessage(undefined)
    })
  }

  #runNext(): void {
    if (this.#isEnding) {
      this.#worker?.ref()
      return
    }
    while (this.#running.length < maxRunning) {
      const read = this.#waiting.shift()
      if (read === undefined) break
      this.#run(read)
    }
    if (this.#running.length > 0) return
    this.#worker?.unref()
    this.#onIdle?.()
    this.#endWhenIdle()
  }

  #endWhenIdle(): void {
    if (this.#worker === undefined) return
    if (this.#idleTimer === undefined) this.#idleTimer = setTimeout(this.#endIdle, idleMs).unref()
    else this.#idleTimer.refresh()
  }

  /** Reads that begin before the worker has ended wait for it, and start another. */
  readonly #endIdle = (): void => {
    if (this.#worker === undefined || this.#running.length > 0) return
    this.#isEnding = true
    this.#worker.postMessage(undefined)
  }

  #run(read: Read): void {
    try {
      if (!this.#hasAnswered) this.#options.assertSameFile()
    } catch (error) {
      this.#end(() => read.reject(error))
      return
    }
    this.#running.push(read)
    this.#worker ??= this.#start()
    this.#worker?.ref()
    this.#worker?.postMessage({ sql: read.sql, parameters: read.parameters })
    if (this.#worker === undefined) this.#giveUp()
  }

  #start(): Worker | undefined {
    const { file, pragmas } = this.#options
    // Its workers are not tested.
    if ('Deno' in globalThis) return undefined
    try {
      const { Worker } = process.getBuiltinModule('node:worker_threads')
      const workerData: ReadingWorkerData = { file, pragmas }
      const worker = new Worker(workerFile(), { workerData, execArgv: [], env: {} })
      worker.on('message', (answer: WorkerAnswer) => this.#receive(answer))
      // Without a listener the error would end the process; the exit follows it.
      worker.on('error', () => undefined)
      worker.on('exit', () => this.#loseWorker())
      return worker
    } catch {
      // For example because the process may not start threads.
      return undefined
    }
  }

  #receive(answer: WorkerAnswer): void {
    const read = this.#running.shift()
    if (read === undefined) return
    try {
      // The worker has opened a name, which may have got another file meanwhile.
      if (!this.#hasAnswered) this.#options.assertSameFile()
      this.#hasAnswered = true
      if ('error' in answer) throw Object.assign(new Error(), answer.error)
      this.#end(() => read.resolve(answer))
    } catch (error) {
      this.#end(() => read.reject(error))
    }
    this.#runNext()
  }

  #end(settle: () => void): void {
    if (this.#results.push(settle) === 1) setImmediate(this.#settleOne)
  }

  readonly #settleOne = (): void => {
    this.#results.shift()?.()
    if (this.#results.length > 0) setImmediate(this.#settleOne)
  }

  #loseWorker(): void {
    const hasAnswered = this.#hasAnswered
    this.#worker = undefined
    this.#hasAnswered = false
    this.#isEnding = false
    if (!hasAnswered && this.#running.length > 0) this.#giveUp()
    for (const read of this.#running.splice(0)) this.#end(() => read.reject(lostThread()))
    this.#runNext()
  }

  /** A worker that ends before its first answer would do so again. */
  #giveUp(): void {
    this.#isAvailable = false
    for (const read of [...this.#running.splice(0), ...this.#waiting.splice(0)]) this.#readHere(read)
  }

  #readHere({ sql, parameters, resolve, reject }: Read): void {
    try {
      resolve({ rows: this.#options.readHere(sql, parameters), ms: 0 })
    } catch (error) {
      reject(error)
    }
  }
}

const lostThread = () =>
  new StorageUnavailable('the thread that read from the SQLite file has ended; the next read starts another', {
    written: 'no',
  })

/** The source, or the built file: beside the entry of the package or above it. A program bundled without it reads in the process. */
function workerFile(): URL {
  const places = ['./reading-worker.ts', './reading-worker.js', '../reading-worker.js']
  const found = places.map((place) => new URL(place, import.meta.url)).find((url) => existsSync(url))
  if (found === undefined) throw new Error('the file of the reading thread is missing')
  return found
}
