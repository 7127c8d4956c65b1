/** Creates a storage whose stores run on one session. */
import { andThen } from '../../contract/maybe-promise.ts'
import type { MaybePromise, Storage } from '../../contract/storage.ts'
import type { SqlClient } from './engine/client.ts'
import { raw } from './engine/fragments.ts'
import type { Session } from './engine/session.ts'
import type { SqlSession } from './engine/sql-session.ts'
import { postStore } from './posts/posts.ts'
import { metaStore } from './stores/meta.ts'
import { optionStore } from './stores/options.ts'
import { recordStore } from './stores/records.ts'
import { termStore } from './stores/terms.ts'
import { userStore } from './stores/users.ts'

/** The storage of a database: `client` orders what its stores ask `session` for. */
export function storageOn(client: SqlClient, session: SqlSession): Storage {
  return {
    ...storesOn(client.session()),
    atomic: (work, options) => client.atomic((transaction) => work(storesOn(transaction)), options),
    open: () => session.open?.(),
    ...(session.changes && { changes: () => session.changes?.() ?? 0 }),
    // The cast: it is there.
    ...(session.readChanges && {
      readChanges: () => session.readChanges?.() as ReturnType<NonNullable<Storage['readChanges']>>,
    }),
    close: () => client.close(),
  }
}

export function storesOn(session: Session): Storage {
  const adapt = session.isAsync || session.mayWait ? rejecting : unchanged
  return {
    posts: adapt(postStore(session)),
    terms: adapt(termStore(session)),
    users: adapt(userStore(session)),
    meta: adapt(metaStore(session)),
    options: adapt(optionStore(session)),
    records: adapt(recordStore(session)),
    keepsIds: true,
    ...(session.position && { position: session.position }),
    ...(session.isAsync && { isRemote: true as const }),
    now: () => timeOf(session),
    atomic: (work, options) => session.atomic((transaction) => work(storesOn(transaction)), options),
  }
}

const timeOf = (session: Session): MaybePromise<number> =>
  andThen(session.all(raw(`select ${session.dialect.milliseconds}`)), ([row]) => Number(row?.[0]))

const unchanged = <S extends object>(store: S): S => store

/**
 * The store with methods that reject where they would throw. Callers start several calls at once: if the second call threw,
 * the rejection of the first would be unhandled.
 */
function rejecting<S extends object>(store: S): S {
  const methods = Object.entries(store).map(([name, method]: [string, (...values: unknown[]) => unknown]) => [
    name,
    (...values: unknown[]) => {
      try {
        return method(...values)
      } catch (error) {
        return Promise.reject(error)
      }
    },
  ])
  // The cast: the names and signatures are those of the store.
  return Object.fromEntries(methods) as S
}
