/** Applications of `docs/examples` as a host has them: in a folder of their own, with the package installed as published. */
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
  /** What it said on both of its outputs. */
  readonly said: () => string
}

/** The folder of the copy. It is removed by whoever asked for it. */
export async function installExample(name: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), `site-api-${name}-`))
  cpSync(join(home, 'docs/examples', name), folder, { recursive: true, filter: (path) => !/\.next|\.db/.test(path) })
  const modules = join(folder, 'node_modules')
  mkdirSync(join(modules, 'site-api'), { recursive: true })
  for (const entry of readdirSync(join(home, 'node_modules'))) {
    if (entry !== 'site-api') symlinkSync(join(home, 'node_modules', entry), join(modules, entry))
  }
  copyFileSync(join(home, 'package.json'), join(modules, 'site-api/package.json'))
  // Types are left out: the examples are checked against the source, with everything else.
  const built = run(
    home,
    ['node_modules/tsup/dist/cli-default.js', '--no-dts', '--silent', '--out-dir'].concat(
      join(modules, 'site-api/dist'),
    ),
  )
  await ended(built)
  return folder
}

export const removeExample = (folder: string) => rmSync(folder, { recursive: true, force: true, maxRetries: 5 })

/** Runs a program with the Node that the tests run in. */
export function run(folder: string, args: readonly string[], env: Environment = {}): Running {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...args], {
    cwd: folder,
    env: { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1', CI: '1', ...env },
  })
  let said = ''
  const hear = (part: Buffer) => {
    said += part
  }
  child.stdout.on('data', hear)
  child.stderr.on('data', hear)
  return { process: child, said: () => said }
}

/** Rejects with what it said when it did not end well. */
export async function ended({ process: child, said }: Running): Promise<void> {
  const code = child.exitCode ?? (await once(child, 'close'))[0]
  if (code !== 0) throw new Error(`ended with ${code}: ${said()}`)
}

/** Waits until it says something of this form, and gives the first group. */
export function hears(running: Running, form: RegExp): Promise<string> {
  const { process: child, said } = running
  return new Promise((resolve, reject) => {
    const look = () => {
      const found = form.exec(said())
      if (found) resolve(found[1] ?? '')
    }
    child.stdout?.on('data', look)
    child.stderr?.on('data', look)
    child.once('close', (code) => reject(new Error(`ended with ${code}: ${said()}`)))
    look()
  })
}

/** Asks it to end, and waits until it has: its exit code. */
export async function stop({ process: child }: Running): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) {
    child.kill('SIGTERM')
    await once(child, 'close')
  }
  return child.exitCode
}
