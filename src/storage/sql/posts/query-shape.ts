/**
 * The shape of a post query: everything that determines the text of its statement. A shape is JSON with parameter indexes
 * instead of values; it is the key under which the statement is cached.
 */
import type { PostOrder, PostQuery, TermTree } from '../../../contract/storage.ts'
import { bestInTitle } from '../../relevance.ts'
import { Values } from '../engine/statements.ts'
import type { AccessPath } from './access-path.ts'
import { type Along, isOfAuthors, usualFormat } from './lookups.ts'

/** Every number in a shape is a parameter index. */
export interface PostQueryShape {
  readonly path: AccessPath['by']
  /** What the path looks up: a list or a search text. */
  readonly start?: number
  /** The term whose posts the branches scan. */
  readonly term?: number
  readonly types: number
  /** One index scan each, merged; absent where the path is a lookup. */
  readonly branches?: readonly Branch[]
  readonly statuses?: Statuses
  readonly filters: Filters
  /** An index other than that of the order. */
  readonly along?: Exclude<Along, 'format'>
  /** The number of rows that a scan passes at most. */
  readonly within?: number
  /** The lookup is of one term. */
  readonly hasOneTerm?: true
  /** None of the types of files is empty. */
  readonly hasMimeTypes?: true
  readonly order: OrderShape
}

export interface Branch {
  readonly type: number
  readonly status: number
  readonly author?: number
  /** A format other than the usual one. */
  readonly format?: number
}

export interface Statuses {
  /** The list of statuses for rows of any author. */
  readonly anyAuthor?: number
  readonly byAuthor: readonly { readonly status: number; readonly author: number }[]
}

export interface Filters {
  readonly ids?: number
  readonly notIds?: number
  readonly authors?: number
  readonly notAuthors?: number
  readonly parents?: number
  readonly notParents?: number
  readonly menuOrders?: number
  readonly mimeTypes?: number
  readonly featuredMedia?: number
  readonly slugs?: number
  readonly sticky?: boolean
  readonly withPassword?: boolean
  readonly dates?: readonly { readonly field: string; readonly after?: number; readonly before?: number }[]
  readonly terms?: TermShape
  readonly search?: SearchShape
  /** Texts in the title. */
  readonly inTitle?: readonly number[]
}

export type TermShape =
  | { readonly every: readonly TermShape[] }
  | { readonly some: readonly TermShape[] }
  | { readonly term: number }
  | { readonly any: number }
  | { readonly all: number; readonly count: number }
  | { readonly none: number }
  | { readonly formats: number; readonly hasUsual: boolean }

export interface SearchShape {
  readonly every: readonly number[]
  readonly none: readonly number[]
  readonly columns: readonly string[]
  readonly meta?: number
  readonly exact: boolean
}

type ColumnOrder = Extract<PostOrder, { readonly descending: boolean }>

export type OrderShape =
  | ColumnOrder
  | { readonly by: 'ids' | 'slugs'; readonly list: number }
  | { readonly by: 'relevance'; readonly phrase: number; readonly words: readonly number[] }

export interface ShapedQuery {
  readonly shape: PostQueryShape
  readonly values: Values
}

/** Merging more index scans than this costs more than a table scan. */
const MAX_BRANCHES = 24
/** Up to this number, `all` is one `exists` per term; more are counted, because each `exists` takes planning time. */
const MAX_TERM_CONDITIONS = 8

const dateFields = ['date', 'dateGmt', 'modified']
const searchColumns = ['title', 'content', 'excerpt']
const columnOrders = ['date', 'modified', 'id', 'author', 'parent', 'title', 'slug', 'menuOrder']

/** Adds to `values`, which may have those of other queries of the same statement. */
export function shapePostQuery(query: PostQuery, path: AccessPath, values: Values = new Values()): ShapedQuery {
  const { order } = query
  if ('ofBest' in path && path.ofBest && order.by === 'relevance') {
    const inTitle = bestInTitle(order.phrase, order.words).map((text) => values.add(text))
    const byDate: PostQuery = { ...query, order: { by: 'date', descending: true } }
    return shapeScan(byDate, path, values, inTitle.length === 0 ? {} : { inTitle })
  }
  return shapeScan(query, path, values)
}

function shapeScan(query: PostQuery, path: AccessPath, values: Values, best?: Pick<Filters, 'inTitle'>): ShapedQuery {
  const branches = isScanned(query, path) ? branchesOf(query, path, values) : undefined
  const isBranched = branches !== undefined
  const shape: PostQueryShape = {
    path: isBranched ? path.by : withoutBranches(path.by),
    start: isBranched ? undefined : startOf(query, path, values),
    term: isBranched && path.by === 'term' ? values.add(path.term) : undefined,
    types: list(values, query.types) as number,
    branches: branches?.list,
    statuses: isBranched ? undefined : statusesOf(query, values),
    filters: { ...filtersOf(query, path, values, branches), ...best },
    ...(isBranched ? scanOptions(path, values) : {}),
    ...(!isBranched && isOfOneTerm(path) ? { hasOneTerm: true } : {}),
    ...(isOfFiles(query) ? { hasMimeTypes: true } : {}),
    order: orderOf(query, values),
  }
  return { shape, values }
}

