/** `api.site.accessibility`: the functions that the host calls when it renders pages. They check no permissions. */

import type { MaybePromise, Storage } from '../../../contract/storage.ts'
import type { ExtensionOptions } from '../../../core/declare/feature.ts'
import { sha256Of } from '../../../core/runtime/crypto.ts'
import { retryTransaction } from '../../../core/runtime/retry-transaction.ts'
import { tryInsert } from '../../shared/try-insert.ts'
import { toPageUrl } from './args.ts'
import { htmlCollection, readCachedHtml, readVersion } from './html-cache.ts'
import { type AppliedToPages, appliedToPages } from './on-pages.ts'
import { dismissals, findPage, pages } from './pages.ts'
import {
  isOverridden,
  isShown,
  type Remediation,
  readRemediations,
  type StoredRemediation,
  toRemediation,
} from './reading.ts'
import { type RemediationOutcome, remediatePage } from './remediation/index.ts'
import { type AccessibilityScan, type ScanOptions, scanPage } from './scanning.ts'
import { countWidgetUse, type WidgetEvent, widgetEvents } from './statistics.ts'

export type { Remediation } from './reading.ts'

/** Says what a remediation did to the HTML of a page. */
export interface ExplainedRemediation extends Omit<RemediationOutcome, 'outcome'> {
  /** `off`: switched off everywhere. `overridden`: a global one that is switched off on this page. Others: `RemediationOutcome`. */
  readonly outcome: RemediationOutcome['outcome'] | 'off' | 'overridden'
  readonly rule: string
  readonly isGlobal: boolean
}

/** `api.site.accessibility`: what the add-on for accessibility leaves to the host. */
export interface SiteAccessibility {
  /** Reads the active remediations of a page, global ones included, in order of creation. */
  remediations(url: string): Promise<readonly Remediation[]>
  /**
   * The HTML of a page after its active remediations. The result is cached for registered pages until the source, a remediation or
   * the rights of an author change, and the page record then says how many of them apply (`resolved`). `apply` replaces our own
   * changes of the HTML. Rejects when `apply` throws.
   *
   * ```ts
   * const html = await api.site.accessibility.remediate('https://example.com/about/', source)
   * ```
   */
  remediate(
    url: string,
    source: string,
    apply?: (source: string, remediations: readonly Remediation[]) => MaybePromise<string>,
  ): Promise<string>
  /** Says what each remediation of a page does to this HTML, and why some do nothing. Changes and caches nothing. */
  explain(url: string, source: string): Promise<readonly ExplainedRemediation[]>
  /**
   * Scans a page of the site: a post by its id, or an address. The counts go into the record of the page, and each problem without a
   * remediation becomes a proposed one that is switched off.
   *
   * ```ts
   * const { findings } = await api.site.accessibility.scan('/about/')
   * ```
   */
  scan(target: string | number, options?: ScanOptions): Promise<AccessibilityScan>
  /** The XPaths of the headings whose issues were dismissed. */
  dismissedHeadings(url: string): Promise<readonly string[]>
  /** Counts a use of the widget for the statistics. Rejects with a TypeError for an unknown event. */
  record(event: WidgetEvent, value?: string): Promise<void>
  /** `site-api/pages` calls it. */
  readonly '~apply': AppliedToPages
}

export function createAccessibility({ storage, app, ready, emit }: ExtensionOptions): SiteAccessibility {
  const reader = { storage, app }
  return {
    async remediations(url) {
      await ready()
      return (await readRemediations(reader, toPageUrl(url))).filter(isShown).map(toRemediation)
    },

    async remediate(url, source, apply) {
      await ready()
      const address = toPageUrl(url)
      const version = await readVersion(storage)
      const active = (await readRemediations(reader, address)).filter(isShown)
      if (active.length === 0) return source
      const digest = sha256Of(JSON.stringify([source, active.map(({ id, isTrusted }) => [id, isTrusted])]))
      const row = await readCachedHtml(storage, address)
      if (row?.['source'] === digest) return String(row['html'])
      const { html, resolved } = apply
        ? { html: await apply(source, active.map(toRemediation)), resolved: active.length }
        : await changed(source, active)
      await cacheHtml(storage, version, { url: address, source: digest, html }, resolved)
      return html
    },

    async explain(url, source) {
      await ready()
      const all = await readRemediations(reader, toPageUrl(url))
      const { outcomes } = await remediatePage(source, all.filter(isShown))
      const byId = new Map(outcomes.map((outcome) => [outcome.id, outcome]))
      return all.map((one) => {
        const { id, rule, isGlobal } = one
        const known = byId.get(id) ?? { outcome: isOverridden(one) ? 'overridden' : 'off', conflicts: [] }
        return { ...known, id, rule, isGlobal }
      })
    },

    async scan(target, options) {
      await ready()
      return scanPage({ ...reader, emit }, target, options)
    },

    async dismissedHeadings(url) {
      await ready()
      const page = await findPage(storage, toPageUrl(url))
      if (!page) return []
      const { rows } = await storage.records.query(dismissals, { where: { field: 'page', is: page.id } })
      return rows.map(({ xpath }) => String(xpath))
    },

    async record(event, value = '') {
      if (!widgetEvents.includes(event)) throw new TypeError(`${JSON.stringify(event)} is no event of the widget`)
      await ready()
      await countWidgetUse(storage, app.clock(), { event, value })
    },

    '~apply': appliedToPages(reader, ready),
  }
}

async function changed(source: string, active: readonly StoredRemediation[]) {
  const { html, outcomes } = await remediatePage(source, active)
  return { html, resolved: outcomes.filter(({ outcome }) => outcome === 'applied' || outcome === 'unchanged').length }
}

/**
 * Skipped for pages that are not registered, because visitors can invent addresses, and when a remediation changed
 * after `version` was read.
 */
async function cacheHtml(
  storage: Storage,
  version: unknown,
  row: { readonly url: string; readonly source: string; readonly html: string },
  resolved: number,
): Promise<void> {
  const replace = async (transaction: Storage) => {
    const page = (await readVersion(transaction)) === version ? await findPage(transaction, row.url) : undefined
    if (!page) return
    if (page['resolved'] !== resolved) await transaction.records.update(pages, [{ id: page.id, changes: { resolved } }])
    await transaction.records.remove(htmlCollection, { field: 'url', is: row.url })
    // A conflict means that a parallel request has cached the same HTML.
    await tryInsert(transaction, htmlCollection, [row])
  }
  await retryTransaction(storage, replace)
}
