/**
 * A post query in the form that the rules read: its terms as conditions that all hold, its formats apart, all names checked; and the
 * words of the engine, in which the rules write.
 */
import type { PostQuery, TermTree } from '../../../contract/storage.ts'
import type { Dialect } from '../engine/dialect.ts'
import type { Fragment } from '../engine/fragments.ts'
import { unusualFormat as usualFormat } from '../schema/tables.ts'

/** Posts that have one of the terms. */
interface AnyTerm {
  readonly any: readonly number[]
}
/** Posts that have none of the terms. */
interface NoTerm {
  readonly none: readonly number[]
}
export type TermCondition = AnyTerm | NoTerm | { readonly tree: TermTree }

export interface Criteria extends Omit<PostQuery, 'terms' | 'total' | 'dates'> {
  readonly dialect: Dialect
  readonly dates: NonNullable<PostQuery['dates']>
  readonly terms: readonly TermCondition[]
  /** One of these formats. */
  readonly formats?: readonly string[] | undefined
  /** A format that is neither the usual one nor one of these: what a list of formats leaves out. */
  readonly otherFormats?: readonly string[] | undefined
}

/** Filters by a list of values, of which a match has one. */
export const listFilters = [
  ['ids', 'id'],
  ['slugs', 'slug'],
  ['parents', 'parent'],
  ['authors', 'author'],
  ['menuOrders', 'menu_order'],
  ['mimeTypes', 'mime_type'],
  ['featuredMedia', 'featured_media'],
] as const

/** Filters by a list of values, of which a match has none. */
export const exclusions = [
  ['notIds', 'id'],
  ['notParents', 'parent'],
  ['notAuthors', 'author'],
] as const

const dateFields = ['date', 'dateGmt', 'modified']
const searchColumns = ['title', 'content', 'excerpt']
const orders = ['date', 'modified', 'id', 'author', 'parent', 'title', 'slug', 'menuOrder', 'relevance']

export function criteriaOf(dialect: Dialect, { terms, total: _total, ...query }: PostQuery): Criteria {
  const { order, dates = [], search } = query
  for (const { field } of dates) checkName(dateFields, field)
  for (const column of search?.columns ?? []) checkName(searchColumns, column)
  if (order.by === 'ids' || order.by === 'slugs') {
    if (query[order.by] === undefined) throw new TypeError('the order of a list needs that list')
  } else checkName(orders, order.by)
  const conjuncts = conjunctsOf(terms)
  const formats = conjuncts.flatMap((tree) => ('formats' in tree ? [tree.formats] : []))
  const empty = exclusions.filter(([name]) => query[name]?.length === 0)
  return {
    ...query,
    ...Object.fromEntries(empty.map(([name]) => [name, undefined])),
    dialect,
    types: [...new Set(query.types)],
    dates,
    terms: conjuncts.flatMap((tree) => ('formats' in tree ? [] : [conditionOf(tree)])),
    formats: formats[0]?.filter((format) => formats.every((list) => list.includes(format))),
  }
}

/** Up to this number of terms that a post must all have are looked up one by one; with more, the terms of the post are counted. */
export const mostLookedUp = 8

/** The conditions that all hold. Alternatives that are all lists of terms are one list. */
function conjunctsOf(tree: TermTree | undefined): readonly TermTree[] {
  if (tree === undefined) return []
  if ('every' in tree) return tree.every.flatMap(conjunctsOf)
  if ('some' in tree) {
    const [only] = tree.some
    if (only !== undefined && tree.some.length === 1) return conjunctsOf(only)
    const lists = tree.some.map((branch) => ('terms' in branch && branch.has === 'any' ? branch.terms : undefined))
    return lists.every((list) => list !== undefined) ? [{ terms: lists.flat(), has: 'any' }] : [tree]
  }
  if ('formats' in tree || tree.has === 'any') return [tree]
  if (tree.has === 'all') {
    const terms = [...new Set(tree.terms)]
    const single = terms.slice(0, mostLookedUp).map((term): TermTree => ({ terms: [term], has: 'any' }))
    return terms.length > mostLookedUp ? [...single, tree] : single
  }
  return tree.terms.length === 0 ? [] : [tree]
}

