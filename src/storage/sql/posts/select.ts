/** The statements of pages: ids in order, from one source or from that of each type, then the rows of these ids. */
import type { PostOrder } from '../../../contract/storage.ts'
import type { Dialect } from '../engine/dialect.ts'
import { type Fragment, joined, limitOf, raw, sql, unionOf } from '../engine/fragments.ts'
import { type Columns, conditionsOf, rankOf } from './conditions.ts'
import type { Criteria } from './criteria.ts'
import { headColumns } from './fields.ts'
import {
  type ColumnOrder,
  columnsOf,
  few,
  orders,
  rowsOf,
  type Source,
  scanOf,
  searchSources,
  sourcesOf,
} from './sources.ts'

interface Order {
  /** The order of the rows, before the id. */
  keys(columns: Columns): readonly Fragment[]
  /** Whether each key descends, and the id. */
  readonly descending: readonly boolean[]
}

export function orderOf(dialect: Dialect, order: PostOrder): Order {
  if (order.by === 'ids' || order.by === 'slugs') return { keys: () => [raw('l.ordinal')], descending: [false, false] }
  if (order.by === 'relevance') {
    const keys = (columns: Columns) => [rankOf(dialect, order, columns), raw(columns.of('date'))]
    return { keys, descending: [false, true, true] }
  }
  // The cast: no other orders remain.
  const { by, descending } = order as Extract<PostOrder, { readonly descending: boolean }>
  if (by === 'id') return { keys: () => [], descending: [descending] }
  const { column } = orders[by]
  const textsOf = (name: string) => (by === 'title' ? dialect.titleOrder(name) : [name])
  return {
    keys: (columns) => textsOf(columns.of(column)).map(raw),
    descending: [...textsOf(column), ''].map(() => descending),
  }
}

/** Orders by the selected keys and the id. */
function orderText({ descending }: Order, { isReversed = false, table = '' } = {}): Fragment {
  const last = descending.length - 1
  const terms = descending.map((descends, at) => {
    const key = at === last ? 'id' : `k${at}`
    return `${table}${key} ${descends === isReversed ? 'asc' : 'desc'}`
  })
  return raw(`order by ${terms.join(', ')}`)
}

export interface Selection {
  readonly order: Order
  readonly limit: number
  readonly offset: number
  /** True: the entries are met from the last one on. */
  readonly isReversed?: boolean
  readonly isListed?: boolean
  readonly areTermsListed?: boolean
  /** The conditions that are tested before those of the query. */
  readonly first?: (columns: Columns) => readonly Fragment[]
}

type IdsSelection = Omit<Selection, 'offset'> & { readonly offset: number | Fragment }

/** Ids with their keys, in order; `more` are other columns of `posts`, which follow the id. */
export function selectIds(criteria: Criteria, source: Source, selection: IdsSelection, more = raw('')): Fragment {
  const { order, isReversed = false, limit, offset, first } = selection
  const columns = columnsOf(source)
  const conditions = [
    ...(first?.(columns) ?? []),
    ...conditionsOf(criteria, columns, { ...selection, met: source.met }),
  ]
  const keys = order.keys(columns).map((key, at) => sql`, ${key} as ${raw(`k${at}`)}`)
  const rows = rowsOf(criteria.dialect, source, columns, conditions)
  return sql`select ${raw(columns.of('id'))} as id${more}${joined(keys, '')} from ${rows}
    ${orderText(order, { isReversed })} limit ${limitOf(criteria.dialect, limit)} offset ${offset}`
}

/**
 * Along an index of prefixes: what comes before the page is skipped in the order of the prefix and the id, for which no row is read. The
 * texts of one prefix have another order, but begin at the same place.
 */
