/**
 * Storages that report every call before it is made: to count calls, inspect their arguments, make them fail, or let another
 * process write in between.
 */
import type { Collection, MaybePromise, Storage } from '../../src/contract/storage.ts'
import { touchedTags } from '../../src/core/tags/touched-tags.ts'

export interface StorageCall {
  /** `posts.query`, `atomic`, and `commit` for the end of a transaction. */
  readonly name: string
  readonly args: readonly unknown[]
}

/** Storages that return promises, and so never throw at once. */
const promising = ['postgres', 'memory-deferred']

const stores = ['posts', 'terms', 'users', 'meta', 'options', 'records'] as const

/** `inside`: the storage or the transaction of the call, whose own calls are not reported. The call of a store waits for what it returns. */
type Before = (call: StorageCall, inside: Storage) => MaybePromise<void>

/** An error thrown by `before` is thrown by the call, or rejects it where the storage returns promises. */
export function spied(storage: Storage, before: Before): Storage {
  const report = (call: StorageCall) => before(call, storage)
  const wrapped = Object.fromEntries(stores.map((name) => [name, spiedStore(name, storage[name], report)]))
  const { atomic } = storage
  return {
    // The cast: each store was wrapped under its own name.
    ...(wrapped as unknown as Pick<Storage, (typeof stores)[number]>),
    ...(storage.open ? { open: () => storage.open?.() } : {}),
    ...(storage.changes ? { changes: storage.changes.bind(storage) } : {}),
    ...(storage.readChanges ? { readChanges: storage.readChanges.bind(storage) } : {}),
    ...(storage.position ? { position: storage.position.bind(storage) } : {}),
    ...(storage.keepsIds ? { keepsIds: true } : {}),
    ...(storage.close ? { close: () => storage.close?.() } : {}),
    ...(atomic
      ? {
          atomic: (work, options) => {
            report({ name: 'atomic', args: [] })
            const inside = (transaction: Storage) => finished(work(spied(transaction, before)), report)
            return atomic.call(storage, inside, options) as never
          },
        }
      : {}),
  }
}

/** An error thrown here is a failed commit: the work is done, and all of it has to be rolled back. */
function finished<T>(result: T | Promise<T>, report: (call: StorageCall) => unknown): T | Promise<T> {
  const end = (value: T) => {
    report({ name: 'commit', args: [] })
    return value
  }
  return result instanceof Promise ? result.then(end) : end(result)
}

function spiedStore<S extends object>(name: string, store: S, report: (call: StorageCall) => MaybePromise<void>): S {
  return new Proxy(store, {
    get(target, key) {
      const member: unknown = Reflect.get(target, key)
      if (typeof member !== 'function' || typeof key !== 'string') return member
      return (...args: unknown[]) => {
        let reported: MaybePromise<void>
        try {
          reported = report({ name: `${name}.${key}`, args })
        } catch (error) {
          if (promising.includes(process.env.TEST_STORAGE ?? '')) return Promise.reject(error)
          throw error
        }
        return reported instanceof Promise
          ? reported.then(() => member.apply(target, args))
          : member.apply(target, args)
      }
    },
  })
}

/** The same storage, but every method returns a promise, as over a network. */
export function deferred(storage: Storage): Storage {
  const promising = (store: object) =>
    new Proxy(store, {
      get(target, key) {
        const member: unknown = Reflect.get(target, key)
        if (typeof member !== 'function') return member
        return async (...args: unknown[]) => member.apply(target, args)
      },
    })
  const wrapped = Object.fromEntries(stores.map((name) => [name, promising(storage[name])]))
  const { atomic } = storage
  return {
    // The cast: each store was wrapped under its own name.
    ...(wrapped as unknown as Pick<Storage, (typeof stores)[number]>),
    open: async () => storage.open?.(),
    close: async () => storage.close?.(),
    ...(atomic
      ? {
          atomic: async (work, options) =>
            atomic.call(storage, (transaction) => work(deferred(transaction)), options) as never,
        }
      : {}),
  }
}

/** Records all calls in order, in a list that a test may empty. */
export function recorded(): { readonly calls: StorageCall[]; readonly wrap: (storage: Storage) => Storage } {
  const calls: StorageCall[] = []
  return { calls, wrap: (storage) => spied(storage, (context) => void calls.push(context)) }
}

/** Each transaction keeps its tags in a row. */
export const keepsTags = ({ name, args: [collection] }: StorageCall): boolean =>
  name.startsWith('records.') && (collection as Collection).name === touchedTags.name

const writing = /\.(?:insert|update|remove|write|assign|swap)$/

export const isWrite = ({ name }: StorageCall): boolean => writing.test(name)
