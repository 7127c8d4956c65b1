/** Where the rows of a list come from: what an index finds for one filter, or all posts of a type in an order; and how many there are. */
import { typesBesideSearch } from '../../../contract/fields/posts.ts'
import { andThen } from '../../../contract/maybe-promise.ts'
import type { MaybePromise, PostOrder } from '../../../contract/storage.ts'
import type { Dialect, ListType } from '../engine/dialect.ts'
import { type Fragment, joined, raw, sql, where } from '../engine/fragments.ts'
import type { Session } from '../engine/session.ts'
import { hasPassword, isUnusual, unusualFormat as usualFormat } from '../schema/tables.ts'
import { Columns, statusConditions, stickyOf, withinDates } from './conditions.ts'
import { type Criteria, isUsual, scopeOf, statusesOf, type TermCondition } from './criteria.ts'

/** Up to this number of candidates are read and sorted; more are met in the order of an index. */
export const few = 1000
/** Entries of an index are counted up to this number. */
const mostCounted = 5000
/** The first conditions on terms that may be sources: a statement has a limited number of columns. */
const mostTerms = 8

export interface Source {
  readonly alias: 'p' | 'd'
  readonly from: Fragment
  readonly where: readonly Fragment[]
  /** The columns that the index of the rows has. */
  readonly held: readonly string[]
  /** The number of its rows, or what reads it. One of a counter is exact; one above the bound says only that there are more. */
  readonly size: number | Fragment
  readonly bound?: number
  /** The condition on terms that all rows meet. */
  readonly met?: TermCondition
  /** Its entries are in the order of their dates. */
  readonly isByDate?: boolean
  /** Each row has a place in a list. */
  readonly place?: 'ids' | 'slugs'
}

export type ColumnOrder = Extract<PostOrder, { readonly descending: boolean }>['by']

/** The column of each order. Its index has these columns beside it. */
export const orders: {
  readonly [by in ColumnOrder]: { readonly column: string; readonly index: string; readonly held: readonly string[] }
} = {
  date: { column: 'date', index: 'posts_by_date', held: ['date', 'status', 'author'] },
  modified: { column: 'modified', index: 'posts_by_modified', held: ['modified', 'status', 'author', 'date'] },
  title: { column: 'title_folded', index: 'posts_by_title', held: ['title_folded', 'status', 'author', 'date'] },
  slug: { column: 'slug', index: 'posts_by_slug', held: ['slug', 'status', 'author', 'date'] },
  id: { column: 'id', index: 'posts_by_id', held: ['status', 'author', 'date'] },
  author: { column: 'author', index: 'posts_by_author', held: ['author', 'status', 'date'] },
  // All entries are sorted: nothing asks for this order but trees of pages, which are small.
  parent: { column: 'parent', index: 'posts_by_menu_order', held: ['menu_order', 'status', 'parent'] },
  menuOrder: { column: 'menu_order', index: 'posts_by_menu_order', held: ['menu_order', 'status', 'parent'] },
}

/** The posts of the types that meet the conditions, along an index, which has the columns `held`. */
const ofPosts = ({ dialect, types }: Criteria, index: string, held: readonly string[], ...conditions: Fragment[]) => ({
  alias: 'p' as const,
  from: raw(`posts p${dialect.along(index)}`),
  where: [dialect.inList('p.type', types), ...conditions],
  held,
})

/** Scans all posts of the types, along the index of an order. */
export function scanOf(criteria: Criteria, by: ColumnOrder): Source {
  const { index, held } = orders[by]
  return { ...ofPosts(criteria, index, held), size: Number.POSITIVE_INFINITY, isByDate: by === 'date' }
}

/** Each filter of a query that an index looks up. */
export const sourcesOf = (criteria: Criteria): readonly Source[] => [
  ...placesOf(criteria, 'ids', 'integer'),
  ...placesOf(criteria, 'slugs', 'text'),
  ...columnSources(criteria),
  ...unusualSources(criteria),
  ...termSources(criteria),
  ...rangeSources(criteria),
  ...searchSources(criteria),
]

function placesOf(criteria: Criteria, place: 'ids' | 'slugs', type: ListType): Source[] {
  const { dialect, types } = criteria
  const values = criteria[place]
  if (values === undefined) return []
  const list = [...new Set<number | string>(values)]
  const { column, index, held } = place === 'ids' ? { column: 'id', index: undefined, held: [] } : orders.slug
  const isOf = sql`${dialect.inList('p.type', types)} and ${raw(`p.${column}`)} = l.value`
  const posts = raw(`${dialect.join} posts p${dialect.along(index)}`)
  const from = sql`${dialect.listTable(list, type)} l ${posts} on ${isOf}`
  return [{ alias: 'p', from, where: [], held, size: list.length, place }]
}

