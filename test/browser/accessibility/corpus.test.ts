/** Compares the rules of scans with axe-core on generated pages, and prints precision and recall of each rule. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { type Finding, rules, scanHtml } from '../../../src/features/add-ons/accessibility/scan/run.ts'
import { casesOf, isFullRun } from '../../support/generated-cases.ts'
import { browserTests } from '../harness.ts'
import { builtPages } from './built-pages.ts'
import { generatedPages } from './corpus.ts'

const { newContext } = browserTests()

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const known = rules.map(({ id }) => id)

interface Result {
  readonly id: string
  readonly nodes: readonly { readonly element: Element }[]
}

interface Axe {
  run(options: object): Promise<{ readonly violations: readonly Result[]; readonly incomplete: readonly Result[] }>
}

/** Asks people in place of calling these violations. */
const LEFT_TO_PEOPLE = ['duplicate-id-aria', 'no-autoplay-audio']

/** Returns the rule and the place of each violation. */
async function axeFindings(page: Page, html: string): Promise<readonly string[]> {
  await page.setContent(html, { waitUntil: 'load' })
  await page.evaluate(axeSource)
  return page.evaluate(
    async ([ids, leftToPeople]) => {
      const pathOf = (element: Element): string => {
        const parent = element.parentElement
        const same = parent ? [...parent.children].filter(({ localName }) => localName === element.localName) : []
        const place = same.length > 1 ? `[${same.indexOf(element) + 1}]` : ''
        return `${parent ? pathOf(parent) : ''}/${element.localName}${place}`
      }
      const { violations, incomplete } = await (globalThis as unknown as { axe: Axe }).axe.run({
        runOnly: { type: 'rule', values: ids },
        elementRef: true,
      })
      const found = [...violations, ...incomplete.filter(({ id }) => leftToPeople.includes(id))]
      return found.flatMap(({ id, nodes }) => nodes.map(({ element }) => `${id} ${pathOf(element)}`))
    },
    [known, LEFT_TO_PEOPLE] as const,
  )
}

/** Counts for each rule how often both find the same element, and how often one of them alone does. */
class Scores {
  readonly #counts = new Map(known.map((id) => [id, { both: 0, ours: 0, axe: 0 }]))
  readonly different: string[] = []

  add(name: string, ours: readonly Finding[], axe: readonly string[]): void {
    const [mine, theirs] = [new Set(ours.map(({ rule, xpath }) => `${rule} ${xpath}`)), new Set(axe)]
    for (const one of new Set([...mine, ...theirs])) {
      const where = theirs.has(one) ? (mine.has(one) ? 'both' : 'axe') : 'ours'
      const counts = this.#counts.get(one.split(' ')[0] ?? '')
      if (counts) counts[where]++
      if (where !== 'both') this.different.push(`${where} ${name}: ${one}`)
    }
  }

  get rows() {
    return [...this.#counts].map(([rule, { both, ours, axe }]) => ({
      ...{ rule, 'found by axe': both + axe, 'found by both': both },
      ...{ precision: rounded(both / (both + ours)), recall: rounded(both / (both + axe)) },
    }))
  }
}

const rounded = (share: number): number => Math.round(share * 1000) / 1000

test('our rules agree with axe-core on generated pages, 200 in a full run', { timeout: 600_000 }, async () => {
  const page = await (await newContext({ viewport: { width: 1280, height: 720 } })).newPage()
  const scores = new Scores()
  for (const { name, html } of generatedPages(casesOf(160, 1 / 4))) {
    scores.add(name, await scanHtml(html, []), await axeFindings(page, html))
  }
  for (const { name, html, findings } of await builtPages(casesOf(40, 1 / 4))) {
    scores.add(name, findings, await axeFindings(page, html))
  }
  for (const line of scores.different.slice(0, Number(process.env['SHOWN'] ?? 0))) console.log(line)
  console.table(scores.rows)
  for (const { rule, precision, recall } of scores.rows) {
    // The part of the pages may have nothing for a rule: both shares are then without a number.
    if (!isFullRun && Number.isNaN(precision) && Number.isNaN(recall)) continue
    expect.soft([rule, precision >= 0.9, recall >= 0.9]).toEqual([rule, true, true])
  }
})
