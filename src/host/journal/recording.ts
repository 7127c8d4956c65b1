/** The option `record` of an api: its requests run one after the other, and each becomes a line of a file. */

import type { MaybePromise } from '../../contract/storage.ts'
import type { Actor } from '../../core/declare/actor.ts'
import type { Incoming } from '../../core/declare/request.ts'
import type { ResponseData, Result } from '../../core/declare/result.ts'
import { OptionsError } from '../../core/request/option-check.ts'
import { nodeModule } from '../../core/runtime/node-module.ts'
import type { SiteApiOptions } from '../site-options.ts'
import type { Journal, JournaledApi, Recorder } from './journal.ts'
import { createTurns, type Turn, type Turns } from './turns.ts'

/** Throws an OptionsError where the runtime has no files. */
export function journalOf({ record }: Pick<SiteApiOptions, 'record'>): Journal | undefined {
  if (record === undefined) return undefined
  const turns = nodeModule('node:fs') && createTurns()
  if (turns) return new Recording(record, turns)
  throw new OptionsError('createSiteApi', ['The option record writes a file: it needs Node, Bun or Deno.'])
}

class Recording implements Journal {
  readonly runsByItself = true
  readonly #file: string
  readonly #turns: Turns
  #api: JournaledApi | undefined
  #recorder: Promise<Recorder | undefined> | undefined

  constructor(file: string, turns: Turns) {
    this.#file = file
    this.#turns = turns
  }

  bind(api: JournaledApi): void {
    this.#api = api
  }

  clock(given: () => number): () => number {
    return this.#turns.clock(given)
  }

  handle(incoming: Incoming): MaybePromise<ResponseData> {
    return this.#write(
      (recorder) => recorder.handle(incoming),
      ({ pipeline }) => pipeline.handle(incoming),
    )
  }

  call(incoming: Incoming, user: Actor): Promise<Result> {
    return this.#write(
      (recorder) => recorder.call(incoming, user),
      ({ pipeline }) => pipeline.call(incoming, user),
    )
  }

  runDue(run: () => Promise<boolean>): Promise<boolean> {
    return this.#write((recorder) => recorder.runDue(run), run)
  }

  async end(): Promise<void> {
    // A request that closes its api has the turn until it ends: the recording ends without it, as that of a process that is killed.
    if (this.#turns.isWithin) return
    const recorder = await this.#recorder
    await this.#turns.next(async () => recorder?.end())
  }

  /** Requests that a request makes are part of it. */
  async #write<T>(
    record: (recorder: Recorder) => Promise<T>,
    plainly: (api: JournaledApi) => MaybePromise<T>,
  ): Promise<T> {
    const api = this.#api as JournaledApi
    if (this.#turns.isWithin) return plainly(api)
    return this.#turns.next(async () => {
      this.#recorder ??= this.#begin(api)
      const recorder = await this.#recorder
      return recorder ? record(recorder) : plainly(api)
    })
  }

  /** A site whose recording can not begin answers all the same; the next request tries again. */
  async #begin(api: JournaledApi): Promise<Recorder | undefined> {
    try {
      const { beginRecording } = await import('./record.ts')
      return await beginRecording(this.#file, api, (turn: Turn, work) => this.#turns.within(turn, work))
    } catch (error) {
      this.#recorder = undefined
      api.app.log.error('the recording could not begin', { id: 'recording', error })
      return undefined
    }
  }
}
