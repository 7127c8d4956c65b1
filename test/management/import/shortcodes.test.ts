/** The report of an import names the shortcodes that nothing on this site draws. */
import { expect, onTestFinished, test } from 'vitest'
import { full } from '../../../src/profiles/full.ts'
import { createTestSite, type TestSiteOptions } from '../../support/site.ts'
import { exportFile, inPieces, item } from './export-file.ts'

async function reported(options: TestSiteOptions, ...items: readonly string[]) {
  const site = await createTestSite({ profile: full, ...options })
  onTestFinished(() => site.dispose())
  const { problems } = await site.api.site.import(inPieces(exportFile(...items), 999))
  return problems
    .filter(({ kind }) => kind === 'unknown-shortcode')
    .map(({ what, count, examples }) => [what, count, examples[0]?.what])
}

const elements = [
  {
    id: 'a',
    settings: {
      editor: '<p>[acme-form id="4"]</p>',
      list: [null, true],
      __dynamic__: { title: '[elementor-tag name="x"]' },
    },
  },
]
const items = [
  item({
    id: 1,
    title: 'First',
    content: 'See\n\n[acme-form id="3"]\n\n[lonely]\n\nas [sic] typed [[acme-form]] [gallery]',
  }),
  item({
    id: 2,
    title: 'Second',
    content: '<p>[lonely]</p> [box]x [inner-part][/box] [caption][in_caption][/caption] [elementor-template id="1"]',
  }),
  item({ id: 3, title: 'Third', meta: [['_elementor_data', JSON.stringify(elements)]] }),
]

test('with their number and places', async () => {
  expect(await reported({}, ...items)).toEqual([
    ['acme-form', 2, 'First'],
    ['lonely', 2, 'First'],
    ['box', 1, 'Second'],
    ['inner-part', 1, 'Second'],
    ['in_caption', 1, 'Second'],
  ])
})

test('but not those that the host defines, and none where a service may know them', async () => {
  const box = () => ''
  expect(
    await reported({ render: { shortcodes: { box, 'acme-form': box, 'inner-part': box, in_caption: box } } }, ...items),
  ).toEqual([['lonely', 2, 'First']])
  expect(await reported({ render: { services: { shortcode: () => undefined } } }, ...items)).toEqual([])
})