/** The list of ids or slugs that an order follows, or a short one: it is read and sorted, whatever else is asked for. */
export function listedOf(sources: readonly Source[], { by }: PostOrder): Source | undefined {
  if (by === 'ids' || by === 'slugs') return sources.find(({ place }) => place === by)
  return by === 'relevance' ? undefined : sources.find(({ size }) => typeof size === 'number' && size <= few)
}

function columnSources(criteria: Criteria): Source[] {
  const { featuredMedia, parents, mimeTypes, authors } = criteria
  const { inList } = criteria.dialect
  const found: Source[] = []
  if (featuredMedia?.every((id) => id > 0)) {
    const isOf = [inList('p.featured_media', featuredMedia), raw('p.featured_media > 0')]
    found.push(bounded(ofPosts(criteria, 'posts_featured', [], ...isOf)))
  }
  if (parents !== undefined) {
    found.push(bounded(ofPosts(criteria, 'posts_unique_slug', ['parent', 'slug'], inList('p.parent', parents))))
  }
  if (mimeTypes?.every((type) => type !== '')) {
    const isOf = [inList('p.mime_type', mimeTypes), raw("p.mime_type <> ''")]
    const source = ofPosts(criteria, 'posts_by_mime', ['mime_type', 'date', 'status'], ...isOf)
    found.push({ ...source, size: countPosts({ ...plain(criteria), mimeTypes }), isByDate: mimeTypes.length === 1 })
  }
  if (authors !== undefined) {
    const source = ofPosts(criteria, 'posts_by_author', orders.author.held, inList('p.author', authors))
    found.push({ ...source, size: countPosts({ ...plain(criteria), authors }), isByDate: authors.length === 1 })
  }
  return found
}

/** The filters that few rows meet share one index, whose order has them after type and status. */
function unusualSources(criteria: Criteria): Source[] {
  const { dialect, sticky, withPassword, formats = [], otherFormats } = criteria
  const held = ['status', 'sticky', 'format', 'date']
  const names = statusesOf(criteria)?.names
  const scope = [...(names === undefined ? [] : [dialect.inList('p.status', names)]), raw(isUnusual('p.'))]
  const isOfFormats = formats.length > 0 && !isUsual(formats)
  if (sticky === true || withPassword === true || isOfFormats || otherFormats !== undefined) {
    // The columns in front of one are named, so that the index is entered at it.
    const password = withPassword === undefined ? 'in (0, 1)' : `= ${Number(withPassword)}`
    const isOf = [
      raw(`${hasPassword('p.')} ${password}`),
      raw(sticky === true ? stickyOf('p') : 'p.sticky in (0, 1)'),
      ...(isOfFormats ? [dialect.inList('p.format', formats)] : []),
      ...(otherFormats === undefined ? [] : [sql`p.format <> ${usualFormat}`]),
    ]
    // The index has no password, but whether there is one: no row is read for that.
    return [bounded(ofPosts(criteria, 'posts_unusual', [...held, 'password'], ...scope, ...isOf))]
  }
  if (names === undefined || names.includes('publish')) return []
  return [{ ...ofPosts(criteria, 'posts_unusual', held, ...scope), size: countPosts(plain(criteria)) }]
}

const termSources = (criteria: Criteria): Source[] =>
  criteria.terms.slice(0, mostTerms).flatMap((met): Source[] => {
    if (!('any' in met)) return []
    const { dialect, types } = criteria
    const from = raw(`post_terms d${dialect.along('post_terms_by_date')}`)
    const isOf = [dialect.inList('d.term_id', met.any), dialect.inList('d.type', types)]
    const source = { alias: 'd', held: ['status', 'date', 'author'], size: countTerms(criteria, met.any), met } as const
    if (met.any.length === 1) return [{ ...source, from, where: isOf, isByDate: true }]
    const conditions = [...isOf, ...statusConditions(criteria, (name) => `d.${name}`)]
    const distinct = sql`(select distinct d.post_id, d.type, d.status, d.date, d.author from ${from}${where(conditions)}) d`
    return [{ ...source, from: distinct, where: [] }]
  })

const rangeSources = (criteria: Criteria): Source[] =>
  criteria.dates.flatMap(({ field, after, before }): Source[] => {
    if (field === 'dateGmt' || (after === undefined && before === undefined)) return []
    const { index, held } = orders[field]
    return [bounded(ofPosts(criteria, index, held, ...withinDates(`p.${field}`, { after, before })))]
  })

