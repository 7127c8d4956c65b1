/** A site whose primary dies under load, and whose standby takes over behind the same address. */
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { postgresStorage } from '../../src/storage/postgres.ts'
import { startPostgres } from '../support/postgres-server.ts'
import { startProxy, type TcpProxy } from '../support/tcp-proxy.ts'
import { type Answer, openSite, outcomeOf, type TrustSite } from './site.ts'

/** The promises that hold after the end of a fault. */
const progressMs = 5000
const writers = 6

/** Writes and reads without pause until it has to end. */
class Load {
  readonly outcomes = new Map<string, ReturnType<typeof outcomeOf>>()
  readonly wrong: Answer[] = []
  readonly reads = new Set<number>()
  readonly #site: TrustSite
  readonly #running: Promise<unknown>
  #hasEnded = false
  #count = 0
  #watcher: { readonly isSeen: (outcome: string) => boolean; readonly resolve: () => void } | undefined

  constructor(site: TrustSite) {
    this.#site = site
    this.#running = Promise.all(Array.from({ length: writers }, (_, writer) => this.#work(writer)))
  }

  async #work(writer: number): Promise<void> {
    for (let at = 0; !this.#hasEnded; at++) {
      const title = `w${writer}-${at}`
      const answer = await this.#site.create(title)
      const outcome = outcomeOf(answer)
      this.outcomes.set(title, outcome)
      if (outcome === 'wrong') this.wrong.push(answer)
      this.#count++
      if (this.#watcher?.isSeen(outcome)) this.#watcher.resolve()
      const read = await this.#site.get(`/cms/v2/posts?search=${title}`)
      this.reads.add(read.status)
      // A refusal comes at once: without a turn of the loop nothing else would run.
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
  }

  /** Until so many further writes have this outcome. */
  async seen(expected: string, times: number): Promise<void> {
    let left = times
    await new Promise<void>((resolve) => {
      this.#watcher = { isSeen: (outcome) => outcome === expected && --left <= 0, resolve }
    })
  }

  get count(): number {
    return this.#count
  }

  async end(): Promise<void> {
    this.#hasEnded = true
    await this.#running
  }
}

interface Servers {
  readonly proxy: TcpProxy
  readonly primary: pg.Client
  readonly standby: pg.Client
}

/** The event that hits the primary before it is killed. */
type Death = (servers: Servers) => Promise<unknown> | undefined

/** Until a commit waits for the standby, which does not show it. */
async function holdCommit({ primary, standby }: Servers): Promise<void> {
  await standby.query('select pg_wal_replay_pause()')
  for (const deadline = Date.now() + 10_000; Date.now() < deadline; ) {
    const { rows } = await primary.query(`select 1 from pg_stat_activity where wait_event = 'SyncRep'`)
    if (rows.length > 0) return
  }
  throw new Error('no commit waits for the standby')
}

async function connect(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString })
  // The primary is killed.
  client.on('error', () => undefined)
  await client.connect()
  onTestFinished(() => client.end())
  return client
}

test.each<[string, Death]>([
  ['is killed', () => undefined],
  // The connections get no signal that their server is gone.
  ['goes silent and is killed', async ({ proxy }) => proxy.fail('swallow')],
  ['is killed during a commit', holdCommit],
])('a site whose primary %s goes on with the standby, and has every acknowledged write', async (_, die) => {
  const primary = await startPostgres({ isDurable: true })
  onTestFinished(() => primary.stop())
  const standby = await primary.standby()
  onTestFinished(() => standby.stop())
  const proxy = await startProxy({ host: '127.0.0.1', port: Number(new URL(primary.url).port) })
  onTestFinished(() => proxy.close())
  const url = new URL(primary.url)
  url.port = String(proxy.port)
  const site = await openSite(postgresStorage({ connectionString: url.href, max: 10 }))
  onTestFinished(() => site.close())
  const load = new Load(site)
  await load.seen('yes', 60)

  const promoting = await connect(standby.url)
  await die({ proxy, primary: await connect(primary.url), standby: promoting })
  await primary.kill()
  await load.seen('no', writers * 2)
  await promoting.query('select pg_promote(true, 60)')
  proxy.redirect({ host: '127.0.0.1', port: Number(new URL(standby.url).port) })
  proxy.heal()
  const promoted = performance.now()
  await load.seen('yes', 1)
  const progressAfter = performance.now() - promoted
  await load.seen('yes', 60)
  await load.end()

  expect(load.wrong).toEqual([])
  expect([...load.reads].filter((status) => status !== 200 && status !== 503)).toEqual([])
  expect(progressAfter).toBeLessThan(progressMs)
  const told = (outcome: string) => [...load.outcomes].flatMap(([title, one]) => (one === outcome ? [title] : []))
  const stored = async () => {
    const { rows } = await promoting.query("select title from site_api.posts where type = 'post' and title like 'w%-%'")
    return rows.map(({ title }) => String(title))
  }
  const found = await stored()
  expect(new Set(found).size).toBe(found.length)
  if (die === holdCommit) expect(told('perhaps').length).toBeGreaterThan(0)
  expect(told('yes').filter((title) => !found.includes(title))).toEqual([])
  expect(told('no').filter((title) => found.includes(title))).toEqual([])
  // A client that got "perhaps" sends the request again with its key: in the end each is there once.
  for (const title of told('perhaps')) expect((await site.create(title)).status).toBe(201)
  const after = await stored()
  expect(new Set(after).size).toBe(after.length)
  expect(told('perhaps').filter((title) => !after.includes(title))).toEqual([])
  const figures = ['yes', 'no', 'perhaps'].map((outcome) => `${told(outcome).length} ${outcome}`)
  console.log(
    `${load.count} writes (${figures.join(', ')}), first write ${Math.round(progressAfter)} ms after the promotion`,
  )
})
