/** The tags of terms and of users: of queries, and of rows that change. */
import type { TermQuery, TermValues, User, UserQuery } from '../../contract/storage.ts'
import { tagsOfAuthors, tagsOfPostLists, watchedStatus } from './post-tags.ts'
import { tagsOfColumns } from './row-tags.ts'
import {
  any,
  anyColumn,
  assignedTag,
  byColumn,
  columnTag,
  maxParts,
  parentPart,
  postsTag,
  rowTag,
  slugPart,
  termsTag,
  termTree,
  usedPart,
  userList,
} from './tag-names.ts'

// ---------------------------------------------------------------- terms

/** Lists the tags on which a query depends, apart from those of the rows that it has found. */
interface QueryTags {
  /** Tags that tell of a change for sure. */
  readonly own: readonly string[]
  /** Tags of changed rows, of which the query may find none. */
  readonly ofList: readonly string[]
}

export function tagsOfTermQuery(query: TermQuery): QueryTags {
  const { ids, posts, counted, taxonomies = [any] } = query
  const used = [...tagsOfUse(query, taxonomies), ...(posts ?? []).map(assignedTag)]
  const ofColumn = (column: string) => taxonomies.map((taxonomy) => termsTag(taxonomy, byColumn(column)))
  // The terms below are not named.
  const below = counted === 'orBelow' ? [termTree, ...ofColumn('count')] : []
  if (ids && ids.length <= maxParts) {
    const ofRows = isFiltered(query, plainMembers) || query.order.by !== 'id' ? [anyColumn] : []
    const ofTerms = ids.flatMap((id) => [rowTag('term', id), ...ofRows.map((column) => columnTag('term', id, column))])
    return { own: [...used, ...ofTerms, ...below], ofList: [] }
  }
  const counts = counted || query.order.by === 'count' ? ofColumn('count') : []
  const columns = [...columnsOf(query)].flatMap(ofColumn)
  const parts = partsOf(query)
  const lists = taxonomies.flatMap((taxonomy) => parts.map((part) => termsTag(taxonomy, part)))
  return { own: [...used, ...counts, ...below], ofList: posts ? columns : [...columns, ...lists] }
}

function tagsOfUse({ usedBy }: TermQuery, taxonomies: readonly string[]): readonly string[] {
  if (!usedBy) return []
  return usedBy.statuses.flatMap((status) =>
    usedBy.types.flatMap((type) =>
      status === watchedStatus
        ? taxonomies.map((taxonomy) => postsTag(type, status, usedPart(taxonomy)))
        : [...tagsOfPostLists([type], [status]), postsTag(type, status, byColumn('terms'))],
    ),
  )
}

function partsOf({ slugs, parents }: TermQuery): readonly (string | undefined)[] {
  const parts = slugs?.map(slugPart) ?? parents?.map(parentPart) ?? []
  return parts.length > 0 && parts.length <= maxParts ? parts : [undefined]
}

/** The members of a query that looks rows up by their ids. */
const plainMembers: ReadonlySet<string> = new Set(['ids', 'order', 'offset', 'limit', 'total'])

const isFiltered = (query: object, without: ReadonlySet<string>): boolean =>
  Object.entries(query).some(([name, value]) => !without.has(name) && value !== undefined)

function columnsOf({ order, slugs, names, parents, search }: TermQuery): ReadonlySet<string> {
  const columns = new Set<string>(search?.fields)
  if (order.by !== 'id' && order.by !== 'count') columns.add(order.by)
  if (names) columns.add('name')
  if (slugs) columns.add('slug')
  if (parents) columns.add('parent')
  return columns
}

const termColumns = ['slug', 'name', 'description', 'parent'] as const

/** Returns the tags of a term that has come, gone or changed; its count is apart. */
export function tagsOfTermChange(
  id: number,
  before: TermValues | undefined,
  after: TermValues | undefined,
): Set<string> {
  const tags = new Set(tagsOfColumns('term', id, before, after))
  const [left, joined] = [membershipsOf(before), membershipsOf(after)]
  for (const tag of left) if (!joined.has(tag)) tags.add(tag)
  for (const tag of joined) if (!left.has(tag)) tags.add(tag)
  if ((before?.parent ?? 0) !== (after?.parent ?? 0)) tags.add(termTree)
  if (before && after) for (const tag of tagsOfTermColumns(before, after)) tags.add(tag)
  return tags
}

const tagsOfTermColumns = (before: TermValues, after: TermValues): readonly string[] =>
  termColumns
    .filter((column) => before[column] !== after[column])
    .flatMap((column) => [after.taxonomy, any].map((taxonomy) => termsTag(taxonomy, byColumn(column))))

function membershipsOf(row: TermValues | undefined): ReadonlySet<string> {
  if (!row) return new Set()
  const parts = [undefined, slugPart(row.slug), parentPart(row.parent)]
  return new Set([row.taxonomy, any].flatMap((taxonomy) => parts.map((part) => termsTag(taxonomy, part))))
}

// ---------------------------------------------------------------- users

export function tagsOfUserQuery(query: UserQuery): QueryTags {
  const { ids, authorsOf } = query
  const ofPosts = authorsOf ? tagsOfAuthors(authorsOf.types, authorsOf.statuses, ids) : []
  if (!ids || ids.length > maxParts) return { own: ofPosts, ofList: [userList] }
  const ofRows = isFiltered(query, plainUserMembers) || !['id', 'ids'].includes(query.order.by) ? [anyColumn] : []
  const ofUsers = ids.flatMap((id) => [rowTag('user', id), ...ofRows.map((column) => columnTag('user', id, column))])
  return { own: [...ofUsers, ...ofPosts], ofList: [] }
}

const plainUserMembers: ReadonlySet<string> = new Set([...plainMembers, 'authorsOf'])

/** Lists do not show the digest of a password. */
const listedUserColumns = [
  ...['login', 'slug', 'displayName', 'email', 'url', 'registered', 'roles', 'capabilities', 'blocked'],
] as const as readonly (keyof User)[]

export function tagsOfUserChange(id: number, before: User | undefined, after: User | undefined): Set<string> {
  const isListed = listedUserColumns.some(
    (column) => JSON.stringify(before?.[column]) !== JSON.stringify(after?.[column]),
  )
  return new Set([...tagsOfColumns('user', id, before, after), ...(isListed ? [userList] : [])])
}
