/**
 * The page of a list by five rules:
 * 1. A list that follows a list of ids or slugs looks them up.
 * 2. By date, the entries of one term, author or type of files are met in order, with conditions beside them.
 * 3. A source of few rows is read and sorted.
 * 4. So is one that costs less than the entries that a scan of the index of the order passes before the page is full.
 * 5. Otherwise that index is scanned. The second half of a list is read from its end.
 */
import type { PostOrder } from '../../../contract/storage.ts'
import { maxRankedWords } from '../../relevance.ts'
import type { ListWords } from '../engine/dialect.ts'
import { type Fragment, joined, part, raw, unionOf } from '../engine/fragments.ts'
import { limitValue } from '../engine/statements.ts'
import { type Columns, conditionsOf, rankOf } from './conditions.ts'
import { type Criteria, termsOf } from './criteria.ts'
import { headColumns } from './fields.ts'
import type { Sizes } from './sizes.ts'
import {
  type ColumnOrder,
  columnsOf,
  countPosts,
  countTerms,
  few,
  orders,
  plain,
  rowsOf,
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

const entriesOf = (words: ListWords, { types, order, offset, limit }: Criteria): Fragment =>
  countPosts(words, plain({ types, order, offset, limit, dates: [], terms: [] }))

/** What has to be known to choose between sources; nothing where there is no choice. */
export function sizesOfPage(words: ListWords, criteria: Criteria): readonly Fragment[] {
  const { order, offset } = criteria
  const sources = sourcesOf(words, criteria)
  const [only] = sources
  const isPlain = sources.length === 0 || (sources.length === 1 && order.by === 'date' && only?.isByDate)
  if (order.by === 'ids' || order.by === 'slugs' || (isPlain && offset <= few)) return []
  const terms = termsOf(criteria)
  return [
    ...sizesOf(sources),
    entriesOf(words, criteria),
    countPosts(words, plain(criteria)),
    ...(terms.length === 0 ? [] : [countTerms(words, criteria, terms)]),
  ]
}

/** The statements of a page, of which each but the last counts only if it fills the page. */
export function pagesOf(
  words: ListWords,
  criteria: Criteria,
  sizes: Sizes,
  total: number | undefined,
): readonly Page[] {
  if (criteria.order.by === 'relevance') {
    return rankedPages(words, criteria, criteria.order, sizes, total).map((statement) => ({
      statement,
      isBounded: false,
    }))
  }
  const { offset } = criteria
  const { at, source, passed, isSorted } = chosen(words, criteria, criteria.order, sizes, total)
  const isReversed = total !== undefined && offset > total / 2 && !isSorted
  const limit = total === undefined ? criteria.limit : Math.min(criteria.limit, Math.max(0, total - offset))
  const selection: Selection = {
    order: orderOf(words, criteria.order),
    isReversed,
    limit,
    offset: isReversed ? Math.max(0, total - offset - limit) : offset,
    isListed: passed > few,
    areTermsListed: passed > few && areFewer(words, criteria, source, passed, sizes),
  }
  const ids = isSorted ? selectIds(words, criteria, source, selection) : selectAlong(words, criteria, at, selection)
  return [{ statement: headsOf(words, ids, selection.order), isBounded: passed <= few && !isSorted && limit <= few }]
}

interface Choice {
  /** The place of the source among those of the query; absent for a scan of the index of the order. */
  readonly at?: number
  readonly source: Source
  /** The entries that are met before the page is full. */
  readonly passed: number
  readonly isSorted: boolean
}

type PlacedOrder = Exclude<PostOrder, { readonly by: 'relevance' }>

function chosen(
  words: ListWords,
  criteria: Criteria,
  { by }: PlacedOrder,
  sizes: Sizes,
  total: number | undefined,
): Choice {
  const sources = sourcesOf(words, criteria)
  if (by === 'ids' || by === 'slugs') {
    // The cast: such an order needs the list, and the list is a source.
    return { source: sources.find(({ place }) => place === by) as Source, passed: 0, isSorted: true }
  }
  const smallest = sizes.smallest(sources)
  const entries = sizes.number(entriesOf(words, criteria))
  const whole = total ?? estimate(words, criteria, sources, sizes)
  const stream = streamOf(words, criteria, by, { sources, sizes, entries, whole })
  if (smallest === undefined || smallest === stream.source) return stream
  const size = sizes.of(smallest)
  const isFew = stream.at === undefined && size <= few
  const rows = Number.isFinite(size) ? size : rowsAboveBound(smallest, sources, { entries, whole })
  // Posts that were changed early are likely old: a scan by date would pass all others before the first of them.
  const isEarly = smallest.isOfChanges === true && isNearDate(by) && 2 * rows < entries
  const isCheaper = () =>
    rows * costOf(words, criteria, smallest) < stream.passed * costOf(words, criteria, stream.source)
  return isFew || isEarly || isCheaper() ? { source: smallest, passed: rows, isSorted: true } : stream
}

const isNearDate = (by: ColumnOrder) => by === 'date' || by === 'id' || by === 'author'

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
  /** All posts of the types, and those that match. */
  readonly entries: number
  readonly whole: number
}

