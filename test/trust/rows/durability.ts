/** Kills, failures and restarts lose nothing. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { groupsOf, runNode, runTests } from '../program.ts'
import type { Row } from '../row.ts'

/** The long form has the promised number; a short one shows that the row works. */
const promised = { kills: 100, writes: 200_000 } as const
const shortWritesPerKill = 50

const writesOf = (kills: number) => (kills >= promised.kills ? promised.writes : kills * shortWritesPerKill)

const crash = (storage: string): Row => ({
  name: `crash-${storage}`,
  what: `the server${storage === 'postgres' ? ' or the database' : ''} is killed under write load, on ${storage}`,
  bound: '0 lost, 0 half batches, integrity clean; with 100 kills at least 200,000 acknowledged writes',
  size: { short: 3, long: promised.kills, unit: 'kills' },
  run: async (kills, say) => {
    const args = ['--kills', String(kills), '--writes', String(writesOf(kills))]
    const options = ['--storages', storage, '--seconds', '0']
    const { lines } = await runNode('test/crash/main.ts', [...args, ...options], { say })
    const pattern = new RegExp(
      `^${storage}: (\\d+) kills, (\\d+) acknowledged writes, \\d+ deliveries.*, (\\d+) faults`,
    )
    const [done, writes, faults] = groupsOf(lines, pattern).map(Number)
    return {
      figure: `${done} kills, ${Number(writes).toLocaleString('en')} acknowledged writes, ${faults} faults`,
      isMet: done === kills && Number(writes) >= writesOf(kills) && faults === 0,
    }
  },
})

const processes: Row = {
  name: 'processes',
  what: 'three servers write to one PostgreSQL',
  bound: '0 faults',
  size: { short: 10, long: 60, unit: 'seconds' },
  run: async (seconds, say) => {
    const args = ['--kills', '0', '--storages', 'postgres', '--seconds', String(seconds)]
    const { lines } = await runNode('test/crash/main.ts', args, { say })
    const [requests, faults] = groupsOf(lines, /^processes: .* (\d+) requests, (\d+) faults/).map(Number)
    return { figure: `${requests} requests, ${faults} faults`, isMet: faults === 0 }
  },
}

const simulation: Row = {
  name: 'simulation',
  what: 'orders of calls, failures and restarts of a storage; uploads, removals and webhooks on a network that loses answers',
  bound: '0 histories that no order of the calls explains, no acknowledged file or event lost',
  size: { short: 300, long: 10_000, unit: 'seeds' },
  run: async (seeds, say) => {
    const { lines } = await runNode('test/simulation/main.ts', ['--seeds', String(seeds)], { say })
    const pattern = /^\d+ seeds, (\d+) operations, (\d+) of unknown outcome, (\d+) deliveries, 0 faults/
    const [operations, unknown, deliveries] = groupsOf(lines, pattern)
    const figure = `${operations} operations, ${unknown} of unknown outcome, ${deliveries} deliveries, 0 faults`
    return { figure, isMet: true }
  },
}

const differential: Row = {
  name: 'differential',
  what: 'the same random requests and lists on memory, SQLite and PostgreSQL, the last two with two processes each',
  bound: '0 answers that differ',
  size: { short: 3, long: 100, unit: 'seeds of 400 requests' },
  run: async (seeds, say) => {
    const { lines } = await runNode('test/differential/main.ts', ['--seeds', String(seeds)], { say })
    const [requests, differences] = groupsOf(lines, /^\d+ seeds on .*: (\d+) requests, \d+ refused, (\d+) differences/)
    return { figure: `${requests} requests, ${differences} seeds with a difference`, isMet: differences === '0' }
  },
}

const faults: Row = {
  name: 'postgres-faults',
  what: 'silent, cut and frozen connections, full disks, failover, a pooler, a server that only reads',
  bound: 'every test; progress within 5 s of the end of a fault',
  size: { short: 1, long: 5, unit: 'rounds' },
  run: async (rounds, say) => {
    let passed = 0
    let failed = 0
    let skipped = 0
    let slowest = 0
    for (let round = 1; round <= rounds; round++) {
      const own = await runTests([], { say, config: 'test/trust/vitest.config.ts' })
      const files = ['faults', 'refusals', 'servers'].map((name) => `test/storage/postgres/${name}.test.ts`)
      const shared = await runTests(files, { say, projects: ['postgres'] })
      passed += own.passed + shared.passed
      failed += own.failed + shared.failed
      skipped += own.skipped + shared.skipped
      const delays = own.lines.map((line) => Number(/first write (\d+) ms after/.exec(line)?.[1] ?? 0))
      slowest = Math.max(slowest, ...delays)
    }
    const left = skipped === 0 ? '' : `, ${skipped} skipped`
    const figure = `${passed} tests passed, ${failed} failed${left}; after a failover the first write within ${slowest} ms`
    return { figure, isMet: failed > 0 ? false : skipped > 0 ? undefined : true }
  },
}

const sqliteMode: Row = {
  name: 'sqlite-mode',
  what: 'how SQLite writes by default',
  bound: 'journal_mode wal, synchronous 2 (FULL)',
  size: { short: 1, long: 1, unit: 'database' },
  run: async () => {
    const { DatabaseSync } = await import('node:sqlite')
    const folder = mkdtempSync(join(tmpdir(), 'site-api-trust-'))
    // The storage says what its own connection is set to in no other way: `synchronous` belongs to a connection.
    const said: string[] = []
    const { exec } = DatabaseSync.prototype
    DatabaseSync.prototype.exec = function (sql) {
      said.push(sql)
      return exec.call(this, sql)
    }
    try {
      const { sqliteStorage } = await import('../../../src/storage/sqlite.ts')
      const file = join(folder, 'site.db')
      const storage = sqliteStorage(file)
      await storage.open?.()
      const other = new DatabaseSync(file)
      const journal = String(other.prepare('pragma journal_mode').get()?.['journal_mode'])
      other.close()
      await storage.close?.()
      const synchronous = /synchronous\s*=\s*(\w+)/i.exec(said.join(';'))?.[1] ?? 'not set'
      const isMet = journal === 'wal' && /^(?:full|2)$/i.test(synchronous)
      return { figure: `journal_mode ${journal}, synchronous ${synchronous}`, isMet }
    } finally {
      DatabaseSync.prototype.exec = exec
      rmSync(folder, { recursive: true, force: true })
    }
  },
}

export const durabilityRows: readonly Row[] = [
  crash('sqlite'),
  crash('postgres'),
  processes,
  simulation,
  differential,
  sqliteMode,
  faults,
]
