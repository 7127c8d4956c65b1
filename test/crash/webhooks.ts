/** Compares the durable events of a storage with its posts, and with what a receiver of webhooks got. */
import { openStorage } from '../../src/cli/storage.ts'
import type { Storage, StoredRecord } from '../../src/contract/storage.ts'
import { outboxChanges, outboxEvents, webhookDeliveries } from '../../src/features/integration/outbox/collections.ts'
import type { Receiver } from '../support/webhook-receiver.ts'
import { send, startServer } from './server-process.ts'

/** Longer than the lease of a delivery: what a killed server was sending is due for the next one. */
const aheadMs = 180_000
/** The deliveries that are left take their time; without progress for so long, they will never be sent. */
const patienceMs = 120_000
const sayAfterMs = 10_000
const pageSize = 1000

/** Lets a last server send what the killed ones left. Returns descriptions of lost, doubled and disordered events. */
export async function deliveryFaults(
  storageText: string,
  receiver: Receiver,
  seeded: number,
  say: (arrived: number) => void = () => undefined,
): Promise<string[]> {
  const server = await startServer(storageText, { webhook: receiver, aheadMs })
  const storage = await openStorage(storageText)
  try {
    // The first request of a process begins its background work.
    await send(server.base, 'GET', '/cms/v2/posts')
    const isIdle = await untilIdle(storage, receiver, say)
    return [
      ...(isIdle ? [] : ['deliveries are pending, and none was sent for two minutes']),
      ...(await eventFaults(storage, seeded)),
      ...receiver.forged.map((signature) => `a wrong signature: ${signature}`),
      ...orderFaults(receiver),
      ...(await lostEvents(storage, receiver)),
    ]
  } finally {
    await storage.close?.()
    await server.end()
  }
}

/** Asks for one row, not for totals: this process is the receiver too, and must not keep it from answering. */
async function untilIdle(
  { records }: Storage,
  { received }: Receiver,
  say: (arrived: number) => void,
): Promise<boolean> {
  const where = { field: 'state', is: 'pending' } as const
  let progress = { received: -1, at: Date.now() }
  let saidAt = Date.now()
  for (;;) {
    const { rows: left } = await records.query(webhookDeliveries, { where, order: [{ by: 'due' }], limit: 1 })
    const { rows: later } = await records.query(outboxChanges, { limit: 1 })
    if (left.length + later.length === 0) return true
    const now = Date.now()
    if (received.length > progress.received) progress = { received: received.length, at: now }
    else if (now - progress.at > patienceMs) return false
    if (now - saidAt > sayAfterMs) {
      say(received.length)
      saidAt = now
    }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

async function eventsOf({ records }: Storage): Promise<StoredRecord[]> {
  const all: StoredRecord[] = []
  for (;;) {
    const where = { field: 'sequence', above: Number(all.at(-1)?.sequence ?? 0) } as const
    const { rows } = await records.query(outboxEvents, { where, order: [{ by: 'sequence' }], limit: pageSize })
    if (rows.length === 0) return all
    all.push(...rows)
  }
}

/** Numbers without gaps, and one event of creation for each post that a client has made; a seed makes posts without events. */
async function eventFaults(storage: Storage, seeded: number): Promise<string[]> {
  const events = await eventsOf(storage)
  const gap = events.findIndex(({ sequence }, index) => sequence !== index + 1)
  const created = events.filter(({ name }) => name === 'post.created').map(({ subject }) => String(subject))
  const ids = created.map((subject) => Number(subject.replace('post:', '')))
  const stored = await idsOfPosts(storage)
  return [
    ...(gap < 0 ? [] : [`event ${gap + 1} has the number ${events[gap]?.sequence}`]),
    ...(new Set(created).size === created.length ? [] : ['a post has two events of its creation']),
    ...(stored.size === seeded + created.length
      ? []
      : [`${stored.size - seeded} new posts, and ${created.length} events of their creation`]),
    ...ids.filter((id) => !stored.has(id)).map((id) => `an event of the post ${id}, which is not stored`),
  ]
}

async function idsOfPosts({ posts }: Storage): Promise<Set<number>> {
  const ids = new Set<number>()
  for (;;) {
    const order = { by: 'id', descending: false } as const
    const { idsPage } = await posts.query({ types: ['post'], order, offset: ids.size, limit: pageSize })
    for (const { id } of idsPage) ids.add(id)
    if (idsPage.length < pageSize) return ids
  }
}

/** Of each record, the first arrivals of its events have the order of its changes. */
function orderFaults({ received }: Receiver): string[] {
  const last = new Map<string, number>()
  const seen = new Set<number>()
  return received.flatMap(({ subject, sequence }) => {
    if (seen.has(sequence)) return []
    seen.add(sequence)
    const before = last.get(subject) ?? 0
    last.set(subject, sequence)
    return before < sequence ? [] : [`${subject}: event ${sequence} arrived after ${before}`]
  })
}

/** A webhook begins with the first change of its server. The seed, which changes the settings of the site, is before it. */
const eventOfSeed = 'site.changed'

async function lostEvents(storage: Storage, { received }: Receiver): Promise<string[]> {
  const arrived = new Set(received.map(({ sequence }) => sequence))
  return (await eventsOf(storage))
    .filter(({ sequence, name }) => !arrived.has(Number(sequence)) && name !== eventOfSeed)
    .map(({ sequence, name }) => `event ${sequence}, ${name}, never arrived`)
}
