/**
 * The page of a list by five rules:
 * 1. A list that follows a list of ids or slugs looks them up.
 * 2. By date, the entries of one term, author or type of files are met in order, with conditions beside them.
 * 3. A source of few rows is read and sorted.
 * 4. So is one that costs less than the entries that a scan of the index of the order passes before the page is full.
 * 5. Otherwise that index is scanned. The second half of a list is read from its end.
 */
import type { PostOrder } from '../../../contract/storage.ts'
import type { Fragment } from '../engine/fragments.ts'
import { conditionsOf } from './conditions.ts'
import { type Criteria, termsOf } from './criteria.ts'
import { rankedPages } from './ranked-pages.ts'
import { idsPageAlong, idsPageOf, orderOf, type Selection, selectIds } from './select.ts'
import type { Sizes } from './sizes.ts'
import {
  type ColumnOrder,
  columnsOf,
  countPosts,
  countTerms,
  few,
  listedOf,
  plain,
  type Source,
  scanOf,
  sourcesOf,
} from './sources.ts'
import { areFewer, lookUpCost, sizesOf } from './totals.ts'

/** A row that is read costs as much as so many entries of an index. */
const rowCost = 20

export interface Page {
  readonly statement: Fragment
  /** Whether it reads no more than its own rows along an index. */
  readonly isBounded: boolean
}

const entriesOf = (criteria: Criteria): Fragment => countPosts({ ...plain(criteria), statuses: undefined })

/** The choice between sources needs these sizes; empty where there is no choice. */
export function sizesOfPage(criteria: Criteria): readonly Fragment[] {
  const { order, offset } = criteria
  const sources = sourcesOf(criteria)
  const [only] = sources
  const isPlain = sources.length === 0 || (sources.length === 1 && order.by === 'date' && only?.isByDate)
  if (listedOf(sources, order) !== undefined || (isPlain && offset <= few)) return []
  const terms = termsOf(criteria)
  return [
    ...sizesOf(sources),
    entriesOf(criteria),
    countPosts(plain(criteria)),
    ...(terms.length === 0 ? [] : [countTerms(criteria, terms)]),
  ]
}

/** The statements of a page, of which each but the last counts only if it fills the page. */
export function pagesOf(criteria: Criteria, sizes: Sizes, total: number | undefined): readonly Page[] {
  if (criteria.order.by === 'relevance') {
    const pages = rankedPages(criteria, criteria.order, sizes, total)
    return pages.map((statement) => ({ statement, isBounded: false }))
  }
  const { offset } = criteria
  const { at, source, passed, isSorted } = chosen(criteria, criteria.order, sizes, total)
  const isReversed = total !== undefined && offset > total / 2 && !isSorted
  const limit = total === undefined ? criteria.limit : Math.min(criteria.limit, Math.max(0, total - offset))
  const selection: Selection = {
    order: orderOf(criteria.dialect, criteria.order),
    isReversed,
    limit,
    offset: isReversed ? Math.max(0, total - offset - limit) : offset,
    isListed: passed > few,
    areTermsListed: passed > few && areFewer(criteria, source, passed, sizes),
  }
  const statement = isSorted
    ? idsPageOf(criteria.dialect, selectIds(criteria, source, selection), selection.order)
    : idsPageAlong(criteria, at, selection)
  return [{ statement, isBounded: passed <= few && !isSorted && limit <= few }]
}

interface Choice {
  /** Indexes the source among those of the query; absent for a scan of the index of the order. */
  readonly at?: number
  readonly source: Source
  /** The entries that are met before the page is full. */
  readonly passed: number
  readonly isSorted: boolean
}

