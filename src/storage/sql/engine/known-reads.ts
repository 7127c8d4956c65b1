/**
 * What a transaction has read and nothing has changed since, so that it need not wait for the server to read it again. It holds the
 * lock for writes: only its own writes change what it has read, and the stores say so here.
 */
import type { Term } from '../../contract.ts'

export class KnownReads {
  /** Whether a slug is taken. */
  slugs = new Map<string, boolean>()
  /** Undefined: there is none. The counts are of when it was read. */
  terms = new Map<number, Term | undefined>()

  /** Leaves the maps to those whose reads are under way: what they add is known no more. */
  clear(): void {
    this.slugs = new Map()
    this.terms = new Map()
  }
}
