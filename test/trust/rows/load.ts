/** A server under steady load. */
import { createRequire } from 'node:module'
import { median } from '../../../bench/statistics.ts'
import { passwordOf } from '../../support/small-site.ts'
import type { Row } from '../row.ts'
import { startTarget } from '../target.ts'

const share = 0.7
const greatestDrift = 0.05
const calibrationSeconds = 5

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

/** Reads of visitors, and one write in twenty. */
const requests = Array.from({ length: 20 }, (_, at) =>
  at === 0
    ? {
        method: 'POST',
        path: '/api/cms/v2/posts/100',
        headers: { authorization, 'content-type': 'application/json' },
        body: JSON.stringify({ excerpt: 'Words that change nothing.' }),
      }
    : { method: 'GET', path: `/api/cms/v2/posts?per_page=10&page=${at * 7}` },
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
  bound: `0 errors, memory drift below ${greatestDrift * 100} %`,
  size: { short: 30, long: 600, unit: 'seconds' },
  run: async (seconds, say) => {
    const target = await startTarget()
    try {
      const url = new URL(target.base).origin
      const reached = await load({ url, seconds: calibrationSeconds })
      const rate = Math.floor(reached.perSecond * share)
      say(`${reached.perSecond.toFixed(0)} requests/s reached`)
      const samples: number[] = []
      const watching = setInterval(() => samples.push(target.memory()), 250)
      const loaded = await load({ url, seconds, rate }).finally(() => clearInterval(watching))
      const fifth = Math.floor(samples.length / 5)
      // The first fifth fills caches.
      const early = median(samples.slice(fifth, 2 * fifth))
      const late = median(samples.slice(-fifth))
      const drift = late / early - 1
      const memory = `${early.toFixed(0)} to ${late.toFixed(0)} MB (${(drift * 100).toFixed(1)} %)`
      const figure = `${loaded.responses.toLocaleString('en')} answers at ${rate}/s, ${loaded.errors} errors, ${memory}`
      return { figure, isMet: loaded.errors === 0 && drift < greatestDrift }
    } finally {
      await target.end()
    }
  },
}

export const loadRows: readonly Row[] = [soak]
