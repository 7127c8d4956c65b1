/** Finds the record or archive that the path and query of a request address. It reads the storage and draws nothing. */

import type { Post, Term, TermQuery, User } from '../../contract/storage.ts'
import { publicTypesOf } from '../../features/content/content-types/model.ts'
import { authorAddress, dateAddress, taxonomyAtBase } from '../../site/archive-address.ts'
import { addressesOf } from '../../site/permalink.ts'
import { hierarchicalPostAt, permalinkPostAt } from '../../site/post-at-path.ts'
import { categories, tags } from '../../site/post-keys.ts'
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
  | { readonly kind: 'post'; readonly post: Post; readonly address: string; readonly isEmbed: boolean }
  | {
      readonly kind: 'archive'
      readonly archive: Archive
      readonly address: string
      readonly page: number
      readonly feed?: FeedFormat
    }

/** The end of a path that selects a page, a feed or an embed. */
interface Ending {
  readonly path: readonly string[]
  readonly page?: number
  readonly feed?: FeedFormat
  readonly isEmbed?: boolean
}

/** Returns undefined when the address has nothing that a visitor may see. */
export async function locate(segments: readonly string[], visit: Visit): Promise<Located | undefined> {
  const { query } = visit
  const id = /^\d{1,15}$/.exec(query.get('p') ?? query.get('page_id') ?? query.get('attachment_id') ?? '')
  if (id) return postById(Number(id[0]), query.get('embed') === 'true', visit)
  const ending = endingOf(segments)
  const search = query.get('s')
  if (search !== null && ending.path.length === 0) {
    const address = `${visit.settings.home}/?${new URLSearchParams({ s: search })}`
    return archiveAt({ kind: 'search', text: search }, address, ending)
  }
  if (ending.path.length === 0) return (await termByQuery(ending, visit)) ?? atHome(ending, visit)
  return (await postAt(ending, visit)) ?? (await archiveOf(ending, visit))
}

function endingOf(segments: readonly string[]): Ending {
  const [last = '', before = ''] = [...segments].reverse()
  const page = before === 'page' && /^[1-9]\d{0,6}$/.test(last) ? Number(last) : undefined
  if (page !== undefined) return { path: segments.slice(0, -2), page }
  if (last === 'embed') return { path: segments.slice(0, -1), isEmbed: true }
  if (last === 'feed') return { path: segments.slice(0, -1), feed: 'rss' }
  if (before === 'feed' && (last === 'atom' || last === 'rss2')) {
    return { path: segments.slice(0, -2), feed: last === 'atom' ? 'atom' : 'rss' }
  }
  return { path: segments }
}

function archiveAt(archive: Archive, address: string, { page = 1, feed, isEmbed }: Ending): Located | undefined {
  if (isEmbed) return undefined
  return { kind: 'archive', archive, address, page, ...(feed ? { feed } : {}) }
}

// ---------------------------------------------------------------- posts

/** Returns the types whose published records have pages, and media. */
export function viewableTypes({ app }: Pick<Visit, 'app'>): {
  readonly flat: string[]
  readonly hierarchical: string[]
} {
  const declared = publicTypesOf(app).filter(({ published }) => published.isViewable !== false)
  const named = (isHierarchical: boolean) =>
    declared.filter(({ published }) => published.isHierarchical === isHierarchical).map(({ name }) => name)
  return {
    flat: [...new Set(['post', ...named(false), 'attachment'])],
    hierarchical: [...new Set(['page', ...named(true)])],
  }
}

async function postById(id: number, isEmbed: boolean, visit: Visit): Promise<Located | undefined> {
  const [post] = await visit.storage.posts.read([id])
  return post && visibleAt(post, { path: [], isEmbed }, visit)
}

async function atHome(ending: Ending, visit: Visit): Promise<Located | undefined> {
  const { settings, storage } = visit
  if (settings.showOnFront === 'page' && ending.feed === undefined) {
    const [post] = await storage.posts.read([settings.pageOnFront])
    const front = post?.type === 'page' ? await visibleAt(post, ending, visit) : undefined
    if (front) return ending.page === undefined ? front : undefined
  }
  return archiveAt({ kind: 'posts' }, `${settings.home}/`, ending)
}

async function postAt(ending: Ending, visit: Visit): Promise<Located | undefined> {
  const { path } = ending
  const { flat, hierarchical } = viewableTypes(visit)
  const [base = ''] = path
  const isNested = base !== 'page' && hierarchical.includes(base)
  const post =
    (isNested ? await hierarchicalPostAt(path.slice(1), base, visit) : await hierarchicalPostAt(path, 'page', visit)) ??
    (await permalinkPostAt(path, flat, visit))
  return post && visibleAt(post, ending, visit)
}

