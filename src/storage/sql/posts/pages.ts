/**
 * The page of a list by five rules:
 * 1. A list that follows a list of ids or slugs looks them up.
 * 2. By date, the entries of one term, author or type of files are met in order, with conditions beside them.
 * 3. A source of few rows is read and sorted.
 * 4. So is one that costs less than the entries that a scan of the index of the order passes before the page is full.
 * 5. Otherwise that index is scanned. The second half of a list is read from its end.
 */

import { maxRankedWords } from '../../../contract/post-rank.ts'
import type { PostOrder } from '../../../contract/storage.ts'
import { type Fragment, raw, sql } from '../engine/fragments.ts'
import { type Columns, conditionsOf } from './conditions.ts'
import { type Criteria, termsOf } from './criteria.ts'
import { idsPageAlong, idsPageOf, orderOf, type Selection, selectAlong, selectIds } from './select.ts'
import {
  type ColumnOrder,
  columnsOf,
  countPosts,
  countTerms,
  few,
  listedOf,
  plain,
  type Sizes,
  type Source,
  scanOf,
  sizesOf,
  sourcesOf,
} from './sources.ts'
import { areFewer, lookUpCost } from './totals.ts'

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
  const isPlain = sources.length === 0 || (sources.length === 1 && order.by === 'date' && sources[0]?.isByDate)
  if (listedOf(sources, order) !== undefined || (isPlain && offset <= few)) return []
  const terms = termsOf(criteria)
  const ofTerms = terms.length === 0 ? [] : [countTerms(criteria, terms)]
  return [...sizesOf(sources), entriesOf(criteria), countPosts(plain(criteria)), ...ofTerms]
}

/** The statements of a page, of which each but the last counts only if it fills the page. */
export function pagesOf(criteria: Criteria, sizes: Sizes, total: number | undefined): readonly Page[] {
  const { dialect, order, offset } = criteria
  if (order.by === 'relevance') return rankedPages(criteria, order, sizes, total)
  const { at, source, passed, isSorted } = chosen(criteria, order, sizes, total)
  const isReversed = total !== undefined && offset > total / 2 && !isSorted
  const limit = total === undefined ? criteria.limit : Math.min(criteria.limit, Math.max(0, total - offset))
  const selection: Selection = {
    order: orderOf(dialect, order),
    isReversed,
    limit,
    offset: isReversed ? Math.max(0, total - offset - limit) : offset,
    isListed: passed > few,
    areTermsListed: passed > few && areFewer(criteria, source, passed, sizes),
  }
  const statement = isSorted
    ? idsPageOf(dialect, selectIds(criteria, source, selection), selection.order)
    : idsPageAlong(criteria, at, selection)
  return [{ statement, isBounded: passed <= few && !isSorted && limit <= few }]
}

/** By rank, all matches are read. Where they are many, the best are likely among the newest posts. */
function rankedPages(
  criteria: Criteria,
  ranking: Extract<PostOrder, { readonly by: 'relevance' }>,
  sizes: Sizes,
  total = Number.POSITIVE_INFINITY,
): readonly Page[] {
  const { dialect, limit, offset } = criteria
  const pageOf = (source: Source, order = orderOf(dialect, ranking), first?: Selection['first']): Page => {
    const ids = selectIds(criteria, source, { order, limit, offset, ...(first && { first }) })
    return { statement: idsPageOf(dialect, ids, order), isBounded: false }
  }
  const smallest = sizes.smallest(sourcesOf(criteria)) ?? scanOf(criteria, 'date')
  const best = bestInTitle(ranking)
  if (Math.min(sizes.of(smallest), total) <= few || best.length === 0) return [pageOf(smallest)]
  const byDate: Criteria = { ...plain(criteria), order: { by: 'date', descending: true } }
  const newest = orderOf(dialect, byDate.order)
  const ids = selectAlong(byDate, undefined, { order: newest, limit: few, offset: 0 })
  const from = sql`(${ids}) f ${raw(dialect.join)} posts p${raw(dialect.along(undefined))} on p.id = f.id`
  const hasBest = (columns: Columns) => best.map((text) => dialect.contains(columns.of('title_folded'), text))
  return [pageOf({ alias: 'p', from, where: [], held: [], size: few }, newest, hasBest), pageOf(smallest)]
}

/** The posts of the best rank have these texts in their titles. */
const bestInTitle = ({ phrase, words }: { readonly phrase: string; readonly words: readonly string[] }) =>
  phrase !== '' ? [phrase] : words.length <= maxRankedWords ? words : []

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
  const own = by === 'date' ? sizes.smallest(sources.filter(({ isByDate }) => isByDate)) : undefined
  const stream = own
    ? { at: sources.indexOf(own), source: own, passed: passedBefore(criteria, whole, sizes.of(own)) }
    : { source: scanOf(criteria, by), passed: isSortedWhole(by) ? entries : passedBefore(criteria, whole, entries) }
  if (smallest === undefined || smallest === own) return { ...stream, isSorted: false }
  const rows = rowsOf(smallest, sizes, entries)
  const isFew = own === undefined && rows <= few
  // Posts that were changed early are likely old: a scan from the newest on would pass all others before the first of them.
  const isFar = smallest.held.includes('modified') && ['date', 'id', 'author'].includes(by)
  const passed = isFar ? Math.max(stream.passed, entries - rows) : stream.passed
  const isCheaper = rows * costOf(criteria, smallest) < passed * costOf(criteria, stream.source)
  return isFew || isCheaper ? { source: smallest, passed: rows, isSorted: true } : { ...stream, isSorted: false }
}

/** Estimates the number of matches as if the filters were independent. */
function estimate(criteria: Criteria, sources: readonly Source[], sizes: Sizes): number {
  const scope = sizes.number(countPosts(plain(criteria)))
  const shareOf = (size: number) => (Number.isFinite(size) ? Math.min(1, size / Math.max(1, scope)) : 0.5)
  const matches = sources.reduce((rows, source) => rows * shareOf(sizes.of(source)), scope)
  return Math.max(1, matches)
}

/** Above the bound of the source, half of all; the texts of a search are not read to be sorted. */
function rowsOf(source: Source, sizes: Sizes, entries: number): number {
  const size = sizes.of(source)
  return Number.isFinite(size) || source.held.length === 0 ? size : entries / 2
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

/** The cost of one entry: higher where a condition, or the order, needs its row or its terms. */
function costOf(criteria: Criteria, source: Source): number {
  const columns = columnsOf(source)
  conditionsOf(criteria, columns, { met: source.met, isListed: true })
  orderOf(criteria.dialect, criteria.order).keys(columns)
  if (columns.readsRows || source.held.length === 0) return rowCost
  return criteria.terms.some((condition) => condition !== source.met) ? lookUpCost : 1
}
