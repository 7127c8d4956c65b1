/** Converts the arguments of the list to the query of the storage. */

import type { PostOrder, PostQuery, Storage, TermTree, TextSearch } from '../../../contract/storage.ts'
import type { Actor } from '../../../core/declare/actor.ts'
import type { ArgValues } from '../../../core/declare/args.ts'
import type { Context } from '../../../core/declare/context.ts'
import { ApiError } from '../../../core/declare/errors.ts'
import { parseSearch, type Search } from '../../../site/search-terms.ts'
import { toSlug } from '../../../site/slug.ts'
import type { ContentTaxonomy, Support } from '../content-types/model.ts'
import type { BaseListArgs, ListArgsOf } from './args.ts'
import { absoluteIds, mayEditPost, mayReadRecord, nobody, type RecordType } from './model.ts'
import { readTerms } from './related-rows.ts'

/** The arguments of all types: one that a type does not have is never sent. */
export type ListArgs = Partial<ArgValues<ListArgsOf<Support, true, never>>> &
  ArgValues<BaseListArgs> & { readonly tax_relation?: 'AND' | 'OR' | undefined }
export type ListContext = Context<ListArgs>

/** Interface: `any` leaves out the trash, which is listed only with `trash`. */
const anyStatuses = ['publish', 'future', 'draft', 'pending', 'private']
const columnNames = { post_title: 'title', post_content: 'content', post_excerpt: 'excerpt' } as const

/** Throws when the argument that the order needs is missing. */
export async function toPostQuery(type: RecordType, context: ListContext): Promise<PostQuery> {
  const { args } = context
  const search = args.search ? parseSearch(args.search) : undefined
  const slugs = args.slug?.map(toSlug) ?? []
  const order = orderOf(args, search)
  const terms = await termTree(type, args, context.storage)
  return queryOf(type, context, { search, slugs, order, terms })
}

interface QueryParts {
  readonly search: Search | undefined
  readonly slugs: readonly string[]
  readonly order: PostOrder
  readonly terms: TermTree | undefined
}

function queryOf(type: RecordType, context: ListContext, { search, slugs, order, terms }: QueryParts): PostQuery {
  const { args, user } = context
  const wanted = statusesOf(args.status, type.actor(user))
  return {
    types: [type.name],
    statuses: search || slugs.length > 0 ? readableStatuses(type, context, wanted) : wanted,
    ...idFilter(args),
    ...authorFilter(args),
    ...(slugs.length > 0 ? { slugs } : {}),
    ...placeFilter(args),
    ...stickyFilter(args),
    ...(search && user.isVisitor ? { withPassword: false } : {}),
    dates: dateFilters(context),
    ...(terms ? { terms } : {}),
    ...(search ? { search: textSearch(type, context, search) } : {}),
    order,
    limit: args.per_page,
    offset: args.offset === undefined ? (args.page - 1) * args.per_page : Math.abs(args.offset),
    total: true,
  }
}

/**
 * Interface: the private posts of others are found and counted, and left out of the response. An empty `status` means
 * all posts that the caller may read.
 */
function statusesOf(requested: readonly string[], user: Actor): Statuses {
  if (requested.length === 0) {
    const own = user.can('read_private_posts') ? [{ status: 'private' }] : [{ status: 'private', author: user.id }]
    return [{ status: 'publish' }, ...(user.isVisitor ? [] : own)]
  }
  const others = requested.filter((status) => status !== 'any')
  const statuses = requested.includes('any') ? [...anyStatuses, ...others] : others
  return [...new Set(statuses)].map((status) => ({ status }))
}

type Statuses = NonNullable<PostQuery['statuses']>

/**
 * Choice: words and slugs are looked for in what the caller may read, in the edit context in what the caller may edit: neither rows
 * nor totals say what the posts of others hold.
 */
const readableStatuses = (type: RecordType, context: ListContext, wanted: Statuses): Statuses =>
  wanted.flatMap((one) => {
    if (one.author !== undefined || one.status === 'inherit' || mayList(type, context, nobody, one.status)) return [one]
    const { id } = context.user
    return id !== 0 && mayList(type, context, id, one.status) ? [{ status: one.status, author: id }] : []
  })

function mayList(type: RecordType, { args, user }: ListContext, author: number, status: string): boolean {
  const post = { author, status, ...(status === 'trash' ? { trashedFrom: 'draft' } : {}) }
  return args.context === 'edit' ? mayEditPost(type.actor(user), post) : mayReadRecord(type, user, post)
}

/**
 * Interface: the private posts of others are counted when they are asked for. Choice: the private posts
 * that a search does not reach count whatever their words are. Undefined: there are none.
 */
export function unreachedQuery(type: RecordType, context: ListContext, query: PostQuery): PostQuery | undefined {
  const { args, user } = context
  const isAsked = args.status.includes('private') || args.status.includes('any')
  if (query.search === undefined || query.slugs !== undefined || !isAsked) return undefined
  if (mayList(type, context, nobody, 'private')) return undefined
  const { search: _search, withPassword: _locked, ...rest } = query
  const notAuthors = [...(query.notAuthors ?? []), user.id]
  const order = { by: 'id', descending: false } as const
  return { ...rest, notAuthors, statuses: [{ status: 'private' }], order, offset: 0, limit: 0 }
}

/** Interface: `include` and `sticky` win over `exclude`, and `author_exclude` wins over `author`. */
function idFilter({ include, exclude, sticky }: ListArgs): Pick<PostQuery, 'ids' | 'notIds'> {
  if (include.length > 0) return { ids: absoluteIds(include) }
  return exclude.length > 0 && sticky !== true ? { notIds: absoluteIds(exclude) } : {}
}

