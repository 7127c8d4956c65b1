/** The conditions of a list of posts. Each asks the source which column has a value, so that rows are read only for what it lacks. */
import { lookupTable } from '../../../contract/lookup-table.ts'
import { maxRankedWords } from '../../../contract/post-rank.ts'
import type { TermTree } from '../../../contract/storage.ts'
import type { Dialect } from '../engine/dialect.ts'
import { every, type Fragment, joined, raw, some, sql, where } from '../engine/fragments.ts'
import { hasPassword, isUnusual, unusualFormat as usualFormat } from '../schema/tables.ts'
import {
  type Criteria,
  exclusions,
  isUsual,
  listFilters,
  mostLookedUp,
  scopeOf,
  statusesOf,
  type TermCondition,
} from './criteria.ts'

/** The columns of the rows that are passed. */
export class Columns {
  readonly #alias: 'p' | 'd'
  readonly #held: readonly string[]
  /** Whether a row of `posts` is read for a column that the index lacks. */
  readsRows = false
  /** Whether the rows of `posts` have to be joined. */
  usesPosts = false

  /** `held` are the columns that the index of the rows has. */
  constructor(alias: 'p' | 'd', held: readonly string[]) {
    this.#alias = alias
    this.#held = held
    this.usesPosts = alias === 'p'
  }

  /** Whether an index has the column, or an expression of it that the source has met. */
  holds(name: string): boolean {
    return this.#held.includes(name)
  }

