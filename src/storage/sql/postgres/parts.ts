/** The parts of a PostgreSQL storage, for a storage that wraps one. */
import type { Storage } from '../../../contract/storage.ts'
import type { PostgresClient } from './client.ts'
import type { ReadServer } from './standbys/replica.ts'

interface PostgresParts {
  readonly client: PostgresClient
  /** A storage that reads on another server. */
  readonly storageOn: (server: ReadServer) => Storage
}

const partsOfStorages = new WeakMap<Storage, PostgresParts>()

/** Returns the storage. */
export function withParts(storage: Storage, parts: PostgresParts): Storage {
  partsOfStorages.set(storage, parts)
  return storage
}

/** Throws for a storage that `postgresStorage` has not made. `wrapper` is the function that needs one. */
export function partsOf(storage: Storage, wrapper: string): PostgresParts {
  const parts = partsOfStorages.get(storage)
  if (parts === undefined) throw new TypeError(`${wrapper} takes a storage of postgresStorage`)
  return parts
}
