/**
 * A storage in the memory of the process: for tests, for trials, and as the readable reference of contract/storage.ts. It
 * is synchronous, except for a write that waits for the end of an `atomic`.
 */
import type { Storage } from '../../contract/storage.ts'
import { checkOptionNames } from '../option-names.ts'
import type { TransactionScope } from '../transaction-stack.ts'
import { metaStore } from './meta.ts'
import { optionStore } from './options.ts'
import { postStore } from './posts.ts'
import { recordStore } from './records.ts'
import { createState, type State } from './state.ts'
import { termStore } from './terms.ts'
import { userStore } from './users.ts'

/**
 * An empty storage in memory, without options. The rows that it returns are frozen.
 *
 * ```ts
 * const api = createSiteApi({ storage: memoryStorage(), profile: d1, url: 'https://example.com' })
 * ```
 */
export function memoryStorage(options: { readonly [option: string]: never } = {}): Storage {
  checkOptionNames('memoryStorage', options, {})
  const state = createState()
  const { transactions } = state
  const readChanges = () => ({ all: transactions.commits, position: transactions.commits })
  return { ...storesOn(state, transactions.root), changes: () => transactions.commits, readChanges }
}

function storesOn(state: State, scope: TransactionScope): Storage {
  const access = state.transactions.access(scope)
  return {
    posts: postStore(state, access),
    terms: termStore(state, access),
    users: userStore(state, access),
    meta: metaStore(state, access),
    options: optionStore(state, access),
    records: recordStore(state, access),
    keepsIds: true,
    now: Date.now,
    ...(scope.depth > 0 && { position: () => state.transactions.commits + 1 }),
    atomic: (work) => state.transactions.atomic(scope, (child) => work(storesOn(state, child))),
  }
}
