/**
 * `node --expose-gc bench/many-sites.ts [--sites 1000] [--profile full] [--idle MS]`: what a process needs for each of many sites, with an SQLite file each: when it is
 * created, after its first request, and for the next ones. `--idle`: with `idleStorage`, so that few files are open at once.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Profile } from '../src/core/declare/profile.ts'
import { createSiteApi, d1, type SiteApi } from '../src/index.ts'
import { full } from '../src/profiles/full.ts'
import { idleStorage } from '../src/storage/idle.ts'
import { sqliteStorage } from '../src/storage/sqlite.ts'
import { begin, end } from './progress.ts'
import { machineLine } from './report.ts'

const options = { sites: { type: 'string' }, profile: { type: 'string' }, idle: { type: 'string' } } as const
const { values } = parseArgs({ options })
const count = Number(values.sites ?? 1000)
const name = values.profile ?? 'd1'
const profile: Profile = name === 'full' ? full : d1
const idleMs = values.idle === undefined ? undefined : Number(values.idle)
const storageOf = (file: string) =>
  idleMs === undefined ? sqliteStorage(file) : idleStorage(sqliteStorage(file), { idleMs })
const siteUrl = 'https://quay.example'

/** In MB, without what waits for the garbage collector. */
function residentMegabytes(): number {
  for (let run = 0; run < 3; run++) globalThis.gc?.()
  return process.memoryUsage().rss / 2 ** 20
}

async function list(api: SiteApi): Promise<void> {
  const response = await api.fetch(new Request(`${siteUrl}/api/cms/v2/posts`))
  await response.text()
  if (response.status !== 200) throw new Error(`status ${response.status}`)
}

/** Milliseconds for each site. */
async function timed(work: () => Promise<void>): Promise<number> {
  const started = performance.now()
  await work()
  return (performance.now() - started) / count
}

async function measure(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'site-api-sites-'))
  const create = (file: string) => createSiteApi({ storage: storageOf(join(folder, file)), profile, url: siteUrl })
  const first = create('first.db')
  await list(first)
  const before = residentMegabytes()
  const apis: SiteApi[] = []
  const createMs = await timed(async () => {
    for (let at = 0; at < count; at++) apis.push(create(`${at}.db`))
  })
  const created = residentMegabytes()
  const listAll = async () => {
    for (const api of apis) {
      await list(api)
      // As between the requests of clients: timers run.
      await new Promise(setImmediate)
    }
  }
  const openMs = await timed(listAll)
  const opened = residentMegabytes()
  const againMs = await timed(listAll)
  for (const api of [first, ...apis]) await api.close()
  rmSync(folder, { recursive: true })
  const each = (after: number) => ((after - before) / count).toFixed(2)
  const cells = [each(created), each(opened), createMs.toFixed(1), openMs.toFixed(1), (againMs * 1000).toFixed(0)]
  return `| ${[name, ...cells].join(' | ')} |`
}

begin(`${count} sites of ${name}`)
const row = await measure()
end()
console.log(`${machineLine()}

| profile | MB each, created | MB each, opened | ms to create | ms of the first list, with a new file | µs of the next list |
| --- | --- | --- | --- | --- | --- |
${row}`)
