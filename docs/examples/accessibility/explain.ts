/** Prints what each remediation of a page does, and scans a page. */
import type { AccessibilityChecks, d2, SiteApi } from 'site-api'
import { axeEngine } from './axe.ts'

export async function explain(api: SiteApi<typeof d2>, url: string, source: string): Promise<void> {
  const explained = await api.site.accessibility.explain(url, source)
  for (const { id, outcome, reason } of explained) console.log(id, outcome, reason)
}

export async function printProblems(api: SiteApi<typeof d2>): Promise<void> {
  const { findings } = await api.site.accessibility.scan('/about/')
  for (const { rule, xpath, message } of findings) console.log(rule, xpath, message)
}

export const checks: AccessibilityChecks = { everyMs: 24 * 60 * 60 * 1000, engine: axeEngine() }
