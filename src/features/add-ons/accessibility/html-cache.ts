/** The cache of remediated HTML, valid until a remediation of the page changes. It is not exported. */

import type { Collection, Storage, StoredRecord } from '../../../contract/storage.ts'
import { randomId } from '../../../core/runtime/crypto.ts'

export const htmlCollection: Collection = {
  name: 'a11y_html',
  /** `source`: the digest of the HTML before remediation. */
  fields: { url: 'text', source: 'text', html: 'text' },
  unique: [['url']],
}

/** A random value, new after each change: HTML computed with an older version is not cached. */
export const versionOption = 'a11y_stamp'

export async function dropCachedHtml(storage: Storage, urls: readonly string[] | 'all'): Promise<void> {
  await storage.records.remove(htmlCollection, urls === 'all' ? { every: [] } : { field: 'url', in: urls })
  await storage.options.write({ [versionOption]: randomId() })
}

export const readVersion = async ({ options }: Storage) => (await options.read([versionOption]))[versionOption]

export async function readCachedHtml(storage: Storage, url: string): Promise<StoredRecord | undefined> {
  const { rows } = await storage.records.query(htmlCollection, { where: { field: 'url', is: url }, limit: 1 })
  return rows[0]
}
