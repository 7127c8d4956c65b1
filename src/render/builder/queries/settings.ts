/** Reads the settings of a list. Each widget family has a prefix: `posts_`, `post_query_`. */
import { limits } from '../document/limits.ts'
import type { Settings } from '../document/settings.ts'
import { idOf, isObject, ownValue, textOf } from '../document/values.ts'

export interface ListSettings {
  /** A post type, `by_id`, `current_query` or `related`. */
  readonly source: string
  readonly ids: readonly number[]
  readonly include: ReadonlySet<string>
  readonly exclude: ReadonlySet<string>
  readonly includeTerms: readonly number[]
  readonly excludeTerms: readonly number[]
  readonly includeAuthors: readonly number[]
  readonly excludeAuthors: readonly number[]
  readonly excludeIds: readonly number[]
  readonly relatedTaxonomies: readonly string[]
  readonly fallback: string
  readonly fallbackIds: readonly number[]
  readonly avoidsDuplicates: boolean
  readonly offset: number
  readonly date: string
  readonly dateAfter: string
  readonly dateBefore: string
  readonly orderBy: string
  readonly isDescending: boolean
  readonly ignoresSticky: boolean
  /** The name under which the host changes the query. */
  readonly queryId: string
}

export function readList(settings: Settings, prefix: string): ListSettings {
  const value = (name: string) => settings.value(prefix + name)
  const text = (name: string, byDefault = '') => settings.text(prefix + name, byDefault)
  return {
    source: text('post_type', 'post') || 'post',
    ids: idsOf(value('posts_ids')),
    include: new Set(namesOf(value('include'))),
    exclude: new Set(namesOf(value('exclude'))),
    includeTerms: idsOf(value('include_term_ids')),
    excludeTerms: idsOf(value('exclude_term_ids')),
    includeAuthors: idsOf(value('include_authors')),
    excludeAuthors: idsOf(value('exclude_authors')),
    excludeIds: idsOf(value('exclude_ids')),
    relatedTaxonomies: namesOf(value('related_taxonomies')),
    fallback: text('related_fallback', 'fallback_none'),
    fallbackIds: idsOf(value('fallback_ids')),
    avoidsDuplicates: text('avoid_duplicates') === 'yes',
    offset: Math.max(0, Math.floor(settings.number(`${prefix}offset`, 0))),
    date: text('select_date', 'anytime'),
    dateAfter: text('date_after'),
    dateBefore: text('date_before'),
    orderBy: text('orderby', 'post_date'),
    isDescending: text('order', 'desc').toLowerCase() !== 'asc',
    ignoresSticky: text('ignore_sticky_posts', 'yes') === 'yes',
    queryId: text('query_id'),
  }
}

/** Returns the number of posts on a page, up to the limit of a list. */
export function sizeOf(stored: number): number {
  const size = Math.floor(stored)
  return size <= 0 ? limits.listed : Math.min(size, limits.listed)
}

const listed = (value: unknown): readonly unknown[] =>
  (Array.isArray(value) ? value : value === undefined || value === '' ? [] : [value]).slice(0, limits.items)

export const idsOf = (value: unknown): number[] => [
  ...new Set(
    listed(value).flatMap((one) => {
      const id = idOf(isObject(one) ? ownValue(one, 'id') : one)
      return id === undefined ? [] : [id]
    }),
  ),
]

const namesOf = (value: unknown): string[] =>
  listed(value)
    .map(textOf)
    .filter((name) => name !== '')
