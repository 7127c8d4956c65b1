/**
 * Runs one seed of the work outside the storage: uploads, removals and webhooks, on a network that loses requests and responses,
 * with files that fail and processes that end. Then the failures end, and the check expects all that was acknowledged: files with
 * their records and no others, and each event at its receiver. Timers must be mocked: the seed decides the time.
 */
import type { Storage } from '../../src/contract/storage.ts'
import { profile } from '../../src/core/declare/profile.ts'
import { batch } from '../../src/features/content/batch.ts'
import { media } from '../../src/features/content/media/index.ts'
import { posts } from '../../src/features/content/posts/index.ts'
import { signature } from '../../src/features/integration/outbox/signature.ts'
import { createSiteApi, type SiteApi } from '../../src/host/create-site-api.ts'
import type { OutgoingRequest } from '../../src/services/http-client/index.ts'
import { createMedia } from '../../src/services/media.ts'
import { userValues } from '../../src/testing/content.ts'
import { type Delivered, type Files, type Known, type Made, problemsOf } from './outside-check.ts'
import { type Random, randomOf } from './random.ts'
import { failureAt, simulatedStorage } from './simulated-storage.ts'
import { createWorld, type Point, type Process, type World } from './world.ts'

const small = profile({ name: 'simulated', gmtOffset: 'text', features: [posts, batch, media] })
const address = 'https://simulated.example'
const secret = `whsec_${Buffer.from('a key of 24 bytes, or so').toString('base64')}`
const pixel = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')
const operations = 12
const hour = 3_600_000
/** Deliveries are tried again for two and a half days, and files without a record go after an hour. */
const lastRuns = 80

interface Answer {
  readonly status: number
  readonly body: { readonly [member: string]: unknown }
}

export interface OutsideReport {
  readonly problems: readonly string[]
  readonly trace: string
  readonly operations: number
  readonly deliveries: number
  readonly unknown: number
}

/** The storage is open and empty, and is closed at the end. `chance` is that of a failure at each point. */
export async function simulateOutside(seed: number, storage: Storage, chance = 0.02): Promise<OutsideReport> {
  const random = randomOf(seed)
  const chances = { failure: chance, restart: chance / 2 }
  const world = createWorld(random, chances, failureAt)
  const [admin = 0] = await storage.users.insert([{ ...userValues('ada'), roles: ['administrator'] }])
  const files: Files = new Map()
  const received: Delivered[] = []
  const faults: string[] = []
  const start = () => startSite({ storage, world, admin, files, received, faults })
  let running = start()
  const made: Made[] = []
  const settled = async (work: Promise<unknown>) => {
    let isDone = false
    const ended = work.finally(() => {
      isDone = true
    })
    const goesOn = await world.run(
      () => isDone,
      () => {
        running.process.isDead = true
        running = start()
      },
    )
    if (goesOn) await ended
    else faults.push('nothing goes on any more')
  }

  for (let number = 0; number < operations; number++) {
    const send: Send = (...request) => running.send(...request)
    await settled(random.pick(actions)({ random, made, faults, send, name: `tide-${number}` }))
    // The work of a process that has ended is taken up by the next one.
    await settled(running.runDue())
    world.clock.now += random.below(hour)
  }
  Object.assign(chances, { failure: 0, restart: 0 })
  for (let run = 0; run < lastRuns; run++) {
    world.clock.now += hour
    await settled(running.runDue())
  }
  const problems = [...faults, ...(await problemsOf({ storage, files, made, received }))]
  await settled(running.close())
  const unknown = made.filter((one) => one.isCreated === 'unknown' || one.isRemoved === 'unknown').length
  return { problems, trace: world.trace.join('\n'), operations: made.length, deliveries: received.length, unknown }
}

// ---------------------------------------------------------------- clients

type Send = (
  method: string,
  path: string,
  body?: string | Buffer,
  headers?: { readonly [name: string]: string },
) => Promise<Answer | undefined>

interface Client {
  readonly random: Random
  readonly made: Made[]
  readonly faults: string[]
  readonly send: Send
  readonly name: string
}

const expectedStatuses: ReadonlySet<number> = new Set([200, 201, 404, 409, 410, 503])

function knownBy({ faults, name }: Client, answer: Answer | undefined): Known {
  if (!answer) return 'unknown'
  if (!expectedStatuses.has(answer.status)) faults.push(`${name}: ${answer.status} ${JSON.stringify(answer.body)}`)
  if (answer.status < 300) return 'yes'
  const { written } = (answer.body['data'] ?? {}) as { readonly written?: unknown }
  // 409 means that an earlier attempt with the key ended without a known outcome.
  return (answer.status === 503 && written !== 'no') || answer.status === 409 ? 'unknown' : 'no'
}

const maxAttempts = 4

