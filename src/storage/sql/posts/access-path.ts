/**
 * The access path of a post query: the lookup that finds the fewest rows, or a scan of an index in the requested order.
 * Reads counters where the query alone does not decide.
 */
import { sql } from 'kysely'
import { andThen } from '../../../core/runtime/maybe-promise.ts'
import type { MaybePromise, PostQuery, TermTree } from '../../contract.ts'
import type { Session } from '../engine/session.ts'
import { countOf, type Statements } from '../engine/statements.ts'
import { conjuncts } from './split-total.ts'

export type AccessPath = {
  readonly statuses?: readonly { readonly status: string; readonly author?: undefined }[]
} /** `index-scan`: an index in the requested order; `table-scan`: all posts of the types. */ & (
  | { readonly by: 'table-scan' | 'ids' | 'slugs' | 'parents' | 'mime' | 'featured' }
  /** With `along`: an index that holds few rows for this query, which are sorted afterwards. */
  | { readonly by: 'index-scan'; readonly along?: 'author' | 'date' | 'modified' }
  /** The posts of these formats, none of which is the usual one. */
  | { readonly by: 'formats'; readonly formats: readonly string[] }
  /** The posts that the search index returns for this query. */
  | { readonly by: 'search'; readonly text: string }
  /** The posts of one term, newest first or oldest first. */
  | { readonly by: 'term'; readonly term: number }
  /** The posts that have one of these terms, at most MAX_SORTED. */
  | { readonly by: 'terms'; readonly terms: readonly number[] }
)

/** Up to this number of rows, a lookup followed by a sort is faster than a scan in order. */
const MAX_SORTED = 1000
/** Up to this number of posts of a term, their texts are compared in place of all that the search index finds. */
const MAX_COMPARED = 5 * MAX_SORTED
/** Up to this number, each author is a scan of the index by author and date; more are a filter. */
export const MAX_AUTHORS = 4
/** The format of nearly all posts; the index of formats leaves it out. */
export const usualFormat = 'standard'

/**
 * For the page of a query, whose total is `total` where it is known. With many hits it differs from the path for the total,
 * which must read all of them.
 */
export function chooseAccessPath(
  statements: Statements,
  session: Session,
  query: PostQuery,
  total?: number,
): MaybePromise<AccessPath> {
  if (query.ids !== undefined) return { by: 'ids' }
  if (query.slugs !== undefined) return { by: 'slugs' }
  const text = searchText(statements, query)
  if (text === undefined) return pathWithoutSearch(statements, session, query, total)
  if (query.order.by === 'relevance') return pathByRelevance(statements, session, query, text)
  return andThen(countHits(statements, session, text), (hits) =>
    hits <= MAX_SORTED ? { by: 'search', text } : pathWithoutSearch(statements, session, query, total),
  )
}

/** All matches are ranked: the search finds them, or the terms where these leave far fewer to compare. */
function pathByRelevance(
  statements: Statements,
  session: Session,
  query: PostQuery,
  text: string,
): MaybePromise<AccessPath> {
  const bySearch: AccessPath = { by: 'search', text }
  const sets = query.terms === undefined ? [] : requiredTerms(query.terms)
  if (sets.length === 0 || session.isAsync) return bySearch
  return andThen(countHits(statements, session, text), (hits) => {
    if (hits <= MAX_SORTED) return bySearch
    return andThen(smallestSet(statements, session, query.types, sets), ({ terms, count }) =>
      count <= MAX_COMPARED ? { by: 'terms', terms } : bySearch,
    )
  })
}

/** For the total of a query whose page uses `path`: it compares the texts of all that the path finds. */
export function accessPathOfTotal(
  statements: Statements,
  session: Session,
  query: PostQuery,
  path: AccessPath,
): MaybePromise<AccessPath> {
  const isScan = path.by === 'index-scan' || path.by === 'table-scan'
  if (!isScan && path.by !== 'term') return path
  const text = searchText(statements, query)
  if (text === undefined) return path
  const bySearch: AccessPath = { by: 'search', text }
  if (path.by !== 'term') return bySearch
  if (session.isAsync) return path
  return andThen(smallestSet(statements, session, query.types, [[path.term]]), ({ count }) =>
    count <= MAX_COMPARED ? path : bySearch,
  )
}

