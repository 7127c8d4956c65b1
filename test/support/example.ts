/** Runs the applications of `docs/examples` as a host does: in their own folder, with the package installed as published. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const home = join(import.meta.dirname, '../..')

export interface Environment {
  readonly [name: string]: string
}

export interface Running {
  readonly process: ChildProcess
  /** The text on stdout and stderr so far. */
  readonly output: () => string
}

/** Returns the folder of the copy, which the caller must remove. */
export async function installExample(name: string): Promise<string> {
  const folder = await installPackage(name)
  cpSync(join(home, 'docs/examples', name), folder, { recursive: true, filter: (path) => !/\.next|\.db/.test(path) })
  return folder
}

/** Returns a new folder in which the package is installed, and nothing else is. The caller must remove it. */
export async function installPackage(name: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), `site-api-${name}-`))
  const modules = join(folder, 'node_modules')
  mkdirSync(join(modules, 'site-api'), { recursive: true })
  for (const entry of readdirSync(join(home, 'node_modules'))) {
    if (entry !== 'site-api') symlinkSync(join(home, 'node_modules', entry), join(modules, entry))
  }
  copyFileSync(join(home, 'package.json'), join(modules, 'site-api/package.json'))
  cpSync(await builtPackage(), join(modules, 'site-api/dist'), { recursive: true })
  return folder
}

let built: Promise<string> | undefined

/** Builds the package once for all test files of this process, without types: the type check of the project covers the examples. */
function builtPackage(): Promise<string> {
  built ??= (async () => {
    const folder = mkdtempSync(join(tmpdir(), 'site-api-built-'))
    process.once('exit', () => removeExample(folder))
    await ended(run(home, ['node_modules/tsup/dist/cli-default.js', '--no-dts', '--silent', '--out-dir', folder]))
    return folder
  })()
  return built
}

export const removeExample = (folder: string) => rmSync(folder, { recursive: true, force: true, maxRetries: 5 })

/** Runs a program with the Node of the test run. */
export function run(folder: string, args: readonly string[], env: Environment = {}): Running {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...args], {
    cwd: folder,
    env: { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1', CI: '1', ...env },
  })
  let output = ''
  const append = (part: Buffer | string) => {
    output += part
  }
  // Without a listener the failure would end the test run: `close` follows, with its own code.
  child.once('error', (error) => append(`${error}\n`))
  child.stdout.on('data', append)
  child.stderr.on('data', append)
  return { process: child, output: () => output }
}

/** Waits for the end; rejects with the output when the exit code is not 0. */
export async function ended({ process: child, output }: Running): Promise<void> {
  const code = child.exitCode ?? (await once(child, 'close'))[0]
  if (code !== 0) throw new Error(`ended with ${code}: ${output()}`)
}

/** Waits until the output matches, and returns the first group. */
export function waitForOutput(running: Running, pattern: RegExp): Promise<string> {
  const { process: child, output } = running
  return new Promise((resolve, reject) => {
    const check = () => {
      const match = pattern.exec(output())
      if (match) resolve(match[1] ?? '')
    }
    child.stdout?.on('data', check)
    child.stderr?.on('data', check)
    child.once('close', (code) => reject(new Error(`ended with ${code}: ${output()}`)))
    check()
  })
}

/** A server cuts open connections ten seconds after SIGTERM; this is for a busy machine. */
const longestEndMs = 40_000

/** Sends SIGTERM, waits for the end, and returns the exit code. A process that does not end is killed: null. */
export async function stop({ process: child }: Running): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) {
    const kill = setTimeout(() => child.kill('SIGKILL'), longestEndMs)
    child.kill('SIGTERM')
    await once(child, 'close')
    clearTimeout(kill)
  }
  return child.exitCode
}