async function visibleAt(post: Post, ending: Ending, visit: Visit): Promise<Located | undefined> {
  const { settings } = visit
  visit.tags.add(`post:${post.id}`)
  if (!(await isPublic(post, visit))) return undefined
  const isNested = viewableTypes(visit).hierarchical.includes(post.type)
  const [address = ''] = await addressesOf([post], visit, isNested ? post.type : 'page')
  if (settings.showOnFront === 'page' && post.id === settings.pageForPosts && post.id !== settings.pageOnFront) {
    return archiveAt({ kind: 'posts', host: post }, address, ending)
  }
  if (ending.page !== undefined || ending.feed !== undefined) return undefined
  return { kind: 'post', post, address, isEmbed: ending.isEmbed === true }
}

/** A medium is as public as the post that it belongs to. */
async function isPublic(post: Post, visit: Visit): Promise<boolean> {
  const { flat, hierarchical } = viewableTypes(visit)
  if (!flat.includes(post.type) && !hierarchical.includes(post.type)) return false
  if (post.type !== 'attachment') return post.status === 'publish'
  if (post.status !== 'inherit' && post.status !== 'publish') return false
  if (post.parent === 0) return true
  const [parent] = await visit.storage.posts.read([post.parent])
  return parent === undefined || (parent.status === 'publish' && parent.password === '')
}

// ---------------------------------------------------------------- archives

async function archiveOf(ending: Ending, visit: Visit): Promise<Located | undefined> {
  const [base = '', ...rest] = ending.path
  const { settings } = visit
  if (base === 'author' && rest.length === 1) return authorAt(rest[0] as string, ending, visit)
  if (/^\d{4}$/.test(base)) {
    return isDate(ending.path)
      ? archiveAt({ kind: 'date', parts: ending.path }, dateAddress(ending.path, settings), ending)
      : undefined
  }
  return rest.length > 0 ? termAt(taxonomyAtBase(base), rest, ending, visit) : undefined
}

async function authorAt(slug: string, ending: Ending, visit: Visit): Promise<Located | undefined> {
  const order = { by: 'id', descending: false } as const
  // Only authors have a page: visitors must not learn other logins.
  const authorsOf = { types: ['post'], statuses: ['publish'] }
  const { rows } = await visit.storage.users.query({ slugs: [slug], authorsOf, order, offset: 0, limit: 1 })
  const [user] = rows
  return user && archiveAt({ kind: 'author', user }, authorAddress(user, visit.settings), ending)
}

/** Accepts `2024`, `2024/05` and `2024/05/31`. */
function isDate([year = '', month, day, ...rest]: readonly string[]): boolean {
  const isPart = (text: string | undefined) => text === undefined || /^\d\d$/.test(text)
  if (rest.length > 0 || !isPart(month) || !isPart(day)) return false
  const date = `${year}-${month ?? '01'}-${day ?? '01'}`
  const time = Date.parse(`${date}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(date)
}

const termAt = (
  taxonomy: string,
  path: readonly string[],
  ending: Ending,
  visit: Visit,
): Promise<Located | undefined> => termOf({ taxonomies: [taxonomy], slugs: path.slice(-1) }, ending, visit)

/** Sites without permalinks link terms by `?cat=3`, `?tag=red` and the names of other taxonomies. */
async function termByQuery(ending: Ending, visit: Visit): Promise<Located | undefined> {
  for (const [name, value] of visit.query) {
    if (name === 'cat') {
      const id = /^\d{1,15}$/.test(value) ? Number(value) : 0
      return termOf({ taxonomies: [categories], ids: [id] }, ending, visit)
    }
    const taxonomy = name === 'tag' ? tags : name
    const isKnown = name === 'tag' || (name !== 'category' && isViewableTaxonomy(name, visit))
    if (isKnown) return termOf({ taxonomies: [taxonomy], slugs: [value] }, ending, visit)
  }
  return undefined
}

async function termOf(query: Partial<TermQuery>, ending: Ending, visit: Visit): Promise<Located | undefined> {
  const order = { by: 'id', descending: false } as const
  const { rows } = await visit.storage.terms.query({ ...query, order, offset: 0, limit: 1 })
  const [term] = rows
  if (!term || !isViewableTaxonomy(term.taxonomy, visit)) return undefined
  const [address = ''] = await termAddresses([term], visit)
  return archiveAt({ kind: 'term', term }, address, ending)
}

export function isViewableTaxonomy(taxonomy: string, { app }: Pick<Visit, 'app'>): boolean {
  if (taxonomy === 'category' || taxonomy === 'post_tag') return true
  return publicTypesOf(app)
    .filter(({ published }) => published.isViewable !== false)
    .some(({ published }) =>
      published.taxonomies.some(({ name, isViewable }) => name === taxonomy && isViewable !== false),
    )
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
