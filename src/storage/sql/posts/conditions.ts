/** The conditions of a post query as SQL, on the posts table with the alias `p`. */
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { maxRankedWords } from '../../relevance.ts'
import { and, type Condition, or } from '../engine/conditions.ts'
import type { Dialect } from '../engine/dialect.ts'
import { parameter } from '../engine/statements.ts'
import type { Filters, PostQueryShape, SearchShape, Statuses, TermShape } from './query-shape.ts'

const dateColumns: { readonly [field: string]: RawBuilder<unknown> } = {
  date: sql`p.date`,
  dateGmt: sql`p.date_gmt`,
  modified: sql`p.modified`,
}

/** The types and statuses of a query without branches. */
export function scopeConditions(dialect: Dialect, { types, statuses }: PostQueryShape): Condition[] {
  const conditions = [dialect.inList(dialect.unindexed(sql`p.type`), types, 'text')]
  if (statuses !== undefined) conditions.push(statusCondition(dialect, statuses))
  return conditions
}

function statusCondition(dialect: Dialect, { anyAuthor, byAuthor }: Statuses): Condition {
  const status = dialect.unindexed(sql`p.status`)
  const conditions: Condition[] = byAuthor.map(
    (branch) =>
      sql`(${status} = ${parameter(branch.status)} and ${dialect.unindexed(sql`p.author`)} = ${parameter(branch.author)})`,
  )
  if (anyAuthor !== undefined) conditions.push(dialect.inList(status, anyAuthor, 'text'))
  return or(conditions)
}

interface FilterConditions {
  /** Conditions that read the table `p`. */
  readonly ofPost: readonly Condition[]
  /** Conditions that read only the id of the post. */
  readonly ofId: readonly Condition[]
}

/** `id` is the column of the statement that has the id of the post. */
export function filterConditions(dialect: Dialect, shape: PostQueryShape, id: RawBuilder<unknown>): FilterConditions {
  const { terms } = shape.filters
  const ofPost = postConditions(dialect, shape)
  if (terms === undefined) return { ofPost, ofId: [] }
  // A scan that ends when the page is full must not be joined with all posts of a term.
  const end = shape.within === undefined ? sql`` : dialect.rowByRow
  const condition = termCondition(dialect, terms, { id, end })
  return readsFormat(terms) ? { ofPost: [...ofPost, condition], ofId: [] } : { ofPost, ofId: [condition] }
}

function postConditions(dialect: Dialect, shape: PostQueryShape): Condition[] {
  const { filters } = shape
  const conditions: Condition[] = []
  const include = (column: RawBuilder<unknown>, list: number | undefined, type: 'integer' | 'text') => {
    if (list !== undefined) conditions.push(dialect.inList(dialect.unindexed(column), list, type))
  }
  include(sql`p.id`, filters.ids, 'integer')
  include(sql`p.author`, filters.authors, 'integer')
  include(sql`p.parent`, filters.parents, 'integer')
  include(sql`p.slug`, filters.slugs, 'text')
  include(sql`p.menu_order`, filters.menuOrders, 'integer')
  include(sql`p.mime_type`, filters.mimeTypes, 'text')
  include(sql`p.featured_media`, filters.featuredMedia, 'integer')
  const exclude = (column: RawBuilder<unknown>, list: number | undefined) => {
    if (list !== undefined) conditions.push(sql`not ${dialect.inList(column, list, 'integer')}`)
  }
  exclude(sql`p.id`, filters.notIds)
  exclude(sql`p.author`, filters.notAuthors)
  exclude(sql`p.parent`, filters.notParents)
  if (filters.sticky !== undefined) conditions.push(filters.sticky ? sql`p.sticky = 1` : sql`p.sticky = 0`)
  if (filters.withPassword !== undefined) {
    conditions.push(filters.withPassword ? sql`p.password <> ''` : sql`p.password = ''`)
  }
  conditions.push(...dateConditions(dialect, shape))
  // Before the longer texts.
  for (const text of filters.inTitle ?? []) conditions.push(dialect.contains(foldedColumn('title'), parameter(text)))
  if (filters.search !== undefined) conditions.push(...searchConditions(dialect, filters.search))
  return conditions
}

