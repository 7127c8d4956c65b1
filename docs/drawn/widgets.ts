/** Makes the table of built-in widgets. It renders each widget with sample settings, so the table says what a page shows. */
import { shopReason } from '../../src/render/builder/widgets/site/shop.ts'
import { builtInWidgets } from '../../src/render/builder/widgets/table.ts'
import { table } from '../tables.ts'
import { openSite, urlOfSite } from './site.ts'
import { archiveWidgets, sampleSettings, samplesWithChildren } from './widget-samples.ts'

interface DrawnWidget {
  readonly type: string
  readonly html: string
  readonly text: string
  /** Names the scripts of the page that add to the widget. */
  readonly behaviours: readonly string[]
  /** Why the widget, or a part of it, is not drawn. */
  readonly reason: string
}

/** A document with every widget, for screenshots. */
export async function openSampleSite() {
  const { api, ids } = await openSite()
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
      url: `${urlOfSite}/tide/`,
      ...(archiveWidgets.has(type) ? { templateContext: { archive: 'posts' } as const } : { post }),
    })
    const { html = '', text = '', behaviours = [], warnings = [] } = page ?? {}
    const own = html.includes('data-element_type="widget"') ? html : ''
    const reason = warnings.find(({ code }) => code === 'not_drawn')?.message ?? ''
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
