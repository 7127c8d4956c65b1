/**
 * Loads the primitives below `crypto.ts`: those of `node:crypto`, which Node, Bun, Deno and workerd have, or those in plain
 * JavaScript for edge runtimes without it. Both are synchronous, unlike Web Crypto: a digest is part of every signed-in
 * request and every entity tag.
 */
import type { MaybePromise } from '../../contract/storage.ts'
import { type Digests, nodeDigests } from './node-digests.ts'

let known: Digests | undefined

/** Throws before `prepareDigests` on a runtime without `node:crypto`. */
export function digests(): Digests {
  known ??= nodeDigests()
  if (known === undefined) throw new Error('the digests of this runtime are not loaded: use the api, which loads them')
  return known
}

/** Loads the implementation for runtimes without `node:crypto`; returns at once on all others. */
export function prepareDigests(): MaybePromise<void> {
  known ??= nodeDigests()
  if (known !== undefined) return undefined
  return import('./web-digests.ts').then(({ webDigests }) => {
    known = webDigests
  })
}
