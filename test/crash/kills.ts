/** A server that is killed again and again while clients write: what was acknowledged has to be there, and whole. */
import { openStorage } from '../../src/cli/storage.ts'
import { createSiteApi } from '../../src/create-site-api.ts'
import { d1 } from '../../src/profiles/d1.ts'
import { smallSite } from '../support/small-site.ts'
import { faultsOf } from './integrity.ts'
import { differences, type Ledger, newLedger } from './ledger.ts'
import { writeUntilKilled } from './load.ts'
import { startServer } from './server-process.ts'

export interface KillOptions {
  /** `sqlite:FILE` or `postgres://...`, empty. */
  readonly storage: string
  readonly kills: number
  /** Kills the database server as well, once in a few rounds, and starts it again. */
  readonly killDatabase?: () => Promise<void>
  readonly onRound?: (round: number, acknowledged: number) => void
}

export interface KillReport {
  readonly acknowledged: number
  /** Sentences about what was lost, halved or broken: none when all is well. */
  readonly wrong: readonly string[]
}

const shortestMs = 30
const longestMs = 700
/** The database server is killed in each of these rounds, instead of the site's own. */
const databaseRound = 4

export async function killAgain({ storage, kills, killDatabase, onRound }: KillOptions): Promise<KillReport> {
  await seedInto(storage)
  const wrong: string[] = []
  const ledgers: Ledger[] = []
  for (let round = 1; round <= kills; round++) {
    const ledger = newLedger()
    ledgers.push(ledger)
    const crashesDatabase = killDatabase !== undefined && round % databaseRound === 0
    const server = await startServer(storage, { isQuiet: crashesDatabase })
    const writing = writeUntilKilled(server.base, round, ledger)
    await new Promise((resolve) => setTimeout(resolve, shortestMs + Math.random() * (longestMs - shortestMs)))
    if (crashesDatabase) await killDatabase()
    const hasEnded = server.hasEnded()
    await server.kill()
    if (hasEnded) wrong.push(`round ${round}: the server ended by itself\n${server.lastWords()}`)
    await writing
    wrong.push(...(await faults(storage, ledger)))
    onRound?.(round, acknowledgedOf(ledgers))
  }
  // What stood after its own kill has to stand after all of them.
  wrong.push(...(await faults(storage, joined(ledgers))))
  return { acknowledged: acknowledgedOf(ledgers), wrong }
}

async function seedInto(storageText: string): Promise<void> {
  const api = createSiteApi({ storage: await openStorage(storageText), profile: d1, url: 'https://quay.example' })
  await api.site.seed(smallSite)
  await api.close()
}

async function faults(storageText: string, ledger: Ledger): Promise<string[]> {
  const storage = await openStorage(storageText)
  try {
    return [...(await differences(storage, ledger)), ...(await faultsOf(storageText))]
  } finally {
    await storage.close?.()
  }
}

const joined = (ledgers: readonly Ledger[]): Ledger => ({
  singles: new Map(ledgers.flatMap(({ singles }) => [...singles])),
  batches: ledgers.flatMap(({ batches }) => batches),
  counters: new Map(ledgers.flatMap(({ counters }) => [...counters])),
})

/** Writes that a client may rely on. */
function acknowledgedOf(ledgers: readonly Ledger[]): number {
  let count = 0
  for (const { singles, batches, counters } of ledgers) {
    for (const isAcknowledged of singles.values()) count += Number(isAcknowledged)
    for (const { isAcknowledged } of batches) count += Number(isAcknowledged)
    for (const { acknowledged } of counters.values()) count += acknowledged
  }
  return count
}
