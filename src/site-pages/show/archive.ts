/** Shows an archive, with its template or the list of the theme. */

import type { TemplateContext } from '../../render/builder/pass/render-context.ts'
import { type Archive, addressOfPage, type Located } from '../address/locate.ts'
import { plainOf, readEntries } from '../content/entries.ts'
import { type Listing, listArchive, postsPerPage } from '../content/listing.ts'
import { filtered, html, type Markup, nothing } from '../content/markup.ts'
import { drawTemplates } from '../documents/draw.ts'
import { listItem, longDate, pageLinks, searchForm } from '../theme/posts.ts'
import type { Visit } from '../visit.ts'
import { filled } from '../words.ts'
import { type PageFiles, showPage } from './page.ts'

export type LocatedArchive = Extract<Located, { kind: 'archive' }>

/** Returns undefined when the archive has no such page. */
export async function showArchive(
  located: LocatedArchive,
  files: PageFiles,
  visit: Visit,
): Promise<Response | undefined> {
  const { archive, address, page } = located
  const [size, drawn] = await Promise.all([
    postsPerPage(visit),
    drawTemplates(templateContextOf(archive), visit, { reader: { page } }),
  ])
  // The first page exists whatever the total is. A template lists its own posts.
  const counts = page === 1 ? 'pages' : 'posts'
  const listing = await listArchive(archive, { page, size, counts, showsPosts: !drawn.main }, visit)
  const { total } = listing
  // A template may list any number of posts on a page, so a page may exist as long as there is one post for each page.
  const last = Math.max(1, drawn.main ? total : Math.ceil(total / size))
  if (page > last) return undefined
  const title = titleOf(archive, visit)
  const description = await descriptionOf(archive, visit)
  const isSearch = archive.kind === 'search'
  const isHome = address === `${visit.settings.home}/`
  const shownPages = Math.max(1, Math.ceil(total / size))
  return showPage(
    {
      drawn,
      main: drawn.main ? nothing : await listOf(archive, { title, description, address, page, listing, isHome }, visit),
      bodyClasses: [`is-${archive.kind}`, 'is-archive'],
      head: {
        title: titleWithPage(isHome ? '' : title, page, visit),
        description: plainOf(description),
        ...(isSearch ? {} : { canonical: addressOfPage(address, page) }),
        ...(page > 1 ? { previous: addressOfPage(address, page - 1) } : {}),
        ...(page < shownPages ? { next: addressOfPage(address, page + 1) } : {}),
        ...(isSearch || isHome ? {} : { feedOf: { title, address } }),
      },
    },
    files,
    visit,
  )
}

function templateContextOf(archive: Archive): TemplateContext {
  if (archive.kind === 'author') return { archive: 'author', user: archive.user.id }
  if (archive.kind === 'term') return { archive: 'term', term: archive.term.id }
  return { archive: archive.kind }
}

function titleWithPage(title: string, page: number, { options, settings }: Visit): string {
  if (page === 1) return title
  return `${title === '' ? settings.name : title} – ${filled(options.words.page, { page: String(page) })}`
}

export function titleOf(archive: Archive, visit: Visit): string {
  const { words } = visit.options
  switch (archive.kind) {
    case 'posts':
      return archive.host ? plainOf(archive.host.title) : words.newest
    case 'author':
      return filled(words.author, { name: archive.user.displayName })
    case 'term':
      // Interface: names of terms are stored with character references.
      return plainOf(archive.term.name)
    case 'search':
      return filled(words.searchResults, { text: archive.text })
    case 'date':
      return dateTitle(archive.parts, visit)
  }
}

function dateTitle([year = '', month, day]: readonly string[], visit: Visit): string {
  if (month === undefined) return year
  if (day !== undefined) return longDate(`${year}-${month}-${day}T00:00:00`, visit)
  const format = new Intl.DateTimeFormat(visit.options.locale, { year: 'numeric', month: 'long', timeZone: 'UTC' })
  return format.format(new Date(`${year}-${month}-01T00:00:00Z`))
}

/** Returns HTML that users wrote. */
export async function descriptionOf(archive: Archive, { storage, settings }: Visit): Promise<string> {
  if (archive.kind === 'term') return archive.term.description
  if (archive.kind === 'posts') return archive.host ? '' : settings.description
  if (archive.kind !== 'author') return ''
  const [meta] = await storage.meta.read('user', [archive.user.id], ['description'])
  return typeof meta?.value === 'string' ? meta.value : ''
}

interface ListPage {
  readonly title: string
  readonly description: string
  readonly address: string
  readonly page: number
  readonly listing: Listing
  readonly isHome: boolean
}

async function listOf(archive: Archive, list: ListPage, visit: Visit): Promise<Markup> {
  const { listing, page, address, title, description } = list
  const { words } = visit.options
  const [entries, hidden] = await Promise.all([readEntries(listing.posts, visit), visit.hiddenParts()])
  const isSearch = archive.kind === 'search'
  const paging = {
    page,
    last: Math.ceil(listing.total / listing.size),
    address: (target: number) => addressOfPage(address, target),
  }
  return html`<div class="site-column">
${hidden.has('page title') ? nothing : html`<h1>${title}</h1>\n`}${description === '' || list.isHome ? nothing : html`<div class="site-lead">${filtered(description)}</div>`}
${isSearch ? searchForm(visit, archive.text) : nothing}
${
  entries.length === 0
    ? html`<p>${isSearch ? words.noResults : words.noPosts}</p>`
    : html`<ol class="site-list">${entries.map((entry) => listItem(entry, visit))}</ol>`
}
${pageLinks(paging, visit)}
</div>`
}
