/** A storage that tells of every call before it is made: for counting, for looking at what is handed down, for failing at will. */
import type { Storage } from '../../src/storage/contract.ts'

export interface StorageCall {
  /** `posts.query`, `atomic`, and `commit` for the end of one. */
  readonly name: string
  readonly args: readonly unknown[]
}

const stores = ['posts', 'terms', 'users', 'meta', 'options', 'records'] as const

/** What `before` throws is thrown by the call itself, or rejected where the storage answers with promises. */
export function spied(storage: Storage, before: (context: StorageCall) => void): Storage {
  const wrapped = Object.fromEntries(stores.map((name) => [name, spiedStore(name, storage[name], before)]))
  const { atomic } = storage
  return {
    // The cast: each store was wrapped under its own name.
    ...(wrapped as unknown as Pick<Storage, (typeof stores)[number]>),
    ...(storage.open ? { open: () => storage.open?.() } : {}),
    ...(storage.changes ? { changes: storage.changes.bind(storage) } : {}),
    ...(storage.close ? { close: () => storage.close?.() } : {}),
    ...(atomic
      ? {
          atomic: (work) => {
            before({ name: 'atomic', args: [] })
            return atomic.call(storage, (inside) => finished(work(spied(inside, before)), before)) as never
          },
        }
      : {}),
  }
}

/** A failure here is one of the commit: all the work was done, and nothing of it may stay. */
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
          if (process.env.TEST_STORAGE === 'postgres') return Promise.reject(error)
          throw error
        }
        return member.apply(target, args)
      }
    },
  })
}

/** The same storage, but every method answers with a promise: as one across a network does. */
export function deferred(storage: Storage): Storage {
  const later = (store: object) =>
    new Proxy(store, {
      get(target, key) {
        const member: unknown = Reflect.get(target, key)
        if (typeof member !== 'function') return member
        return async (...args: unknown[]) => member.apply(target, args)
      },
    })
  const wrapped = Object.fromEntries(stores.map((name) => [name, later(storage[name])]))
  const { atomic } = storage
  return {
    // The cast: each store was wrapped under its own name.
    ...(wrapped as unknown as Pick<Storage, (typeof stores)[number]>),
    open: async () => storage.open?.(),
    close: async () => storage.close?.(),
    ...(atomic ? { atomic: async (work) => atomic.call(storage, (inside) => work(deferred(inside))) as never } : {}),
  }
}

/** All calls in order, as a list that a test may empty. */
export function recorded(): { readonly calls: StorageCall[]; readonly wrap: (storage: Storage) => Storage } {
  const calls: StorageCall[] = []
  return { calls, wrap: (storage) => spied(storage, (context) => void calls.push(context)) }
}

const writing = /\.(?:insert|update|remove|write|assign|swap)$/

export const isWrite = ({ name }: StorageCall): boolean => writing.test(name)
