/**
 * Reads the terms by which a reader filters a list, from the query of the page: `e-filter-<list>-category=news`. Several slugs are
 * joined by a comma (any of them) or a plus (all of them).
 */

import type { TermTree } from '../../../contract/storage.ts'
import type { Pass } from '../pass/pass.ts'
import type { Scope } from '../pass/scope.ts'
import { termsBelow } from '../records/kinds.ts'
import { termListKey, termLists } from '../records/lists.ts'
import { requestQuery } from '../template-context/page.ts'
import { listsOf } from './lists-of-document.ts'

interface ReaderFilter {
  readonly taxonomy: string
  readonly slugs: readonly string[]
  readonly isAll: boolean
}

export const filterName = (list: string, taxonomy: string): string => `e-filter-${list}-${taxonomy}`

/** A reader who sends more gets the first ones. */
const maxTaxonomies = 5
const maxSlugs = 20

/** Returns the filters of a list; none of a list that no filter of its document names. */
function filtersOf(list: string, scope: Scope, pass: Pass): readonly ReaderFilter[] {
  if (!listsOf(scope.document).filtered.has(list)) return []
  const start = filterName(list, '')
  return [...requestQuery(pass)]
    .filter(([name, value]) => name.startsWith(start) && value !== '')
    .slice(0, maxTaxonomies)
    .map(([name, value]) => ({ taxonomy: name.slice(start.length), ...parseFilter(value) }))
}

/** A query decodes a plus that is not escaped to a space. */
export function parseFilter(value: string): Pick<ReaderFilter, 'slugs' | 'isAll'> {
  const slugs = value.split(/[,+ ]/).filter((slug) => slug !== '')
  return { slugs: [...new Set(slugs)].slice(0, maxSlugs), isAll: /[+ ]/.test(value) }
}

export const isFiltered = (list: string, scope: Scope, pass: Pass): boolean => filtersOf(list, scope, pass).length > 0

/** Returns conditions to be joined by AND. An unknown term or taxonomy matches no post. */
export const readerTrees = (list: string, scope: Scope, pass: Pass): readonly TermTree[] =>
  filtersOf(list, scope, pass).map((filter) => treeOf(filter, pass))

const NOTHING: TermTree = { terms: [], has: 'any' }

function treeOf({ taxonomy, slugs, isAll }: ReaderFilter, pass: Pass): TermTree {
  if (!pass.records.source.isPublicTaxonomy(taxonomy)) return NOTHING
  pass.depend(`query:${taxonomy}`)
  const order = { by: 'id', descending: false } as const
  const rows = pass.get(termLists, termListKey({ taxonomies: [taxonomy], slugs, order, offset: 0, limit: maxSlugs }))
  const ids = (rows ?? []).map(({ id }) => id)
  for (const id of ids) pass.depend(`term:${id}`)
  if (slugs.length === 1) {
    return { terms: ids.flatMap((id) => [id, ...(pass.get(termsBelow, id) ?? [])]), has: 'any' }
  }
  if (!isAll) return { terms: ids, has: 'any' }
  return ids.length < slugs.length ? NOTHING : { terms: ids, has: 'all' }
}
