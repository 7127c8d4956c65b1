/**
 * The statements of post queries. An inner select finds the ids of the page along an index; the outer select reads the heads
 * of those rows. Each scan names its index, because SQLite's planner has no statistics here.
 */
import { type CompiledQuery, type Kysely, type RawBuilder, sql } from 'kysely'
import { and, type Condition } from '../engine/conditions.ts'
import type { Dialect } from '../engine/dialect.ts'
import type { Schema } from '../engine/schema.ts'
import { type Extent, parameter } from '../engine/statements.ts'
import { filterConditions, hasFilters, rankExpression } from './conditions.ts'
import { headColumns } from './fields.ts'
import type { Branch, OrderShape, PostQueryShape, TermShape } from './query-shape.ts'
import { branchSource, columnOf, isUnusual, lookupSource, postId, type Source } from './sources.ts'

/** The parameter indexes of a page. */
export interface PageParameters {
  readonly offset: number
  readonly limit: number
  /** offset + limit */
  readonly end: number
  /**
   * The keys of the row from which the offset counts, in the order of the list, then its id; empty for the first row of the
   * list. If present, each row of the result has its keys after its head.
   */
  readonly start?: readonly number[] | undefined
}

/** What a scan selects beside the id and the keys. */
interface ScanParameters extends PageParameters {
  readonly columns?: readonly RawBuilder<unknown>[]
}

interface Key {
  readonly expression: RawBuilder<unknown>
  readonly descending: boolean
}

interface Order {
  readonly keys: readonly Key[]
  /** The direction of the id, which ends every order. */
  readonly descending: boolean
}

type FormatShape = Extract<TermShape, { readonly formats: number }>

/** The heads of the rows of the page, in order. */
export function selectHeads(
  db: Kysely<Schema>,
  dialect: Dialect,
  shape: PostQueryShape,
  page: PageParameters,
): CompiledQuery {
  const order = orderOf(dialect, shape)
  const limit = sql`limit ${parameter(page.limit)} offset ${parameter(page.offset)}`
  const { branches } = shape
  const [first] = branches ?? []
  const withKeys = page.start !== undefined
  if (branches !== undefined && shape.within !== undefined) {
    return selectWithin(dialect, shape, branches, { order, limit, page, within: shape.within }).compile(db)
  }
  if (branches !== undefined && first !== undefined && branches.length > 1) {
    const ids = selectMerged(dialect, shape, branches, order, limit, page)
    return readHeads(dialect, order, ids, { withKeys }).compile(db)
  }
  const source = first === undefined ? lookupSource(dialect, shape) : branchSource(dialect, shape, first)
  if (source.key !== undefined || dialect.selectsIdsFirst || withKeys) {
    return readHeads(dialect, order, selectIds(source, order, limit, page), { withKeys }).compile(db)
  }
  return sql`select ${heads} from ${source.from} ${whereClause(source.where)} ${orderBy(source, order)} ${limit}`.compile(
    db,
  )
}

const heads = sql.join(headColumns.map((name) => sql.ref(`p.${name}`)))

function readHeads(
  dialect: Dialect,
  order: Order,
  ids: RawBuilder<unknown>,
  { withKeys }: { readonly withKeys: boolean },
): RawBuilder<unknown> {
  const keys = withKeys ? order.keys.map((_, at) => sql`, ${sql.ref(`w.k${at}`)}`) : []
  return sql`select ${heads}${sql.join(keys, sql``)} from (${ids}) w ${dialect.orderedJoin} posts p on p.id = w.id
    order by ${aliasOrder('w', order)}`
}

/** Up to this number of rows, a page is bounded. */
const MAX_PAGE = 1000

/** A page along an index in the order of the list reads its rows, and those before it unless it is deep. */
export function extentOf(
  { along, branches, filters, path }: PostQueryShape,
  { limit, isDeep }: { readonly limit: number; readonly isDeep: boolean },
): Extent | undefined {
  if (path === 'ids' || path === 'slugs') return undefined
  if (filters.search !== undefined) return 'search'
  const isScan = branches !== undefined && along === undefined && !isDeep
  return isScan && limit <= MAX_PAGE && !hasFilters(filters) ? undefined : 'list'
}

/** A select of one number. */
export function totalOf(dialect: Dialect, shape: PostQueryShape): RawBuilder<unknown> {
  if (shape.branches === undefined) return countRows(lookupSource(dialect, shape))
  const counts = shape.branches.map((branch) => sql`coalesce((${countBranch(dialect, shape, branch)}), 0)`)
  return sql`select ${sql.join(counts, sql` + `)}`
}

