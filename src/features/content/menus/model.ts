/** Menus: the declarations of menus and their items, where items are stored, and the places of menus. */
import type { Storage, Term } from '../../../contract/storage.ts'
import { itemPostKey, itemTermKey, menuItemTypeName, menuTaxonomyName } from '../../../site/menu-items.ts'
import type { ContentTaxonomy, PublicType } from '../content-types/model.ts'
import { recordTypeOf } from '../posts/model.ts'

/** Menus are for those who change the theme. */
const manageMenus = 'edit_theme_options'

/** Interface: who may edit any content reads menus and items. */
const readMenus = 'edit_posts'

export const menuTaxonomy = {
  name: menuTaxonomyName,
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
  name: menuItemTypeName,
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

/** Meta that holds ids, for exports. */
export const itemReferences = { [itemPostKey]: 'post', [itemTermKey]: 'term' } as const

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
