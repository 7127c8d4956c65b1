/**
 * The statements of post queries. Inside, ids are found along an index and cut to the window; only then are the heads of
 * those few rows read. Every walk names its index, for SQLite's planner has no statistics here.
 */
import { type CompiledQuery, type Kysely, type RawBuilder, sql } from 'kysely'
import type { Condition } from '../engine/conditions.ts'
import type { Dialect } from '../engine/dialect.ts'
import type { Schema } from '../engine/schema.ts'
import { parameter } from '../engine/statements.ts'
import { filterConditions, hasFilters, rankExpression, scopeConditions } from './conditions.ts'
import { headColumns } from './fields.ts'
import type { Branch, OrderShape, PostQueryShape } from './query-shape.ts'

export interface WindowSlots {
  readonly offset: number
  readonly limit: number
  /** offset + limit */
  readonly end: number
  /**
   * Of a row in the middle of the list, from which the offset counts: what the list is ordered by, and the id; empty for its
   * beginning. Where it is there, the keys of each row stand behind its head.
   */
  readonly from?: readonly number[]
}

interface Source {
  readonly from: RawBuilder<unknown>
  readonly where: readonly Condition[]
  readonly id: RawBuilder<unknown>
  /** Set where the table `p` is not part of the source: what it has instead of the first key. */
  readonly key?: RawBuilder<unknown>
}

interface Key {
  readonly expression: RawBuilder<unknown>
  readonly descending: boolean
}

interface Order {
  readonly keys: readonly Key[]
  /** Of the id, which ends every order. */
  readonly descending: boolean
}

const id = sql`p.id`

/** id, type, status, author, parent and version of the window's rows, in order. */
export function selectHeads(
  db: Kysely<Schema>,
  dialect: Dialect,
  plan: PostQueryShape,
  window: WindowSlots,
): CompiledQuery {
  const order = orderOf(dialect, plan)
  const cut = sql`limit ${parameter(window.limit)} offset ${parameter(window.offset)}`
  const { branches } = plan
  const [only] = branches ?? []
  const isDeep = window.from !== undefined
  if (branches !== undefined && only !== undefined && branches.length > 1) {
    return readHeads(dialect, order, selectMerged(dialect, plan, branches, order, cut, window), isDeep).compile(db)
  }
  const source = only === undefined ? sourceOf(dialect, plan) : branchSource(dialect, plan, only)
  if (source.key !== undefined || dialect.idsFirst || isDeep)
    return readHeads(dialect, order, selectIds(source, order, cut, window), isDeep).compile(db)
  return sql`select ${heads} from ${source.from} ${whereOf(source.where)} ${orderBy(source, order)} ${cut}`.compile(db)
}

const heads = sql.join(headColumns.map((name) => sql.ref(`p.${name}`)))

function readHeads(dialect: Dialect, order: Order, ids: RawBuilder<unknown>, withKeys: boolean): RawBuilder<unknown> {
  const keys = withKeys ? order.keys.map((_, at) => sql`, ${sql.ref(`w.k${at}`)}`) : []
  return sql`select ${heads}${sql.join(keys, sql``)} from (${ids}) w ${dialect.stepJoin} posts p on p.id = w.id
    order by ${outerOrder('w', order)}`
}

export function selectTotal(db: Kysely<Schema>, dialect: Dialect, plan: PostQueryShape): CompiledQuery {
  if (plan.branches === undefined) return countOf(sourceOf(dialect, plan)).compile(db)
  const counts = plan.branches.map((branch) => sql`coalesce((${countBranch(dialect, plan, branch)}), 0)`)
  return sql`select ${sql.join(counts, sql` + `)}`.compile(db)
}

/** The branches of a union, each cut to what the window can need of it. */
function selectMerged(
  dialect: Dialect,
  plan: PostQueryShape,
  branches: readonly Branch[],
  order: Order,
  cut: RawBuilder<unknown>,
  window: WindowSlots,
): RawBuilder<unknown> {
  const each = branches.map((branch) => {
    const ids = selectIds(branchSource(dialect, plan, branch), order, sql`limit ${parameter(window.end)}`, window)
    return sql`select * from (${ids}) b`
  })
  return sql`select * from (${sql.join(each, sql` union all `)}) u order by ${outerOrder('u', order)} ${cut}`
}

