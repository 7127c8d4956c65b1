/**
 * Interleaved rounds of contenders, each in its own process on one core: garbage of one contender never slows another, and a
 * slow phase of the machine affects all of them.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Order } from './measure.ts'
import type { BenchOptions } from './options.ts'
import { showProgress } from './progress.ts'

/** Nanoseconds per operation by contender, case and round. */
export type Timings = { readonly [contender: string]: { readonly [name: string]: readonly number[] } }

export interface Running {
  readonly name: string
  readonly child: ChildProcess
  readonly cases: readonly string[]
}

export async function measureContenders(
  file: string,
  names: readonly string[],
  { rounds, seconds }: Pick<BenchOptions, 'rounds' | 'seconds'>,
): Promise<Timings> {
  const running: Running[] = []
  try {
    for (const name of names) running.push(await start(file, name))
    return await measureRounds(running, { rounds, seconds })
  } finally {
    for (const { child } of running) child.disconnect()
  }
}

async function measureRounds(
  running: readonly Running[],
  { rounds, seconds }: Pick<BenchOptions, 'rounds' | 'seconds'>,
): Promise<Timings> {
  const timings: { [contender: string]: { [name: string]: number[] } } = {}
  for (const { name, cases } of running) timings[name] = Object.fromEntries(cases.map((caseName) => [caseName, []]))
  // Round 0 warms up.
  for (let round = 0; round <= rounds; round++) {
    for (const contender of running) {
      showProgress(round === 0 ? `warming up: ${contender.name}` : `round ${round} of ${rounds}: ${contender.name}`)
      const costs = await measureCases(contender, seconds)
      if (round > 0) for (const [name, cost] of costs) timings[contender.name]?.[name]?.push(cost)
    }
  }
  return timings
}

/** Nanoseconds per operation, by case. */
async function measureCases({ child, cases }: Running, seconds: number): Promise<[name: string, cost: number][]> {
  const costs: [string, number][] = []
  for (const name of cases) costs.push([name, await measureCase(child, { name, seconds })])
  return costs
}

/** Starts a child process, pinned to one core if possible. It exits when it is disconnected. */
export function spawnPinned(
  core: number,
  file: string,
  args: readonly string[],
  flags: readonly string[] = [],
): ChildProcess {
  const command = [process.execPath, '--disable-warning=ExperimentalWarning', ...flags, file, ...args]
  const [first = '', ...rest] = canPin ? ['taskset', '-c', String(core), ...command] : command
  return spawn(first, rest, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
}

export const canPin = process.platform === 'linux' && (process.env['PATH'] ?? '').split(':').some(hasTaskset)

function hasTaskset(folder: string): boolean {
  try {
    return process.getBuiltinModule('node:fs').statSync(`${folder}/taskset`).isFile()
  } catch {
    return false
  }
}

export async function start(file: string, name: string, flags: readonly string[] = []): Promise<Running> {
  showProgress(`starting ${name}`)
  const child = spawnPinned(0, fileURLToPath(new URL('measure.ts', import.meta.url)), [file, name], flags)
  return { name, child, cases: (await nextMessage(child)) as string[] }
}

export async function measureCase(child: ChildProcess, order: Order): Promise<number> {
  child.send(order)
  return (await nextMessage(child)) as number
}

/** The next message of a child; rejects if the child exits before. */
export async function nextMessage(child: ChildProcess): Promise<unknown> {
  const listening = new AbortController()
  try {
    const [message] = await Promise.race([
      once(child, 'message', { signal: listening.signal }),
      once(child, 'exit', { signal: listening.signal }).then(([code]) => {
        throw new Error(`a child process ended with ${code}`)
      }),
    ])
    return message
  } finally {
    listening.abort()
  }
}
