/** Measures a moved site: its pages as HTML, and in Chromium at three widths if there is one. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { layoutOf } from './in-page.ts'
import { measured, type PageMeasures } from './measures.ts'
import { bytesOf, drawn, type MovedSite, moveSite } from './moved-site.ts'
import { type ExpectedPage, type MovedKit, oldAddress } from './writing.ts'

export const widths = [375, 768, 1280] as const

export interface SiteMeasures {
  readonly name: string
  readonly items: number
  /** Items that are neither stored nor named in the report. */
  readonly unexplained: number
  readonly pages: readonly PageMeasures[]
  readonly widgets: { readonly drawn: number; readonly all: number; readonly unknown: readonly string[] }
  readonly layouts: readonly {
    readonly path: string
    readonly width: number
    readonly overlaps: readonly string[]
    readonly overflows: readonly string[]
  }[]
}

export interface MeasureOptions {
  readonly browser?: Browser
  /** Where screenshots are written. */
  readonly shots?: string
}

export async function measureKit(kit: MovedKit, options: MeasureOptions = {}): Promise<SiteMeasures> {
  const site = await moveSite(bytesOf(kit.file), { media: drawn(kit.drawings) })
  return measureSite({ ...site, name: kit.name, oldAddress, pages: kit.pages }, options)
}

/** A site that was moved, and what its pages have to show. */
export interface Measurable extends MovedSite {
  readonly name: string
  readonly oldAddress: string
  readonly pages: readonly ExpectedPage[]
}

/** Measures a site and closes it. */
export async function measureSite(site: Measurable, options: MeasureOptions = {}): Promise<SiteMeasures> {
  try {
    const pages: PageMeasures[] = []
    for (const page of site.pages) pages.push(measured(page, ...(await pageOf(site, page.path)), site.oldAddress))
    const layouts = options.browser ? await layoutsOf(site, { ...options, browser: options.browser }) : []
    return {
      ...{ name: site.name, items: site.report.items, unexplained: unexplainedOf(site), pages, layouts },
      widgets: await widgetsOf(site),
    }
  } finally {
    await site.close()
  }
}

const unexplainedOf = ({ report }: MovedSite): number => {
  const stored = Object.values(report.counts).reduce(
    (sum, { created, updated, existing }) => sum + created + updated + existing,
    0,
  )
  const leftOut = report.problems
    .filter(({ kind }) => ['unknown-type', 'other-taxonomy', 'not-written', 'comments', 'term-unnamed'].includes(kind))
    .reduce((sum, { count }) => sum + count, 0)
  return Math.max(0, report.items - stored - leftOut)
}

/** Returns the HTML of a page, and its style sheets as one text. */
async function pageOf({ url }: MovedSite, path: string): Promise<readonly [html: string, css: string]> {
  const response = await fetch(url + path)
  const html = await response.text()
  if (response.status !== 200) throw new Error(`${path} answers ${response.status}`)
  const sheets = [...html.matchAll(/<link rel="stylesheet" href="([^"]+)"/g)].map(([, address = '']) => address)
  const texts = await Promise.all(sheets.map(async (address) => (await fetch(new URL(address, url))).text()))
  return [html, texts.join('\n')]
}

/** Counts the widgets of all published documents, and those that the renderer does not know. */
async function widgetsOf({ api }: MovedSite): Promise<SiteMeasures['widgets']> {
  let all = 0
  const unknown: string[] = []
  for (const type of ['pages', 'posts']) {
    const { data } = await api.call<readonly { readonly id: number }[]>(
      'GET',
      `/cms/v2/${type}`,
      { per_page: 100 },
      { as: 'system' },
    )
    for (const { id } of data) {
      const document = await api.render.document(id)
      if (!document) continue
      all += document.html.match(/data-element_type="widget"|class="[^"]*builder-widget-/g)?.length ?? 0
      unknown.push(
        ...document.warnings.filter(({ code }) => code === 'unknown_widget').map(({ element }) => `${element}`),
      )
    }
  }
  return { drawn: all - unknown.length, all, unknown }
}

async function layoutsOf(
  site: Measurable,
  { browser, shots }: Required<Pick<MeasureOptions, 'browser'>> & MeasureOptions,
): Promise<SiteMeasures['layouts']> {
  const layouts: SiteMeasures['layouts'][number][] = []
  for (const width of widths) {
    const context = await browser.newContext({ viewport: { width, height: 900 } })
    const page = await context.newPage()
    for (const { path } of site.pages) {
      await page.goto(site.url + path, { waitUntil: 'load' })
      layouts.push({ path, width, ...(await page.evaluate(layoutOf)) })
      if (shots !== undefined) await shoot(page, `${shots}/${fileName(site.name, path, width)}`)
    }
    if (shots !== undefined) await shootByHand(page, site, `${shots}/${fileName(site.name, 'by hand', width)}`)
    await context.close()
  }
  return layouts
}

const shoot = (page: Page, path: string) => page.screenshot({ path, fullPage: true })

const fileName = (...parts: readonly (string | number)[]) =>
  `${parts.map((part) => slug(part) || 'front').join('-')}.png`

const slug = (part: string | number) => `${part}`.toLowerCase().replace(/\W+/g, '-').replace(/^-|-$/g, '')

/** Shows the front page as somebody would write it in HTML and CSS, with the pictures of the site. */
async function shootByHand(page: Page, { url, name }: Measurable, path: string): Promise<void> {
  const file = join(import.meta.dirname, 'by-hand', `${slug(name)}.html`)
  if (!existsSync(file)) return
  const address = `${url}/by-hand`
  await page.route(address, (route) => route.fulfill({ path: file }))
  await page.goto(address, { waitUntil: 'load' })
  await shoot(page, path)
}
