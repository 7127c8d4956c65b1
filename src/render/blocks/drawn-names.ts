/**
 * Names the blocks and shortcodes whose HTML depends on other rows than their post. A cheap test finds the contents that have them;
 * all other contents are rendered without a read.
 */

/** Blocks that the engine draws: render/builder/blocks/table.ts has a function for each. */
export const drawnBlocks = [
  ...['archives', 'calendar', 'categories', 'latest-comments', 'latest-posts', 'loginout', 'page-list', 'rss'],
  ...[
    'post-author',
    'post-author-name',
    'post-content',
    'post-date',
    'post-excerpt',
    'post-featured-image',
    'post-terms',
    'post-title',
  ],
  ...['post-template', 'query', 'query-no-results', 'query-pagination', 'query-pagination-next'],
  ...['query-pagination-numbers', 'query-pagination-previous', 'query-title'],
  ...['avatar', 'comment-author-avatar', 'comment-author-name', 'comment-content', 'comment-date'],
  ...['comment-reply-link', 'comment-template', 'comments', 'comments-pagination', 'comments-pagination-next'],
  ...['comments-pagination-numbers', 'comments-pagination-previous', 'comments-title'],
  ...['post-comments', 'post-comments-count', 'post-comments-form', 'post-comments-link'],
  ...['home-link', 'navigation', 'navigation-link', 'navigation-submenu'],
  ...['read-more', 'search', 'tag-cloud'],
  ...['site-logo', 'site-tagline', 'site-title'],
] as const

/** Shortcodes that show media of the library, and templates of any word. */
const drawnShortcodes = ['gallery', 'playlist', '[a-z]+-template'] as const

/** The additions of a host that texts may name. */
interface HostNames {
  readonly blocks?: { readonly [name: string]: unknown }
  readonly shortcodes?: { readonly [name: string]: unknown }
  /** Its service for shortcodes may know any name. */
  readonly services?: { readonly shortcode?: unknown }
}

const escaped = (names: { readonly [name: string]: unknown } = {}) =>
  Object.keys(names).map((name) => name.replace(/[^\w/-]/g, '\\$&'))

/**
 * Creates the test whether a content has such blocks or shortcodes, or those of the host. A match in a place where it is text, such as
 * a comment, only costs the way of contents that have one.
 */
export function createDrawnTest({ blocks, shortcodes, services }: HostNames = {}): (content: string) => boolean {
  const marker = new RegExp(`<!--\\s+cms:(?:core/)?(?:${[...drawnBlocks, ...escaped(blocks)].join('|')})\\s`)
  const names = services?.shortcode ? ['[a-zA-Z][\\w-]*'] : [...drawnShortcodes, ...escaped(shortcodes)]
  const shortcode = new RegExp(`\\[(?:${names.join('|')})[\\s\\]/]`)
  return (content) =>
    (content.includes('cms:') && marker.test(content)) || (content.includes('[') && shortcode.test(content))
}
