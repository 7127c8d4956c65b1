/** One request inside the process: the inner form, and the web-standard one against Hono with the same routes and checks. */

import type { Incoming } from '../src/core/declare/request.ts'
import { createSiteApi } from '../src/index.ts'
import { memoryStorage } from '../src/storage/memory/index.ts'
import { fixedHeaders, fixedText, measuredTarget, tableProfile } from './fixed-response.ts'
import { createHonoApp } from './hono-app.ts'
import type { Contender, Contenders } from './measure.ts'

const size = 100
const origin = 'http://127.0.0.1:3000'
const siteUrl = 'https://quay.example'

/** Cut out of one long text: each target is a fresh string. */
function targets(): () => readonly string[] {
  const made = Array.from({ length: size }, (_, seed) => measuredTarget(seed * 7919))
  const whole = Buffer.from(`${origin}${made.join('')}`).toString('latin1')
  let to = origin.length
  const cuts = made.map(({ length }) => {
    to += length
    return [to - length, to] as const
  })
  return () => cuts.map(([from, end]) => whole.slice(from, end))
}

const fresh = targets()
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

/** All requests of a round one after the other. They are made before: to make them is the host's work. */
function inTurn(fetch: (request: Request) => Response | Promise<Response>): Contender['cases'][string] {
  const requests = fresh().map((target) => new Request(origin + target, { headers }))
  return async () => {
    for (const request of requests) {
      const response = await fetch(request)
      if (response.status !== 200) throw new Error(`answered ${response.status}`)
    }
  }
}

async function verified(fetch: (request: Request) => Response | Promise<Response>): Promise<void> {
  const response = await fetch(new Request(origin + measuredTarget(1)))
  if (response.status !== 200 || (await response.text()) !== fixedText) throw new Error('another answer than expected')
  for (const [name, value] of Object.entries(fixedHeaders)) {
    if (response.headers.get(name) !== value) throw new Error(`another ${name}: ${response.headers.get(name)}`)
  }
  const refused = await fetch(new Request(`${origin}${measuredTarget(1)}&order=sideways`))
  if (refused.status !== 400) throw new Error('nothing was checked')
}

export const contenders: Contenders = {
  'site-api handle': async () => {
    const api = createApi()
    await verified(api.fetch)
    const run = () => {
      let bytes = 0
      for (const target of fresh()) bytes += (api.handle(new PlainIncoming(target)) as { body: string }).body.length
      return bytes
    }
    if (run() !== size * fixedText.length) throw new Error('another answer than expected')
    return { operations: size, cases: { request: run } }
  },

  'site-api fetch': async () => {
    const api = createApi()
    await verified(api.fetch)
    return { operations: size, cases: { request: inTurn(api.fetch) } }
  },

  'hono fetch': async () => {
    const app = createHonoApp()
    await verified((request) => app.fetch(request))
    return { operations: size, cases: { request: inTurn((request) => app.fetch(request)) } }
  },
}
