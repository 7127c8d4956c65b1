/** A visitor's reads of posts in SQLite, in process: with cached responses, with cached rows alone, and between writes. */

import type { Storage } from '../src/contract/storage.ts'
import type { Incoming } from '../src/core/declare/request.ts'
import { createSiteApi, d1, type SiteApi } from '../src/index.ts'
import { createContent, siteUrl } from './content.ts'
import type { Contender, Contenders } from './measure.ts'

const postCount = 1000
const size = 100

class PlainIncoming implements Incoming {
  readonly method = 'GET'
  readonly source = 'http'
  readonly mayHaveBody = false
  readonly path: string
  readonly query: string
  constructor(path: string, query: string) {
    this.path = path
    this.query = query
  }
  header(): undefined {
    return undefined
  }
  readBody() {
    return undefined
  }
}

const byId = Array.from({ length: size }, (_, at) => new PlainIncoming(`/cms/v2/posts/${at + 1}`, ''))
const list = Array.from({ length: size }, () => new PlainIncoming('/cms/v2/posts', 'per_page=20'))

function answering(api: SiteApi, requests: readonly Incoming[], before: (at: number) => void = () => undefined) {
  return async () => {
    let bytes = 0
    for (const [at, request] of requests.entries()) {
      before(at)
      // The cast: no response of these is a stream.
      const { status, body } = (await api.handle(request)) as { status: number; body: string | Uint8Array }
      if (status !== 200) throw new Error(`status ${status}`)
      bytes += body.length
    }
    return bytes
  }
}

async function contender(
  responseBytes: number,
  beforeIn: (storage: Storage) => ((at: number) => void) | undefined = () => undefined,
): Promise<Contender> {
  const { storage, dispose } = await createContent(postCount)
  process.on('exit', dispose)
  const api = createSiteApi({ storage, profile: d1, url: siteUrl, limits: { responseBytes } })
  // A row that is rendered for the first time is answered later.
  for (const request of [...byId, ...list.slice(0, 1)]) await api.handle(request)
  const before = beforeIn(storage)
  return {
    operations: size,
    cases: { 'post by id': answering(api, byId, before), 'list of 20': answering(api, list, before) },
  }
}

const cacheBytes = 16 * 1024 * 1024

/** An option that no answer shows. */
const unrelatedWrites = (every: number) => (storage: Storage) => {
  let writes = 0
  return (at: number) => {
    if (at % every === 0) storage.options.write({ bench: ++writes })
  }
}

export const contenders: Contenders = {
  'cached responses': () => contender(cacheBytes),
  'kept rows alone': () => contender(0),
  'cached responses, 1 % writes': () => contender(cacheBytes, unrelatedWrites(100)),
  'cached responses, a write before each': () => contender(cacheBytes, unrelatedWrites(1)),
}
