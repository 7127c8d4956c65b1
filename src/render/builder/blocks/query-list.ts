/** Reads the query of a query block, and the posts of its page. */

import { lookupTable } from '../../../contract/lookup-table.ts'
import type { PostQuery, TermTree } from '../../../contract/storage.ts'
import { parseSearch } from '../../../site/search-terms.ts'
import { limits } from '../document/limits.ts'
import { isObject, numberOf, ownValue } from '../document/values.ts'
import { type FoundPosts, publishedPosts } from '../lists/posts.ts'
import type { BlockCall, Pass } from '../pass/pass.ts'
import type { BlockQuery } from '../pass/scope.ts'
import { archivePosts } from '../queries/list.ts'
import { archivePage, pathAddress, queryAddress, requestedPage } from '../queries/pagination.ts'
import { options, termsBelow } from '../records/kinds.ts'
import { ids, integer, isOn, object, text } from './attributes.ts'

/** The attribute `query`, read as the attributes of a block are. */
interface Query {
  readonly attributes: { readonly [name: string]: unknown }
}

/** Choice: a query that follows the page lists the newest posts where the page is no archive. */
export function readQuery(call: BlockCall): BlockQuery {
  const query: Query = { attributes: object(call, 'query') }
  const columns = columnsOf(call)
  const size = sizeOf(query, call.pass)
  const archive = isOn(query, 'inherit') ? archiveQuery(size, call) : undefined
  return { ...(archive ?? ownQuery(query, size, call)), columns }
}

const maxOffset = 100_000

function ownQuery(query: Query, size: number, call: BlockCall): Omit<BlockQuery, 'columns'> {
  const { pass } = call
  const name = pageName(call)
  const page = requestedPage(name, pass)
  const filter = filterOf(query, pass)
  const offset = integer(query, 'offset', 0, [0, maxOffset])
  const { posts, total } = filter
    ? publishedPosts({ ...filter, order: orderOf(query), offset: offset + (page - 1) * size, limit: size }, pass)
    : none
  const most = integer(query, 'pages', 0, [0, maxOffset])
  const pages = Math.ceil(Math.max(0, total - offset) / size)
  const sticky = filter && page === 1 && offset === 0 && putsStickyFirst(query) ? stickyPosts(filter, size, pass) : []
  const listed = posts.map(({ id }) => id)
  return {
    page,
    pages: most > 0 ? Math.min(most, pages) : pages,
    address: (wanted) => queryAddress(name, wanted, pass, shownAt(pass)),
    ids: most > 0 && page > most ? [] : [...sticky, ...listed.filter((id) => !sticky.includes(id))],
  }
}

const none: FoundPosts = { posts: [], total: 0 }

function archiveQuery(size: number, { scope, pass }: BlockCall): Omit<BlockQuery, 'columns'> | undefined {
  const page = archivePage(pass)
  const found = archivePosts(size, page, scope, pass)
  if (!found) return undefined
  const address = (wanted: number) => pathAddress(wanted, pass)
  return { page, pages: Math.ceil(found.total / size), address, ids: found.ids }
}

/** Readers of responses follow the links to the page of the post. */
function shownAt(pass: Pass): { readonly url?: string } {
  const { url, post } = pass.context
  return url === undefined && post !== undefined ? { url: pass.addressOf(post) } : {}
}

/** Two queries have separate pages, even with the same number. */
function pageName(call: BlockCall): string {
  const id = numberOf(ownValue(call.attributes, 'queryId'))
  const isNumber = id !== undefined && Number.isSafeInteger(id) && id >= 0
  return call.pass.uniqueName(isNumber ? `query-${id}-page` : 'query-page')
}

/** Older texts store the columns with the query, newer ones with the template. */
function columnsOf(call: BlockCall): number | undefined {
  const layout: Query = { attributes: object(call, 'displayLayout') }
  return text(layout, 'type') === 'flex' ? integer(layout, 'columns', 3, [1, 6]) : undefined
}

function sizeOf(query: Query, pass: Pass): number {
  const asked = numberOf(ownValue(query.attributes, 'perPage'))
  if (asked !== undefined && !isOn(query, 'inherit')) return integer(query, 'perPage', 1, [1, limits.listed])
  pass.depend('option:posts_per_page')
  const stored = numberOf(pass.get(options, 'posts_per_page'))
  return stored !== undefined && Number.isInteger(stored) && stored >= 1 ? Math.min(stored, limits.listed) : 10
}

// ---------------------------------------------------------------- filters

type Filter = Omit<PostQuery, 'order' | 'offset' | 'limit' | 'total' | 'statuses'>

const ORDERS: { readonly [name: string]: 'date' | 'title' | 'modified' | 'id' | 'menuOrder' | 'author' } = lookupTable({
  ...{ date: 'date', title: 'title', modified: 'modified', id: 'id', author: 'author' },
  ...{ menu_order: 'menuOrder', menuOrder: 'menuOrder' },
})

