/** Creates a storage whose stores run on one session. */
import { all, andThen } from '../../contract/maybe-promise.ts'
import type { MaybePromise, Prefetch, Storage } from '../../contract/storage.ts'
import type { Session } from './engine/session.ts'
import type { Statements } from './engine/statements.ts'
import { postStore } from './posts/posts.ts'
import { metaStore } from './stores/meta.ts'
import { optionStore } from './stores/options.ts'
import { recordStore } from './stores/records.ts'
import { termStore } from './stores/terms.ts'
import { userStore } from './stores/users.ts'

export function storesOn(statements: Statements, session: Session): Storage {
  const adapt = session.isAsync || session.mayWait ? rejecting : unchanged
  const stores = { posts: adapt(postStore(statements, session)), terms: adapt(termStore(statements, session)) }
  return {
    ...stores,
    users: adapt(userStore(statements, session)),
    meta: adapt(metaStore(statements, session)),
    options: adapt(optionStore(statements, session)),
    records: adapt(recordStore(statements, session)),
    keepsIds: true,
    ...(session.ahead && { prefetch: (reads: Prefetch) => prefetch(stores, reads) }),
    atomic: (work, options) => session.atomic((transaction) => work(storesOn(statements, transaction)), options),
  }
}

/** The stores of a transaction on a server keep what they read in `KnownReads`. */
function prefetch(
  { posts, terms }: Pick<Storage, 'posts' | 'terms'>,
  { slugs = [], terms: ids = [] }: Prefetch,
): MaybePromise<void> {
  const places = Map.groupBy(slugs, ({ type, parent }) => JSON.stringify([type, parent]))
  const asked = [...places.values()].flatMap((place) => {
    const [first] = place
    return first ? [posts.takenSlugs(first.type, [...new Set(place.map(({ slug }) => slug))], first.parent)] : []
  })
  const query = { ids: [...new Set(ids)], counts: false, order: { by: 'id', descending: false }, offset: 0 } as const
  const read = ids.length === 0 ? [] : [terms.query({ ...query, limit: ids.length })]
  return andThen(all([...asked, ...read]), () => undefined)
}

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
