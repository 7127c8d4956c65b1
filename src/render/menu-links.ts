/** Reads the links of stored menus, for builder documents and for the header of the theme. */

import type { Storage } from '../contract/storage.ts'
import { stripMarkup } from '../html/strip-tags.ts'
import {
  archiveAddress,
  type ItemTargets,
  menuItemTypeName,
  menuTaxonomyName,
  readItems,
  readItemTargets,
  type StoredItem,
} from '../site/menu-items.ts'
import type { Settings } from '../site/settings.ts'
import { decodeReferences } from './filter/references.ts'

interface Place {
  readonly storage: Storage
  readonly settings: Settings
}

const plain = (html: string): string => decodeReferences(stripMarkup(html)).replace(/\s+/g, ' ').trim()

/** A link of a menu, for visitors. */
export interface MenuLink {
  readonly title: string
  readonly url: string
  /** The id of the post to which it leads. */
  readonly post?: number
  readonly children: readonly MenuLink[]
}

/** An id as digits, a slug or a name, as documents name menus. */
type MenuName = string

/** More items than a menu has; those after them are left out. */
const maxItems = 500

/** Returns the links of menus that exist. Visitors see published items whose target is published. */
export async function readMenuLinks(
  place: Place,
  names: readonly MenuName[],
): Promise<ReadonlyMap<MenuName, readonly MenuLink[]>> {
  const order = { by: 'id', descending: false } as const
  const all = { taxonomies: [menuTaxonomyName], order, offset: 0, limit: Number.MAX_SAFE_INTEGER }
  const { rows } = await place.storage.terms.query(all)
  const found = await Promise.all(
    names.map(async (name) => {
      const menu =
        rows.find(({ slug }) => slug === name) ??
        rows.find(({ id }) => `${id}` === name) ??
        rows.find((row) => plain(row.name) === name)
      return menu ? [[name, await linksOf(place, menu.id)] as const] : []
    }),
  )
  return new Map(found.flat())
}

async function linksOf(place: Place, menu: number): Promise<readonly MenuLink[]> {
  const { storage } = place
  const { idsPage } = await storage.posts.query({
    types: [menuItemTypeName],
    statuses: [{ status: 'publish' }],
    terms: { terms: [menu], has: 'any' },
    order: { by: 'menuOrder', descending: false },
    offset: 0,
    limit: maxItems,
  })
  const ids = idsPage.map(({ id }) => id)
  if (ids.length === 0) return []
  const [posts, items] = await Promise.all([storage.posts.read(ids), readItems(storage, ids)])
  const targets = await readItemTargets(place, [...items.values()])
  const links = new Map<number, (MenuLink & { readonly parent: number }) | undefined>()
  for (const post of posts) {
    // The cast: one for each id.
    const target = targetOf(items.get(post.id) as StoredItem, targets, place)
    links.set(
      post.id,
      target && { ...target, title: plain(post.title) || target.title, parent: post.parent, children: [] },
    )
  }
  const below = (parent: number): readonly MenuLink[] =>
    posts.flatMap(({ id, parent: stored }) => {
      // An item whose parent the menu does not have is at the top.
      const above = links.has(stored) && stored !== id ? stored : 0
      const link = above === parent ? links.get(id) : undefined
      if (!link) return []
      const { parent: _parent, ...shown } = link
      return [{ ...shown, children: below(id) }]
    })
  return below(0)
}

function targetOf(
  { type, object, url, objectId }: StoredItem,
  { posts, terms }: ItemTargets,
  { settings }: Place,
): Omit<MenuLink, 'children'> | undefined {
  if (type === 'custom') return { title: '', url }
  if (type === 'post_type_archive') return { title: object, url: archiveAddress(object, settings) }
  if (type === 'taxonomy') {
    const term = terms.get(objectId)
    return term && { title: plain(term.row.name), url: term.url }
  }
  const post = posts.get(objectId)
  return post?.row.status === 'publish' ? { title: plain(post.row.title), url: post.url, post: objectId } : undefined
}
