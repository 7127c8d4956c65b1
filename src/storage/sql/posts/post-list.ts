/**
 * Runs the rules of one list of posts: sizes where there is a choice, then the total and the page. The usual lists of front ends need no
 * sizes: their statements follow from the query alone, and are composed once, not with each call.
 */
import { all, andThen } from '../../../contract/maybe-promise.ts'
import type { IdsPageEntry, MaybePromise, PostQuery } from '../../../contract/storage.ts'
import type { Dialect } from '../engine/dialect.ts'
import { countOf, type Extent, evictOldest, type Fragment, type Row } from '../engine/fragments.ts'
import type { Session } from '../engine/session.ts'
import { type Criteria, criteriaOf, matchesNothing } from './criteria.ts'
import { headOf } from './fields.ts'
import { type Page, pagesOf, sizesOfPage } from './pages.ts'
import { type Search, searchOf } from './select.ts'
import { few, readSizes, Sizes } from './sources.ts'
import { isCounted, type Part, partsOf, sizesOfPart, totalKeyOf, totalOf } from './totals.ts'

interface Composition {
  readonly criteria: Criteria
  /** The parts that a total adds up; empty where none is requested. */
  readonly parts: readonly Part[]
  /** Whether the total reads no more than counters. */
  readonly isCounted: boolean
  /** Absent where the rules have to ask for sizes first. */
  readonly statements?: { readonly pages: readonly Page[]; readonly total: Fragment }
  /** Present where a search is the only source, and its page and total are requested. */
  readonly search?: Search | undefined
}

/** Longer queries, with lists of ids for example, are not asked again. */
const maxKey = 1000
const maxCompositions = 500
const compositions = new WeakMap<Dialect, Map<string, Composition>>()

/** Of a page that asks for none; those of the total say nothing about it. */
const noSizes = new Sizes()

function compositionOf(dialect: Dialect, query: PostQuery, key: string): Composition {
  // The rows of a search are cached, so that its statements are seldom composed again.
  if (key.length > maxKey || query.search !== undefined) return compose(dialect, query)
  const known = compositions.get(dialect) ?? new Map<string, Composition>()
  const found = known.get(key)
  if (found !== undefined) return found
  // A copy, because the caller may change the lists of the query.
  const composition = compose(dialect, structuredClone(query))
  if (known.size >= maxCompositions) evictOldest(known)
  compositions.set(dialect, known.set(key, composition))
  return composition
}

function compose(dialect: Dialect, query: PostQuery): Composition {
  const criteria = criteriaOf(dialect, query)
  const parts = query.total && !matchesNothing(criteria) ? partsOf(criteria) : []
  const search = parts.length > 0 ? searchOf(criteria) : undefined
  const composition = { criteria, parts, isCounted: isCounted(parts), search }
  // By relevance, a page may need several statements.
  const isOfTexts = criteria.order.by === 'relevance' || criteria.search !== undefined
  const asksForSizes = sizesOfPage(criteria).length > 0 || parts.some((part) => sizesOfPart(part).length > 0)
  if (isOfTexts || asksForSizes) return composition
  const pages = pagesOf(criteria, noSizes, undefined)
  return { ...composition, statements: { pages, total: totalOf(parts, noSizes) } }
}

interface List {
  readonly idsPage: IdsPageEntry[]
  readonly total: number
}

export function queryPosts(session: Session, query: PostQuery): MaybePromise<List> {
  const key = JSON.stringify(query)
  const composition = compositionOf(session.dialect, query, key)
  if (matchesNothing(composition.criteria)) return { idsPage: [], total: 0 }
  return new PostList(session, composition).read(key)
}

class PostList {
  readonly #session: Session
  readonly #composition: Composition
  readonly #criteria: Criteria
  #sizes: MaybePromise<Sizes> | undefined

  constructor(session: Session, composition: Composition) {
    this.#session = session
    this.#composition = composition
    this.#criteria = composition.criteria
  }

  /** Equal keys belong to equal queries. */
  read(key: string): MaybePromise<List> {
    const { search } = this.#composition
    if (search === undefined) return this.#readPage(key)
    const few = this.#cached(`few ${key}`, () => this.#few(search))
    return andThen(few, (found) =>
      found === undefined ? this.#readPage(key) : { idsPage: found.rows.map(headOf), total: found.total },
    )
  }

