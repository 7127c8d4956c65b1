/** Finds out where a page shows the templates of each type, by drawing the pages of a site with and without them. */
import { templateTypes as d1Types } from '../../src/profiles/d1.ts'
import { templateTypes as d2Types } from '../../src/profiles/d2.ts'
import { type EffectRow, openProofSite, type ProofSite } from './site.ts'

const places: { readonly [place: string]: string } = {
  posts: '/tide/',
  pages: '/about/',
  archives: '/category/news/',
  'search results': '/?s=tide',
  'an unknown address': '/no-such-page/',
}

/** Types that have conditions take them all; the others are named by a widget, or draw the items of a list. */
const widgetFor = (type: string, id: number) => ({
  ...{ id: 'b1b2c3d', elType: 'widget', elements: [] },
  ...(type === 'loop-item'
    ? { widgetType: 'loop-grid', settings: { template_id: id, posts_per_page: 1 } }
    : { widgetType: 'template', settings: { template_id: id } }),
})

async function placesOf(site: ProofSite, type: string): Promise<readonly string[]> {
  const words = `Words of ${type}`
  const id = await site.create({ kind: 'template', type }, words)
  const conditions = [['include', 'general']]
  const path = `/builder/v1/site-editor/templates-conditions/${id}`
  const takesConditions = await site.send('PUT', path, { conditions }).then(
    () => true,
    () => false,
  )
  const found: string[] = []
  if (takesConditions) {
    for (const [place, address] of Object.entries(places))
      if ((await site.shown(address)).includes(words)) found.push(place)
    await site.send('PUT', path, { conditions: [] })
  }
  const page = await site.create({ kind: 'page', type: 'wp-page', elements: [widgetFor(type, id)] })
  if ((await site.shown(await site.addressOf(page))).includes(words))
    found.push(type === 'loop-item' ? 'the lists that name it' : 'the widget `template` that names it')
  return found
}

export async function templateEffects(): Promise<readonly EffectRow[]> {
  const rows: EffectRow[] = []
  for (const type of [...new Set([...d1Types, ...d2Types])]) {
    const site = await openProofSite()
    const found = await placesOf(site, type)
    rows.push({ name: `\`${type}\``, effect: found.length > 0 ? 'drawn' : 'silently kept', note: found.join(', ') })
    await site.close()
  }
  return rows
}
