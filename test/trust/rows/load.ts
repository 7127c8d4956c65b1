/** A server under steady load. */
import { createRequire } from 'node:module'
import { passwordOf } from '../../support/small-site.ts'
import { runNode } from '../program.ts'
import type { Row } from '../row.ts'
import { startTarget } from '../target.ts'

const share = 0.7
const greatestDrift = 0.05
const calibrationSeconds = 5
/** So many that the caches of pages, rows and answers are full: they are bounded, and no leak. */
const firstWrites = 5000

interface Order {
  readonly url: string
  readonly seconds: number
  readonly rate?: number
}

interface Loaded {
  readonly perSecond: number
  readonly responses: number
  readonly errors: number
}

// The package has no types; these are the parts used here.
type Autocannon = (options: object) => Promise<{
  readonly '2xx': number
  readonly non2xx: number
  readonly errors: number
  readonly duration: number
}>
const autocannon: Autocannon = createRequire(import.meta.url)('autocannon')

const authorization = `Basic ${Buffer.from(`ada:${passwordOf('ada')}`).toString('base64')}`

let written = 0
const write = {
  method: 'POST',
  headers: { authorization, 'content-type': 'application/json' },
  body: JSON.stringify({ excerpt: 'Words that change nothing.' }),
  setupRequest: (request: object) => ({ ...request, path: `/api/cms/v2/posts/${100 + (written++ % firstWrites)}` }),
}

/** Reads of visitors, and one write in twenty. */
const requests = Array.from({ length: 20 }, (_, at) =>
  at === 0 ? write : { method: 'GET', path: `/api/cms/v2/posts?per_page=10&page=${at * 7}` },
)

async function load({ url, seconds, rate }: Order): Promise<Loaded> {
  const limit = rate === undefined ? {} : { overallRate: rate }
  const result = await autocannon({ url, connections: 16, duration: seconds, requests, ...limit })
  const responses = result['2xx']
  return { responses, errors: result.non2xx + result.errors, perSecond: responses / result.duration }
}

const soak: Row = {
  name: 'soak',
  what: `steady load of ${share * 100} % of the reached rate`,
  bound: `0 errors, memory without garbage grows by less than ${greatestDrift * 100} %`,
  size: { short: 30, long: 600, unit: 'seconds' },
  run: async (seconds, say) => {
    const target = await startTarget()
    try {
      const url = new URL(target.base).origin
      await autocannon({ url, connections: 16, amount: firstWrites, requests: [write] })
      const reached = await load({ url, seconds: calibrationSeconds })
      const rate = Math.floor(reached.perSecond * share)
      say(`${reached.perSecond.toFixed(0)} requests/s reached`)
      const resident: number[] = []
      const watching = setInterval(() => resident.push(target.memory()), 250)
      const first = await load({ url, seconds: seconds / 5, rate })
      const early = await target.keptMemory()
      const rest = await load({ url, seconds: (seconds * 4) / 5, rate }).finally(() => clearInterval(watching))
      const late = await target.keptMemory()
      const drift = late / early - 1
      const loaded = { responses: first.responses + rest.responses, errors: first.errors + rest.errors }
      const kept = `${early.toFixed(0)} to ${late.toFixed(0)} MB (${(drift * 100).toFixed(1)} %) without garbage`
      const memory = `${kept}, at most ${Math.max(...resident).toFixed(0)} MB with it`
      const figure = `${loaded.responses.toLocaleString('en')} answers at ${rate}/s, ${loaded.errors} errors, ${memory}`
      return { figure, isMet: loaded.errors === 0 && drift < greatestDrift }
    } finally {
      await target.end()
    }
  },
}

const grown = ['frequent', 'of oneself', 'of one address', 'doubles', 'removal of an author', 'title of a post']

/** The lists and writes that read all matches, doubles or texts unless results of them are kept. */
const growth: Row = {
  name: 'growth-lists',
  what: 'searches of a frequent word, own comments, doubles, the removal of an author and a title beside 5 MB, on ten times as many rows, SQLite and PostgreSQL',
  bound: 'at most 1.5 × the time',
  size: { short: 10_000, long: 10_000, unit: 'rows of each kind, and ten times as many' },
  run: async (size, say) => {
    const options = ['--sizes', `${size},${10 * size}`, '--only', grown.join(',')]
    const { code, lines } = await runNode('bench/lists.ts', options, { say })
    const ratios = lines.flatMap((line) => /([\d.]+) \| (?:flat|\*\*grows\*\*) \|$/.exec(line)?.[1] ?? []).map(Number)
    const figure = `${ratios.length} lists and writes, at most × ${Math.max(...ratios)}`
    return { figure, isMet: code === 0 && ratios.length >= 2 * grown.length && ratios.every((ratio) => ratio <= 1.5) }
  },
}

export const loadRows: readonly Row[] = [soak, growth]
