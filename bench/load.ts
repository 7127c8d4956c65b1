/** A process that sends requests to a server for some seconds and reports the number of successful responses. */
import { createRequire } from 'node:module'
import { searches } from './words.ts'

export interface LoadOrder {
  readonly url: string
  readonly seconds: number
  /** How many requests are sent. Default: as many as are answered in `seconds`. */
  readonly amount?: number
  readonly requests: readonly LoadRequest[]
  readonly connections?: number
  /** The header of requests that an editor sends. */
  readonly authorization?: string
}

/** `{n}` in the path or the body counts the requests, `{word}` in the path is a search that was not sent before. */
export interface LoadRequest {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly headers?: { readonly [name: string]: string }
  readonly body?: string
  /** Default: a visitor. */
  readonly sender?: 'editor'
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

type SentRequest = Pick<LoadRequest, 'method' | 'path' | 'headers' | 'body'>

interface AutocannonRequest extends SentRequest {
  readonly setupRequest?: (request: SentRequest) => SentRequest
}

// The package has no types; these are the parts used here.
type Autocannon = (options: {
  readonly url: string
  readonly connections: number
  readonly duration: number
  readonly amount?: number | undefined
  readonly requests: readonly AutocannonRequest[]
  readonly setupClient: (client: { setRequests(requests: readonly AutocannonRequest[]): void }) => void
}) => Promise<AutocannonResult>

const autocannon: Autocannon = createRequire(import.meta.url)('autocannon')

const defaultConnections = 24
let sent = 0

const counted = (request: SentRequest): SentRequest => {
  const n = String(++sent)
  const { path, body } = request
  const word = searches[sent % searches.length] as string
  return {
    ...request,
    path: path.replace('{n}', n).replace('{word}', word),
    ...(body !== undefined && { body: body.replaceAll('{n}', n) }),
  }
}

function toSend({ sender, ...request }: LoadRequest, authorization: string | undefined): AutocannonRequest {
  const headers = { ...request.headers, ...(sender && authorization !== undefined && { authorization }) }
  const isCounted = /{(?:n|word)}/.test(`${request.path} ${request.body}`)
  return { ...request, headers, ...(isCounted && { setupRequest: counted }) }
}

process.on('message', async (order: LoadOrder) => {
  const { url, connections = defaultConnections, seconds, amount, authorization } = order
  const requests = order.requests.map((request) => toSend(request, authorization))
  let clients = 0
  const result = await autocannon({
    ...{ url, connections, duration: seconds, amount, requests },
    // Each connection begins at another request, so that equal ones are far apart.
    setupClient(client) {
      const from = Math.floor((clients++ * requests.length) / connections)
      client.setRequests([...requests.slice(from), ...requests.slice(0, from)])
    },
  })
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${url}: ${result.non2xx} error responses, ${result.errors} failures, successes: ${result['2xx']}`)
  }
  const load: LoadResult = { responses: result['2xx'], perSecond: result['2xx'] / result.duration }
  process.send?.(load)
})
process.on('disconnect', () => process.exit())
