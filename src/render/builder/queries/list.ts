/** Queries the posts of a list: its source, filters, order and page. */

import { lookupTable } from '../../../contract/lookup-table.ts'
import type { PostOrder, PostQuery, TermTree } from '../../../contract/storage.ts'
import { parseSearch } from '../../../site/search-terms.ts'
import { limits } from '../document/limits.ts'
import { Settings } from '../document/settings.ts'
import { textOf } from '../document/values.ts'
import type { HostQuery } from '../pass/host.ts'
import type { Pass } from '../pass/pass.ts'
import type { Scope } from '../pass/scope.ts'
import { postListKey, postLists, terms, termsBelow } from '../records/kinds.ts'
import { currentPost, termsOf } from '../template-context/current-post.ts'
import { localDay, localNow } from '../template-context/dates.ts'
import { archiveOf, isSingle, requestPath, searchText } from '../template-context/page.ts'
import { readerTrees } from './reader-filters.ts'
import { type ListSettings, readList } from './settings.ts'

interface ListRequest {
  /** The id of the list element. */
  readonly element: string
  readonly list: ListSettings
  readonly size: number
  /** Counted from 1. */
  readonly page: number
  readonly pass: Pass
  readonly scope: Scope
}

interface Listing {
  readonly ids: readonly number[]
  /** Counts all posts of the list except those that its offset skips. */
  readonly total: number
}

const nothing: Listing = { ids: [], total: 0 }
/** The post types that visitors may list. */
const PUBLIC_TYPES: readonly string[] = ['post', 'page']

type Filter = Omit<PostQuery, 'order' | 'offset' | 'limit' | 'total' | 'statuses'>

/**
 * Returns published posts only, whoever the reader is. The posts are noted, so that later lists of the page can leave them out.
 */
export function listPosts(request: ListRequest): Listing {
  const found = find(request)
  const { pass } = request
  const ids = found.ids.filter(() => pass.admit(limits.listedWork))
  for (const id of ids) {
    pass.listed.add(id)
    pass.depend(`post:${id}`)
  }
  return { ...found, ids }
}

/** Returns the posts of the archive that the page shows; undefined on other pages. */
export function archivePosts(size: number, page: number, scope: Scope, pass: Pass): Listing | undefined {
  if (!archiveOf(pass)) return undefined
  const list = { ...readList(new Settings({}, textOf), ''), source: 'current_query', ignoresSticky: false }
  return listPosts({ element: '', list, size, page, pass, scope })
}

function find(request: ListRequest): Listing {
  switch (request.list.source) {
    case 'by_id':
      return byIds(request)
    case 'current_query':
      return ofArchive(request)
    case 'related':
      return related(request)
    default:
      return PUBLIC_TYPES.includes(request.list.source) ? filtered(request, { types: [request.list.source] }) : nothing
  }
}

// ---------------------------------------------------------------- sources

function byIds(request: ListRequest): Listing {
  const { ids, avoidsDuplicates } = request.list
  if (ids.length === 0) return nothing
  const notIds = avoidsDuplicates ? { notIds: [...request.pass.listed] } : {}
  return read({ ...request, list: { ...request.list, offset: 0 } }, { types: PUBLIC_TYPES, ids, ...notIds })
}

function related(request: ListRequest): Listing {
  const { list, pass, scope } = request
  const post = currentPost(scope, pass)
  const found = post ? sharing(request, post) : nothing
  if (found.total > 0 || list.fallback === 'fallback_none') return found
  if (list.fallback === 'fallback_by_id') {
    return byIds({ ...request, list: { ...list, ids: list.fallbackIds, orderBy: 'rand', avoidsDuplicates: false } })
  }
  const type = post && PUBLIC_TYPES.includes(post.type) ? post.type : 'post'
  const newest = { ...list, orderBy: 'post_date', isDescending: true, offset: 0 }
  return read({ ...request, list: newest }, { types: [type], ...(post ? { notIds: [post.id] } : {}) })
}

