/** A record of the writes that clients sent and got acknowledged, and its comparison with a storage. */
import type { Post, Storage } from '../../src/contract/storage.ts'

export interface Ledger {
  /** Titles of posts created by single requests, and whether the creation was acknowledged. */
  readonly singles: Map<string, boolean>
  /** Batches of posts; all or none of a batch must be stored. */
  readonly batches: { readonly titles: readonly string[]; isAcknowledged: boolean }[]
  /** By title: posts that are updated repeatedly, with the last number sent and the last acknowledged. */
  readonly counters: Map<string, { sent: number; acknowledged: number }>
}

export const newLedger = (): Ledger => ({ singles: new Map(), batches: [], counters: new Map() })

/** Descriptions of lost, duplicate and partial writes to posts with ids above `after`; empty if there are none. */
export async function differences(storage: Storage, ledger: Ledger, after: number): Promise<string[]> {
  const stored = await postsByTitle(storage, after)
  const count = (title: string) => stored.get(title)?.length ?? 0
  const wrong: string[] = []
  for (const [title, isAcknowledged] of ledger.singles) {
    if (isAcknowledged && count(title) === 0) wrong.push(`${title} was acknowledged and is lost`)
    if (count(title) > 1) wrong.push(`${title} was created ${count(title)} times`)
  }
  for (const { titles, isAcknowledged } of ledger.batches) {
    const storedCount = titles.filter((title) => count(title) === 1).length
    const isComplete = storedCount === titles.length
    if (isAcknowledged && !isComplete) wrong.push(`${titles[0]}: ${storedCount} posts of an acknowledged batch`)
    if (storedCount > 0 && !isComplete) wrong.push(`${titles[0]}: a partial batch of ${storedCount} posts`)
  }
  for (const [title, counter] of ledger.counters) wrong.push(...(await counterFaults(storage, title, counter, stored)))
  return wrong
}

/** The content and the meta of a post were written together, so they must be of the same write. */
async function counterFaults(
  storage: Storage,
  title: string,
  { sent, acknowledged }: { readonly sent: number; readonly acknowledged: number },
  stored: ReadonlyMap<string, readonly Post[]>,
): Promise<string[]> {
  const [post] = stored.get(title) ?? []
  // The creation may not have been acknowledged.
  if (post === undefined) return acknowledged > 0 ? [`${title} was acknowledged and is lost`] : []
  const number = Number(/^v(\d+)$/.exec(post.content)?.[1] ?? Number.NaN)
  const [entry] = await storage.meta.read('post', [post.id], ['footnotes'])
  const wrong: string[] = []
  if (!(number >= acknowledged && number <= sent)) {
    wrong.push(`${title} holds ${post.content} after ${acknowledged} was acknowledged and ${sent} sent`)
  }
  if (entry?.value !== JSON.stringify([post.content])) {
    wrong.push(`${title} holds ${post.content} with ${JSON.stringify(entry?.value)}: a partial write`)
  }
  return wrong
}

const windowSize = 500

async function postsByTitle(storage: Storage, after: number): Promise<Map<string, Post[]>> {
  const byTitle = new Map<string, Post[]>()
  const last = await highestId(storage)
  for (let from = after + 1; from <= last; from += windowSize) {
    const ids = Array.from({ length: Math.min(windowSize, last - from + 1) }, (_, at) => from + at)
    for (const post of await storage.posts.read(ids)) {
      if (post.type === 'post') byTitle.set(post.title, [...(byTitle.get(post.title) ?? []), post])
    }
  }
  return byTitle
}

/** Of a post of any type; 0 where there are none. */
export async function highestId(storage: Storage): Promise<number> {
  const order = { by: 'id', descending: true } as const
  const { idsPage } = await storage.posts.query({ types: ['post', 'revision'], order, offset: 0, limit: 1 })
  return idsPage[0]?.id ?? 0
}
