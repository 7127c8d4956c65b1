/** Reads the items of stored menus, and the posts and terms to which they lead. */

import type { Post, Storage, Term } from '../contract/storage.ts'
import { addressesOf } from './permalink.ts'
import type { Settings } from './settings.ts'
import { termAddresses } from './term-address.ts'

export const menuTaxonomyName = 'nav_menu'
export const menuItemTypeName = 'nav_menu_item'

export const itemTypes = ['taxonomy', 'post_type', 'post_type_archive', 'custom'] as const
export type ItemType = (typeof itemTypes)[number]

/** The members of an item that are no columns; title, description and the title attribute are. */
export const itemKey = '_menu_item'
/** The id of the post or of the term that an item leads to. */
export const itemPostKey = '_menu_item_post'
export const itemTermKey = '_menu_item_term'

/** The value of `itemKey`. */
export interface ItemFields {
  readonly type: ItemType
  /** `custom`, the type of the post, or the term's taxonomy. */
  readonly object: string
  readonly url: string
  readonly target: string
  readonly classes: readonly string[]
  readonly xfn: readonly string[]
}

export const blankFields: ItemFields = { type: 'custom', object: 'custom', url: '', target: '', classes: [], xfn: [] }

export interface StoredItem extends ItemFields {
  /** 0 for custom items and archives. */
  readonly objectId: number
}

/** By id; the number of reads does not grow with the items. */
export async function readItems(storage: Storage, ids: readonly number[]): Promise<ReadonlyMap<number, StoredItem>> {
  const entries = await storage.meta.read('post', ids, [itemKey, itemPostKey, itemTermKey])
  const items = new Map<number, StoredItem>(ids.map((id) => [id, { ...blankFields, objectId: 0 }]))
  for (const { id, key, value } of entries) {
    const before = items.get(id) as StoredItem
    // The cast: only the feature of menus and documents write it.
    const read = key === itemKey ? { ...blankFields, ...(value as object) } : { objectId: Number(value) }
    items.set(id, { ...before, ...read })
  }
  return items
}

// ---------------------------------------------------------------- targets

interface Place {
  readonly storage: Storage
  readonly settings: Settings
}

/** A row with its address. */
export interface Addressed<Row> {
  readonly row: Row
  readonly url: string
}

/** Posts and terms to which items lead, by id. */
export interface ItemTargets {
  readonly posts: ReadonlyMap<number, Addressed<Post>>
  readonly terms: ReadonlyMap<number, Addressed<Term>>
}

/** Reads the targets of all items in two calls. `isHierarchical` names the types whose addresses have the slugs of parents. */
export async function readItemTargets(
  place: Place,
  items: readonly StoredItem[],
  isHierarchical: (type: string) => boolean = (type) => type === 'page',
): Promise<ItemTargets> {
  const idsOf = (type: ItemType) => [
    ...new Set(items.filter((item) => item.type === type && item.objectId > 0).map(({ objectId }) => objectId)),
  ]
  const [posts, terms] = await Promise.all([
    addressedPosts(place, idsOf('post_type'), isHierarchical),
    addressedTerms(place, idsOf('taxonomy')),
  ])
  return { posts, terms }
}

async function addressedPosts(
  place: Place,
  ids: readonly number[],
  isHierarchical: (type: string) => boolean,
): Promise<ItemTargets['posts']> {
  if (ids.length === 0) return new Map()
  const byType = Map.groupBy(await place.storage.posts.read(ids), ({ type }) => type)
  const found = await Promise.all(
    [...byType].map(async ([type, rows]) => {
      const addresses = await addressesOf(rows, place, isHierarchical(type) ? type : 'page')
      return rows.map((row, index) => [row.id, { row, url: addresses[index] ?? '' }] as const)
    }),
  )
  return new Map(found.flat())
}

async function addressedTerms(place: Place, ids: readonly number[]): Promise<ItemTargets['terms']> {
  if (ids.length === 0) return new Map()
  const order = { by: 'id', descending: false } as const
  const { rows } = await place.storage.terms.query({ ids, order, offset: 0, limit: ids.length })
  const addresses = await termAddresses(rows, place)
  return new Map(rows.map((row, index) => [row.id, { row, url: addresses[index] ?? '' }]))
}

export const archiveAddress = (type: string, { home }: Pick<Settings, 'home'>): string => `${home}/?post_type=${type}`
