/**
 * A total as a sum of totals, each of which counters or an index hold: what a filter leaves out is counted and subtracted,
 * because counters hold the whole.
 */
import type { PostQuery, TermTree } from '../../../contract/storage.ts'

/** Its total is added, or subtracted. */
export interface TotalPart {
  readonly sign: 1 | -1
  readonly query: PostQuery
}

/** Each alternative of a longer list of terms would be a scan of its own. */
const MAX_ALTERNATIVES = 8

/** `counts` has the number of posts of each term of the query. */
export function splitTotal(query: PostQuery, counts: ReadonlyMap<number, number>): readonly TotalPart[] {
  const { terms, ...rest } = inAnyOrder(query)
  return split({ ...rest, ...conditionsOf(conjuncts(terms)) }, counts)
}

/** A total does not depend on the order: equal filters then share their statement and its result. */
function inAnyOrder(query: PostQuery): PostQuery {
  const dates = query.dates ?? []
  const by = dates.some(({ field }) => field === 'modified') && !dates.some(({ field }) => field === 'date')
  return { ...query, order: { by: by ? 'modified' : 'date', descending: true } }
}

/** The conditions that all hold. Alternatives that are all lists of terms are one list. */
export function conjuncts(tree: TermTree | undefined): readonly TermTree[] {
  if (tree === undefined) return []
  if ('every' in tree) return tree.every.flatMap(conjuncts)
  if ('some' in tree) {
    const lists = tree.some.map((branch) => ('terms' in branch && branch.has === 'any' ? branch.terms : undefined))
    return lists.length > 0 && lists.every((list) => list !== undefined)
      ? [{ terms: lists.flat(), has: 'any' }]
      : [tree]
  }
  if ('formats' in tree || tree.has !== 'none') return [tree]
  return tree.terms.length === 0 ? [] : [tree]
}

const conditionsOf = (conditions: readonly TermTree[]): Pick<PostQuery, 'terms'> =>
  conditions.length === 0 ? {} : { terms: { every: conditions } }

/** True where the filters besides those of terms, authors and ids leave a total that counters hold. */
function isCounted(query: PostQuery): boolean {
  const { ids, slugs, parents, notParents, menuOrders, mimeTypes, featuredMedia, withPassword, search, dates } = query
  const others = [ids, slugs, parents, notParents, menuOrders, mimeTypes, featuredMedia, withPassword, search]
  return others.every((filter) => filter === undefined) && (dates ?? []).length === 0 && query.sticky !== true
}

function split(query: PostQuery, counts: ReadonlyMap<number, number>): readonly TotalPart[] {
  if (!isCounted(query)) return [whole(query)]
  return (
    splitIds(query, counts) ??
    splitSticky(query, counts) ??
    splitAuthors(query, counts) ??
    splitTerms(query, counts) ?? [whole(query)]
  )
}

const whole = (query: PostQuery): TotalPart => ({ sign: 1, query })
const less = (parts: readonly TotalPart[]): readonly TotalPart[] =>
  parts.map(({ sign, query }) => ({ sign: sign === 1 ? -1 : 1, query }))

type Split = readonly TotalPart[] | undefined

function splitIds({ notIds = [], ...rest }: PostQuery, counts: ReadonlyMap<number, number>): Split {
  return notIds.length === 0 ? undefined : [...split(rest, counts), ...less([whole({ ...rest, ids: notIds })])]
}

function splitSticky({ sticky, ...rest }: PostQuery, counts: ReadonlyMap<number, number>): Split {
  return sticky === undefined ? undefined : [...split(rest, counts), ...less([whole({ ...rest, sticky: true })])]
}

function splitAuthors({ notAuthors = [], ...rest }: PostQuery, counts: ReadonlyMap<number, number>): Split {
  if (notAuthors.length === 0 || rest.authors !== undefined) return undefined
  return [...split(rest, counts), ...less(split({ ...rest, authors: notAuthors }, counts))]
}

function splitTerms(query: PostQuery, counts: ReadonlyMap<number, number>): Split {
  // The index of an author is walked once instead.
  if (query.authors !== undefined) return undefined
  const { terms, ...rest } = query
  const conditions = conjuncts(terms)
  const none = conditions.find((tree) => 'terms' in tree && tree.has === 'none')
  if (none !== undefined && 'terms' in none) {
    const others = conditions.filter((tree) => tree !== none)
    const excluded = { terms: none.terms, has: 'any' as const }
    return [
      ...split({ ...rest, ...conditionsOf(others) }, counts),
      ...less(split({ ...rest, ...conditionsOf([...others, excluded]) }, counts)),
    ]
  }
  const [only] = conditions
  return conditions.length === 1 && only !== undefined ? splitAlternatives(rest, only, counts) : undefined
}

/** Those of the most frequent term, from its counter; those of each other term without the terms before it. */
function splitAlternatives(rest: PostQuery, tree: TermTree, counts: ReadonlyMap<number, number>): Split {
  if (!('terms' in tree) || tree.has !== 'any') return undefined
  const terms = [...new Set(tree.terms)].sort((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0))
  if (terms.length < 2 || terms.length > MAX_ALTERNATIVES) return undefined
  return terms.map((term, at) => {
    const earlier = at === 0 ? [] : [{ terms: terms.slice(0, at), has: 'none' as const }]
    return whole({ ...rest, terms: { every: [{ terms: [term], has: 'any' }, ...earlier] } })
  })
}

/** All terms that a tree names. */
export function termsOf(tree: TermTree | undefined): readonly number[] {
  if (tree === undefined || 'formats' in tree) return []
  if ('terms' in tree) return tree.terms
  return ('every' in tree ? tree.every : tree.some).flatMap(termsOf)
}