function searchText({ dialect }: Statements, { search }: PostQuery): string | undefined {
  // The index has no meta.
  if (search === undefined || search.meta !== undefined) return undefined
  return dialect.search?.indexQuery(search.every)
}

function countHits(statements: Statements, session: Session, text: string): MaybePromise<number> {
  const { search } = statements.dialect
  if (search === undefined) return Number.MAX_SAFE_INTEGER
  const statement = statements.get(
    'posts.hits',
    (db) => sql`select ${search.count(0, MAX_SORTED + 1)}`.compile(db),
    'search',
  )
  const count = () => andThen(session.all(statement, [text]), countOf)
  // The total and the page each choose their path. Where a statement is a round trip, they share it.
  return session.isAsync || session.cached === undefined ? count() : session.cached(`hits ${text}`, count)
}

function pathWithoutSearch(
  statements: Statements,
  session: Session,
  query: PostQuery,
  total?: number,
): MaybePromise<AccessPath> {
  // Most rows have no featured medium.
  if (query.featuredMedia !== undefined && !query.featuredMedia.includes(0)) return { by: 'featured' }
  if (query.parents === undefined) return pathWithoutParents(statements, session, query, total)
  if (!query.parents.includes(0)) return { by: 'parents' }
  // Most rows of most types have the parent 0, but few pages of a deep tree.
  return andThen(countFew(statements, session, query.types, { column: 'parent', values: query.parents }), (rows) =>
    rows <= MAX_SORTED ? { by: 'parents' } : pathWithoutParents(statements, session, query, total),
  )
}

type FewRows =
  | { readonly column: 'parent'; readonly values: readonly number[] }
  | { readonly column: 'mime_type'; readonly values: readonly string[] }

