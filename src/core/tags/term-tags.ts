/** The tags of terms and of users: of queries, and of rows that change. */
import type { TermQuery, TermValues, User, UserQuery } from '../../contract/storage.ts'
import { tagsOfAuthors, tagsOfPostLists } from './post-tags.ts'
import { tagsOfColumns } from './row-tags.ts'
import {
  any,
  anyColumn,
  assignedTag,
  byColumn,
  columnTag,
  digest,
  postsTag,
  rowTag,
  termsTag,
  termTree,
  userList,
} from './tag-names.ts'

/** A query that names more depends on the whole list. */
const maxParts = 100

const slugPart = (slug: string) => `slug:${digest(slug)}`
const parentPart = (id: number) => `parent:${id}`

// ---------------------------------------------------------------- terms

/** Returns the tags of the result of a query, apart from those of the rows that it has found. */
export function tagsOfTermQuery(query: TermQuery): readonly string[] {
  const { usedBy, taxonomies = [any] } = query
  const used = usedBy
    ? [
        ...tagsOfPostLists(usedBy.types, usedBy.statuses),
        ...usedBy.types.flatMap((type) => usedBy.statuses.map((status) => postsTag(type, status, byColumn('terms')))),
      ]
    : []
  if (query.ids && query.ids.length <= maxParts) {
    const isFiltered = Object.keys(query).some(
      (name) => !plainMembers.has(name) && query[name as keyof TermQuery] !== undefined,
    )
    const ofRows = isFiltered || query.order.by !== 'id' ? [anyColumn] : []
    return [
      ...used,
      ...query.ids.flatMap((id) => [rowTag('term', id), ...ofRows.map((column) => columnTag('term', id, column))]),
      // The terms below are not named.
      ...(query.counted === 'orBelow'
        ? [termTree, ...taxonomies.map((taxonomy) => termsTag(taxonomy, byColumn('count')))]
        : []),
      ...(query.posts ?? []).map(assignedTag),
    ]
  }
  const columns = taxonomies.flatMap((taxonomy) =>
    [...columnsOf(query)].map((column) => termsTag(taxonomy, byColumn(column))),
  )
  if (query.posts) return [...used, ...columns, ...query.posts.map(assignedTag)]
  const parts = query.slugs?.map(slugPart) ?? query.parents?.map(parentPart) ?? []
  const isParted = parts.length > 0 && parts.length <= maxParts
  const lists = taxonomies.flatMap((taxonomy) =>
    isParted ? parts.map((part) => termsTag(taxonomy, part)) : [termsTag(taxonomy)],
  )
  return [...used, ...columns, ...lists]
}

/** The members of a query that looks rows up by their ids. */
const plainMembers: ReadonlySet<string> = new Set(['ids', 'order', 'offset', 'limit', 'total'])

function columnsOf({ order, slugs, names, parents, search, counted }: TermQuery): ReadonlySet<string> {
  const columns = new Set<string>(search?.fields)
  if (order.by !== 'id') columns.add(order.by)
  if (names) columns.add('name')
  if (slugs) columns.add('slug')
  if (parents) columns.add('parent')
  if (counted) columns.add('count')
  if (counted === 'orBelow') columns.add('parent')
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

/** Returns the tags of the result of a query, apart from those of the rows that it has found. */
export function tagsOfUserQuery(query: UserQuery): readonly string[] {
  const { ids, authorsOf } = query
  if (ids && ids.length <= maxParts) {
    const ofPosts = authorsOf ? tagsOfAuthors(authorsOf.types, authorsOf.statuses, ids) : []
    const isFiltered = Object.keys(query).some(
      (name) => !plainMembers.has(name) && name !== 'authorsOf' && query[name as keyof UserQuery] !== undefined,
    )
    const ofRows = isFiltered || !['id', 'ids'].includes(query.order.by) ? [anyColumn] : []
    return [
      ...ids.flatMap((id) => [rowTag('user', id), ...ofRows.map((column) => columnTag('user', id, column))]),
      ...ofPosts,
    ]
  }
  if (!authorsOf) return [userList]
  const { types, statuses } = authorsOf
  const byAuthor = types.flatMap((type) => statuses.map((status) => postsTag(type, status, byColumn('author'))))
  return [userList, ...tagsOfPostLists(types, statuses), ...byAuthor]
}

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
