/** Lists the pages of a site that visitors may open: posts of all types, the front page, and archives. */

import type { Post, Storage } from '../contract/storage.ts'
import type { AppContext } from '../core/declare/app-context.ts'
import { isViewableTaxonomy, taxonomiesOf, viewableTypes } from '../features/shared/declared-types.ts'
import { authorAddress, dateAddress } from '../site/addresses/archive-address.ts'
import { addressesOf } from '../site/permalink.ts'
import { categories, tags } from '../site/post-keys.ts'
import type { Settings } from '../site/settings.ts'
import { termAddresses } from '../site/term-address.ts'

export interface ListedPage {
  readonly address: string
  /** The post that has the page. */
  readonly post?: number
}

interface Site {
  readonly storage: Storage
  readonly settings: Settings
  readonly app: AppContext
}

/** Lists the addresses of pages, of each kind at most `limit`: those of the newest posts, of the oldest terms and authors. */
export async function listPages(site: Site, limit: number): Promise<ListedPage[]> {
  const { flat, hierarchical } = viewableTypes(site.app)
  const posts = await postsOf(flat, site, limit)
  const nested = await Promise.all(hierarchical.map((type) => postsOf([type], site, limit)))
  const pages = await pagesOf([...posts, ...nested.flat()], site)
  const dates = posts.filter(({ type }) => type === 'post').flatMap((post) => datesOf(post, site))
  const archives = [...(await termPages(site, limit)), ...(await authorPages(site, limit)), ...new Set(dates)]
  return [{ address: `${site.settings.home}/` }, ...pages, ...archives.map((address) => ({ address }))]
}

/** The pages of these posts, as far as visitors may open them. */
export async function pagesOf(posts: readonly Post[], site: Site): Promise<ListedPage[]> {
  const { flat, hierarchical } = viewableTypes(site.app)
  const shown = posts.filter((post) => isShown(post) && [...flat, ...hierarchical].includes(post.type))
  // Types without parents have their addresses from `page` as well.
  const groups = Map.groupBy(shown, ({ type }) => (hierarchical.includes(type) ? type : 'page'))
  const pages: ListedPage[] = []
  for (const [type, group] of groups) {
    const addresses = await addressesOf(group, site, type)
    pages.push(...group.map(({ id }, at) => ({ address: addresses[at] ?? '', post: id })))
  }
  return pages
}

export const isShown = ({ status, type }: Pick<Post, 'status' | 'type'>): boolean =>
  status === 'publish' || (status === 'inherit' && type === 'attachment')

async function postsOf(types: readonly string[], { storage }: Site, limit: number): Promise<Post[]> {
  const { idsPage } = await storage.posts.query({
    types,
    statuses: [{ status: 'publish' }, ...(types.includes('attachment') ? [{ status: 'inherit' }] : [])],
    order: { by: 'date', descending: true },
    offset: 0,
    limit,
  })
  return idsPage.length === 0 ? [] : storage.posts.read(idsPage.map(({ id }) => id))
}

async function termPages(site: Site, limit: number): Promise<string[]> {
  const all = new Set([categories, tags, ...taxonomiesOf(site.app).map(({ name }) => name)])
  const taxonomies = [...all].filter((name) => isViewableTaxonomy(name, site.app))
  const order = { by: 'id', descending: false } as const
  const { rows } = await site.storage.terms.query({ taxonomies, order, offset: 0, limit })
  return termAddresses(rows, site)
}

async function authorPages({ storage, settings }: Site, limit: number): Promise<string[]> {
  const authorsOf = { types: ['post'], statuses: ['publish'] }
  const order = { by: 'id', descending: false } as const
  const { rows } = await storage.users.query({ authorsOf, order, offset: 0, limit })
  return rows.map((user) => authorAddress(user, settings))
}

/** The archives of its year, month and day. */
export function datesOf({ date }: Pick<Post, 'date'>, { settings }: Pick<Site, 'settings'>): string[] {
  const parts = date.slice(0, 10).split('-')
  return parts.map((_, at) => dateAddress(parts.slice(0, at + 1), settings))
}