/** In the order of the list: by date the entries of a source, else those of the index of the order. */
function streamOf(words: ListWords, criteria: Criteria, by: ColumnOrder, known: Known): Choice {
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
  return { source: scanOf(words, criteria, by), passed, isSorted: false }
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

/** As many as there were if no filter had to do with another. */
function estimate(words: ListWords, criteria: Criteria, sources: readonly Source[], sizes: Sizes): number {
  const scope = sizes.number(countPosts(words, plain(criteria)))
  const shareOf = (size: number) => (Number.isFinite(size) ? Math.min(1, size / Math.max(1, scope)) : 0.5)
  return Math.max(
    1,
    sources.reduce((rows, source) => rows * shareOf(sizes.of(source)), scope),
  )
}

/** Of one entry: more where a condition, or the order, needs its row or its terms. */
function costOf(words: ListWords, criteria: Criteria, source: Source): number {
  const columns = columnsOf(source)
  conditionsOf(words, criteria, columns, { met: source.met, isListed: true })
  orderOf(words, criteria.order).keys(columns)
  if (columns.readsRows || source.held.length === 0) return rowCost
  return criteria.terms.some((condition) => condition !== source.met) ? lookUpCost : 1
}

interface Order {
  /** What the rows are ordered by, before the id. */
  keys(columns: Columns): readonly Fragment[]
  /** Whether each key descends, and the id. */
  readonly descending: readonly boolean[]
}

function orderOf(words: ListWords, order: PostOrder, { inTitle = false } = {}): Order {
  if (order.by === 'ids' || order.by === 'slugs') return { keys: () => [raw('l.ordinal')], descending: [false, false] }
  if (order.by === 'relevance') {
    const keys = (columns: Columns) => [rankOf(words, order, columns, { inTitle }), raw(columns.of('date'))]
    return { keys, descending: [false, true, true] }
  }
  // The cast: no other orders remain.
  const { by, descending } = order as Extract<PostOrder, { readonly descending: boolean }>
  if (by === 'id') return { keys: () => [], descending: [descending] }
  const { column } = orders[by]
  const textsOf = (name: string) => (by === 'title' ? words.textKeys(name) : [name])
  return {
    keys: (columns) => textsOf(columns.of(column)).map(raw),
    descending: [...textsOf(column), ''].map(() => descending),
  }
}

/** By the selected keys and the id. */
function orderText({ descending }: Order, { isReversed = false, table = '' } = {}): Fragment {
  const last = descending.length - 1
  const terms = descending.map((descends, at) => {
    const key = at === last ? 'id' : `k${at}`
    return `${table}${key} ${descends === isReversed ? 'asc' : 'desc'}`
  })
  return raw(`order by ${terms.join(', ')}`)
}

interface Selection {
  readonly order: Order
  readonly isReversed: boolean
  readonly limit: number
  readonly offset: number
  readonly isListed: boolean
  readonly areTermsListed: boolean
  /** What is tested before the conditions of the query. */
  readonly first?: (columns: Columns) => readonly Fragment[]
}

/** Ids with their keys, in order. */
function selectIds(words: ListWords, criteria: Criteria, source: Source, selection: Selection): Fragment {
  const { order, isReversed, limit, offset, first } = selection
  const columns = columnsOf(source)
  const conditions = [
    ...(first?.(columns) ?? []),
    ...conditionsOf(words, criteria, columns, { ...selection, met: source.met }),
  ]
  const keys = order.keys(columns).map((key, at) => part`, ${key} as ${raw(`k${at}`)}`)
  const rows = rowsOf(words, source, columns, conditions)
  return part`select ${raw(columns.of('id'))} as id${joined(keys, '')} from ${rows}
    ${orderText(order, { isReversed })} limit ${limitValue(limit)} offset ${offset}`
}

/** Along a source in the order of the list, or along the index of the order. It has each type apart: the first of each are merged. */
function selectAlong(words: ListWords, criteria: Criteria, at: number | undefined, selection: Selection): Fragment {
  const { types, order } = criteria
  const sourceOf = (query: Criteria): Source =>
    // The cast: sources stand in the same place for each type, and other orders have no index.
    at === undefined ? scanOf(words, query, order.by as ColumnOrder) : (sourcesOf(words, query)[at] as Source)
  if (types.length === 1) return selectIds(words, criteria, sourceOf(criteria), selection)
  const { offset, limit, isReversed } = selection
  const first = { ...selection, offset: 0, limit: Math.min(Number.MAX_SAFE_INTEGER, offset + limit) }
  const selects = types.map((type) => {
    const ofType = { ...criteria, types: [type] }
    return part`select * from (${selectIds(words, ofType, sourceOf(ofType), first)}) b`
  })
  return part`select * from (${unionOf(selects, words.maxUnion)}) u
    ${orderText(selection.order, { isReversed })} limit ${limitValue(limit)} offset ${offset}`
}

const heads = raw(headColumns.map((name) => `p.${name}`).join(', '))

function headsOf(words: ListWords, ids: Fragment, order: Order): Fragment {
  const posts = raw(`${words.join} posts p${words.along(undefined)} on p.id = w.id`)
  return part`select ${heads} from (${ids}) w ${posts} ${orderText(order, { table: 'w.' })}`
}

/**
 * By rank, all matches are read. Where they are many, the best are likely among the newest, or among the titles, which an index has.
 */
function rankedPages(
  words: ListWords,
  criteria: Criteria,
  ranking: Extract<PostOrder, { readonly by: 'relevance' }>,
  sizes: Sizes,
  total: number | undefined,
): readonly Fragment[] {
  const sources = sourcesOf(words, criteria)
  const smallest = sizes.smallest(sources) ?? scanOf(words, criteria, 'date')
  const size = sizes.of(smallest)
  const { limit, offset } = criteria
  const order = orderOf(words, ranking)
  const selection: Selection = { order, limit, offset, isReversed: false, isListed: false, areTermsListed: false }
  const pageOf = (source: Source, more: Partial<Selection> = {}) =>
    headsOf(words, selectIds(words, criteria, source, { ...selection, ...more }), more.order ?? order)
  const whole = pageOf(smallest)
  if (size <= few || (total !== undefined && total <= few)) return [whole]
  const best = bestInTitle(ranking)
  // All matches have one rank.
  if (best.length === 0) return [whole]
  const isNearTop = (columns: Columns) => [part`${rankOf(words, ranking, columns, { inTitle: true })} <= 3`]
  const inTitle = orderOf(words, ranking, { inTitle: true })
  const byTitle = pageOf(scanOf(words, criteria, 'title'), { first: isNearTop, order: inTitle })
  const newest = pageOf(newestOf(words, criteria, sources, sizes), {
    first: (columns) => best.map((text) => words.contains(columns.of('title_folded'), text)),
    order: orderOf(words, { by: 'date', descending: true }),
  })
  return [newest, byTitle, whole]
}

/** The texts in the titles of the posts of the best rank. */
const bestInTitle = ({ phrase, words }: { readonly phrase: string; readonly words: readonly string[] }) =>
  phrase !== '' ? [phrase] : words.length <= maxRankedWords ? words : []

/** The newest posts, or those of a term. */
function newestOf(words: ListWords, criteria: Criteria, sources: readonly Source[], sizes: Sizes): Source {
  const own = sizes.smallest(sources.filter(({ isByDate, met }) => isByDate && met !== undefined))
  const order = orderOf(words, { by: 'date', descending: true })
  const first: Selection = { order, limit: few, offset: 0, isReversed: false, isListed: false, areTermsListed: false }
  const terms = own?.met === undefined ? [] : [own.met]
  const byDate: Criteria = { ...plain(criteria), terms, order: { by: 'date', descending: true } }
  const newest = selectAlong(
    words,
    byDate,
    own && sourcesOf(words, byDate).findIndex(({ met }) => met !== undefined),
    first,
  )
  const from = part`(${newest}) f ${raw(words.join)} posts p${raw(words.along(undefined))} on p.id = f.id`
  return { alias: 'p', from, where: [], held: [], size: few }
}
