/** The types and taxonomies that the features of a profile declare. */
import type { AppContext } from '../../core/declare/app-context.ts'
import { type ContentTaxonomy, contentTypes, type PublicType } from '../content/content-types/model.ts'

type Declared = Pick<AppContext, 'contributions'>

/** The types that the routes list: each once, in the order of the features. */
export const publicTypesOf = (app: Declared): readonly PublicType[] =>
  withoutRepeats(app.contributions('contentTypes')).filter((type): type is PublicType => type.published !== undefined)

/** The names of all types that records may have: those of the features, and those of the page builder. */
export const typeNamesOf = (app: Declared): readonly string[] => [
  ...new Set([...contentTypes, ...app.contributions('contentTypes')].map(({ name }) => name)),
]

export const taxonomiesOf = (app: Declared): readonly ContentTaxonomy[] =>
  withoutRepeats(app.contributions('taxonomies'))

function withoutRepeats<T extends { readonly name: string }>(entries: readonly T[]): readonly T[] {
  return [...new Map(entries.map((entry) => [entry.name, entry])).values()]
}

export const isSearchable = ({ published }: PublicType): boolean =>
  published.isSearchable ?? published.isViewable ?? true

/** The types whose records may have its terms. */
export const typesWithTaxonomy = (types: readonly PublicType[], taxonomy: string): string[] =>
  types.filter(({ published }) => published.taxonomies.some(({ name }) => name === taxonomy)).map(({ name }) => name)

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
