/**
 * Writes the table of built-in widgets in docs/rendering.md. It renders each widget with sample settings, so the table says what a page
 * shows; a test compares it with the document.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { createSiteApi } from '../src/host/create-site-api.ts'
import { content } from '../src/profiles/content.ts'
import { shopReason } from '../src/render/builder/widgets/site/shop.ts'
import { builtInWidgets } from '../src/render/builder/widgets/table.ts'
import { memoryStorage } from '../src/storage/memory/index.ts'
import { table } from './tables.ts'
import { archiveWidgets, sampleSettings, sampleSite, samplesWithChildren } from './widget-samples.ts'

interface DrawnWidget {
  readonly type: string
  readonly html: string
  readonly text: string
  /** Names the scripts of the page that add to the widget. */
  readonly behaviours: readonly string[]
  /** Why the widget, or a part of it, is not drawn. */
  readonly reason: string
}

/** Widgets that show nothing by themselves. */
const QUIET: { readonly [type: string]: string } = {
  'read-more': 'marks the end of the excerpt',
  sidebar: 'the service `sidebar` of the host supplies it',
}

const URL_OF_SITE = 'https://quay.example'

/** A document with every widget, for screenshots. */
export async function openSampleSite() {
  const api = createSiteApi({
    storage: memoryStorage(),
    profile: content,
    url: URL_OF_SITE,
    clock: () => Date.parse('2026-01-15T12:00:00Z'),
  })
  const ids = await api.site.seed(sampleSite)
  const id = (key: string): number => ids[key] ?? 0
  const store = async (elements: readonly object[], title = 'Widgets'): Promise<number> => {
    const meta = { _builder_edit_mode: 'builder', _builder_data: JSON.stringify(elements) }
    const { data } = await api.call<{ readonly id: number }>(
      'POST',
      '/cms/v2/posts',
      { title, status: 'publish', meta },
      { as: id('user.ada') },
    )
    return data.id
  }
  await api.call('PATCH', '/cms/v2/settings', { site_logo: id('media.pier') }, { as: id('user.ada') })
  const comment = { post: id('post.tide'), content: 'So it is.' }
  await api.call('POST', '/cms/v2/comments', comment, { as: id('user.ada') })
  const part = await store([sampleElement('heading', { title: 'A part' })], 'A part')
  const settings = sampleSettings({ menu: id('menu.main'), medium: id('media.pier'), template: part, loop: part })
  return { api, store, elementOf: (type: string) => sampleElement(type, settings[type] ?? {}), post: id('post.tide') }
}

const sampleElement = (widgetType: string, settings: object) => ({
  ...{ id: `w-${widgetType}`.slice(0, 40), elType: 'widget', widgetType, settings },
  elements: samplesWithChildren.has(widgetType) ? CHILDREN : [],
})

const CHILDREN = ['First panel', 'Second panel'].map((title, index) => ({
  ...{ id: `c${index}`, elType: 'container', settings: {} },
  elements: [{ id: `t${index}`, elType: 'widget', widgetType: 'heading', settings: { title }, elements: [] }],
}))

/** Renders each built-in widget alone. */
export async function drawnWidgets(): Promise<readonly DrawnWidget[]> {
  const { api, store, elementOf, post } = await openSampleSite()
  const drawn: DrawnWidget[] = []
  for (const type of Object.keys(builtInWidgets).sort()) {
    const document = await store([elementOf(type)])
    const page = await api.render.document(document, {
      url: `${URL_OF_SITE}/tide/`,
      ...(archiveWidgets.has(type) ? { templateContext: { archive: 'posts' } as const } : { post }),
    })
    const { html = '', text = '', behaviours = [], warnings = [] } = page ?? {}
    const own = html.includes('data-element_type="widget"') ? html : ''
    const reason = warnings.find(({ code }) => code === 'not_drawn')?.message ?? QUIET[type] ?? ''
    drawn.push({ type, html: own, text, behaviours, reason })
  }
  await api.close()
  return drawn
}

/** The widgets of a shop are one row. */
const SHOP = 'parts of a shop: `woocommerce-…`, `wc-…`'

const howOf = ({ html, reason, behaviours }: DrawnWidget): string => {
  if (html === '') return 'no'
  if (reason !== '') return 'in part'
  return behaviours.length > 0 ? 'without a script' : 'yes'
}

const noteOf = ({ reason, behaviours }: DrawnWidget): string =>
  reason !== '' ? reason : behaviours.length > 0 ? `a script of the page adds: ${behaviours.join(', ')}` : ''

/** Returns the table as Markdown; widgets of one family share a row when they are drawn alike. */
export async function widgetTable(): Promise<string> {
  const rows = new Map<string, string[][]>()
  for (const widget of await drawnWidgets()) {
    const family = widget.reason === shopReason ? SHOP : `\`${widget.type.replace(/-var-\d+$/, '')}\``
    rows.set(family, [...(rows.get(family) ?? []), [howOf(widget), noteOf(widget)]])
  }
  const body = [...rows].map(([family, found]) => {
    const [how = '', note = ''] = found[0] ?? []
    return [found.length > 1 && family !== SHOP ? `${family} and its variants` : family, how, note]
  })
  return table(['Widget', 'Drawn', 'Note'], body)
}

const file = new URL('rendering.md', import.meta.url)

/** Returns the document with the table of now. */
export async function renderingDocument(): Promise<string> {
  const text = readFileSync(file, 'utf8')
  const made = await widgetTable()
  return text.replace(/(<!-- widgets -->\n)[\s\S]*?(<!-- \/widgets -->)/, (_, before: string, after: string) => {
    return `${before}\n${made}\n\n${after}`
  })
}

if (import.meta.main) writeFileSync(file, await renderingDocument())
