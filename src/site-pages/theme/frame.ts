/** Writes the document of a page: head, header, main part, footer. The theme draws the parts that have no template. */

import type { ThemePart } from '../../features/theme/model.ts'
import { linkAddress } from '../../render/builder/document/addresses.ts'
import type { Rendered } from '../../render/builder/pass/render-context.ts'
import type { PageLayout } from '../../site/page-templates.ts'
import { html, join, type Markup, nothing, trusted } from '../content/markup.ts'
import type { NavigationLink } from '../content/navigation.ts'
import { type Drawn, drawnParts } from '../documents/draw.ts'
import type { Visit } from '../visit.ts'
import { drawHead, type HeadValues } from './head.ts'

export interface PageParts {
  readonly head: HeadValues
  readonly drawn: Drawn
  /** The main part of the theme, which a drawn one replaces. */
  readonly main: Markup
  /** Shown after the main part, drawn or not. */
  readonly below?: Markup
  /** Shown before the main part: confirmations and warnings for the reader. */
  readonly notes?: readonly Markup[]
  readonly bodyClasses?: readonly string[]
  readonly navigation: readonly NavigationLink[]
  /** `canvas`: neither header nor footer. Default: `theme`. */
  readonly layout?: PageLayout
  /** The parts of the theme that its settings switch off. */
  readonly hidden: ReadonlySet<ThemePart>
}

interface Files {
  readonly sheets: readonly string[]
  /** Sheets that the page itself contains. */
  readonly styles: readonly string[]
  readonly icon: string | undefined
  /** Whether texts without a typography have that of the kit. */
  readonly hasKitFonts: boolean
  readonly scripts: {
    readonly addresses: readonly string[]
    /** The texts and addresses that they read from the root element. */
    readonly data: { readonly [name: string]: string }
  }
}

/** Wraps a template in a landmark, unless it has one. */
function landmark(tag: 'header' | 'footer', { html: drawn }: Rendered): Markup {
  return drawn.startsWith(`<${tag}`) ? trusted(drawn) : trusted(`<${tag}>${drawn}</${tag}>`)
}

/** Colours that an author chose for a light page: by presets, by style attributes, or as the shade of a cover. */
const authorColors =
  /\sclass="[^"]*(?<![\w-])(?:has-(?:text-color|background|[\w-]+-(?:color|gradient-background))|\w+-block-cover)(?![\w-])|\sstyle="(?:[^"]*;)?\s*(?:color|background(?:-color|-image)?)\s*:/

export function drawPage(parts: PageParts, files: Files, visit: Visit): string {
  const { drawn, notes = [], layout = 'theme' } = parts
  const isWhole = layout !== 'canvas'
  const { locale } = visit.options
  const built = drawnParts(drawn)
  const hasBuilt = built.length > 0
  // Text of the dark scheme would be unreadable on the author's backgrounds.
  const isLight = hasBuilt || visit.options.theme.styles.hasColors || authorColors.test(parts.main.markup)
  const rootClasses = [
    ...(isLight ? ['has-built'] : []),
    ...(hasBuilt ? ['has-document'] : []),
    ...(hasBuilt && files.hasKitFonts ? ['has-kit-fonts'] : []),
  ]
  const classes = [...new Set([...(parts.bodyClasses ?? []), ...built.flatMap(({ bodyClasses }) => bodyClasses)])]
  return html`<!doctype html>
<html lang="${locale}"${rootClasses.length > 0 ? html` class="${rootClasses.join(' ')}"` : nothing}${dataOf(files)}>
<head>
${drawHead(shownHead(parts), { ...files, hasBuilt: isLight }, visit)}</head>
<body class="${classes.join(' ')}">
${isWhole ? headerPart(parts, visit) : nothing}${mainPart(drawn.main, parts, join(notes))}
${isWhole ? footerPart(parts, visit) : nothing}${drawn.overlays.map((overlay) => trusted(`${overlay.html}\n`))}${files.scripts.addresses.map((address) => html`<script type="module" src="${address}"></script>\n`)}</body>
</html>
`.markup
}

/** The description of the head is that of the theme; previews of social networks keep theirs. */
const shownHead = ({ head, hidden }: PageParts): HeadValues =>
  hidden.has('description') ? { ...head, hasDescription: false } : head

const dataOf = ({ scripts: { data } }: Files): readonly Markup[] =>
  Object.entries(data).map(([name, value]) => html` ${trusted(`data-${name}`)}="${value}"`)

const headerPart = (parts: PageParts, visit: Visit): Markup =>
  html`${parts.hidden.has('skip link') ? nothing : html`<a class="site-skip" href="#content">${visit.options.words.skip}</a>\n`}${parts.drawn.header ? landmark('header', parts.drawn.header) : siteHeader(parts, visit)}
`

const footerPart = ({ drawn, hidden }: PageParts, visit: Visit): Markup =>
  html`${drawn.footer ? landmark('footer', drawn.footer) : siteFooter(hidden, visit)}
`

/** A template may be the `main` element itself, so it gets no second one. */
function mainPart(drawn: Rendered | undefined, { main, below = nothing }: PageParts, notes: Markup): Markup {
  if (drawn?.html.startsWith('<main')) {
    return html`${trusted(drawn.html.replace('<main', '<main id="content" tabindex="-1"'))}${notes}${below}`
  }
  return html`<main id="content" tabindex="-1">
${notes}${drawn ? trusted(drawn.html) : main}${below}
</main>`
}

function siteHeader({ navigation, head, hidden }: PageParts, { settings, options }: Visit): Markup {
  if (hidden.has('header and footer')) return nothing
  const { name, description, home } = settings
  const items = navigation.map((entry) => menuItem(entry, head.canonical))
  return html`<header class="site-bar"><div>
<div class="site-name"><a href="${home}/" rel="home">${name}</a></div>
${items.length === 0 ? nothing : html`<nav class="site-menu" aria-label="${options.words.menu}"><ul>${items}</ul></nav>`}
${description === '' ? nothing : html`<p class="site-tagline">${description}</p>`}
</div></header>`
}

/** A link that could run a script loses its address. */
function menuItem({ title, address, children }: NavigationLink, current: string | undefined): Markup {
  const href = linkAddress(address)
  const mark = href !== '' && current === href ? trusted(' aria-current="page"') : nothing
  const below = children.map((child) => menuItem(child, current))
  const label = href === '' ? html`<span>${title}</span>` : html`<a href="${href}"${mark}>${title}</a>`
  return html`<li>${label}${below.length === 0 ? nothing : html`<ul>${below}</ul>`}</li>`
}

function siteFooter(hidden: ReadonlySet<ThemePart>, { settings, options }: Visit): Markup {
  if (hidden.has('header and footer')) return nothing
  return html`<footer class="site-end"><div>
<p>${settings.name}</p>
<p><a href="${settings.home}/feed/">${options.words.feed}</a></p>
</div></footer>`
}
