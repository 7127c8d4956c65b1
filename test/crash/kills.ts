/**
 * Kills a server repeatedly while clients write; every acknowledged write must be stored completely, and each event of a write
 * must reach a receiver of webhooks. */
import { openStorage } from '../../src/cli/storage.ts'
import type { Storage } from '../../src/contract/storage.ts'
import { smallSite } from '../support/small-site.ts'
import { createReceiver } from '../support/webhook-receiver.ts'
import { faultsOf } from './integrity.ts'
import { differences, highestId, type Ledger, newLedger } from './ledger.ts'
import { writeUntilKilled } from './load.ts'
import { seedStorage } from './seed.ts'
import { startServer } from './server-process.ts'
import { deliveryFaults } from './webhooks.ts'

interface KillOptions {
  /** `sqlite:FILE` or `postgres://...`, empty. */
  readonly storage: string
  readonly kills: number
  /** Of all rounds together: a round is not over before its share is acknowledged. Default: 0. */
  readonly writes?: number
  /** Kills and restarts the database server; called in every fourth round. */
  readonly killDatabase?: () => Promise<void>
  readonly onRound?: (round: number, acknowledged: number) => void
  /** Runs while the last server sends the rest. */
  readonly onDelivery?: (arrived: number) => void
}

interface KillReport {
  readonly acknowledged: number
  /** Events of webhooks, those that were sent twice included. */
  readonly delivered: number
  /** Descriptions of lost, partial and corrupt writes; empty if there are none. */
  readonly wrong: readonly string[]
}

const shortestMs = 30
const longestMs = 700
const pollMs = 20
/** Every so many rounds the database server is killed instead of the site's server. */
const databaseRoundInterval = 4

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

export async function killRepeatedly(options: KillOptions): Promise<KillReport> {
  const { storage, kills, writes = 0, killDatabase, onRound, onDelivery } = options
  await seedStorage(storage)
  const receiver = await createReceiver()
  const wrong: string[] = []
  const ledgers: Ledger[] = []
  for (let round = 1; round <= kills; round++) {
    const before = await withStorage(storage, highestId)
    const ledger = newLedger()
    ledgers.push(ledger)
    const crashesDatabase = killDatabase !== undefined && round % databaseRoundInterval === 0
    const server = await startServer(storage, { isQuiet: crashesDatabase, webhook: receiver })
    const writing = writeUntilKilled(server.base, round, ledger)
    const isShareReached = () => acknowledgedOf(ledgers) >= (writes / kills) * round
    while (!isShareReached() && !server.hasEnded()) await pause(pollMs)
    await pause(shortestMs + Math.random() * (longestMs - shortestMs))
    if (crashesDatabase) await killDatabase()
    const hasEnded = server.hasEnded()
    await server.kill()
    if (hasEnded) wrong.push(`round ${round}: the server ended by itself\n${server.lastErrors()}`)
    await writing
    wrong.push(...(await faults(storage, ledger, before)))
    onRound?.(round, acknowledgedOf(ledgers))
  }
  // Writes of each round must still be stored after all rounds.
  const ofAll = await faults(storage, joined(ledgers), 0)
  const ofDeliveries = await deliveryFaults(storage, receiver, smallSite.posts.length, onDelivery)
  await receiver.close()
  const delivered = receiver.received.length
  return { acknowledged: acknowledgedOf(ledgers), delivered, wrong: [...wrong, ...ofAll, ...ofDeliveries] }
}

/** `after`: the highest id before the writes of the ledger. */
const faults = (storageText: string, ledger: Ledger, after: number): Promise<string[]> =>
  withStorage(storageText, async (storage) => [
    ...(await differences(storage, ledger, after)),
    ...(await faultsOf(storageText)),
  ])

async function withStorage<T>(storageText: string, work: (storage: Storage) => Promise<T>): Promise<T> {
  const storage = await openStorage(storageText)
  try {
    return await work(storage)
  } finally {
    await storage.close?.()
  }
}

const joined = (ledgers: readonly Ledger[]): Ledger => ({
  singles: new Map(ledgers.flatMap(({ singles }) => [...singles])),
  batches: ledgers.flatMap(({ batches }) => batches),
  counters: new Map(ledgers.flatMap(({ counters }) => [...counters])),
})

/** The number of acknowledged writes: each item of a batch is answered by itself. */
function acknowledgedOf(ledgers: readonly Ledger[]): number {
  let count = 0
  for (const { singles, batches, counters } of ledgers) {
    for (const isAcknowledged of singles.values()) count += Number(isAcknowledged)
    for (const { titles, isAcknowledged } of batches) count += isAcknowledged ? titles.length : 0
    for (const { acknowledged } of counters.values()) count += acknowledged
  }
  return count
}
