/** Generates documents of the page builder, and the pages that the site shows of them, with what its own scan finds. */
import type { ScanFinding } from '../../../src/index.ts'
import { full } from '../../../src/profiles/full.ts'
import { createSitePages } from '../../../src/site-pages/index.ts'
import { containerElement, storeDocument, widgetElement } from '../../support/documents.ts'
import { createTestSite } from '../../support/site.ts'
import { pick, type Random, randomOf } from './corpus.ts'

interface BuiltPage {
  readonly name: string
  /** The page with its style sheets inside. */
  readonly html: string
  readonly findings: readonly ScanFinding[]
}

const COLORS = ['#ffffff', '#203040', '#6EC1E4', '#767676', '#999999', '#61CE70', '#1f4a43', '#f4f0e8', '#00000080']
const texts = ['Low tide', 'The weir in March', 'Boats for hire', 'Letters']
const picture = 'data:image/gif;base64,R0lGODlhAQABAAAAACw='

const globals = (random: Random, name: string) =>
  random() < 0.4
    ? { __globals__: { [name]: `globals/colors?id=${pick(random, ['primary', 'secondary', 'text', 'accent'])}` } }
    : {}

const WIDGETS: readonly ((random: Random, id: string) => object)[] = [
  (random, id) =>
    widgetElement(id, 'heading', {
      ...{ title: pick(random, texts), header_size: pick(random, ['h1', 'h2', 'h3', 'h4', 'div']) },
      ...(random() < 0.6 ? { title_color: pick(random, COLORS) } : {}),
      ...globals(random, 'title_color'),
    }),
  (random, id) =>
    widgetElement(id, 'text-editor', {
      editor: `<p>${pick(random, texts)} <a href="/x">and a link</a></p>`,
      ...(random() < 0.6 ? { text_color: pick(random, COLORS) } : {}),
    }),
  (random, id) =>
    widgetElement(id, 'button', {
      ...{ text: pick(random, [...texts, '']), link: { url: '/boats/' } },
      ...(random() < 0.6 ? { button_text_color: pick(random, COLORS), background_color: pick(random, COLORS) } : {}),
      ...globals(random, 'background_color'),
    }),
  (random, id) =>
    widgetElement(id, 'html', {
      html: pick(random, [
        `<img src="${picture}">`,
        `<img src="${picture}" alt="Boat">`,
        '<a href="/bay/"></a>',
        '<input type="text" name="q">',
        '<button type="button"></button>',
        '<iframe src="about:blank"></iframe>',
        '<p id="twice">One</p><p id="twice">Two</p>',
        '<nav><a href="/">Home</a></nav>',
      ]),
    }),
  (random, id) =>
    widgetElement(id, 'icon-list', {
      icon_list: [
        { _id: 'i1', text: pick(random, texts) },
        { _id: 'i2', text: 'Two' },
      ],
    }),
  (_random, id) => widgetElement(id, 'divider', {}),
]

function elementsOf(random: Random): unknown[] {
  let next = 0
  const idOf = () => `b${String(++next).padStart(6, '0')}`
  return Array.from({ length: 1 + Math.floor(random() * 3) }, () => {
    const background =
      random() < 0.6 ? { background_background: 'classic', background_color: pick(random, COLORS) } : {}
    const gradient =
      random() < 0.1
        ? { background_background: 'gradient', background_color: '#ffffff', background_color_b: '#203040' }
        : {}
    const widgets = Array.from({ length: 1 + Math.floor(random() * 4) }, () => pick(random, WIDGETS)(random, idOf()))
    return containerElement(idOf(), { ...background, ...gradient }, widgets)
  })
}

export async function builtPages(count: number): Promise<readonly BuiltPage[]> {
  const site = await createTestSite({ profile: full })
  const pages = createSitePages(site.api, { remediations: false })
  const read = async (address: string) => (await pages.fetch(new Request(address))).text()
  const built: BuiltPage[] = []
  try {
    for (let seed = 1; seed <= count; seed++) {
      const id = await storeDocument(site, elementsOf(randomOf(1000 + seed)), { title: `Built ${seed}` })
      const { url, findings } = await site.api.site.accessibility.scan(id, { store: false })
      built.push({ name: `built ${seed}`, html: await withSheets(await read(url), read), findings })
    }
  } finally {
    await site.dispose()
  }
  return built
}

async function withSheets(html: string, read: (address: string) => Promise<string>): Promise<string> {
  let whole = html
  for (const [link, address = ''] of html.matchAll(/<link rel="stylesheet" href="([^"]+)"[^>]*>/g)) {
    const sheet = await read(address)
    whole = whole.replace(link, () => `<style>${sheet}</style>`)
  }
  return whole
}