function sharing(request: ListRequest, post: { readonly id: number; readonly type: string; readonly author: number }) {
  const { list, pass, scope } = request
  const current = currentPost(scope, pass)
  if (!current || !PUBLIC_TYPES.includes(post.type)) return nothing
  const trees: TermTree[] = list.include.has('terms')
    ? list.relatedTaxonomies.map((taxonomy) => ({
        terms: termsOf(current, pass, taxonomy).map(({ id }) => id),
        has: 'any' as const,
      }))
    : []
  return filtered(
    { ...request, list: { ...list, include: new Set() } },
    {
      types: [post.type],
      notIds: [post.id],
      ...(list.include.has('authors') ? { authors: [post.author] } : {}),
      ...(trees.length > 0 ? { terms: { every: trees } } : {}),
    },
  )
}

/** Returns the posts of an archive or a search; nothing on other pages. */
function ofArchive(request: ListRequest): Listing {
  const { pass } = request
  const archive = archiveOf(pass)
  const list = { ...request.list, offset: 0, orderBy: 'post_date', isDescending: true }
  const own = { ...request, list }
  switch (archive?.archive) {
    case 'posts':
      return read(own, { types: ['post'] }, !request.list.ignoresSticky)
    case 'date':
      return read(own, { types: ['post'], ...pathDates(requestPath(pass)) })
    case 'author':
      pass.depend(`user:${archive.user}`)
      return read(own, { types: ['post'], authors: [archive.user] })
    case 'term':
      return read(own, { types: PUBLIC_TYPES, terms: anyOf([archive.term], pass) })
    case 'search':
      return searched(own)
    default:
      return nothing
  }
}

function searched(request: ListRequest): Listing {
  const search = parseSearch(searchText(request.pass))
  if (!search) return nothing
  const { every, none, phrase, isSingle: isWord } = search
  return read(
    request,
    {
      types: PUBLIC_TYPES,
      withPassword: false,
      search: { every, none, columns: ['title', 'excerpt', 'content'], exact: false },
    },
    false,
    { by: 'relevance', phrase: isWord ? '' : phrase, words: every },
  )
}

/** Reads the period of a date archive from its path: `/2026/01/`. */
function pathDates(path: string): Pick<Filter, 'dates'> {
  const [, year, month, day] = /(?:^|\/)(\d{4})(?:\/(\d\d)(?:\/(\d\d))?)?(?:\/|$)/.exec(path) ?? []
  if (year === undefined) return {}
  const [y, m, d] = [Number(year), Number(month ?? 1) - 1, Number(day ?? 1)]
  const end =
    day !== undefined ? Date.UTC(y, m, d + 1) : month !== undefined ? Date.UTC(y, m + 1, 1) : Date.UTC(y + 1, 0, 1)
  return { dates: [{ field: 'date', after: textAt(Date.UTC(y, m, d) - 1000), before: textAt(end) }] }
}

// ---------------------------------------------------------------- filters

function filtered(request: ListRequest, base: Filter): Listing {
  const { list, pass } = request
  const notIds = [...(base.notIds ?? []), ...excludedIds(request)]
  const trees = [...(base.terms ? [base.terms] : []), ...termTrees(list, pass)]
  const includesAuthors = list.include.has('authors')
  const authors = includesAuthors ? list.includeAuthors : base.authors
  const notAuthors = !includesAuthors && list.exclude.has('authors') ? list.excludeAuthors : []
  for (const id of [...(authors ?? []), ...notAuthors]) pass.depend(`user:${id}`)
  return read(
    request,
    {
      ...base,
      ...(notIds.length > 0 ? { notIds } : {}),
      ...(authors ? { authors } : {}),
      ...(notAuthors.length > 0 ? { notAuthors } : {}),
      ...(trees.length > 0 ? { terms: { every: trees } } : {}),
      ...datesOf(list, pass),
    },
    !list.ignoresSticky,
  )
}

function excludedIds({ list, pass, scope }: ListRequest): number[] {
  const isCurrentOut = list.exclude.has('current_post') && scope.post > 0 && isSingle(pass)
  return [
    ...(isCurrentOut ? [scope.post] : []),
    ...(list.exclude.has('manual_selection') ? list.excludeIds : []),
    ...(list.avoidsDuplicates ? pass.listed : []),
  ]
}

