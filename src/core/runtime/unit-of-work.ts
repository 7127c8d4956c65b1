/**
 * Notes the commits of one request, or of one call of the host. A storage knows the outcome of one transaction; a unit of work may have
 * several, and reads after the last. So each storage failure that leaves a unit says whether any of its commits may be stored.
 */

import { withMembers } from '../../contract/replaced-members.ts'
import { type MaybePromise, type Storage, StorageUnavailable } from '../../contract/storage.ts'

interface StorageFailure {
  readonly code: 'storage_unavailable' | 'storage_newer' | 'storage_rerun'
  readonly written?: 'no' | 'perhaps'
}

const codes: ReadonlySet<unknown> = new Set(['storage_unavailable', 'storage_newer', 'storage_rerun'])

/** Recognised by code, as all errors of storages are. */
export const isStorageFailure = (error: unknown): error is StorageFailure =>
  codes.has((error as { code?: unknown } | undefined)?.code)

/** Only a storage that says so has written nothing; with the other codes it always has. */
export const mayBeWritten = (error: unknown): boolean =>
  isStorageFailure(error) && (error.written ?? (error.code === 'storage_unavailable' ? 'perhaps' : 'no')) === 'perhaps'

/** Runs `work` on the storage, and notes its commits. */
export async function inUnitOfWork<T>(storage: Storage, work: (storage: Storage) => MaybePromise<T>): Promise<T> {
  const unit = new UnitOfWork()
  try {
    return await work(unit.on(storage))
  } catch (error) {
    throw unit.failureOf(error)
  }
}

/** Each call of a function that `create` makes is a unit of work. */
export function asUnitsOfWork<M extends { readonly [K in keyof M]: (...values: never[]) => Promise<unknown> }>(
  storage: Storage,
  create: (storage: Storage) => M,
): M {
  const names = Object.keys(create(storage)) as (keyof M)[]
  const entries = names.map((name) => [
    name,
    (...values: never[]) => inUnitOfWork(storage, (inside) => create(inside)[name](...values)),
  ])
  // The cast: the names and signatures are those of `create`.
  return Object.fromEntries(entries) as M
}

/** Takes rows that no client has asked for, such as the claim of a key: their commits do not count. */
export const outsideUnit = (storage: Storage): Storage => storagesOfUnits.get(storage) ?? storage

/** A failure before the work of a unit, such as that of the sign-in: nothing that was asked for is written. */
export const beforeUnit = (error: unknown): unknown => (mayBeWritten(error) ? failure(error, 'no') : error)

/** Maps the storage that the work of a unit receives to the one that it wraps. */
const storagesOfUnits = new WeakMap<Storage, Storage>()

const stores: ReadonlySet<PropertyKey> = new Set(['posts', 'terms', 'users', 'meta', 'options', 'records'])
const writes: ReadonlySet<PropertyKey> = new Set(['insert', 'update', 'remove', 'assign', 'write', 'swap'])

type Method = (...values: unknown[]) => unknown

class UnitOfWork {
  #mayHaveWritten = false
  #running = 0

  on(storage: Storage): Storage {
    const tracked = withMembers(storage, (name, member) => {
      if (name === 'atomic')
        return (...values: unknown[]) => this.#track(() => (member as Method).apply(storage, values), isCommitted)
      if (!stores.has(name)) return undefined
      const store: object = member
      return withMembers(store, (method, call) => this.#tracked(store, method, call as Method))
    })
    storagesOfUnits.set(tracked, outsideUnit(storage))
    return tracked
  }

  failureOf(error: unknown): unknown {
    // Calls beside the failed one may still be committed.
    const isUnknown = this.#mayHaveWritten || this.#running > 0
    return isUnknown && isStorageFailure(error) && !mayBeWritten(error) ? failure(error, 'perhaps') : error
  }

  #tracked(store: object, name: PropertyKey, call: Method): Method | undefined {
    if (!writes.has(name)) return undefined
    return (...values) => this.#track(() => call.apply(store, values), hasChanged)
  }

  async #track(write: () => unknown, hasWritten: (result: unknown) => boolean): Promise<unknown> {
    this.#running++
    try {
      const result = await write()
      if (hasWritten(result)) this.#mayHaveWritten = true
      return result
    } catch (error) {
      if (mayBeWritten(error)) this.#mayHaveWritten = true
      throw error
    } finally {
      this.#running--
    }
  }
}

const isCommitted = () => true

/** An update that met no row and a swap that found another value write nothing. */
const hasChanged = (result: unknown) =>
  result !== false && result !== 0 && !(Array.isArray(result) && result.length === 0)

const failure = (cause: unknown, written: 'no' | 'perhaps') =>
  new StorageUnavailable(cause instanceof Error ? cause.message : 'the storage failed', { written, cause })
