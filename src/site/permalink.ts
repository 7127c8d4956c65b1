/** Addresses of posts and pages below home: built from the site's permalink setting, and parsed back. */

import { lookupTable } from '../contract/lookup-table.ts'
import type { Post, Storage } from '../contract/storage.ts'
import type { Settings } from './settings.ts'

type Addressed = Pick<Post, 'id' | 'slug' | 'date'>

/** Records with one of these have no address yet. */
export const statusesWithoutPermalink: readonly string[] = ['draft', 'pending', 'auto-draft', 'future', 'trash']

const shapes: { readonly [name: string]: string } = lookupTable({
  slug: '[^/]+',
  id: '\\d{1,15}',
  year: '\\d{4}',
  month: '\\d{2}',
  day: '\\d{2}',
})

/** Returns the address of a published post. Sites without a permalink setting link by id. */
export function permalinkOf(post: Addressed, { home, permalink }: Pick<Settings, 'home' | 'permalink'>): string {
  if (permalink === '' || post.slug === '') return `${home}/?p=${post.id}`
  const parts = partsOf(permalink)
  let address = home + parts[0]
  for (let at = 1; at < parts.length; at += 2) address += filled(post, parts[at] as string) + parts[at + 1]
  return address
}

/** Reads no other column than the one that is named: an answer depends on each that is read. */
function filled(post: Addressed, name: string): string {
  if (name === 'slug') return post.slug
  if (name === 'id') return String(post.id)
  if (name === 'year') return post.date.slice(0, 4)
  if (name === 'month') return post.date.slice(5, 7)
  return name === 'day' ? post.date.slice(8, 10) : `{${name}}`
}

/** Texts and names of gaps in turn, by the setting: a list makes an address of each post. */
const partsOfSettings = new Map<string, readonly string[]>()
const mostSettings = 100

function partsOf(permalink: string): readonly string[] {
  const known = partsOfSettings.get(permalink)
  if (known !== undefined) return known
  if (partsOfSettings.size >= mostSettings) partsOfSettings.clear()
  const parts = permalink.split(/\{(\w+)\}/)
  partsOfSettings.set(permalink, parts)
  return parts
}

/** The id or slug that a path below home names; empty when the path does not match the permalink setting. */
export function postAtPath(path: string, permalink: string): { readonly id?: number; readonly slug?: string } {
  const seen = new Set<string>()
  const pattern = withoutSlash(permalink).replace(/\{(\w+)\}|[^{]+|\{/g, (part, name?: string) => {
    const shape = name !== undefined && Object.hasOwn(shapes, name) ? shapes[name] : undefined
    if (shape === undefined) return escaped(part)
    const isRepeated = seen.has(name as string)
    seen.add(name as string)
    return isRepeated ? shape : `(?<${name}>${shape})`
  })
  const { id, slug } = new RegExp(`^${pattern}$`, 'i').exec(withoutSlash(path))?.groups ?? {}
  return id === undefined ? (slug === undefined ? {} : { slug }) : { id: Number(id) }
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
const withoutSlash = (path: string) => path.replace(/\/+$/, '')

interface Place {
  readonly storage: Storage
  readonly settings: Settings
}

/** Limits the walk up the parents, which could form a cycle. */
export const maxDepth = 20

/**
 * In the order of the posts. The path of a page lists the slugs of its parents; the front page is home. Other types with
 * parents are named by `hierarchical`.
 */
export async function addressesOf(
  posts: readonly Post[],
  { storage, settings }: Place,
  hierarchical = 'page',
): Promise<string[]> {
  const pages = posts.filter(({ type }) => type === hierarchical)
  const above = await pagesAbove(pages, storage)
  return posts.map((post) =>
    post.type === hierarchical ? pageAddress(post, above, settings) : permalinkOf(post, settings),
  )
}

/** Returns the address of a page with a gap in place of its slug. */
export function addressTemplate({ slug }: Pick<Post, 'slug'>, address: string): string {
  const end = `/${slug}/`
  return slug !== '' && address.endsWith(end) ? `${address.slice(0, -end.length)}/%pagename%/` : address
}

/** The slugs in the paths of pages of one type, in the order of the pages. */
export async function pagePaths(pages: readonly Post[], storage: Storage): Promise<string[][]> {
  const above = await pagesAbove(pages, storage)
  return pages.map((page) => pathOf(page, above))
}

/** Reads all pages of a level in one call. */
async function pagesAbove(pages: readonly Post[], storage: Storage): Promise<ReadonlyMap<number, Post>> {
  const known = new Map<number, Post>()
  const type = pages[0]?.type
  let level = pages
  for (let depth = 1; depth <= maxDepth; depth++) {
    const wanted = [...new Set(level.map(({ parent }) => parent))].filter((id) => id !== 0 && !known.has(id))
    if (wanted.length === 0) break
    const rows = await storage.posts.read(wanted)
    level = rows.filter((row) => row.type === type)
    for (const page of level) known.set(page.id, page)
  }
  return known
}

function pageAddress(page: Post, above: ReadonlyMap<number, Post>, settings: Settings): string {
  const { home, permalink, showOnFront, pageOnFront } = settings
  if (showOnFront === 'page' && pageOnFront === page.id) return `${home}/`
  if (permalink === '' || page.slug === '' || statusesWithoutPermalink.includes(page.status)) {
    return `${home}/?${page.type === 'page' ? 'page_id' : 'p'}=${page.id}`
  }
  const base = page.type === 'page' ? '' : `/${page.type}`
  return `${home}${base}/${pathOf(page, above).join('/')}/`
}

/** A parent without a slug, such as a draft, is left out. */
function pathOf(page: Post, above: ReadonlyMap<number, Post>): string[] {
  const slugs = [page.slug]
  let parent = above.get(page.parent)
  for (let depth = 1; parent && depth <= maxDepth; depth++) {
    if (parent.slug !== '') slugs.unshift(parent.slug)
    parent = above.get(parent.parent)
  }
  return slugs
}
