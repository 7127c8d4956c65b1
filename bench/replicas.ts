/**
 * `node bench/replicas.ts`: lists that visitors read a second in two threads, each with an api and a storage, on a PostgreSQL with 0, 1 and
 * 2 streaming standbys, and which server ran their statements; without writes, and while another process writes ten times a second. Prints.
 */
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import pg from 'pg'
import { createSiteApi, d1 } from '../src/index.ts'
import { postgresStorage } from '../src/storage/postgres.ts'
import { replicatedStorage } from '../src/storage/replicas.ts'
import { startPostgres } from '../test/support/postgres-server.ts'
import { smallSite } from '../test/support/small-site.ts'
import { begin, end, showProgress } from './progress.ts'
import { machineLine } from './report.ts'

const readers = 2
/** The figures of each reader. */
const connections = 8
const seconds = 5
const writesPerSecond = 10
const siteUrl = 'https://quay.example'

interface ReaderOptions {
  readonly primary: string
  readonly replicas: readonly string[]
}

const openApi = ({ primary, replicas }: ReaderOptions) => {
  const pools = replicas.map((connectionString) => ({ connectionString, max: connections }))
  const main = postgresStorage({ connectionString: primary, max: connections })
  const storage = pools.length === 0 ? main : replicatedStorage(main, pools)
  return createSiteApi({ storage, profile: d1, url: siteUrl })
}

/** Reads lists whose addresses differ, so that no answer is kept; returns how many. */
async function readLists(options: ReaderOptions): Promise<number> {
  const api = openApi(options)
  let turn = 0
  const read = async () => {
    const response = await api.fetch(new Request(`${siteUrl}/api/cms/v2/posts?exclude=${1_000_000 + ++turn}`))
    if (!response.ok) throw new Error(`a list answered ${response.status}`)
    await response.arrayBuffer()
  }
  const readFor = async (ms: number): Promise<number> => {
    let count = 0
    const until = performance.now() + ms
    const loop = async () => {
      for (; performance.now() < until; count++) await read()
    }
    await Promise.all(Array.from({ length: connections }, loop))
    return count
  }
  await readFor(2000)
  parentPort?.postMessage('warm')
  const count = await readFor(seconds * 1000)
  await api.close()
  return count
}

interface Reader {
  readonly warm: Promise<void>
  readonly count: Promise<number>
}

function startReader(options: ReaderOptions): Reader {
  const worker = new Worker(new URL(import.meta.url), { workerData: options })
  const [warm, count] = [Promise.withResolvers<void>(), Promise.withResolvers<number>()]
  worker.on('message', (message: unknown) => {
    if (message === 'warm') warm.resolve()
    else count.resolve(Number(message))
  })
  worker.on('error', count.reject)
  return { warm: warm.promise, count: count.promise }
}

/** The transactions that each server has run. */
async function transactionsOf(urls: readonly string[]): Promise<number[]> {
  const counts: number[] = []
  for (const connectionString of urls) {
    const client = new pg.Client({ connectionString })
    await client.connect()
    const { rows } = await client.query(
      "select xact_commit::int as count from pg_stat_database where datname = 'postgres'",
    )
    counts.push(rows[0].count)
    await client.end()
  }
  return counts
}

async function measure(urls: readonly string[], replicaCount: number, isWriting: boolean): Promise<string> {
  const [primary = '', ...all] = urls
  const writing = openApi({ primary, replicas: [] })
  const options = { primary, replicas: all.slice(0, replicaCount) }
  const running = Array.from({ length: readers }, () => startReader(options))
  await Promise.all(running.map(({ warm }) => warm))
  const before = await transactionsOf(urls)
  let writes = 0
  const timer = isWriting
    ? setInterval(
        () => void writing.call('POST', '/cms/v2/posts', { title: `Post ${++writes}` }, { as: 'system' }),
        1000 / writesPerSecond,
      )
    : undefined
  const counts = await Promise.all(running.map(({ count }) => count))
  clearInterval(timer)
  const after = await transactionsOf(urls)
  await writing.close()
  const shares = after.map((count, at) => count - (before[at] ?? 0))
  const total = shares.reduce((sum, share) => sum + share, 0)
  const percent = (share = 0) => `${((share / total) * 100).toFixed(0)} %`
  const rate = counts.reduce((sum, count) => sum + count, 0) / seconds
  const cells = [replicaCount, isWriting ? writesPerSecond : 0, rate.toFixed(0), ...shares.map(percent)]
  return `| ${cells.join(' | ')} |`
}

async function main(): Promise<void> {
  begin('a PostgreSQL that syncs, and two standbys')
  const server = await startPostgres({ isDurable: true })
  const standbys = [await server.standby({ isAwaited: false }), await server.standby({ isAwaited: false })]
  const urls = [server.url, ...standbys.map(({ url }) => url)]
  const api = openApi({ primary: server.url, replicas: [] })
  await api.site.seed(smallSite)
  await api.close()
  const lines: string[] = []
  for (const isWriting of [false, true]) {
    for (const count of [0, 1, 2]) {
      showProgress(`${count} replicas, ${isWriting ? writesPerSecond : 0} writes a second`)
      lines.push(await measure(urls, count, isWriting))
    }
  }
  for (const one of [...standbys, server]) await one.stop()
  end()
  const head = '| replicas | writes/s | lists/s | statements on the primary | first replica | second replica |'
  console.log([machineLine(), '', head, '| --- | --- | --- | --- | --- | --- |', ...lines].join('\n'))
}

if (isMainThread) await main()
// The cast: this file starts its threads.
else parentPort?.postMessage(await readLists(workerData as ReaderOptions))