function selectFromPrefix(criteria: Criteria, source: Source, selection: Selection): Fragment {
  const { order, isReversed = false, offset } = selection
  const columns = columnsOf(source)
  const rows = (more: readonly Fragment[], options = {}) =>
    rowsOf(criteria.dialect, source, columns, [...conditionsOf(criteria, columns, options), ...more])
  const [prefix = raw('')] = order.keys(columns)
  const [descends = false] = order.descending
  const byPrefix = orderText({ ...order, descending: [descends, descends] }, { isReversed })
  const [from, before] = descends === isReversed ? ['>=', '<'] : ['<=', '>']
  const isBefore = [sql`${prefix} = (select k0 from f)`, sql`p.id ${raw(before)} (select id from f)`]
  const first = sql`select ${prefix} as k0, p.id as id from ${rows([], selection)} ${byPrefix} limit 1 offset ${offset}`
  // Few rows are left: none of their conditions lists what most rows are.
  const page: IdsSelection = {
    ...{ ...selection, isListed: false, areTermsListed: false },
    offset: sql`(select count(*) from ${rows(isBefore)})`,
    first: () => [sql`${prefix} ${raw(from)} (select k0 from f)`],
  }
  return sql`with f as (${first}) ${selectIds(criteria, source, page)}`
}

function sourceAlong(criteria: Criteria, at: number | undefined): Source {
  // The casts are safe: sources have the same position for each type, and other orders have no index.
  return at === undefined ? scanOf(criteria, criteria.order.by as ColumnOrder) : (sourcesOf(criteria)[at] as Source)
}

/** Along a source in the order of the list, or along the index of the order. It has each type apart: the first of each are merged. */
export function selectAlong(criteria: Criteria, at: number | undefined, selection: Selection): Fragment {
  const { types } = criteria
  const { offset, limit, isReversed = false } = selection
  if (types.length === 1) {
    const isSkipped = criteria.dialect.prefixes !== undefined && criteria.order.by === 'title' && offset > few
    return (isSkipped ? selectFromPrefix : selectIds)(criteria, sourceAlong(criteria, at), selection)
  }
  const first = { ...selection, offset: 0, limit: Math.min(Number.MAX_SAFE_INTEGER, offset + limit) }
  const selects = types.map((type) => {
    const ofType = { ...criteria, types: [type] }
    return sql`select * from (${selectIds(ofType, sourceAlong(ofType, at), first)}) b`
  })
  return sql`select * from (${unionOf(selects, criteria.dialect.maxUnion)}) u
    ${orderText(selection.order, { isReversed })} limit ${limitOf(criteria.dialect, limit)} offset ${offset}`
}

const headColumnList = raw(headColumns.map((name) => `p.${name}`).join(', '))
const columnsAfterId = raw(headColumns.map((name) => (name === 'id' ? '' : `, p.${name}`)).join(''))

/** A page along an index. Where rows that are skipped are not read, those of the page are read on the way. */
export function idsPageAlong(criteria: Criteria, at: number | undefined, selection: Selection): Fragment {
  const isOnTheWay = criteria.dialect.skipsUnread && !selection.isReversed && criteria.types.length === 1
  const source = isOnTheWay ? sourceAlong(criteria, at) : undefined
  if (source?.alias === 'p') return selectIds(criteria, source, selection, columnsAfterId)
  return idsPageOf(criteria.dialect, selectAlong(criteria, at, selection), selection.order)
}

export function idsPageOf(dialect: Dialect, ids: Fragment, order: Order): Fragment {
  const posts = raw(`${dialect.join} posts p${dialect.along(undefined)} on p.id = w.id`)
  return sql`select ${headColumnList} from (${ids}) w ${posts} ${orderText(order, { table: 'w.' })}`
}

/** A search that is the only source of a list: its candidates, and of these the posts that it finds, all in order. */
export interface Search {
  readonly candidates: Fragment
  found(candidates: readonly number[]): Fragment
}

/** Undefined where another filter has a source, or where a list asks for sizes in a round trip. */
export function searchOf(criteria: Criteria): Search | undefined {
  const { dialect, search } = criteria
  const [source] = searchSources(criteria)
  if (search === undefined || source === undefined || sourcesOf(criteria).length > 1) return undefined
  const once = dialect.candidates(search.every)?.once
  if (once === undefined) return undefined
  const order = orderOf(dialect, criteria.order)
  const posts = raw(`${dialect.join} posts p${dialect.along(undefined)} on p.id = f.id`)
  return {
    candidates: once.ids(few + 1),
    found(ids) {
      const from = sql`(${once.rows(ids)}) f ${posts}`
      const selection = { order, limit: Number.MAX_SAFE_INTEGER, offset: 0 }
      return selectIds(criteria, { ...source, from }, selection, columnsAfterId)
    },
  }
}
