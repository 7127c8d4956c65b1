/** Drawing builder documents in memory, per element: without kept results, and answered from them. */
import { createSiteApi, d2, type SiteApi, type Storage } from '../src/index.ts'
import { memoryStorage } from '../src/storage/memory/index.ts'
import { plainColumns, siteUrl } from './content.ts'
import type { Contender, Contenders } from './measure.ts'

interface Element {
  readonly id: string
  readonly elType: string
  readonly widgetType?: string
  readonly settings: object
  readonly elements: readonly Element[]
}

const text = 'The harbour lay quiet in the morning light, and the boats came in one after the other.'
const px = (size: number) => ({ unit: 'px', size, sizes: [] })
const icon = { value: 'fas fa-anchor', library: 'fa-solid' }

/** The most frequent widgets of pages, with about as many settings as editors set. */
const widgets: readonly (readonly [type: string, settings: object])[] = [
  ['heading', { title: 'Harbour notes', header_size: 'h2', title_color: '#1f2328', align_mobile: 'center' }],
  ['text-editor', { editor: `<p>${text}</p><p>${text}</p>`, text_color: '#333333' }],
  ['button', { text: 'Read on', link: { url: '/harbour-notes/' }, size: 'md', background_color: '#0b5c8a' }],
  [
    'icon-list',
    { icon_list: [1, 2, 3].map((at) => ({ _id: `i${at}`, text, selected_icon: icon })), space_between: px(8) },
  ],
  ['image', { image: { id: '', url: 'https://quay.example/uploads/pier.jpg' }, width: px(480), caption: 'The pier' }],
]

/** Makes containers of five widgets each, as many as make up the number of elements. */
export function elementsOf(count: number): readonly Element[] {
  const made: Element[] = []
  for (let at = 0; at < count; ) {
    const id = `c${at++}`
    const children: Element[] = []
    for (const [widgetType, settings] of widgets) {
      if (at >= count) break
      children.push({ id: `w${at++}`, elType: 'widget', widgetType, settings, elements: [] })
    }
    const settings = {
      flex_direction: 'column',
      padding: { unit: 'px', top: '24', bottom: '24', left: '0', right: '0' },
    }
    made.push({ id, elType: 'container', settings, elements: children })
  }
  return made
}

const tag = (name: string) => `[builder-tag id="a" name="${name}" settings="%7B%7D"]`
/** Four elements for each item of a loop. */
const item: readonly Element[] = [
  {
    ...{ id: 'item', elType: 'container', settings: {} },
    elements: ['post-title', 'post-id', 'post-date'].map((name) => ({
      ...{ id: name, elType: 'widget', widgetType: 'heading', elements: [] },
      settings: { header_size: 'h3', __dynamic__: { title: tag(name) } },
    })),
  },
]
const listed = 10

async function insert(storage: Storage, type: string, slug: string, elements?: readonly Element[]): Promise<number> {
  const date = '2024-05-01T09:00:00'
  const columns = { title: slug, content: `<p>${text}</p>`, author: 1, ...plainColumns(date) }
  const [id = 0] = await storage.posts.insert([{ type, status: 'publish', slug, ...columns }])
  const meta = elements
    ? { _builder_edit_mode: 'builder', _builder_data: JSON.stringify(elements), _builder_template_type: 'page' }
    : {}
  await storage.meta.write(
    'post',
    Object.entries(meta).map(([key, value]) => ({ id, key, value })),
  )
  return id
}

interface Drawn {
  readonly api: SiteApi
  readonly id: number
  /** Counts the elements of the document, loop items included. */
  readonly elements: number
}

type Prepare = (storage: Storage) => Promise<{ readonly elements: readonly Element[]; readonly drawn: number }>

const page =
  (count: number): Prepare =>
  async () => ({ elements: elementsOf(count), drawn: count })

const loop: Prepare = async (storage) => {
  for (let at = 0; at < listed; at++) await insert(storage, 'post', `note-${at}`)
  const template = await insert(storage, 'builder_library', 'loop-item', item)
  const settings = { template_id: template, posts_per_page: listed }
  return {
    elements: [{ id: 'loop', elType: 'widget', widgetType: 'loop-grid', settings, elements: [] }],
    drawn: 1 + listed * 4,
  }
}

async function open(prepare: Prepare, cache: boolean): Promise<Drawn> {
  const storage = memoryStorage()
  const api = createSiteApi({ storage, profile: d2, url: siteUrl, render: { cache } })
  await api.site.users.create({ login: 'ed', roles: ['editor'] })
  const { elements, drawn } = await prepare(storage)
  const id = await insert(storage, 'page', 'page', elements)
  const rendered = await api.render.document(id)
  // A page without its elements would be quick.
  const found = rendered?.html.match(/data-element_type=/g)?.length ?? 0
  if (found !== drawn) throw new Error(`the document has ${found} elements, not ${drawn}`)
  return { api, id, elements: drawn }
}

async function contender(prepare: Prepare): Promise<Contender> {
  const cold = await open(prepare, false)
  const cached = await open(prepare, true)
  return {
    operations: cold.elements,
    cases: {
      cold: () => cold.api.render.document(cold.id),
      cached: () => cached.api.render.document(cached.id),
    },
  }
}

export const contenders: Contenders = {
  'page of 60 elements': () => contender(page(60)),
  'loop of 10 posts': () => contender(loop),
  'page of 100 elements': () => contender(page(100)),
  'page of 1,000 elements': () => contender(page(1000)),
}
