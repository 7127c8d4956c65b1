/**
 * `node bench/distant.ts`: what requests cost on a PostgreSQL that is 50 ms away, and how many posts 16 writers create on 8
 * connections of a near one, beside the same statements without the library. Writes its part of the report.
 */
import pg from 'pg'
import { createSiteApi, d1 } from '../src/index.ts'
import { postgresStorage } from '../src/storage/postgres.ts'
import { inOwnContext, RoundTrips } from '../test/support/counting-client.ts'
import { startPostgres } from '../test/support/postgres-server.ts'
import { passwordOf, smallSite } from '../test/support/small-site.ts'
import { startDistance } from './distance.ts'
import { begin, end, showProgress } from './progress.ts'
import { machineLine } from './report.ts'
import { writePart } from './report-file.ts'
import { median } from './statistics.ts'

const roundTripMs = 50
const rounds = 7
/** Over a socket of this machine, times differ more. */
const nearRounds = 30
const writers = 16
const connections = 8
const seconds = 5
/** Of what the same statements reach. */
const throughputBound = 0.8

const siteUrl = 'https://quay.example'
const authorization = `Basic ${Buffer.from(`edith:${passwordOf('edith')}`).toString('base64')}`

type Send = (method: string, path: string, body?: unknown) => Promise<unknown>

