/** Builds export files in the standard format for tests. */

export interface WrittenItem {
  readonly id?: number | string
  readonly type?: string
  readonly title?: string
  readonly content?: string
  readonly excerpt?: string
  readonly status?: string
  readonly slug?: string
  readonly author?: string
  readonly date?: string
  readonly dateGmt?: string
  readonly modified?: string
  readonly parent?: number
  readonly guid?: string
  /** The address of the item on the old site. */
  readonly link?: string
  /** Further elements as XML. */
  readonly more?: string
  readonly meta?: readonly (readonly [key: string, value: string])[]
  readonly terms?: readonly (readonly [domain: string, slug: string, name: string])[]
}

/** A text with `]]>` needs two CDATA sections. */
export const cdata = (text: string): string => `<![CDATA[${text.replaceAll(']]>', ']]]]><![CDATA[>')}]]>`

const element = (name: string, text: string | number | undefined) =>
  text === undefined ? '' : `<${name}>${typeof text === 'number' ? text : cdata(text)}</${name}>`

export const site = 'https://old.example'

export function item(given: WrittenItem): string {
  const { id = 1, type = 'post', status = 'publish', date = '2023-05-01 10:00:00', author = 'ann' } = given
  return `<item>
    ${element('title', given.title ?? `Item ${id}`)}
    <link>${given.link ?? `${site}/item-${id}/`}</link>
    ${element('dc:creator', author)}
    <guid isPermaLink="false">${given.guid ?? `${site}/?p=${id}`}</guid>
    <description></description>
    ${element('content:encoded', given.content ?? '')}
    ${element('excerpt:encoded', given.excerpt ?? '')}
    <wp:post_id>${id}</wp:post_id>
    ${element('wp:post_date', date)}
    ${element('wp:post_date_gmt', given.dateGmt ?? date)}
    ${element('wp:post_modified', given.modified)}
    ${element('wp:post_name', given.slug ?? `item-${id}`)}
    ${element('wp:status', status)}
    <wp:post_parent>${given.parent ?? 0}</wp:post_parent>
    <wp:menu_order>0</wp:menu_order>
    ${element('wp:post_type', type)}
    ${given.more ?? ''}
    ${(given.terms ?? []).map(([domain, slug, name]) => `<category domain="${domain}" nicename="${slug}">${cdata(name)}</category>`).join('\n')}
    ${(given.meta ?? []).map(([key, value]) => `<wp:postmeta>${element('wp:meta_key', key)}${element('wp:meta_value', value)}</wp:postmeta>`).join('\n')}
  </item>`
}

export const author = (login: string, email: string, name: string): string =>
  `<wp:author><wp:author_id>7</wp:author_id>${element('wp:author_login', login)}${element('wp:author_email', email)}${element('wp:author_display_name', name)}</wp:author>`

export const category = (slug: string, name: string, parent = ''): string =>
  `<wp:category><wp:term_id>3</wp:term_id>${element('wp:category_nicename', slug)}${element('wp:category_parent', parent)}${element('wp:cat_name', name)}</wp:category>`

export const tag = (slug: string, name: string): string =>
  `<wp:tag><wp:term_id>4</wp:term_id>${element('wp:tag_slug', slug)}${element('wp:tag_name', name)}</wp:tag>`

export const fileStart = `<?xml version="1.0" encoding="UTF-8" ?>
<!-- This is a file of exported content. -->
<rss version="2.0" xmlns:excerpt="http://wordpress.org/export/1.2/excerpt/" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:wp="http://wordpress.org/export/1.2/">
<channel>
  <title>Old site</title>
  <link>${site}</link>
  <wp:wxr_version>1.2</wp:wxr_version>
  <wp:base_site_url>${site}</wp:base_site_url>
  <wp:base_blog_url>${site}</wp:base_blog_url>
`
export const fileEnd = '</channel>\n</rss>\n'

export const exportFile = (...parts: readonly string[]): string => `${fileStart}${parts.join('\n')}\n${fileEnd}`

/** Chunks of a few bytes, so that characters and tags are split anywhere. */
export async function* inPieces(text: string, size = 7): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text)
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}