function dateConditions(dialect: Dialect, { filters: { dates = [] }, order, along }: PostQueryShape): Condition[] {
  return dates.flatMap(({ field, after, before }) => {
    const dateColumn = dateColumns[field] as RawBuilder<unknown>
    // The index that is scanned can be scanned between the bounds.
    const column = field === (along ?? order.by) ? dateColumn : dialect.unindexed(dateColumn)
    const bounds: Condition[] = []
    if (after !== undefined) bounds.push(sql`${column} > ${parameter(after)}`)
    if (before !== undefined) bounds.push(sql`${column} < ${parameter(before)}`)
    return bounds.length > 0 ? bounds : [sql`${column} is not null`]
  })
}

/** What the subqueries of conditions on terms have in common. */
interface TermSubquery {
  readonly id: RawBuilder<unknown>
  readonly end: RawBuilder<unknown>
}

function termCondition(dialect: Dialect, tree: TermShape, subquery: TermSubquery): Condition {
  if ('every' in tree) return and(tree.every.map((branch) => termCondition(dialect, branch, subquery)))
  if ('some' in tree) return or(tree.some.map((branch) => termCondition(dialect, branch, subquery)))
  if ('formats' in tree) return dialect.inList(dialect.unindexed(sql`p.format`), tree.formats, 'text')
  const { id, end } = subquery
  const ofPost = sql`select 1 from post_terms x where x.post_id = ${id}`
  if ('term' in tree) return sql`exists (${ofPost} and x.term_id = ${parameter(tree.term)}${end})`
  if ('all' in tree) {
    const count = sql`select count(*) from post_terms x where x.post_id = ${id}`
    return sql`(${count} and ${dialect.inList(sql`x.term_id`, tree.all, 'integer')}) = ${parameter(tree.count)}`
  }
  if ('any' in tree) return sql`exists (${ofPost} and ${dialect.inList(sql`x.term_id`, tree.any, 'integer')}${end})`
  return sql`not exists (${ofPost} and ${dialect.inList(sql`x.term_id`, tree.none, 'integer')}${end})`
}

function readsFormat(tree: TermShape): boolean {
  if ('every' in tree) return tree.every.some(readsFormat)
  return 'some' in tree ? tree.some.some(readsFormat) : 'formats' in tree
}

function searchConditions(dialect: Dialect, { every, none, columns, meta, exact }: SearchShape): Condition[] {
  const matchesText = (folded: RawBuilder<string>, text: number): Condition =>
    exact ? sql`${folded} = ${parameter(text)}` : dialect.contains(folded, parameter(text))
  const matchesMeta = (key: number, text: number): Condition =>
    sql`exists (select 1 from meta m where m.owner = 'post' and m.owner_id = p.id and m.key = ${parameter(key)}
      and ${matchesText(sql`lower(${dialect.jsonText(sql`m.value`)})`, text)})`
  const matches = (text: number): Condition =>
    or([
      ...columns.map((column) => matchesText(foldedColumn(column), text)),
      ...(meta === undefined ? [] : [matchesMeta(meta, text)]),
    ])
  return [...every.map(matches), ...none.map((text) => sql<SqlBool>`not ${matches(text)}`)]
}

/** `rank` of storage/relevance.ts as an expression. */
export function rankExpression(dialect: Dialect, phrase: number, words: readonly number[]): RawBuilder<number> {
  const inTitle = words.map((word) => dialect.contains(foldedColumn('title'), parameter(word)))
  const ranksWords = words.length > 0 && words.length <= maxRankedWords
  const byWords = ranksWords ? sql`when ${and(inTitle)} then 2 when ${or(inTitle)} then 3` : sql``
  const hasPhrase = (column: string) =>
    sql`${parameter(phrase)} <> '' and ${dialect.contains(foldedColumn(column), parameter(phrase))}`
  return sql`case when ${hasPhrase('title')} then 1 ${byWords} when ${hasPhrase('excerpt')} then 4 when ${hasPhrase('content')} then 5 else 6 end`
}

function foldedColumn(column: string): RawBuilder<string> {
  return sql.ref(`p.${column}_folded`)
}

export function hasFilters(filters: Filters): boolean {
  return Object.values(filters).some((filter) => filter !== undefined)
}
