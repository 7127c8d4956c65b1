/** Turns mapped items into the rows, meta values and term assignments to store. */

import type { Json, PostValues } from '../../contract/storage.ts'
import { categories, tags } from '../../site/post-keys.ts'
import type { Authors } from './authors.ts'
import { type DeferredReference, deferredKey } from './deferred-references.ts'
import { type DocumentIds, unlinkedKey } from './document-ids.ts'
import type { ItemIds } from './item-ids.ts'
import { importKey, type MappedItem } from './map.ts'
import type { TermImport } from './terms.ts'

interface ItemRowsOptions {
  readonly authors: Authors
  readonly terms: TermImport
  readonly ids: ItemIds
  readonly defaultCategory: number
  readonly taxonomies: readonly string[]
  readonly documents: DocumentIds
}

export type ItemRows = ReturnType<typeof createItemRows>

export function createItemRows({ authors, terms, ids, defaultCategory, taxonomies, documents }: ItemRowsOptions) {
  const rowOf = ({ row, author, parent, thumbnail }: MappedItem, slug: string): PostValues => ({
    ...row,
    slug,
    author: authors.idOf(author),
    parent: ids.ofNumber(parent) ?? 0,
    featuredMedia: ids.ofNumber(thumbnail) ?? 0,
  })

  /** The references to items that are not imported yet. */
  const wantedOf = ({ parent, thumbnail, references }: MappedItem): DeferredReference => ({
    ...(parent > 0 && ids.ofNumber(parent) === undefined ? { parent } : {}),
    ...(thumbnail > 0 && ids.ofNumber(thumbnail) === undefined ? { thumbnail } : {}),
    ...targetOf(references),
  })

  /** An item refers to one other at most. */
  const targetOf = (references: MappedItem['references']): DeferredReference => {
    const open = Object.entries(references).find(
      ([, { kind, number }]) => kind === 'post' && ids.ofNumber(number) === undefined,
    )
    return open ? { target: open[1].number, targetKey: open[0] } : {}
  }

  /** By meta key, the ids that are known now. */
  const idsIn = (references: MappedItem['references']): readonly (readonly [string, Json])[] =>
    Object.entries(references).map(([key, { kind, number }]) => {
      const id = kind === 'term' ? terms.idOfNumber(number) : ids.ofNumber(number)
      return [key, id ?? null] as const
    })

  function metaOf(item: MappedItem, id: number) {
    const wanted = wantedOf(item)
    const own: { readonly [key: string]: Json } = {
      [importKey]: item.guid,
      [deferredKey]: Object.keys(wanted).length > 0 ? { ...wanted } : null,
      [unlinkedKey]: documents.hasDocuments(item.meta) ? true : null,
    }
    return [...Object.entries(item.meta), ...idsIn(item.references), ...Object.entries(own)].map(([key, value]) => ({
      id,
      key,
      value,
    }))
  }

  const termsIn = ({ row, terms: named }: MappedItem, taxonomy: string): readonly number[] => {
    const found = terms.idsOf(named, taxonomy)
    const needsDefault = taxonomy === categories && row.type === 'post' && found.length === 0
    return needsDefault && defaultCategory > 0 ? [defaultCategory] : found
  }

  const termsOf = (item: MappedItem, post: number, { evenEmpty }: { readonly evenEmpty: boolean }) =>
    taxonomies
      .map((taxonomy) => ({ post, taxonomy, terms: termsIn(item, taxonomy) }))
      .filter(({ taxonomy, terms: found }) => found.length > 0 || (evenEmpty && isOrdinary(taxonomy)))

  /** An item without terms of another taxonomy may be of a type that has none. */
  const isOrdinary = (taxonomy: string) => taxonomy === categories || taxonomy === tags

  return { rowOf, wantedOf, metaOf, termsOf }
}
