/** Reads and writes the rows of links to elsewhere. */
import type { Storage, StoredRecord } from '../../../../contract/storage.ts'
import { tryInsert } from '../../../shared/try-insert.ts'
import { outsideLinks } from '../collections.ts'

/** The last record whose links are stored; a type, because an interface is no Json. */
export type LinkCursor = {
  readonly modified: string
  readonly post: number
}

interface OutsideLink {
  readonly url: string
  readonly problem: string
}

export async function linksOf(storage: Storage, post: number): Promise<OutsideLink[]> {
  const { rows } = await storage.records.query(outsideLinks, { where: { field: 'post', is: post } })
  return rows.map(({ url, problem }) => ({ url: String(url), problem: String(problem ?? '') }))
}

/** A record with more links is a list that somebody else keeps. */
const mostLinks = 500

/** Makes the rows of a record those of these addresses. A new row has the answer that another record knows. */
export async function syncLinks(storage: Storage, post: number, urls: readonly string[]): Promise<void> {
  const { rows } = await storage.records.query(outsideLinks, { where: { field: 'post', is: post } })
  const wanted = new Set(urls.slice(0, mostLinks))
  const gone = rows.filter(({ url }) => !wanted.has(String(url)))
  if (gone.length > 0) await storage.records.remove(outsideLinks, { field: 'id', in: gone.map(({ id }) => id) })
  for (const { url } of rows) wanted.delete(String(url))
  if (wanted.size === 0) return
  const { rows: same } = await storage.records.query(outsideLinks, { where: { field: 'url', in: [...wanted] } })
  const known = new Map(same.map(({ url, checkedAt, problem }) => [String(url), { checkedAt, problem }]))
  const unknown = { checkedAt: 0, problem: '' }
  // A conflict: another process has stored them.
  await tryInsert(
    storage,
    outsideLinks,
    [...wanted].map((url) => ({ post, url, ...unknown, ...known.get(url) })),
  )
}

export const removeLinksOf = (storage: Storage, post: number) =>
  storage.records.remove(outsideLinks, { field: 'post', is: post })

/** Lists addresses that were asked for before this moment, the oldest answer first; each address once. */
export async function linksToCheck(
  storage: Storage,
  before: number,
  limit: number,
): Promise<readonly { readonly url: string; readonly post: number }[]> {
  const { rows } = await storage.records.query(outsideLinks, {
    where: { field: 'checkedAt', to: before },
    order: [{ by: 'checkedAt' }, { by: 'id' }],
    limit,
  })
  return [...new Map(rows.map((row) => [String(row['url']), row])).values()].map(toWaiting)
}

const toWaiting = ({ url, post }: StoredRecord) => ({ url: String(url), post: Number(post) })

export async function storeAnswer(
  storage: Storage,
  url: string,
  answer: { readonly checkedAt: number; readonly problem: string },
): Promise<void> {
  const { rows } = await storage.records.query(outsideLinks, { where: { field: 'url', is: url } })
  await storage.records.update(
    outsideLinks,
    rows.map(({ id }) => ({ id, changes: answer })),
  )
}

/** The oldest answer; Infinity: there are no links. */
export async function oldestAnswer(storage: Storage): Promise<number> {
  const { rows } = await storage.records.query(outsideLinks, { order: [{ by: 'checkedAt' }], limit: 1 })
  return rows[0] ? Number(rows[0]['checkedAt']) : Number.POSITIVE_INFINITY
}
