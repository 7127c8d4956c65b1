/**
 * Measures one contender in its own process on request of the parent; `benchmark` takes the samples. `contenders.ts` starts it
 * as `node measure.ts <file> <contender>`.
 */
import Benchmark from 'benchmark'
import { median } from './statistics.ts'

/** The cases to measure, by name. Each function runs `operations` equal operations. */
export interface Contender {
  readonly operations: number
  /** `wall` where waiting for the disk is part of the work. Default: `cpu`. */
  readonly clock?: 'cpu' | 'wall'
  readonly cases: { readonly [name: string]: () => unknown }
}

export type Contenders = { readonly [name: string]: () => Contender | Promise<Contender> }

export interface Order {
  readonly name: string
  readonly seconds: number
}

/**
 * Nanoseconds per operation. `benchmark` decides the number of runs; the CPU time of the process is measured, because wall
 * time on a shared machine includes other processes.
 */
export async function measure({ operations, clock }: Contender, run: () => unknown, seconds: number): Promise<number> {
  const isAsync = run() instanceof Promise
  let runs = 0
  const counted = (deferred?: Benchmark.Deferred) => {
    runs++
    const result = run()
    if (deferred) void (result as Promise<unknown>).then(() => deferred.resolve())
  }
  const bench = new Benchmark('', counted, { defer: isAsync, maxTime: seconds, minSamples: 5, minTime: 0.01 })
  const before = process.cpuUsage()
  await new Promise((resolve) => void bench.on('complete', resolve).run({ async: isAsync }))
  const { user, system } = process.cpuUsage(before)
  // `benchmark` does not throw the error of a run.
  const failure = (bench as unknown as { error?: Error }).error
  if (failure) throw failure
  if (clock === 'wall') return (median(bench.stats.sample) * 1e9) / operations
  return ((user + system) * 1000) / (runs * operations)
}

async function serve(file: string, name: string): Promise<void> {
  const { contenders } = (await import(file)) as { readonly contenders: Contenders }
  const create = contenders[name]
  if (!create) throw new Error(`${file} has no contender ${name}`)
  const contender = await create()
  const { cases } = contender
  process.on('message', async (order: Order) => {
    const run = cases[order.name]
    if (!run) throw new Error(`${name} has no case ${order.name}`)
    process.send?.(await measure(contender, run, order.seconds))
  })
  process.on('disconnect', () => process.exit())
  process.send?.(Object.keys(cases))
}

const [, script, file, name] = process.argv
if (file && name && import.meta.filename === script) await serve(file, name)
