/** Loads servers in interleaved rounds: each server process runs on one core, the load on the other. */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { checkoutOf } from './checkout.ts'
import { nextMessage, spawnPinned } from './contenders.ts'
import type { LoadOrder, LoadResult } from './load.ts'
import type { BenchOptions } from './options.ts'
import type { Listening } from './post-servers.ts'
import { begin, showProgress } from './progress.ts'
import { commit, type ServerGroup, type Workload, workloads } from './workloads.ts'

interface ServerFigures {
  /** The CPU time of the server in microseconds per request. */
  readonly cpu: readonly number[]
  /** Requests per second, by round. */
  readonly rate: readonly number[]
}

/** Rounds by workload and contender. */
export type HttpFigures = { readonly [workload: string]: { readonly [contender: string]: ServerFigures } }

interface Server {
  readonly child: ChildProcess
  readonly url: string
  readonly authorization: string | undefined
}

export async function measureServers(group: ServerGroup, options: BenchOptions): Promise<HttpFigures> {
  begin(group)
  const load = spawnPinned(1, fileOf('load.ts'), [])
  const checkout = group === 'posts' && options.against !== undefined ? checkoutOf(options.against) : undefined
  try {
    const figures: { [workload: string]: { [contender: string]: ServerFigures } } = {}
    for (const workload of workloads) {
      if (workload.servers !== group || !(options.lines?.some((name) => workload.name.includes(name)) ?? true)) continue
      figures[workload.name] = await measureWorkload(workload, load, options, checkout)
    }
    return figures
  } finally {
    load.disconnect()
  }
}

/** A commit as a contender is our server, run from the files of that commit. */
async function start(
  { servers }: Workload,
  contender: string,
  { checkout, flags = [] }: { readonly checkout?: string | undefined; readonly flags?: readonly string[] } = {},
): Promise<Server> {
  const args = contender === commit ? [servers, 'site-api', checkout ?? ''] : [servers, contender]
  const child = spawnPinned(0, fileOf('servers.ts'), args, flags)
  const { port, authorization } = (await nextMessage(child)) as Listening
  return { child, url: `http://127.0.0.1:${port}`, authorization }
}

function orderOf(
  { requests, connections, amount }: Workload,
  { url, authorization }: Server,
  { seconds, times = 1 }: { readonly seconds: number; readonly times?: number },
): LoadOrder {
  return {
    ...{ url, requests, seconds },
    ...(amount && { amount: amount * times }),
    ...(connections && { connections }),
    ...(authorization && { authorization }),
  }
}

async function measureWorkload(
  workload: Workload,
  load: ChildProcess,
  { rounds, loadSeconds, warmUpSeconds }: BenchOptions,
  checkout: string | undefined,
): Promise<{ [contender: string]: ServerFigures }> {
  const contenders = workload.contenders.filter((contender) => contender !== commit || checkout !== undefined)
  const figures = new Map(contenders.map((contender) => [contender, { cpu: [] as number[], rate: [] as number[] }]))
  const send = async (server: Server, length: Parameters<typeof orderOf>[2]) => {
    load.send(orderOf(workload, server, length))
    return (await nextMessage(load)) as LoadResult
  }
  for (let round = 1; round <= rounds; round++) {
    // The order alternates, so that a phase of the machine does not always meet the same one.
    for (const [contender, { cpu, rate }] of round % 2 === 0 ? [...figures].reverse() : figures) {
      showProgress(`${workload.name}: round ${round} of ${rounds}: ${contender}`)
      // A new process for each round: the placement of compiled code sometimes changes the speed by a third.
      const server = await start(workload, contender, { checkout })
      await send(server, { seconds: warmUpSeconds, times: 3 })
      const before = await usage(server.child)
      const { responses, perSecond } = await send(server, { seconds: loadSeconds })
      cpu.push(((await usage(server.child)) - before) / responses)
      rate.push(perSecond)
      server.child.disconnect()
      await once(server.child, 'exit')
    }
  }
  return Object.fromEntries(figures)
}

/** Runs our server alone under one workload, with flags for a CPU profile. */
export async function loadOurs(name: string, flags: readonly string[], seconds: number): Promise<void> {
  const workload = workloads.find((candidate) => candidate.name === name)
  if (!workload) throw new Error(`there is no workload ${name}`)
  const load = spawnPinned(1, fileOf('load.ts'), [])
  const server = await start(workload, 'site-api', { flags })
  load.send(orderOf(workload, server, { seconds, times: 4 }))
  await nextMessage(load)
  load.disconnect()
  server.child.disconnect()
  await once(server.child, 'exit')
}

async function usage(child: ChildProcess): Promise<number> {
  child.send('usage')
  return (await nextMessage(child)) as number
}

const fileOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url))
