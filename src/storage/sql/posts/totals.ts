/**
 * The total of a list by four rules, as one statement:
 * 1. What an exclusion leaves out is counted and subtracted.
 * 2. Posts of authors, of types of files and of one term have a counter.
 * 3. Of several alternative terms, the most frequent has its counter; what the others have beyond it is counted.
 * 4. Otherwise the smallest source is walked, with the other filters as conditions.
 */
import { type Fragment, joined, raw, sql, where } from '../engine/fragments.ts'
import { conditionsOf } from './conditions.ts'
import { type AnyTerm, type Criteria, scopeOf, statusesOf, termsOf, withoutExclusion } from './criteria.ts'
import type { Sizes } from './sizes.ts'
import { columnsOf, countPosts, countTerms, rowsOf, type Source, scanOf, sourcesOf } from './sources.ts'

/** A total that is added or subtracted. */
export interface Part {
  readonly sign: 1 | -1
  readonly criteria: Criteria
}

/** Each exclusion doubles the parts; a query with more has the others as conditions. */
const mostExclusions = 4
/** A look-up of a term takes about as long as so many entries of its list. */
export const lookUpCost = 3

export function partsOf(criteria: Criteria, sign: 1 | -1 = 1, depth = 0): readonly Part[] {
  const split = depth < mostExclusions ? withoutExclusion(criteria) : undefined
  if (split === undefined) return [{ sign, criteria }]
  const opposite = sign === 1 ? -1 : 1
  return [...partsOf(split[0], sign, depth + 1), ...partsOf(split[1], opposite, depth + 1)]
}

/** Reads the sizes that decide how a part is counted. */
export function sizesOfPart({ criteria }: Part): readonly Fragment[] {
  if (counterOf(criteria) !== undefined) return []
  const alternatives = alternativesOf(criteria)
  if (alternatives !== undefined) {
    const { term, size } = largestOf(criteria, alternatives)
    return [term, size, countTerms(criteria, alternatives.any)]
  }
  const sources = sourcesOf(criteria)
  if (knownOf(sources) !== undefined || (sources.length < 2 && criteria.terms.length === 0)) return []
  return [...sizesOf(sources), countTerms(criteria, termsOf(criteria))]
}

export const sizesOf = (sources: readonly Source[]): Fragment[] =>
  sources.flatMap(({ size }) => (typeof size === 'number' ? [] : [size]))

export function totalOf(parts: readonly Part[], sizes: Sizes): Fragment {
  const terms = parts.map(({ sign, criteria }) => {
    const count = counterOf(criteria) ?? countAlternatives(criteria, sizes) ?? walk(criteria, sizes)
    return sql`${raw(sign === 1 ? '+ ' : '- ')}${count}`
  })
  return sql`select 0 ${joined(terms, ' ')}`
}

/** The key of a cached total: lists that differ in their order or page have the same total. */
export function totalKeyOf({
  dialect: _dialect,
  order: _order,
  offset: _offset,
  limit: _limit,
  ...filters
}: Criteria): string {
  return `total ${JSON.stringify(filters)}`
}

/** Whether the total reads no more than counters. */
export const isCounted = (parts: readonly Part[]): boolean =>
  parts.every(({ criteria }) => counterOf(criteria) !== undefined)

function counterOf(criteria: Criteria): Fragment | undefined {
  if (hasOthers(criteria)) return undefined
  if (criteria.terms.length === 0) return countPosts(criteria)
  const terms = onlyTerms(criteria)
  return terms?.any.length === 1 ? countTerms(criteria, terms.any) : undefined
}

const counted = new Set(['dialect', 'types', 'statuses', 'authors', 'mimeTypes', 'terms', 'order', 'offset', 'limit'])

/** Filters that no counter has. */
const hasOthers = ({ dates, ...criteria }: Criteria): boolean =>
  dates.length > 0 || Object.entries(criteria).some(([name, value]) => value !== undefined && !counted.has(name))

/** Terms of which a post has one, as the only filter. */
function onlyTerms(criteria: Criteria): AnyTerm | undefined {
  const { authors, mimeTypes, terms } = criteria
  const [only] = terms
  if (hasOthers(criteria) || authors !== undefined || mimeTypes !== undefined || terms.length > 1) return undefined
  // The counters of terms do not know the authors.
  if ((statusesOf(criteria)?.ofOne.length ?? 0) > 0) return undefined
  return only !== undefined && 'any' in only ? only : undefined
}

function alternativesOf(criteria: Criteria): AnyTerm | undefined {
  const terms = onlyTerms(criteria)
  return terms !== undefined && terms.any.length > 1 ? terms : undefined
}

function countAlternatives(criteria: Criteria, sizes: Sizes): Fragment | undefined {
  const alternatives = alternativesOf(criteria)
  if (alternatives === undefined) return undefined
  const { dialect } = criteria
  const { any } = alternatives
  const largest = largestOf(criteria, alternatives)
  const [term, size] = [sizes.number(largest.term), sizes.number(largest.size)]
  // Where the others have many posts, all are counted together.
  const areRare = 2 * (sizes.number(countTerms(criteria, any)) - size) < size
  const counted = areRare ? any.filter((each) => each !== term) : any
  const conditions = [dialect.inList('d.term_id', counted), ...scopeOf(criteria, 'd')]
  const ofLargest = sql`select 1 from post_terms x where x.post_id = d.post_id and x.term_id = ${term}`
  const beyond = areRare ? [sql`not exists (${ofLargest}${raw(dialect.rowByRow)})`] : []
  const along = raw(dialect.along('post_terms_by_date'))
  const rest = sql`(select count(distinct d.post_id) from post_terms d${along}${where([...conditions, ...beyond])})`
  return areRare ? sql`(${countTerms(criteria, [term])} + ${rest})` : rest
}

/** The term with the most posts, and their number. */
function largestOf(criteria: Criteria, { any }: AnyTerm) {
  const conditions = [criteria.dialect.inList('c.term_id', any), ...scopeOf(criteria, 'c')]
  const first = sql`from term_counts c${where(conditions)} group by c.term_id order by sum(c.count) desc, c.term_id limit 1`
  return { term: sql`(select c.term_id ${first})`, size: sql`(select sum(c.count) ${first})` }
}

function walk(criteria: Criteria, sizes: Sizes): Fragment {
  const sources = sourcesOf(criteria)
  const known = knownOf(sources)
  const source = known ?? sizes.smallest(sources) ?? scanOf(criteria, 'date')
  const columns = columnsOf(source)
  const areTermsListed = known === undefined && areFewer(criteria, source, sizes.of(source), sizes)
  const conditions = conditionsOf(criteria, columns, { met: source.met, areTermsListed })
  return sql`(select count(*) from ${rowsOf(criteria.dialect, source, columns, conditions)})`
}

/** Ids or slugs, whose number needs no statement. */
const knownOf = (sources: readonly Source[]) => sources.find(({ size }) => typeof size === 'number')

/** Whether a list of the posts of all other terms costs less than to look up each post that is passed. */
export function areFewer(criteria: Criteria, { met }: Source, passed: number, sizes: Sizes): boolean {
  const terms = termsOf(criteria)
  if (terms.length === 0) return false
  const ofSource = met === undefined ? 0 : sizes.number(countTerms(criteria, termsOf({ ...criteria, terms: [met] })))
  return sizes.number(countTerms(criteria, terms)) - ofSource < lookUpCost * passed
}
