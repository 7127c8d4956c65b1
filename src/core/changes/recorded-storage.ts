/** Records the writes through a storage inside a transaction. */

import { withMembers } from '../../contract/replaced-members.ts'
import type { Storage } from '../../contract/storage.ts'
import { ChangeLog } from './change-log.ts'
import { recordedMeta } from './recorded-meta.ts'
import { recordedOptions } from './recorded-options.ts'
import { recordedRecords } from './recorded-records.ts'
import { recordedPosts, recordedUsers } from './recorded-rows.ts'
import { recordedTerms } from './recorded-terms.ts'
import { Recorder } from './recorder.ts'
import type { ChangeSet, RecorderOptions } from './row-change.ts'

interface Recording {
  /** The transaction, whose writes are recorded. */
  readonly storage: Storage
  /** The changes up to now. */
  readonly changes: () => ChangeSet
}

export function recordChanges(transaction: Storage, options: RecorderOptions): Recording {
  const log = new ChangeLog(options.limit)
  return { storage: recordedStorage(transaction, options, log), changes: () => log.set() }
}

const storeMakers: { readonly [name: PropertyKey]: (recorder: Recorder) => object } = {
  posts: recordedPosts,
  terms: recordedTerms,
  users: recordedUsers,
  meta: recordedMeta,
  options: recordedOptions,
  records: recordedRecords,
}

function recordedStorage(storage: Storage, options: RecorderOptions, log: ChangeLog): Storage {
  const recorder = new Recorder(storage, options, log)
  return withMembers(storage, (name, member) => {
    if (name === 'atomic') return atomicOf(storage, options, log)
    if (!Object.hasOwn(storeMakers, name)) return undefined
    // The cast: it replaces members of the store by such of the same type.
    const replaced = storeMakers[name]?.(recorder) as { readonly [method: PropertyKey]: unknown }
    return withMembers(member as object, (method) => (Object.hasOwn(replaced, method) ? replaced[method] : undefined))
  })
}

const atomicOf =
  (storage: Storage, options: RecorderOptions, log: ChangeLog): Storage['atomic'] =>
  async (work, how) => {
    const savepoint = log.savepoint()
    // The cast: it is only called on storages that have it.
    const done = await storage.atomic?.((inside) => work(recordedStorage(inside, options, savepoint)), how)
    savepoint.release()
    return done as Awaited<ReturnType<typeof work>>
  }
