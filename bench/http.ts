/** Loads servers in interleaved rounds: each server process runs on one core, the load on the other. */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { nextMessage, spawnPinned } from './contenders.ts'
import { measuredTarget } from './fixed-response.ts'
import type { LoadOrder, LoadRequest, LoadResult } from './load.ts'
import type { BenchOptions } from './options.ts'
import { showProgress } from './progress.ts'

interface ServerFigures {
  /** The CPU time of the server in microseconds per request. */
  readonly cpu: readonly number[]
  /** Requests per second, by round. */
  readonly rate: readonly number[]
}

/** Rounds by workload and contender. */
export type HttpFigures = { readonly [workload: string]: { readonly [contender: string]: ServerFigures } }

interface Workload {
  readonly name: string
  readonly servers: 'fixed' | 'posts'
  readonly contenders: readonly string[]
  readonly requests: readonly LoadRequest[]
}

const gets = (paths: readonly string[]): LoadRequest[] => paths.map((path) => ({ method: 'GET', path }))
const seeds = Array.from({ length: 500 }, (_, seed) => seed)
const all = ['site-api', 'bare node:http', 'fastify', 'hono', 'express']
const onPosts = ['site-api', 'bare node:http', 'fastify']

/** Creates a new post with each request. */
const creates: LoadRequest[] = seeds.map((seed) => ({
  method: 'POST',
  path: '/api/cms/v2/posts',
  headers: { 'content-type': 'application/json', 'x-user': '1' },
  body: JSON.stringify({ title: `Note ${seed}`, content: '<p>The boats came in late.</p>', status: 'draft' }),
}))

const workloads: readonly Workload[] = [
  {
    name: 'fixed answer',
    servers: 'fixed',
    contenders: all,
    requests: gets(seeds.map((seed) => measuredTarget(seed * 7919))),
  },
  {
    name: 'post by id',
    servers: 'posts',
    contenders: onPosts,
    requests: gets(seeds.map((seed) => `/api/cms/v2/posts/${seed + 1}`)),
  },
  {
    name: 'list of 20 full posts',
    servers: 'posts',
    contenders: onPosts,
    requests: gets(['/api/cms/v2/posts?per_page=20']),
  },
  { name: 'list of 10 posts', servers: 'posts', contenders: ['site-api'], requests: gets(['/api/cms/v2/posts']) },
  {
    name: 'search',
    servers: 'posts',
    contenders: ['site-api'],
    requests: gets(seeds.map((seed) => `/api/cms/v2/posts?search=${seed}.3`)),
  },
  { name: 'create', servers: 'posts', contenders: ['site-api'], requests: creates },
]

interface Server {
  readonly child: ChildProcess
  readonly url: string
}

export async function measureServers(group: Workload['servers'], options: BenchOptions): Promise<HttpFigures> {
  const load = spawnPinned(1, fileOf('load.ts'), [])
  try {
    const figures: { [workload: string]: { [contender: string]: ServerFigures } } = {}
    for (const workload of workloads) {
      if (workload.servers === group) figures[workload.name] = await measureWorkload(workload, load, options)
    }
    return figures
  } finally {
    load.disconnect()
  }
}

async function start(group: string, name: string, flags: readonly string[] = []): Promise<Server> {
  const child = spawnPinned(0, fileOf('servers.ts'), [group, name], flags)
  return { child, url: `http://127.0.0.1:${await nextMessage(child)}` }
}

async function measureWorkload(
  { name, servers, contenders, requests }: Workload,
  load: ChildProcess,
  { rounds, loadSeconds, warmUpSeconds }: BenchOptions,
): Promise<{ [contender: string]: ServerFigures }> {
  const figures = new Map(contenders.map((contender) => [contender, { cpu: [] as number[], rate: [] as number[] }]))
  // A single contender is not compared, so its rounds may be shorter.
  const seconds = contenders.length > 1 ? loadSeconds : Math.min(loadSeconds, 1)
  const send = async (url: string, forSeconds: number) => {
    const order: LoadOrder = { url, seconds: forSeconds, requests }
    load.send(order)
    return (await nextMessage(load)) as LoadResult
  }
  for (let round = 1; round <= rounds; round++) {
    for (const [contender, { cpu, rate }] of figures) {
      showProgress(`${name}: round ${round} of ${rounds}: ${contender}`)
      // A new process for each round: the placement of compiled code sometimes changes the speed by a third.
      const { child, url } = await start(servers, contender)
      await send(url, warmUpSeconds)
      const before = await usage(child)
      const { responses, perSecond } = await send(url, seconds)
      cpu.push(((await usage(child)) - before) / responses)
      rate.push(perSecond)
      child.disconnect()
      await once(child, 'exit')
    }
  }
  return Object.fromEntries(figures)
}

/** Runs our server alone under one workload, with flags for a CPU profile. */
export async function loadOurs(name: string, flags: readonly string[], seconds: number): Promise<void> {
  const workload = workloads.find((candidate) => candidate.name === name)
  if (!workload) throw new Error(`there is no workload ${name}`)
  const load = spawnPinned(1, fileOf('load.ts'), [])
  const { child, url } = await start(workload.servers, 'site-api', flags)
  const order: LoadOrder = { url, seconds, requests: workload.requests }
  load.send(order)
  await nextMessage(load)
  load.disconnect()
  child.disconnect()
  await once(child, 'exit')
}

async function usage(child: ChildProcess): Promise<number> {
  child.send('usage')
  return (await nextMessage(child)) as number
}

const fileOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url))