function scanOptions(path: AccessPath, values: Values): Pick<PostQueryShape, 'along' | 'within'> {
  return {
    ...(path.by === 'index-scan' && path.along ? { along: path.along } : {}),
    ...('within' in path && path.within !== undefined ? { within: values.add(path.within) } : {}),
  }
}

const isOfOneTerm = (path: AccessPath) => path.by === 'term' || (path.by === 'terms' && path.terms.length === 1)

/** No index has the order by relevance. */
function isScanned({ order }: PostQuery, path: AccessPath): boolean {
  if (path.by === 'term') return true
  if (path.by !== 'index-scan') return false
  return order.by !== 'relevance' || path.along !== undefined || path.formats !== undefined
}

/** True for lists that are scanned along an index. Other lists are sorted completely for each page. */
export const hasCursors = ({ branches, order }: PostQueryShape): boolean =>
  branches !== undefined && 'descending' in order

export function matchesNothing(query: PostQuery, { branches }: PostQueryShape): boolean {
  const lists = [query.types, query.statuses, query.ids, query.authors, query.parents, query.slugs]
  return branches?.length === 0 || lists.some((list) => list?.length === 0)
}

/** Whether all matches are files. */
const isOfFiles = ({ mimeTypes }: PostQuery): boolean => mimeTypes !== undefined && !mimeTypes.includes('')

function withoutBranches(by: AccessPath['by']): AccessPath['by'] {
  if (by === 'term') return 'terms'
  return by === 'index-scan' ? 'table-scan' : by
}

function startOf(query: PostQuery, path: AccessPath, values: Values): number | undefined {
  switch (path.by) {
    case 'ids':
      return list(values, query.ids)
    case 'slugs':
      return list(values, query.slugs)
    case 'parents':
      return list(values, query.parents)
    case 'mime':
      return list(values, query.mimeTypes)
    case 'featured':
      return list(values, query.featuredMedia)
    case 'search':
      return values.add(path.text)
    case 'term':
      return values.addList([path.term])
    case 'terms':
      return list(values, path.terms)
    default:
      return undefined
  }
}

interface Branches {
  readonly list: readonly Branch[]
  readonly hasAuthors: boolean
  readonly formats: readonly string[] | undefined
}

function branchesOf(query: PostQuery, path: AccessPath, values: Values): Branches | undefined {
  const statuses = query.statuses ?? path.statuses
  if (statuses === undefined) return undefined
  const anyAuthor = statusesOfAnyAuthor(statuses)
  const byAuthor = statusesByAuthor(query)
  const types = [...new Set(query.types)]
  const authors = branchAuthors(query, path, byAuthor.length > 0)
  const formats = path.by === 'index-scan' && path.formats !== undefined ? [...new Set(path.formats)] : undefined
  const perStatus = (authors ?? formats ?? [0]).length
  const perAuthor = (formats ?? [0]).length
  if (types.length * (anyAuthor.size * perStatus + byAuthor.length * perAuthor) > MAX_BRANCHES) return undefined
  const valuesOf = (members: readonly (number | string)[] | undefined) => members?.map((member) => values.add(member))
  const branches = types.flatMap((name): Branch[] => {
    const type = values.add(name)
    return [
      ...[...anyAuthor].flatMap((status): readonly Branch[] => {
        const scope = { type, status: values.add(status) }
        return branchesWith('author', valuesOf(authors), branchesWith('format', valuesOf(formats), [scope]))
      }),
      ...byAuthor.flatMap(({ status, author }): readonly Branch[] => {
        const scope = { type, status: values.add(status), author: values.add(author) }
        return branchesWith('format', valuesOf(formats), [scope])
      }),
    ]
  })
  return { list: branches, hasAuthors: authors !== undefined, formats }
}

/** Each branch for each of these values. */
const branchesWith = (
  name: 'author' | 'format',
  members: readonly number[] | undefined,
  branches: readonly Branch[],
): readonly Branch[] =>
  members === undefined
    ? branches
    : members.flatMap((member) => branches.map((branch) => ({ ...branch, [name]: member })))

/** The authors that become branches, each a scan of the index by author. */
function branchAuthors(
  query: PostQuery,
  path: AccessPath,
  hasStatusesByAuthor: boolean,
): readonly number[] | undefined {
  const { authors, order } = query
  const isAlong = path.by === 'index-scan' && path.along === 'author'
  const isByDate = path.by === 'term' || (path.by === 'index-scan' && path.formats === undefined && !path.along)
  if (authors === undefined || hasStatusesByAuthor || !(isAlong || (isByDate && order.by === 'date'))) return undefined
  return isOfAuthors(query) ? [...new Set(authors)] : undefined
}

/** Statuses that match rows of any author. */
function statusesOfAnyAuthor(statuses: NonNullable<PostQuery['statuses'] | AccessPath['statuses']>): Set<string> {
  return new Set(statuses.filter(({ author }) => author === undefined).map(({ status }) => status))
}

