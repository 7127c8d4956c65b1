/** Judges scanned pages with axe-core in Chromium, which the host brings: `npm i playwright-core axe-core`. */
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium } from 'playwright-core'
import type { AccessibilityEngine, EngineFinding } from 'site-api'

interface Axe {
  run(options: object): Promise<{ readonly violations: readonly Violation[] }>
}

interface Violation {
  readonly id: string
  readonly help: string
  readonly nodes: readonly { readonly xpath: readonly string[] }[]
}

/** Creates the engine; pages are never loaded from their address, so that drafts are judged too. */
export function axeEngine(launch: () => Promise<Browser> = () => chromium.launch()): AccessibilityEngine {
  let starting: Promise<Browser> | undefined
  return async ({ html, sheets }) => {
    starting ??= launch()
    const context = await (await starting).newContext({
      viewport: { width: 1280, height: 720 },
      javaScriptEnabled: true,
    })
    try {
      const page = await context.newPage()
      // Scripts of the page do not run, and nothing else is loaded.
      await page.route('**', (route) => route.abort())
      await page.setContent(html.replace(/<script\b[\s\S]*?<\/script>/gi, ''), { waitUntil: 'domcontentloaded' })
      for (const content of sheets) await page.addStyleTag({ content })
      await page.evaluate(await readFile(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8'))
      // The cast: the script defines `axe`.
      const { violations } = await page.evaluate(() =>
        (globalThis as unknown as { axe: Axe }).axe.run({ xpath: true, resultTypes: ['violations'] }),
      )
      return violations.flatMap(toFindings)
    } finally {
      await context.close()
    }
  }
}

const toFindings = ({ id, help, nodes }: Violation): EngineFinding[] =>
  nodes.map(({ xpath }) => ({ rule: id, xpath: xpath[0] ?? '', message: help }))