function authorFilter({
  author = [],
  author_exclude: excluded = [],
}: ListArgs): Pick<PostQuery, 'authors' | 'notAuthors'> {
  if (excluded.length > 0) return { notAuthors: absoluteIds(excluded) }
  return author.length > 0 ? { authors: absoluteIds(author) } : {}
}

function placeFilter({
  parent = [],
  parent_exclude: excluded = [],
  menu_order: place,
}: ListArgs): Pick<PostQuery, 'parents' | 'notParents' | 'menuOrders'> {
  return {
    ...(parent.length > 0 ? { parents: absoluteIds(parent) } : {}),
    ...(excluded.length > 0 ? { notParents: absoluteIds(excluded) } : {}),
    ...(place === undefined ? {} : { menuOrders: [place] }),
  }
}

/** Interface: with `include`, leaving sticky posts out has no effect. */
const stickyFilter = ({ sticky, include }: ListArgs) =>
  sticky === undefined || (sticky === false && include.length > 0) ? {} : { sticky }

function dateFilters({ args, settings }: ListContext): PostQuery['dates'] {
  const local = (text: string) => settings.time.parseDate(text)?.local as string
  const range = (field: 'date' | 'modified', after: string | undefined, before: string | undefined) =>
    after === undefined && before === undefined
      ? []
      : [
          {
            field,
            ...(after === undefined ? {} : { after: local(after) }),
            ...(before === undefined ? {} : { before: local(before) }),
          },
        ]
  return [...range('date', args.after, args.before), ...range('modified', args.modified_after, args.modified_before)]
}

function textSearch({ meta }: RecordType, { args, user }: ListContext, { every, none }: Search): TextSearch {
  const columns = args.search_columns.map((name) => columnNames[name])
  const keys = columns.length > 0 ? [] : meta.searchedKeys(user, args.context === 'edit' ? 'edit' : 'view')
  return {
    every,
    none,
    columns: columns.length > 0 ? columns : ['title', 'excerpt', 'content'],
    ...(keys.length > 0 ? { meta: keys } : {}),
    exact: args.search_semantics === 'exact',
  }
}

function orderOf(args: ListArgs, search: Search | undefined): PostOrder {
  const descending = args.order === 'desc'
  switch (args.orderby) {
    case 'include':
      if (args.include.length > 0) return { by: 'ids' }
      throw new ApiError('rest_orderby_include_missing_include', 'This order needs the argument include.', 400)
    case 'include_slugs':
      return args.slug && args.slug.length > 0 ? { by: 'slugs' } : { by: 'date', descending }
    case 'relevance':
      if (!search) throw new ApiError('rest_no_search_term_defined', 'This order needs the argument search.', 400)
      // Interface: the search ranks a single word or phrase by its position in the title only.
      return { by: 'relevance', phrase: search.isSingle ? '' : search.phrase, words: search.every }
    case 'menu_order':
      return { by: 'menuOrder', descending }
    default:
      return { by: args.orderby ?? 'date', descending }
  }
}

// ---------------------------------------------------------------- terms

interface TermsInput {
  readonly terms?: readonly number[]
  readonly operator?: 'AND' | 'OR'
  readonly include_children?: boolean
}

interface TermFilter {
  readonly terms: readonly number[]
  readonly operator: 'AND' | 'OR'
  readonly includeChildren: boolean
}

function toTermFilter(input: unknown): TermFilter | undefined {
  if (input === undefined) return undefined
  const filter = (Array.isArray(input) ? { terms: input } : input) as TermsInput
  const terms = absoluteIds(filter.terms ?? [])
  if (terms.length === 0) return undefined
  return { terms, operator: filter.operator ?? 'OR', includeChildren: filter.include_children ?? false }
}

/** The conditions on terms and format, joined by `tax_relation`. */
async function termTree(type: RecordType, args: ListArgs, storage: Storage): Promise<TermTree | undefined> {
  // The cast: the arguments of terms are called like their taxonomies.
  const sent = args as { readonly [name: string]: unknown }
  const filtersOf = (suffix: '' | '_exclude') =>
    type.published.taxonomies.flatMap((taxonomy) => {
      const filter = toTermFilter(sent[`${taxonomy.restBase}${suffix}`])
      return filter === undefined ? [] : [{ ...filter, taxonomy }]
    })
  const formats = args.format ?? []
  const every = await Promise.all<TermTree>([
    // Interface: with AND a post needs every one of the terms, and of their children when those are included.
    ...filtersOf('').map((filter) => termCondition(storage, filter, filter.operator === 'AND' ? 'all' : 'any')),
    ...filtersOf('_exclude').map((filter) => termCondition(storage, filter, 'none')),
    ...(formats.length > 0 ? [{ formats }] : []),
  ])
  if (every.length === 0) return undefined
  return args.tax_relation === 'OR' ? { some: every } : { every }
}

/** Interface: the id of a term of another taxonomy is like that of no term. */
async function termCondition(
  storage: Storage,
  { terms, includeChildren, taxonomy }: TermFilter & { readonly taxonomy: ContentTaxonomy },
  has: 'any' | 'all' | 'none',
): Promise<TermTree> {
  const known = await readTerms(storage, [...new Set(terms)])
  const own = terms.filter((id) => known.get(id)?.taxonomy === taxonomy.name)
  if (has === 'all' && own.length < terms.length) return { terms: [], has: 'any' }
  const below = includeChildren ? await storage.terms.below(own) : []
  return { terms: [...new Set([...own, ...below])], has }
}