/** Requires one term of each taxonomy; a term includes its descendants. */
function termTrees({ include, exclude, includeTerms, excludeTerms }: ListSettings, pass: Pass): TermTree[] {
  const trees: TermTree[] = []
  if (include.has('terms') && includeTerms.length > 0) {
    const byTaxonomy = new Map<string, number[]>()
    for (const id of includeTerms) {
      pass.depend(`term:${id}`)
      const taxonomy = pass.get(terms, id)?.taxonomy
      if (taxonomy !== undefined) byTaxonomy.set(taxonomy, [...(byTaxonomy.get(taxonomy) ?? []), id])
    }
    // Deleted terms match nothing. Without this condition the list would show all posts.
    if (byTaxonomy.size === 0) trees.push({ terms: [], has: 'any' })
    for (const ids of byTaxonomy.values()) trees.push(anyOf(ids, pass))
  }
  if (exclude.has('terms') && excludeTerms.length > 0) {
    trees.push({ terms: withDescendants(excludeTerms, pass), has: 'none' })
  }
  return trees
}

const anyOf = (ids: readonly number[], pass: Pass): TermTree => ({ terms: withDescendants(ids, pass), has: 'any' })

function withDescendants(ids: readonly number[], pass: Pass): number[] {
  const all = ids.flatMap((id) => [id, ...(pass.get(termsBelow, id) ?? [])])
  for (const id of all) pass.depend(`term:${id}`)
  return [...new Set(all)]
}

const textAt = (time: number): string => new Date(time).toISOString().slice(0, 19)
const DAY = 86_400_000

function datesOf({ date, dateAfter, dateBefore }: ListSettings, pass: Pass): Pick<Filter, 'dates'> {
  if (date === 'exact') {
    const after = momentOf(dateAfter, 0)
    const before = momentOf(dateBefore, DAY - 1000)
    // Bounds of a query are exclusive, bounds of the setting are inclusive.
    const bounds = {
      ...(after === undefined ? {} : { after: textAt(after - 1000) }),
      ...(before === undefined ? {} : { before: textAt(before + 1000) }),
    }
    return Object.keys(bounds).length === 0 ? {} : { dates: [{ field: 'date', ...bounds }] }
  }
  const since = SINCE[date as keyof typeof SINCE]
  if (!Object.hasOwn(SINCE, date) || !since) return {}
  const now = new Date(`${localNow(pass)}Z`)
  return { dates: [{ field: 'date', after: textAt(since(now) - 1000) }] }
}

const monthsBefore = (now: Date, months: number): number => {
  const first = new Date(now)
  first.setUTCDate(1)
  first.setUTCMonth(first.getUTCMonth() - months)
  const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate()
  first.setUTCDate(Math.min(now.getUTCDate(), last))
  return first.getTime()
}

const SINCE = {
  today: (now: Date) => now.getTime() - DAY,
  week: (now: Date) => now.getTime() - 7 * DAY,
  month: (now: Date) => monthsBefore(now, 1),
  quarter: (now: Date) => monthsBefore(now, 3),
  year: (now: Date) => monthsBefore(now, 12),
}

/** Reads `2026-01-09` or `2026-01-09 10:30`; `rest` completes a day without a time. */
function momentOf(text: string, rest: number): number | undefined {
  const parts = /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d)(?::(\d\d))?)?/.exec(text.trim())
  if (!parts) return undefined
  const time = Date.parse(`${parts[1]}T${parts[2] ?? '00:00'}:${parts[3] ?? '00'}Z`)
  if (Number.isNaN(time)) return undefined
  return parts[2] === undefined ? time + rest : time
}

// ---------------------------------------------------------------- reading

const ORDERS: { readonly [name: string]: 'date' | 'title' | 'modified' | 'id' | 'menuOrder' } = lookupTable({
  post_date: 'date',
  date: 'date',
  post_title: 'title',
  title: 'title',
  modified: 'modified',
  ID: 'id',
  menu_order: 'menuOrder',
  // The storage does not order by comments, so posts are ordered by id.
  comment_count: 'id',
})