/** The union of the branches, in order. */
function selectMerged(
  dialect: Dialect,
  shape: PostQueryShape,
  branches: readonly Branch[],
  order: Order,
  limit: RawBuilder<unknown>,
  page: ScanParameters,
): RawBuilder<unknown> {
  const sources = branches.map((branch) => branchSource(dialect, shape, branch))
  const { maxUnion = branches.length } = dialect
  if (dialect.mergesUnions && branches.length <= maxUnion) {
    const selects = sources.map((source) => selectUnordered(source, order, page))
    return sql`${sql.join(selects, sql` union all `)} order by ${columnOrder(order)} ${limit}`
  }
  // Each is limited to the rows that the page may need.
  const selects = sources.map((source) => {
    const ids = selectIds(source, order, sql`limit ${parameter(page.end)}`, page)
    return sql`select * from (${ids}) b`
  })
  return sql`select * from (${unionOf(selects, maxUnion)}) u order by ${aliasOrder('u', order)} ${limit}`
}

/** Filters the first rows of a scan in order. */
function selectWithin(
  dialect: Dialect,
  shape: PostQueryShape,
  branches: readonly Branch[],
  {
    order,
    limit,
    page,
    within,
  }: {
    readonly order: Order
    readonly limit: RawBuilder<unknown>
    readonly page: PageParameters
    readonly within: number
  },
): RawBuilder<unknown> {
  const unfiltered: PostQueryShape = { ...shape, filters: { dates: shape.filters.dates?.filter(isOfOrder(shape)) } }
  const { authors } = shape.filters
  const hasAuthor = authors !== undefined && hasAuthors(shape)
  const scan = selectMerged(dialect, unfiltered, branches, order, sql`limit ${parameter(within)}`, {
    ...{ ...page, end: within },
    columns: hasAuthor ? [sql`p.author`] : [],
  })
  const { ofPost, ofId } = filterConditions(dialect, shape, sql`w.id`)
  const ofScan = hasAuthor ? [dialect.inList(sql`w.author`, authors, 'integer')] : []
  return sql`select ${heads} from (${scan}) w ${dialect.orderedJoin} posts p on p.id = w.id
    ${whereClause([...ofScan, ...ofId, ...ofPost])} order by ${aliasOrder('w', order)} ${limit}`
}

/** Whether the index that is scanned ends with the author. */
const hasAuthors = ({ order, term }: PostQueryShape) =>
  term === undefined && ['title', 'modified', 'author'].includes(order.by)

/** Whether the index that is scanned has the field. */
const isOfOrder =
  ({ order }: PostQueryShape) =>
  ({ field }: { readonly field: string }) =>
    field === order.by

/** Where an engine limits the selects of a union, unions of unions. */
function unionOf(selects: readonly RawBuilder<unknown>[], most: number): RawBuilder<unknown> {
  if (selects.length <= most) return sql.join(selects, sql` union all `)
  const size = Math.ceil(selects.length / most)
  const groups = Array.from({ length: Math.ceil(selects.length / size) }, (_, at) =>
    selects.slice(at * size, (at + 1) * size),
  )
  return sql.join(
    groups.map((group) => sql`select * from (${unionOf(group, most)})`),
    sql` union all `,
  )
}

function selectIds(
  source: Source,
  order: Order,
  limit: RawBuilder<unknown>,
  page: ScanParameters,
): RawBuilder<unknown> {
  return sql`${selectUnordered(source, order, page)} ${orderBy(source, order)} ${limit}`
}

/** Ids, and their keys in the order. */
function selectUnordered(
  source: Source,
  order: Order,
  { start = [], columns: others = [] }: ScanParameters,
): RawBuilder<unknown> {
  const keys = keysOf(source, order).map(({ expression }, at) => sql`${expression} as ${sql.raw(`k${at}`)}`)
  const columns = sql.join([sql`${source.id} as id`, ...keys, ...others])
  const where = start.length === 0 ? source.where : [...source.where, startsAt(source, order, start)]
  return sql`select ${columns} from ${source.from} ${whereClause(where)}`
}

/** True for the row with these keys and all rows after it. */
function startsAt(source: Source, order: Order, start: readonly number[]): Condition {
  const row = sql.join([...keysOf(source, order).map(({ expression }) => expression), source.id])
  const operator = order.descending ? sql`<=` : sql`>=`
  return sql`(${row}) ${operator} (${sql.join(start.map((index) => parameter(index)))})`
}

function orderBy(source: Source, order: Order): RawBuilder<unknown> {
  const terms = [...keysOf(source, order), { expression: source.id, descending: order.descending }]
  return sql`order by ${sql.join(terms.map(({ expression, descending }) => sql`${expression} ${directionOf(descending)}`))}`
}

function keysOf({ key }: Source, { keys }: Order): readonly Key[] {
  return key === undefined ? keys : keys.map((orderKey) => ({ ...orderKey, expression: key }))
}

function countRows({ from, where }: Source): RawBuilder<unknown> {
  return sql`select count(*) from ${from} ${whereClause(where)}`
}

/** True when counters give the total. */
export function usesCounters(shape: PostQueryShape): boolean {
  const { branches, filters } = shape
  if (branches === undefined || branches.some(({ author, format }) => author !== undefined || format !== undefined)) {
    return false
  }
  return !hasFilters(filters) || countsMedia(shape)
}

