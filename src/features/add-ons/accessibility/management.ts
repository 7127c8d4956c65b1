/** `api.site.accessibility`: what the host needs where it shows pages to visitors. Nobody's rights are asked here. */
import type { ExtensionOptions } from '../../../core/declare/feature.ts'
import { sha256Of } from '../../../core/runtime/crypto.ts'
import type { MaybePromise, Storage, StoredRecord } from '../../../storage/contract.ts'
import { toUrl } from './args.ts'
import { htmlCollection, readCachedHtml, readVersion } from './html-cache.ts'
import { listGlobalRemediations, listPageRemediations, readOverrides, tryInsert } from './model.ts'
import { dismissals, findPage } from './pages.ts'
import { countWidgetUse, type WidgetEvent, widgetEvents } from './statistics.ts'

/** What is to be changed on a page. */
export interface Remediation {
  readonly id: number
  readonly category: string
  readonly rule: string
  readonly group: string
  readonly isGlobal: boolean
  /** `type`, `xpath` and what the type needs, as somebody who runs the site has sent it: it may hold markup. */
  readonly content: { readonly [member: string]: unknown }
}

export interface SiteAccessibility {
  /** The remediations that count on a page, in the order in which they were made. */
  remediations(url: string): Promise<readonly Remediation[]>
  /**
   * The page with its remediations. `apply` is asked only when something has changed: for a registered page its answer is
   * kept until the source or a remediation is another one.
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
  /** The paths of the headings of a page that are right as they are. */
  dismissedHeadings(url: string): Promise<readonly string[]>
  /** Counts a use of the widget, for the statistics. Rejects with a TypeError for an event that nobody knows. */
  record(event: WidgetEvent, value?: string): Promise<void>
}

declare module '../../../core/declare/feature.ts' {
  interface SiteExtensions {
    /** Pages for everybody. Only profiles with accessibility have it. */
    readonly accessibility: SiteAccessibility
  }
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
      const stamp = await readVersion(storage)
      const remediations = await readActiveRemediations(storage, address)
      if (remediations.length === 0) return source
      const html = await apply(source, remediations)
      await cacheHtml(storage, stamp, { url: address, source: digest, html })
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
  const own = await readOverrides(storage, url)
  const shared = (await listGlobalRemediations(storage)).filter((row) => own.get(row.id) ?? row['active'])
  const page = (await listPageRemediations(storage, url)).filter((row) => row['active'])
  return [...shared, ...page].toSorted((a, b) => a.id - b.id).map(toRemediation)
}

const toRemediation = (row: StoredRecord): Remediation => ({
  id: row.id,
  category: String(row['category']),
  rule: String(row['rule']),
  group: String(row['group']),
  isGlobal: row['global'] === true,
  // The cast: nothing but the JSON text of an object is stored there.
  content: JSON.parse(String(row['content'])) as Remediation['content'],
})

/** Only of registered pages: visitors make up addresses. What was made of older remediations is not kept. */
async function cacheHtml(
  storage: Storage,
  stamp: unknown,
  row: { readonly url: string; readonly source: string; readonly html: string },
): Promise<void> {
  const work = async (inside: Storage) => {
    if ((await readVersion(inside)) !== stamp || !(await findPage(inside, row.url))) return
    await inside.records.remove(htmlCollection, { field: 'url', is: row.url })
    // Whoever was faster made the same of it.
    await tryInsert(inside, htmlCollection, [row])
  }
  await (storage.atomic ? storage.atomic(work) : work(storage))
}
