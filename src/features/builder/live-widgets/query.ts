/** Queries the posts of a widget from its settings, the taxonomy filters of a page and the page number. */
import type { Context } from '../../../core/declare/context.ts'
import { parseSearch } from '../../../site/search-terms.ts'
import type { Post, PostOrder, PostQuery, Storage, Term, TermTree } from '../../../storage/contract.ts'
import { contentTaxonomies } from '../../content/content-types/model.ts'
import { type BuilderElement, isObject } from '../../shared/elements/model.ts'

export interface PostListing {
  readonly posts: readonly Post[]
  readonly page: number
  readonly pages: number
}

type ReadContext = Pick<Context, 'storage'>

/** The first non-empty value; widget types use different names for the same setting. */
const firstSetting = (settings: BuilderElement, ...names: readonly string[]): unknown =>
  names.map((name) => settings[name]).find((value) => value !== undefined && value !== '')

const listedTypes: ReadonlySet<string> = new Set(['post', 'page'])
const maxPerPage = 100

function perPageOf(settings: BuilderElement): number {
  const count = Number(firstSetting(settings, 'posts_per_page', 'classic_posts_per_page', 'number_of_items') ?? 6)
  return Number.isInteger(count) && count > 0 ? Math.min(count, maxPerPage) : 6
}

const orders: { readonly [name: string]: 'date' | 'title' | 'modified' | 'id' } = {
  post_date: 'date',
  date: 'date',
  post_title: 'title',
  title: 'title',
  modified: 'modified',
  ID: 'id',
}

function orderOf(settings: BuilderElement): PostOrder {
  const by = String(firstSetting(settings, 'post_query_orderby', 'posts_orderby', 'orderby') ?? 'date')
  const direction = String(firstSetting(settings, 'post_query_order', 'posts_order', 'order') ?? 'desc')
  return { by: (Object.hasOwn(orders, by) ? orders[by] : undefined) ?? 'date', descending: direction !== 'asc' }
}

const toIds = (value: unknown): number[] =>
  (Array.isArray(value) ? value : []).map(Number).filter((id) => Number.isSafeInteger(id) && id > 0)

/** The published posts that the widget lists. */
export async function listPosts(
  context: ReadContext,
  element: BuilderElement,
  options: { readonly page: number; readonly filters?: TaxonomyFilters | undefined },
): Promise<PostListing> {
  const settings = isObject(element['settings']) ? element['settings'] : {}
  const type = String(firstSetting(settings, 'post_query_post_type', 'posts_post_type', 'post_type') ?? 'post')
  const terms = toIds(firstSetting(settings, 'post_query_include_term_ids', 'posts_include_term_ids'))
  const widgetTrees: TermTree[] = terms.length > 0 ? [{ terms, has: 'any' }] : []
  const trees = [...widgetTrees, ...(await filterTrees(context.storage, options.filters ?? {}))]
  return readListing(context.storage, {
    query: {
      types: [listedTypes.has(type) ? type : 'post'],
      order: orderOf(settings),
      ...(trees.length > 0 ? { terms: { every: trees } } : {}),
    },
    page: options.page,
    perPage: perPageOf(settings),
  })
}

/** Search results by relevance, without password-protected posts. An empty text has no results. */
export async function searchPosts(
  context: ReadContext,
  element: BuilderElement,
  options: { readonly page: number; readonly text: string },
): Promise<PostListing> {
  const search = parseSearch(options.text)
  if (!search) return { posts: [], page: 1, pages: 0 }
  const { every, none, phrase, isSingle } = search
  const settings = isObject(element['settings']) ? element['settings'] : {}
  return readListing(context.storage, {
    query: {
      types: [...listedTypes],
      withPassword: false,
      search: { every, none, columns: ['title', 'excerpt', 'content'], exact: false },
      order: { by: 'relevance', phrase: isSingle ? '' : phrase, words: every },
    },
    page: options.page,
    perPage: perPageOf(settings),
  })
}

interface ListingRequest {
  readonly query: Pick<PostQuery, 'types' | 'order'> & Partial<PostQuery>
  readonly page: number
  readonly perPage: number
}

async function readListing(storage: Storage, { query, page, perPage }: ListingRequest): Promise<PostListing> {
  const { heads, total } = await storage.posts.query({
    ...query,
    statuses: [{ status: 'publish' }],
    offset: (page - 1) * perPage,
    limit: perPage,
    total: true,
  })
  const posts = await storage.posts.read(heads.map(({ id }) => id))
  return { posts, page, pages: Math.ceil(total / perPage) }
}

// ---------------------------------------------------------------- taxonomy filters

interface TaxonomyFilter {
  /** Slugs. */
  readonly terms: readonly string[]
  readonly join: 'all' | 'any'
}

type TaxonomyFilters = { readonly [taxonomy: string]: TaxonomyFilter }

const joins = ['AND', 'OR', 'DISABLED']
const maxTerms = 100

/** Parses `{ taxonomy: { category: { terms: [slug], logicalJoin: 'AND' } } }`; undefined for any other shape. */
export function toFilters(input: object): TaxonomyFilters | undefined {
  const taxonomies = 'taxonomy' in input ? input.taxonomy : {}
  if (Array.isArray(taxonomies) && taxonomies.length === 0) return {}
  if (!isObject(taxonomies)) return undefined
  const filters = new Map<string, TaxonomyFilter>()
  for (const [taxonomy, filter] of Object.entries(taxonomies)) {
    const parsed = isObject(filter) ? toFilter(filter) : undefined
    if (!parsed) return undefined
    // Interface: an empty first term selects everything, so there is nothing to filter by.
    if (parsed.terms.length > 0 && parsed.terms[0] !== '') filters.set(taxonomy, parsed)
  }
  return Object.fromEntries(filters)
}

function toFilter({ terms = [], logicalJoin = 'OR' }: BuilderElement): TaxonomyFilter | undefined {
  if (!Array.isArray(terms) || terms.length > maxTerms || !joins.includes(String(logicalJoin))) return undefined
  if (!terms.every((slug) => typeof slug === 'string')) return undefined
  return { terms, join: logicalJoin === 'AND' ? 'all' : 'any' }
}

const order = { by: 'id', descending: false } as const

/** Conditions to be joined by AND. An unknown term or taxonomy matches no post. */
async function filterTrees(storage: Storage, filters: TaxonomyFilters): Promise<TermTree[]> {
  const entries = Object.entries(filters)
  if (entries.length === 0) return []
  const { rows } = await storage.terms.query({
    taxonomies: entries.map(([taxonomy]) => taxonomy).filter((taxonomy) => contentTaxonomies.has(taxonomy)),
    slugs: [...new Set(entries.flatMap(([, { terms }]) => terms))],
    order,
    offset: 0,
    limit: Number.MAX_SAFE_INTEGER,
  })
  const trees: TermTree[] = []
  for (const [taxonomy, filter] of entries) {
    const terms = rows.filter((term) => term.taxonomy === taxonomy && filter.terms.includes(term.slug))
    trees.push(await filterTree(storage, filter, terms))
  }
  return trees
}

async function filterTree(
  storage: Storage,
  { terms, join }: TaxonomyFilter,
  matching: readonly Term[],
): Promise<TermTree> {
  const ids = matching.map(({ id }) => id)
  const slugs = new Set(terms)
  // Interface: a single term includes its descendants.
  if (slugs.size === 1) return { terms: [...ids, ...(await storage.terms.below(ids))], has: 'any' }
  if (join === 'any') return { terms: ids, has: 'any' }
  return matching.length < slugs.size ? { terms: [], has: 'any' } : { terms: ids, has: 'all' }
}