  /**
   * The page and the total of a search with few candidates: each text is compared once for both. Undefined where the candidates are many,
   * which are met in the order of the list.
   */
  #few(search: Search): MaybePromise<{ readonly rows: readonly Row[]; readonly total: number } | undefined> {
    const { offset, limit } = this.#criteria
    return andThen(this.#session.all(search.candidates, 'search'), (rows) => {
      const ids = rows.map(([id]) => Number(id))
      const pending = -(ids.pop() ?? 0)
      if (ids.length + pending > few) return undefined
      return andThen(this.#session.all(search.found(ids), 'search'), (found) => {
        return { rows: found.slice(offset, offset + limit), total: found.length }
      })
    })
  }

  #cached<T>(key: string, read: () => MaybePromise<T>): MaybePromise<T> {
    const { cached } = this.#session
    return cached === undefined || key.length > maxKey ? read() : cached(key, read, this.#readTypes)
  }

  #readPage(key: string): MaybePromise<List> {
    const { parts, statements } = this.#composition
    // Where each statement is a round trip, the page does not wait for the total, unless it is deep.
    if (this.#session.isAsync && parts.length > 0 && (statements !== undefined || this.#criteria.offset <= few)) {
      const page = this.#read(key, () => this.#pages())
      return andThen(all([page, this.#total()]), ([idsPage, total]) => ({ idsPage, total }))
    }
    return andThen(parts.length === 0 ? undefined : this.#total(), (total) =>
      andThen(
        this.#read(key, () => this.#pages(total), total),
        (idsPage) => ({ idsPage, total: total ?? 0 }),
      ),
    )
  }

  /** The types whose posts decide the total; undefined where meta do too, which have no version. */
  get #readTypes(): readonly string[] | undefined {
    return this.#criteria.search?.meta === undefined ? this.#criteria.types : undefined
  }

  /** Reads the sizes for the total and the page in one statement. */
  #readSizes(): MaybePromise<Sizes> {
    this.#sizes ??= readSizes(this.#session, [
      ...sizesOfPage(this.#criteria),
      ...this.#composition.parts.flatMap((part) => sizesOfPart(part)),
    ])
    return this.#sizes
  }

  /**
   * A search reads the texts of all posts that may have its words: its total is kept until one of them changes. So are others where that
   * takes no round trip, unless counters have them.
   */
  #total(): MaybePromise<number> {
    const { cached, isAsync } = this.#session
    const isKept = !this.#composition.isCounted && !(isAsync && this.#criteria.search === undefined)
    const key = isKept && cached !== undefined ? totalKeyOf(this.#criteria) : ''
    return cached === undefined || key === '' ? this.#count() : this.#cached(key, () => this.#count())
  }

  #count(): MaybePromise<number> {
    const { parts, statements, isCounted: isOfCounters } = this.#composition
    const total = statements?.total ?? andThen(this.#readSizes(), (sizes) => totalOf(parts, sizes))
    return andThen(total, (statement) =>
      andThen(this.#session.all(statement, isOfCounters ? undefined : this.#extent), countOf),
    )
  }

  get #extent(): Extent {
    return this.#criteria.search === undefined ? 'list' : 'search'
  }

  #pages(total?: number): MaybePromise<readonly Page[]> {
    if (this.#composition.statements !== undefined) return this.#composition.statements.pages
    const asksForNone = sizesOfPage(this.#criteria).length === 0
    const sizes = asksForNone ? noSizes : this.#readSizes()
    return andThen(sizes, (found) => pagesOf(this.#criteria, found, total))
  }

  /** A page of a search may read as many texts as its total, and is kept like it. */
  #read(key: string, pages: () => MaybePromise<readonly Page[]>, total?: number): MaybePromise<IdsPageEntry[]> {
    const { limit, offset, search } = this.#criteria
    const wanted = total === undefined ? limit : Math.min(limit, total - offset)
    if (wanted <= 0) return []
    const isKept = search !== undefined
    const read = () => andThen(pages(), (found) => this.#fill(found, wanted))
    return andThen(isKept ? this.#cached(`page ${key}`, read) : read(), (rows) => rows.map(headOf))
  }

  /** A page that is not full is read by the next statement. */
  #fill([page, ...others]: readonly Page[], wanted: number): MaybePromise<readonly Row[]> {
    if (page === undefined) return []
    const rows = this.#session.all(page.statement, page.isBounded ? undefined : this.#extent)
    return andThen(rows, (found) =>
      found.length >= wanted || others.length === 0 ? found : this.#fill(others, wanted),
    )
  }
}
