/** The stores of one session as a storage. */
import type { Storage } from '../contract.ts'
import type { Session } from './engine/session.ts'
import type { Statements } from './engine/statements.ts'
import { postStore } from './posts/posts.ts'
import { metaStore } from './stores/meta.ts'
import { optionStore } from './stores/options.ts'
import { recordStore } from './stores/records.ts'
import { termStore } from './stores/terms.ts'
import { userStore } from './stores/users.ts'

export function storesOn(statements: Statements, session: Session): Storage {
  const fitting = session.answersLater ? failingLater : asIs
  return {
    posts: fitting(postStore(statements, session)),
    terms: fitting(termStore(statements, session)),
    users: fitting(userStore(statements, session)),
    meta: fitting(metaStore(statements, session)),
    options: fitting(optionStore(statements, session)),
    records: fitting(recordStore(statements, session)),
    atomic: (work) => session.atomic((inside) => work(storesOn(statements, inside))),
  }
}

const asIs = <S extends object>(store: S): S => store

/**
 * A store whose methods reject where they would throw. Callers ask several things at once: a throw at the second would
 * leave the first with nobody to hear of its failure.
 */
function failingLater<S extends object>(store: S): S {
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
  // The cast: each method has kept its name.
  return Object.fromEntries(methods) as S
}
