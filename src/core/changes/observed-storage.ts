/** Wraps a storage, so that its transactions name their changes to observers. Reads outside of transactions pass through. */

import { withMembers } from '../../contract/replaced-members.ts'
import type { AtomicOptions, MaybePromise, RequestStorages, Storage } from '../../contract/storage.ts'
import { retryTransaction } from '../runtime/retry-transaction.ts'
import { recordChanges } from './recorded-storage.ts'
import type { ChangedStore, ChangeObserver, ChangeSet, RecorderOptions, RowChange } from './row-change.ts'

const defaultLimit = 5000

/** The storage itself, if there are no observers. */
export function observedStorage(
  storage: Storage,
  observers: readonly ChangeObserver[],
  postTypes: () => readonly string[],
): Storage {
  if (observers.length === 0) return storage
  const watched = observers.map((observer) => ({ observer, wants: askedOnce(observer.wants.bind(observer)) }))
  const options: RecorderOptions = {
    wants: askedOnce((store, name) => watched.some(({ wants }) => wants(store, name))),
    takesAll: observers.some(({ takesAll }) => takesAll === 'writes'),
    limit: Math.max(...observers.map(limitOf)),
    postTypes,
  }
  return observed(storage, watched, options)
}

interface Watched {
  readonly observer: ChangeObserver
  readonly wants: ChangeObserver['wants']
}

type Method = (...values: unknown[]) => unknown

/** Each observer gets these changes of a transaction. */
type Told = readonly { readonly observer: ChangeObserver; readonly told: ChangeSet }[]

const limitOf = ({ limit = defaultLimit }: ChangeObserver) => limit

function observed(storage: Storage, watched: readonly Watched[], options: RecorderOptions): Storage {
  const atomic = <T>(work: (transaction: Storage) => MaybePromise<T>, how?: AtomicOptions) =>
    observedTransaction(storage, watched, options, work, how)
  const wrapped: Storage = withMembers(storage, (name, member) => {
    if (name === 'atomic') return atomic
    if (name === 'requests') return requestsOf(storage.requests as RequestStorages, watched, options)
    const writes = writesOf(name, options)
    if (!writes) return undefined
    return withMembers(member as object, (method, call) => {
      if (!Object.hasOwn(writes, method)) return undefined
      return (...values: readonly unknown[]) => {
        if (!writes[method as string]?.(values)) return (call as Method).apply(member, [...values])
        const on = (inside: Storage) => {
          // The cast: the store and the method have these names.
          const store = inside[name as 'posts'] as unknown as { readonly [name: PropertyKey]: Method }
          return store[method]?.(...values)
        }
        return storage.atomic ? retryTransaction(wrapped, on) : withoutTransaction(storage, watched, options, on)
      }
    })
  })
  return wrapped
}

async function observedTransaction<T>(
  storage: Storage,
  watched: readonly Watched[],
  options: RecorderOptions,
  work: (transaction: Storage) => MaybePromise<T>,
  how: AtomicOptions | undefined,
): Promise<T> {
  let told: Told = []
  // The cast: only storages with transactions have it.
  const done = await storage.atomic?.(async (transaction) => {
    const { storage: recorded, changes } = recordChanges(transaction, options)
    const result = await work(recorded)
    told = toldOf(changes(), watched)
    for (const one of told) await one.observer.beforeCommit?.(one.told, transaction, how?.author)
    return result
  }, how)
  for (const one of told) one.observer.afterCommit?.(one.told)
  return done as T
}

/** A storage without transactions: each write is observed alone. */
async function withoutTransaction(
  storage: Storage,
  watched: readonly Watched[],
  options: RecorderOptions,
  write: (inside: Storage) => unknown,
): Promise<unknown> {
  const { storage: recorded, changes } = recordChanges(storage, options)
  const result = await write(recorded)
  const told = toldOf(changes(), watched)
  for (const one of told) await one.observer.beforeCommit?.(one.told, storage)
  for (const one of told) one.observer.afterCommit?.(one.told)
  return result
}

function toldOf({ changes, overflow, written }: ChangeSet, watched: readonly Watched[]): Told {
  return watched.flatMap(({ observer, wants }) => {
    const wanted = changes.filter((change) => wants(change.store, nameOf(change)))
    const isTooMuch = overflow || wanted.length > limitOf(observer)
    if (!isTooMuch && wanted.length === 0 && !(observer.takesAll && written.size > 0)) return []
    return [{ observer, told: { changes: isTooMuch ? [] : wanted, overflow: isTooMuch, written } }]
  })
}

function nameOf(change: RowChange): string | undefined {
  if (change.store === 'meta') return change.owner
  if (change.store === 'options') return change.name
  return change.store === 'records' ? change.collection : undefined
}

function askedOnce(wants: ChangeObserver['wants']): ChangeObserver['wants'] {
  const answers = new Map<string, boolean>()
  return (store, name) => {
    const key = `${store} ${name ?? ''}`
    const known = answers.get(key)
    if (known !== undefined) return known
    const answer = wants(store, name)
    answers.set(key, answer)
    return answer
  }
}

/** Storages of single requests only read: their writes are those of the storage itself. */
function requestsOf(requests: RequestStorages, watched: readonly Watched[], options: RecorderOptions) {
  // Requests share the storages of few servers, and each is wrapped once.
  const known = new WeakMap<Storage, Storage>()
  const observedOnce = (storage: Storage) => {
    const wrapped = known.get(storage) ?? observed(storage, watched, options)
    known.set(storage, wrapped)
    return wrapped
  }
  return withMembers(requests, (name, choose) =>
    name === 'choose'
      ? async (sent?: string) => {
          const chosen = await (choose as RequestStorages['choose']).call(requests, sent)
          return { ...chosen, storage: observedOnce(chosen.storage) }
        }
      : undefined,
  )
}

type Writes = { readonly [method: string]: (values: readonly unknown[]) => boolean }

/** The writes of a store, each with a test: whether this call may change rows that an observer wants. Undefined for other members. */
function writesOf(name: PropertyKey, options: RecorderOptions): Writes | undefined {
  const wants: RecorderOptions['wants'] = options.takesAll ? () => true : options.wants
  const always = (...stores: readonly (readonly [ChangedStore, string?])[]) => {
    const isWanted = stores.some(([store, of]) => wants(store, of))
    return () => isWanted
  }
  const ofCollection = ([collection]: readonly unknown[]) => wants('records', (collection as { name: string }).name)
  switch (name) {
    case 'posts':
      return {
        insert: always(['posts']),
        update: always(['posts']),
        remove: always(['posts'], ['meta', 'post'], ['assignments']),
      }
    case 'terms':
      return {
        insert: always(['terms']),
        update: always(['terms'], ['assignments']),
        remove: always(['terms'], ['meta', 'term'], ['assignments']),
        assign: always(['assignments']),
      }
    case 'users':
      return { insert: always(['users']), update: always(['users']), remove: always(['users'], ['meta', 'user']) }
    case 'meta':
      return { write: ([owner]) => wants('meta', String(owner)) }
    case 'options':
      return {
        write: ([values]) => Object.keys(values as object).some((option) => wants('options', option)),
        swap: ([option]) => wants('options', String(option)),
      }
    case 'records':
      return { insert: ofCollection, update: ofCollection, remove: ofCollection }
    default:
      return undefined
  }
}
