/** The collection in which requests with an `Idempotency-Key` keep their results; each site has it, whatever its features. */
import type { Collection } from './contract.ts'

export const writtenRequests: Collection = {
  name: 'written_requests',
  fields: { key: 'text', fingerprint: 'text', result: 'json', written: 'integer' },
  indexed: ['written'],
  unique: [['key']],
}
