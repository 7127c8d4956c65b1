/**
 * Lists whose statements follow from the query alone, because no rule asks for a size: the usual ones of front ends. They are composed
 * once for a query, and not with each call.
 */

import { all, andThen } from '../../../contract/maybe-promise.ts'
import type { IdsPageEntry, MaybePromise, PostQuery } from '../../../contract/storage.ts'
import type { ListWords } from '../engine/dialect.ts'
import type { Fragment, SqlValue } from '../engine/fragments.ts'
import type { Session } from '../engine/session.ts'
import { countOf, type Statement, type Statements } from '../engine/statements.ts'
import { type Criteria, criteriaOf, matchesNothing } from './criteria.ts'
import { headOf } from './fields.ts'
import { pagesOf, sizesOfPage } from './pages.ts'
import { Sizes } from './sizes.ts'
import { isCounted, type Part, partsOf, sizesOfPart, totalKeyOf, totalOf } from './totals.ts'

interface Bound {
  readonly statement: Statement
  readonly values: readonly SqlValue[]
}

interface BoundTotal extends Bound {
  /** Absent where the total reads no more than counters, and in long queries. */
  readonly cached?: { readonly key: string; readonly types: readonly string[] }
}

interface ComposedList {
  /** Absent where none is requested. */
  readonly total?: BoundTotal
  /** Absent where the rules have to ask for sizes first, and in a list that nothing matches. */
  readonly page?: Bound
  readonly criteria: Criteria
  readonly isEmpty: boolean
  /** Absent in long queries. */
  readonly key?: string
}

/** Longer queries, with lists of ids for example, are not asked again. */
const maxKey = 1000

export function composedList(statements: Statements, query: PostQuery): ComposedList {
  const key = `list ${JSON.stringify(query)}`
  if (key.length > maxKey) return compose(statements, query)
  // A copy, because the caller may change the lists of the query.
  return statements.composed(key, () => ({ ...compose(statements, structuredClone(query)), key }))
}

function compose(statements: Statements, query: PostQuery): ComposedList {
  const criteria = criteriaOf(query)
  if (matchesNothing(criteria)) return { criteria, isEmpty: true }
  const words = statements.dialect.lists
  const parts = query.total ? partsOf(criteria) : []
  if (asksForSizes(words, criteria, parts)) return { criteria, isEmpty: false }
  const bind = (fragment: Fragment, kind: Statement['kind']): Bound => ({
    statement: statements.of(fragment, kind),
    values: fragment.values,
  })
  const none = new Sizes(new Map())
  const [page] = pagesOf(words, criteria, none, undefined)
  const ofTotal = () => {
    const total = totalOf(words, parts, none)
    if (isCounted(words, parts)) return bind(total, undefined)
    const key = totalKeyOf(criteria)
    return { ...bind(total, 'list'), ...(key.length <= maxKey && { cached: { key, types: criteria.types } }) }
  }
  return {
    criteria,
    isEmpty: false,
    ...(query.total && { total: ofTotal() }),
    ...(page && { page: bind(page.statement, page.isBounded ? undefined : 'list') }),
  }
}

/** By relevance, a page may need several statements. */
function asksForSizes(words: ListWords, criteria: Criteria, parts: readonly Part[]): boolean {
  if (criteria.order.by === 'relevance' || criteria.search !== undefined) return true
  return sizesOfPage(words, criteria).length > 0 || parts.some((part) => sizesOfPart(words, part).length > 0)
}

/** Where each statement is a round trip, both are sent at once; else a page behind the end is not read. */
export function readComposed(
  session: Session,
  page: Bound,
  total: BoundTotal | undefined,
  offset: number,
): MaybePromise<{ idsPage: IdsPageEntry[]; total: number }> {
  const read = ({ statement, values }: Bound) => session.all(statement, values)
  const entries = () => andThen(read(page), (rows) => rows.map(headOf))
  if (total === undefined) return andThen(entries(), (idsPage) => ({ idsPage, total: 0 }))
  if (session.isAsync) {
    return andThen(all([entries(), read(total)]), ([idsPage, rows]) => ({ idsPage, total: countOf(rows) }))
  }
  const counted = () => andThen(read(total), countOf)
  const { cached } = session
  const kept = total.cached && cached ? cached(total.cached.key, counted, total.cached.types) : counted()
  return andThen(kept, (count) => {
    if (count <= offset) return { idsPage: [], total: count }
    return andThen(entries(), (idsPage) => ({ idsPage, total: count }))
  })
}
