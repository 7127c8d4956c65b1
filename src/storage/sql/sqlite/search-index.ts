/**
 * The trigram index over the folded texts. It stores neither texts nor positions (`detail=none`), which makes it a seventh of
 * the size and twice as fast. It returns the posts that have all trigrams of a text; the query then compares the texts.
 *
 * A write only marks the post as pending. Pending posts are candidates of every search until they are indexed in batches
 * while the process is idle; indexing with each write would cost several times as much.
 */
import { catchError } from '../../../contract/maybe-promise.ts'
import type { MaybePromise } from '../../../contract/storage.ts'
import { rowsOf, type Steps } from '../engine/steps.ts'
import { isInSearch } from '../schema/tables.ts'

/** Posts to index without a pause: about ten milliseconds. */
const BATCH = 50
/** Each search reads the texts of the pending posts, 2 µs each. A post of a smaller batch is indexed at a higher cost: twice that at 25. */
const MIN_PENDING = BATCH

export const createSearchIndex: readonly string[] = [
  `create virtual table posts_search using fts5 (
  title_folded, excerpt_folded, content_folded,
  content = '', contentless_delete = 1, tokenize = 'trigram case_sensitive 1', detail = none
)`,
  'create table search_pending (post_id integer primary key) strict',
  `insert into search_pending select id from posts where ${isInSearch('')}`,
]

/** Removes the posts that an index had before it left some out. */
export const narrowSearchIndex: readonly string[] = ['posts_search where rowid', 'search_pending where post_id'].map(
  (rows) => `delete from ${rows} in (select id from posts where not (${isInSearch('')}))`,
)

export const dropSearchIndex: readonly string[] = ['drop table search_pending', 'drop table posts_search']

/**
 * The statements that index up to `count` pending posts, for one transaction. The pending rows are removed last, because the
 * other statements read them. Larger batches cost less per post, but block the process longer.
 */
export function indexStatements(count: number): readonly string[] {
  const batch = `(select post_id from search_pending order by post_id limit ${count})`
  return [
    `delete from posts_search where rowid in ${batch}`,
    `insert into posts_search (rowid, title_folded, excerpt_folded, content_folded)
      select id, title_folded, excerpt_folded, content_folded from posts where id in ${batch}`,
    `delete from search_pending where post_id in ${batch}`,
  ]
}

export const indexBatch = indexStatements(BATCH)

export function* hasSearchIndex(): Steps<boolean> {
  return (yield* rowsOf("select 1 from sqlite_master where name = 'posts_search'")).length > 0
}

/** Selects 1 if enough posts are pending to index a batch. */
export const isBatchPending = `select count(*) = ${MIN_PENDING} from (select 1 from search_pending limit ${MIN_PENDING})`

/** Indexes pending posts after a write, in batches between other work; does not keep the process alive. */
export class BackgroundIndexing {
  readonly #options: { readonly isWanted: boolean; readonly indexPending: () => MaybePromise<void> }
  #isScheduled = false

  constructor(options: { readonly isWanted: boolean; readonly indexPending: () => MaybePromise<void> }) {
    this.#options = options
  }

  schedule(): void {
    if (this.#isScheduled || !this.#options.isWanted) return
    this.#isScheduled = true
    setImmediate(() => {
      this.#isScheduled = false
      // A failure, for example a lock of another process, is ignored: the next write schedules indexing again.
      catchError(
        () => this.#options.indexPending(),
        () => undefined,
      )
    }).unref()
  }
}