/** Returns at most one. */
export function searchSources({ dialect, search, types }: Criteria): Source[] {
  if (search === undefined || search.meta !== undefined || search.columns.length === 0) return []
  if (types.some((type) => typesBesideSearch.includes(type))) return []
  const candidates = dialect.candidates(search.every)
  if (candidates === undefined) return []
  const from = sql`(${candidates.rows}) f ${raw(dialect.join)} posts p${raw(dialect.along(undefined))} on p.id = f.id`
  const size = candidates.counted(few + 1)
  return [{ alias: 'p', from, where: [dialect.inList('p.type', types)], held: [], size, bound: few }]
}

/** Counted along its index, but not beyond the bound. */
function bounded(source: Omit<Source, 'size'>): Source {
  const rows = sql`select 1 from ${source.from}${where(source.where)} limit ${raw(String(mostCounted + 1))}`
  return { ...source, size: sql`(select count(*) from (${rows}) b)`, bound: mostCounted }
}

/** The rows of a source that meet the conditions, whose columns say whether the rows of posts are joined. */
export function rowsOf(dialect: Dialect, source: Source, columns: Columns, conditions: readonly Fragment[]): Fragment {
  const isJoined = source.alias === 'd' && columns.usesPosts
  const posts = isJoined ? raw(` ${dialect.join} posts p${dialect.along(undefined)} on p.id = d.post_id`) : raw('')
  return sql`${source.from}${posts}${where([...source.where, ...conditions])}`
}

export const columnsOf = ({ alias, held }: Source): Columns => new Columns(alias, held)

// ---------------------------------------------------------------- sizes

/** The types and statuses alone. */
export const plain = ({ dialect, types, statuses, order, offset, limit }: Criteria): Criteria => ({
  ...{ dialect, types, statuses, order, offset, limit },
  ...{ dates: [], terms: [] },
})

/** The number of posts, which may be of some authors and types of files. */
export function countPosts(criteria: Criteria): Fragment {
  const { dialect, types, authors, mimeTypes } = criteria
  const conditions = [
    dialect.inList('c.type', types),
    ...statusConditions(criteria, (name) => `c.${name}`),
    ...(authors === undefined ? [] : [dialect.inList('c.author', authors)]),
    ...(mimeTypes === undefined ? [] : [dialect.inList('c.mime_type', mimeTypes)]),
  ]
  return sql`(select coalesce(sum(c.count), 0) from post_counts c${where(conditions)})`
}

/** The posts of each of these terms, added up; also those of other authors than a status asks for. */
export function countTerms(criteria: Criteria, terms: readonly number[]): Fragment {
  const conditions = [criteria.dialect.inList('c.term_id', terms), ...scopeOf(criteria, 'c')]
  return sql`(select coalesce(sum(c.count), 0) from term_counts c${where(conditions)})`
}

/** Lists what reads the sizes of the sources. */
export const sizesOf = (sources: readonly Source[]): Fragment[] =>
  sources.flatMap(({ size }) => (typeof size === 'number' ? [] : [size]))

/** The numbers that fragments read. */
export class Sizes {
  readonly #numbers: ReadonlyMap<string, number>

  constructor(numbers: ReadonlyMap<string, number> = new Map()) {
    this.#numbers = numbers
  }

  /** 0 for one that was not asked for. */
  number(size: Fragment): number {
    return this.#numbers.get(keyOf(size)) ?? 0
  }

  /** Infinite above the bound of the source. */
  of({ size, bound = Number.POSITIVE_INFINITY }: Source): number {
    const number = typeof size === 'number' ? size : this.number(size)
    return number > bound ? Number.POSITIVE_INFINITY : number
  }

  smallest([first, ...others]: readonly Source[]): Source | undefined {
    return others.reduce((best, each) => (best && this.of(each) < this.of(best) ? each : best), first)
  }
}

const keyOf = ({ text, values }: Fragment) => `${text} ${JSON.stringify(values)}`

/** Reads the sizes in one statement. */
export function readSizes(session: Session, parts: readonly Fragment[]): MaybePromise<Sizes> {
  const asked = [...new Map(parts.map((each) => [keyOf(each), each]))]
  if (asked.length === 0) return new Sizes()
  const isOfTexts = asked.some(([, { text }]) => text.includes('posts_search'))
  const columns = joined(
    asked.map(([, each]) => each),
    ', ',
  )
  return andThen(session.all(sql`select ${columns}`, isOfTexts ? 'search' : undefined), ([row = []]) => {
    return new Sizes(new Map(asked.map(([key], at) => [key, Number(row[at] ?? 0)])))
  })
}
