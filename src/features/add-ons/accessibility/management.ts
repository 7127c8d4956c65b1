/** `api.site.accessibility`: the functions that the host calls when it renders pages. They check no permissions. */

import type { MaybePromise, Storage, StoredRecord } from '../../../contract/storage.ts'
import { actorOf } from '../../../core/declare/actor.ts'
import type { ExtensionOptions } from '../../../core/declare/feature.ts'
import { sha256Of } from '../../../core/runtime/crypto.ts'
import { toUrl } from './args.ts'
import { htmlCollection, readCachedHtml, readVersion } from './html-cache.ts'
import { listGlobalRemediations, listPageRemediations, readOverrides, tryInsert } from './model.ts'
import { dismissals, findPage, pages } from './pages.ts'
import { type RemediationOutcome, remediatePage } from './remediation/index.ts'
import { countWidgetUse, type WidgetEvent, widgetEvents } from './statistics.ts'

/** A change of a page. */
export interface Remediation {
  readonly id: number
  readonly category: string
  readonly rule: string
  readonly group: string
  readonly isGlobal: boolean
  /** `type`, `xpath` and members that depend on the type, as an administrator wrote them. They may contain markup. */
  readonly content: { readonly [member: string]: unknown }
  /** Whether its author may write unfiltered HTML at this moment. Without the right it must not write what runs a script. */
  readonly isTrusted: boolean
}

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
  /** The XPaths of the headings whose issues were dismissed. */
  dismissedHeadings(url: string): Promise<readonly string[]>
  /** Counts a use of the widget for the statistics. Rejects with a TypeError for an unknown event. */
  record(event: WidgetEvent, value?: string): Promise<void>
}

export function createAccessibility({ storage, app, ready }: ExtensionOptions): SiteAccessibility {
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
  }
}

const toPageUrl = (url: string): string => toUrl(url.toWellFormed())

interface StoredRemediation extends Remediation {
  readonly isActive: boolean
  /** The override of the page, for global ones. */
  readonly isActiveHere: boolean | undefined
}

const isShown = ({ isActive, isActiveHere }: StoredRemediation): boolean => isActiveHere ?? isActive

const isOverridden = ({ isActive, isActiveHere }: StoredRemediation): boolean => isActive && isActiveHere === false

const toRemediation = ({ isActive: _, isActiveHere: __, ...remediation }: StoredRemediation): Remediation => remediation

async function changed(source: string, active: readonly StoredRemediation[]) {
  const { html, outcomes } = await remediatePage(source, active)
  return { html, resolved: outcomes.filter(({ outcome }) => outcome === 'applied' || outcome === 'unchanged').length }
}

type Reader = Pick<ExtensionOptions, 'storage' | 'app'>

/** Lists all remediations of a page in order of creation, also those that are switched off. */
async function readRemediations({ storage, app }: Reader, url: string): Promise<readonly StoredRemediation[]> {
  const overrides = await readOverrides(storage, url)
  const rows = [...(await listGlobalRemediations(storage)), ...(await listPageRemediations(storage, url))]
  const trusted = await readTrusted({ storage, app }, rows)
  return rows
    .toSorted((a, b) => a.id - b.id)
    .map((row) => ({
      ...{ id: row.id, category: String(row['category']), rule: String(row['rule']), group: String(row['group']) },
      isGlobal: row['global'] === true,
      // The cast: every stored content is the JSON text of an object.
      content: JSON.parse(String(row['content'])) as Remediation['content'],
      isTrusted: trusted.has(Number(row['author'] ?? 0)),
      isActive: row['active'] === true,
      isActiveHere: row['global'] === true ? overrides.get(row.id) : undefined,
    }))
}

/** The authors who may write unfiltered HTML now. Rows without an author have none. */
async function readTrusted({ storage, app }: Reader, rows: readonly StoredRecord[]): Promise<ReadonlySet<number>> {
  const ids = [...new Set(rows.map((row) => Number(row['author'] ?? 0)))].filter((id) => id > 0)
  if (ids.length === 0) return new Set()
  const { roles } = await app.settings.read(storage)
  const users = await storage.users.query({ ids, order: { by: 'id', descending: false }, offset: 0, limit: ids.length })
  const mayWriteAnything = users.rows.filter((user) => !user.blocked && actorOf(user, roles).can('unfiltered_html'))
  return new Set(mayWriteAnything.map(({ id }) => id))
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
  await (storage.atomic ? storage.atomic(replace) : replace(storage))
}