function conditionOf(tree: TermTree): TermCondition {
  if (!('terms' in tree) || tree.has === 'all') return { tree }
  const terms = [...new Set(tree.terms)]
  return tree.has === 'any' ? { any: terms } : { none: terms }
}

/** All terms that the conditions name. */
export function termsOf({ terms }: Criteria): readonly number[] {
  return terms.flatMap((condition) =>
    'any' in condition ? condition.any : 'none' in condition ? condition.none : termsIn(condition.tree),
  )
}

function termsIn(tree: TermTree): readonly number[] {
  if ('formats' in tree) return []
  if ('terms' in tree) return tree.terms
  return ('every' in tree ? tree.every : tree.some).flatMap(termsIn)
}

/** Whether a list is empty of which a match has one value. */
export function matchesNothing(criteria: Criteria): boolean {
  const { types, statuses, formats, terms } = criteria
  const lists = [types, statuses, formats, ...listFilters.map(([name]) => criteria[name])]
  return lists.some((list) => list?.length === 0) || terms.some((each) => 'any' in each && each.any.length === 0)
}

/** The statuses of rows of any author, and those of one author; undefined where all statuses match. */
export function statusesOf({ statuses }: Criteria) {
  if (statuses === undefined) return undefined
  const ofAny = [...new Set(statuses.filter(({ author }) => author === undefined).map(({ status }) => status))]
  const ofOne = statuses.filter(({ status, author }) => author !== undefined && !ofAny.includes(status))
  return { ofAny, ofOne, names: [...new Set(statuses.map(({ status }) => status))] }
}

/** That rows of posts, terms of posts or counters are of the types and of one of the statuses, whatever their authors. */
export function scopeOf(criteria: Criteria, alias: string): Fragment[] {
  const { dialect, types } = criteria
  const names = statusesOf(criteria)?.names
  const isOfType = dialect.inList(`${alias}.type`, types)
  return names === undefined ? [isOfType] : [isOfType, dialect.inList(`${alias}.status`, names)]
}

export const isUsual = (formats: readonly string[]): boolean => formats.includes(usualFormat)

/** Conditions that exclude little: the query without them, and the one of the rows that they leave out. */
export function withoutExclusion(criteria: Criteria): readonly [Criteria, Criteria] | undefined {
  const { ids, slugs, parents, featuredMedia, search, formats, notIds, notAuthors } = criteria
  // Few are left anyway, or all texts are read.
  if ([ids, slugs, parents, featuredMedia, search].some((filter) => filter !== undefined)) return undefined
  const split = (rest: Partial<Criteria>, excluded: Partial<Criteria>) =>
    [
      { ...criteria, ...rest },
      { ...criteria, ...rest, ...excluded },
    ] as const
  if (notIds) return split({ notIds: undefined }, { ids: notIds })
  if (criteria.sticky === false) return split({ sticky: undefined }, { sticky: true })
  if (criteria.withPassword === false) return split({ withPassword: undefined }, { withPassword: true })
  if (formats !== undefined && isUsual(formats) && criteria.otherFormats === undefined) {
    return split({ formats: undefined }, { otherFormats: formats })
  }
  if (notAuthors && criteria.authors === undefined) return split({ notAuthors: undefined }, { authors: notAuthors })
  const at = criteria.terms.findIndex((condition) => 'none' in condition)
  const excluded = criteria.terms[at]
  if (excluded === undefined || !('none' in excluded)) return undefined
  const terms = criteria.terms.toSpliced(at, 1)
  return split({ terms }, { terms: [...terms, { any: excluded.none }] })
}

function checkName(names: readonly string[], name: string): void {
  if (!names.includes(name)) throw new TypeError(`unknown field ${name}`)
}
