/**
 * What a transaction has read and nothing has changed since, so that it need not wait for the server to read it again. It holds the
 * lock for writes: only its own writes change what it has read, and the stores say so here.
 */
import type { Term } from '../../../contract/storage.ts'

export class KnownReads {
  /** The ids of rows. */
  posts = new Set<number>()
  /** Whether a slug is taken. */
  slugs = new Map<string, boolean>()
  /** Undefined: there is none. The counts are of when it was read. */
  terms = new Map<number, Term | undefined>()

  /** Posts that the transaction has inserted, and the taxonomies in which it has given them terms. */
  newPosts = new Map<number, Set<string>>()

  /** Like `clear`, of the slugs alone. */
  forgetSlugs(): void {
    this.slugs = new Map()
  }

  /** Replaces the maps: a read that is under way adds its answer to the old ones, which nobody asks. */
  clear(): void {
    this.posts = new Set()
    this.forgetSlugs()
    this.terms = new Map()
    this.newPosts = new Map()
  }
}
