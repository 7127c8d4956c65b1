/** The filters by terms that a page sends for one of its lists. */
import type { Storage, Term, TermTree } from '../../../contract/storage.ts'
import { contentTaxonomies } from '../../content/content-types/model.ts'
import { type BuilderElement, isObject } from '../../shared/elements.ts'

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
export async function filterTrees(storage: Storage, filters: TaxonomyFilters): Promise<TermTree[]> {
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
