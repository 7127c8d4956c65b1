/** The ids inside imported documents of the page builder lead to the rows of this site. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { full } from '../../../src/profiles/full.ts'
import { createTestSite, type TestSite } from '../../support/site.ts'
import { author, category, exportFile, inPieces, item } from './export-file.ts'

let site: TestSite
beforeEach(async () => {
  site = await createTestSite({ profile: full })
})
afterEach(async () => {
  expect(site.failures).toEqual([])
  await site.dispose()
})

const popupTag = (popup: number) =>
  `[elementor-tag id="1" name="popup" settings="${encodeURIComponent(JSON.stringify({ popup: `${popup}` }))}"]`

const elements = [
  {
    ...{ id: '1a2b3c4', elType: 'widget', widgetType: 'loop-grid', elements: [] },
    settings: {
      template_id: '900',
      post_query_posts_ids: ['902', 5000],
      post_query_include_term_ids: ['3'],
      post_query_include_authors: [7],
      text: 'See [builder-template id="900"].',
      foreign: '[elementor-template id="900"] [gallery ids="902,5000"] [playlist ids="902"]',
      __dynamic__: { link: popupTag(902) },
      menu: 'main',
      columns: 902,
    },
  },
]
const built = (id: number, slug: string) =>
  item({
    id,
    slug,
    meta: [
      ['_elementor_data', JSON.stringify(elements)],
      ['_elementor_edit_mode', 'builder'],
    ],
  })
const template = item({
  ...{ id: 900, type: 'elementor_library', slug: 'card', title: 'Card' },
  meta: [['_elementor_template_type', 'loop-item']],
})

const parts = [author('ann', 'ann@old.example', 'Ann'), category('boats', 'Boats')]
const imported = (items: readonly string[], options = {}) =>
  site.api.site.import(inPieces(exportFile(...parts, ...items), 999), options)

/** The ids of this site, by what the file calls them. */
async function rows() {
  const ada = site.as('ada')
  const first = async (path: string) => (await ada('GET', path)).body[0].id as number
  const { templates } = (await ada('GET', '/builder/v1/template-library/templates')).body
  return {
    template: templates[0].template_id as number,
    other: await first('/cms/v2/posts?slug=other'),
    boats: await first('/cms/v2/categories?slug=boats'),
    ann: await first('/cms/v2/users?slug=ann&context=edit'),
  }
}

async function settingsOf(slug: string) {
  const [post] = (await site.as('ada')('GET', `/cms/v2/posts?slug=${slug}&context=edit`)).body
  return JSON.parse(post.meta._builder_data)[0].settings
}

const expected = ({ template, other, boats, ann }: Awaited<ReturnType<typeof rows>>) => ({
  template_id: String(template),
  post_query_posts_ids: [String(other), 0],
  post_query_include_term_ids: [String(boats)],
  post_query_include_authors: [ann],
  text: `See [builder-template id="${template}"].`,
  foreign: `[elementor-template id="${template}"] [gallery ids="${other},0"] [playlist ids="${other}"]`,
  __dynamic__: { link: popupTag(other) },
  menu: 'main',
  columns: 902,
})

test('of templates, posts, terms and users, wherever in the file these are', async () => {
  const report = await imported([built(901, 'grid'), template, item({ id: 902, slug: 'other' })])
  expect(await settingsOf('grid')).toEqual(expected(await rows()))
  const missing = report.problems.filter(({ kind }) => kind === 'missing-post')
  expect(missing).toMatchObject([
    { what: 'post in a document', count: 2, examples: [{ what: '5000' }, { what: '5000' }] },
  ])
})

test('stay as they are when the file is imported again, and are led again with `update`', async () => {
  const items = [built(901, 'grid'), template, item({ id: 902, slug: 'other' })]
  await imported(items)
  const first = await settingsOf('grid')
  await imported(items)
  expect(await settingsOf('grid')).toEqual(first)
  await imported(items, { update: true })
  expect(await settingsOf('grid')).toEqual(first)
})

test('are led by the next import when one ends in the middle', async () => {
  const items = [built(901, 'grid'), template, item({ id: 902, slug: 'other' })]
  // Wherever it ends: `progress` is called after each part, and after what it wrote.
  for (let calls = 1; calls < 6; calls++) {
    let left = calls
    const progress = () => {
      left -= 1
      if (left === 0) throw new Error('the process ends')
    }
    await imported(items, { progress }).catch((error) => expect(error.message).toBe('the process ends'))
  }
  await imported(items)
  expect(await settingsOf('grid')).toEqual(expected(await rows()))
})
