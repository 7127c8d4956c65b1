/** The parts of a SQLite storage, for the storages that wrap one. */
import type { Storage } from '../../../contract/storage.ts'
import type { Statements } from '../engine/statements.ts'
import type { SqliteClient } from './client.ts'

interface SqliteParts {
  readonly client: SqliteClient
  readonly statements: Statements
}

const partsOfStorages = new WeakMap<Storage, SqliteParts>()

/** Returns the storage. */
export function withParts(storage: Storage, parts: SqliteParts): Storage {
  partsOfStorages.set(storage, parts)
  return storage
}

/** Throws for a storage that `sqliteStorage` has not made. `wrapper` is the function that needs one. */
export function partsOf(storage: Storage, wrapper: string): SqliteParts {
  const parts = partsOfStorages.get(storage)
  if (parts === undefined) throw new TypeError(`${wrapper} takes a storage of sqliteStorage`)
  return parts
}
