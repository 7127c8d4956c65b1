/** The storage in a Durable Object, exported as `site-api/storage/durable-object`. */
import type { Storage } from '../contract/storage.ts'
import { checkOptionNames } from './option-names.ts'
import { DurableObjectClient, type DurableObjectSession } from './sql/durable-object/client.ts'
import type { DurableObjectDatabase } from './sql/durable-object/driver.ts'
import { sqliteDialect } from './sql/sqlite/dialect.ts'
import { storesOn } from './sql/storage.ts'

export type { DurableObjectDatabase } from './sql/durable-object/driver.ts'

/** The runtime sets SQLite's limit of compound selects to this. */
const MAX_UNION = 5

/** The options of `durableObjectStorage`. */
export interface DurableObjectOptions {
  /** The index for text search, smaller than the texts. Without it, searches read the texts. Default: true. */
  readonly searchIndex?: boolean
  /** Called with the text of each statement before it runs: for tests and tracing. */
  readonly onStatement?: (sql: string) => void
}

/**
 * A storage in the SQLite database of a Cloudflare Durable Object. Takes `ctx.storage` of the object, which serves the site:
 * nothing else may write to its database. Migrates on first use; throws with the code `storage_newer` if a newer version of
 * the package has migrated it.
 *
 * ```ts
 * const api = createSiteApi({ storage: durableObjectStorage(ctx.storage), profile: d1, url: 'https://example.com' })
 * ```
 */
export function durableObjectStorage(database: DurableObjectDatabase, options: DurableObjectOptions = {}): Storage {
  checkOptionNames('durableObjectStorage', options, { searchIndex: true, onStatement: true })
  const { searchIndex = true, onStatement } = options
  const dialect = sqliteDialect({ hasSearchIndex: searchIndex, maxUnion: MAX_UNION })
  const client = new DurableObjectClient(database, { dialect, searchIndex, onStatement })
  const storageOn = (session: DurableObjectSession): Storage => ({
    ...storesOn(session),
    atomic: (work) => session.transaction((inside) => work(storageOn(inside))),
  })
  return { ...storageOn(client.session()), open: () => client.open(), changes: () => client.changes() }
}
