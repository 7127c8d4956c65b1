/** One request inside the process: `handle`, and `fetch` against Hono with the same routes and checks. */
import type { Incoming } from '../src/core/declare/request.ts'
import { createSiteApi } from '../src/index.ts'
import { memoryStorage } from '../src/storage/memory/index.ts'
import { fixedHeaders, fixedText, measuredTarget, tableProfile } from './fixed-response.ts'
import { freshSlices } from './fresh-slices.ts'
import { createHonoApp } from './hono-app.ts'
import type { Contender, Contenders } from './measure.ts'

const size = 100
const origin = 'http://127.0.0.1:3000'
const siteUrl = 'https://quay.example'

/** Returns targets as new strings with each call. */
const freshTargets = freshSlices(
  origin,
  Array.from({ length: size }, (_, seed) => measuredTarget(seed * 7919)),
)
const headers = { host: '127.0.0.1:3000', accept: 'application/json', 'user-agent': 'bench' }

class PlainIncoming implements Incoming {
  readonly method = 'GET'
  readonly source = 'http'
  readonly mayHaveBody = false
  readonly path: string
  readonly query: string
  constructor(target: string) {
    const question = target.indexOf('?')
    this.path = target.slice('/api'.length, question)
    this.query = target.slice(question + 1)
  }
  header(name: string): string | undefined {
    return headers[name as 'host']
  }
  readBody() {
    return undefined
  }
}

const createApi = () => createSiteApi({ storage: memoryStorage(), profile: tableProfile, url: siteUrl })

/** Sends all requests of a round in sequence. They are created before the measurement, because hosts create them. */
function sequentially(fetch: (request: Request) => Response | Promise<Response>): Contender['cases'][string] {
  const requests = freshTargets().map((target) => new Request(origin + target, { headers }))
  return async () => {
    for (const request of requests) {
      const response = await fetch(request)
      if (response.status !== 200) throw new Error(`status ${response.status}`)
    }
  }
}

/** Throws unless the contender returns the fixed response and checks arguments. */
async function verify(fetch: (request: Request) => Response | Promise<Response>): Promise<void> {
  const response = await fetch(new Request(origin + measuredTarget(1)))
  if (response.status !== 200 || (await response.text()) !== fixedText) throw new Error('an unexpected response')
  for (const [name, value] of Object.entries(fixedHeaders)) {
    if (response.headers.get(name) !== value) throw new Error(`unexpected ${name}: ${response.headers.get(name)}`)
  }
  const rejected = await fetch(new Request(`${origin}${measuredTarget(1)}&order=sideways`))
  if (rejected.status !== 400) throw new Error('the arguments were not checked')
}

export const contenders: Contenders = {
  'site-api handle': async () => {
    const api = createApi()
    await verify(api.fetch)
    const run = async () => {
      let bytes = 0
      for (const target of freshTargets()) {
        // The cast: the body of this response is a text.
        const { body } = (await api.handle(new PlainIncoming(target))) as { body: string }
        bytes += body.length
      }
      return bytes
    }
    if ((await run()) !== size * fixedText.length) throw new Error('an unexpected response')
    return { operations: size, cases: { request: run } }
  },

  'site-api fetch': async () => {
    const api = createApi()
    await verify(api.fetch)
    return { operations: size, cases: { request: sequentially(api.fetch) } }
  },

  'hono fetch': async () => {
    const app = createHonoApp()
    await verify((request) => app.fetch(request))
    return { operations: size, cases: { request: sequentially((request) => app.fetch(request)) } }
  },
}
