/**
 * The tokens of what was written to a file, by this process and by others.
 *
 * The commits of all processes are counted in two rows of the table of versions whose names no type of posts has. A process that finds the
 * file changed and the counts as they were knows that something else has written it.
 */
import type { Changes } from '../../../contract/storage.ts'
import type { SqlValue } from '../engine/fragments.ts'
import type { FileCommits } from './file-commits.ts'

interface Reader {
  all(sql: string, values: readonly []): readonly (readonly SqlValue[])[]
}

interface TokenSource {
  /** The connection that writes. */
  connection(): Reader
  commits(): FileCommits
  /** Notices a replaced file. */
  check(): void
}

const dataVersion = 'pragma data_version'

export class ChangeTokens {
  readonly #source: TokenSource
  /** The number changes with the commits of other connections; it is read at most once per event of the loop. */
  #dataVersion: SqlValue = 0
  #isFresh = false
  /** The commits of this process when the number was read. */
  #readAt = 0
  /** The counts of all processes at a number: later commits of this connection, which leave the number, are added. */
  #counts: (Mutable<CommitCounts> & { readonly dataVersion: SqlValue }) | undefined
  /** Rises after commits that the counts leave out. */
  #uncounted = 0

  constructor(source: TokenSource) {
    this.#source = source
  }

  all(): string {
    const connection = this.#source.connection()
    const { all } = this.#source.commits()
    if (!this.#isFresh || this.#readAt !== all) {
      this.#source.check()
      this.#dataVersion = connection.all(dataVersion, [])[0]?.[0] ?? 0
      this.#isFresh = true
      this.#readAt = all
      // Expires before the event loop takes the next event: that may be a request of a client that another process has answered.
      process.nextTick(this.expire)
    }
    return `${all}.${this.#dataVersion}`
  }

  read(): Changes {
    const { commits } = this.counts()
    return {
      all: this.all(),
      options: `${this.#source.commits().options}.${this.#dataVersion}`,
      position: commits,
      history: String(this.#uncounted),
    }
  }

  /** The counts that belong to the token. */
  counts(): CommitCounts {
    this.all()
    const known = this.#counts
    if (known?.dataVersion === this.#dataVersion) return known
    const counts = this.#readCounts()
    if (known && isSame(known, counts)) this.#uncounted++
    this.#counts = { ...counts, dataVersion: this.#dataVersion }
    return this.#counts
  }

  /** This connection has committed what the counts tell. */
  noteCommit(name: keyof CommitCounts): void {
    if (this.#counts) this.#counts[name]++
  }

  readonly expire = (): void => {
    this.#isFresh = false
  }

  /** Another connection counts the commits of others anew. */
  forget(): void {
    this.#uncounted++
    this.#isFresh = false
    this.#counts = undefined
  }

  /** Reads them between two equal tokens: they are those of the token. */
  #readCounts(): CommitCounts {
    for (;;) {
      const before = this.all()
      const counts = readCommitCounts(this.#source.connection())
      this.#isFresh = false
      if (this.all() === before) return counts
    }
  }
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

const isSame = (a: CommitCounts, b: CommitCounts) => a.commits === b.commits && a.indexings === b.indexings

interface CommitCounts {
  readonly commits: number
  /** Commits that change no row but those of the search index. */
  readonly indexings: number
}

const [commits, indexings] = ['', '~']

const countAs = (name: string) =>
  `insert into post_changes (type, version) values ('${name}', 1) on conflict do update set version = version + 1`

/** Runs before each commit that has written rows. */
export const countCommit = countAs(commits)
export const countIndexing = countAs(indexings)

const selectCounts = `select type, version from post_changes where type in ('${commits}', '${indexings}')`

function readCommitCounts(connection: Reader): CommitCounts {
  const rows = connection.all(selectCounts, [])
  const countOf = (name: string) => Number(rows.find(([type]) => type === name)?.[1] ?? 0)
  return { commits: countOf(commits), indexings: countOf(indexings) }
}
