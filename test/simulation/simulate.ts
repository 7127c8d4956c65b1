/** Runs one seed: clients, a world and a storage; returns the problems. */

import type { Storage } from '../../src/contract/storage.ts'
import { profile } from '../../src/core/declare/profile.ts'
import { batch } from '../../src/features/content/batch.ts'
import { posts } from '../../src/features/content/posts/index.ts'
import { nextDueOption } from '../../src/features/content/posts/schedule.ts'
import { createSiteApi, type SiteApi } from '../../src/host/create-site-api.ts'
import { postValues, userValues } from '../../src/testing/content.ts'
import { type Client, type Notes, runClient, type Send } from './clients.ts'
import { isExplained } from './history.ts'
import { randomOf } from './random.ts'
import { failureAt, simulatedStorage } from './simulated-storage.ts'
import { type Chances, createWorld, type Process } from './world.ts'

const small = profile({ name: 'simulated', gmtOffset: 'text', features: [posts, batch] })

const registerCount = 3
const clientCount = 4
const operationsPerClient = 6

export interface Simulation {
  readonly seed: number
  /** Open and empty. */
  readonly storage: Storage
  readonly chances?: Chances
  /** Puts a defect into the storage that the processes use. */
  readonly broken?: (storage: Storage) => Storage
}

export interface SimulationReport {
  readonly problems: readonly string[]
  readonly trace: string
  readonly operations: number
  readonly unknown: number
}

export async function simulate({
  seed,
  storage,
  chances = { failure: 0.02, restart: 0.01 },
  broken = (given) => given,
}: Simulation): Promise<SimulationReport> {
  const random = randomOf(seed)
  const world = createWorld(random, chances, failureAt)
  const [admin = 0] = await storage.users.insert([{ ...userValues('ada'), roles: ['administrator'] }])
  const ids = await storage.posts.insert(
    Array.from({ length: registerCount }, (_, at) =>
      postValues({ slug: `register-${at}`, title: 'initial', author: admin }),
    ),
  )
  await runWaitingTasks(storage)
  const start = () => startProcess(broken, storage, world, admin)
  let running = start()
  const notes: Notes = { history: [], created: new Map(), faults: [], time: 0 }
  const send: Send = (...request) => running.send(...request)
  const clients: Client[] = Array.from({ length: clientCount }, (_, at) => ({
    ...{ name: `client-${at}`, random: randomOf(random.below(2 ** 31)), send, posts: ids, notes },
  }))
  let done = 0
  const all = clients.map((client) => runClient(client, operationsPerClient).finally(() => done++))
  const goesOn = await world.run(
    () => done === clients.length,
    () => {
      running.process.isDead = true
      running = start()
    },
  )
  if (!goesOn) return reportOf(notes, world.trace, ['nothing goes on any more'])
  await Promise.all(all)
  const problems = [...notes.faults, ...(await wrongIn(storage, ids, notes))]
  return reportOf(notes, world.trace, problems)
}

const reportOf = ({ history }: Notes, trace: readonly string[], problems: readonly string[]): SimulationReport => ({
  problems,
  trace: trace.join('\n'),
  operations: history.length,
  unknown: history.filter(({ end }) => end === Number.POSITIVE_INFINITY).length,
})

/** A timer runs what no request waits for, in an order that no seed decides. The task that requests run is due again. */
async function runWaitingTasks(storage: Storage): Promise<void> {
  const { site } = createSiteApi({ storage, profile: small, url: 'https://simulated.example', clock: () => 0 })
  await site.runDue()
  await storage.options.write({ [nextDueOption]: null })
}

function startProcess(
  broken: (storage: Storage) => Storage,
  storage: Storage,
  world: ReturnType<typeof createWorld>,
  admin: number,
): { readonly process: Process; readonly send: Send } {
  const process: Process = { isDead: false }
  const api: Pick<SiteApi, 'fetch'> = createSiteApi({
    storage: broken(simulatedStorage(storage, world, process)),
    profile: small,
    url: 'https://simulated.example',
    clock: () => world.clock.now,
    authenticate: () => admin,
    log: { error: () => undefined },
  })
  return {
    process,
    async send(method, path, body, headers = {}) {
      const response = await api.fetch(
        new Request(`https://simulated.example/api${path}`, {
          method,
          headers: { 'content-type': 'application/json', ...headers },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        }),
      )
      // Responses of a killed process arrive nowhere.
      if (process.isDead) return undefined
      const text = await response.text()
      return { status: response.status, body: text === '' ? {} : JSON.parse(text), etag: response.headers.get('etag') }
    },
  }
}

/** Compares the stored rows in the end with the responses to the clients. */
async function wrongIn(storage: Storage, ids: readonly number[], notes: Notes): Promise<string[]> {
  const problems: string[] = []
  const registers = await storage.posts.read(ids)
  for (const [register, { title }] of registers.entries()) {
    const now = ++notes.time
    notes.history.push({ effect: { kind: 'read', register, value: title }, start: now, end: ++notes.time })
  }
  const initial = Array.from({ length: registerCount }, () => 'initial')
  if (!isExplained(notes.history, initial)) problems.push(`no order explains ${JSON.stringify(notes.history)}`)
  const everything = {
    types: ['post'],
    order: { by: 'id', descending: false },
    offset: 0,
    limit: 1000,
    total: true,
  } as const
  const { idsPage, total } = await storage.posts.query(everything)
  if (idsPage.length !== total) problems.push(`the storage counts ${total} posts and has ${idsPage.length}`)
  const titles = (await storage.posts.read(idsPage.map(({ id }) => id))).map(({ title }) => title)
  for (const [title, isCreated] of notes.created) {
    const count = titles.filter((one) => one === title).length
    if (count > 1) problems.push(`${title} was created ${count} times`)
    if (count === 0 && isCreated === 'yes') problems.push(`${title} was acknowledged and is not there`)
    if (count === 1 && isCreated === 'no') problems.push(`${title} was refused and is there`)
  }
  return problems
}
