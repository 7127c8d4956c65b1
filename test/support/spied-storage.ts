/** Storages that report every call before it is made: to count calls, inspect their arguments, or make them fail. */
import type { Storage } from '../../src/storage/contract.ts'

export interface StorageCall {
  /** `posts.query`, `atomic`, and `commit` for the end of a transaction. */
  readonly name: string
  readonly args: readonly unknown[]
}

/** Storages that return promises, and so never throw at once. */
const promising = ['postgres', 'memory-deferred']

const stores = ['posts', 'terms', 'users', 'meta', 'options', 'records'] as const

/** An error thrown by `before` is thrown by the call, or rejects it where the storage returns promises. */
export function spied(storage: Storage, before: (context: StorageCall) => void): Storage {
  const wrapped = Object.fromEntries(stores.map((name) => [name, spiedStore(name, storage[name], before)]))
  const { atomic } = storage
  return {
    // The cast: each store was wrapped under its own name.
    ...(wrapped as unknown as Pick<Storage, (typeof stores)[number]>),
    ...(storage.open ? { open: () => storage.open?.() } : {}),
    ...(storage.changes ? { changes: storage.changes.bind(storage) } : {}),
    ...(storage.readChanges ? { readChanges: storage.readChanges.bind(storage) } : {}),
    ...(storage.close ? { close: () => storage.close?.() } : {}),
    ...(atomic
      ? {
          atomic: (work, options) => {
            before({ name: 'atomic', args: [] })
            const inside = (transaction: Storage) => finished(work(spied(transaction, before)), before)
            return atomic.call(storage, inside, options) as never
          },
        }
      : {}),
  }
}

/** An error thrown here is a failed commit: the work is done, and all of it has to be rolled back. */
function finished<T>(result: T | Promise<T>, before: (context: StorageCall) => void): T | Promise<T> {
  const end = (value: T) => {
    before({ name: 'commit', args: [] })
    return value
  }
  return result instanceof Promise ? result.then(end) : end(result)
}

function spiedStore<S extends object>(name: string, store: S, before: (context: StorageCall) => void): S {
  return new Proxy(store, {
    get(target, key) {
      const member: unknown = Reflect.get(target, key)
      if (typeof member !== 'function' || typeof key !== 'string') return member
      return (...args: unknown[]) => {
        try {
          before({ name: `${name}.${key}`, args })
        } catch (error) {
          if (promising.includes(process.env.TEST_STORAGE ?? '')) return Promise.reject(error)
          throw error
        }
        return member.apply(target, args)
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

const writing = /\.(?:insert|update|remove|write|assign|swap)$/

export const isWrite = ({ name }: StorageCall): boolean => writing.test(name)