/** With a key, the request is repeated until its outcome is known. */
async function write(client: Client, hasKey: boolean, send: (headers: object) => ReturnType<Send>) {
  const headers = hasKey ? { 'idempotency-key': client.name } : {}
  let outcome: Known = 'no'
  for (let attempt = 0; attempt < (hasKey ? maxAttempts : 1); attempt++) {
    const answer = await send(headers)
    const known = knownBy(client, answer)
    if (known === 'yes') return { answer, outcome: known } as const
    // One unknown attempt is enough: a later one that wrote nothing says nothing about it.
    if (known === 'unknown') outcome = 'unknown'
  }
  return { answer: undefined, outcome } as const
}

async function createPost(client: Client): Promise<void> {
  const body = JSON.stringify({ title: client.name, status: 'publish' })
  const { answer, outcome } = await write(client, client.random.chance(0.5), (headers) =>
    client.send('POST', '/cms/v2/posts', body, { 'content-type': 'application/json', ...headers }),
  )
  note(client, 'posts', outcome, answer)
}

async function upload(client: Client): Promise<void> {
  const disposition = {
    'content-type': 'image/gif',
    'content-disposition': `attachment; filename="${client.name}.gif"`,
  }
  const { answer, outcome } = await write(client, client.random.chance(0.5), (headers) =>
    client.send('POST', '/cms/v2/media', pixel, { ...disposition, ...headers }),
  )
  note(client, 'media', outcome, answer)
}

function note({ made, name }: Client, collection: Made['collection'], isCreated: Known, answer: Answer | undefined) {
  const id = answer?.body['id']
  made.push({ collection, title: name, isCreated, isRemoved: 'no', ...(typeof id === 'number' ? { id } : {}) })
}

async function remove(client: Client): Promise<void> {
  const removable = client.made.filter(({ id, isRemoved }) => id !== undefined && isRemoved === 'no')
  if (removable.length === 0) return upload(client)
  const chosen = client.random.pick(removable)
  const path = `/cms/v2/${chosen.collection}/${chosen.id}?force=true`
  const { outcome } = await write(client, client.random.chance(0.5), (headers) =>
    client.send('DELETE', path, undefined, headers as { [name: string]: string }),
  )
  chosen.isRemoved = outcome
}

const actions = [createPost, createPost, upload, upload, upload, remove, remove]

// ---------------------------------------------------------------- the site

interface SiteParts {
  readonly storage: Storage
  readonly world: World
  readonly admin: number
  readonly files: Files
  readonly received: Delivered[]
  readonly faults: string[]
}

interface Running {
  readonly process: Process
  readonly send: Send
  readonly runDue: () => Promise<void>
  readonly close: () => Promise<void>
}

function startSite({ storage, world, admin, files, received, faults }: SiteParts): Running {
  const process: Process = { isDead: false }
  const reach = (point: Point) => world.reach(process, point)
  const around = async <T>([before, after]: readonly [Point, Point], work: () => T) => {
    await reach(before)
    const result = await work()
    await reach(after)
    return result
  }
  const getItem = (key: string) => files.get(key)
  const driver = {
    getItem,
    getItemRaw: getItem,
    hasItem: (key: string) => files.has(key),
    setItemRaw: (key: string, value: Uint8Array) => around(['file', 'file done'], () => files.set(key, value.slice())),
    removeItem: (key: string) => around(['file', 'file done'], () => files.delete(key)),
  }
  const outbound = {
    get: () => Promise.reject(new Error('nothing is fetched here')),
    send: (_: string, request: OutgoingRequest) =>
      around(['delivery', 'delivered'], () => {
        if (!isSigned(request)) faults.push('a delivery has a wrong signature')
        received.push(JSON.parse(String(request.body)))
        return { status: 204, headers: new Headers(), body: new Uint8Array(), url: '' }
      }),
  }
  const api: SiteApi = createSiteApi({
    storage: simulatedStorage(storage, world, process),
    profile: small,
    url: address,
    clock: () => world.clock.now,
    authenticate: () => admin,
    log: { error: () => undefined },
    webhooks: [{ url: 'https://receiver.example/hook', secret }],
    services: { media: createMedia({ driver }), outbound },
  })
  const send: Send = async (method, path, body, headers = {}) => {
    try {
      await reach('request')
      const sent = body === undefined ? {} : { body: typeof body === 'string' ? body : new Uint8Array(body) }
      const response = await api.fetch(new Request(`${address}/api${path}`, { method, headers, ...sent }))
      await reach('response')
      if (process.isDead) return undefined
      const text = await response.text()
      return { status: response.status, body: text === '' ? {} : JSON.parse(text) }
    } catch {
      // The network lost the request or the response, or the process has ended.
      return undefined
    }
  }
  // A run that fails is repeated by the next one.
  const runDue = () => api.site.runDue().catch(() => undefined)
  return { process, send, runDue, close: () => api.close() }
}

function isSigned({ headers = {}, body }: OutgoingRequest): boolean {
  const values = headers as { readonly [name: string]: string }
  const time = new Date(Number(values['webhook-timestamp']) * 1000)
  return values['webhook-signature'] === signature(secret, String(values['webhook-id']), time, String(body))
}
