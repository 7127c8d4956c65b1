/** Runs the bin in a separate process: what `cli-setup.ts` bundled of its source, or the source itself. */
import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export const main = process.env['TEST_CLI'] ?? fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url))

export interface Finished {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

export interface Running {
  readonly process: ChildProcess
  /** Everything on stdout so far. */
  readonly out: () => string
  /** The URL in the ready line. */
  readonly base: string
  /** Sends a signal and waits for the end. */
  end(signal?: NodeJS.Signals): Promise<Finished>
}

const alive = new Set<ChildProcess>()

/** Ends the processes of a failed test. */
export function endAll(): void {
  for (const child of alive) child.kill('SIGKILL')
}

function begin(args: readonly string[], cwd?: string) {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', main, ...args], { cwd })
  const texts = { out: '', err: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    texts.out += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    texts.err += text
  })
  // Without a listener it would end the test run; `close` follows with a code.
  child.once('error', ({ message }) => {
    texts.err += message
  })
  alive.add(child)
  const finished = new Promise<Finished>((resolve) => {
    child.on('close', (code) => {
      alive.delete(child)
      resolve({ code, ...texts })
    })
  })
  return { child, texts, finished }
}

/** Starts the command; the test ends it. */
export function start(...args: readonly string[]): {
  readonly process: ChildProcess
  readonly finished: Promise<Finished>
} {
  const { child, finished } = begin(args)
  return { process: child, finished }
}

/** Runs the command to its end. */
export const run = (...args: readonly string[]): Promise<Finished> => begin(args).finished

/** Waits for the ready line; rejects with the output if the process ends before. */
export const serve = (...args: readonly string[]): Promise<Running> => serveIn(undefined, ...args)

/** Like `serve`, in this working directory. */
export function serveIn(cwd: string | undefined, ...args: readonly string[]): Promise<Running> {
  const { child, texts, finished } = begin(args, cwd)
  return new Promise((resolve, reject) => {
    child.stdout.on('data', () => {
      const base = /^listening on (\S+)\n/.exec(texts.out)?.[1]
      if (base === undefined) return
      const end = (signal: NodeJS.Signals = 'SIGTERM') => {
        child.kill(signal)
        return finished
      }
      resolve({ process: child, out: () => texts.out, base, end })
    })
    void finished.then(({ err }) => reject(new Error(err)))
  })
}
