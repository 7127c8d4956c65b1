/** From the filters of the list to what the storage is asked. */

import type { Actor } from '../../../core/declare/actor.ts'
import type { ArgValues } from '../../../core/declare/args.ts'
import type { Context } from '../../../core/declare/context.ts'
import { ApiError } from '../../../core/declare/errors.ts'
import { all, andThen, type MaybePromise } from '../../../core/runtime/maybe-promise.ts'
import { parseSearch, type Search } from '../../../site/search-terms.ts'
import { toSlug } from '../../../site/slug.ts'
import type { PostOrder, PostQuery, Storage, TermTree, TextSearch } from '../../../storage/contract.ts'
import type { listArgs } from './args.ts'
import { absoluteIds } from './model.ts'

export type ListArgs = ArgValues<typeof listArgs>
export type ListContext = Context<ListArgs>

/** Interface: `any` stands for these; the trash only comes with its own name. */
const anyStatuses = ['publish', 'future', 'draft', 'pending', 'private']
const columnNames = { post_title: 'title', post_content: 'content', post_excerpt: 'excerpt' } as const
const noTerms = [0]

/** Throws for an order that lacks what it orders by. */
export function toPostQuery(context: ListContext): MaybePromise<PostQuery> {
  const { args, user } = context
  const search = args.search ? parseSearch(args.search) : undefined
  const slugs = args.slug?.map(toSlug) ?? []
  const order = orderOf(args, search)
  return andThen(all([termTree(args, context.storage)] as const), ([terms]) => ({
    types: ['post'],
    statuses: statusesOf(args.status, user),
    ...idFilter(args),
    ...authorFilter(args),
    ...(slugs.length > 0 ? { slugs } : {}),
    ...stickyFilter(args),
    ...(search && user.isVisitor ? { withPassword: false } : {}),
    dates: dateFilters(context),
    ...(terms ? { terms } : {}),
    ...(search ? { search: textSearch(args, search) } : {}),
    order,
    limit: args.per_page,
    offset: args.offset === undefined ? (args.page - 1) * args.per_page : Math.abs(args.offset),
    total: true,
  }))
}

/**
 * Interface: the private posts of others are found and counted, and left out when the rows are shown. An empty `status`
 * stands for all that the caller may read.
 */
function statusesOf(asked: readonly string[], user: Actor): PostQuery['statuses'] {
  if (asked.length === 0) {
    const own = user.can('read_private_posts') ? [{ status: 'private' }] : [{ status: 'private', author: user.id }]
    return [{ status: 'publish' }, ...(user.isVisitor ? [] : own)]
  }
  const others = asked.filter((status) => status !== 'any')
  const statuses = asked.includes('any') ? [...anyStatuses, ...others] : others
  return [...new Set(statuses)].map((status) => ({ status }))
}

/** Interface: `include` and `sticky` go before `exclude`, and an excluded author before an included one. */
function idFilter({ include, exclude, sticky }: ListArgs): Pick<PostQuery, 'ids' | 'notIds'> {
  if (include.length > 0) return { ids: absoluteIds(include) }
  return exclude.length > 0 && sticky !== true ? { notIds: absoluteIds(exclude) } : {}
}

function authorFilter({ author, author_exclude: excluded }: ListArgs): Pick<PostQuery, 'authors' | 'notAuthors'> {
  if (excluded.length > 0) return { notAuthors: absoluteIds(excluded) }
  return author.length > 0 ? { authors: absoluteIds(author) } : {}
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

function textSearch(args: ListArgs, { every, none }: Search): TextSearch {
  const columns = args.search_columns.map((name) => columnNames[name])
  return {
    every,
    none,
    columns: columns.length > 0 ? columns : ['title', 'excerpt', 'content'],
    exact: args.search_semantics === 'exact',
  }
}

function orderOf(args: ListArgs, search: Search | undefined): PostOrder {
  const descending = args.order === 'desc'
  switch (args.orderby) {
    case 'include':
      if (args.include.length > 0) return { by: 'ids' }
      throw new ApiError(
        'rest_orderby_include_missing_include',
        'You need to define an include parameter to order by include.',
        400,
      )
    case 'include_slugs':
      return args.slug && args.slug.length > 0 ? { by: 'slugs' } : { by: 'date', descending }
    case 'relevance':
      if (!search)
        throw new ApiError(
          'rest_no_search_term_defined',
          'You need to define a search term to order by relevance.',
          400,
        )
      // Interface: with a single word or phrase only its place in the title counts.
      return { by: 'relevance', phrase: search.isSingle ? '' : search.phrase, words: search.every }
    default:
      return { by: args.orderby, descending }
  }
}

// ---------------------------------------------------------------- terms

interface TermFilter {
  readonly terms: readonly number[]
  readonly operator: 'AND' | 'OR'
  readonly termsWithChildren: boolean
}

function toTermFilter(sent: unknown): TermFilter | undefined {
  if (sent === undefined) return undefined
  if (Array.isArray(sent))
    return sent.length === 0 ? undefined : { terms: absoluteIds(sent), operator: 'OR', termsWithChildren: false }
  const form = sent as { terms?: readonly number[]; operator?: 'AND' | 'OR'; include_children?: boolean }
  const terms = absoluteIds(form.terms ?? [])
  if (terms.length === 0) return undefined
  return { terms, operator: form.operator ?? 'OR', termsWithChildren: form.include_children ?? false }
}

/** Conditions on categories, tags and format, joined as `tax_relation` says. */
function termTree(args: ListArgs, storage: Storage): MaybePromise<TermTree | undefined> {
  const wanted = [args.categories, args.tags].flatMap((sent) => toTermFilter(sent) ?? [])
  const unwanted = [args.categories_exclude, args.tags_exclude].flatMap((sent) => toTermFilter(sent) ?? [])
  const formats = args.format ?? []
  const leaves = all([
    ...wanted.map((form) => inclusion(form, storage)),
    ...unwanted.map((form) => andThen(withChildren(form, storage), (terms): TermTree => ({ terms, has: 'none' }))),
    ...(formats.length > 0 ? [{ formats } as TermTree] : []),
  ])
  return andThen(leaves, (trees) => {
    if (trees.length === 0) return undefined
    return args.tax_relation === 'OR' ? { some: trees as TermTree[] } : { every: trees as TermTree[] }
  })
}

function inclusion(form: TermFilter, storage: Storage): MaybePromise<TermTree> {
  if (form.operator === 'OR') return andThen(withChildren(form, storage), (terms): TermTree => ({ terms, has: 'any' }))
  // Interface: with AND a post needs every one of the terms, and of their children when those are included.
  return andThen(withChildren(form, storage), (terms): TermTree => ({ terms, has: 'all' }))
}

function withChildren(
  { terms, termsWithChildren: wanted }: TermFilter,
  storage: Storage,
): MaybePromise<readonly number[]> {
  if (!wanted) return terms.length > 0 ? terms : noTerms
  return andThen(storage.terms.below(terms), (below) => [...new Set([...terms, ...below])])
}
