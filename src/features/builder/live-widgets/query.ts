/** Which posts a widget lists: what its settings say, what a page filters by, and where in the list it is. */
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

/** Widgets name their settings differently; the first that is there counts. */
const firstSetting = (settings: BuilderElement, ...names: readonly string[]): unknown =>
  names.map((name) => settings[name]).find((value) => value !== undefined && value !== '')

const listedTypes: ReadonlySet<string> = new Set(['post', 'page'])
const maxPerPage = 100

function perPageOf(settings: BuilderElement): number {
  const sent = Number(firstSetting(settings, 'posts_per_page', 'classic_posts_per_page', 'number_of_items') ?? 6)
  return Number.isInteger(sent) && sent > 0 ? Math.min(sent, maxPerPage) : 6
}

const orders: { readonly [name: string]: 'date' | 'title' | 'modified' | 'id' } = {
  ...{ post_date: 'date', date: 'date', post_title: 'title', title: 'title' },
  ...{ modified: 'modified', ID: 'id' },
}

function orderOf(settings: BuilderElement): PostOrder {
  const by = String(firstSetting(settings, 'post_query_orderby', 'posts_orderby', 'orderby') ?? 'date')
  const direction = String(firstSetting(settings, 'post_query_order', 'posts_order', 'order') ?? 'desc')
  return { by: (Object.hasOwn(orders, by) ? orders[by] : undefined) ?? 'date', descending: direction !== 'asc' }
}

const toIds = (value: unknown): number[] =>
  (Array.isArray(value) ? value : []).map(Number).filter((id) => Number.isSafeInteger(id) && id > 0)

/** Published posts, as the widget lists them. */
export async function listPosts(
  context: ReadContext,
  element: BuilderElement,
  asked: { readonly page: number; readonly filters?: TaxonomyFilters | undefined },
): Promise<PostListing> {
  const settings = isObject(element['settings']) ? element['settings'] : {}
  const type = String(firstSetting(settings, 'post_query_post_type', 'posts_post_type', 'post_type') ?? 'post')
  const terms = toIds(firstSetting(settings, 'post_query_include_term_ids', 'posts_include_term_ids'))
  const own: TermTree[] = terms.length > 0 ? [{ terms, has: 'any' }] : []
  const trees = [...own, ...(await filterTrees(context.storage, asked.filters ?? {}))]
  return readListing(context.storage, {
    query: {
      types: [listedTypes.has(type) ? type : 'post'],
      order: orderOf(settings),
      ...(trees.length > 0 ? { terms: { every: trees } } : {}),
    },
    ...{ page: asked.page, perPage: perPageOf(settings) },
  })
}

/** What a search finds, best first. Posts behind a password are left out. Nothing is found by nothing. */
export async function searchPosts(
  context: ReadContext,
  element: BuilderElement,
  asked: { readonly page: number; readonly text: string },
): Promise<PostListing> {
  const search = parseSearch(asked.text)
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
    ...{ page: asked.page, perPage: perPageOf(settings) },
  })
}

async function readListing(
  storage: Storage,
  {
    query,
    page,
    perPage,
  }: {
    readonly query: Pick<PostQuery, 'types' | 'order'> & Partial<PostQuery>
    readonly page: number
    readonly perPage: number
  },
): Promise<PostListing> {
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

// ---------------------------------------------------------------- filters of a page

export interface TaxonomyFilter {
  /** Slugs. */
  readonly terms: readonly string[]
  readonly join: 'all' | 'any'
}

export type TaxonomyFilters = { readonly [taxonomy: string]: TaxonomyFilter }

const joins = ['AND', 'OR', 'DISABLED']
const maxTerms = 100

/** `{ taxonomy: { category: { terms: [slug], logicalJoin: 'AND' } } }`; undefined for anything of another shape. */
export function toFilters(sent: object): TaxonomyFilters | undefined {
  const taxonomies = 'taxonomy' in sent ? sent.taxonomy : {}
  if (Array.isArray(taxonomies) && taxonomies.length === 0) return {}
  if (!isObject(taxonomies)) return undefined
  const filters = new Map<string, TaxonomyFilter>()
  for (const [taxonomy, filter] of Object.entries(taxonomies)) {
    if (!isObject(filter)) return undefined
    const { terms = [], logicalJoin = 'OR' } = filter
    if (!Array.isArray(terms) || terms.length > maxTerms || !joins.includes(String(logicalJoin))) return undefined
    if (!terms.every((slug) => typeof slug === 'string')) return undefined
    // Interface: an empty first term is the choice of everything.
    if (terms.length > 0 && terms[0] !== '')
      filters.set(taxonomy, { terms, join: logicalJoin === 'AND' ? 'all' : 'any' })
  }
  return Object.fromEntries(filters)
}

const order = { by: 'id', descending: false } as const

/** Joined by AND. A term or a taxonomy that is not there lets nothing through. */
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
    const found = rows.filter((term) => term.taxonomy === taxonomy && filter.terms.includes(term.slug))
    trees.push(await filterTree(storage, filter, found))
  }
  return trees
}

async function filterTree(
  storage: Storage,
  { terms, join }: TaxonomyFilter,
  found: readonly Term[],
): Promise<TermTree> {
  const ids = found.map(({ id }) => id)
  const slugs = new Set(terms)
  // Interface: a single term stands for those below it too.
  if (slugs.size === 1) return { terms: [...ids, ...(await storage.terms.below(ids))], has: 'any' }
  if (join === 'any') return { terms: ids, has: 'any' }
  return found.length < slugs.size ? { terms: [], has: 'any' } : { terms: ids, has: 'all' }
}
