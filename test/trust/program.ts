/** Runs the programs whose last lines are figures. */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'

type Say = (line: string) => void

interface Ended {
  readonly code: number | null
  readonly lines: readonly string[]
}

interface ProgramOptions {
  readonly say: Say
  readonly env?: { readonly [name: string]: string }
}

const root = fileURLToPath(new URL('../..', import.meta.url))
/** A line of progress at most this often. */
const sayEveryMs = 5000

/** Runs a program of the repository to its end and hands its lines on, as progress. */
export async function runProgram(
  program: string,
  args: readonly string[],
  { say, env = {} }: ProgramOptions,
): Promise<Ended> {
  const child = spawn(program, args, { cwd: root, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  const lines: string[] = []
  let said = 0
  const take = (text: string) => {
    const line = stripVTControlCharacters(text).trimEnd()
    if (line === '') return
    lines.push(line)
    if (Date.now() - said < sayEveryMs) return
    said = Date.now()
    say(line)
  }
  createInterface({ input: child.stdout }).on('line', take)
  createInterface({ input: child.stderr }).on('line', take)
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  if (code !== 0) for (const line of lines.slice(-30)) say(line)
  return { code, lines }
}

export const runNode = (script: string, args: readonly string[], options: ProgramOptions): Promise<Ended> =>
  runProgram(process.execPath, ['--disable-warning=ExperimentalWarning', script, ...args], options)

export interface Tests {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  readonly lines: readonly string[]
}

interface VitestReport {
  readonly numPassedTests: number
  readonly numFailedTests: number
  readonly numPendingTests: number
  readonly success: boolean
}

interface TestsOptions extends ProgramOptions {
  /** Default: that of `npm test`. */
  readonly config?: string
  readonly projects?: readonly string[]
}

/** Runs test files and counts the tests. */
export async function runTests(files: readonly string[], options: TestsOptions): Promise<Tests> {
  const { config = 'test/vitest.config.ts', projects = [] } = options
  const folder = mkdtempSync(join(tmpdir(), 'site-api-trust-'))
  const file = join(folder, 'report.json')
  const args = ['run', '--config', config, ...projects.flatMap((project) => ['--project', project])]
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
  try {
    const { lines } = await runNode('node_modules/vitest/vitest.mjs', [...args, ...reporters, ...files], options)
    const report = JSON.parse(readFileSync(file, 'utf8')) as VitestReport
    // A file that does not load has no failed test.
    const failed = report.success ? 0 : Math.max(1, report.numFailedTests)
    return { passed: report.numPassedTests, failed, skipped: report.numPendingTests, lines }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Of the last line that has it: the groups of a pattern. Throws without one, so that no figure is made up. */
export function groupsOf(lines: readonly string[], pattern: RegExp): readonly string[] {
  const line = lines.findLast((one) => pattern.test(one))
  if (line === undefined) throw new Error(`no line of the program matches ${pattern}: ${lines.slice(-5).join(' | ')}`)
  return (pattern.exec(line) ?? []).slice(1)
}
