/**
 * The tags of lists of posts. A list depends on which posts a type and a status have (or, where it names authors, parents, terms or
 * slugs, on which of them these have), and on the other columns by which it is filtered and ordered. The tags of a query and the tags of
 * a change are made here from the same names: a property test holds that no change of a result is missed.
 */
import type { Post, PostQuery, TermTree } from '../../contract/storage.ts'
import {
  any,
  assignedTag,
  authorsPart,
  byColumn,
  columnTag,
  headColumns,
  maxParts,
  metaKeyTag,
  metaTag,
  parentPart,
  postsTag,
  rowTag,
  slugPart,
} from './tag-names.ts'

/** The columns by which lists are filtered and ordered. */
const listColumns = [
  ...['author', 'parent', 'slug', 'date', 'dateGmt', 'modified', 'password', 'format', 'sticky'],
  ...['featuredMedia', 'mimeType', 'menuOrder', 'title', 'excerpt', 'content'],
] as const satisfies readonly (keyof Post)[]

type ListColumn = (typeof listColumns)[number] | 'terms'

const authorPart = (id: number) => `author:${id}`
const termPart = (id: number) => `term:${id}`

// ---------------------------------------------------------------- queries

/** Returns the tags of the result of a query, apart from those of the rows that it has found. */
export function tagsOfPostQuery(query: PostQuery): readonly string[] {
  if (query.ids && query.ids.length <= maxParts) {
    const columns = [...columnsOf(query)].filter((column) => column !== 'terms')
    return query.ids.flatMap((id) => [
      ...[rowTag('post', id), columnTag('post', id, headColumns)],
      ...columns.map((column) => columnTag('post', id, column)),
      ...(query.terms ? [assignedTag(id)] : []),
      ...(query.search?.meta ?? []).map((key) => metaTag('post', id, key)),
    ])
  }
  const lists = listsOf(query)
  const { parts, columns } = partsOf(query)
  const own = parts === undefined ? lists.map(([type, status]) => postsTag(type, status)) : inLists(lists, parts)
  const changed = [...columns].map(byColumn)
  const ofMeta = query.search?.meta ?? []
  return [...own, ...inLists(lists, changed), ...ofMeta.map((key) => metaKeyTag('post', key))]
}

/** Returns the tags of the children of these posts, of one type. */
export const tagsOfChildren = (type: string, parents: readonly number[]): readonly string[] =>
  tagsOfParts(type, 'parent', parents.map(parentPart))

/** Returns the tags of which of these slugs posts of a type have; with `parent`, its children. */
export const tagsOfSlugs = (type: string, slugs: readonly string[], parent?: number): readonly string[] => [
  ...tagsOfParts(type, 'slug', slugs.map(slugPart)),
  ...(parent === undefined ? [] : [postsTag(type, any, byColumn('parent'))]),
]

const tagsOfParts = (type: string, column: ListColumn, parts: readonly string[]): readonly string[] =>
  inLists([[type, any]], parts.length > maxParts ? [undefined, byColumn(column)] : parts)

/** Returns the tags of which posts of these types and statuses there are. */
export const tagsOfPostLists = (types: readonly string[], statuses: readonly string[]): readonly string[] =>
  types.flatMap((type) => statuses.map((status) => postsTag(type, status)))

/** Changes name which authors and terms have any of the posts of this status; of others they name each post. */
export const watchedStatus = 'publish'

/** Returns the tags of who has posts of these types and statuses; with `authors`, of which of these. */
export function tagsOfAuthors(
  types: readonly string[],
  statuses: readonly string[],
  authors?: readonly number[],
): readonly string[] {
  const named = authors && authors.length <= maxParts ? authors : undefined
  const partsOf = (status: string) =>
    status === watchedStatus
      ? (named?.map(authorsPart) ?? [authorsPart()])
      : (named?.map(authorPart) ?? [undefined, byColumn('author')])
  return statuses.flatMap((status) =>
    inLists(
      types.map((type) => [type, status]),
      partsOf(status),
    ),
  )
}

type List = readonly [type: string, status: string]

const inLists = (lists: readonly List[], parts: readonly (string | undefined)[]): readonly string[] =>
  lists.flatMap(([type, status]) => parts.map((part) => postsTag(type, status, part)))

function listsOf({ types, statuses }: PostQuery): readonly List[] {
  const named = statuses ? [...new Set(statuses.map(({ status }) => status))] : [any]
  return types.flatMap((type) => named.map((status) => [type, status] as const))
}

interface Parts {
  /** Undefined: the query names nothing that divides the list. */
  readonly parts: readonly string[] | undefined
  readonly columns: ReadonlySet<ListColumn>
}

