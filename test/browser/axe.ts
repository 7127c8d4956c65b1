/**
 * Runs axe-core in the visible page. It is evaluated from outside the page, so the content security policy does not
 * apply.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface AxeResults {
  readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[]
}

interface Axe {
  run(options: { readonly resultTypes: readonly string[] }): Promise<AxeResults>
}

/** The violated rules, each with the first element that violates it. */
export async function violationsOf(page: Page): Promise<string[]> {
  await page.evaluate(source)
  // The cast: the source defines `axe`.
  const { violations } = await page.evaluate(async () => {
    // Views that are not shown are taken out meanwhile: axe would walk through all of them, which takes most of its time.
    const hidden = [...document.querySelectorAll('.view:not([data-current])')].map((view) => ({
      view,
      place: document.createComment(''),
    }))
    for (const { view, place } of hidden) view.replaceWith(place)
    try {
      return await (globalThis as unknown as { axe: Axe }).axe.run({ resultTypes: ['violations'] })
    } finally {
      for (const { view, place } of hidden) place.replaceWith(view)
    }
  })
  return violations.map(({ id, nodes }) => `${id}: ${nodes.length} elements, first ${nodes[0]?.html}`)
}
