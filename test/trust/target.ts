/** The server that is attacked or loaded, with a separate site, and its memory. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { fill } from '../../bench/growth-content.ts'
import { openStorage } from '../../src/cli/storage.ts'
import { seedStorage } from '../crash/seed.ts'

export interface Target {
  readonly base: string
  /** Resident memory in MB; Linux only. */
  memory(): number
  /** Of which this stays when all garbage is collected and given back; under Node. */
  keptMemory(): Promise<number>
  end(): Promise<void>
}

export type Runtime = 'node' | 'bun'

const pathOf = (name: string) => fileURLToPath(new URL(name, import.meta.url))
const programs: { readonly [runtime in Runtime]: readonly string[] } = {
  node: [process.execPath, '--disable-warning=ExperimentalWarning'],
  bun: [pathOf('../../node_modules/.bin/bun')],
}

/** Starts a process whose first line is ready. */
export async function startProcess(runtime: Runtime, script: string, args: readonly string[]) {
  const [program = '', ...flags] = programs[runtime]
  const child = spawn(program, [...flags, pathOf(script), ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })
  const line = await new Promise<string>((resolve, reject) => {
    lines.once('line', resolve)
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`${script} ended with ${code}`)))
  })
  return { child, line, lines }
}

export async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const closed = once(child, 'close')
  child.kill('SIGKILL')
  await closed
}

const postCount = 10_000
let filled: Promise<string> | undefined

/** The small site and many posts more: made once, and copied for each target. */
async function fillFile(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'site-api-trust-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'site.db')
  await seedStorage(`sqlite:${file}`)
  const storage = await openStorage(`sqlite:${file}`)
  await fill(storage, postCount)
  await storage.close?.()
  return file
}

export async function startTarget(runtime: Runtime = 'node'): Promise<Target> {
  filled ??= fillFile()
  const source = await filled
  const folder = mkdtempSync(join(tmpdir(), 'site-api-trust-'))
  const file = join(folder, 'site.db')
  copyFileSync(source, file)
  const { child, line, lines } = await startProcess(runtime, 'server.ts', [`sqlite:${file}`])
  return {
    base: line,
    memory: () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024,
    keptMemory: async () => {
      child.kill('SIGUSR2')
      const [megabytes] = await once(lines, 'line')
      return Number(megabytes)
    },
    end: async () => {
      await endProcess(child)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
