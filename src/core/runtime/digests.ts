/** The primitives below `crypto.ts`: those of `node:crypto`, which Node, Bun, Deno and workerd have. */
import { type Digests, nodeDigests } from './node-digests.ts'

let known: Digests | undefined

/** Throws on a runtime without `node:crypto`. */
export function digests(): Digests {
  known ??= nodeDigests()
  if (known === undefined) throw new Error('this runtime has no node:crypto')
  return known
}
