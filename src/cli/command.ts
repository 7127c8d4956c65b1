/** The interface of a command, its options, and the errors that end the process. */
import type { ParseArgsOptionsConfig } from 'node:util'

/** The parsed command line. Options are texts; a switch that is set is `on`. */
export interface CommandLine {
  readonly options: { readonly [name: string]: string | undefined }
  /** The values of options that may be repeated; absent without any. */
  readonly lists: { readonly [name: string]: readonly string[] | undefined }
  readonly positionals: readonly string[]
}

export interface Command {
  /** Omits the name of the bin: `serve [--port 3000] ...`. */
  readonly usage: string
  readonly summary: string
  readonly options: readonly string[]
  /** Options that may be repeated. */
  readonly lists?: readonly string[]
  /** Options without a value. */
  readonly switches?: readonly string[]
  /** How many positional arguments the command takes: a number, or the least and the most. */
  readonly positionals: number | readonly [least: number, most: number]
  run(line: CommandLine, environment: Environment): Promise<void>
}

interface Environment {
  /** The folder of the package, for files of the repository. */
  readonly home: URL
}

export const toParseOptions = ({ options, lists = [], switches = [] }: Command): ParseArgsOptionsConfig =>
  Object.fromEntries([
    ...options.map((name) => [name, { type: 'string' }] as const),
    ...lists.map((name) => [name, { type: 'string', multiple: true }] as const),
    ...switches.map((name) => [name, { type: 'boolean' }] as const),
  ])

/** A problem of the environment, with a one-line message that says what to do. Exit code 1. */
export class CliError extends Error {
  readonly exitCode: number = 1
}

/** A mistake in the command line. Exit code 2. */
export class UsageError extends CliError {
  override readonly exitCode = 2
}

/** One line for a failure of the machine or of the storage, such as a full disk. Undefined for a mistake in this program. */
export function machineFailure(error: unknown): string | undefined {
  const { syscall, code, message } = (error ?? {}) as NodeJS.ErrnoException
  const isOfStorage = typeof code === 'string' && code.startsWith('storage_')
  return syscall !== undefined || isOfStorage ? message.replace(/\s+/g, ' ') : undefined
}

export function required({ options }: CommandLine, name: string, example: string): string {
  const value = options[name]
  if (value === undefined) throw new UsageError(`--${name} is missing, e.g. --${name} ${example}`)
  return value
}

export function oneOf<const V extends readonly string[]>({ options }: CommandLine, name: string, values: V): V[number] {
  const value = options[name] ?? values[0]
  if (!values.includes(value as string)) throw new UsageError(`--${name} must be ${values.join(' or ')}, not ${value}`)
  return value as V[number]
}

/** Returns the option `port`, else `PORT` of the environment, else 3000. */
export function portOf({ options }: CommandLine): number {
  const [name, port] = options.port === undefined ? ['PORT', process.env['PORT'] || '3000'] : ['--port', options.port]
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) {
    throw new UsageError(`${name} must be a number up to 65535 (0: a free one), not ${port}`)
  }
  return Number(port)
}

/** Returns the option `url` without a trailing slash. */
export function urlOf({ options }: CommandLine): string | undefined {
  const { url } = options
  if (url === undefined) return undefined
  if (!URL.canParse(url) || !/^https?:\/\//i.test(url)) {
    throw new UsageError(`--url must be an address like https://example.com, not ${url}`)
  }
  return url.replace(/\/+$/, '')
}