/** Files are counted by their type, too; not posts, of which one without a file may be asked for. */
const countsMedia = ({ filters: { mimeTypes, ...others }, hasMimeTypes, term }: PostQueryShape): boolean =>
  mimeTypes !== undefined && hasMimeTypes === true && term === undefined && !hasFilters(others)

function countBranch(dialect: Dialect, shape: PostQueryShape, branch: Branch): RawBuilder<unknown> {
  const { type, status, author, format } = branch
  if (format !== undefined) return countRows(branchSource(dialect, { ...shape, order: ofNone }, branch))
  if (author === undefined && countsMedia(shape)) return countMedia(dialect, shape, branch)
  const formats = author === undefined ? onlyFormats(shape) : undefined
  if (formats !== undefined) return countFormats(dialect, formats, branch)
  if (author !== undefined || hasFilters(shape.filters)) return countRows(branchSource(dialect, shape, branch))
  const counter = sql`c.type = ${parameter(type)} and c.status = ${parameter(status)}`
  if (shape.term === undefined) return sql`select c.count from post_counts c where ${counter}`
  return sql`select c.count from term_counts c where c.term_id = ${parameter(shape.term)} and ${counter}`
}

/** No order: the narrowest index. */
const ofNone: OrderShape = { by: 'id', descending: false }

/** The formats of a query that filters by nothing else. */
function onlyFormats({ filters: { terms, ...others }, term }: PostQueryShape): FormatShape | undefined {
  if (terms === undefined || term !== undefined || hasFilters(others)) return undefined
  const only = 'every' in terms && terms.every.length === 1 ? terms.every[0] : terms
  return only !== undefined && 'formats' in only ? only : undefined
}

/** The few posts of unusual formats are counted; those of the usual one are all others. */
function countFormats(dialect: Dialect, { formats, hasUsual }: FormatShape, { type, status }: Branch) {
  const scope = sql`p.type = ${parameter(type)} and p.status = ${parameter(status)} and ${isUnusual}`
  const rows = sql`select count(*) from ${dialect.withIndex(sql`posts p`, 'posts_by_format')} where ${scope}`
  const isListed = dialect.inList(sql`p.format`, formats, 'text')
  if (!hasUsual) return sql`${rows} and ${isListed}`
  const counter = sql`c.type = ${parameter(type)} and c.status = ${parameter(status)}`
  return sql`select c.count - (${rows} and not ${isListed}) from post_counts c where ${counter}`
}

function countMedia(dialect: Dialect, { filters }: PostQueryShape, { type, status }: Branch): RawBuilder<unknown> {
  // The cast: only queries with such a list come here.
  const kinds = dialect.listTable(filters.mimeTypes as number, 'text')
  const part = sql`${parameter(type)} || ' ' || ${parameter(status)} || ' ' || m.value`
  return sql`select sum(c.count) from list_counts c
    where c.list = 'media' and c.part in (select ${part} from ${kinds} m)`
}

function orderOf(dialect: Dialect, shape: PostQueryShape): Order {
  const { order } = shape
  if (order.by === 'relevance') {
    const rank = { expression: rankExpression(dialect, order.phrase, order.words), descending: false }
    return { keys: [rank, { expression: sql`p.date`, descending: true }], descending: true }
  }
  if ('list' in order) {
    return { keys: [{ expression: positionOf(dialect, order, shape), descending: false }], descending: false }
  }
  const { by, descending } = order
  if (by === 'id') return { keys: [], descending }
  const expressions = by === 'title' ? dialect.textOrder(sql`p.title_folded`) : [sql.ref(`p.${columnOf(by)}`)]
  return { keys: expressions.map((expression) => ({ expression, descending })), descending }
}

/** The position of a row in the list of the order. */
function positionOf(
  dialect: Dialect,
  order: OrderShape & { list: number },
  { path }: PostQueryShape,
): RawBuilder<unknown> {
  if (path === order.by) return sql`l.ordinal`
  const column = order.by === 'ids' ? postId : sql`p.slug`
  const list = dialect.listTable(order.list, order.by === 'ids' ? 'integer' : 'text')
  return sql`(select o.ordinal from ${list} o where o.value = ${column})`
}

const aliasOrder = (table: string, order: Order) => columnOrder(order, `${table}.`)

/** The order by the selected keys. */
function columnOrder({ keys, descending }: Order, prefix = ''): RawBuilder<unknown> {
  const terms = keys.map((key, at) => sql`${sql.ref(`${prefix}k${at}`)} ${directionOf(key.descending)}`)
  return sql.join([...terms, sql`${sql.ref(`${prefix}id`)} ${directionOf(descending)}`])
}

function whereClause(conditions: readonly Condition[]): RawBuilder<unknown> {
  return conditions.length === 0 ? sql`` : sql`where ${and(conditions)}`
}

function directionOf(descending: boolean): RawBuilder<unknown> {
  return descending ? sql`desc` : sql`asc`
}
