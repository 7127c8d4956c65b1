/** Collections of every site, whatever its features. */
import type { Collection } from './contract.ts'

/** Requests with an `Idempotency-Key`, and their results. */
export const writtenRequests: Collection = {
  name: 'written_requests',
  fields: { key: 'text', fingerprint: 'text', result: 'json', written: 'integer' },
  indexed: ['written'],
  unique: [['key']],
}

/** Attempts at passwords, as buckets of tokens: all processes of a site count together. */
export const signInAttempts: Collection = {
  name: 'sign_in_attempts',
  fields: { key: 'text', tokens: 'number', at: 'integer' },
  indexed: ['at'],
  unique: [['key']],
}
