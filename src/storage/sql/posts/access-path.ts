/**
 * The access path of a post query: the lookup that finds the fewest rows, or a scan of an index in the requested order.
 * Reads counters where the query alone does not decide.
 */
import { sql } from 'kysely'
import { all, andThen } from '../../../contract/maybe-promise.ts'
import type { MaybePromise, PostQuery } from '../../../contract/storage.ts'
import type { Session } from '../engine/session.ts'
import { countOf, type Statements } from '../engine/statements.ts'
import { MAX_PLAIN_OFFSET } from './keyset-cursors.ts'
import {
  type Along,
  countAlong,
  countFew,
  countSets,
  indexedFilters,
  isOfAuthors,
  readScope,
  requiredTerms,
  type Scope,
  type SizedSet,
  sharedBy,
  sizeOf,
  smallestOf,
  unusualFormats,
} from './lookups.ts'

export type AccessPath = {
  readonly statuses?: readonly { readonly status: string; readonly author?: undefined }[]
} /** `index-scan`: an index in the requested order; `table-scan`: all posts of the types. */ & (
  | { readonly by: 'table-scan' | 'ids' | 'slugs' | 'parents' | 'mime' | 'featured' }
  | ({
      readonly by: 'index-scan'
      /** An index that holds few rows for this query, which are sorted afterwards. */
      readonly along?: Exclude<Along, 'format'>
      /** Each is a scan of the indexes that leave out the posts of the usual format. */
      readonly formats?: readonly string[]
    } & Attempt)
  /** The posts that the search index returns for this query. */
  | { readonly by: 'search'; readonly text: string }
  /** The posts of one term, newest first or oldest first. */
  | ({ readonly by: 'term'; readonly term: number } & Attempt)
  /** The posts that have one of these terms. */
  | { readonly by: 'terms'; readonly terms: readonly number[] }
)

/** A scan may end before the page is full, because matches need not be spread evenly over an order. */
interface Attempt {
  /** The number of rows that it passes at most. */
  readonly within?: number
  /** The number of heads that the page has. */
  readonly wanted?: number
  /** The path if it finds fewer. */
  readonly otherwise?: AccessPath
  /** For an order by relevance: scans by date for the best matches, which come first. */
  readonly ofBest?: boolean
}

export const attemptOf = (path: AccessPath): Attempt => ('within' in path ? path : {})

/** Up to this number of rows, a lookup followed by a sort is faster than a scan in order of which nothing is known. */
const MAX_SORTED = 1000
/** Up to this number of posts of a filter, their texts are compared in place of all that the search index finds. */
const MAX_COMPARED = 5 * MAX_SORTED
/**
 * A scan goes on for so many times the rows after which the page would be full, were its matches spread evenly; and while it costs no
 * more than the lookup in its place.
 */
const PATIENCE = 8
/** The same, for the best of the matches, of which there are fewer. */
const PATIENCE_FOR_BEST = 20
/** A few rows more: of one or two matches, the spread says little. */
const MIN_ATTEMPT = 100

/** What is known of the list whose page is read. */
interface KnownList {
  readonly total: number | undefined
}

/**
 * For the page of a query, if `list` is given; else for its total, which must read all matches where the page stops at the first ones.
 */
export function chooseAccessPath(
  statements: Statements,
  session: Session,
  query: PostQuery,
  list?: KnownList,
): MaybePromise<AccessPath> {
  if (query.ids !== undefined) return { by: 'ids' }
  if (query.slugs !== undefined) return { by: 'slugs' }
  const text = searchText(statements, query)
  if (text === undefined) return pathWithoutSearch(statements, session, query, list)
  if (query.order.by === 'relevance') return pathByRelevance(statements, session, query, text, list?.total)
  return andThen(countHits(statements, session, text), (hits) =>
    hits <= MAX_SORTED ? { by: 'search', text } : pathWithoutSearch(statements, session, query, list),
  )
}

