/** Writes the head of a page: its title, description, canonical address, preview data, feeds, and discovery of the API. */

import { discoveryRelation } from '../../core/pipeline/mount.ts'
import { feedAddress } from '../address/locate.ts'
import type { Picture } from '../content/entries.ts'
import { html, join, type Markup, nothing, trusted } from '../content/markup.ts'
import type { Visit } from '../visit.ts'

export interface HeadValues {
  /** The title omits the name of the site. An empty one shows the name of the site alone. */
  readonly title: string
  readonly description: string
  /** False: the head has no `meta` element with the description. Default: true. */
  readonly hasDescription?: boolean
  /** Without it the page has no canonical address, and search engines leave it out. */
  readonly canonical?: string
  readonly isArticle?: boolean
  readonly published?: string
  readonly modified?: string
  readonly picture?: Picture
  /** The addresses of the previous and the next page. */
  readonly previous?: string
  readonly next?: string
  /** The archive, or the post with comments, whose feed is linked besides that of the site. */
  readonly feedOf?: { readonly title: string; readonly address: string }
  /** Whether the head links embed data of the page. */
  readonly isEmbeddable?: boolean
}

interface HeadFiles {
  readonly sheets: readonly string[]
  /** The sheets of documents, which escape `<`: none can end its element. */
  readonly styles: readonly string[]
  /** The address of the site's icon. */
  readonly icon: string | undefined
  readonly hasBuilt: boolean
}

const meta = (name: string, content: string | undefined): Markup =>
  content === undefined || content === '' ? nothing : html`<meta name="${name}" content="${content}">\n`

const property = (name: string, content: string | undefined): Markup =>
  content === undefined || content === '' ? nothing : html`<meta property="${name}" content="${content}">\n`

const link = (rel: string, href: string | undefined): Markup =>
  href === undefined ? nothing : html`<link rel="${rel}" href="${href}">\n`

const alternate = (type: string, title: string, href: string): Markup =>
  html`<link rel="alternate" type="${type}" title="${title}" href="${href}">\n`

function titleOfPage({ title }: HeadValues, { settings }: Visit): string {
  const { name } = settings
  if (title !== '') return name === '' ? title : `${title} – ${name}`
  // A page with a title does not depend on it.
  const { description } = settings
  return description === '' ? name : `${name} – ${description}`
}

/** Search engines and social networks cut longer descriptions. */
const maxDescription = 300

export function drawHead(values: HeadValues, { sheets, styles, icon, hasBuilt }: HeadFiles, visit: Visit): Markup {
  const { settings, options, app } = visit
  const description = cut(values.description, maxDescription)
  return html`<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${meta('color-scheme', hasBuilt ? undefined : 'light dark')}<title>${titleOfPage(values, visit)}</title>
${values.hasDescription === false ? nothing : meta('description', description)}${values.canonical === undefined ? meta('robots', 'noindex, follow') : nothing}${link('icon', icon ?? 'data:,')}${link('canonical', values.canonical)}${link('prev', values.previous)}${link('next', values.next)}${openGraph(values, description, visit)}${alternates(values, visit)}${link(discoveryRelation(app.names), `${settings.apiRoot}/`)}${join(
  sheets.map((href) => html`<link rel="stylesheet" href="${href}" referrerpolicy="same-origin">\n`),
)}${styles.map((css) => trusted(`<style>${css}</style>\n`))}${trusted(options.head)}`
}

function openGraph(values: HeadValues, description: string, { settings, options }: Visit): Markup {
  const { picture } = values
  return join([
    property('og:type', values.isArticle ? 'article' : 'website'),
    property('og:title', values.title === '' ? settings.name : values.title),
    property('og:description', description),
    property('og:url', values.canonical),
    property('og:site_name', settings.name),
    property('og:locale', options.locale.replace('-', '_')),
    property('article:published_time', values.published),
    property('article:modified_time', values.modified),
    ...(picture
      ? [
          property('og:image', picture.address),
          property('og:image:width', picture.width?.toString()),
          property('og:image:height', picture.height?.toString()),
          property('og:image:alt', picture.alternative),
          meta('twitter:card', 'summary_large_image'),
        ]
      : []),
  ])
}

function alternates({ feedOf, canonical, isEmbeddable }: HeadValues, { settings, options }: Visit): Markup {
  const home = `${settings.home}/`
  const site = `${settings.name} – ${options.words.feed}`
  const embed = (format: string) =>
    `${settings.apiRoot}/oembed/1.0/embed?${new URLSearchParams({ url: canonical ?? home, ...(format === 'xml' ? { format } : {}) })}`
  return join([
    alternate('application/rss+xml', site, feedAddress(home, 'rss')),
    alternate('application/atom+xml', site, feedAddress(home, 'atom')),
    feedOf ? alternate('application/rss+xml', feedOf.title, feedAddress(feedOf.address, 'rss')) : nothing,
    isEmbeddable && canonical !== undefined
      ? join([
          alternate('application/json+oembed', 'oEmbed (JSON)', embed('json')),
          alternate('text/xml+oembed', 'oEmbed (XML)', embed('xml')),
        ])
      : nothing,
  ])
}

function cut(text: string, length: number): string {
  if (text.length <= length) return text
  const start = text.slice(0, length - 1)
  const end = start.lastIndexOf(' ')
  return `${(end > length / 2 ? start.slice(0, end) : start).toWellFormed()}…`
}
