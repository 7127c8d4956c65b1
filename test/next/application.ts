/** The installed application: its files, its builds and its servers. */
import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { inject, onTestFinished } from 'vitest'
import { type Environment, ended, type Running, run, stop, waitForOutput } from '../support/example.ts'

export const { application, plain } = inject('next')
const examples = join(import.meta.dirname, '../../docs/examples')
const next = 'node_modules/next/dist/bin/next'

export type Bundler = 'turbopack' | 'webpack'
export const bundlers: readonly Bundler[] = ['turbopack', 'webpack']

/** The application as create-next-app made it, with the packages that it installed. */
export function resetApplication(): void {
  const packages = new Set(['node_modules', 'package.json', 'package-lock.json'])
  for (const name of readdirSync(application)) {
    if (!packages.has(name)) rmSync(join(application, name), { recursive: true })
  }
  cpSync(plain, application, { recursive: true, filter: (path) => path !== join(plain, 'package.json') })
}

/** Copies the files of an example as they are, except its own tsconfig.json: the application has one. */
export function copyExample(name: string): void {
  const own = join(examples, name, 'tsconfig.json')
  cpSync(join(examples, name), application, { recursive: true, filter: (path) => path !== own })
}

export function writeFiles(files: { readonly [path: string]: string }): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(application, path)), { recursive: true })
    writeFileSync(join(application, path), text)
  }
}

export const removeFiles = (...paths: readonly string[]): void => {
  for (const path of paths) rmSync(join(application, path), { recursive: true, force: true })
}

export async function build(bundler: Bundler, environment: Environment = {}): Promise<void> {
  removeFiles('.next')
  await ended(run(application, [next, 'build', `--${bundler}`], environment))
}

export interface Served {
  readonly url: string
  stop(): Promise<unknown>
}

/** Runs `next start` until it is stopped. */
export async function serve(environment: Environment = {}, port = 0): Promise<Served> {
  const running = run(application, [next, 'start', '-H', '127.0.0.1', '-p', String(port)], environment)
  return { url: await addressOf(running), stop: () => stop(running) }
}

/** Runs `next start` until the test ends, and returns its address. */
export async function start(environment: Environment = {}): Promise<string> {
  const served = await serve(environment)
  onTestFinished(async () => void (await served.stop()))
  return served.url
}

export interface Development {
  readonly home: string
  readonly output: () => string
}

/** Runs `next dev` until the test ends. */
export async function develop(bundler: Bundler, environment: Environment = {}): Promise<Development> {
  removeFiles('.next')
  const args = [next, 'dev', `--${bundler}`, '-H', '127.0.0.1', '-p', '0']
  const running = run(application, args, { ...environment, NODE_ENV: 'development' })
  onTestFinished(async () => void (await stop(running)))
  return { home: await addressOf(running), output: running.output }
}

const addressOf = (running: Running): Promise<string> => waitForOutput(running, /Local:\s+(\S+)[\s\S]*Ready/)