/** The number of rows with these values, along an index; it stops above MAX_SORTED. */
function countFew(
  statements: Statements,
  session: Session,
  types: readonly string[],
  { column, values }: FewRows,
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
      limit ${sql.lit(MAX_SORTED + 1)}) few`.compile(db)
  })
  return andThen(session.all(statement, [JSON.stringify(types), JSON.stringify(values)]), countOf)
}

function pathWithoutParents(
  statements: Statements,
  session: Session,
  query: PostQuery,
  total?: number,
): MaybePromise<AccessPath> {
  const { mimeTypes = [] } = query
  if (mimeTypes.length === 0 || mimeTypes.includes('')) return pathOfTerms(statements, session, query, total)
  return andThen(countFew(statements, session, query.types, { column: 'mime_type', values: mimeTypes }), (rows) =>
    rows <= MAX_SORTED ? { by: 'mime' } : pathOfTerms(statements, session, query, total),
  )
}

function pathOfTerms(
  statements: Statements,
  session: Session,
  query: PostQuery,
  total?: number,
): MaybePromise<AccessPath> {
  const sets = query.terms === undefined ? [] : requiredTerms(query.terms)
  return andThen(pathByTerm(statements, session, query, sets, total), (path) => {
    if (path !== undefined && path.by !== 'term') return path
    return withStatuses(statements, session, query, path ?? pathOfFew(query, total))
  })
}

/** Few matches are found along the index of their filter and sorted: a scan in order would pass all other rows. */
function pathOfFew(query: PostQuery, total = Number.MAX_SAFE_INTEGER): AccessPath {
  const { authors, dates = [], order, terms } = query
  // The rows of an author stand together in this order.
  if (authors !== undefined && order.by === 'author') return { by: 'index-scan', along: 'author' }
  if (total > MAX_SORTED) return { by: 'index-scan' }
  const range = dates.find(({ field }) => field !== 'dateGmt')
  const formats = conjuncts(terms).flatMap((tree) => ('formats' in tree ? [tree.formats] : []))[0]
  // Other filters may leave few of many rows: only a filter on its own tells how many its index has.
  const filters = [authors, range, formats, query.search, query.withPassword].filter((filter) => filter !== undefined)
  if (filters.length !== 1) return { by: 'index-scan' }
  if (authors !== undefined && order.by !== 'date') return { by: 'index-scan', along: 'author' }
  if (formats !== undefined && !formats.includes(usualFormat)) return { by: 'formats', formats }
  if (range === undefined || range.field === 'dateGmt' || order.by === range.field) return { by: 'index-scan' }
  return { by: 'index-scan', along: range.field }
}

function pathByTerm(
  statements: Statements,
  session: Session,
  query: PostQuery,
  sets: readonly (readonly number[])[],
  total?: number,
): MaybePromise<AccessPath | undefined> {
  const [first] = sets
  if (first === undefined) return undefined
  const isByDate = query.order.by === 'date'
  if (isByDate && sets.length === 1 && first.length === 1 && !isOfAuthors(query)) {
    return { by: 'term', term: first[0] as number }
  }
  return andThen(countSets(statements, session, query.types, sets), (sized) => {
    const smallest = sized.reduce((best, set) => (set.count < best.count ? set : best))
    const [term] = smallest.terms
    // The index of an author, of whom each row would have to be read, serves many rows better.
    if (isByDate && isOfAuthors(query) && smallest.count > MAX_SORTED) return undefined
    if (isByDate && smallest.terms.length === 1 && term !== undefined) return { by: 'term', term }
    if (smallest.count <= MAX_SORTED || isRare(smallest.count, total)) return { by: 'terms', terms: smallest.terms }
    const single = sized.filter(({ terms }) => terms.length === 1).sort((a, b) => a.count - b.count)[0]
    return isByDate && single !== undefined ? { by: 'term', term: single.terms[0] as number } : undefined
  })
}

interface SizedSet {
  readonly terms: readonly number[]
  /** The posts of each of its terms, added up. */
  readonly count: number
}

function countSets(
  statements: Statements,
  session: Session,
  types: readonly string[],
  sets: readonly (readonly number[])[],
): MaybePromise<readonly SizedSet[]> {
  return andThen(countTerms(statements, session, types, sets.flat()), (counts) =>
    sets.map((terms) => ({ terms, count: terms.reduce((sum, term) => sum + (counts.get(term) ?? 0), 0) })),
  )
}

function smallestSet(
  statements: Statements,
  session: Session,
  types: readonly string[],
  sets: readonly (readonly number[])[],
): MaybePromise<SizedSet> {
  return andThen(countSets(statements, session, types, sets), (sized) =>
    sized.reduce((best, set) => (set.count < best.count ? set : best)),
  )
}

const isOfAuthors = ({ authors }: PostQuery) => authors !== undefined && authors.length <= MAX_AUTHORS

/** Few of the posts of the term match: a scan in another order would pass many rows, and most of these are never read. */
const isRare = (count: number, total = Number.MAX_SAFE_INTEGER) => total <= MAX_SORTED && count <= 20 * MAX_SORTED

/** Sets of terms; each matching post has at least one term of every set. */
function requiredTerms(tree: TermTree): (readonly number[])[] {
  if ('every' in tree) return tree.every.flatMap(requiredTerms)
  if (!('terms' in tree) || tree.has === 'none') return []
  return tree.has === 'any' ? [[...new Set(tree.terms)]] : tree.terms.map((term) => [term])
}

export function countTerms(
  statements: Statements,
  session: Session,
  types: readonly string[],
  terms: readonly number[],
): MaybePromise<Map<number, number>> {
  const { dialect } = statements
  const statement = statements.get('posts.term-counts', (db) =>
    sql`select c.term_id, sum(c.count) from term_counts c
      where ${dialect.inList(sql`c.term_id`, 0, 'integer')} and ${dialect.inList(sql`c.type`, 1, 'text')}
      group by c.term_id`.compile(db),
  )
  const values = [JSON.stringify(terms), JSON.stringify(types)]
  return andThen(
    session.all(statement, values),
    (rows) => new Map(rows.map(([term, count]) => [Number(term), Number(count)])),
  )
}

/** A query without statuses covers all of them: the counters list them, and each becomes a branch. */
function withStatuses(
  statements: Statements,
  session: Session,
  query: PostQuery,
  path: AccessPath,
): MaybePromise<AccessPath> {
  if (query.statuses !== undefined) return path
  const statement = statements.get('posts.statuses', (db) =>
    sql`select distinct c.status from post_counts c
      where ${statements.dialect.inList(sql`c.type`, 0, 'text')} and c.count > 0`.compile(db),
  )
  return andThen(session.all(statement, [JSON.stringify(query.types)]), (rows) => ({
    ...path,
    statuses: rows.map(([status]) => ({ status: String(status) })),
  }))
}
