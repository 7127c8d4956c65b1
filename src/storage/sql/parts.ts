/** Remembers the parts of each storage, for the storages that wrap one. */
import type { Storage } from '../../contract/storage.ts'
import type { PostgresClient } from './postgres/client.ts'
import type { ReadServer } from './postgres/standbys/replica.ts'
import type { SqliteClient } from './sqlite/client.ts'

interface PostgresParts {
  readonly client: PostgresClient
  /** A storage that reads on another server. */
  readonly storageOn: (server: ReadServer) => Storage
}

class PartsOf<Parts> {
  readonly #maker: string
  readonly #parts = new WeakMap<Storage, Parts>()

  constructor(maker: string) {
    this.#maker = maker
  }

  /** Returns the storage. */
  add(storage: Storage, parts: Parts): Storage {
    this.#parts.set(storage, parts)
    return storage
  }

  /** Throws for a storage of another function. `wrapper` is the function that needs the parts. */
  of(storage: Storage, wrapper: string): Parts {
    const parts = this.#parts.get(storage)
    if (parts === undefined) throw new TypeError(`${wrapper} takes a storage of ${this.#maker}`)
    return parts
  }
}

export const sqliteClients = new PartsOf<SqliteClient>('sqliteStorage')
export const postgresParts = new PartsOf<PostgresParts>('postgresStorage')
