/**
 * What of a post query decides the text of its statement. A plan is plain JSON that holds slots instead of values, so the
 * statement for a plan can be kept under it and serves all queries of that shape.
 */
import type { PostOrder, PostQuery, TermTree } from '../../contract.ts'
import { Values } from '../engine/statements.ts'
import type { AccessPath } from './access-path.ts'

/** Numbers are slots, everywhere in a plan. */
export interface PostQueryShape {
  readonly route: AccessPath['by']
  /** The slot of what the route looks up: a list or a search text. */
  readonly start?: number
  /** The slot of the term whose posts the branches walk along. */
  readonly term?: number
  readonly types: number
  /** One walk along an index each, merged; absent where the route needs none. */
  readonly branches?: readonly Branch[]
  readonly statuses?: Statuses
  readonly filters: Filters
  readonly order: OrderShape
}

export interface Branch {
  readonly type: number
  readonly status: number
  readonly author?: number
}

export interface Statuses {
  /** The list of those for everybody's rows. */
  readonly open?: number
  readonly own: readonly { readonly status: number; readonly author: number }[]
}

export interface Filters {
  readonly ids?: number
  readonly notIds?: number
  readonly authors?: number
  readonly notAuthors?: number
  readonly parents?: number
  readonly slugs?: number
  readonly sticky?: boolean
  readonly withPassword?: boolean
  readonly dates?: readonly { readonly field: string; readonly after?: number; readonly before?: number }[]
  readonly terms?: TermShape
  readonly search?: SearchShape
}

export type TermShape =
  | { readonly every: readonly TermShape[] }
  | { readonly some: readonly TermShape[] }
  | { readonly term: number }
  | { readonly any: number }
  | { readonly all: number; readonly count: number }
  | { readonly none: number }
  | { readonly formats: number }

export interface SearchShape {
  readonly every: readonly number[]
  readonly none: readonly number[]
  readonly columns: readonly string[]
  readonly exact: boolean
}

type ColumnOrder = Extract<PostOrder, { readonly descending: boolean }>

export type OrderShape =
  | ColumnOrder
  | { readonly by: 'ids' | 'slugs'; readonly list: number }
  | { readonly by: 'relevance'; readonly phrase: number; readonly words: readonly number[] }

export interface ShapedQuery {
  readonly plan: PostQueryShape
  readonly values: Values
}

/** More walks than this cost more to merge than one wide look. */
const MOST_BRANCHES = 24
/** An author or a few have an index by date; many are a filter. */
const MOST_AUTHORS = 4

/** So many terms are looked for one by one; more are counted, for a planner takes its time with each. */
const MOST_SINGLE = 8

const dateFields = ['date', 'dateGmt', 'modified']
const searchColumns = ['title', 'content', 'excerpt']
const columnOrders = ['date', 'modified', 'id', 'author', 'parent', 'title', 'slug']

export function shapePostQuery(query: PostQuery, route: AccessPath): ShapedQuery {
  const values = new Values()
  const isWalk = (route.by === 'walk' && query.order.by !== 'relevance') || route.by === 'term'
  const branches = isWalk ? branchesOf(query, route, values) : undefined
  const isBranched = branches !== undefined
  const plan: PostQueryShape = {
    route: isBranched ? route.by : withoutBranches(route.by),
    start: isBranched ? undefined : startOf(query, route, values),
    term: isBranched && route.by === 'term' ? values.add(route.term) : undefined,
    types: list(values, query.types) as number,
    branches: branches?.list,
    statuses: isBranched ? undefined : statusesOf(query, values),
    filters: filtersOf(query, route, values, branches?.hasAuthors ?? false),
    order: orderOf(query, values),
  }
  return { plan, values }
}

function withoutBranches(by: AccessPath['by']): AccessPath['by'] {
  if (by === 'term') return 'terms'
  return by === 'walk' ? 'wide' : by
}

function startOf(query: PostQuery, route: AccessPath, values: Values): number | undefined {
  switch (route.by) {
    case 'ids':
      return list(values, query.ids)
    case 'slugs':
      return list(values, query.slugs)
    case 'parents':
      return list(values, query.parents)
    case 'search':
      return values.add(route.text)
    case 'term':
      return values.addList([route.term])
    case 'terms':
      return list(values, route.terms)
    default:
      return undefined
  }
}

interface Branches {
  readonly list: readonly Branch[]
  readonly hasAuthors: boolean
}

function branchesOf(query: PostQuery, route: AccessPath, values: Values): Branches | undefined {
  const statuses = query.statuses ?? route.statuses
  if (statuses === undefined) return undefined
  const open = new Set(statuses.filter(({ author }) => author === undefined).map(({ status }) => status))
  const own = ownStatuses(query)
  const authors = branchAuthors(query, own.length > 0)
  const types = [...new Set(query.types)]
  if (types.length * (open.size * (authors?.length ?? 1) + own.length) > MOST_BRANCHES) return undefined
  const branches: Branch[] = []
  for (const name of types) {
    const type = values.add(name)
    for (const text of open) {
      const status = values.add(text)
      if (authors === undefined) branches.push({ type, status })
      else for (const author of authors) branches.push({ type, status, author: values.add(author) })
    }
    for (const { status, author } of own) {
      branches.push({ type, status: values.add(status), author: values.add(author) })
    }
  }
  return { list: branches, hasAuthors: authors !== undefined }
}

