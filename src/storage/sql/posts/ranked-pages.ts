/** The pages of lists by relevance. */
import type { PostOrder } from '../../../contract/storage.ts'
import { maxRankedWords } from '../../relevance.ts'
import { type Fragment, raw, sql } from '../engine/fragments.ts'
import { type Columns, rankOf } from './conditions.ts'
import type { Criteria } from './criteria.ts'
import { idsPageOf, orderOf, type Selection, selectAlong, selectIds } from './select.ts'
import type { Sizes } from './sizes.ts'
import { few, plain, type Source, scanOf, sourcesOf } from './sources.ts'

/**
 * By rank, all matches are read. Where they are many, the best are likely among the newest, or among the titles, which an index has.
 */
export function rankedPages(
  criteria: Criteria,
  ranking: Extract<PostOrder, { readonly by: 'relevance' }>,
  sizes: Sizes,
  total: number | undefined,
): readonly Fragment[] {
  const sources = sourcesOf(criteria)
  const smallest = sizes.smallest(sources) ?? scanOf(criteria, 'date')
  const size = sizes.of(smallest)
  const { dialect, limit, offset } = criteria
  const order = orderOf(dialect, ranking)
  const selection = { order, limit, offset }
  const pageOf = (source: Source, more: Partial<Selection> = {}) =>
    idsPageOf(dialect, selectIds(criteria, source, { ...selection, ...more }), more.order ?? order)
  const whole = pageOf(smallest)
  if (size <= few || (total !== undefined && total <= few)) return [whole]
  const best = bestInTitle(ranking)
  // All matches have one rank.
  if (best.length === 0) return [whole]
  const isNearTop = (columns: Columns) => [sql`${rankOf(dialect, ranking, columns, { inTitle: true })} <= 3`]
  const inTitle = orderOf(dialect, ranking, { inTitle: true })
  const byTitle = pageOf(scanOf(criteria, 'title'), { first: isNearTop, order: inTitle })
  const newest = pageOf(newestOf(criteria, sources, sizes), {
    first: (columns) => best.map((text) => dialect.contains(columns.of('title_folded'), text)),
    order: orderOf(dialect, { by: 'date', descending: true }),
  })
  return [newest, byTitle, whole]
}

/** The posts of the best rank have these texts in their titles. */
const bestInTitle = ({ phrase, words }: { readonly phrase: string; readonly words: readonly string[] }) =>
  phrase !== '' ? [phrase] : words.length <= maxRankedWords ? words : []

/** The newest posts, or those of a term. */
function newestOf(criteria: Criteria, sources: readonly Source[], sizes: Sizes): Source {
  const { dialect } = criteria
  const own = sizes.smallest(sources.filter(({ isByDate, met }) => isByDate && met !== undefined))
  const order = orderOf(dialect, { by: 'date', descending: true })
  const first = { order, limit: few, offset: 0 }
  const terms = own?.met === undefined ? [] : [own.met]
  const byDate: Criteria = { ...plain(criteria), terms, order: { by: 'date', descending: true } }
  const newest = selectAlong(byDate, own && sourcesOf(byDate).findIndex(({ met }) => met !== undefined), first)
  const from = sql`(${newest}) f ${raw(dialect.join)} posts p${raw(dialect.along(undefined))} on p.id = f.id`
  return { alias: 'p', from, where: [], held: [], size: few }
}
