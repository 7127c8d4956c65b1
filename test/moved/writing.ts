/**
 * Writes export files of whole sites for the harness, and notes what their author wrote: the texts, pictures and icons that each
 * page has to show after the move.
 */
import { author, category, cdata, item, site, tag, type WrittenItem } from '../management/import/export-file.ts'

export const oldAddress = site

/** Lists what a visitor has to see at an address. */
export interface ExpectedPage {
  readonly path: string
  readonly texts: readonly string[]
  /** Paths below the uploads folder of the old site. They have no extension, so that a size of a picture counts as the picture. */
  readonly pictures: readonly string[]
  readonly icons: number
}

export interface MovedKit {
  readonly name: string
  readonly file: string
  /** Vector drawings by path; the harness makes pictures of them. */
  readonly drawings: ReadonlyMap<string, string>
  readonly pages: readonly ExpectedPage[]
}

interface Noted {
  texts: string[]
  pictures: string[]
  icons: number
}

type Settings = { readonly [name: string]: unknown }

export interface Element {
  readonly id: string
  readonly elType: string
  readonly widgetType?: string
  readonly settings: Settings | readonly []
  readonly elements: readonly Element[]
  readonly isInner?: boolean
}

export interface PageValues extends Omit<WrittenItem, 'id' | 'meta'> {
  readonly path?: string
  readonly meta?: readonly (readonly [key: string, value: string])[]
  /** Lists what the page shows besides its own elements, such as a header. */
  readonly also?: readonly Noted[]
}

export class KitWriter {
  readonly #items: string[] = []
  readonly #heads: string[] = []
  readonly #drawings = new Map<string, string>()
  readonly #pages: ExpectedPage[] = []
  readonly #media = new Map<string, { readonly id: number; readonly url: string }>()
  readonly #name: string
  readonly #tagline: string
  #nextId = 100
  #nextElement = 0
  #noted: Noted = { texts: [], pictures: [], icons: 0 }

  constructor(name: string, tagline: string) {
    this.#name = name
    this.#tagline = tagline
    this.#heads.push(author('ann', 'ann@example.com', 'Ann Weir'))
  }

  // ------------------------------------------------------------ what the author wrote

