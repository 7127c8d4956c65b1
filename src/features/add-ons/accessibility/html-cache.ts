/** Pages as they look after all remediations, kept until something changes. No export carries them. */
import type { Collection, Storage, StoredRecord } from '../../../storage/contract.ts'

export const htmlCollection: Collection = {
  name: 'a11y_html',
  /** `source`: the digest of the page that it was made from. */
  fields: { url: 'text', source: 'text', html: 'text' },
  unique: [['url']],
}

/** Changes with every change: what was made meanwhile is not kept. */
export const stampOption = 'a11y_stamp'

export async function dropHtml(storage: Storage, urls: readonly string[] | 'all'): Promise<void> {
  await storage.records.remove(htmlCollection, urls === 'all' ? { every: [] } : { field: 'url', in: urls })
  await storage.options.write({ [stampOption]: crypto.randomUUID() })
}

export const readStamp = async ({ options }: Storage) => (await options.read([stampOption]))[stampOption]

export async function readHtml(storage: Storage, url: string): Promise<StoredRecord | undefined> {
  const { rows } = await storage.records.query(htmlCollection, { where: { field: 'url', is: url }, limit: 1 })
  return rows[0]
}
