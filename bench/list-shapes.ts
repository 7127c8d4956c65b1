/** The lists of the content interface that are measured on small and on large sites, through the interface itself. */
import type { ListSite } from './list-content.ts'

export interface ListShape {
  readonly name: string
  /** Below `/cms/v2`. `turn` makes each run another one. */
  readonly path: (site: ListSite, turn: number) => string
  /** Default: a visitor asks. True: the user who wrote every fiftieth comment. */
  readonly isOwn?: true
}

const some = (ids: readonly number[], turn: number) => ids[(turn * 7919) % ids.length] as number

export const listShapes: readonly ListShape[] = [
  {
    name: 'page tree: the pages below one',
    path: ({ pages }, turn) => {
      const above = some(pages.slice(0, Math.floor(pages.length / 10) - 1), turn)
      return `/pages?parent=${above}&orderby=menu_order&order=asc&per_page=100`
    },
  },
  { name: 'page tree: its top', path: () => '/pages?parent=0&orderby=menu_order&order=asc&per_page=100' },
  { name: 'page tree: all by menu order', path: () => '/pages?orderby=menu_order&order=asc&per_page=20' },
  { name: 'media list', path: () => '/media?per_page=20' },
  { name: 'media list: pictures', path: () => '/media?media_type=image&per_page=20' },
  { name: 'media list: pictures by title', path: () => '/media?media_type=image&orderby=title&order=asc&per_page=20' },
  { name: 'media list: a rare type', path: () => '/media?mime_type=audio/mpeg&per_page=20' },
  { name: 'media list: of one post', path: ({ posts }, turn) => `/media?parent=${some(posts, turn)}` },
  { name: 'terms list', path: () => '/tags?per_page=20' },
  { name: 'terms list: page 400', path: () => '/tags?per_page=20&page=400' },
  { name: 'terms list: in use', path: () => '/tags?hide_empty=true&per_page=20' },
  { name: 'terms list: most used', path: () => '/tags?orderby=count&order=desc&per_page=20' },
  { name: 'terms list: below one', path: ({ categories }, turn) => `/categories?parent=${some(categories, turn)}` },
  { name: 'terms list: categories in use', path: () => '/categories?hide_empty=true&per_page=20' },
  { name: 'terms list: of one post', path: ({ posts }, turn) => `/tags?post=${some(posts, turn)}` },
  { name: 'comments list', path: () => '/comments?per_page=20' },
  { name: 'comment thread: of one post', path: ({ posts }) => `/comments?post=${posts[0]}&order=asc&per_page=20` },
  { name: 'comment thread: its top', path: ({ posts }) => `/comments?post=${posts[0]}&parent=0&order=asc&per_page=20` },
  { name: 'comment thread: the replies to one', path: ({ comments }) => `/comments?parent=${comments[1]}&per_page=20` },
  // Each follows a write of an option; after a write of comments or posts the texts of all matches are read again.
  { name: 'comments list: a frequent word', path: () => '/comments?search=comment&per_page=20' },
  { name: 'comments list: of oneself', path: () => '/comments?author=1&per_page=20', isOwn: true },
  { name: 'comments list: of one address', path: () => '/comments?author_email=vera7@example.test', isOwn: true },
  { name: 'comments list: a frequent word, an editor', path: () => '/comments?search=comment&status=all', isOwn: true },
  { name: 'search: a frequent word', path: () => '/search?search=words&per_page=20' },
  { name: 'search: a frequent word, page 3', path: () => '/search?search=words&page=3' },
]
