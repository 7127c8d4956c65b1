/** The conditions of a post query as SQL, over the table `p`. */

import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { maxRankedWords } from '../../relevance.ts'
import { both, type Condition, either } from '../engine/conditions.ts'
import type { Dialect } from '../engine/dialect.ts'
import { parameter } from '../engine/statements.ts'
import type { Filters, PostQueryShape, SearchShape, Statuses, TermShape } from './query-shape.ts'

const dateColumns: { readonly [field: string]: RawBuilder<unknown> } = {
  date: sql`p.date`,
  dateGmt: sql`p.date_gmt`,
  modified: sql`p.modified`,
}

/** The types and statuses of a plan that has no branches for them. */
export function scopeConditions(dialect: Dialect, { types, statuses }: PostQueryShape): Condition[] {
  const conditions = [dialect.within(dialect.passive(sql`p.type`), types, 'text')]
  if (statuses !== undefined) conditions.push(statusCondition(dialect, statuses))
  return conditions
}

function statusCondition(dialect: Dialect, { open, own }: Statuses): Condition {
  const status = dialect.passive(sql`p.status`)
  const conditions: Condition[] = own.map(
    (branch) =>
      sql`(${status} = ${parameter(branch.status)} and ${dialect.passive(sql`p.author`)} = ${parameter(branch.author)})`,
  )
  if (open !== undefined) conditions.push(dialect.within(status, open, 'text'))
  return either(conditions)
}

export interface FilterConditions {
  /** They read the table `p`. */
  readonly ofPost: readonly Condition[]
  /** They read no more of the post than its id. */
  readonly ofId: readonly Condition[]
}

/** `id` is the post's, in whichever table a statement has it. */
export function filterConditions(dialect: Dialect, plan: PostQueryShape, id: RawBuilder<unknown>): FilterConditions {
  const { terms } = plan.filters
  const ofPost = postConditions(dialect, plan)
  if (terms === undefined) return { ofPost, ofId: [] }
  const condition = termCondition(dialect, terms, id)
  return asksForFormat(terms) ? { ofPost: [...ofPost, condition], ofId: [] } : { ofPost, ofId: [condition] }
}

function postConditions(dialect: Dialect, plan: PostQueryShape): Condition[] {
  const { filters } = plan
  const conditions: Condition[] = []
  const within = (column: RawBuilder<unknown>, list: number | undefined, of: 'integer' | 'text') => {
    if (list !== undefined) conditions.push(dialect.within(dialect.passive(column), list, of))
  }
  within(sql`p.id`, filters.ids, 'integer')
  within(sql`p.author`, filters.authors, 'integer')
  within(sql`p.parent`, filters.parents, 'integer')
  within(sql`p.slug`, filters.slugs, 'text')
  const without = (column: RawBuilder<unknown>, list: number | undefined) => {
    if (list !== undefined) conditions.push(sql`not ${dialect.within(column, list, 'integer')}`)
  }
  without(sql`p.id`, filters.notIds)
  without(sql`p.author`, filters.notAuthors)
  if (filters.sticky !== undefined) conditions.push(filters.sticky ? sql`p.sticky = 1` : sql`p.sticky = 0`)
  if (filters.withPassword !== undefined) {
    conditions.push(filters.withPassword ? sql`p.password <> ''` : sql`p.password = ''`)
  }
  conditions.push(...dateConditions(dialect, plan))
  if (filters.search !== undefined) conditions.push(...searchConditions(dialect, filters.search))
  return conditions
}

function dateConditions(dialect: Dialect, { filters: { dates = [] }, order }: PostQueryShape): Condition[] {
  return dates.flatMap(({ field, after, before }) => {
    const plain = dateColumns[field] as RawBuilder<unknown>
    // The index that gives the order can begin and end where the dates do.
    const column = field === order.by ? plain : dialect.passive(plain)
    const bounds: Condition[] = []
    if (after !== undefined) bounds.push(sql`${column} > ${parameter(after)}`)
    if (before !== undefined) bounds.push(sql`${column} < ${parameter(before)}`)
    return bounds.length > 0 ? bounds : [sql`${column} is not null`]
  })
}

function termCondition(dialect: Dialect, tree: TermShape, id: RawBuilder<unknown>): Condition {
  if ('every' in tree) return both(tree.every.map((branch) => termCondition(dialect, branch, id)))
  if ('some' in tree) return either(tree.some.map((branch) => termCondition(dialect, branch, id)))
  if ('formats' in tree) return dialect.within(dialect.passive(sql`p.format`), tree.formats, 'text')
  const ofPost = sql`select 1 from post_terms x where x.post_id = ${id}`
  if ('term' in tree) return sql`exists (${ofPost} and x.term_id = ${parameter(tree.term)})`
  if ('all' in tree) {
    const having = sql`select count(*) from post_terms x where x.post_id = ${id}`
    return sql`(${having} and ${dialect.within(sql`x.term_id`, tree.all, 'integer')}) = ${parameter(tree.count)}`
  }
  if ('any' in tree) return sql`exists (${ofPost} and ${dialect.within(sql`x.term_id`, tree.any, 'integer')})`
  return sql`not exists (${ofPost} and ${dialect.within(sql`x.term_id`, tree.none, 'integer')})`
}

function asksForFormat(tree: TermShape): boolean {
  if ('every' in tree) return tree.every.some(asksForFormat)
  return 'some' in tree ? tree.some.some(asksForFormat) : 'formats' in tree
}

function searchConditions(dialect: Dialect, { every, none, columns, exact }: SearchShape): Condition[] {
  const occurs = (text: number): Condition =>
    either(
      columns.map((column) => {
        const folded = foldedColumn(column)
        return exact ? sql`${folded} = ${parameter(text)}` : dialect.holds(folded, parameter(text))
      }),
    )
  return [...every.map(occurs), ...none.map((text) => sql<SqlBool>`not ${occurs(text)}`)]
}

/** `rank` of storage/relevance.ts. */
export function rankExpression(dialect: Dialect, phrase: number, words: readonly number[]): RawBuilder<number> {
  const inTitle = words.map((word) => dialect.holds(foldedColumn('title'), parameter(word)))
  const countsWords = words.length > 0 && words.length <= maxRankedWords
  const byWords = countsWords ? sql`when ${both(inTitle)} then 2 when ${either(inTitle)} then 3` : sql``
  const holds = (column: string) =>
    sql`${parameter(phrase)} <> '' and ${dialect.holds(foldedColumn(column), parameter(phrase))}`
  return sql`case when ${holds('title')} then 1 ${byWords} when ${holds('excerpt')} then 4 when ${holds('content')} then 5 else 6 end`
}

function foldedColumn(column: string): RawBuilder<string> {
  return sql.ref(`p.${column}_folded`)
}

export function hasFilters(filters: Filters): boolean {
  return Object.values(filters).some((filter) => filter !== undefined)
}
