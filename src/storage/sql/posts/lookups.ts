/** How many rows the filters of a post query leave, from counters or along an index: what decides between access paths. */
import { sql } from 'kysely'
import { andThen } from '../../../contract/maybe-promise.ts'
import type { MaybePromise, PostQuery, TermTree } from '../../../contract/storage.ts'
import type { Session } from '../engine/session.ts'
import { countOf, parameter, type Statements } from '../engine/statements.ts'
import { conjuncts } from './split-total.ts'

type FewRows =
  | { readonly column: 'parent'; readonly values: readonly number[] }
  | { readonly column: 'mime_type'; readonly values: readonly string[] }

/** The number of rows with these values, along an index; it stops above `most`. */
export function countFew(
  statements: Statements,
  session: Session,
  types: readonly string[],
  { column, values }: FewRows,
  most: number,
): MaybePromise<number> {
  const { dialect } = statements
  const statement = statements.get(`posts.few:${column}`, (db) => {
    const [index, type] =
      column === 'parent' ? (['posts_by_parent', 'integer'] as const) : (['posts_by_mime', 'text'] as const)
    // The condition of the partial index.
    const isFile = column === 'parent' ? sql`` : sql`and p.mime_type <> ''`
    // Lists instead of joins: a planner then knows how rare these values are.
    return sql`select count(*) from (select 1 from ${dialect.withIndex(sql`posts p`, index)}
      where ${dialect.inList(sql`p.type`, 0, 'text')} and ${dialect.inList(sql.ref(`p.${column}`), 1, type)} ${isFile}
      limit ${sql.lit(most + 1)}) few`.compile(db)
  })
  return andThen(session.all(statement, [JSON.stringify(types), JSON.stringify(values)]), countOf)
}

/** The statuses of posts of some types, with the number of their posts. */
export type Scope = readonly { readonly status: string; readonly count: number }[]

export function readScope(statements: Statements, session: Session, types: readonly string[]): MaybePromise<Scope> {
  const statement = statements.get('posts.scope', (db) =>
    sql`select c.status, sum(c.count) from post_counts c
      where ${statements.dialect.inList(sql`c.type`, 0, 'text')} and c.count > 0 group by c.status`.compile(db),
  )
  return andThen(session.all(statement, [JSON.stringify(types)]), (rows) =>
    rows.map(([status, count]) => ({ status: String(status), count: Number(count) })),
  )
}

/** The posts that a scan in order may pass. */
export function sizeOf(scope: Scope, { statuses }: PostQuery): number {
  const names = statuses && new Set(statuses.map(({ status }) => status))
  return scope.reduce((sum, { status, count }) => (names?.has(status) === false ? sum : sum + count), 0)
}

export interface SizedSet {
  readonly terms: readonly number[]
  /** The posts of each of its terms, added up. */
  readonly count: number
}

/** Sets of terms; each matching post has at least one term of every set. */
export function requiredTerms(tree: TermTree | undefined): (readonly number[])[] {
  if (tree === undefined) return []
  if ('every' in tree) return tree.every.flatMap(requiredTerms)
  if (!('terms' in tree) || tree.has === 'none') return []
  return tree.has === 'any' ? [[...new Set(tree.terms)]] : tree.terms.map((term) => [term])
}

export function countSets(
  statements: Statements,
  session: Session,
  query: PostQuery,
  sets: readonly (readonly number[])[],
): MaybePromise<readonly SizedSet[]> {
  if (sets.length === 0) return []
  return andThen(countTerms(statements, session, query, sets.flat()), (counts) =>
    sets.map((terms) => ({ terms, count: terms.reduce((sum, term) => sum + (counts.get(term) ?? 0), 0) })),
  )
}

export const smallestOf = (sized: readonly SizedSet[]): SizedSet | undefined =>
  sized.length === 0 ? undefined : sized.reduce((best, set) => (set.count < best.count ? set : best))

/** How many of these rows all sets have in common, were the sets independent of each other. */
export const sharedBy = (sized: readonly SizedSet[], rows: number): number =>
  sized.reduce((shared, { count }) => shared * Math.min(1, count / Math.max(1, rows)), rows)

