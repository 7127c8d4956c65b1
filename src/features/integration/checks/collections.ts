/** Stores the links of records to elsewhere, each with the answer of the other server. */
import type { Collection } from '../../../contract/storage.ts'

export const outsideLinks: Collection = {
  name: 'outside_links',
  fields: {
    post: 'integer',
    url: 'text',
    /** Milliseconds since 1970; 0: not yet. */
    checkedAt: 'integer',
    /** How the other server has answered badly, in words; empty: it has answered well. */
    problem: 'text',
  },
  indexed: ['post', 'url', 'checkedAt'],
  unique: [['post', 'url']],
}

/** The place in the walk over the records, and the lease of the process that works. */
export const linkStateOption = 'outside_links_state'
