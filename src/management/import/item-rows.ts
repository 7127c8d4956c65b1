/** Turns mapped items into the rows, meta values and term assignments to store. */
import { categories, tags } from '../../site/post-keys.ts'
import type { Json, PostValues } from '../../storage/contract.ts'
import type { Authors } from './authors.ts'
import { type DeferredReference, deferredKey } from './deferred-references.ts'
import type { ItemIds } from './item-ids.ts'
import { importKey, type MappedItem } from './map.ts'
import type { TermImport } from './terms.ts'

interface ItemRowsOptions {
  readonly authors: Authors
  readonly terms: TermImport
  readonly ids: ItemIds
  readonly defaultCategory: number
}

export type ItemRows = ReturnType<typeof createItemRows>

export function createItemRows({ authors, terms, ids, defaultCategory }: ItemRowsOptions) {
  const rowOf = ({ row, author, parent, thumbnail }: MappedItem, slug: string): PostValues => ({
    ...row,
    slug,
    author: authors.idOf(author),
    parent: ids.ofNumber(parent) ?? 0,
    featuredMedia: ids.ofNumber(thumbnail) ?? 0,
  })

  /** The references to items that are not imported yet. */
  const wantedOf = ({ parent, thumbnail }: MappedItem): DeferredReference => ({
    ...(parent > 0 && ids.ofNumber(parent) === undefined ? { parent } : {}),
    ...(thumbnail > 0 && ids.ofNumber(thumbnail) === undefined ? { thumbnail } : {}),
  })

  function metaOf(item: MappedItem, id: number) {
    const wanted = wantedOf(item)
    const own: { readonly [key: string]: Json } = {
      [importKey]: item.guid,
      [deferredKey]: Object.keys(wanted).length > 0 ? { ...wanted } : null,
    }
    return [...Object.entries(item.meta), ...Object.entries(own)].map(([key, value]) => ({ id, key, value }))
  }

  const termsIn = ({ row, terms: named }: MappedItem, taxonomy: string): readonly number[] => {
    const found = terms.idsOf(named, taxonomy)
    const needsDefault = taxonomy === categories && row.type === 'post' && found.length === 0
    return needsDefault && defaultCategory > 0 ? [defaultCategory] : found
  }

  const termsOf = (item: MappedItem, post: number, { evenEmpty }: { readonly evenEmpty: boolean }) =>
    [categories, tags]
      .map((taxonomy) => ({ post, taxonomy, terms: termsIn(item, taxonomy) }))
      .filter((assignment) => evenEmpty || assignment.terms.length > 0)

  return { rowOf, wantedOf, metaOf, termsOf }
}
