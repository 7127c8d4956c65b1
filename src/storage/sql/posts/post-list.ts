/** Runs the rules of one list of posts: sizes where there is a choice, then the total and the page. */
import { all, andThen } from '../../../contract/maybe-promise.ts'
import type { IdsPageEntry, MaybePromise } from '../../../contract/storage.ts'
import type { ListWords } from '../engine/dialect.ts'
import type { Session } from '../engine/session.ts'
import { countOf, type Row, type Statements } from '../engine/statements.ts'
import type { Criteria } from './criteria.ts'
import { headOf } from './fields.ts'
import { type Page, pagesOf, sizesOfPage } from './pages.ts'
import { readSizes, Sizes } from './sizes.ts'
import { few } from './sources.ts'
import { isCounted, type Part, partsOf, sizesOfPart, totalKeyOf, totalOf } from './totals.ts'

/** Of a page that asks for none; those of the total say nothing about it. */
const noSizes = new Sizes(new Map())

interface Prepared {
  readonly pages: readonly Page[]
  readonly total?: number
}

export class PostList {
  readonly #statements: Statements
  readonly #session: Session
  readonly #criteria: Criteria
  readonly #words: ListWords
  #sizes: MaybePromise<Sizes> | undefined
  /** The parts that a total adds up; empty where none is requested. */
  #parts: readonly Part[] = []

  constructor(statements: Statements, session: Session, criteria: Criteria) {
    this.#statements = statements
    this.#session = session
    this.#criteria = criteria
    this.#words = statements.dialect.lists
  }

  /** Equal keys belong to equal queries; without one nothing is kept. */
  query(hasTotal: boolean | undefined, key?: string): MaybePromise<{ idsPage: IdsPageEntry[]; total: number }> {
    if (hasTotal) this.#parts = partsOf(this.#criteria)
    // Where each statement is a round trip, the page does not wait for the total, unless it is deep.
    if (hasTotal && this.#session.isAsync && this.#criteria.offset <= few) {
      const page = andThen(this.#pages(), (pages) => this.#read(pages))
      return andThen(all([page, this.#total()]), ([idsPage, total]) => ({ idsPage, total }))
    }
    const { isAsync, cached } = this.#session
    const keeps = key !== undefined && !isAsync && cached !== undefined
    const prepared = keeps ? cached(key, () => this.#prepare(hasTotal), this.#readTypes) : this.#prepare(hasTotal)
    return andThen(prepared, ({ total, pages }) =>
      andThen(this.#read(pages, total), (idsPage) => ({ idsPage, total: total ?? 0 })),
    )
  }

  /** The types whose posts decide the total; undefined where meta do too, which have no version. */
  get #readTypes(): readonly string[] | undefined {
    return this.#criteria.search?.meta === undefined ? this.#criteria.types : undefined
  }

  /** Reads the sizes and the total, and composes the page. The result is valid until what the total is read from changes. */
  #prepare(hasTotal: boolean | undefined): MaybePromise<Prepared> {
    const { order, offset } = this.#criteria
    if (!hasTotal) return andThen(this.#pages(), (pages) => ({ pages }))
    return andThen(this.#total(), (total) => {
      if (total <= offset && 'descending' in order) return { pages: [], total }
      return andThen(this.#pages(total), (pages) => ({ pages, total }))
    })
  }

  /** Reads the sizes for the total and the page in one statement. */
  #readSizes(): MaybePromise<Sizes> {
    this.#sizes ??= readSizes(this.#statements, this.#session, [
      ...sizesOfPage(this.#words, this.#criteria),
      ...this.#parts.flatMap((part) => sizesOfPart(this.#words, part)),
    ])
    return this.#sizes
  }

  /**
   * A search reads the texts of all posts that may have its words: its total is kept until one of them changes. So are others where that
   * takes no round trip.
   */
  #total(): MaybePromise<number> {
    const { cached, isAsync } = this.#session
    if (cached === undefined || (isAsync && this.#criteria.search === undefined)) return this.#count()
    return cached(totalKeyOf(this.#criteria), () => this.#count(), this.#readTypes)
  }

  #count(): MaybePromise<number> {
    return andThen(this.#readSizes(), (sizes) => {
      const statement = totalOf(this.#words, this.#parts, sizes)
      const isOfCounters = isCounted(this.#words, this.#parts)
      const kind = this.#criteria.search !== undefined ? 'search' : isOfCounters ? undefined : 'list'
      return andThen(this.#session.all(this.#statements.of(statement, kind), statement.values), countOf)
    })
  }

  #pages(total?: number): MaybePromise<readonly Page[]> {
    const asksForNone = sizesOfPage(this.#words, this.#criteria).length === 0
    const sizes = asksForNone ? noSizes : this.#readSizes()
    return andThen(sizes, (found) => pagesOf(this.#words, this.#criteria, found, total))
  }

  #read(pages: readonly Page[], total?: number): MaybePromise<IdsPageEntry[]> {
    const { limit, offset } = this.#criteria
    const wanted = total === undefined ? limit : Math.min(limit, total - offset)
    return wanted <= 0 ? [] : andThen(this.#fill(pages, wanted), (rows) => rows.map(headOf))
  }

  /** A page that is not full is read by the next statement. */
  #fill([page, ...others]: readonly Page[], wanted: number): MaybePromise<readonly Row[]> {
    if (page === undefined) return []
    const kind = page.isBounded ? undefined : this.#criteria.search === undefined ? 'list' : 'search'
    const rows = this.#session.all(this.#statements.of(page.statement, kind), page.statement.values)
    return andThen(rows, (found) =>
      found.length >= wanted || others.length === 0 ? found : this.#fill(others, wanted),
    )
  }
}
