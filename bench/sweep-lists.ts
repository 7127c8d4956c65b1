/** The lists of a sweep beside those of every filter: usual ones by name, usual ones that add up totals, and deep pages. */
import type { PostQuery, TermTree } from '../src/contract/storage.ts'
import type { ListedSite } from '../test/support/post-lists.ts'

export interface NamedQuery {
  readonly name: string
  readonly query: PostQuery
}

/** The usual lists name these rows and ranges too. */
export interface UsualSite extends ListedSite {
  readonly size: number
  readonly parentPage: number
  readonly picture: number
  readonly month: Range
  readonly day: Range
  /** It holds the last posts. */
  readonly recent: Range
}

interface Range {
  readonly after: string
  readonly before?: string
}

type Changes = Partial<PostQuery>

const statusesOf = (...names: readonly string[]) => names.map((status) => ({ status }))
const anyStatus = { statuses: statusesOf('publish', 'future', 'draft', 'pending', 'private') }
const any = (...terms: readonly number[]): Changes => ({ terms: { terms, has: 'any' } })
const both = (...trees: readonly TermTree[]): Changes => ({ terms: { every: trees } })
const order = (by: 'title' | 'modified' | 'id' | 'author' | 'menuOrder', descending = false): Changes => ({
  order: { by, descending },
})

const newest: PostQuery = {
  types: ['post'],
  statuses: statusesOf('publish'),
  order: { by: 'date', descending: true },
  offset: 0,
  limit: 10,
  total: true,
}

const named = (lists: readonly (readonly [string, Changes])[]): readonly NamedQuery[] =>
  lists.map(([name, changes]) => ({ name, query: { ...newest, ...changes } }))

const search = (text: string): Changes => ({
  search: { every: [text], none: [], columns: ['title', 'content', 'excerpt'], exact: false },
  withPassword: false,
})