/** The best matches, where they fill the page; else all matches are ranked. */
function pathByRelevance(
  statements: Statements,
  session: Session,
  query: PostQuery,
  text: string,
  total?: number,
): MaybePromise<AccessPath> {
  if (session.isAsync) return { by: 'search', text }
  return andThen(countHits(statements, session, text), (hits) => {
    if (hits <= MAX_SORTED) return { by: 'search', text }
    return andThen(pathToRank(statements, session, query, text), (otherwise) =>
      andThen(scanForBest(statements, session, query, total), (scan) =>
        scan === undefined ? otherwise : { ...scan, wanted: lengthOf(query, total ?? 0), otherwise },
      ),
    )
  })
}

/** The search finds the posts to rank, or a filter that leaves far fewer to compare. */
function pathToRank(
  statements: Statements,
  session: Session,
  query: PostQuery,
  text: string,
): MaybePromise<AccessPath> {
  const sets = requiredTerms(query.terms)
  return andThen(countSets(statements, session, query, sets), (sized) =>
    andThen(readScope(statements, session, query.types), (scope) =>
      andThen(smallestLookup(statements, session, query, { sized, scope, most: MAX_COMPARED }), (lookup) =>
        lookup === undefined || lookup.rows > MAX_COMPARED
          ? { by: 'search', text }
          : withStatuses(query, scope, lookup.path),
      ),
    ),
  )
}