/** The authors that become branches of their own, so that each is walked along its index. */
function branchAuthors({ authors, order }: PostQuery, hasOwn: boolean): readonly number[] | undefined {
  if (authors === undefined || hasOwn || order.by !== 'date') return undefined
  const distinct = [...new Set(authors)]
  return distinct.length <= MOST_AUTHORS ? distinct : undefined
}

/** Statuses of one author's rows, without those that are open to everybody's anyway. */
function ownStatuses({ statuses = [] }: PostQuery): { status: string; author: number }[] {
  const open = new Set(statuses.filter(({ author }) => author === undefined).map(({ status }) => status))
  const own = new Map<string, { status: string; author: number }>()
  for (const { status, author } of statuses) {
    if (author !== undefined && !open.has(status)) own.set(`${author} ${status}`, { status, author })
  }
  return [...own.values()]
}

function statusesOf(query: PostQuery, values: Values): Statuses | undefined {
  if (query.statuses === undefined) return undefined
  const open = query.statuses.filter(({ author }) => author === undefined).map(({ status }) => status)
  return {
    open: open.length > 0 ? list(values, open) : undefined,
    own: ownStatuses(query).map(({ status, author }) => ({ status: values.add(status), author: values.add(author) })),
  }
}

function filtersOf(query: PostQuery, route: AccessPath, values: Values, hasBranchAuthors: boolean): Filters {
  return {
    ids: route.by === 'ids' ? undefined : list(values, query.ids),
    notIds: exclusion(values, query.notIds),
    authors: hasBranchAuthors ? undefined : list(values, query.authors),
    notAuthors: exclusion(values, query.notAuthors),
    parents: route.by === 'parents' ? undefined : list(values, query.parents),
    slugs: route.by === 'slugs' ? undefined : list(values, query.slugs),
    sticky: query.sticky,
    withPassword: query.withPassword,
    dates: datesOf(query, values),
    terms: query.terms && remainingTerms(query.terms, route, values),
    search: query.search && {
      every: query.search.every.map((text) => values.add(text)),
      none: query.search.none.map((text) => values.add(text)),
      columns: query.search.columns.map((column) => known(searchColumns, column)),
      exact: query.search.exact,
    },
  }
}

/** An empty list is no filter: counters answer for such a query. */
function datesOf({ dates = [] }: PostQuery, values: Values): Filters['dates'] {
  if (dates.length === 0) return undefined
  return dates.map(({ field, after, before }) => ({
    field: known(dateFields, field),
    after: after === undefined ? undefined : values.add(after),
    before: before === undefined ? undefined : values.add(before),
  }))
}

/** Without the term that a walk follows: all of its rows have it. */
function remainingTerms(tree: TermTree, route: AccessPath, values: Values): TermShape | undefined {
  if (route.by !== 'term') return termsOf(tree, values)
  const { term } = route
  const isFollowed = (branch: TermTree) =>
    'terms' in branch && branch.has === 'any' && branch.terms.length > 0 && branch.terms.every((id) => id === term)
  const branches = 'every' in tree ? tree.every : [tree]
  const remaining = branches.filter((branch) => !isFollowed(branch))
  return remaining.length === 0 ? undefined : termsOf({ every: remaining }, values)
}

function termsOf(tree: TermTree, values: Values): TermShape {
  if ('every' in tree) return { every: tree.every.map((branch) => termsOf(branch, values)) }
  if ('some' in tree) return { some: tree.some.map((branch) => termsOf(branch, values)) }
  if ('formats' in tree) return { formats: values.addList(tree.formats) }
  const terms = [...new Set(tree.terms)]
  if (tree.has === 'none') return terms.length === 0 ? { every: [] } : { none: values.addList(terms) }
  if (tree.has === 'all' && terms.length > MOST_SINGLE) {
    return { all: values.addList(terms), count: values.add(terms.length) }
  }
  if (tree.has === 'all') return { every: terms.map((term) => ({ term: values.add(term) })) }
  if (terms.length === 1) return { term: values.add(terms[0] as number) }
  return { any: values.addList(terms) }
}

function orderOf(query: PostQuery, values: Values): OrderShape {
  const { order } = query
  if (order.by === 'relevance') {
    return { by: 'relevance', phrase: values.add(order.phrase), words: order.words.map((word) => values.add(word)) }
  }
  if (order.by === 'ids' || order.by === 'slugs') {
    const place = list(values, query[order.by])
    if (place === undefined) throw new TypeError('the order of a list needs that list')
    return { by: order.by, list: place }
  }
  known(columnOrders, order.by)
  // The cast: only those orders are left.
  const { by, descending } = order as ColumnOrder
  return { by, descending }
}

function list(values: Values, wanted: readonly (number | string)[] | undefined): number | undefined {
  return wanted === undefined ? undefined : values.addList([...new Set(wanted)])
}

function exclusion(values: Values, unwanted: readonly number[] | undefined): number | undefined {
  return unwanted === undefined || unwanted.length === 0 ? undefined : list(values, unwanted)
}

function known(names: readonly string[], name: string): string {
  if (!names.includes(name)) throw new TypeError(`unknown field ${name}`)
  return name
}