  /** Notes a text, which may have markup: each run between tags has to be shown. */
  readonly say = (text: string): string => {
    this.#noted.texts.push(
      ...text
        .split(/<[^>]*>/)
        .map(plain)
        .filter((run) => run !== ''),
    )
    return text
  }

  readonly picture = (path: string): { readonly id: number; readonly url: string } => {
    this.#noted.pictures.push(path.replace(/\.\w+$/, ''))
    return this.#medium(path)
  }

  readonly icon = (value: string): Settings => {
    this.#noted.icons += 1
    return { value, library: libraries[value.split(' ')[0] ?? ''] ?? 'fa-solid' }
  }

  /** Runs `write` and returns what was noted meanwhile, which the current page does not have. */
  noting(write: () => void): Noted {
    const before = this.#noted
    this.#noted = { texts: [], pictures: [], icons: 0 }
    write()
    const noted = this.#noted
    this.#noted = before
    return noted
  }

  // ------------------------------------------------------------ elements

  readonly widget = (widgetType: string, settings: Settings = {}, elements: readonly Element[] = []): Element => ({
    ...{ id: this.#elementId(), elType: 'widget', widgetType, settings, elements },
  })

  readonly container = (settings: Settings, ...elements: readonly Element[]): Element => ({
    ...{ id: this.#elementId(), elType: 'container', isInner: false, settings, elements },
  })

  readonly section = (settings: Settings, ...columns: readonly (readonly Element[])[]): Element => ({
    ...{ id: this.#elementId(), elType: 'section', settings },
    elements: columns.map((elements) => ({
      ...{ id: this.#elementId(), elType: 'column', settings: { _column_size: Math.floor(100 / columns.length) } },
      elements,
    })),
  })

  /** The id of an entry of a repeater. */
  readonly entry = (settings: Settings): Settings => ({ _id: this.#elementId(), ...settings })

  // ------------------------------------------------------------ items

  category(slug: string, name: string): void {
    this.#heads.push(category(slug, name))
  }

  tag(slug: string, name: string): void {
    this.#heads.push(tag(slug, name))
  }

  menu(
    slug: string,
    name: string,
    entries: readonly { readonly title: string; readonly page?: number; readonly url?: string }[],
  ) {
    this.#heads.push(
      `<wp:term><wp:term_id>${this.#nextId++}</wp:term_id><wp:term_taxonomy>nav_menu</wp:term_taxonomy><wp:term_slug>${slug}</wp:term_slug><wp:term_name>${cdata(name)}</wp:term_name></wp:term>`,
    )
    entries.forEach(({ title, page, url }, index) => {
      this.#add({
        ...{ type: 'nav_menu_item', title: page === undefined ? title : '', slug: '' },
        more: `<wp:menu_order>${index + 1}</wp:menu_order>`,
        terms: [['nav_menu', slug, name]],
        meta: [
          ['_menu_item_type', page === undefined ? 'custom' : 'post_type'],
          ['_menu_item_menu_item_parent', '0'],
          ['_menu_item_object_id', String(page ?? this.#nextId)],
          ['_menu_item_object', page === undefined ? 'custom' : 'page'],
          ['_menu_item_target', ''],
          ['_menu_item_classes', 'a:1:{i:0;s:0:"";}'],
          ['_menu_item_url', url ?? ''],
        ],
      })
    })
  }

  /** Reserves the number of an item that others name before it is written. */
  reserve(): number {
    return this.#nextId++
  }

  /** Adds a page or post with block markup or plain HTML. What was noted since the last one is expected at its address. */
  page({ path, also = [], ...values }: PageValues, id = this.reserve()): number {
    this.#expect(path, also)
    this.#add({ type: 'page', ...values }, id)
    return id
  }

  /** Adds a page of the builder. */
  built(
    elements: readonly Element[],
    { path, also = [], meta = [], ...values }: PageValues,
    id = this.reserve(),
  ): number {
    this.#expect(path, also)
    this.#add({ type: 'page', ...values, meta: [...builtMeta('wp-page', elements), ...meta] }, id)
    return id
  }

  /** Adds a template of the builder, and returns its number and what it shows. */
  template(
    type: string,
    title: string,
    elements: () => readonly Element[],
    {
      settings = {},
      conditions = [],
      id = this.reserve(),
    }: { settings?: Settings; conditions?: readonly string[]; id?: number } = {},
  ): { readonly id: number; readonly noted: Noted } {
    let made: readonly Element[] = []
    const noted = this.noting(() => {
      made = elements()
    })
    const more: [string, string][] = conditions.length > 0 ? [['_elementor_conditions', serialized(conditions)]] : []
    const meta = [...builtMeta(type, made), ['_elementor_page_settings', serialized(settings)] as const, ...more]
    const slug = title.toLowerCase().replace(/\W+/g, '-')
    this.#add({ type: 'elementor_library', title, slug, meta, terms: [['elementor_library_type', type, type]] }, id)
    return { id, noted }
  }

  kit(settings: Settings): void {
    const meta = [
      ['_elementor_edit_mode', 'builder'],
      ['_elementor_template_type', 'kit'],
      ['_elementor_page_settings', serialized(settings)],
    ] as const
    this.#add({ type: 'elementor_library', title: 'Default Kit', slug: 'default-kit', meta })
  }

  /** Adds an item of any type that no page has to show. */
  other(values: WrittenItem): void {
    this.#add(values)
  }

  draw(path: string, drawing: string): void {
    this.#drawings.set(path, drawing)
  }

  finish(): MovedKit {
    return {
      name: this.#name,
      file: `${head(this.#name, this.#tagline)}${this.#heads.join('\n')}\n${this.#items.join('\n')}\n</channel>\n</rss>\n`,
      drawings: this.#drawings,
      pages: this.#pages,
    }
  }

  // ------------------------------------------------------------

  #expect(path: string | undefined, also: readonly Noted[]): void {
    const { texts, pictures, icons } = this.#noted
    this.#noted = { texts: [], pictures: [], icons: 0 }
    if (path === undefined) return
    this.#pages.push({
      path,
      texts: [...texts, ...also.flatMap((each) => each.texts)],
      pictures: [...pictures, ...also.flatMap((each) => each.pictures)],
      icons: icons + also.reduce((sum, each) => sum + each.icons, 0),
    })
  }

  #add(values: WrittenItem, id = this.reserve()): void {
    this.#items.push(item({ id, ...values }))
  }

  #medium(path: string): { readonly id: number; readonly url: string } {
    const known = this.#media.get(path)
    if (known) return known
    const made = { id: this.reserve(), url: `${oldAddress}/wp-content/uploads/${path}` }
    this.#media.set(path, made)
    const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.\w+$/, '')
    const more = `<wp:attachment_url>${cdata(made.url)}</wp:attachment_url>`
    const meta = [
      ['_wp_attached_file', path],
      ['_wp_attachment_image_alt', name.replace(/-/g, ' ')],
    ] as const
    this.#add({ type: 'attachment', status: 'inherit', title: name, slug: name, more, meta }, made.id)
    return made
  }

  #elementId(): string {
    this.#nextElement += 1
    return (0xa000000 + this.#nextElement).toString(16)
  }
}

const libraries: { readonly [prefix: string]: string } = { fas: 'fa-solid', far: 'fa-regular', fab: 'fa-brands' }

const entities: { readonly [name: string]: string } = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ' }

/** The text without references and with single blanks. */
const plain = (text: string) =>
  text
    .replace(/&(\w+);/g, (whole, name) => entities[name] ?? whole)
    .replace(/\s+/g, ' ')
    .trim()

const builtMeta = (type: string, elements: readonly Element[]) =>
  [
    ['_elementor_edit_mode', 'builder'],
    ['_elementor_template_type', type],
    ['_elementor_data', JSON.stringify(elements)],
  ] as const

/** Writes a value in the serialized format of the file: lengths are in bytes. */
export function serialized(value: unknown): string {
  if (value === null || value === undefined) return 'N;'
  if (typeof value === 'boolean') return `b:${value ? 1 : 0};`
  if (typeof value === 'number') return Number.isInteger(value) ? `i:${value};` : `d:${value};`
  if (typeof value === 'string') return `s:${Buffer.byteLength(value)}:"${value}";`
  const entries = Object.entries(value as object)
  const key = (name: string) => (/^(?:0|[1-9]\d*)$/.test(name) ? `i:${name};` : serialized(name))
  return `a:${entries.length}:{${entries.map(([name, each]) => key(name) + serialized(each)).join('')}}`
}

const head = (name: string, tagline: string) => `<?xml version="1.0" encoding="UTF-8" ?>
<rss version="2.0" xmlns:excerpt="http://wordpress.org/export/1.2/excerpt/" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:wp="http://wordpress.org/export/1.2/">
<channel>
  <title>${name.replaceAll('&', '&amp;')}</title>
  <link>${oldAddress}</link>
  <description>${tagline}</description>
  <language>en-GB</language>
  <wp:wxr_version>1.2</wp:wxr_version>
  <wp:base_site_url>${oldAddress}</wp:base_site_url>
  <wp:base_blog_url>${oldAddress}</wp:base_blog_url>
`