/** Statuses that match rows of one author, without those that match rows of any author. */
function statusesByAuthor({ statuses = [] }: PostQuery): { status: string; author: number }[] {
  const anyAuthor = statusesOfAnyAuthor(statuses)
  const byAuthor = new Map<string, { status: string; author: number }>()
  for (const { status, author } of statuses) {
    if (author !== undefined && !anyAuthor.has(status)) byAuthor.set(`${author} ${status}`, { status, author })
  }
  return [...byAuthor.values()]
}

function statusesOf(query: PostQuery, values: Values): Statuses | undefined {
  if (query.statuses === undefined) return undefined
  const anyAuthor = [...statusesOfAnyAuthor(query.statuses)]
  return {
    anyAuthor: anyAuthor.length > 0 ? list(values, anyAuthor) : undefined,
    byAuthor: statusesByAuthor(query).map(({ status, author }) => ({
      status: values.add(status),
      author: values.add(author),
    })),
  }
}

function filtersOf(query: PostQuery, path: AccessPath, values: Values, branches?: Branches): Filters {
  return {
    ids: path.by === 'ids' ? undefined : list(values, query.ids),
    notIds: exclusion(values, query.notIds),
    authors: branches?.hasAuthors ? undefined : list(values, query.authors),
    notAuthors: exclusion(values, query.notAuthors),
    parents: path.by === 'parents' ? undefined : list(values, query.parents),
    notParents: exclusion(values, query.notParents),
    menuOrders: list(values, query.menuOrders),
    mimeTypes: path.by === 'mime' ? undefined : list(values, query.mimeTypes),
    featuredMedia: path.by === 'featured' ? undefined : list(values, query.featuredMedia),
    slugs: path.by === 'slugs' ? undefined : list(values, query.slugs),
    sticky: query.sticky,
    withPassword: query.withPassword,
    dates: datesOf(query, values),
    terms: query.terms && remainingTerms(query.terms, path, values, branches?.formats),
    search: query.search && {
      every: query.search.every.map((text) => values.add(text)),
      none: query.search.none.map((text) => values.add(text)),
      columns: query.search.columns.map((column) => checkedName(searchColumns, column)),
      meta: query.search.meta === undefined ? undefined : values.add(query.search.meta),
      exact: query.search.exact,
    },
  }
}

/** Undefined for an empty list, which is no filter: counters serve the total of a query without filters. */
function datesOf({ dates = [] }: PostQuery, values: Values): Filters['dates'] {
  if (dates.length === 0) return undefined
  return dates.map(({ field, after, before }) => ({
    field: checkedName(dateFields, field),
    after: after === undefined ? undefined : values.add(after),
    before: before === undefined ? undefined : values.add(before),
  }))
}

/** Without the term or the formats that are scanned: all rows of the scan have them. */
function remainingTerms(
  tree: TermTree,
  path: AccessPath,
  values: Values,
  formats: readonly string[] | undefined,
): TermShape | undefined {
  const isScanned = (branch: TermTree) => {
    if ('formats' in branch) return formats?.every((format) => branch.formats.includes(format)) ?? false
    if (!('terms' in branch) || branch.has !== 'any') return false
    const terms = path.by === 'term' ? [path.term] : path.by === 'terms' ? path.terms : undefined
    return terms?.every((id) => branch.terms.includes(id)) ?? false
  }
  const branches = 'every' in tree ? tree.every : [tree]
  const remaining = branches.filter((branch) => !isScanned(branch))
  if (remaining.length === branches.length) return shapeTerms(tree, values)
  return remaining.length === 0 ? undefined : shapeTerms({ every: remaining }, values)
}

function shapeTerms(tree: TermTree, values: Values): TermShape {
  if ('every' in tree) return { every: tree.every.map((branch) => shapeTerms(branch, values)) }
  if ('some' in tree) return { some: tree.some.map((branch) => shapeTerms(branch, values)) }
  if ('formats' in tree) return { formats: values.addList(tree.formats), hasUsual: tree.formats.includes(usualFormat) }
  const terms = [...new Set(tree.terms)]
  if (tree.has === 'none') return terms.length === 0 ? { every: [] } : { none: values.addList(terms) }
  if (tree.has === 'all' && terms.length > MAX_TERM_CONDITIONS) {
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
    const index = list(values, query[order.by])
    if (index === undefined) throw new TypeError('the order of a list needs that list')
    return { by: order.by, list: index }
  }
  checkedName(columnOrders, order.by)
  // The cast: no other orders remain.
  const { by, descending } = order as ColumnOrder
  return { by, descending }
}

function list(values: Values, members: readonly (number | string)[] | undefined): number | undefined {
  return members === undefined ? undefined : values.addList([...new Set(members)])
}

function exclusion(values: Values, members: readonly number[] | undefined): number | undefined {
  return members === undefined || members.length === 0 ? undefined : list(values, members)
}

function checkedName(names: readonly string[], name: string): string {
  if (!names.includes(name)) throw new TypeError(`unknown field ${name}`)
  return name
}