/** Chooses what divides the list best; every other condition is on a column. */
function partsOf(query: PostQuery): Parts {
  const columns = columnsOf(query)
  const terms = query.terms && unwrapped(query.terms)
  const positive = terms && positiveTerms(terms)
  const candidates: readonly (readonly [ListColumn, readonly string[] | undefined])[] = [
    ['slug', query.slugs?.map(slugPart)],
    ['terms', positive?.map(termPart)],
    ['parent', query.parents?.map(parentPart)],
    ['author', query.authors?.map(authorPart)],
  ]
  const chosen = candidates.find(([, parts]) => parts !== undefined && parts.length <= maxParts)
  if (!chosen) return { parts: undefined, columns }
  const [column, parts] = chosen
  const isExact = column !== 'terms' || isSingle(terms)
  // The order may follow a column that divides the list.
  if (isExact && orderColumn(query) !== column) columns.delete(column)
  return { parts, columns }
}

/** The terms of which every match has at least one; undefined where there is no such set. */
function positiveTerms(tree: TermTree): readonly number[] | undefined {
  if ('formats' in tree) return undefined
  if ('terms' in tree) {
    if (tree.has === 'none' || (tree.has === 'all' && tree.terms.length === 0)) return undefined
    return tree.has === 'all' ? tree.terms.slice(0, 1) : tree.terms
  }
  const found = ('every' in tree ? tree.every : tree.some).map(positiveTerms)
  if ('some' in tree) return found.includes(undefined) ? undefined : (found.flat() as number[])
  return found.filter((terms) => terms !== undefined).sort((a, b) => a.length - b.length)[0]
}

/** A tree of one condition is that condition. */
function unwrapped(tree: TermTree): TermTree {
  const [only, ...others] = 'every' in tree ? tree.every : 'some' in tree ? tree.some : []
  return only && others.length === 0 ? unwrapped(only) : tree
}

/** Whether a post matches exactly where it has one of the positive terms. */
const isSingle = (tree: TermTree | undefined): boolean =>
  tree !== undefined && 'terms' in tree && (tree.has === 'any' || (tree.has === 'all' && tree.terms.length === 1))

function columnsOf(query: PostQuery): Set<ListColumn> {
  const { statuses = [], dates = [], search, terms, withPassword } = query
  const columns = new Set<ListColumn>([...dates.map(({ field }) => field), ...(search?.columns ?? [])])
  for (const [column, isNamed] of [
    ['author', query.authors ?? query.notAuthors ?? statuses.find(({ author }) => author !== undefined)],
    ['parent', query.parents ?? query.notParents],
    ['menuOrder', query.menuOrders],
    ['mimeType', query.mimeTypes],
    ['featuredMedia', query.featuredMedia],
    ['slug', query.slugs],
    ['sticky', query.sticky],
    ['password', withPassword],
    ['terms', terms],
  ] as const)
    if (isNamed !== undefined) columns.add(column)
  if (terms && namesFormats(terms)) columns.add('format')
  const ordered = orderColumn(query)
  if (ordered !== undefined) columns.add(ordered)
  if (query.order.by === 'relevance')
    for (const column of ['title', 'excerpt', 'content', 'date'] as const) columns.add(column)
  return columns
}

function orderColumn({ order: { by } }: PostQuery): ListColumn | undefined {
  if (by === 'id' || by === 'ids' || by === 'relevance') return undefined
  return by === 'slugs' ? 'slug' : by
}

const namesFormats = (tree: TermTree): boolean =>
  'formats' in tree || ('every' in tree ? tree.every : 'some' in tree ? tree.some : []).some(namesFormats)

// ---------------------------------------------------------------- changes

/** Has a post and all its terms, before or after a change. */
export interface PostState {
  readonly row: Post
  readonly terms: readonly number[]
}

/** Returns the tags of a post that has come, gone or changed. */
export function tagsOfPostChange(before: PostState | undefined, after: PostState | undefined): Set<string> {
  const [left, joined] = [membershipsOf(before), membershipsOf(after)]
  const tags = new Set([...left].filter((tag) => !joined.has(tag)))
  for (const tag of joined) if (!left.has(tag)) tags.add(tag)
  if (!before || !after || before.row.type !== after.row.type) return tags
  const { type, status } = after.row
  const lists = status === before.row.status ? [status, any] : [any]
  for (const column of changedColumns(before, after))
    for (const list of lists) tags.add(postsTag(type, list, byColumn(column)))
  return tags
}

/** The lists that have the post. */
function membershipsOf(state: PostState | undefined): ReadonlySet<string> {
  const tags = new Set<string>()
  if (!state) return tags
  const { type, status, author, parent, slug } = state.row
  const parts = [authorPart(author), parentPart(parent), slugPart(slug), ...state.terms.map(termPart)]
  for (const list of [status, any]) {
    tags.add(postsTag(type, list))
    for (const part of parts) tags.add(postsTag(type, list, part))
  }
  return tags
}

function changedColumns(before: PostState, after: PostState): readonly ListColumn[] {
  const changed: ListColumn[] = listColumns.filter((column) => before.row[column] !== after.row[column])
  const [had, has] = [new Set(before.terms), new Set(after.terms)]
  const isSame = had.size === has.size && [...had].every((term) => has.has(term))
  return isSame ? changed : [...changed, 'terms']
}
