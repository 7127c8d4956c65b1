/** Records the writes of one transaction: what the stores of `recorded-*.ts` share. */

import { andThen } from '../../contract/maybe-promise.ts'
import type { MaybePromise, Storage } from '../../contract/storage.ts'
import type { ChangeLog } from './change-log.ts'
import type { RecorderOptions } from './row-change.ts'

/** The rows before a write, by key. */
export type Rows = ReadonlyMap<string, unknown>

export class Recorder {
  /** The storage that is written. */
  readonly storage: Storage
  readonly options: RecorderOptions
  readonly log: ChangeLog
  /** The writes whose rows are being read. */
  #reading: Promise<unknown> | undefined

  constructor(storage: Storage, options: RecorderOptions, log: ChangeLog) {
    this.storage = storage
    this.options = options
    this.log = log
  }

  /**
   * Reads what `before` asks for, writes, and notes the result. Writes begin in the order of their calls, also those that have
   * nothing to read.
   */
  async write<B, T>(
    before: () => MaybePromise<B>,
    write: (before: B) => MaybePromise<T>,
    note: (before: B, written: T) => MaybePromise<void>,
    collection = '',
  ): Promise<T> {
    const earlier = this.#reading
    const reading = earlier ? earlier.then(before) : before()
    const written = reading instanceof Promise ? this.#afterReading(reading, write) : { result: write(reading) }
    const { result } = await written
    const done = await result
    if (hasEffect(done)) this.log.noteWrite(collection)
    await note(await reading, done)
    return done
  }

  /** Writes rows that no observer wants. */
  pass<T>(write: () => MaybePromise<T>, collection = ''): MaybePromise<T> {
    return andThen(write(), (done) => {
      if (hasEffect(done)) this.log.noteWrite(collection)
      return done
    })
  }

  #afterReading<B, T>(reading: Promise<B>, write: (before: B) => MaybePromise<T>) {
    // An object, because the next write waits for the beginning of this one only.
    const written = reading.then((before) => ({ result: write(before) }))
    const settled = written.then(
      () => undefined,
      () => undefined,
    )
    this.#reading = settled
    void settled.then(() => {
      if (this.#reading === settled) this.#reading = undefined
    })
    return written
  }

  /** The rows with these keys: those that are known, and those that `read` finds. */
  async known<K>(
    wanted: readonly K[],
    keyOf: (one: K) => string,
    read: (missing: readonly K[]) => MaybePromise<readonly (readonly [string, unknown])[]>,
  ): Promise<Rows> {
    const rows = new Map<string, unknown>()
    const missing: K[] = []
    for (const one of new Set(wanted)) {
      const found = this.log.find(keyOf(one))
      if (found) rows.set(keyOf(one), found.value)
      else missing.push(one)
    }
    if (missing.length > 0) for (const [key, value] of await read(missing)) rows.set(key, value)
    return rows
  }
}

/** Writes tell the ids, or the number, of the rows that they have changed. */
function hasEffect(done: unknown): boolean {
  if (Array.isArray(done)) return done.some((one) => hasEffect(one))
  return done !== false && done !== 0
}

/** The values that are there: a member that is undefined counts as absent. */
export const definedIn = <T extends object>(values: T): T => {
  const entries = Object.entries(values)
  // The cast: only members without a value are left out.
  return entries.some(([, value]) => value === undefined)
    ? (Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as T)
    : values
}

/** Lists of updates in which each row comes once, which together have their order. */
export function rounds<U extends { readonly id: number }>(updates: readonly U[]): readonly (readonly U[])[] {
  const lists: U[][] = [[]]
  let ids = new Set<number>()
  for (const update of updates) {
    if (ids.has(update.id)) {
      lists.push([])
      ids = new Set()
    }
    ids.add(update.id)
    lists.at(-1)?.push(update)
  }
  return lists
}
