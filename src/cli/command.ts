/** The interface of a command, its options, and the errors that end the process. */
import type { ParseArgsOptionsConfig } from 'node:util'

/** The parsed command line. Options are texts; a switch that is set is `on`. */
export interface CommandLine {
  readonly options: { readonly [name: string]: string | undefined }
  /** The values of options that may be repeated; absent without any. */
  readonly lists: { readonly [name: string]: readonly string[] | undefined }
  readonly positionals: readonly string[]
}

/** An option of a command; without `value` a switch. */
export interface CommandOption {
  /** The form of the value, such as `FILE`. */
  readonly value?: string
  /** Says in the help what the option does, as a sentence without a full stop. */
  readonly says: string
  readonly isRequired?: true
  readonly isRepeated?: true
}

export interface Command {
  readonly name: string
  /** Names the arguments before the options in the usage, such as `FILE`. */
  readonly takes?: string
  readonly summary: string
  readonly options: { readonly [name: string]: CommandOption }
  /** How many positional arguments the command takes: a number, or the least and the most. */
  readonly positionals: number | readonly [least: number, most: number]
  /** Command lines without the name of the bin. */
  readonly examples: readonly string[]
  run(line: CommandLine, environment: Environment): Promise<void>
}

// Options that several commands have.

export const storageOption: CommandOption = {
  value: 'sqlite:FILE|postgres://...',
  says: 'Where the site is kept',
  isRequired: true,
}

export const dryRunOption: CommandOption = { says: 'Say what would change, and write nothing' }

/** Whether the command has the option of a dry run. */
export const isDryRun = ({ options }: Pick<CommandLine, 'options'>): boolean => options['dry-run'] !== undefined

export const urlOption: CommandOption = {
  value: 'URL',
  says: 'The public address of the site, with which its links begin',
}

export const idsOption: CommandOption = {
  value: 'FILE',
  says: 'Write the ids of the seeded entries to this file, by key',
}

const formOf = (name: string, { value }: CommandOption): string =>
  value === undefined ? `--${name}` : `--${name} ${value}`

/** `site-api serve [--port 3000] ...`. */
export function usageOf({ name, takes, options }: Command): string {
  const shown = Object.entries(options).map(([option, declared]) => {
    const form = formOf(option, declared)
    return `${declared.isRequired ? form : `[${form}]`}${declared.isRepeated ? '...' : ''}`
  })
  return ['site-api', name, ...(takes === undefined ? [] : [takes]), ...shown].join(' ')
}

/** The help of one command: its usage, what each option does, examples. */
export function helpOf(command: Command): string {
  const forms = Object.entries(command.options).map(([option, one]) => [formOf(option, one), one.says] as const)
  const width = Math.min(Math.max(0, ...forms.map(([form]) => form.length)), 30)
  const lines = forms.map(([form, says]) =>
    form.length > width ? `  ${form}  ${says}.` : `  ${form.padEnd(width)}  ${says}.`,
  )
  return [
    ...[usageOf(command), '', command.summary],
    ...(lines.length > 0 ? ['', 'Options:', ...lines] : []),
    ...['', 'Examples:', ...command.examples.map((example) => `  site-api ${example}`)],
  ].join('\n')
}

interface Environment {
  /** The folder of the package, for files of the repository. */
  readonly home: URL
}

export const toParseOptions = ({ options }: Command): ParseArgsOptionsConfig =>
  Object.fromEntries(
    Object.entries(options).map(([name, { value, isRepeated }]) => [
      name,
      value === undefined ? { type: 'boolean' } : { type: 'string', ...(isRepeated ? { multiple: true } : {}) },
    ]),
  )

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
export function urlOf({ options }: CommandLine, name = 'url'): string | undefined {
  const url = options[name]
  if (url === undefined) return undefined
  if (!URL.canParse(url) || !/^https?:\/\//i.test(url)) {
    throw new UsageError(`--${name} must be an address like https://example.com, not ${url}`)
  }
  return url.replace(/\/+$/, '')
}
