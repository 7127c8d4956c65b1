/**
 * Several servers on one PostgreSQL under mixed load. Checks for duplicate slugs, lost updates, scheduled posts that are not
 * published exactly once, and failed requests.
 */
import { openStorage } from '../../src/cli/storage.ts'
import type { Storage } from '../../src/contract/storage.ts'
import { faultsOf } from './integrity.ts'
import { seedStorage } from './seed.ts'
import { type ServerProcess, type ServerResponse, send, startServer } from './server-process.ts'

interface ConcurrencyOptions {
  readonly storage: string
  readonly seconds: number
  readonly processes?: number
  /** Where the integrity is checked; by default where the servers connect, which may be a pooler without sessions. */
  readonly checkedAt?: string
}

interface ConcurrencyReport {
  readonly requests: number
  readonly wrong: readonly string[]
}

const clients = 9

export async function runConcurrentServers({
  storage,
  seconds,
  processes = 3,
  checkedAt = storage,
}: ConcurrencyOptions): Promise<ConcurrencyReport> {
  await seedStorage(storage)
  const servers = await Promise.all(Array.from({ length: processes }, () => startServer(storage)))
  const load = new Load(servers)
  try {
    await load.run(seconds)
  } finally {
    await Promise.all(servers.map((server) => server.end()))
  }
  const checked = await openStorage(storage)
  try {
    return { requests: load.requests, wrong: [...(await load.faults(checked)), ...(await faultsOf(checkedAt))] }
  } finally {
    await checked.close?.()
  }
}

class Load {
  requests = 0
  readonly #servers: readonly ServerProcess[]
  readonly #wrong: string[] = []
  readonly #slugs: string[] = []
  readonly #scheduled: number[] = []
  #shared = 0
  #updates = 0
  #watermarks: number[] = []

  constructor(servers: readonly ServerProcess[]) {
    this.#servers = servers
  }

  async run(seconds: number): Promise<void> {
    const shared = await this.#send(0, 'POST', '/cms/v2/posts', { title: 'Shared', content: 'v0' })
    this.#shared = shared.body.id
    const end = Date.now() + seconds * 1000
    await Promise.all(Array.from({ length: clients }, (_, client) => this.#work(client, end)))
    // Waits until the last scheduled posts are due; the next request to any server publishes them.
    await new Promise((resolve) => setTimeout(resolve, 2500))
    await Promise.all(this.#servers.map((_, at) => this.#send(at, 'GET', '/cms/v2/posts')))
  }

  async #work(client: number, end: number): Promise<void> {
    for (let at = 0; Date.now() < end; at++) {
      const server = client + at
      await this.#create(server)
      await this.#update(server + 1, `v${client}-${at}`)
      await this.#schedule(server + 2, at)
      await this.#variable(server, `tone-${client}-${at}`)
      await this.#send(server + 1, 'GET', '/cms/v2/posts?per_page=20&search=title')
      await this.#batch(server + 2)
    }
  }

  async #create(server: number): Promise<void> {
    const { status, body } = await this.#send(server, 'POST', '/cms/v2/posts', {
      title: 'Same title',
      status: 'publish',
    })
    if (status === 201) this.#slugs.push(body.slug)
  }

  async #batch(server: number): Promise<void> {
    const requests = [1, 2, 3].map(() => ({ path: '/cms/v2/posts', body: { title: 'Same title', status: 'publish' } }))
    const { body } = await this.#send(server, 'POST', '/batch/v1', { requests })
    for (const response of body?.responses ?? []) {
      if (response.status === 201) this.#slugs.push(response.body.slug)
      else this.#wrong.push(`a post in a batch got ${response.status}: ${JSON.stringify(response.body)}`)
    }
  }

  async #update(server: number, content: string): Promise<void> {
    const { status } = await this.#send(server, 'POST', `/cms/v2/posts/${this.#shared}`, { content })
    if (status === 200) this.#updates++
  }

  async #schedule(server: number, at: number): Promise<void> {
    if (at % 3 !== 0) return
    const date = new Date(Date.now() + 1000 + Math.random() * 1000).toISOString().slice(0, 19)
    const { status, body } = await this.#send(server, 'POST', '/cms/v2/posts', {
      title: `Scheduled ${server}`,
      status: 'future',
      date_gmt: date,
    })
    // A post that is due before it is stored is published by its own request.
    if (status === 201) this.#scheduled.push(body.id)
  }

  async #variable(server: number, label: string): Promise<void> {
    if (this.#watermarks.length >= 900) return
    const variable = { type: 'global-color-variable', label, value: '#123456' }
    const { status, body } = await this.#send(server, 'POST', '/builder/v1/variables/create', variable)
    if (status < 300) this.#watermarks.push(body.data.watermark)
  }

  async #send(server: number, method: string, path: string, body?: object): Promise<ServerResponse> {
    const { base } = this.#servers[server % this.#servers.length] as ServerProcess
    const response = await send(base, method, path, body)
    this.requests++
    if (response.status === 0 || response.status >= 400) {
      this.#wrong.push(`${method} ${path} got ${response.status}: ${JSON.stringify(response.body)}`)
    }
    return response
  }

  /** Descriptions of differences between the responses and the storage or the events; empty if there are none. */
  async faults(storage: Storage): Promise<string[]> {
    const wrong = [...this.#wrong]
    const expectEqual = (what: string, actual: unknown, expected: unknown) => {
      if (actual !== expected) wrong.push(`${what}: ${actual}, expected ${expected}`)
    }
    expectEqual('different slugs', new Set(this.#slugs).size, this.#slugs.length)
    expectEqual(
      'slugs that are stored',
      (await storage.posts.takenSlugs('post', this.#slugs)).length,
      this.#slugs.length,
    )
    const [shared] = await storage.posts.read([this.#shared])
    expectEqual('the version of the shared post', shared?.version, 1 + this.#updates)
    expectEqual('different watermarks', new Set(this.#watermarks).size, this.#watermarks.length)
    expectEqual('the last watermark', Math.max(0, ...this.#watermarks), this.#watermarks.length)
    const events = this.#servers.flatMap(({ published }) => published)
    for (const id of this.#scheduled) {
      expectEqual(`publication events of ${id}`, events.filter((eventId) => eventId === id).length, 1)
    }
    const due = await storage.posts.read(this.#scheduled)
    expectEqual(
      'posts that were published',
      due.filter(({ status }) => status === 'publish').length,
      this.#scheduled.length,
    )
    return wrong
  }
}
