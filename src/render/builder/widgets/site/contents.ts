/** Draws the table of contents: links to the headings of the page, which get ids. */
import { color, size } from '../../controls/control.ts'
import { typography } from '../../controls/typography.ts'
import { filtered, trusted } from '../../html/markup.ts'
import { type Child, h, isList, isNothing, Markup, Unread } from '../../html/nodes.ts'
import { plainText } from '../../html/plain-text.ts'
import { type WidgetTable, widget } from '../widget.ts'

interface Heading {
  readonly level: number
  readonly text: string
  readonly id: string
}

const LEVELS = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6']
const BOX = 'builder-toc'
const maxHeadings = 500

/** Collects headings in the order of the page, and gives an id to each that has none. */
class HeadingReader {
  readonly found: Heading[] = []
  readonly #wanted: ReadonlySet<string>
  readonly #ids = new Set<string>()

  constructor(wanted: readonly string[]) {
    this.#wanted = new Set(wanted)
  }

  read(child: Child): Child {
    if (typeof child !== 'object') return child
    if (isList(child)) return child.map((one) => this.read(one))
    // Headings of menus and of lists of posts are no part of the text.
    if (child instanceof Unread) return child
    if (child instanceof Markup) return this.#readMarkup(child)
    // The box has no headings of the page. It stays the same object, because its list is filled later.
    if (child.attributes['data-toc'] !== undefined) return child
    if (!this.#wanted.has(child.tag)) return { ...child, children: child.children.map((one) => this.read(one)) }
    const id = this.#note(child.tag, plainText(child.children), child.attributes['id'])
    return id === undefined ? child : { ...child, attributes: { ...child.attributes, id } }
  }

  #readMarkup(markup: Markup): Child {
    if (!/<h[1-6]\b/i.test(markup.html)) return markup
    const html = markup.html.replace(HEADING, (whole, tag: string, attributes: string, inner: string) => {
      if (!this.#wanted.has(tag.toLowerCase())) return whole
      const own = /\sid="([^"]+)"/i.exec(attributes)?.[1]
      const id = this.#note(tag, plainText(trusted(inner)), own)
      return id === undefined || own !== undefined ? whole : `<${tag} id="${id}"${attributes}>${inner}</${tag}>`
    })
    return html === markup.html ? markup : trusted(html)
  }

  /** Returns the id of a heading; undefined for one without a text. */
  #note(tag: string, text: string, own: unknown): string | undefined {
    const title = text.replace(/\s+/g, ' ').trim()
    if (title === '' || this.found.length >= maxHeadings) return undefined
    const id = typeof own === 'string' && own !== '' ? own : this.#newId(title)
    this.#ids.add(id)
    this.found.push({ level: Number(tag.slice(1)), text: title, id })
    return id
  }

  #newId(title: string): string {
    const words = title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, '-')
      .replace(/^-+|-+$/g, '')
      .slice(0, 60)
    const start = `toc-${words === '' ? 'heading' : words}`
    let id = start
    for (let count = 2; this.#ids.has(id); count++) id = `${start}-${count}`
    return id
  }
}

const HEADING = /<(h[1-6])((?:\s[^<>]*)?)>((?:(?!<\/?h[1-6]\b)[\s\S])*?)<\/\1>/gi

/** Nests a heading in the one before it that is of a higher level. */
function listOf(headings: readonly Heading[], isNested: boolean, tag: 'ol' | 'ul'): Child {
  let at = 0
  const items = (above: number): Child[] => {
    const list: Child[] = []
    while (at < headings.length) {
      const { level, text, id } = headings[at] as Heading
      if (isNested && level <= above) return list
      at += 1
      const next = headings[at]
      const below = isNested && next !== undefined && next.level > level ? items(level) : []
      const link = h('a', { class: [`${BOX}__list-item-text`], href: `#${id}` }, text)
      list.push(
        h(
          'li',
          { class: [`${BOX}__list-item`] },
          link,
          below.length > 0 && h(tag, { class: [`${BOX}__list-wrapper`] }, below),
        ),
      )
    }
    return list
  }
  return h(tag, { class: [`${BOX}__list-wrapper`] }, items(0))
}

const tableOfContents = widget({
  html: (element) => {
    const { settings, pass } = element
    const stored = settings.value('headings_by_tags')
    const wanted = Array.isArray(stored) ? LEVELS.filter((tag) => stored.includes(tag)) : LEVELS.slice(1)
    const tag = settings.text('marker_view', 'numbers') === 'bullets' ? 'ul' : 'ol'
    const isNested = settings.isOn('hierarchical_view', 'yes')
    const list: Child[] = []
    pass.rewriteLast((drawn) => {
      const reader = new HeadingReader(wanted)
      const page = reader.read(drawn)
      const none = filtered(settings.text('no_headings_message', 'This page has no headings.'))
      list.push(reader.found.length > 0 ? listOf(reader.found, isNested, tag) : none)
      return page
    })
    const title = element.html('title', 'Table of Contents')
    const name = !isNothing(title) && h(element.tag('html_tag', 'h4'), { class: [`${BOX}__header-title`] }, title)
    const label = element.label('title', 'Table of Contents') || 'Table of Contents'
    const body = h('nav', { class: [`${BOX}__body`], 'aria-label': label }, list)
    const header = [`${BOX}__header`]
    if (!settings.isOn('minimize_box', 'yes'))
      return h('div', { class: [BOX], 'data-toc': '' }, name && h('div', { class: header }, name), body)
    return h(
      'details',
      { class: [BOX], 'data-toc': '', open: true },
      h('summary', { class: header }, name || label),
      body,
    )
  },
  controls: [
    color('background_color', '&', 'background-color'),
    color('border_color', '& .builder-toc', '--e-toc-border'),
    size('border_width', '& .builder-toc', 'border-width'),
    size('border_radius', '& .builder-toc', 'border-radius'),
    color('header_text_color', '& .builder-toc__header-title', 'color'),
    color('header_background_color', '& .builder-toc__header', 'background-color'),
    ...typography('header_typography', '& .builder-toc__header-title'),
    color('item_text_color_normal', '& .builder-toc__list-item-text', 'color'),
    color('item_text_color_hover', '& .builder-toc__list-item-text:hover', 'color'),
    ...typography('list_typography', '& .builder-toc__list-item-text'),
    color('marker_color', '& .builder-toc__list-item::marker', 'color'),
    size('max_height', '& .builder-toc__body', 'max-height'),
    size('list_indent', '& .builder-toc__list-wrapper', 'padding-inline-start'),
  ],
  defaults: [
    { selector: '.builder-toc__header-title', color: 'secondary', typography: 'primary' },
    { selector: '.builder-toc__list-item-text', color: 'text', typography: 'text' },
  ],
  rules: `.builder-toc{border:3px solid var(--e-toc-border,#9da5ae);text-align:start}.builder-toc__header{display:flex;align-items:center;justify-content:space-between;
gap:10px;padding:20px;border-block-end:3px solid var(--e-toc-border,#9da5ae)}summary.builder-toc__header{display:list-item;list-style-position:inside;cursor:pointer}
summary>.builder-toc__header-title{display:inline-block}.builder-toc__header-title{margin:0;font-size:18px}
.builder-toc__body{padding:20px;overflow:auto}.builder-toc__list-wrapper{margin:0;padding-inline-start:1.4em}
.builder-toc__list-item{padding-block:3px}.builder-toc__list-item-text{text-decoration:none}`,
  isUnread: true,
})

export const contentsWidgets: WidgetTable = { 'table-of-contents': tableOfContents }
