/**
 * The statements of post queries. Inside, ids are found along an index and cut to the window; only then are the heads of
 * those few rows read. Every walk names its index, for SQLite's planner has no statistics here.
 */
import { type CompiledQuery, type Kysely, type RawBuilder, sql } from 'kysely'
import type { Condition } from './conditions.ts'
import type { Dialect } from './dialect.ts'
import { filterConditions, hasFilters, rankExpression, scopeConditions } from './post-conditions.ts'
import type { Branch, OrderPlan, PostPlan } from './post-plan.ts'
import type { Schema } from './schema.ts'
import { slot } from './statements.ts'

export interface WindowSlots {
  readonly offset: number
  readonly limit: number
  /** offset + limit */
  readonly end: number
}

interface Source {
  readonly from: RawBuilder<unknown>
  readonly where: readonly Condition[]
  readonly id: RawBuilder<unknown>
  /** Overrides the expression of the first key, where the source has it without reading the post. */
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
export function selectHeads(db: Kysely<Schema>, dialect: Dialect, plan: PostPlan, window: WindowSlots): CompiledQuery {
  const order = orderOf(dialect, plan)
  return sql`select p.id, p.type, p.status, p.author, p.parent, p.version
    from (${selectWindow(dialect, plan, order, window)}) w ${dialect.stepJoin} posts p on p.id = w.id
    order by ${outerOrder('w', order)}`.compile(db)
}

export function selectTotal(db: Kysely<Schema>, dialect: Dialect, plan: PostPlan): CompiledQuery {
  if (plan.branches === undefined) return countOf(sourceOf(dialect, plan)).compile(db)
  const counts = plan.branches.map((branch) => sql`coalesce((${countBranch(dialect, plan, branch)}), 0)`)
  return sql`select ${sql.join(counts, sql` + `)}`.compile(db)
}

function selectWindow(dialect: Dialect, plan: PostPlan, order: Order, window: WindowSlots): RawBuilder<unknown> {
  const cut = sql`limit ${slot(window.limit)} offset ${slot(window.offset)}`
  const { branches } = plan
  if (branches === undefined) return selectIds(sourceOf(dialect, plan), order, cut)
  const [only] = branches
  if (only !== undefined && branches.length === 1) return selectIds(branchSource(dialect, plan, only), order, cut)
  const each = branches.map(
    (branch) =>
      sql`select * from (${selectIds(branchSource(dialect, plan, branch), order, sql`limit ${slot(window.end)}`)})`,
  )
  return sql`select * from (${sql.join(each, sql` union all `)}) u order by ${outerOrder('u', order)} ${cut}`
}

function selectIds({ from, where, id, key }: Source, order: Order, cut: RawBuilder<unknown>): RawBuilder<unknown> {
  const keys = order.keys.map((own, at) => ({
    ...own,
    expression: at === 0 && key !== undefined ? key : own.expression,
  }))
  const columns = [sql`${id} as id`, ...keys.map(({ expression }, at) => sql`${expression} as ${sql.raw(`k${at}`)}`)]
  const terms = [...keys, { expression: id, descending: order.descending }]
  const sorted = terms.map(({ expression, descending }) => sql`${expression} ${directionOf(descending)}`)
  return sql`select ${sql.join(columns)} from ${from} ${whereOf(where)} order by ${sql.join(sorted)} ${cut}`
}

function countOf({ from, where }: Source): RawBuilder<unknown> {
  return sql`select count(*) from ${from} ${whereOf(where)}`
}

/** What is counted already is read from its counter. */
function countBranch(dialect: Dialect, plan: PostPlan, branch: Branch): RawBuilder<unknown> {
  const { type, status, author } = branch
  if (author !== undefined || hasFilters(plan.filters)) return countOf(branchSource(dialect, plan, branch))
  const counter = sql`c.type = ${slot(type)} and c.status = ${slot(status)}`
  if (plan.term === undefined) return sql`select c.count from post_counts c where ${counter}`
  return sql`select c.count from term_counts c where c.term_id = ${slot(plan.term)} and ${counter}`
}

/** One type, one status, perhaps one author: a walk along the index that has the rows in order. */
function branchSource(dialect: Dialect, plan: PostPlan, branch: Branch): Source {
  const { type, status, author } = branch
  const filters = filterConditions(dialect, plan)
  const authorCondition: Condition[] = author === undefined ? [] : [sql`p.author = ${slot(author)}`]
  if (plan.term === undefined) {
    const index = indexOf(plan, author !== undefined)
    return {
      from: dialect.by(sql`posts p`, index),
      where: [sql`p.type = ${slot(type)}`, sql`p.status = ${slot(status)}`, ...authorCondition, ...filters],
      id,
    }
  }
  const conditions = [...authorCondition, ...filters]
  const terms = dialect.by(sql`post_terms d`, 'post_terms_by_date')
  return {
    from: conditions.length === 0 ? terms : sql`${terms} ${dialect.stepJoin} posts p on p.id = d.post_id`,
    where: [
      sql`d.term_id = ${slot(plan.term)}`,
      sql`d.type = ${slot(type)}`,
      sql`d.status = ${slot(status)}`,
      ...conditions,
    ],
    id: sql`d.post_id`,
    key: sql`d.date`,
  }
}

function indexOf({ order, filters }: PostPlan, hasAuthor: boolean): string {
  if (filters.sticky) return 'posts_sticky'
  return hasAuthor ? 'posts_by_author' : `posts_by_${order.by}`
}

/** The few rows that the route finds; they are sorted afterwards. */
function sourceOf(dialect: Dialect, plan: PostPlan): Source {
  const where = [...scopeConditions(dialect, plan), ...filterConditions(dialect, plan)]
  const { route, types } = plan
  // The cast: each of these routes has a start; 'wide' doesn't read it.
  const start = plan.start as number
  const posts = sql`${dialect.stepJoin} posts p on`
  const byType = (index: string) =>
    sql`${dialect.list(types, 'text')} t ${dialect.stepJoin} ${dialect.list(start, index === 'posts_by_slug' ? 'text' : 'integer')} l
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
      const { search } = dialect
      if (search === undefined) throw new Error('there is no search index')
      return { from: sql`${search.table} f ${posts} p.id = ${search.id}`, where: [search.matches(start), ...where], id }
    }
    default:
      return { from: sql`posts p`, where, id }
  }
}

function orderOf(dialect: Dialect, plan: PostPlan): Order {
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
  const expression = by === 'title' ? sql`p.title_folded` : sql.ref(`p.${by}`)
  return { keys: [{ expression, descending }], descending }
}

function placeOf(dialect: Dialect, order: OrderPlan & { list: number }, { route }: PostPlan): RawBuilder<unknown> {
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