function selectIds(
  source: Source,
  order: Order,
  cut: RawBuilder<unknown>,
  { from = [] }: WindowSlots,
): RawBuilder<unknown> {
  const keys = keysOf(source, order).map(({ expression }, at) => sql`${expression} as ${sql.raw(`k${at}`)}`)
  const columns = sql.join([sql`${source.id} as id`, ...keys])
  const where = from.length === 0 ? source.where : [...source.where, notBefore(source, order, from)]
  return sql`select ${columns} from ${source.from} ${whereOf(where)} ${orderBy(source, order)} ${cut}`
}

/** The row whose keys these are, and all that come after it. */
function notBefore(source: Source, order: Order, from: readonly number[]): Condition {
  const row = sql.join([...keysOf(source, order).map(({ expression }) => expression), source.id])
  const sign = order.descending ? sql`<=` : sql`>=`
  return sql`(${row}) ${sign} (${sql.join(from.map((index) => parameter(index)))})`
}

function orderBy(source: Source, order: Order): RawBuilder<unknown> {
  const terms = [...keysOf(source, order), { expression: source.id, descending: order.descending }]
  return sql`order by ${sql.join(terms.map(({ expression, descending }) => sql`${expression} ${directionOf(descending)}`))}`
}

function keysOf({ key }: Source, { keys }: Order): readonly Key[] {
  return key === undefined ? keys : keys.map((own) => ({ ...own, expression: key }))
}

function countOf({ from, where }: Source): RawBuilder<unknown> {
  return sql`select count(*) from ${from} ${whereOf(where)}`
}

/** True when counters answer for the total. */
export function isCounted({ branches, filters }: PostQueryShape): boolean {
  return branches !== undefined && !hasFilters(filters) && branches.every(({ author }) => author === undefined)
}

function countBranch(dialect: Dialect, plan: PostQueryShape, branch: Branch): RawBuilder<unknown> {
  const { type, status, author } = branch
  if (author !== undefined || hasFilters(plan.filters)) return countOf(branchSource(dialect, plan, branch))
  const counter = sql`c.type = ${parameter(type)} and c.status = ${parameter(status)}`
  if (plan.term === undefined) return sql`select c.count from post_counts c where ${counter}`
  return sql`select c.count from term_counts c where c.term_id = ${parameter(plan.term)} and ${counter}`
}

/** One type, one status, perhaps one author: a walk along the index that has the rows in order. */
function branchSource(dialect: Dialect, plan: PostQueryShape, branch: Branch): Source {
  if (plan.term !== undefined) return termSource(dialect, plan, branch, plan.term)
  const { type, status, author } = branch
  const { ofPost, ofId } = filterConditions(dialect, plan, id)
  return {
    from: dialect.by(sql`posts p`, indexOf(plan, author !== undefined)),
    where: [
      sql`p.type = ${parameter(type)}`,
      sql`p.status = ${parameter(status)}`,
      ...authorIs(branch),
      ...ofId,
      ...ofPost,
    ],
    id,
  }
}

/** The posts of one term by date; their rows are read only where a condition asks for them. */
function termSource(dialect: Dialect, plan: PostQueryShape, branch: Branch, term: number): Source {
  const postId = sql`d.post_id`
  const filters = filterConditions(dialect, plan, postId)
  const ofPost = [...authorIs(branch), ...filters.ofPost]
  const walk: Condition[] = [
    sql`d.term_id = ${parameter(term)}`,
    sql`d.type = ${parameter(branch.type)}`,
    sql`d.status = ${parameter(branch.status)}`,
  ]
  const terms = dialect.by(sql`post_terms d`, 'post_terms_by_date')
  return {
    from: ofPost.length === 0 ? terms : sql`${terms} ${dialect.stepJoin} posts p on p.id = d.post_id`,
    where: [...walk, ...filters.ofId, ...ofPost],
    id: postId,
    key: sql`d.date`,
  }
}

