/**
 * A storage that lives as long as its process: for tests, for trying things out, and as the readable reference of what
 * storage/contract.ts asks for. It answers at once, except where a write has to wait for the end of an `atomic`.
 */
import type { Storage } from '../contract.ts'
import { metaStore } from './meta.ts'
import { optionStore } from './options.ts'
import { postStore } from './posts.ts'
import { recordStore } from './records.ts'
import { createState, type State } from './state.ts'
import { termStore } from './terms.ts'
import type { Frame } from './transactions.ts'
import { userStore } from './users.ts'

/**
 * An empty storage in memory. What it hands out is frozen.
 *
 * ```ts
 * const api = createSiteApi({ storage: memoryStorage(), profile: d1, url: 'https://example.com' })
 * ```
 */
export function memoryStorage(): Storage {
  const state = createState()
  return { ...storesOn(state, state.transactions.root), changes: () => state.transactions.commits }
}

function storesOn(state: State, frame: Frame): Storage {
  const access = state.transactions.access(frame)
  return {
    posts: postStore(state, access),
    terms: termStore(state, access),
    users: userStore(state, access),
    meta: metaStore(state, access),
    options: optionStore(state, access),
    records: recordStore(state, access),
    atomic: (work) => state.transactions.atomic(frame, (inside) => work(storesOn(state, inside))),
  }
}
