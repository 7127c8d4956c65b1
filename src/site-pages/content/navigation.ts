/** Reads the links of the theme's header: the menu of the first menu location, or else the pages of the top level. */

import { menuItemType, readAllMenus, readPlaces } from '../../features/content/menus/model.ts'
import { type MenuLink, readMenuLinks } from '../../render/menu-links.ts'
import { addressesOf } from '../../site/permalink.ts'
import type { Visit } from '../visit.ts'
import { plainOf } from './entries.ts'

export interface NavigationLink {
  readonly title: string
  readonly address: string
  readonly children: readonly NavigationLink[]
}

/** The header has room for this many links. */
const maxLinks = 8

export const readNavigation = async (visit: Visit): Promise<readonly NavigationLink[]> =>
  (await readMenu(visit)) ?? (await readPages(visit))

// ---------------------------------------------------------------- menus

/**
 * Returns undefined when the profile has no menus or no location has one. The items of a menu are public, whoever may edit it.
 */
async function readMenu({ app, storage, settings }: Visit): Promise<readonly NavigationLink[] | undefined> {
  if (!app.references.postTypes.includes(menuItemType.name)) return undefined
  const [places, menus] = await Promise.all([readPlaces(storage), readAllMenus(storage)])
  const shown = [...places.keys()].map((place) => menus.find((menu) => menu.places.includes(place))?.id)
  const menu = shown.find((id) => id !== undefined)
  if (menu === undefined) return undefined
  const links = (await readMenuLinks({ storage, settings }, [`${menu}`])).get(`${menu}`)
  return links && shownLinks(links, 0)
}

/** The theme shows this many levels; a template may show more. */
const maxLevels = 2

const shownLinks = (links: readonly MenuLink[], level: number): readonly NavigationLink[] =>
  links.map(({ title, url, children }) => ({
    ...{ title, address: url },
    children: level + 1 < maxLevels ? shownLinks(children, level + 1) : [],
  }))

// ---------------------------------------------------------------- pages

async function readPages(visit: Visit): Promise<readonly NavigationLink[]> {
  const { storage, settings } = visit
  const { idsPage } = await storage.posts.query({
    types: ['page'],
    statuses: [{ status: 'publish' }],
    parents: [0],
    withPassword: false,
    ...(settings.showOnFront === 'page' ? { notIds: [settings.pageOnFront] } : {}),
    order: { by: 'menuOrder', descending: false },
    offset: 0,
    limit: maxLinks,
  })
  const pages = await storage.posts.read(idsPage.map(({ id }) => id))
  const addresses = await addressesOf(pages, visit)
  return pages.map((page, index) => ({ title: plainOf(page.title), address: addresses[index] ?? '', children: [] }))
}
