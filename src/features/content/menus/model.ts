/** Menus: the declarations of menus and their items, where items are stored, and the places of menus. */
import type { Storage, Term } from '../../../contract/storage.ts'
import type { ContentTaxonomy, PublicType } from '../content-types/model.ts'
import { recordTypeOf } from '../posts/model.ts'

/** Menus are for those who change the theme. */
const manageMenus = 'edit_theme_options'

/** Interface: who may edit any content reads menus and items. */
const readMenus = 'edit_posts'

export const menuTaxonomy = {
  name: 'nav_menu',
  label: 'Navigation Menu',
  pluralLabel: 'Navigation Menus',
  isHierarchical: false,
  restBase: 'menus',
  capabilityWord: 'menus',
  granted: {
    manage_terms: manageMenus,
    edit_terms: manageMenus,
    delete_terms: manageMenus,
    assign_terms: manageMenus,
  },
  readCapability: readMenus,
  isViewable: false,
} as const satisfies ContentTaxonomy

export const menuItemType = {
  name: 'nav_menu_item',
  label: 'Navigation Menu Item',
  pluralLabel: 'Navigation Menu Items',
  capabilityWord: 'posts',
  published: {
    restBase: 'menu-items',
    isHierarchical: false,
    taxonomies: [menuTaxonomy],
    supports: ['title', 'page-attributes', 'autosave'],
    capabilities: {
      edit_posts: manageMenus,
      edit_others_posts: manageMenus,
      edit_private_posts: manageMenus,
      edit_published_posts: manageMenus,
      delete_posts: manageMenus,
      delete_others_posts: manageMenus,
      delete_private_posts: manageMenus,
      delete_published_posts: manageMenus,
      publish_posts: manageMenus,
      read_private_posts: manageMenus,
      create_posts: manageMenus,
      read: readMenus,
    },
    isViewable: false,
    inMenus: false,
    mayBeEmpty: true,
  },
} as const satisfies PublicType

export const itemRecords = recordTypeOf(menuItemType)

export const capabilities = { manage: manageMenus, read: readMenus } as const

export const itemTypes = ['taxonomy', 'post_type', 'post_type_archive', 'custom'] as const
export type ItemType = (typeof itemTypes)[number]

/** The members of an item that are no columns; title, description and the title attribute are. */
export const itemKey = '_menu_item'
/** The id of the post or of the term that an item leads to. */
export const itemPostKey = '_menu_item_post'
export const itemTermKey = '_menu_item_term'

/** Meta that holds ids, for exports. */
export const itemReferences = { [itemPostKey]: 'post', [itemTermKey]: 'term' } as const

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

const blankFields: ItemFields = { type: 'custom', object: 'custom', url: '', target: '', classes: [], xfn: [] }

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
    // The cast: only this feature and documents write it.
    const read = key === itemKey ? { ...blankFields, ...(value as object) } : { objectId: Number(value) }
    items.set(id, { ...before, ...read })
  }
  return items
}

// ---------------------------------------------------------------- menus

/** The names of the places of the theme, by key. */
const placesOption = 'menu_locations'

export async function readPlaces(storage: Storage): Promise<ReadonlyMap<string, string>> {
  const { [placesOption]: places } = await storage.options.read([placesOption])
  if (typeof places !== 'object' || places === null || Array.isArray(places)) return new Map()
  return new Map(Object.entries(places).map(([key, name]) => [key, String(name)]))
}

/** On a menu: its places, and whether new pages become items of it. */
export const menuPlacesKey = '_menu_places'
export const menuAutoAddKey = '_menu_auto_add'

interface MenuSettings {
  readonly id: number
  readonly places: readonly string[]
  readonly autoAdd: boolean
}

/** A site has a few menus, so all of them are read. */
export async function readAllMenus(storage: Storage): Promise<MenuSettings[]> {
  const order = { by: 'id', descending: false } as const
  const { rows } = await storage.terms.query({
    taxonomies: [menuTaxonomy.name],
    order,
    offset: 0,
    limit: Number.MAX_SAFE_INTEGER,
  })
  return menuSettings(storage, rows)
}

export async function menuSettings(storage: Storage, menus: readonly Term[]): Promise<MenuSettings[]> {
  const ids = menus.map(({ id }) => id)
  const entries = await storage.meta.read('term', ids, [menuPlacesKey, menuAutoAddKey])
  const storedValue = (id: number, key: string) => entries.find((entry) => entry.id === id && entry.key === key)?.value
  return ids.map((id) => {
    const places = storedValue(id, menuPlacesKey)
    return {
      id,
      places: Array.isArray(places) ? places.map(String) : [],
      autoAdd: storedValue(id, menuAutoAddKey) === true,
    }
  })
}

/** The items of a menu, in its order. */
export async function itemsOf(storage: Storage, menu: number): Promise<readonly number[]> {
  const { idsPage } = await storage.posts.query({
    types: [menuItemType.name],
    terms: { terms: [menu], has: 'any' },
    order: { by: 'menuOrder', descending: false },
    offset: 0,
    limit: Number.MAX_SAFE_INTEGER,
  })
  return idsPage.map(({ id }) => id)
}
