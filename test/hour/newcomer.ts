/** A newcomer at a terminal: runs commands in a folder, writes files, and keeps what was said. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { home } from '../package/packed.ts'
import { type Change, changed, type WrittenFile } from './guide.ts'

export interface Environment {
  readonly [name: string]: string | undefined
}

export interface Program {
  readonly line: string
  readonly child: ChildProcess
  readonly output: () => string
}

/** A command that is done. */
export interface Done {
  readonly line: string
  readonly code: number | null
  readonly output: string
}

export class Newcomer {
  folder: string
  readonly said: Done[] = []
  readonly #environment: Environment
  readonly #programs: Program[] = []

  constructor(folder: string, environment: Environment) {
    this.folder = folder
    this.#environment = { ...environment, PATH: pathWith(join(folder, '../bin')) }
  }

  /** Runs a command to its end. */
  async run(line: string, environment: Environment = {}): Promise<Done> {
    const [, target] = /^cd (\S+)$/.exec(line) ?? []
    if (target !== undefined) {
      this.folder = join(this.folder, target)
      return this.#keep({ line, code: 0, output: '' })
    }
    const { child, output } = this.#spawn(line, environment)
    const [code] = await once(child, 'close')
    return this.#keep({ line, code, output: output() })
  }

  /** Starts a program in another terminal; one of the same line there is ended first. */
  async start(line: string, environment: Environment = {}): Promise<Program> {
    const before = this.#programs.findIndex((program) => program.line === line)
    if (before !== -1) await this.#stop(this.#programs.splice(before, 1)[0] as Program, 'SIGINT')
    const program = this.#spawn(line, environment)
    this.#programs.push(program)
    return program
  }

  async stop(program: Program): Promise<number | null> {
    this.#programs.splice(this.#programs.indexOf(program), 1)
    return this.#stop(program, 'SIGTERM')
  }

  /** Ends all programs as Ctrl+C in their terminals does. */
  async leave(): Promise<void> {
    for (const program of this.#programs.splice(0)) await this.#stop(program, 'SIGINT')
  }

  write({ path, text }: Pick<WrittenFile, 'path' | 'text'>): void {
    mkdirSync(dirname(join(this.folder, path)), { recursive: true })
    writeFileSync(join(this.folder, path), text)
  }

  /** Makes changes of one file, and saves it once. */
  change(changes: readonly Change[]): void {
    const [{ path } = { path: '' }] = changes
    const file = join(this.folder, path)
    writeFileSync(file, changes.reduce(changed, readFileSync(file, 'utf8')))
  }

  #spawn(line: string, environment: Environment): Program {
    const child = spawn('bash', ['-c', line], {
      cwd: this.folder,
      // The cast: types of Next require NODE_ENV.
      env: { ...this.#environment, ...environment } as NodeJS.ProcessEnv,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const state = { output: '' }
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (part: string) => {
        state.output += part
      })
    }
    return { line, child, output: () => state.output }
  }

  async #stop({ line, child, output }: Program, signal: NodeJS.Signals): Promise<number | null> {
    if (child.exitCode === null && child.signalCode === null) {
      const closed = once(child, 'close')
      // The group of the process: npm starts a shell, and that the program.
      process.kill(-Number(child.pid), signal)
      await closed
    }
    // It was ended from outside, whatever code that gave.
    this.#keep({ line, code: null, output: output() })
    return child.exitCode
  }

  #keep(done: Done): Done {
    this.said.push(done)
    return done
  }
}

/** Waits until a program has said something, and returns the first group. */
export function heard({ line, child, output }: Program, pattern: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    const look = () => {
      const found = pattern.exec(output())
      if (found) resolve(found[1] ?? '')
    }
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', look)
    child.once('close', (code) => reject(new Error(`${line} ended with ${code}:\n${output()}`)))
    look()
  })
}

/** Puts the Node of this run and Bun before the programs of the machine. */
export function installTools(folder: string): void {
  mkdirSync(folder)
  symlinkSync(process.execPath, join(folder, 'node'))
  writeFileSync(join(folder, 'bun'), `#!/bin/sh\nexec '${join(home, 'node_modules/.bin/bun')}' "$@"\n`)
  chmodSync(join(folder, 'bun'), 0o755)
}

const pathWith = (tools: string): string =>
  [tools, ...(process.env.PATH ?? '').split(delimiter).filter((folder) => !folder.includes('node_modules'))].join(
    delimiter,
  )
