/**
 * Several servers on one PostgreSQL under mixed load: no slug twice, no update lost, each scheduled post published once, no
 * failure.
 */
import { openStorage } from '../../src/cli/storage.ts'
import { createSiteApi } from '../../src/create-site-api.ts'
import { d1 } from '../../src/profiles/d1.ts'
import type { Storage } from '../../src/storage/contract.ts'
import { smallSite } from '../support/small-site.ts'
import { faultsOf } from './integrity.ts'
import { type Answer, type ServerProcess, send, startServer } from './server-process.ts'

export interface TogetherOptions {
  readonly storage: string
  readonly seconds: number
  readonly processes?: number
}

export interface TogetherReport {
  readonly requests: number
  readonly wrong: readonly string[]
}

const clients = 9

export async function runTogether({ storage, seconds, processes = 3 }: TogetherOptions): Promise<TogetherReport> {
  await seedInto(storage)
  const servers = await Promise.all(Array.from({ length: processes }, () => startServer(storage)))
  const load = new Load(servers)
  try {
    await load.run(seconds)
  } finally {
    await Promise.all(servers.map((server) => server.end()))
  }
  const opened = await openStorage(storage)
  try {
    return { requests: load.requests, wrong: [...(await load.faults(opened)), ...(await faultsOf(storage))] }
  } finally {
    await opened.close?.()
  }
}

async function seedInto(storageText: string): Promise<void> {
  const api = createSiteApi({ storage: await openStorage(storageText), profile: d1, url: 'https://quay.example' })
  await api.site.seed(smallSite)
  await api.close()
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
    // The last scheduled posts are due a moment later; whoever is asked publishes them.
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
    for (const one of body?.responses ?? []) {
      if (one.status === 201) this.#slugs.push(one.body.slug)
      else this.#wrong.push(`a post in a batch was answered ${one.status}: ${JSON.stringify(one.body)}`)
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
    // One that was due before it was stored is published by its own request.
    if (status === 201) this.#scheduled.push(body.id)
  }

  async #variable(server: number, label: string): Promise<void> {
    if (this.#watermarks.length >= 900) return
    const variable = { type: 'global-color-variable', label, value: '#123456' }
    const { status, body } = await this.#send(server, 'POST', '/builder/v1/variables/create', variable)
    if (status < 300) this.#watermarks.push(body.data.watermark)
  }

  async #send(server: number, method: string, path: string, body?: object): Promise<Answer> {
    const { base } = this.#servers[server % this.#servers.length] as ServerProcess
    const answer = await send(base, method, path, body)
    this.requests++
    if (answer.status === 0 || answer.status >= 400) {
      this.#wrong.push(`${method} ${path} was answered ${answer.status}: ${JSON.stringify(answer.body)}`)
    }
    return answer
  }

  /** Sentences about what the storage and the servers tell otherwise than the answers did. */
  async faults(storage: Storage): Promise<string[]> {
    const wrong = [...this.#wrong]
    const unlike = (what: string, found: unknown, expected: unknown) => {
      if (found !== expected) wrong.push(`${what}: ${found}, expected ${expected}`)
    }
    unlike('different slugs', new Set(this.#slugs).size, this.#slugs.length)
    unlike('slugs that are stored', (await storage.posts.takenSlugs('post', this.#slugs)).length, this.#slugs.length)
    const [shared] = await storage.posts.read([this.#shared])
    unlike('the version of the shared post', shared?.version, 1 + this.#updates)
    unlike('different watermarks', new Set(this.#watermarks).size, this.#watermarks.length)
    unlike('the last watermark', Math.max(0, ...this.#watermarks), this.#watermarks.length)
    const told = this.#servers.flatMap(({ published }) => published)
    for (const id of this.#scheduled) unlike(`how often ${id} was told`, told.filter((one) => one === id).length, 1)
    const due = await storage.posts.read(this.#scheduled)
    unlike('posts that were published', due.filter(({ status }) => status === 'publish').length, this.#scheduled.length)
    return wrong
  }
}
