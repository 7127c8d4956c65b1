/** What clients sent and what was acknowledged to them, to be compared with what a storage holds. */
import type { Post, Storage } from '../../src/storage/contract.ts'

export interface Ledger {
  /** Titles of posts created alone, and whether that was acknowledged. */
  readonly singles: Map<string, boolean>
  /** Batches of posts, all or none of which are there. */
  readonly batches: { readonly titles: readonly string[]; isAcknowledged: boolean }[]
  /** Posts that are written again and again: the last number sent and the last acknowledged, by title. */
  readonly counters: Map<string, { sent: number; acknowledged: number }>
}

export const newLedger = (): Ledger => ({ singles: new Map(), batches: [], counters: new Map() })

/** Sentences about what is not as it has to be; none when all is well. */
export async function differences(storage: Storage, ledger: Ledger): Promise<string[]> {
  const stored = await postsByTitle(storage)
  const count = (title: string) => stored.get(title)?.length ?? 0
  const wrong: string[] = []
  for (const [title, isAcknowledged] of ledger.singles) {
    if (isAcknowledged && count(title) === 0) wrong.push(`${title} was acknowledged and is lost`)
    if (count(title) > 1) wrong.push(`${title} was created ${count(title)} times`)
  }
  for (const { titles, isAcknowledged } of ledger.batches) {
    const there = titles.filter((title) => count(title) === 1).length
    if (isAcknowledged && there < titles.length) wrong.push(`${titles[0]}: ${there} of an acknowledged batch are there`)
    if (there > 0 && there < titles.length) wrong.push(`${titles[0]}: half a batch is there, ${there} posts`)
  }
  for (const [title, counter] of ledger.counters) wrong.push(...(await counterFaults(storage, title, counter, stored)))
  return wrong
}

/** The text and the meta of a post were written together: they must tell of the same write. */
async function counterFaults(
  storage: Storage,
  title: string,
  { sent, acknowledged }: { readonly sent: number; readonly acknowledged: number },
  stored: ReadonlyMap<string, readonly Post[]>,
): Promise<string[]> {
  const [post] = stored.get(title) ?? []
  // Its creation itself may not have been acknowledged.
  if (post === undefined) return acknowledged > 0 ? [`${title} was acknowledged and is lost`] : []
  const number = Number(/^v(\d+)$/.exec(post.content)?.[1] ?? Number.NaN)
  const [entry] = await storage.meta.read('post', [post.id], ['footnotes'])
  const wrong: string[] = []
  if (!(number >= acknowledged && number <= sent)) {
    wrong.push(`${title} holds ${post.content} after ${acknowledged} was acknowledged and ${sent} sent`)
  }
  if (entry?.value !== JSON.stringify([post.content])) {
    wrong.push(`${title} holds ${post.content} with ${JSON.stringify(entry?.value)}: half a write`)
  }
  return wrong
}

async function postsByTitle(storage: Storage): Promise<Map<string, Post[]>> {
  const found = new Map<string, Post[]>()
  for (let offset = 0; ; offset += 500) {
    const order = { by: 'id', descending: false } as const
    const { heads } = await storage.posts.query({ types: ['post'], order, offset, limit: 500 })
    for (const post of await storage.posts.read(heads.map(({ id }) => id))) {
      found.set(post.title, [...(found.get(post.title) ?? []), post])
    }
    if (heads.length < 500) return found
  }
}
