/** Decides which records and archives visitors may see, and at which address. It reads the storage and draws nothing. */

import type { Post, Term, TermQuery, User, UserQuery } from '../../contract/storage.ts'
import { isViewableTaxonomy, viewableTypes } from '../../features/shared/declared-types.ts'
import { authorAddress } from '../../site/addresses/archive-address.ts'
import { addressesOf } from '../../site/permalink.ts'
import { termAddresses } from '../../site/term-address.ts'
import type { Visit } from '../visit.ts'

export type Archive =
  /** The newest posts: the home page, or the page that the site chose for them. */
  | { readonly kind: 'posts'; readonly host?: Post }
  | { readonly kind: 'date'; readonly parts: readonly string[] }
  | { readonly kind: 'author'; readonly user: User }
  | { readonly kind: 'term'; readonly term: Term }
  | { readonly kind: 'search'; readonly text: string }

export type FeedFormat = 'rss' | 'atom'

export type Located =
  | {
      readonly kind: 'post'
      readonly post: Post
      readonly address: string
      readonly isEmbed: boolean
      /** The feed of its comments. */
      readonly feed?: FeedFormat
      /** The parameters of the query that name it. */
      readonly by?: readonly string[]
    }
  | {
      readonly kind: 'archive'
      readonly archive: Archive
      readonly address: string
      readonly page: number
      readonly feed?: FeedFormat
      readonly by?: readonly string[]
    }

/** The end of a path, or the part of a query, that selects a page, a feed or an embed. */
export interface Ending {
  readonly path: readonly string[]
  readonly page?: number
  /** The page of the query, which archives alone have. */
  readonly pageOfArchive?: number
  readonly feed?: FeedFormat
  readonly isEmbed?: boolean
}

export function archiveAt(archive: Archive, address: string, ending: Ending): Located | undefined {
  const { pageOfArchive: page = 1, feed, isEmbed } = ending
  if (isEmbed) return undefined
  return { kind: 'archive', archive, address, page, ...(feed ? { feed } : {}) }
}

// ---------------------------------------------------------------- posts

/** Returns undefined for a record that visitors may not see, or that has no such page. */
export async function recordAt(post: Post, ending: Ending, visit: Visit): Promise<Located | undefined> {
  const { settings } = visit
  if (!(await isPublic(post, visit))) return undefined
  const isNested = viewableTypes(visit.app).hierarchical.includes(post.type)
  const [address = ''] = await addressesOf([post], visit, isNested ? post.type : 'page')
  if (settings.showOnFront === 'page' && post.id === settings.pageForPosts && post.id !== settings.pageOnFront) {
    return archiveAt({ kind: 'posts', host: post }, address, ending)
  }
  const { page, feed, isEmbed = false } = ending
  if (page !== undefined || (feed && isEmbed)) return undefined
  return { kind: 'post', post, address, isEmbed, ...(feed ? { feed } : {}) }
}

/** A medium is as public as the post that it belongs to. */
async function isPublic(post: Post, visit: Visit): Promise<boolean> {
  const { flat, hierarchical } = viewableTypes(visit.app)
  if (!flat.includes(post.type) && !hierarchical.includes(post.type)) return false
  if (post.type !== 'attachment') return post.status === 'publish'
  if (post.status !== 'inherit' && post.status !== 'publish') return false
  if (post.parent === 0) return true
  const [parent] = await visit.storage.posts.read([post.parent])
  return parent === undefined || (parent.status === 'publish' && parent.password === '')
}

// ---------------------------------------------------------------- archives

export async function authorOf(
  named: Pick<UserQuery, 'ids' | 'slugs'>,
  ending: Ending,
  visit: Visit,
): Promise<Located | undefined> {
  const order = { by: 'id', descending: false } as const
  // Only authors have a page: visitors must not learn other logins.
  const authorsOf = { types: ['post'], statuses: ['publish'] }
  const { rows } = await visit.storage.users.query({ ...named, authorsOf, order, offset: 0, limit: 1 })
  const [user] = rows
  return user && archiveAt({ kind: 'author', user }, authorAddress(user, visit.settings), ending)
}

export async function termOf(query: Partial<TermQuery>, ending: Ending, visit: Visit): Promise<Located | undefined> {
  const order = { by: 'id', descending: false } as const
  const { rows } = await visit.storage.terms.query({ ...query, order, offset: 0, limit: 1 })
  const [term] = rows
  if (!term || !isViewableTaxonomy(term.taxonomy, visit.app)) return undefined
  const [address = ''] = await termAddresses([term], visit)
  return archiveAt({ kind: 'term', term }, address, ending)
}

/** Returns the address of a page of an archive, of its feed, or of a post. */
export function addressOfPage(address: string, page: number): string {
  if (page <= 1) return address
  const [path = '', query] = address.split('?', 2) as [string, string?]
  return `${path.replace(/\/+$/, '')}/page/${page}/${query === undefined ? '' : `?${query}`}`
}

export const feedAddress = (address: string, format: FeedFormat): string => {
  const [path = '', query] = address.split('?', 2) as [string, string?]
  const end = format === 'atom' ? 'feed/atom/' : 'feed/'
  return `${path.replace(/\/+$/, '')}/${end}${query === undefined ? '' : `?${query}`}`
}

export const embedAddress = (address: string): string =>
  address.includes('?') ? `${address}&embed=true` : `${address.replace(/\/*$/, '')}/embed/`