/** The posts of the types and statuses that each term has, those of any author. */
export function countTerms(
  statements: Statements,
  session: Session,
  { types, statuses }: PostQuery,
  terms: readonly number[],
): MaybePromise<Map<number, number>> {
  const { dialect } = statements
  const statement = statements.get(`posts.term-counts:${statuses === undefined ? '' : 'statuses'}`, (db) => {
    const ofStatuses = statuses === undefined ? sql`` : sql`and ${dialect.inList(sql`c.status`, 2, 'text')}`
    return sql`select c.term_id, sum(c.count) from term_counts c
      where ${dialect.inList(sql`c.term_id`, 0, 'integer')} and ${dialect.inList(sql`c.type`, 1, 'text')} ${ofStatuses}
      group by c.term_id`.compile(db)
  })
  const names = statuses?.map(({ status }) => status)
  const values = [terms, types, names].filter((list) => list !== undefined).map((list) => JSON.stringify(list))
  return andThen(
    session.all(statement, values),
    (rows) => new Map(rows.map(([term, count]) => [Number(term), Number(count)])),
  )
}

/** An index by which a filter finds its rows, in another order than that of the list. */
export type Along = 'author' | 'date' | 'modified' | 'sticky' | 'format'

/** The format of nearly all posts; the indexes of formats leave it out. */
export const usualFormat = 'standard'
/** Up to this number, each author is a scan of the index by author and date; more are a filter. */
const MAX_AUTHORS = 4
/** Likewise, of formats. */
const MAX_FORMATS = 4

export const isOfAuthors = ({ authors }: PostQuery): boolean => authors !== undefined && authors.length <= MAX_AUTHORS

const hasOwnStatuses = ({ statuses = [] }: PostQuery) => statuses.some(({ author }) => author !== undefined)

/** The formats that all matches have one of, where an index has them. */
export function unusualFormats({ terms }: PostQuery): readonly string[] | undefined {
  const formats = conjuncts(terms).flatMap((tree) => ('formats' in tree ? [tree.formats] : []))[0]
  return formats === undefined || formats.length > MAX_FORMATS || formats.includes(usualFormat) ? undefined : formats
}

/** The indexes that the filters of a query can be looked up along. */
export function indexedFilters(query: PostQuery): Along[] {
  const { dates = [], sticky, order } = query
  const fields = new Set(dates.map(({ field }) => field))
  return [
    ...(sticky === true ? (['sticky'] as const) : []),
    ...(unusualFormats(query) !== undefined ? (['format'] as const) : []),
    // With statuses of one author, the index would be scanned for each of them.
    ...(isOfAuthors(query) && !hasOwnStatuses(query) ? (['author'] as const) : []),
    ...(['date', 'modified'] as const).filter((field) => fields.has(field) && order.by !== field),
  ]
}

/** The number of rows of the statuses that a filter finds along its index; it stops above `most`. */
export function countAlong(
  statements: Statements,
  session: Session,
  query: PostQuery,
  { along, scope, most }: { readonly along: Along; readonly scope: Scope; readonly most: number },
): MaybePromise<number> {
  const { dialect } = statements
  const range = query.dates?.find(({ field }) => field === along)
  const bounds = [...(range?.after === undefined ? [] : ['>']), ...(range?.before === undefined ? [] : ['<'])]
  const statement = statements.get(`posts.along:${along}${bounds.join('')}`, (db) => {
    const scopeOf = sql`${dialect.inList(sql`p.type`, 0, 'text')} and ${dialect.inList(sql`p.status`, 1, 'text')}`
    const column = sql.ref(`p.${along}`)
    const ofRange = bounds.map((operator, at) => sql`and ${column} ${sql.raw(operator)} ${parameter(3 + at)}`)
    const filters = {
      sticky: sql`and p.sticky = 1`,
      author: sql`and ${dialect.inList(sql`p.author`, 3, 'integer')}`,
      format: sql`and ${dialect.inList(sql`p.format`, 3, 'text')} and p.format <> ${sql.lit(usualFormat)}`,
      date: sql.join(ofRange, sql` `),
      modified: sql.join(ofRange, sql` `),
    }
    return sql`select count(*) from (select 1 from ${dialect.withIndex(sql`posts p`, indexAlong[along])}
      where ${scopeOf} ${filters[along]} limit ${parameter(2)}) few`.compile(db)
  })
  const statuses = query.statuses?.map(({ status }) => status) ?? scope.map(({ status }) => status)
  const list = along === 'author' ? query.authors : along === 'format' ? unusualFormats(query) : undefined
  const values = list === undefined ? [range?.after, range?.before] : [JSON.stringify(list)]
  return andThen(
    session.all(statement, [
      ...[JSON.stringify(query.types), JSON.stringify(statuses), Math.ceil(most) + 1],
      ...values.filter((value) => value !== undefined),
    ]),
    countOf,
  )
}

export const indexAlong: { readonly [along in Along]: string } = {
  sticky: 'posts_sticky',
  author: 'posts_in_author_order',
  format: 'posts_by_format',
  date: 'posts_by_date',
  modified: 'posts_by_modified',
}
