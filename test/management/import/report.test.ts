/** The report of an import: one line a kind, and the facts that it sums up. */
import { expect, onTestFinished, test } from 'vitest'
import type { ImportOptions } from '../../../src/management/import/index.ts'
import { reportText } from '../../../src/management/import/report-text.ts'
import { full } from '../../../src/profiles/full.ts'
import { createTestSite, type TestSiteOptions } from '../../support/site.ts'
import { author, exportFile, fileStart, inPieces, item, site as oldSite } from './export-file.ts'

const ann = author('ann', 'ann@old.example', 'Ann')

async function importedText(text: string, options: ImportOptions = {}, site: TestSiteOptions = {}) {
  const { api, dispose } = await createTestSite({ seed: false, ...site })
  onTestFinished(dispose)
  const report = await api.site.import(inPieces(text, 999), options)
  return { report, lines: reportText(report).split('\n') }
}

const imported = (parts: readonly string[], options: ImportOptions = {}, site: TestSiteOptions = {}) =>
  importedText(exportFile(ann, ...parts), options, site)

const of = (lines: readonly string[], kind: string) => lines.filter((line) => line.includes(`  ${kind} `))

test('has one line a kind, with the sum, the most frequent names and the first places', async () => {
  const types = ['popup', 'slide', 'slide', ...'abcdefg']
  const items = types.map((type, index) => item({ id: index + 1, type, title: `P${index}`, meta: [['_a', 'O:1:"x"']] }))
  const more = [1, 2, 3].map((n) => item({ id: 20 + n, status: 'odd', title: 'long '.repeat(20), date: 'never' }))
  const { lines, report } = await imported([...items, ...more])
  expect(of(lines, 'unknown-type')).toEqual([
    expect.stringMatching(
      /^ {2}10 {2}unknown-type {4}items of an unknown type were left out: slide 2, popup 1, a 1, b 1, c 1, 4 more \(line \d+ "P0", line \d+ "P1", line \d+ "P2", …\)$/,
    ),
  ])
  expect(of(lines, 'unknown-status')).toEqual([
    expect.stringMatching(/^ {3}3 {2}unknown-status {2}.*: odd \(line \d+ "long long [^"]{1,40}…", /),
  ])
  const kinds = new Set(report.problems.map(({ kind }) => kind))
  expect(lines.slice(lines.indexOf('not carried over as they are:') + 1)).toHaveLength(kinds.size)
  for (const line of lines) expect(line.length).toBeLessThan(300)
})

test('counts names of one kind together when there are too many', async () => {
  const many = Array.from({ length: 230 }, (_, index) => item({ id: index + 1, type: `type-${index}` }))
  const { report, lines } = await imported(many)
  expect(report.problems).toHaveLength(201)
  expect(report.problems.at(-1)).toMatchObject({ kind: 'unknown-type', what: 'others', count: 30 })
  expect(of(lines, 'unknown-type')[0]).toMatch(/^ {2}230 /)
})

test('tells references to items that were left out from those to nothing', async () => {
  const parts = [
    item({ id: 1, type: 'product' }),
    item({ id: 2, type: 'page', parent: 1 }),
    item({ id: 3, type: 'page', parent: 77 }),
    item({ id: 4, meta: [['_thumbnail_id', '1']] }),
    item({ id: 5, type: 'page', parent: 6 }),
    item({ id: 6, type: 'product' }),
  ]
  const { report } = await imported(parts)
  const found = report.problems.map(({ kind, what, examples }) => [kind, what, examples.map((one) => one.what)])
  expect(found.filter(([kind]) => kind !== 'unknown-type')).toEqual([
    ['left-out-post', 'parent', ['1', '6']],
    ['left-out-post', 'featured picture', ['1']],
    ['missing-post', 'parent', ['77']],
  ])
})

test('tells elements that name an item that was left out from those that name nothing', async () => {
  const elements = (id: string) =>
    JSON.stringify([
      {
        id: 'a1',
        elType: 'widget',
        widgetType: 'shortcode',
        settings: { shortcode: `[elementor-template id="${id}"]` },
        elements: [],
      },
    ])
  const page = (id: number, target: string) =>
    item({
      id,
      type: 'page',
      meta: [
        ['_elementor_edit_mode', 'builder'],
        ['_elementor_data', elements(target)],
      ],
    })
  const { report } = await imported([item({ id: 1, type: 'slide' }), page(2, '1'), page(3, '9')], {}, { profile: full })
  expect(report.problems.filter(({ kind }) => kind !== 'unknown-type')).toMatchObject([
    { kind: 'left-out-post', what: 'post in a document', count: 1, examples: [{ what: '1' }] },
    { kind: 'missing-post', what: 'post in a document', count: 1, examples: [{ what: '9' }] },
  ])
})

const widget = (widgetType: string) => ({ id: widgetType, elType: 'widget', widgetType, settings: {}, elements: [] })
const built = (id: number, title: string, ...types: readonly string[]) => {
  const inside = [{ id: 'c1', elType: 'container', settings: {}, elements: types.map(widget) }]
  return item({ id, type: 'page', title, meta: [['_elementor_data', JSON.stringify(inside)]] })
}

test('sums up widgets of unknown types by type, with the pages that have them', async () => {
  const parts = [
    built(1, 'Home', 'heading', 'acme-team', 'acme-team', 'toString'),
    built(2, 'About', 'acme-team', 'wp-widget-text', 'e-heading', 'global', 'host-clock'),
    item({ id: 3, type: 'slide', meta: [['_elementor_data', JSON.stringify([widget('acme-lost')])]] }),
  ]
  const clock = { html: () => 'noon' }
  const render = { widgets: { 'host-clock': clock } } as unknown as NonNullable<TestSiteOptions['render']>
  const { report, lines } = await imported(parts, {}, { profile: full, render })
  expect(report.problems.filter(({ kind }) => kind === 'unknown-widget')).toEqual([
    {
      ...{ kind: 'unknown-widget', what: 'acme-team', count: 3 },
      examples: [expect.objectContaining({ what: 'Home' }), expect.objectContaining({ what: 'About' })],
    },
    { kind: 'unknown-widget', what: 'toString', count: 1, examples: [expect.objectContaining({ what: 'Home' })] },
  ])
  expect(of(lines, 'unknown-widget')).toEqual([expect.stringContaining(': acme-team 3, toString 1 (')])
})

const network = (base: string, ...sites: readonly string[]) =>
  fileStart
    .replace(/<wp:base_site_url>.*\n/, `<wp:base_site_url>${base}</wp:base_site_url>\n`)
    .replace(/<wp:base_blog_url>.*\n/, sites.map((one) => `<wp:base_blog_url>${one}</wp:base_blog_url>\n`).join(''))

const upload = (id: number, path: string) =>
  item({
    ...{ id, type: 'attachment', status: 'inherit' },
    more: `<wp:attachment_url>https://net.example/wp-content/${path}</wp:attachment_url>`,
  })

test.each([
  ['https://net.example', 'https://net.example/river', 'https://net.example/river of the network https://net.example'],
  ['https://net.example/', 'http://www.net.example', 'http://www.net.example'],
])('says that a file of %s and %s is of a network', async (base, blog, expected) => {
  const { report, lines } = await importedText(`${network(base, blog)}${item({ id: 1 })}</channel></rss>`)
  expect(lines[0]).toBe(`1 items of ${expected}`)
  expect(report.source.network !== undefined).toBe(expected.includes('network'))
})

test('names the sites whose uploads are used', async () => {
  const parts = [upload(1, 'uploads/sites/12/a.png'), upload(2, 'blogs.dir/3/files/b.png'), upload(3, 'uploads/c.png')]
  const { report, lines } = await imported(parts)
  expect(report.source.network).toEqual({ address: oldSite, sites: [oldSite], uploads: [3, 12] })
  expect(lines[0]).toBe(`3 items of ${oldSite} of the network ${oldSite} (files of site 3, 12 there)`)
})

test('says that joined files have several sites', async () => {
  const start = network('https://net.example', 'https://net.example/a')
  const second = '<wp:base_blog_url>https://net.example/b</wp:base_blog_url>'
  const text = `${start}${item({ id: 1 })}${second}${item({ id: 2 })}</channel></rss>`
  const { report, lines } = await importedText(text)
  expect(report.source.network?.sites).toEqual(['https://net.example/a', 'https://net.example/b'])
  expect(lines[0]).toBe(
    '2 items of 2 sites (https://net.example/a, https://net.example/b) of the network https://net.example',
  )
  expect(of(lines, 'several-sites')).toEqual([
    expect.stringMatching(/^ {2}2 {2}several-sites {2}sites are in one file/),
  ])
})