/** Lists as a site, its feeds, its editor and headless front ends ask for them; a site leaves out posts with a password. */
export function usualLists(site: UsualSite): readonly NamedQuery[] {
  const { category, tag, author, slug, ids, rareWord } = site
  const visitor = { withPassword: false }
  const sizes = [10, 20, 100].flatMap((limit): [string, Changes][] => [
    [`home page, ${limit}`, { ...visitor, limit }],
    [`newest, ${limit}`, { limit }],
    [`category, ${limit}`, { ...any(category), limit }],
    [`tag, ${limit}`, { ...any(tag), limit }],
    [`author, ${limit}`, { authors: [author], limit }],
    [`editor: all statuses, ${limit}`, { ...anyStatus, limit }],
  ])
  const pages = [2, 10].flatMap((page): [string, Changes][] => [
    [`home page, page ${page}`, { ...visitor, offset: (page - 1) * 10 }],
    [`category, page ${page}`, { ...any(category), offset: (page - 1) * 10 }],
    [`tag, page ${page}`, { ...any(tag), offset: (page - 1) * 10 }],
    [`author, page ${page}`, { authors: [author], offset: (page - 1) * 10 }],
  ])
  const exceptOne = { notIds: [ids[20] ?? 0], limit: 4 }
  const files = { types: ['attachment'], statuses: statusesOf('inherit'), limit: 20 }
  return named([
    ...sizes,
    ...pages,
    ['category of a site', { ...visitor, ...any(category) }],
    ['tag of a site', { ...visitor, ...any(tag) }],
    ['author of a site', { ...visitor, authors: [author] }],
    ['home without sticky', { ...visitor, sticky: false }],
    ['sticky', { ...visitor, sticky: true }],
    ['month archive', { ...visitor, dates: [{ field: 'date', ...site.month }] }],
    ['day archive', { ...visitor, dates: [{ field: 'date', ...site.day }] }],
    ['by slug', { slugs: [slug] }],
    ['by slug, any status', { slugs: [slug], ...anyStatus }],
    ['by ids', { ids: ids.slice(0, 5), order: { by: 'ids' } }],
    ['related: tag, without this', { ...any(tag), ...exceptOne }],
    ['related: category, without this', { ...any(category), ...exceptOne }],
    ['without a category', { terms: { terms: [category], has: 'none' } }],
    ['author, without this', { authors: [author], ...exceptOne }],
    ['category by title', { ...any(category), ...order('title') }],
    ['all by title', order('title')],
    ['all by modified', order('modified', true)],
    ['changed since', { dates: [{ field: 'modified', ...site.recent }], limit: 100 }],
    [
      'changed since, by modified',
      { dates: [{ field: 'modified', ...site.recent }], ...order('modified'), limit: 100 },
    ],
    ['new since', { dates: [{ field: 'date', ...site.recent }] }],
    ['a rare word', search(rareWord)],
    ['export by id', { ...order('id'), limit: 100 }],
    ['editor: drafts', { statuses: statusesOf('draft') }],
    ['editor: pending', { statuses: statusesOf('pending') }],
    ['editor: private', { statuses: statusesOf('private') }],
    ['editor: mine', { ...anyStatus, authors: [author] }],
    ['editor: a category', { ...anyStatus, ...any(category) }],
    ['editor: a tag', { ...anyStatus, ...any(tag) }],
    ['editor: by title', { ...anyStatus, ...order('title') }],
    ['format gallery', { terms: { formats: ['gallery'] } }],
    ['pages: top by menu order', { types: ['page'], parents: [0], ...order('menuOrder'), limit: 100 }],
    ['pages: below one', { types: ['page'], parents: [site.parentPage], ...order('menuOrder'), limit: 100 }],
    ['pages: all by menu order', { types: ['page'], ...order('menuOrder'), limit: 20 }],
    ['page by slug', { types: ['page'], slugs: ['page-7'] }],
    ['media', files],
    ['media: pictures', { ...files, mimeTypes: ['image/jpeg', 'image/png'] }],
    ['media: a rare type', { ...files, mimeTypes: ['audio/mpeg'] }],
    ['posts of a picture', { featuredMedia: [site.picture], ...anyStatus }],
  ])
}

/** The six usual ones whose totals are added up from parts that no counter has. */
export function summedLists({ category, tag, otherTag, size }: UsualSite): readonly NamedQuery[] {
  return named([
    ['category and tag', both({ terms: [category], has: 'any' }, { terms: [tag], has: 'any' })],
    ['all statuses by author', { ...anyStatus, ...order('author') }],
    ['any of two tags', any(tag, otherTag)],
    ['related: two tags', { ...any(tag, otherTag), limit: 4 }],
    ['the usual format', { terms: { formats: ['standard'] } }],
    ['a number in a title', search(`${size - 321}`)],
  ])
}

/** A list whose page is at a part of its length; the page at 1 is the last. */
export interface DeepList extends NamedQuery {
  readonly part: number
}

export function deepLists(site: UsualSite): readonly DeepList[] {
  const { category, tag, author, middle } = site
  const filters: readonly (readonly [string, Changes])[] = [
    ['no filter', {}],
    ['a category', any(category)],
    ['a tag', any(tag)],
    ['not a category', { terms: { terms: [category], has: 'none' } }],
    ['an author', { authors: [author] }],
    ['not sticky', { sticky: false }],
    ['the usual format', { terms: { formats: ['standard'] } }],
    ['after', { dates: [{ field: 'date', after: middle }] }],
    ['a category or a tag', any(category, tag)],
  ]
  const orders = [
    ['date', { order: { by: 'date', descending: true } }],
    ['title', order('title')],
    ['modified', order('modified', true)],
  ] as const
  return filters.flatMap(([filter, changes]) =>
    orders.flatMap(([by, ordered]) =>
      [0.25, 0.5, 1].map((part) => ({
        name: `${filter}, by ${by}, at ${part}`,
        query: { ...newest, ...changes, ...ordered },
        part,
      })),
    ),
  )
}
