/**
 * Interleaved rounds of contenders that live in a process each, on one core: what one leaves to the collector never
 * weighs on another, and a slow minute of the machine hits all alike.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Order } from './measure.ts'
import type { BenchOptions } from './options.ts'
import { tell } from './progress.ts'

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
  { rounds, seconds }: BenchOptions,
): Promise<Timings> {
  const running: Running[] = []
  try {
    for (const name of names) running.push(await start(file, name))
    const timings: { [contender: string]: { [name: string]: number[] } } = {}
    for (const { name, cases } of running) timings[name] = Object.fromEntries(cases.map((one) => [one, []]))
    for (const contender of running) {
      tell(`warming up: ${contender.name}`)
      await measureCases(contender, seconds)
    }
    for (let round = 1; round <= rounds; round++) {
      for (const contender of running) {
        tell(`round ${round} of ${rounds}: ${contender.name}`)
        const measured = await measureCases(contender, seconds)
        for (const [name, nanoseconds] of measured) timings[contender.name]?.[name]?.push(nanoseconds)
      }
    }
    return timings
  } finally {
    for (const { child } of running) child.disconnect()
  }
}

async function measureCases({ child, cases }: Running, seconds: number) {
  const measured: (readonly [name: string, nanoseconds: number])[] = []
  for (const name of cases) measured.push([name, await ask(child, { name, seconds })])
  return measured
}

/** A child on one core, where the machine can pin it. It ends when it is disconnected. */
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
  tell(`starting ${name}`)
  const child = spawnPinned(0, fileURLToPath(new URL('measure.ts', import.meta.url)), [file, name], flags)
  return { name, child, cases: (await answer(child)) as string[] }
}

export async function ask(child: ChildProcess, order: Order): Promise<number> {
  child.send(order)
  return (await answer(child)) as number
}

/** The next message of a child; its end before that is an error. */
export async function answer(child: ChildProcess): Promise<unknown> {
  const ended = new AbortController()
  try {
    const [message] = await Promise.race([
      once(child, 'message', { signal: ended.signal }),
      once(child, 'exit', { signal: ended.signal }).then(([code]) => {
        throw new Error(`a child process ended with ${code}`)
      }),
    ])
    return message
  } finally {
    ended.abort()
  }
}
