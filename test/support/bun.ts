/** Runs scripts in processes of the Bun that is installed as a package. */
import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const bunPath = fileURLToPath(new URL('../../node_modules/.bin/bun', import.meta.url))

export interface Environment {
  readonly [name: string]: string
}

interface BunProcess {
  readonly child: ChildProcess
  /** The lines on stdout so far; at least one. */
  readonly lines: readonly string[]
  /** Waits until the process has written this number of lines. */
  waitForLines(count: number): Promise<void>
  /** Sends the signal, waits for the end, and returns the exit code. */
  end(signal?: NodeJS.Signals): Promise<number | null>
}

/** Starts a script and waits for its first line; rejects when the process ends before. */
export async function startBun(script: string, args: readonly string[], env: Environment = {}): Promise<BunProcess> {
  const child = bun(script, args, env)
  const ended = new Promise<number | null>((resolve) => void child.once('close', resolve))
  const lines: string[] = []
  const output = createInterface({ input: child.stdout }).on('line', (line) => void lines.push(line))
  const waitForLines = (count: number) =>
    new Promise<void>((resolve, reject) => {
      if (lines.length >= count) return resolve()
      output.on('line', () => lines.length >= count && resolve())
      child.once('error', reject)
      void ended.then((code) => reject(new Error(`${script} ended with ${code} after ${lines.length} lines`)))
    })
  await waitForLines(1)
  const end = (signal: NodeJS.Signals = 'SIGTERM') => {
    child.kill(signal)
    return ended
  }
  return { child, lines, waitForLines, end }
}

interface BunResult {
  readonly code: number | null
  readonly out: string
}

/** Runs a script to its end. Its stderr goes to the terminal. */
export async function runBun(script: string, args: readonly string[], env: Environment = {}): Promise<BunResult> {
  const child = bun(script, args, env)
  let out = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text
  })
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject).once('close', resolve)
  })
  return { code, out }
}

const bun = (script: string, args: readonly string[], env: Environment) =>
  // The timeout ends processes that hang.
  spawn(bunPath, [script, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
    timeout: 300_000,
  })
