/** The members of menus besides those of all terms: places, and whether they take new pages. */

import type { Storage, Term } from '../../../contract/storage.ts'
import type { ArgValues } from '../../../core/declare/args.ts'
import { bool, list, str } from '../../../core/declare/args.ts'
import type { Context } from '../../../core/declare/context.ts'
import { invalidArguments } from '../../../core/declare/errors.ts'
import type { TermExtension } from '../terms/model.ts'
import { menuArgs } from './args.ts'
import { itemsOf, menuAutoAddKey, menuPlacesKey, menuSettings, readAllMenus, readPlaces } from './model.ts'

export const menuExtension: TermExtension<typeof menuArgs> = {
  args: menuArgs,
  members: { locations: list(str()), auto_add: bool() },
  hides: ['count', 'link', 'taxonomy'],
  existsCode: 'menu_exists',
  slugFollowsName: true,
  read: async ({ storage }, menus) =>
    (await menuSettings(storage, menus)).map(({ places, autoAdd }) => ({ locations: places, auto_add: autoAdd })),
  links: { relation: 'cms:menu-location', read: readPlaceLinks },
  write: async (context, menu) => {
    const { locations, auto_add: autoAdd } = context.args
    if (locations !== undefined) await writePlaces(context, menu, [...new Set(locations)])
    if (autoAdd !== undefined) {
      const entry = { id: menu.id, key: menuAutoAddKey, value: autoAdd ? true : null }
      await context.storage.meta.write('term', [entry])
    }
  },
  remove: removeItems,
}

/** Leads to the places that the theme has. */
async function readPlaceLinks({ storage }: Pick<Context, 'storage'>, menus: readonly Term[]) {
  const [settings, known] = await Promise.all([menuSettings(storage, menus), readPlaces(storage)])
  return settings.map(({ places }) =>
    places.filter((place) => known.has(place)).map((place) => `menu-locations/${place}`),
  )
}

/** A place has one menu. A menu may keep a place that the theme no longer has, as a client sends it back. */
async function writePlaces(
  { storage }: Context<ArgValues<typeof menuArgs>>,
  menu: Term,
  places: readonly string[],
): Promise<void> {
  const [known, menus] = await Promise.all([readPlaces(storage), readAllMenus(storage)])
  const own = menus.find(({ id }) => id === menu.id)?.places ?? []
  if (places.some((place) => !known.has(place) && !own.includes(place))) {
    const problem = { code: 'rest_invalid_menu_location', message: 'There is no such place.' }
    throw invalidArguments(new Map([['locations', problem]]))
  }
  const others = menus.filter((other) => other.id !== menu.id && other.places.some((place) => places.includes(place)))
  await storage.meta.write('term', [
    ...others.map(({ id, places: taken }) => ({
      id,
      key: menuPlacesKey,
      value: taken.filter((place) => !places.includes(place)),
    })),
    { id: menu.id, key: menuPlacesKey, value: places.length > 0 ? places : null },
  ])
}

/** A menu goes with its items. */
async function removeItems({ storage }: { readonly storage: Storage }, menu: Term): Promise<void> {
  await storage.posts.remove(await itemsOf(storage, menu.id))
}
