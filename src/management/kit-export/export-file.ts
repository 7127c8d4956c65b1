/** Writes records as an export file (XML), in the elements that the reader of the import knows. */
import { escapeHtml } from '../../core/runtime/escape-html.ts'

/** A record has the texts of its elements. */
export interface ExportItem {
  readonly fields: { readonly [element: string]: string }
  readonly meta: readonly (readonly [key: string, text: string])[]
  readonly terms: readonly { readonly domain: string; readonly slug: string; readonly name: string }[]
}

const names = {
  excerpt: 'http://wordpress.org/export/1.2/excerpt/',
  content: 'http://purl.org/rss/1.0/modules/content/',
  dc: 'http://purl.org/dc/elements/1.1/',
  wp: 'http://wordpress.org/export/1.2/',
}

const spaces = Object.entries(names).map(([prefix, address]) => `xmlns:${prefix}="${address}"`)

const start = (site: string): string => `<?xml version="1.0" encoding="UTF-8" ?>
<rss version="2.0" ${spaces.join(' ')}>
<channel>
<link>${text(site)}</link>
<wp:wxr_version>1.2</wp:wxr_version>
<wp:base_site_url>${text(site)}</wp:base_site_url>
<wp:base_blog_url>${text(site)}</wp:base_blog_url>
`
const end = '</channel>\n</rss>\n'

/** A longer file is split. */
const fileLength = 4_000_000

/** The texts of one file or several. */
export function* exportFiles(site: string, items: Iterable<ExportItem>): Generator<string> {
  let pending = ''
  for (const item of items) {
    pending += itemText(item)
    if (pending.length < fileLength) continue
    yield start(site) + pending + end
    pending = ''
  }
  if (pending !== '') yield start(site) + pending + end
}

function itemText({ fields, meta, terms }: ExportItem): string {
  const elements = Object.entries(fields).map(([name, value]) =>
    value === '' ? '' : `<${name}>${text(value)}</${name}>\n`,
  )
  const named = terms.map(
    ({ domain, slug, name }) =>
      `<category domain="${attribute(domain)}" nicename="${attribute(slug)}">${text(name)}</category>\n`,
  )
  const values = meta.map(
    ([key, value]) =>
      `<wp:postmeta><wp:meta_key>${text(key)}</wp:meta_key><wp:meta_value>${text(value)}</wp:meta_value></wp:postmeta>\n`,
  )
  return `<item>\n${elements.join('')}${named.join('')}${values.join('')}</item>\n`
}

/** XML 1.0 does not allow these characters; the reader leaves them out, too. */
const controls = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff]/g

const text = (value: string): string =>
  `<![CDATA[${value.replace(controls, '').replaceAll(']]>', ']]]]><![CDATA[>')}]]>`

const attribute = (value: string): string => escapeHtml(value.replace(controls, ''))
