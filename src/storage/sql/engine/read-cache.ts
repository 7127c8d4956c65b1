/** Results of reads, cached until a write touches what they follow from. */
import { andThen, type MaybePromise } from '../../../contract/maybe-promise.ts'
import { evictOldest, type Row, raw, type SqlValue } from './fragments.ts'

const MAX_ENTRIES = 500

/** A token of each type that differs after each write to its posts or their terms; a type without one was never written. */
type TypeVersions = ReadonlyMap<SqlValue, SqlValue>

export interface Versions {
  /** Differs after each write. */
  readonly all: unknown
  /** The rows of `post_changes`, not older than `all`. */
  readonly types: () => MaybePromise<readonly Row[]>
}

interface Entry {
  readonly value: unknown
  /** With which the value was last known to be right. */
  all: unknown
  readonly types: string | undefined
}

export class ReadCache {
  readonly #entries = new Map<string, Entry>()
  #types: { readonly all: unknown; readonly versions: TypeVersions } | undefined

  /**
   * With `types` the result is kept until posts of these types, or their terms, change; else until the next write. The versions are
   * read before the result: after a write in between, a result that is new enough is read once more.
   */
  get<T>(versions: Versions, key: string, read: () => MaybePromise<T>, types?: readonly string[]): MaybePromise<T> {
    const entry = this.#entries.get(key)
    // The casts: the key includes the statement, so it always has values of one type.
    if (entry !== undefined && entry.all === versions.all) return entry.value as T
    if (types === undefined) return this.#keep(key, versions.all, undefined, read)
    return andThen(this.#typeVersions(versions), (found) => {
      const token = types.map((type) => found.get(type) ?? 0).join()
      if (entry === undefined || entry.types !== token) return this.#keep(key, versions.all, token, read)
      entry.all = versions.all
      return entry.value as T
    })
  }

  #keep<T>(key: string, all: unknown, types: string | undefined, read: () => MaybePromise<T>): MaybePromise<T> {
    return andThen(read(), (value) => {
      this.#entries.delete(key)
      if (this.#entries.size >= MAX_ENTRIES) evictOldest(this.#entries)
      this.#entries.set(key, { value, all, types })
      return value
    })
  }

  #typeVersions({ all, types }: Versions): MaybePromise<TypeVersions> {
    if (this.#types !== undefined && this.#types.all === all) return this.#types.versions
    return andThen(types(), (rows) => {
      const versions = new Map(rows.map(([type = '', version = 0]) => [type, version]))
      this.#types = { all, versions }
      return versions
    })
  }
}

/** Reads them where `all` is known already. */
export const postChanges = raw('select type, version from post_changes')