  of(name: string): string {
    const isHeld = name === 'id' || name === 'type' || this.#held.includes(name)
    if (!isHeld) this.readsRows = true
    if (this.#alias === 'p') return `p.${name}`
    if (name === 'id') return 'd.post_id'
    if (isHeld) return `d.${name}`
    this.usesPosts = true
    return `p.${name}`
  }
}

interface Options {
  /** So many rows are passed that what most of them are is a list of the few others. */
  readonly isListed?: boolean
  /** So many rows are passed that the posts of terms are listed, in place of looking up each. */
  readonly areTermsListed?: boolean
  /** The condition that the source meets. */
  readonly met?: TermCondition | undefined
}

const dateColumns: { readonly [field: string]: string } = lookupTable({
  date: 'date',
  dateGmt: 'date_gmt',
  modified: 'modified',
})

export function conditionsOf(criteria: Criteria, columns: Columns, options: Options = {}): Fragment[] {
  return [
    ...statusConditions(criteria, (name) => columns.of(name)),
    ...columnConditions(criteria, columns),
    ...unusualConditions(criteria, columns, options),
    ...dateConditions(criteria, columns),
    ...criteria.terms
      .filter((condition) => condition !== options.met)
      .map((condition) => termCondition(criteria, condition, columns, options)),
    ...searchConditions(criteria, columns),
  ]
}

function columnConditions(criteria: Criteria, columns: Columns): Fragment[] {
  const { dialect } = criteria
  const found: Fragment[] = []
  for (const [name, column] of listFilters) {
    const values = criteria[name]
    if (values !== undefined) found.push(dialect.inList(`${dialect.unindexed}${columns.of(column)}`, values))
  }
  for (const [name, column] of exclusions) {
    const values = criteria[name]
    if (values !== undefined) found.push(sql`not ${dialect.inList(columns.of(column), values)}`)
  }
  return found
}

function unusualConditions(criteria: Criteria, columns: Columns, { isListed = false }: Options): Fragment[] {
  const { dialect, sticky, withPassword, formats, otherFormats } = criteria
  const isNoneOf = (others: Fragment) => sql`${raw(columns.of('id'))} not in (${unusualIds(criteria, others)})`
  const found: Fragment[] = []
  if (sticky === false && isListed) found.push(isNoneOf(raw(`${hasPassword('u.')} in (0, 1) and ${stickyOf('u')}`)))
  else if (sticky !== undefined) found.push(raw(`${columns.of('sticky')} = ${Number(sticky)}`))
  const isMet = columns.holds('password')
  if (withPassword === false && isListed && !isMet) found.push(isNoneOf(raw(`${hasPassword('u.')} = 1`)))
  else if (withPassword !== undefined && !isMet)
    found.push(raw(`${columns.of('password')} ${withPassword ? '<>' : '='} ''`))
  if (formats !== undefined && isUsual(formats) && isListed) {
    found.push(isNoneOf(sql`u.format <> ${usualFormat} and not ${dialect.inList('u.format', formats)}`))
  } else if (formats !== undefined) found.push(dialect.inList(`${dialect.unindexed}${columns.of('format')}`, formats))
  if (otherFormats !== undefined) {
    const format = columns.of('format')
    found.push(sql`${raw(format)} <> ${usualFormat}`, sql`not ${dialect.inList(format, otherFormats)}`)
  }
  return found
}

function dateConditions({ dates }: Criteria, columns: Columns): Fragment[] {
  return dates.flatMap(({ field, ...bounds }) => {
    const column = columns.of(dateColumns[field] as string)
    const isIn = withinDates(column, bounds)
    return isIn.length > 0 ? isIn : [raw(`${column} is not null`)]
  })
}

export const withinDates = (
  column: string,
  { after, before }: { readonly after?: string | undefined; readonly before?: string | undefined },
): Fragment[] => [
  ...(after === undefined ? [] : [sql`${raw(column)} > ${after}`]),
  ...(before === undefined ? [] : [sql`${raw(column)} < ${before}`]),
]

export function statusConditions(criteria: Criteria, of: (name: string) => string): Fragment[] {
  const statuses = statusesOf(criteria)
  if (statuses === undefined) return []
  const status = raw(of('status'))
  const ofOne = statuses.ofOne.map(
    (each) => sql`(${status} = ${each.status} and ${raw(of('author'))} = ${each.author as number})`,
  )
  return [
    some([...(statuses.ofAny.length === 0 ? [] : [criteria.dialect.inList(of('status'), statuses.ofAny)]), ...ofOne]),
  ]
}

/** In a form that an index of unusual rows serves. */
export const stickyOf = (alias: string) => `${alias}.sticky = 1`

/** The posts of the query's types and statuses that are unusual in some way. */
function unusualIds(criteria: Criteria, what: Fragment): Fragment {
  const conditions = [...scopeOf(criteria, 'u'), raw(isUnusual('u.')), what]
  return sql`select u.id from posts u${raw(criteria.dialect.along('posts_unusual'))}${where(conditions)}`
}

function termCondition(criteria: Criteria, condition: TermCondition, columns: Columns, options: Options): Fragment {
  if ('any' in condition) return hasTerm(criteria, condition.any, columns, options)
  if ('none' in condition) return sql`not ${hasTerm(criteria, condition.none, columns, options)}`
  return treeCondition(criteria, condition.tree, columns, options)
}

/** A post is looked up among its terms; or in a list of all posts of the terms, where more posts are passed than these have. */
function hasTerm(
  { dialect, types }: Criteria,
  terms: readonly number[],
  columns: Columns,
  { areTermsListed = false }: Options,
): Fragment {
  const id = raw(columns.of('id'))
  if (terms.length === 0) return raw('(1 = 0)')
  if (areTermsListed) {
    const conditions = [dialect.inList('x.term_id', terms), dialect.inList('x.type', types)]
    const listed = sql`select x.post_id from post_terms x${raw(dialect.along('post_terms_by_date'))}${where(conditions)}`
    return sql`${raw(dialect.unindexed)}${id} in (${listed})`
  }
  // The few terms of the post are compared with many, in place of a look-up of each.
  const isTerm = dialect.inList(terms.length > 4 ? `${dialect.unindexed}x.term_id` : 'x.term_id', terms)
  return sql`exists (select 1 from post_terms x where x.post_id = ${id} and ${isTerm}${raw(dialect.rowByRow)})`
}

function treeCondition(criteria: Criteria, tree: TermTree, columns: Columns, options: Options): Fragment {
  const conditionsIn = (trees: readonly TermTree[]) =>
    trees.map((branch) => treeCondition(criteria, branch, columns, options))
  if ('every' in tree) return sql`(${every(conditionsIn(tree.every))})`
  if ('some' in tree) return sql`(${some(conditionsIn(tree.some))})`
  if ('formats' in tree)
    return tree.formats.length === 0 ? raw('(1 = 0)') : criteria.dialect.inList(columns.of('format'), tree.formats)
  const terms = [...new Set(tree.terms)]
  if (tree.has === 'any') return hasTerm(criteria, terms, columns, options)
  if (tree.has === 'none') return sql`not ${hasTerm(criteria, terms, columns, options)}`
  if (terms.length > mostLookedUp) {
    const { inList, unindexed } = criteria.dialect
    const isTerm = inList(`${unindexed}x.term_id`, terms)
    const ofPost = sql`select count(*) from post_terms x where x.post_id = ${raw(columns.of('id'))} and ${isTerm}`
    return sql`(${ofPost}) = ${terms.length}`
  }
  return sql`(${every(terms.map((term) => hasTerm(criteria, [term], columns, options)))})`
}

function searchConditions({ dialect, search }: Criteria, columns: Columns): Fragment[] {
  if (search === undefined) return []
  const { meta = [], exact } = search
  const isSearched = sql`(${some(meta.map((key) => sql`m.key = ${key}`))})`
  const matchesText = (column: string, text: string) =>
    exact ? sql`${raw(column)} = ${text}` : dialect.contains(column, text)
  const matches = (text: string): Fragment => {
    const ofMeta =
      meta.length === 0
        ? []
        : [
            sql`exists (select 1 from meta m where m.owner = 'post' and m.owner_id = ${raw(columns.of('id'))} and ${isSearched}
              and ${matchesText(dialect.lowerJson('m.value'), text)})`,
          ]
    return some([...search.columns.map((column) => matchesText(columns.of(`${column}_folded`), text)), ...ofMeta])
  }
  return [
    ...search.every.map((text) => sql`(${matches(text)})`),
    ...search.none.map((text) => sql`not (${matches(text)})`),
  ]
}

/** `rank` of contract/post-rank.ts. */
export function rankOf(
  dialect: Dialect,
  { phrase, words: list }: { readonly phrase: string; readonly words: readonly string[] },
  columns: Columns,
): Fragment {
  const has = (column: string, text: string) => dialect.contains(columns.of(column), text)
  const ofWords = list.length <= maxRankedWords ? list.map((word) => has('title_folded', word)) : []
  const ranks = [
    ...(phrase === '' ? [] : [sql`when ${has('title_folded', phrase)} then 1`]),
    ...(ofWords.length === 0 ? [] : [sql`when ${every(ofWords)} then 2 when ${some(ofWords)} then 3`]),
    ...(phrase === ''
      ? []
      : [sql`when ${has('excerpt_folded', phrase)} then 4 when ${has('content_folded', phrase)} then 5`]),
  ]
  return ranks.length === 0 ? raw('6') : sql`case ${joined(ranks, ' ')} else 6 end`
}
