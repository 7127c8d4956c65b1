/** Runs scripts under the Bun that is installed with the packages, each as a process of its own. */
import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const bunPath = fileURLToPath(new URL('../../node_modules/.bin/bun', import.meta.url))

export interface Environment {
  readonly [name: string]: string
}

interface BunProcess {
  readonly child: ChildProcess
  /** What it said so far; at least one. */
  readonly lines: readonly string[]
  /** Until it has said so many. */
  said(count: number): Promise<void>
  /** Asks it to end, and waits until it has: its exit code. */
  end(signal?: NodeJS.Signals): Promise<number | null>
}

/** Starts a script, and waits until it says a line; rejects when it ends before. */
export async function startBun(script: string, args: readonly string[], env: Environment = {}): Promise<BunProcess> {
  const child = bun(script, args, env)
  const ended = new Promise<number | null>((resolve) => void child.once('close', resolve))
  const lines: string[] = []
  const output = createInterface({ input: child.stdout }).on('line', (line) => void lines.push(line))
  const said = (count: number) =>
    new Promise<void>((resolve, reject) => {
      if (lines.length >= count) return resolve()
      output.on('line', () => lines.length >= count && resolve())
      child.once('error', reject)
      void ended.then((code) => reject(new Error(`${script} ended with ${code} after ${lines.length} lines`)))
    })
  await said(1)
  const end = (signal: NodeJS.Signals = 'SIGTERM') => {
    child.kill(signal)
    return ended
  }
  return { child, lines, said, end }
}

interface BunResult {
  readonly code: number | null
  readonly out: string
}

/** Runs a script to its end. What it says on stderr goes to the terminal. */
export async function runBun(script: string, args: readonly string[], env: Environment = {}): Promise<BunResult> {
  const child = bun(script, args, env)
  let out = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text
  })
  const code = await new Promise<number | null>((resolve) => void child.once('close', resolve))
  return { code, out }
}

const bun = (script: string, args: readonly string[], env: Environment) =>
  // The timeout: nothing that hangs outlives a test run for long.
  spawn(bunPath, [script, ...args], {
    ...{ stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, ...env }, timeout: 300_000 },
  })
