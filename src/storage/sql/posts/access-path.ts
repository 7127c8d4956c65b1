/**
 * Where a post query starts: at what finds the fewest rows, or along an index in the order that is asked for. Looks at
 * counters where the query alone does not tell.
 */

import { sql } from 'kysely'
import { andThen } from '../../../core/runtime/maybe-promise.ts'
import type { MaybePromise, PostQuery, TermTree } from '../../contract.ts'
import type { Session } from '../engine/session.ts'
import type { Statements } from '../engine/statements.ts'

export type AccessPath = { readonly statuses?: readonly { readonly status: string; readonly author?: undefined }[] } & (
  | { readonly by: 'walk' | 'wide' | 'ids' | 'slugs' | 'parents' }
  /** The posts that the search index gives for this text. */
  | { readonly by: 'search'; readonly text: string }
  /** The posts of one term, newest first or oldest first. */
  | { readonly by: 'term'; readonly term: number }
  /** The few posts that have one of these terms. */
  | { readonly by: 'terms'; readonly terms: readonly number[] }
)

/** Up to here rows are found and then sorted; from here on, walking in order meets enough of them soon. */
const FEW = 1000

/** For the window. With many hits it differs from the route for the total, which has to look at all of them. */
export function chooseAccessPath(statements: Statements, session: Session, query: PostQuery): MaybePromise<AccessPath> {
  if (query.ids !== undefined) return { by: 'ids' }
  if (query.slugs !== undefined) return { by: 'slugs' }
  const text = searchText(statements, query)
  if (text === undefined) return routeWithoutSearch(statements, session, query)
  if (query.order.by === 'relevance') return { by: 'search', text }
  return andThen(countHits(statements, session, text), (hits) =>
    hits <= FEW ? { by: 'search', text } : routeWithoutSearch(statements, session, query),
  )
}

/** For the total of a query whose window takes `route`. */
export function accessPathOfTotal(statements: Statements, query: PostQuery, route: AccessPath): AccessPath {
  if (route.by !== 'walk' && route.by !== 'wide') return route
  const text = searchText(statements, query)
  return text === undefined ? route : { by: 'search', text }
}

function searchText({ dialect }: Statements, { search }: PostQuery): string | undefined {
  if (search === undefined) return undefined
  return dialect.search?.textFor(search.every)
}

function countHits(statements: Statements, session: Session, text: string): MaybePromise<number> {
  const { search } = statements.dialect
  if (search === undefined) return Number.MAX_SAFE_INTEGER
  const statement = statements.get('posts.hits', (db) => sql`select ${search.count(0, FEW + 1)}`.compile(db))
  return andThen(session.all(statement, [text]), (rows) => Number(rows[0]?.[0] ?? 0))
}

function routeWithoutSearch(statements: Statements, session: Session, query: PostQuery): MaybePromise<AccessPath> {
  // 0 is the parent of most rows.
  if (query.parents !== undefined && !query.parents.includes(0)) return { by: 'parents' }
  const sets = query.terms === undefined ? [] : requiredTerms(query.terms)
  return andThen(routeByTerm(statements, session, query, sets), (route) => {
    if (route !== undefined && route.by !== 'term') return route
    return withStatuses(statements, session, query, route ?? { by: 'walk' })
  })
}

function routeByTerm(
  statements: Statements,
  session: Session,
  query: PostQuery,
  sets: readonly (readonly number[])[],
): MaybePromise<AccessPath | undefined> {
  const [first] = sets
  if (first === undefined) return undefined
  const isByDate = query.order.by === 'date'
  if (isByDate && sets.length === 1 && first.length === 1) return { by: 'term', term: first[0] as number }
  return andThen(countTerms(statements, session, query, sets.flat()), (counts) => {
    const sized = sets.map((terms) => ({ terms, count: terms.reduce((sum, term) => sum + (counts.get(term) ?? 0), 0) }))
    const least = sized.reduce((best, set) => (set.count < best.count ? set : best))
    const [term] = least.terms
    if (isByDate && least.terms.length === 1 && term !== undefined) return { by: 'term', term }
    if (least.count <= FEW) return { by: 'terms', terms: least.terms }
    const single = sized.filter(({ terms }) => terms.length === 1).sort((a, b) => a.count - b.count)[0]
    return isByDate && single !== undefined ? { by: 'term', term: single.terms[0] as number } : undefined
  })
}

/** Sets of terms of which each post of the answer has at least one. */
function requiredTerms(tree: TermTree): (readonly number[])[] {
  if ('every' in tree) return tree.every.flatMap(requiredTerms)
  if (!('terms' in tree) || tree.has === 'none') return []
  return tree.has === 'any' ? [[...new Set(tree.terms)]] : tree.terms.map((term) => [term])
}

function countTerms(
  statements: Statements,
  session: Session,
  query: PostQuery,
  terms: readonly number[],
): MaybePromise<Map<number, number>> {
  const { dialect } = statements
  const statement = statements.get('posts.term-counts', (db) =>
    sql`select c.term_id, sum(c.count) from term_counts c
      where ${dialect.within(sql`c.term_id`, 0, 'integer')} and ${dialect.within(sql`c.type`, 1, 'text')}
      group by c.term_id`.compile(db),
  )
  const values = [JSON.stringify(terms), JSON.stringify(query.types)]
  return andThen(
    session.all(statement, values),
    (rows) => new Map(rows.map(([term, count]) => [Number(term), Number(count)])),
  )
}

/** A query without statuses means all there are: the counters name them, and each becomes a branch. */
function withStatuses(
  statements: Statements,
  session: Session,
  query: PostQuery,
  route: AccessPath,
): MaybePromise<AccessPath> {
  if (query.statuses !== undefined) return route
  const statement = statements.get('posts.statuses', (db) =>
    sql`select distinct c.status from post_counts c
      where ${statements.dialect.within(sql`c.type`, 0, 'text')} and c.count > 0`.compile(db),
  )
  return andThen(session.all(statement, [JSON.stringify(query.types)]), (rows) => ({
    ...route,
    statuses: rows.map(([status]) => ({ status: String(status) })),
  }))
}