const orderOf = ({ orderBy, isDescending }: ListSettings): PostOrder => ({
  by: (Object.hasOwn(ORDERS, orderBy) ? ORDERS[orderBy] : undefined) ?? 'date',
  descending: isDescending,
})

/** Returns the terms by which a reader filters this list, besides its own filter. */
function refreshedTerms({ element, pass, scope }: ListRequest, { terms: own }: Filter): Pick<Filter, 'terms'> {
  const { refresh } = pass
  const asked = (refresh?.element === element && refresh.terms) || []
  const further = asked.length > 0 ? asked : readerTrees(element, scope, pass)
  return further.length === 0 ? {} : { terms: { every: [...(own ? [own] : []), ...further] } }
}

/**
 * Members that a host may change. Statuses are fixed, so that drafts stay hidden, and so are pages, so that links stay valid.
 */
const CHANGEABLE: readonly (keyof HostQuery)[] = [
  ...(['types', 'ids', 'notIds', 'authors', 'notAuthors', 'parents', 'notParents', 'slugs'] as const),
  ...(['sticky', 'withPassword', 'dates', 'terms', 'search', 'order'] as const),
]

function changedByHost({ list, element, page, size, pass, scope }: ListRequest, query: HostQuery): HostQuery {
  const change = list.queryId === '' ? undefined : pass.tables.query(list.queryId)
  if (!change) return query
  const changed = change(query, { element, page, size, pass, scope })
  if (!Array.isArray(changed?.types)) throw new TypeError(`render.queries.${list.queryId} returned no query`)
  // The cast: the object has some of the members of a query.
  return Object.fromEntries(
    CHANGEABLE.flatMap((name) => (changed[name] === undefined ? [] : [[name, changed[name]]])),
  ) as unknown as HostQuery
}

function read(request: ListRequest, asSet: Filter, hasSticky = false, asSetOrder?: PostOrder): Listing {
  const { list, size, page, pass } = request
  const isRandom = list.orderBy === 'rand'
  const { order, ...filter } = changedByHost(request, {
    ...asSet,
    ...(isRandom ? {} : { order: asSetOrder ?? orderOf(list) }),
  })
  for (const type of filter.types) pass.depend(`query:${type}`)
  const query = { ...filter, ...refreshedTerms(request, filter), statuses: [{ status: 'publish' }] }
  if (!order) return shuffled(request, query)
  const sorted = { ...query, order }
  const offset = list.offset + (page - 1) * size
  const found = pass.get(postLists, postListKey({ ...sorted, offset, limit: size, total: true }))
  const total = Math.max(0, (found?.total ?? 0) - list.offset)
  const ids = found?.ids ?? []
  if (!hasSticky || page !== 1) return { ids, total }
  const sticky = pass.get(postLists, postListKey({ ...sorted, sticky: true, offset: 0, limit: size }))?.ids ?? []
  return { ids: [...sticky, ...ids.filter((id) => !sticky.includes(id))], total }
}

const maxShuffled = 10_000
/** How many posts are ranked with the work of one element. */
const shuffledOfUnit = 20

/** Orders posts at random for one day, so that pages of the list do not overlap. */
function shuffled(
  { list, size, page, pass }: ListRequest,
  query: Omit<PostQuery, 'order' | 'offset' | 'limit'>,
): Listing {
  const day = localDay(pass)
  const all = { ...query, order: { by: 'id', descending: false } as const, offset: 0, limit: maxShuffled }
  const ids = pass.get(postLists, postListKey(all))?.ids ?? []
  if (!pass.admit(Math.ceil(ids.length / shuffledOfUnit))) return nothing
  const ranked = ids.map((id) => ({ id, rank: rankOf(`${day} ${id}`) })).sort((a, b) => a.rank - b.rank || a.id - b.id)
  const rest = ranked.slice(list.offset)
  return { ids: rest.slice((page - 1) * size, page * size).map(({ id }) => id), total: rest.length }
}

/** FNV-1a with a final mix, so that neighbouring ids get distant ranks. */
function rankOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  return (hash ^ (hash >>> 13)) >>> 0
}
