/** Addresses of archives below home, besides those of terms: authors and dates; and which taxonomy a path begins with. */

import type { User } from '../../contract/storage.ts'
import { categories, tags } from '../post-keys.ts'
import type { Settings } from '../settings.ts'

const taxonomies: ReadonlyMap<string, string> = new Map([
  ['category', categories],
  ['tag', tags],
])

/** The taxonomy of addresses that begin with this segment. */
export const taxonomyAtBase = (base: string): string => taxonomies.get(base) ?? base

type Home = Pick<Settings, 'home'>

export const authorAddress = ({ slug }: Pick<User, 'slug'>, { home }: Home): string => `${home}/author/${slug}/`

export const dateAddress = (parts: readonly string[], { home }: Home): string => `${home}/${parts.join('/')}/`