function authorIs({ author }: Branch): Condition[] {
  return author === undefined ? [] : [sql`p.author = ${parameter(author)}`]
}

function indexOf({ order, filters }: PostQueryShape, hasAuthor: boolean): string {
  if (filters.sticky) return 'posts_sticky'
  return hasAuthor ? 'posts_by_author' : `posts_by_${order.by}`
}

/** The few rows that the route finds; they are sorted afterwards. */
function sourceOf(dialect: Dialect, plan: PostQueryShape): Source {
  const { ofPost, ofId } = filterConditions(dialect, plan, id)
  const where = [...scopeConditions(dialect, plan), ...ofId, ...ofPost]
  const { route, types } = plan
  // The cast: each of these routes has a start; 'wide' doesn't read it.
  const start = plan.start as number
  const posts = sql`${dialect.stepJoin} posts p on`
  const byType = (index: string) =>
    sql`${dialect.list(types, 'text')} t ${dialect.stepJoin} ${dialect.list(start, index === 'posts_by_slug' ? 'text' : 'integer')} l on 1 = 1
      ${dialect.stepJoin} ${dialect.by(sql`posts p`, index)} on p.type = t.value`
  switch (route) {
    case 'ids':
      return { from: sql`${dialect.list(start, 'integer')} l ${posts} p.id = l.value`, where, id }
    case 'slugs':
      return { from: sql`${byType('posts_by_slug')} and p.slug = l.value`, where, id }
    case 'parents':
      return { from: sql`${byType('posts_by_parent')} and p.parent = l.value`, where, id }
    case 'terms': {
      const having = sql`select distinct x.post_id as id from post_terms x where ${dialect.within(sql`x.term_id`, start, 'integer')}`
      return { from: sql`(${having}) d ${posts} p.id = d.id`, where, id }
    }
    case 'search': {
      if (dialect.search === undefined) throw new Error('there is no search index')
      return { from: sql`${dialect.search.candidates(start)} f ${posts} p.id = f.id`, where, id }
    }
    default:
      return { from: sql`posts p`, where, id }
  }
}

function orderOf(dialect: Dialect, plan: PostQueryShape): Order {
  const { order } = plan
  if (order.by === 'relevance') {
    const rank = { expression: rankExpression(dialect, order.phrase, order.words), descending: false }
    return { keys: [rank, { expression: sql`p.date`, descending: true }], descending: true }
  }
  if ('list' in order) {
    return { keys: [{ expression: placeOf(dialect, order, plan), descending: false }], descending: false }
  }
  const { by, descending } = order
  if (by === 'id') return { keys: [], descending }
  const expressions = by === 'title' ? dialect.textOrder(sql`p.title_folded`) : [sql.ref(`p.${by}`)]
  return { keys: expressions.map((expression) => ({ expression, descending })), descending }
}

function placeOf(
  dialect: Dialect,
  order: OrderShape & { list: number },
  { route }: PostQueryShape,
): RawBuilder<unknown> {
  if (route === order.by) return sql`l.place`
  const column = order.by === 'ids' ? id : sql`p.slug`
  const list = dialect.list(order.list, order.by === 'ids' ? 'integer' : 'text')
  return sql`(select o.place from ${list} o where o.value = ${column})`
}

function outerOrder(table: string, { keys, descending }: Order): RawBuilder<unknown> {
  const terms = keys.map((key, at) => sql`${sql.ref(`${table}.k${at}`)} ${directionOf(key.descending)}`)
  return sql.join([...terms, sql`${sql.ref(`${table}.id`)} ${directionOf(descending)}`])
}

function whereOf(conditions: readonly Condition[]): RawBuilder<unknown> {
  return conditions.length === 0 ? sql`` : sql`where ${sql.join(conditions, sql` and `)}`
}

function directionOf(descending: boolean): RawBuilder<unknown> {
  return descending ? sql`desc` : sql`asc`
}
