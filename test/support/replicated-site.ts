/** Runs processes of a site on a primary and its standbys, and shows which server answers. */
import pg from 'pg'
import { expect, onTestFinished } from 'vitest'
import { createSiteApi } from '../../src/host/create-site-api.ts'
import { wordpress } from '../../src/names/wordpress.ts'
import { d1 } from '../../src/profiles/d1.ts'
import { postgresStorage } from '../../src/storage/postgres.ts'
import { replicatedStorage } from '../../src/storage/replicas.ts'
import { RoundTrips } from './counting-client.ts'
import { newSchema } from './postgres.ts'
import type { Standby } from './postgres-server.ts'
import { passwordOf, smallSite } from './small-site.ts'

const timeouts = { connectMs: 1000, queryMs: 1000, lockMs: 5000, closeMs: 1000 }
const authorization = `Basic ${Buffer.from(`edith:${passwordOf('edith')}`).toString('base64')}`
const address = 'https://quay.example/api'

/** A pool that notes the texts of its statements. */
function watchedPool(connectionString: string) {
  const texts: string[] = []
  const counted = new RoundTrips()
  counted.watch = (text) => texts.push(text)
  const pool = new pg.Pool({ connectionString, max: 4, pipeline: true, Client: counted.Client })
  // Servers are killed.
  pool.on('error', () => undefined)

  /** How many read posts. */
  const postReads = () => texts.filter((text) => /^select .*\.posts\b/s.test(text)).length
  /** Statements that are no reads. */
  const writes = () => texts.filter((text) => !/^select /.test(text))
  return { pool, postReads, writes }
}

interface SiteOptions {
  readonly primary: string
  readonly replicas: readonly string[]
  readonly schema?: string
}

/** One process of a site. */
export async function openReplicatedSite({ primary, replicas, schema = newSchema() }: SiteOptions) {
  const main = watchedPool(primary)
  const copies = replicas.map(watchedPool)
  const storage = replicatedStorage(
    postgresStorage(main.pool, { schema, timeouts }),
    copies.map(({ pool }) => pool),
  )
  const log = { error: () => undefined }
  const api = createSiteApi({ storage, profile: d1, url: 'https://quay.example', names: wordpress, log })

  let turn = 0
  const send = async (path: string, init: RequestInit = {}) => {
    const response = await api.fetch(new Request(`${address}${path}`, init))
    return { status: response.status, headers: response.headers, body: await response.json() }
  }
  const titlesOf = (body: readonly { readonly title: { readonly rendered: string } }[]) =>
    body.map(({ title }) => title.rendered)
  const site = {
    schema,
    authorization,
    /** Creates a post; answers with its position. */
    create: async (title: string): Promise<string | null> => {
      const { status, headers } = await send('/wp/v2/posts', {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json' },
        body: JSON.stringify({ title, status: 'publish' }),
      })
      expect(status).toBe(201)
      return headers.get('x-wp-position')
    },
    send,
    fetch: api.fetch,
    storage,
    /** The titles of all posts, as a visitor sees them: the addresses differ, so no answer is kept. */
    titles: async (headers: { readonly [name: string]: string } = {}): Promise<readonly string[]> => {
      const { status, body } = await send(`/wp/v2/posts?per_page=100&exclude=${100_000 + ++turn}`, { headers })
      expect(status).toBe(200)
      return titlesOf(body)
    },
    /** Which server a visitor's request reads posts on: 0 is the primary, 1 the first replica. */
    served: async (): Promise<number> => {
      const counts = () => [main, ...copies].map(({ postReads }) => postReads())
      const before = counts()
      await site.titles()
      const after = counts()
      const grown = after.flatMap((count, at) => (count > (before[at] ?? 0) ? [at] : []))
      expect(grown).toHaveLength(1)
      return grown[0] ?? -1
    },
    /** Reads until a replica answers. */
    untilServedBy: async (server: number): Promise<void> => {
      while ((await site.served()) !== server) await new Promise((resolve) => setImmediate(resolve))
    },
    seed: () => api.site.seed(smallSite),
    /** Statements of a replica other than reads. */
    replicaWrites: () => copies.flatMap(({ writes }) => writes()),
    close: async () => {
      await api.close()
      await Promise.all([main, ...copies].map(({ pool }) => pool.end()))
    },
  }
  return site
}

export async function connectUntilEnd(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString })
  client.on('error', () => undefined)
  await client.connect()
  onTestFinished(() => client.end())
  return client
}

/** The standby shows nothing new until the result is called, or the test ends. */
export async function holdReplay(standby: Standby): Promise<() => Promise<void>> {
  const client = await connectUntilEnd(standby.url)
  await client.query('select pg_wal_replay_pause()')
  for (let state = ''; state !== 'paused'; )
    state = (await client.query('select pg_get_wal_replay_pause_state() as state')).rows[0].state
  const resume = async () => void (await client.query('select pg_wal_replay_resume()'))
  onTestFinished(resume)
  return resume
}
