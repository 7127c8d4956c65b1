/** Draws posts with the theme: a whole one, and lists of them. */

import type { PictureSize } from '../../features/content/posts/model.ts'
import type { Entry, LinkedTerm, Picture } from '../content/entries.ts'
import { filtered, html, join, type Markup, nothing, trusted } from '../content/markup.ts'
import type { Visit } from '../visit.ts'
import { filled } from '../words.ts'

/** By the options of the pages: to make one takes 30 microseconds, which a list would spend on each post. */
const formats = new WeakMap<Visit['options'], Intl.DateTimeFormat>()

/** Formats a date of the site's time zone in the language of the pages. */
export function longDate(local: string, { options }: Visit): string {
  const date = new Date(`${local}Z`)
  if (Number.isNaN(date.getTime())) return ''
  const format = formats.get(options) ?? new Intl.DateTimeFormat(options.locale, { dateStyle: 'long', timeZone: 'UTC' })
  formats.set(options, format)
  return format.format(date)
}

const time = (local: string, visit: Visit): Markup =>
  html`<time datetime="${local.slice(0, 10)}">${longDate(local, visit)}</time>`

function byline({ post, author, terms }: Entry, visit: Visit): Markup {
  if (post.type !== 'post') return nothing
  const { words } = visit.options
  const [before = '', after = ''] = words.by.split('{name}')
  const parts = [
    time(post.date, visit),
    ...(author ? [html`${before}<a href="${author.address}" rel="author">${author.name}</a>${after}`] : []),
    ...terms.filter(({ taxonomy }) => taxonomy === 'category').map(termLink),
  ]
  return html`<p class="site-meta">${join(parts, ' · ')}</p>`
}

const termLink = ({ name, address }: LinkedTerm): Markup => html`<a href="${address}" rel="tag">${name}</a>`

interface PictureOptions {
  readonly isLazy?: boolean
  /** The width of the picture, as the attribute `sizes` states it. Default: the width of the column of text. */
  readonly shownAs?: string
}

const columnWidth = '(max-width: 44rem) 100vw, 40rem'

export function picture(shown: Picture, { isLazy = true, shownAs = columnWidth }: PictureOptions = {}): Markup {
  const { address, alternative, width, height } = shown
  const candidates = sourcesOf(shown)
  const sources = candidates.length < 2 ? nothing : html` srcset="${candidates.join(', ')}" sizes="${shownAs}"`
  const size = width !== undefined && height !== undefined ? trusted(` width="${width}" height="${height}"`) : nothing
  const loading = trusted(isLazy ? ' loading="lazy" decoding="async"' : ' fetchpriority="high"')
  return html`<img src="${address}" alt="${alternative}"${size}${sources}${loading}>`
}

/** Returns the sizes with the same aspect ratio. A cropped size would show another picture. */
function sourcesOf({ address, width = 0, height = 0, sizes }: Picture): readonly string[] {
  if (width === 0 || height === 0) return []
  const hasShape = (size: PictureSize) => Math.abs((size.width * height) / width - size.height) <= 1.5
  const all = [...sizes.filter((size) => size.width < width && hasShape(size)), { address, width }]
  const byWidth = new Map(all.map((one) => [one.width, one.address]))
  return [...byWidth].map(([wide, source]) => `${source.replaceAll(' ', '%20').replaceAll(',', '%2C')} ${wide}w`)
}

const figure = (shown: Picture): Markup =>
  html`<figure class="site-figure">${picture(shown, { isLazy: false })}${
    shown.caption === '' ? nothing : html`<figcaption>${filtered(shown.caption)}</figcaption>`
  }</figure>`

interface ArticleOptions {
  /** HTML that is safe to show. */
  readonly content: Markup
  readonly hasTitle?: boolean
}

export function article(entry: Entry, { content, hasTitle = true }: ArticleOptions, visit: Visit): Markup {
  const { post, picture: shown, terms } = entry
  const tags = terms.filter(({ taxonomy }) => taxonomy !== 'category')
  const { words } = visit.options
  return html`<article class="site-column">
${hasTitle ? html`<h1>${entry.titleText}</h1>\n` : nothing}${byline(entry, visit)}
${shown && post.type !== 'attachment' ? figure(shown) : nothing}
<div class="site-text">${content}</div>
${tags.length === 0 ? nothing : html`<ul class="site-tags" aria-label="${words.tagged}">${tags.map((tag) => html`<li>${termLink(tag)}</li>`)}</ul>`}
</article>`
}

export function listItem(entry: Entry, visit: Visit): Markup {
  const { picture: shown, address, titleText } = entry
  return html`<li><article>
${shown ? html`<a class="site-thumb" href="${address}" tabindex="-1" aria-hidden="true">${picture({ ...shown, alternative: '' }, { shownAs: '(max-width: 36rem) 30vw, 11rem' })}</a>` : nothing}
<h2><a href="${address}">${titleText === '' ? address : titleText}</a></h2>
${byline(entry, visit)}
<div class="site-text">${filtered(entry.excerpt)}</div>
</article></li>`
}

interface Paging {
  readonly page: number
  readonly last: number
  readonly address: (page: number) => string
}

export function pageLinks({ page, last, address }: Paging, { options }: Visit): Markup {
  if (last <= 1) return nothing
  const { words } = options
  const entry = (target: number, label: string) => html`<li><a href="${address(target)}">${label}</a></li>`
  const numbers = shownPages(page, last).map((number) =>
    number === 0
      ? html`<li><span>…</span></li>`
      : number === page
        ? html`<li><span aria-current="page" aria-label="${filled(words.page, { page: String(number) })}">${String(number)}</span></li>`
        : html`<li><a href="${address(number)}" aria-label="${filled(words.page, { page: String(number) })}">${String(number)}</a></li>`,
  )
  return html`<nav aria-label="${words.pages}"><ul class="site-pages">
${page > 1 ? entry(page - 1, words.previous) : nothing}${numbers}${page < last ? entry(page + 1, words.next) : nothing}
</ul></nav>`
}

/** Returns the first page, the last one and those around the current one; 0 stands for a gap. */
function shownPages(page: number, last: number): number[] {
  const wanted = [1, page - 1, page, page + 1, last].filter((number) => number >= 1 && number <= last)
  const sorted = [...new Set(wanted)].sort((a, b) => a - b)
  return sorted.flatMap((number, index) =>
    index > 0 && number - (sorted[index - 1] as number) > 1 ? [0, number] : [number],
  )
}

export function searchForm({ settings, options }: Visit, text = ''): Markup {
  const { words } = options
  return html`<search><form class="site-form" action="${settings.home}/" method="get">
<label for="site-search">${words.searchFor}</label>
<input id="site-search" type="search" name="s" value="${text}">
<button type="submit">${words.search}</button>
</form></search>`
}

export function passwordForm(post: { readonly id: number }, wasWrong: boolean, { settings, options }: Visit): Markup {
  const { words } = options
  return html`<p>${words.protectedText}</p>
${wasWrong ? html`<p class="site-note" role="alert">${words.wrongPassword}</p>` : nothing}
<form class="site-form" action="${settings.home}${options.assets}/unlock" method="post">
<label for="site-password">${words.password}</label>
<input type="hidden" name="post" value="${String(post.id)}">
<input id="site-password" type="password" name="password" autocomplete="off" required>
<button type="submit">${words.open}</button>
</form>`
}
