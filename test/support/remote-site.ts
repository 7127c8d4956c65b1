/** Calls a site in another process of the system, as `api.call` does in this one. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { ApiError } from '../../src/index.ts'

export interface CallMessage {
  readonly number: number
  readonly method: string
  readonly path: string
  readonly args: object
  readonly options: { readonly as: 'system'; readonly release?: number }
}

export interface CallAnswer {
  readonly number: number
  readonly data?: unknown
  readonly error?: {
    readonly code: string
    readonly message: string
    readonly status: number
    readonly data: Readonly<Record<string, unknown>>
  }
}

export class RemoteSite {
  readonly #child: ChildProcess
  readonly #waiting = new Map<number, PromiseWithResolvers<CallAnswer>>()
  #number = 0

  private constructor(child: ChildProcess) {
    this.#child = child
    child.on('message', (answer: CallAnswer) => this.#waiting.get(answer.number)?.resolve(answer))
    child.once('exit', () => {
      for (const { reject } of this.#waiting.values()) reject(new Error('the process of the site has ended'))
    })
  }

  /** `place` is a SQLite file, or the address of a PostgreSQL with a schema. */
  static async start(place: string, schema = ''): Promise<RemoteSite> {
    const script = fileURLToPath(new URL('site-process.ts', import.meta.url))
    const execArgv = ['--disable-warning=ExperimentalWarning']
    const child = fork(script, [place, schema], { execArgv, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
    const [first] = await Promise.race([once(child, 'message'), once(child, 'exit')])
    if (first !== 'ready') throw new Error('the process of the site did not start')
    return new RemoteSite(child)
  }

  async call<T>(
    method: string,
    path: string,
    args: object,
    options: CallMessage['options'],
  ): Promise<{ readonly data: T }> {
    const number = ++this.#number
    const waiting = Promise.withResolvers<CallAnswer>()
    this.#waiting.set(number, waiting)
    this.#child.send({ number, method, path, args, options } satisfies CallMessage)
    const { data, error } = await waiting.promise
    this.#waiting.delete(number)
    if (error) throw new ApiError(error.code, error.message, error.status, error.data)
    // The cast: the caller says what the route answers, as with `api.call`.
    return { data: data as T }
  }

  async close(): Promise<void> {
    const ended = once(this.#child, 'exit')
    this.#child.send('close')
    await ended
  }
}
