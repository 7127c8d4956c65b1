/**
 * The total of a list by four rules, as one statement:
 * 1. What an exclusion leaves out is counted and subtracted.
 * 2. Posts of authors, of types of files and of one term have a counter.
 * 3. Of several alternative terms, the most frequent has its counter; what the others have beyond it is counted.
 * 4. Otherwise the smallest source is walked, with the other filters as conditions.
 */
import { type Fragment, joined, raw, sql, where } from '../engine/fragments.ts'
import { conditionsOf } from './conditions.ts'
import { type Criteria, scopeOf, statusesOf, termsOf, withoutExclusion } from './criteria.ts'
import {
  columnsOf,
  countPosts,
  countTerms,
  rowsOf,
  type Sizes,
  type Source,
  scanOf,
  sizesOf,
  sourcesOf,
} from './sources.ts'

/** A total that is added or subtracted. */
export interface Part {
  readonly sign: '+' | '-'
  readonly criteria: Criteria
}

/** Each exclusion doubles the parts; a query with more has the others as conditions. */
const mostExclusions = 4
/** A look-up of a term takes about as long as so many entries of its list. */
export const lookUpCost = 3

export function partsOf(criteria: Criteria, sign: Part['sign'] = '+', depth = 0): readonly Part[] {
  const split = depth < mostExclusions ? withoutExclusion(criteria) : undefined
  if (split === undefined) return [{ sign, criteria }]
  return [...partsOf(split[0], sign, depth + 1), ...partsOf(split[1], sign === '+' ? '-' : '+', depth + 1)]
}

/** Reads the sizes that decide how a part is counted. */
export function sizesOfPart({ criteria }: Part): readonly Fragment[] {
  if (counted(criteria) !== undefined) return []
  const sources = sourcesOf(criteria)
  if (knownOf(sources) !== undefined || (sources.length < 2 && criteria.terms.length === 0)) return []
  return [...sizesOf(sources), countTerms(criteria, termsOf(criteria))]
}

export function totalOf(parts: readonly Part[], sizes: Sizes): Fragment {
  const terms = parts.map(({ sign, criteria }) => sql`${raw(sign)} ${counted(criteria) ?? walk(criteria, sizes)}`)
  return sql`select 0 ${joined(terms, ' ')}`
}

/** The key of a cached total: lists that differ in their order or page have the same total. */
export const totalKeyOf = (criteria: Criteria): string =>
  `total ${JSON.stringify({ ...criteria, dialect: undefined, order: undefined, offset: 0, limit: 0 })}`

/** Whether the total reads no more than counters. */
export const isCounted = (parts: readonly Part[]): boolean =>
  parts.every(({ criteria }) => counterOf(criteria) !== undefined)

const counted = (criteria: Criteria): Fragment | undefined => counterOf(criteria) ?? countAlternatives(criteria)

function counterOf(criteria: Criteria): Fragment | undefined {
  if (hasOthers(criteria)) return undefined
  if (criteria.terms.length === 0) return countPosts(criteria)
  const terms = onlyTerms(criteria)
  return terms?.length === 1 ? countTerms(criteria, terms) : undefined
}

const ofCounters = new Set([
  'dialect',
  'types',
  'statuses',
  'authors',
  'mimeTypes',
  'terms',
  'order',
  'offset',
  'limit',
])

/** Filters that no counter has. */
const hasOthers = ({ dates, ...criteria }: Criteria): boolean =>
  dates.length > 0 || Object.entries(criteria).some(([name, value]) => value !== undefined && !ofCounters.has(name))

/** Terms of which a post has one, as the only filter. The counters of terms do not know the authors. */
function onlyTerms(criteria: Criteria): readonly number[] | undefined {
  const [only, ...others] = criteria.terms
  const ofAuthors = criteria.authors !== undefined || (statusesOf(criteria)?.ofOne.length ?? 0) > 0
  if (hasOthers(criteria) || ofAuthors || criteria.mimeTypes !== undefined || others.length > 0) return undefined
  return only !== undefined && 'any' in only ? only.any : undefined
}

function countAlternatives(criteria: Criteria): Fragment | undefined {
  const terms = onlyTerms(criteria)
  if (terms === undefined) return undefined
  const { dialect } = criteria
  const ofTerms = sql`from term_counts c${where([dialect.inList('c.term_id', terms), ...scopeOf(criteria, 'c')])}`
  const largest = sql`${ofTerms} group by c.term_id order by sum(c.count) desc, c.term_id limit 1`
  const isLargest = sql`(select c.term_id ${largest})`
  const hasLargest = sql`select 1 from post_terms x where x.post_id = d.post_id and x.term_id = ${isLargest}`
  const beyond = [
    sql`d.term_id in (select c.term_id ${ofTerms} and c.term_id <> ${isLargest})`,
    ...scopeOf(criteria, 'd'),
    sql`not exists (${hasLargest}${raw(dialect.rowByRow)})`,
  ]
  const along = raw(dialect.along('post_terms_by_date'))
  const others = sql`(select count(distinct d.post_id) from post_terms d${along}${where(beyond)})`
  return sql`(coalesce((select sum(c.count) ${largest}), 0) + ${others})`
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