async function openSite(connectionString: string, counted: RoundTrips) {
  const pool = new pg.Pool({ connectionString, max: connections, pipeline: true, Client: counted.Client })
  // The server ends while connections are idle.
  pool.on('error', () => undefined)
  const storage = postgresStorage(pool)
  const api = createSiteApi({ storage: inOwnContext(storage), profile: d1, url: siteUrl })
  const sendAs =
    (headers: { readonly [name: string]: string }): Send =>
    async (method, path, body) => {
      const init = body === undefined ? {} : { body: JSON.stringify(body) }
      const response = await api.fetch(new Request(`${siteUrl}/api${path}`, { method, headers, ...init }))
      const text = await response.text()
      if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`)
      return JSON.parse(text)
    }
  const send = sendAs({ authorization, 'content-type': 'application/json' })
  const close = async () => {
    await api.close()
    await pool.end()
  }
  return { api, send, read: sendAs({}), close }
}

// ---------------------------------------------------------------- the distance

interface Operation {
  readonly name: string
  /** Measured in round trips. */
  readonly bound?: number
  /** Absent: it was not measured. */
  before?(turn: number): Promise<unknown>
  run(turn: number): Promise<unknown>
}

let titles = 0
const post = () => ({ title: `Post ${++titles}`, content: 'High at six.', status: 'publish' })
const items = (count: number) =>
  Array.from({ length: count }, () => ({ method: 'POST', path: '/cms/v2/posts', body: post() }))

function operationsOf(send: Send, read: Send, id: number): Operation[] {
  const write = () => send('POST', '/cms/v2/posts', post())
  return [
    { name: 'post by id, visitor, kept', bound: 1, run: () => read('GET', `/cms/v2/posts/${id}`) },
    {
      name: 'post by id, visitor, after a write',
      bound: 2,
      before: write,
      run: () => read('GET', `/cms/v2/posts/${id}`),
    },
    { name: 'list of 10, visitor, kept', bound: 1, run: () => read('GET', '/cms/v2/posts') },
    { name: 'list of 10, visitor, after a write', bound: 2, before: write, run: () => read('GET', '/cms/v2/posts') },
    { name: 'search, visitor, after a write', before: write, run: () => read('GET', '/cms/v2/posts?search=high') },
    { name: 'post by id to edit, kept', run: () => send('GET', `/cms/v2/posts/${id}?context=edit`) },
    {
      name: 'post by id to edit, after a write',
      before: write,
      run: () => send('GET', `/cms/v2/posts/${id}?context=edit`),
    },
    {
      name: 'list of 10 to edit, after a write',
      before: write,
      run: () => send('GET', '/cms/v2/posts?context=edit'),
    },
    { name: 'create', bound: 3, run: write },
    { name: 'update', run: (turn) => send('POST', `/cms/v2/posts/${id}`, { content: `Low at ${turn}.` }) },
    { name: 'batch of 10 creates', run: () => send('POST', '/batch/v1', { requests: items(10) }) },
    {
      name: 'atomic batch of 25',
      bound: 6,
      run: () => send('POST', '/batch/v1', { requests: items(25), atomic: true }),
    },
  ]
}

/** The medians of some runs. */
interface Measured {
  readonly trips: number
  readonly statements: number
  readonly ms: number
}

async function measured({ name, before, run }: Operation, counted: RoundTrips, count: number): Promise<Measured> {
  showProgress(name)
  const runs: Measured[] = []
  for (let turn = 0; turn < count; turn++) {
    await before?.(turn)
    const started = performance.now()
    const { trips, statements } = await counted.count(() => run(turn))
    runs.push({ trips, statements, ms: performance.now() - started })
  }
  const medianOf = (member: keyof Measured) => median(runs.map((one) => one[member]))
  return { trips: medianOf('trips'), statements: medianOf('statements'), ms: medianOf('ms') }
}

async function measureDistance(url: string): Promise<string[]> {
  const distance = await startDistance(url, roundTripMs)
  const counted = new RoundTrips()
  const { api, send, read, close } = await openSite(distance.url, counted)
  await api.site.seed(smallSite)
  // The cast: the answer to a created post.
  const { id } = (await send('POST', '/cms/v2/posts', post())) as { readonly id: number }
  const operations = operationsOf(send, read, id)
  for (const { name, before, run } of operations) {
    showProgress(`${name}: warming up`)
    for (let turn = 0; turn < 2; turn++) {
      await before?.(turn)
      await run(turn)
    }
  }
  const near: Measured[] = []
  for (const operation of operations) near.push(await measured(operation, counted, nearRounds))
  distance.apply()
  const lines: string[] = []
  for (const [at, operation] of operations.entries()) {
    const { name, bound } = operation
    const { trips, statements, ms } = await measured(operation, counted, rounds)
    const verdict = bound === undefined ? '' : `≤ ${bound}: ${trips <= bound ? 'met' : '**missed**'}`
    lines.push(`| ${[name, trips, statements, near[at]?.ms.toFixed(1), ms.toFixed(0), verdict].join(' | ')} |`)
  }
  await close()
  await distance.close()
  return [
    `| | round trips | statements | ms over a socket of this machine | ms behind ${roundTripMs / 2} ms | bound of the trips |`,
    '| --- | --- | --- | --- | --- | --- |',
    ...lines,
    '',
    'Each round trip of the list asks with what the one before has answered: the token of what was committed last, the ids with the total, the rows that are not cached with their terms and meta.',
  ]
}

// ---------------------------------------------------------------- many writers

/** Runs `work` again and again in each writer; returns how often a second. */
async function rateOf(work: () => Promise<unknown>): Promise<number> {
  let count = 0
  const until = performance.now() + seconds * 1000
  const started = performance.now()
  const loop = async () => {
    while (performance.now() < until) {
      await work()
      count += 1
    }
  }
  await Promise.all(Array.from({ length: writers }, loop))
  return (count / (performance.now() - started)) * 1000
}

interface Captured {
  readonly text: string
  readonly values: readonly unknown[]
}

/** The inserts of one created post, as the storage sends them, apart from the ids that it gives them itself. */
async function captureInserts(send: Send): Promise<Captured[]> {
  const captured: Captured[] = []
  const { query } = pg.Client.prototype
  pg.Client.prototype.query = function capture(this: pg.Client, ...args: unknown[]) {
    const [config] = args as [Partial<Captured>]
    if (config.text?.includes('insert into')) captured.push(config as Captured)
    // The cast: the arguments are those of the caller.
    return (query as (...given: unknown[]) => unknown).apply(this, args) as never
  } as typeof query
  await send('POST', '/cms/v2/posts', post())
  pg.Client.prototype.query = query
  return captured.map(({ text, values }) =>
    text.includes('nextval')
      ? { text: `${text.replace(', "id")', ')').replace(/, case when nextval.+? end\b/, '')} returning id`, values }
      : { text, values },
  )
}

async function measureWriters(near: string): Promise<string> {
  const { send, close } = await openSite(near, new RoundTrips())
  const [row, terms, ...records] = await captureInserts(send)
  if (!row || !terms) throw new Error('a created post has no inserts')
  const pool = new pg.Pool({ connectionString: near, max: connections })
  // The server ends while connections are idle.
  pool.on('error', () => undefined)
  let slugs = 0
  const bare = async () => {
    const client = await pool.connect()
    const slug = `bare-${++slugs}`
    await client.query('begin')
    const inserted = await client.query({
      name: 'post',
      text: row.text,
      values: [String(row.values[0]).replace(/"slug":"[^"]*"/, `"slug":"${slug}"`)],
    })
    const pairs = String(terms.values[0]).replace(/\[\d+,/g, `[${inserted.rows[0].id},`)
    await client.query({ name: 'terms', text: terms.text, values: [pairs, ...terms.values.slice(1)] })
    for (const { text, values } of records) await client.query({ name: 'record', text, values: [...values] })
    await client.query('commit')
    client.release()
  }
  const rates: { ours: number[]; bare: number[] } = { ours: [], bare: [] }
  for (let round = 1; round <= 3; round++) {
    showProgress(`${writers} writers, round ${round} of 3`)
    rates.ours.push(await rateOf(() => send('POST', '/cms/v2/posts', post())))
    rates.bare.push(await rateOf(bare))
  }
  await close()
  await pool.end()
  const [ours, plain] = [median(rates.ours), median(rates.bare)]
  const ratio = ours / plain
  const verdict = ratio >= throughputBound ? 'met' : '**missed**'
  return `${writers} writers on ${connections} connections create ${ours.toFixed(0)} posts a second through the interface; the same inserts without it, a transaction each, reach ${plain.toFixed(0)}: ${ratio.toFixed(2)} × (≥ ${throughputBound}: ${verdict}). The server syncs each commit. Both run the triggers of the counters, the library under its lock for writes, one transaction at a time, the inserts without it on all cores.`
}

// ---------------------------------------------------------------- start

begin('a PostgreSQL that syncs')
const server = await startPostgres({ isDurable: true })
const table = await measureDistance(server.url)
const throughput = await measureWriters(server.url)
await server.stop()
end()
const text = [
  '## A distant PostgreSQL',
  '',
  `Written by \`node bench/distant.ts\`. Each packet between the process and the server takes ${roundTripMs / 2} ms; ${rounds} runs, and ${nearRounds} over a socket of this machine. Round trips are counted: the longest chain of statements that waited for one another. All are medians; a time has the work of both sides too.`,
  '',
  machineLine(),
  '',
  ...table,
  '',
  throughput,
].join('\n')
writePart('distant', text)
console.log(text)
