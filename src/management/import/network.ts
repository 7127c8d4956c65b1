/** Finds out whether a source is a site of a network: sites that share an installation, and number the folders of their uploads. */
import type { FileHead, FileRecord } from './reader.ts'
import type { ReportBuilder, SourceNetwork } from './report.ts'

const uploadsOfSite = /\/(?:uploads\/sites|blogs\.dir)\/([1-9]\d{0,9})\//
const maxUploads = 100

export class NetworkObserver {
  readonly #uploads = new Set<number>()

  observe({ kind, fields }: FileRecord): void {
    if (kind !== 'item' || fields['wp:post_type'] !== 'attachment') return
    const number = uploadsOfSite.exec(fields['wp:attachment_url'] ?? '')?.[1]
    if (number !== undefined && this.#uploads.size < maxUploads) this.#uploads.add(Number(number))
  }

  /** Undefined for a site that belongs to no network. */
  found({ site, network = '', sites = [] }: FileHead, report: ReportBuilder): SourceNetwork | undefined {
    const isOther = network !== '' && plain(network) !== plain(site)
    if (!isOther && sites.length < 2 && this.#uploads.size === 0) return undefined
    if (sites.length > 1) report.add('several-sites', '', { line: 0, what: sites.join(' ') }, sites.length)
    const uploads = [...this.#uploads].sort((one, other) => one - other)
    return { address: network, sites: sites.length > 0 ? sites : [site], uploads }
  }
}

/** Schemes and `www` differ where a site has moved to https. */
const plain = (address: string): string =>
  address
    .replace(/^https?:\/\/(?:www\.)?/i, '')
    .replace(/\/+$/, '')
    .toLowerCase()