function chosen(
  criteria: Criteria,
  order: Exclude<PostOrder, { readonly by: 'relevance' }>,
  sizes: Sizes,
  total: number | undefined,
): Choice {
  const sources = sourcesOf(criteria)
  const listed = listedOf(sources, order)
  if (listed !== undefined) return { source: listed, passed: 0, isSorted: true }
  // The cast: an order that follows a list has one.
  const by = order.by as ColumnOrder
  const smallest = sizes.smallest(sources)
  const entries = sizes.number(entriesOf(criteria))
  const whole = total ?? estimate(criteria, sources, sizes)
  const stream = streamOf(criteria, by, { sources, sizes, entries, whole })
  if (smallest === undefined || smallest === stream.source) return stream
  const size = sizes.of(smallest)
  const isFew = stream.at === undefined && size <= few
  const rows = Number.isFinite(size) ? size : rowsAboveBound(smallest, sources, { entries, whole })
  const cost = rows * costOf(criteria, smallest)
  const streamCost = costOf(criteria, stream.source)
  // Posts that were changed early are likely old: a scan from the newest on would pass all others before the first of them.
  const isFar = smallest.isOfNewest !== undefined && isFarEnd(criteria, smallest.isOfNewest)
  const isCheaper = cost < stream.passed * streamCost || (isFar && cost < (entries - rows) * streamCost)
  return isFew || isCheaper ? { source: smallest, passed: rows, isSorted: true } : stream
}

function isFarEnd({ order }: Criteria, isOfNewest: boolean): boolean {
  if (order.by === 'author') return true
  return (order.by === 'date' || order.by === 'id') && order.descending !== isOfNewest
}

/** The matches of the only filter are its rows; the texts of a search are not read to be sorted. */
function rowsAboveBound(
  source: Source,
  sources: readonly Source[],
  { entries, whole }: Pick<Known, 'entries' | 'whole'>,
) {
  if (source.held.length === 0) return Number.POSITIVE_INFINITY
  return Math.max(sources.length === 1 ? whole : entries / 2, few)
}

interface Known {
  readonly sources: readonly Source[]
  readonly sizes: Sizes
  /** The number of all posts of the types, and of those that match. */
  readonly entries: number
  readonly whole: number
}

/** Streams the list in its order: by date the entries of a source, else those of the index of the order. */
function streamOf(criteria: Criteria, by: ColumnOrder, known: Known): Choice {
  const { sources, sizes, entries, whole } = known
  const own = by === 'date' ? sizes.smallest(sources.filter(({ isByDate }) => isByDate)) : undefined
  if (own !== undefined) {
    return {
      at: sources.indexOf(own),
      source: own,
      passed: passedBefore(criteria, whole, sizes.of(own)),
      isSorted: false,
    }
  }
  const passed = isSortedWhole(by) ? entries : passedBefore(criteria, whole, entries)
  return { source: scanOf(criteria, by), passed, isSorted: false }
}

/** The posts of one author are sorted by id; those of a parent have no index. */
const isSortedWhole = (by: ColumnOrder) => by === 'author' || by === 'parent'

/** The second half of a list is met from its end. */
function passedBefore({ offset, limit }: Criteria, whole: number, entries: number): number {
  if (whole <= 0) return entries
  const rows = Math.min(limit, whole)
  const before = Math.min(offset, Math.max(0, whole - offset - rows))
  return Math.min(entries, ((before + rows) * entries) / whole)
}

/** Estimates the number of matches as if the filters were independent. */
function estimate(criteria: Criteria, sources: readonly Source[], sizes: Sizes): number {
  const scope = sizes.number(countPosts(plain(criteria)))
  const shareOf = (size: number) => (Number.isFinite(size) ? Math.min(1, size / Math.max(1, scope)) : 0.5)
  return Math.max(
    1,
    sources.reduce((rows, source) => rows * shareOf(sizes.of(source)), scope),
  )
}

/** The cost of one entry: higher where a condition, or the order, needs its row or its terms. */
function costOf(criteria: Criteria, source: Source): number {
  const columns = columnsOf(source)
  conditionsOf(criteria, columns, { met: source.met, isListed: true })
  orderOf(criteria.dialect, criteria.order).keys(columns)
  if (columns.readsRows || source.held.length === 0) return rowCost
  return criteria.terms.some((condition) => condition !== source.met) ? lookUpCost : 1
}