const orderOf = (query: Query): PostQuery['order'] => {
  const name = text(query, 'orderBy', 'date')
  const by = (Object.hasOwn(ORDERS, name) ? ORDERS[name] : undefined) ?? 'date'
  return { by, descending: text(query, 'order', 'desc').toLowerCase() !== 'asc' }
}

/** Returns undefined for a query that lists nothing: of a type that visitors do not see, or before its terms are read. */
function filterOf(query: Query, pass: Pass): Filter | undefined {
  const type = text(query, 'postType', 'post')
  if (type === 'attachment' || !pass.records.source.isPublicType(type)) return undefined
  const notIds = ids(query, 'exclude')
  const parents = ids(query, 'parents')
  const authors = authorsOf(query)
  const found = termTrees(query, pass)
  if (found.includes('unread')) return undefined
  const trees = [...found.filter((tree) => tree !== 'unread'), ...formatsOf(query)]
  const sticky = text(query, 'sticky')
  const search = searchOf(query)
  for (const author of authors) pass.depend(`user:${author}`)
  return {
    types: [type],
    ...(notIds.length > 0 ? { notIds } : {}),
    ...(parents.length > 0 ? { parents } : {}),
    ...(authors.length > 0 ? { authors } : {}),
    ...(trees.length > 0 ? { terms: { every: trees } } : {}),
    ...(sticky === 'only' || sticky === 'exclude' ? { sticky: sticky === 'only' } : {}),
    ...(search ? { search, withPassword: false } : {}),
  }
}

/** Reads an id, a list of ids, or a text with ids between commas. */
function authorsOf(query: Query): readonly number[] {
  const stored = ownValue(query.attributes, 'author')
  const list = Array.isArray(stored) ? stored : typeof stored === 'string' ? stored.split(',') : [stored]
  return ids({ attributes: { list } }, 'list')
}

function searchOf(query: Query): PostQuery['search'] {
  const search = parseSearch(text(query, 'search').slice(0, maxSearch))
  if (!search) return undefined
  return { every: search.every, none: search.none, columns: ['title', 'excerpt', 'content'], exact: false }
}

const maxSearch = 400
const maxTaxonomies = 20

/** Terms by taxonomy, in their three stored forms. A post has one of the terms of each taxonomy, or of those below them. */
function termTrees(query: Query, pass: Pass): readonly (TermTree | 'unread')[] {
  const stored: Query = { attributes: object(query, 'taxQuery') }
  const isNewer = ['include', 'exclude'].some((name) => isObject(ownValue(stored.attributes, name)))
  const included = isNewer ? object(stored, 'include') : stored.attributes
  const treesOf = (byTaxonomy: { readonly [taxonomy: string]: unknown }, has: 'any' | 'none') =>
    Object.keys(byTaxonomy)
      .slice(0, maxTaxonomies)
      .flatMap((taxonomy) => treeOf(ids({ attributes: byTaxonomy }, taxonomy), has, pass))
  return [
    ...treesOf(included, 'any'),
    ...(isNewer ? treesOf(object(stored, 'exclude'), 'none') : []),
    ...['categoryIds', 'tagIds'].flatMap((name) => treeOf(ids(query, name), 'any', pass)),
  ]
}

function treeOf(terms: readonly number[], has: 'any' | 'none', pass: Pass): readonly (TermTree | 'unread')[] {
  if (terms.length === 0) return []
  for (const id of terms) pass.depend(`term:${id}`)
  const below = terms.map((id) => pass.get(termsBelow, id))
  return below.includes(undefined)
    ? ['unread']
    : [{ terms: [...new Set([...terms, ...below.flatMap((one) => one ?? [])])], has }]
}

function formatsOf(query: Query): readonly TermTree[] {
  const stored = ownValue(query.attributes, 'format')
  const formats = (Array.isArray(stored) ? stored : []).filter((one) => typeof one === 'string').slice(0, maxTaxonomies)
  return formats.length === 0 ? [] : [{ formats }]
}

/** Sticky posts come first on the first page of a list of all posts. */
function putsStickyFirst(query: Query): boolean {
  const names = ['author', 'search', 'categoryIds', 'tagIds', 'taxQuery', 'parents', 'format', 'exclude']
  const isFiltered = names.some((name) => {
    const value = ownValue(query.attributes, name)
    return isObject(value) ? Object.keys(value).length > 0 : Array.isArray(value) ? value.length > 0 : Boolean(value)
  })
  return text(query, 'postType', 'post') === 'post' && text(query, 'sticky') === '' && !isFiltered
}

const stickyPosts = (filter: Filter, size: number, pass: Pass): readonly number[] => {
  const order = { by: 'date', descending: true } as const
  return publishedPosts({ ...filter, sticky: true, order, offset: 0, limit: size }, pass).posts.map(({ id }) => id)
}
