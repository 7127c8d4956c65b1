/** `api.site.accessibility`: the functions that the host calls when it renders pages. They check no permissions. */
import type { ExtensionOptions } from '../../../core/declare/feature.ts'
import { sha256Of } from '../../../core/runtime/crypto.ts'
import type { MaybePromise, Storage, StoredRecord } from '../../../storage/contract.ts'
import { toUrl } from './args.ts'
import { htmlCollection, readCachedHtml, readVersion } from './html-cache.ts'
import { listGlobalRemediations, listPageRemediations, readOverrides, tryInsert } from './model.ts'
import { dismissals, findPage } from './pages.ts'
import { countWidgetUse, type WidgetEvent, widgetEvents } from './statistics.ts'

/** A change of a page. */
interface Remediation {
  readonly id: number
  readonly category: string
  readonly rule: string
  readonly group: string
  readonly isGlobal: boolean
  /** `type`, `xpath` and members that depend on the type, as an administrator wrote them. They may contain markup. */
  readonly content: { readonly [member: string]: unknown }
}

/** `api.site.accessibility`: what the add-on for accessibility leaves to the host. */
export interface SiteAccessibility {
  /** The active remediations of a page, global ones included, in order of creation. */
  remediations(url: string): Promise<readonly Remediation[]>
  /**
   * The HTML of a page after its remediations. For a registered page the result of `apply` is cached until the source
   * or a remediation changes. Rejects when `apply` throws.
   *
   * ```ts
   * const html = await api.site.accessibility.remediated(url, source, (html, remediations) => rewrite(html, remediations))
   * ```
   */
  remediated(
    url: string,
    source: string,
    apply: (source: string, remediations: readonly Remediation[]) => MaybePromise<string>,
  ): Promise<string>
  /** The XPaths of the headings whose issues were dismissed. */
  dismissedHeadings(url: string): Promise<readonly string[]>
  /** Counts a use of the widget for the statistics. Rejects with a TypeError for an unknown event. */
  record(event: WidgetEvent, value?: string): Promise<void>
}

export function createAccessibility({ storage, app, ready }: ExtensionOptions): SiteAccessibility {
  return {
    async remediations(url) {
      await ready()
      return readActiveRemediations(storage, toPageUrl(url))
    },

    async remediated(url, source, apply) {
      await ready()
      const address = toPageUrl(url)
      const digest = sha256Of(source)
      const row = await readCachedHtml(storage, address)
      if (row?.['source'] === digest) return String(row['html'])
      const version = await readVersion(storage)
      const remediations = await readActiveRemediations(storage, address)
      if (remediations.length === 0) return source
      const html = await apply(source, remediations)
      await cacheHtml(storage, version, { url: address, source: digest, html })
      return html
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

async function readActiveRemediations(storage: Storage, url: string): Promise<readonly Remediation[]> {
  const overrides = await readOverrides(storage, url)
  const global = (await listGlobalRemediations(storage)).filter((row) => overrides.get(row.id) ?? row['active'])
  const page = (await listPageRemediations(storage, url)).filter((row) => row['active'])
  return [...global, ...page].toSorted((a, b) => a.id - b.id).map(toRemediation)
}

const toRemediation = (row: StoredRecord): Remediation => ({
  id: row.id,
  category: String(row['category']),
  rule: String(row['rule']),
  group: String(row['group']),
  isGlobal: row['global'] === true,
  // The cast: every stored content is the JSON text of an object.
  content: JSON.parse(String(row['content'])) as Remediation['content'],
})

/**
 * Skipped for pages that are not registered, because visitors can invent addresses, and when a remediation changed
 * after `version` was read.
 */
async function cacheHtml(
  storage: Storage,
  version: unknown,
  row: { readonly url: string; readonly source: string; readonly html: string },
): Promise<void> {
  const replace = async (transaction: Storage) => {
    if ((await readVersion(transaction)) !== version || !(await findPage(transaction, row.url))) return
    await transaction.records.remove(htmlCollection, { field: 'url', is: row.url })
    // A conflict means that a parallel request has cached the same HTML.
    await tryInsert(transaction, htmlCollection, [row])
  }
  await (storage.atomic ? storage.atomic(replace) : replace(storage))
}
