/** What a command of the bin is, and the errors that end one. */
import type { ParseArgsOptionsConfig } from 'node:util'

/** What was given on the command line. Options are texts, none is repeated; a switch that was given is `on`. */
export interface Given {
  readonly options: { readonly [name: string]: string | undefined }
  readonly positionals: readonly string[]
}

export interface Command {
  /** Behind the name of the bin: `serve [--port 3000] ...`. */
  readonly usage: string
  readonly summary: string
  readonly options: readonly string[]
  /** Options without a value. */
  readonly switches?: readonly string[]
  /** How many words have to stand beside the options. */
  readonly positionals: number
  run(given: Given, surroundings: Surroundings): Promise<void>
}

export interface Surroundings {
  /** The folder of the package, for what comes with the repository. */
  readonly home: URL
}

export const toParseOptions = ({ options, switches = [] }: Command): ParseArgsOptionsConfig =>
  Object.fromEntries([
    ...options.map((name) => [name, { type: 'string' }] as const),
    ...switches.map((name) => [name, { type: 'boolean' }] as const),
  ])

/** Something outside is not as it has to be; its message is one line that says what to do. Ends the process with 1. */
export class CliError extends Error {
  readonly exitCode: number = 1
}

/** The command line itself is wrong. Ends the process with 2. */
export class UsageError extends CliError {
  override readonly exitCode = 2
}

export function required({ options }: Given, name: string, example: string): string {
  const value = options[name]
  if (value === undefined) throw new UsageError(`--${name} is missing, e.g. --${name} ${example}`)
  return value
}

export function oneOf<const V extends readonly string[]>({ options }: Given, name: string, values: V): V[number] {
  const value = options[name] ?? values[0]
  if (!values.includes(value as string)) throw new UsageError(`--${name} must be ${values.join(' or ')}, not ${value}`)
  return value as V[number]
}

export function portOf({ options }: Given): number {
  const port = options.port ?? '3000'
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) {
    throw new UsageError(`--port must be a number up to 65535 (0: a free one), not ${port}`)
  }
  return Number(port)
}

/** Without a slash at the end. */
export function urlOf({ options }: Given): string | undefined {
  const { url } = options
  if (url === undefined) return undefined
  if (!URL.canParse(url) || !/^https?:\/\//i.test(url)) {
    throw new UsageError(`--url must be an address like https://example.com, not ${url}`)
  }
  return url.replace(/\/+$/, '')
}