/** Not where few match, and not for a page that only lesser matches may fill. */
function scanForBest(
  statements: Statements,
  session: Session,
  query: PostQuery,
  total = 0,
): MaybePromise<AccessPath | undefined> {
  const { order, offset } = query
  if (total <= MAX_SORTED || offset > MAX_PLAIN_OFFSET || order.by !== 'relevance') return undefined
  const byDate: PostQuery = { ...query, order: { by: 'date', descending: true } }
  return andThen(pathWithoutSearch(statements, session, byDate, undefined), (path) => {
    if (path.by !== 'term' && (path.by !== 'index-scan' || path.along !== undefined)) return undefined
    return andThen(readScope(statements, session, query.types), (scope) => {
      const { statuses = withStatuses(query, scope, path).statuses } = path
      const rows = path.by === 'term' ? total * PATIENCE : sizeOf(scope, query)
      const within = PATIENCE_FOR_BEST * rowsToPass(query, rows, total) + MIN_ATTEMPT
      return { ...path, statuses, within: Math.min(within, MAX_COMPARED), ofBest: true }
    })
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
  if (text === undefined) return attemptOf(path).otherwise ?? path
  // Few are sticky or of an unusual format.
  if (query.sticky || (path.by === 'index-scan' && path.formats)) return path
  const bySearch: AccessPath = { by: 'search', text }
  if (path.by !== 'term') return bySearch
  if (session.isAsync) return path
  return andThen(countSets(statements, session, query, [[path.term]]), ([set]) =>
    (set?.count ?? 0) <= MAX_COMPARED ? path : bySearch,
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
  list: KnownList | undefined,
): MaybePromise<AccessPath> {
  // Most rows have no featured medium.
  if (query.featuredMedia !== undefined && !query.featuredMedia.includes(0)) return { by: 'featured' }
  if (query.parents === undefined) return pathWithoutParents(statements, session, query, list)
  if (!query.parents.includes(0)) return { by: 'parents' }
  // Most rows of most types have the parent 0, but few pages of a deep tree.
  return andThen(
    countFew(statements, session, query.types, { column: 'parent', values: query.parents }, MAX_SORTED),
    (rows) => (rows <= MAX_SORTED ? { by: 'parents' } : pathWithoutParents(statements, session, query, list)),
  )
}

function pathWithoutParents(
  statements: Statements,
  session: Session,
  query: PostQuery,
  list: KnownList | undefined,
): MaybePromise<AccessPath> {
  const { mimeTypes = [] } = query
  if (mimeTypes.length === 0 || mimeTypes.includes('')) return pathByFilters(statements, session, query, list)
  return andThen(
    countFew(statements, session, query.types, { column: 'mime_type', values: mimeTypes }, MAX_SORTED),
    (rows) => (rows <= MAX_SORTED ? { by: 'mime' } : pathByFilters(statements, session, query, list)),
  )
}

function pathByFilters(
  statements: Statements,
  session: Session,
  query: PostQuery,
  list: KnownList | undefined,
): MaybePromise<AccessPath> {
  const sets = requiredTerms(query.terms)
  const [first] = sets
  const isOfTerm = first !== undefined && sets.length === 1 && first.length === 1
  if (isOfTerm && query.order.by === 'date' && !isOfAuthors(query)) {
    return addStatuses(statements, session, query, { by: 'term', term: first[0] as number })
  }
  // Where a statement is a round trip, both are read in one.
  const scopeAhead =
    session.isAsync && list && sets.length > 0 ? readScope(statements, session, query.types) : undefined
  return andThen(all([countSets(statements, session, query, sets), scopeAhead]), ([sized, knownScope]) => {
    const scan = scanOf(query, sized)
    // Without a total, the smallest set is the most that can match.
    const total = list && (list.total ?? smallestOf(sized)?.count)
    if (total !== undefined && scan.rows !== undefined && 'descending' in query.order) {
      return andThen(knownScope ?? readScope(statements, session, query.types), (scope) => {
        const expected = list?.total ?? sharedBy(sized, sizeOf(scope, query))
        return cheaperPath(statements, session, query, { scan, sized, total, expected, scope })
      })
    }
    const smallest = smallestOf(sized)
    const isFew = smallest !== undefined && smallest.count <= MAX_SORTED && smallest.terms !== scan.terms
    if (isFew) return { by: 'terms', terms: smallest.terms }
    return addStatuses(statements, session, query, scan.path)
  })
}

interface Scan {
  readonly path: AccessPath
  /** How many rows it may pass: all of the statuses, or those of a term. Absent where an index has the filter too. */
  readonly rows?: 'all' | number
  /** The set of terms that it scans. */
  readonly terms?: readonly number[]
}

/** The index in the order of the list that holds the fewest other rows. */
function scanOf(query: PostQuery, sized: readonly SizedSet[]): Scan {
  const { authors, order } = query
  // The rows of an author stand together, by id.
  if (authors !== undefined && (order.by === 'author' || (order.by === 'id' && isOfAuthors(query))))
    return { path: { by: 'index-scan', along: 'author' } }
  const smallest = smallestOf(sized)
  const isByAuthor = order.by === 'date' && isOfAuthors(query)
  // The index of an author, of whom each row would have to be read, serves many rows better.
  if (isByAuthor && (smallest === undefined || smallest.count > MAX_SORTED)) return { path: { by: 'index-scan' } }
  const singles = order.by === 'date' ? sized.filter((set) => set.terms.length === 1) : []
  const single = smallestOf(singles)
  if (single !== undefined) {
    const path: AccessPath = { by: 'term', term: single.terms[0] as number }
    return single === smallest ? { path, terms: single.terms } : { path, rows: single.count }
  }
  const formats = unusualFormats(query)
  if (formats !== undefined) return { path: { by: 'index-scan', formats } }
  return { path: { by: 'index-scan' }, rows: 'all' }
}

interface Lookup {
  readonly path: AccessPath
  readonly rows: number
}

interface SizedScan {
  readonly scan: Scan
  readonly sized: readonly SizedSet[]
  /** Of the list, or more where it is not known. */
  readonly total: number
  /** Of the list, or an estimate. */
  readonly expected: number
  readonly scope: Scope
}

/**
 * Matches that are many for their order fill a page soon; those that are few are looked up and sorted. In between a scan that
 * lasts too long gives up, because the matches may stand together at the end of the order.
 */
function cheaperPath(
  statements: Statements,
  session: Session,
  query: PostQuery,
  { scan, sized, total, expected, scope }: SizedScan,
): MaybePromise<AccessPath> {
  const rows = typeof scan.rows === 'number' ? scan.rows : sizeOf(scope, query)
  const inOrder = withStatuses(query, scope, scan.path)
  const passed = rowsToPass(query, rows, expected)
  const most = rows - total + query.limit
  return andThen(smallestLookup(statements, session, query, { sized, scope, most: passed, total }), (lookup) => {
    if (lookup === undefined) return inOrder
    const path = withStatuses(query, scope, lookup.path)
    if (lookup.rows <= passed) return path
    const within = Math.max(PATIENCE * passed + MIN_ATTEMPT, lookup.rows)
    if (2 * within >= most || query.offset > MAX_PLAIN_OFFSET) return inOrder
    return { ...inOrder, within, wanted: lengthOf(query, total), otherwise: lookup.rows < most ? path : inOrder }
  })
}

/** The rows before the end of the page, were the matches spread evenly. A deep page is read from a cursor. */
function rowsToPass({ offset, limit }: PostQuery, rows: number, total: number): number {
  const end = Math.min(offset, MAX_PLAIN_OFFSET) + lengthOf({ offset, limit }, total)
  return total === 0 ? rows : Math.ceil((end * rows) / total)
}

/** The number of heads of the page. */
const lengthOf = ({ offset, limit }: Pick<PostQuery, 'offset' | 'limit'>, total: number): number =>
  Math.max(0, Math.min(limit, total - offset))

/** By the filter that leaves the fewest rows. Filters whose rows no counter has are counted up to `most`. */
function smallestLookup(
  statements: Statements,
  session: Session,
  query: PostQuery,
  known: { readonly sized: readonly SizedSet[]; readonly scope: Scope; readonly most: number; readonly total?: number },
): MaybePromise<Lookup | undefined> {
  const set = smallestOf(known.sized)
  const byTerms: Lookup | undefined = set && { path: { by: 'terms', terms: set.terms }, rows: set.count }
  return indexedFilters(query).reduce<MaybePromise<Lookup | undefined>>(
    (found, along) =>
      andThen(found, (best) => {
        const most = best === undefined ? Math.max(known.most, MAX_COMPARED) : best.rows >> 1
        const count = isOnlyFilter(query, along) ? known.total : undefined
        const counted = count ?? countAlong(statements, session, query, { along, scope: known.scope, most })
        return andThen(counted, (rows) =>
          count === undefined && rows > most ? best : { path: pathAlong(query, along), rows },
        )
      }),
    byTerms,
  )
}

const pathAlong = (query: PostQuery, along: Along): AccessPath =>
  along === 'format' ? { by: 'index-scan', formats: unusualFormats(query) ?? [] } : { by: 'index-scan', along }

/** Then the total is the number of its rows. */
function isOnlyFilter(query: PostQuery, along: Along): boolean {
  const { types, statuses, order, offset, limit, total, ...filters } = query
  const present = Object.values(filters).filter(
    (filter) => filter !== undefined && (filter as { length?: 0 }).length !== 0,
  )
  return present.length === 1 && indexedFilters(query).includes(along) && (query.dates ?? []).length < 2
}

/** A query without statuses covers all of them: the counters list them, and each becomes a branch. */
const withStatuses = (query: PostQuery, scope: Scope, path: AccessPath): AccessPath =>
  query.statuses !== undefined || path.by === 'terms'
    ? path
    : { ...path, statuses: scope.map(({ status }) => ({ status })) }

function addStatuses(
  statements: Statements,
  session: Session,
  query: PostQuery,
  path: AccessPath,
): MaybePromise<AccessPath> {
  if (query.statuses !== undefined) return path
  return andThen(readScope(statements, session, query.types), (scope) => withStatuses(query, scope, path))
}
