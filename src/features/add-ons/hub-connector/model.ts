/** The report that a site sends to its hub, and the state of the link. */

import type { MaybePromise, Storage } from '../../../contract/storage.ts'
import type { Context } from '../../../core/declare/context.ts'
import { sha256Of } from '../../../core/runtime/crypto.ts'
import type { InstalledPackage } from '../../../services/packages/index.ts'
import { typeNamesOf } from '../../shared/declared-types.ts'
import { installedPackages } from '../packages/model.ts'

/**
 * The host's client of its hub. Without one, a sync only stores its time.
 *
 * ```ts
 * import type { Hub } from 'site-api'
 *
 * export const hub: Hub = {
 *   sync: async ({ url, changed, content, packages }, key) => {
 *     const body = JSON.stringify({ url, changed, content, packages })
 *     const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` }
 *     const { status } = await fetch('https://hub.example/sites', { method: 'POST', headers, body })
 *     if (status === 401) throw Object.assign(new Error('The key is not valid.'), { isInvalid: true })
 *     if (status >= 300) throw new Error(`The hub answered ${status}.`)
 *   },
 *   leave: async ({ url }, key) => {
 *     await fetch(`https://hub.example/sites?url=${encodeURIComponent(url)}`, {
 *       method: 'DELETE',
 *       headers: { authorization: `Bearer ${key}` },
 *     })
 *   },
 * }
 * ```
 */
export interface Hub {
  /**
   * Rejects with an error whose message is sent to the client; `isInvalid` on it means that the key is no longer valid.
   */
  sync(report: HubReport, key: string): MaybePromise<void>
  leave(site: { readonly url: string }, key: string): MaybePromise<void>
}

/** The description of the site that its hub receives. */
export interface HubReport {
  readonly url: string
  readonly name: string
  /** The parts that differ from the last report that the hub took; all at the first, and those that did not differ never. */
  readonly changed: readonly HubPart[]
  /** By type of content, in the order of their names. Types without records are left out. */
  readonly content: readonly HubContent[]
  /** Installed plugins and themes, in the order of the catalogue. */
  readonly packages: readonly HubPackage[]
}

/** A part of a report that is compared with the last one. */
export type HubPart = 'settings' | 'content' | 'packages'

/** The records of one type, trash and drafts included. */
export interface HubContent {
  readonly type: string
  readonly count: number
  readonly published: number
  /** When one of them was last changed, in the time of the site: `YYYY-MM-DDTHH:MM:SS`. */
  readonly modified: string
}

/** An installed plugin or theme. */
export interface HubPackage extends Pick<InstalledPackage, 'kind' | 'slug' | 'version' | 'newVersion' | 'status'> {}

/** A digest of each part. */
export type HubDigests = { readonly [part in HubPart]: string }

type ReportContext = Pick<Context, 'storage' | 'app' | 'settings'>

/** The report, and the digests by which the next one tells what changed. */
export async function makeReport(
  context: ReportContext,
  sent: Partial<HubDigests>,
): Promise<{ readonly report: HubReport; readonly digests: HubDigests }> {
  const { name, tag, url } = context.settings
  const [summaries, installed] = await Promise.all([contentOf(context), installedPackages(context)])
  const content = summaries.map(({ entry }) => entry)
  const packages = installed.map(({ kind, slug, version, newVersion, status }) => ({
    ...{ kind, slug, version, newVersion, status },
  }))
  const digests = { settings: tag, content: digestOf(summaries), packages: digestOf(packages) }
  const changed = parts.filter((part) => digests[part] !== sent[part])
  return { report: { url, name, changed, content, packages }, digests }
}

const parts = ['settings', 'content', 'packages'] as const

const digestOf = (value: unknown) => sha256Of(JSON.stringify(value))

async function contentOf({ storage, app }: ReportContext): Promise<readonly Summary[]> {
  const types = [...typeNamesOf(app)].sort()
  const entries = await Promise.all(types.map((type) => summaryOf(storage, type)))
  return entries.flatMap((entry) => (entry === undefined ? [] : [entry]))
}

interface Summary {
  readonly entry: HubContent
  /** The id of the record that was changed last: several changes may fall into one second. */
  readonly latest: string
}

/** Undefined for a type without records. */
async function summaryOf({ posts }: Storage, type: string): Promise<Summary | undefined> {
  const order = { by: 'modified', descending: true } as const
  const newest = { types: [type], order, offset: 0, limit: 1, total: true }
  const [all, published] = await Promise.all([
    posts.query(newest),
    posts.query({ ...newest, statuses: [{ status: 'publish' }], limit: 0 }),
  ])
  const [head] = all.idsPage
  const [post] = head ? await posts.read([head.id]) : []
  if (!post) return undefined
  const entry = { type, count: all.total, published: published.total, modified: post.modified }
  return { entry, latest: `${post.id} ${post.version}` }
}
