/** The types and taxonomies that visitors see on pages. */

import type { AppContext } from '../../core/declare/app-context.ts'
import { publicTypesOf } from '../content/content-types/model.ts'

type Declared = Pick<AppContext, 'contributions'>

/** Returns the types whose published records have pages, and media. */
export function viewableTypes(app: Declared): { readonly flat: string[]; readonly hierarchical: string[] } {
  const declared = publicTypesOf(app).filter(({ published }) => published.isViewable !== false)
  const named = (isHierarchical: boolean) =>
    declared.filter(({ published }) => published.isHierarchical === isHierarchical).map(({ name }) => name)
  return {
    flat: [...new Set(['post', ...named(false), 'attachment'])],
    hierarchical: [...new Set(['page', ...named(true)])],
  }
}

export function isViewableTaxonomy(taxonomy: string, app: Declared): boolean {
  if (taxonomy === 'category' || taxonomy === 'post_tag') return true
  return publicTypesOf(app)
    .filter(({ published }) => published.isViewable !== false)
    .some(({ published }) =>
      published.taxonomies.some(({ name, isViewable }) => name === taxonomy && isViewable !== false),
    )
}
