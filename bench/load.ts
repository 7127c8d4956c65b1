/** A process that sends requests to a server for some seconds and reports the number of successful responses. */
import { createRequire } from 'node:module'

export interface LoadOrder {
  readonly url: string
  readonly seconds: number
  readonly requests: readonly LoadRequest[]
}

export interface LoadRequest {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly headers?: { readonly [name: string]: string }
  readonly body?: string
}

export interface LoadResult {
  readonly responses: number
  readonly perSecond: number
}

interface AutocannonResult {
  readonly '2xx': number
  readonly non2xx: number
  readonly errors: number
  readonly duration: number
}

// The package has no types; these are the parts used here.
type Autocannon = (options: {
  readonly url: string
  readonly connections: number
  readonly duration: number
  readonly requests: readonly LoadRequest[]
}) => Promise<AutocannonResult>

const autocannon: Autocannon = createRequire(import.meta.url)('autocannon')

process.on('message', async ({ url, seconds, requests }: LoadOrder) => {
  const result = await autocannon({ url, connections: 24, duration: seconds, requests })
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${url}: ${result.non2xx} error responses, ${result.errors} failures, successes: ${result['2xx']}`)
  }
  const load: LoadResult = { responses: result['2xx'], perSecond: result['2xx'] / result.duration }
  process.send?.(load)
})
process.on('disconnect', () => process.exit())
