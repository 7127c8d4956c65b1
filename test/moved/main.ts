/**
 * `npm run test:moved`: moves the three sites of the harness, or with `MOVED=dir` the export and builder files of a folder, and prints
 * what their pages show. `-- --shots DIR` writes screenshots, `-- --only NAME` moves the sites with this name.
 */
import { mkdirSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { chromium } from 'playwright-core'
import { chromiumPath, howToGetChromium } from '../browser/chromium.ts'
import { foreignSites } from './foreign.ts'
import { kits } from './kits/index.ts'
import { type MeasureOptions, measureKit, measureSite, type SiteMeasures } from './measure-site.ts'
import type { Share } from './measures.ts'

const { values } = parseArgs({ options: { shots: { type: 'string' }, only: { type: 'string' } } })
if (values.shots !== undefined) mkdirSync(values.shots, { recursive: true })
const executablePath = chromiumPath()
if (executablePath === undefined) console.error(howToGetChromium)
const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : []
const browser = executablePath === undefined ? undefined : await chromium.launch({ executablePath, args: asRoot })

const percent = (shares: readonly Share[]): string => {
  const [shown, all] = shares.reduce(([a, b], share) => [a + share.shown, b + share.all], [0, 0])
  return all === 0 ? '-' : `${((100 * shown) / all).toFixed(1)} % of ${all}`
}

function row({ name, items, unexplained, pages, widgets, layouts }: SiteMeasures): readonly string[] {
  return [
    ...[name, `${items - unexplained} of ${items}`, `${widgets.drawn} of ${widgets.all}`],
    ...[
      percent(pages.map(({ texts }) => texts)),
      percent(pages.map(({ pictures }) => pictures)),
      percent(pages.map(({ icons }) => icons)),
    ],
    `${pages.reduce((sum, { leftovers }) => sum + leftovers.length, 0)}`,
    `${layouts.reduce((sum, { overlaps }) => sum + overlaps.length, 0)}`,
    `${layouts.reduce((sum, { overflows }) => sum + overflows.length, 0)}`,
  ]
}

function details({ pages, layouts, widgets }: SiteMeasures): readonly string[] {
  const of = (what: string, path: string, list: readonly string[]) => list.map((each) => `  ${path} ${what}: ${each}`)
  return [
    ...pages.flatMap(({ path, texts, pictures, icons, leftovers }) => [
      ...[
        ...of('text', path, texts.missing),
        ...of('picture', path, pictures.missing),
        ...of('icons', path, icons.missing),
      ],
      ...of('leftover', path, leftovers),
    ]),
    ...layouts.flatMap(({ path, width, overlaps, overflows }) => [
      ...of(`overlap at ${width}`, path, overlaps),
      ...of(`overflow at ${width}`, path, overflows),
    ]),
    ...of('unknown widget', '', [...new Set(widgets.unknown)]),
  ]
}

const isChosen = (name: string) => values.only === undefined || name.toLowerCase().includes(values.only.toLowerCase())

async function* allMeasures(): AsyncGenerator<SiteMeasures> {
  const folder = process.env['MOVED']
  if (folder === undefined) {
    for (const kit of kits.map((make) => make())) if (isChosen(kit.name)) yield await measureKit(kit, options)
    return
  }
  for await (const open of foreignSites(folder)) {
    const site = await open()
    if (isChosen(site.name)) yield await measureSite(site, options)
    else await site.close()
  }
}

const head = ['site', 'items', 'widgets drawn', 'texts', 'pictures', 'icons', 'leftovers', 'overlaps', 'overflows']
const rows: (readonly string[])[] = [head]
const options: MeasureOptions = {
  ...(browser ? { browser } : {}),
  ...(values.shots === undefined ? {} : { shots: values.shots }),
}
try {
  for await (const measures of allMeasures()) {
    rows.push(row(measures))
    for (const line of details(measures)) console.log(line)
  }
} finally {
  await browser?.close()
}
const wide = head.map((_, at) => Math.max(...rows.map((each) => each[at]?.length ?? 0)))
for (const each of rows) console.log(each.map((cell, at) => cell.padEnd(wide[at] ?? 0)).join('  '))
