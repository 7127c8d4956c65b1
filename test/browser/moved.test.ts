/** The three sites of the harness, moved here: what their pages show, and how they lie at three widths. */
import { type Browser, chromium } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { kits } from '../moved/kits/index.ts'
import { measureKit } from '../moved/measure-site.ts'
import { chromiumPath } from './chromium.ts'

let browser: Browser
beforeAll(async () => {
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  browser = await chromium.launch({
    executablePath: chromiumPath() ?? '',
    args: [...asRoot, '--disable-dev-shm-usage'],
  })
})
afterAll(() => browser?.close())

test.each(kits.map((make) => make()))('$name looks like itself', async (kit) => {
  const { pages, layouts, unexplained } = await measureKit(kit, { browser })
  const of = (list: (page: (typeof pages)[number]) => readonly string[]) =>
    pages.flatMap((page) => list(page).map((one) => `${page.path}: ${one}`))
  expect(pages.map(({ path }) => path)).toEqual(kit.pages.map(({ path }) => path))
  expect(of(({ texts }) => texts.missing)).toEqual([])
  expect(of(({ icons }) => icons.missing)).toEqual([])
  expect(of(({ leftovers }) => leftovers)).toEqual([])
  expect(of(({ pictures }) => pictures.missing)).toEqual([])
  expect(layouts.flatMap(({ overlaps, overflows }) => [...overlaps, ...overflows])).toEqual([])
  expect(unexplained).toBe(0)
})
