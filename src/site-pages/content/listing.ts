/** Reads one page of the posts of an archive, and counts its posts. */

import { toInteger } from '../../contract/scalars.ts'
import type { Post, PostQuery } from '../../contract/storage.ts'
import { publicTypesOf, typesWithTaxonomy, viewableTypes } from '../../features/shared/declared-types.ts'
import { searchedMetaOf } from '../../features/shared/own-fields.ts'
import { parseSearch } from '../../site/search-terms.ts'
import type { Archive } from '../address/locate.ts'
import type { Visit } from '../visit.ts'

export interface Listing {
  readonly posts: readonly Post[]
  /** 0 where `counts` is `none`. */
  readonly total: number
  /** The number of posts on each page. */
  readonly size: number
}

type Filter = Omit<PostQuery, 'offset' | 'limit' | 'total' | 'statuses'>

const newestFirst = { by: 'date', descending: true } as const

interface ListedPage {
  /** Counted from 1. */
  readonly page: number
  /** The most posts on a page. */
  readonly size: number
  /** The page shows the number of posts, or of pages, or none: an answer lasts until that number changes. */
  readonly counts: 'posts' | 'pages' | 'none'
  /** False: the posts are counted, and not read. Default: true. */
  readonly showsPosts?: boolean
}

export async function listArchive(
  archive: Archive,
  { page, size, counts, showsPosts = true }: ListedPage,
  visit: Visit,
): Promise<Listing> {
  const filter = await filterOf(archive, visit)
  if (!filter) return { posts: [], total: 0, size }
  const { storage } = visit
  const query = { ...filter, statuses: [{ status: 'publish' }] }
  const { idsPage, total } = await storage.posts.query({
    ...query,
    offset: (page - 1) * size,
    limit: showsPosts ? size : 0,
    ...(counts === 'none' ? {} : { total: true }),
    ...(counts === 'pages' ? { pageSize: size } : {}),
  })
  if (!showsPosts) return { posts: [], total, size }
  const ids = idsPage.map(({ id }) => id)
  const sticky = archive.kind === 'posts' && page === 1 ? await stickyIds(query, visit, size) : []
  const posts = await storage.posts.read([...sticky, ...ids.filter((id) => !sticky.includes(id))])
  return { posts, total, size }
}

/** Returns the sticky posts, which precede all others on the first page. */
async function stickyIds(
  query: Omit<PostQuery, 'offset' | 'limit'>,
  { storage }: Visit,
  size: number,
): Promise<number[]> {
  const { idsPage } = await storage.posts.query({ ...query, sticky: true, offset: 0, limit: size })
  return idsPage.map(({ id }) => id)
}

export async function postsPerPage({ options, storage }: Visit): Promise<number> {
  if (options.postsPerPage !== undefined) return options.postsPerPage
  const { posts_per_page: stored } = await storage.options.read(['posts_per_page'])
  const size = toInteger(stored)
  return typeof size === 'number' && size >= 1 && size <= 100 ? size : 10
}

async function filterOf(archive: Archive, visit: Visit): Promise<Filter | undefined> {
  switch (archive.kind) {
    case 'posts':
      return { types: ['post'], order: newestFirst }
    case 'author':
      return { types: ['post'], authors: [archive.user.id], order: newestFirst }
    case 'date':
      return { types: ['post'], dates: [{ field: 'date', ...boundsOf(archive.parts) }], order: newestFirst }
    case 'term': {
      const { id, taxonomy } = archive.term
      const terms = [id, ...(await visit.storage.terms.below([id]))]
      const types = typesWithTaxonomy(publicTypesOf(visit.app), taxonomy)
      return { types: types.length === 0 ? ['post'] : types, terms: { terms, has: 'any' }, order: newestFirst }
    }
    case 'search':
      return searchFilter(archive.text, visit)
  }
}

/** Bounds of a query are exclusive, so the first one is a second before the period. */
function boundsOf([year, month, day]: readonly string[]): { readonly after: string; readonly before: string } {
  const [y, m, d] = [Number(year), Number(month ?? 1) - 1, Number(day ?? 1)]
  const end =
    day !== undefined ? Date.UTC(y, m, d + 1) : month !== undefined ? Date.UTC(y, m + 1, 1) : Date.UTC(y + 1, 0, 1)
  return { after: textAt(Date.UTC(y, m, d) - 1000), before: textAt(end) }
}

const textAt = (time: number): string => new Date(time).toISOString().slice(0, 19)

/** Readers do not search for longer texts. */
const maxSearch = 400

function searchFilter(text: string, visit: Visit): Filter | undefined {
  const search = parseSearch(text.slice(0, maxSearch))
  if (!search) return undefined
  const { every, none, phrase, isSingle } = search
  const { flat, hierarchical } = viewableTypes(visit.app)
  const types = [...flat, ...hierarchical].filter((type) => type !== 'attachment')
  const meta = searchedMetaOf(visit.app, types)
  return {
    types,
    withPassword: false,
    search: { every, none, columns: ['title', 'excerpt', 'content'], ...meta, exact: false },
    order: { by: 'relevance', phrase: isSingle ? '' : phrase, words: every },
  }
}
