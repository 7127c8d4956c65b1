/**
 * `npm run test:crash`: kills servers under write load on SQLite and PostgreSQL, then runs several servers on one PostgreSQL.
 * Options: `--kills 100`, `--writes 0` (acknowledged, of all rounds on a storage), `--storages sqlite,postgres`, `--seconds 60` (0 skips
 * the several servers).
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startPostgres } from '../support/postgres-server.ts'
import { runConcurrentServers } from './concurrent-servers.ts'
import { killRepeatedly } from './kills.ts'

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '100' },
    writes: { type: 'string', default: '0' },
    storages: { type: 'string', default: 'sqlite,postgres' },
    seconds: { type: 'string', default: '60' },
  },
})
const kills = Number(values.kills)
const writes = Number(values.writes)
const seconds = Number(values.seconds)
const storages = values.storages.split(',')
let hasFaults = false

const maxPrinted = 20

function print(name: string, summary: string, wrong: readonly string[]): void {
  if (wrong.length > 0) hasFaults = true
  const shown = wrong.slice(0, maxPrinted).map((fault) => `  ${fault}\n`)
  const left = wrong.length > maxPrinted ? `  and ${wrong.length - maxPrinted} more\n` : ''
  process.stdout.write(`${name}: ${summary}, ${wrong.length} faults\n${shown.join('')}${left}`)
}

async function kill(name: string, storage: string, killDatabase?: () => Promise<void>): Promise<void> {
  if (kills === 0) return
  const onRound = (round: number, acknowledged: number) => {
    if (round % 10 === 0) process.stdout.write(`${name}: ${round} kills, ${acknowledged} acknowledged writes\n`)
  }
  const onDelivery = (arrived: number) => process.stdout.write(`${name}: ${arrived} deliveries have arrived\n`)
  const report = await killRepeatedly({
    ...{ storage, kills, writes, onRound, onDelivery },
    ...(killDatabase ? { killDatabase } : {}),
  })
  const { acknowledged, delivered, wrong } = report
  print(name, `${kills} kills, ${acknowledged} acknowledged writes, ${delivered} deliveries of events`, wrong)
}

if (storages.includes('sqlite')) {
  const folder = mkdtempSync(join(tmpdir(), 'site-api-crash-'))
  await kill('sqlite', `sqlite:${join(folder, 'site.db')}`)
  rmSync(folder, { recursive: true, force: true })
}
if (storages.includes('postgres')) {
  const server = await startPostgres({ isDurable: true })
  try {
    await kill('postgres', `${server.url}?schema=killed`, () => server.crash())
    if (seconds > 0) {
      const { requests, wrong } = await runConcurrentServers({ storage: `${server.url}?schema=shared`, seconds })
      print('processes', `3 processes, ${seconds} s, ${requests} requests`, wrong)
    }
  } finally {
    await server.stop()
  }
}
process.exitCode = hasFaults ? 1 : 0
