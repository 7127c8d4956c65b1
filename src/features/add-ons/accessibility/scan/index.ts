/** The scan of a page. Its rules, and the parsers of HTML and CSS that they need, are loaded with the first scan. */

import type { TryPages } from '../../../../core/pipeline/dry-run/pages.ts'
import { inTurn } from '../../../../core/runtime/work.ts'
import type { CheckPages } from '../../../integration/checks/model.ts'
import type { EngineFinding, Finding } from './run.ts'

export type { EngineFinding, Finding } from './run.ts'

/** Judges a page with the eyes of a browser, such as axe-core in Chromium. It takes the place of the site's own rules. */
export type AccessibilityEngine = (page: ScannedHtml & { readonly url: string }) => Promise<readonly EngineFinding[]>

/** A page as a browser receives it. */
export interface ScannedHtml {
  readonly html: string
  /** The texts of its style sheets, in their order. */
  readonly sheets: readonly string[]
}

/** How the site looks for problems of accessibility. */
export interface AccessibilityChecks {
  /** How often all published pages are scanned, in milliseconds. Default: they are scanned when `scan` is called. */
  readonly everyMs?: number
  /** Judges each scanned page. Default: the rules of this package, which need no browser. */
  readonly engine?: AccessibilityEngine
}

/** `createSitePages` sets it, so that pages are scanned as readers get them, without their remediations. */
export interface PagesSlot {
  draw?: (request: Request) => Promise<Response>
  /** Returns an address that shows a post before it is published. */
  previewUrl?: (id: number) => Promise<string>
  /** Checks judge records by their pages, also in a transaction. */
  checkPages?: CheckPages
  /** Dry runs name the pages that a write would change. */
  tryPages?: TryPages
}

/** `judged`: what an engine has found. */
export async function findProblems(
  { html, sheets }: ScannedHtml,
  judged?: readonly EngineFinding[],
): Promise<readonly Finding[]> {
  const { scanHtml } = await import('./run.ts')
  return inTurn(() => scanHtml(html, sheets, judged))
}
