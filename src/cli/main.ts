#!/usr/bin/env node
/** The bin: runs a command and prints its errors as one line to stderr. */
import { readFileSync } from 'node:fs'
import * as nodeModule from 'node:module'
import { parseArgs } from 'node:util'
import { lookupTable } from '../contract/lookup-table.ts'
import { nearestName } from '../contract/nearest-name.ts'
import { CliError, type Command, helpOf, machineFailure, toParseOptions, UsageError, usageOf } from './command.ts'

// Node compiles the commands once for each version. NODE_COMPILE_CACHE says where, NODE_DISABLE_COMPILE_CACHE=1 that it does not.
nodeModule.enableCompileCache?.()

const home = new URL('../../', import.meta.url)

/** Loaded on use, so that `checkNode` runs before modules that an old Node can not load. */
const commands: { readonly [name: string]: () => Promise<Command> } = lookupTable({
  serve: async () => (await import('./serve.ts')).serve,
  seed: async () => (await import('./seed.ts')).seed,
  export: async () => (await import('./export.ts')).exportCommand,
  import: async () => (await import('./import/index.ts')).importCommand,
  migrate: async () => (await import('./maintenance/migrate.ts')).migrate,
  check: async () => (await import('./maintenance/check.ts')).check,
  backup: async () => (await import('./maintenance/backup.ts')).backup,
  restore: async () => (await import('./maintenance/backup.ts')).restore,
  explain: async () => (await import('./explain.ts')).explain,
  history: async () => (await import('./history.ts')).history,
  rewind: async () => (await import('./history.ts')).rewind,
  replay: async () => (await import('./replay/index.ts')).replay,
  mcp: async () => (await import('./mcp.ts')).mcp,
  user: async () => (await import('./user.ts')).user,
  password: async () => (await import('./password.ts')).password,
  option: async () => (await import('./option.ts')).option,
  build: async () => (await import('./build.ts')).build,
  init: async () => (await import('./init/index.ts')).init,
  start: async () => (await import('./start/index.ts')).start,
})

async function main([name = 'help', ...rest]: readonly string[]): Promise<void> {
  checkNode()
  if (['help', '--help', '-h'].includes(name)) {
    const [asked] = rest
    return asked === undefined ? help() : print(helpOf(await commandOf(asked)))
  }
  if (name === '--version' || name === '-v') return print(versionOf(home))
  const command = await commandOf(name)
  if (rest.includes('--help') || rest.includes('-h')) return print(helpOf(command))
  await command.run(commandLineOf(command, rest), { home })
}

function commandOf(name: string): Promise<Command> {
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (load) return load()
  const nearest = nearestName(name, Object.keys(commands))
  throw new UsageError(
    `there is no command ${name}: ${nearest ? `did you mean ${nearest}?` : 'site-api help lists them'}`,
  )
}

function commandLineOf(command: Command, rest: readonly string[]) {
  const { values, positionals } = parseCommandLine(command, rest)
  const { positionals: count } = command
  const [least, most] = typeof count === 'number' ? [count, count] : count
  if (positionals.length < least || positionals.length > most) throw new UsageError(`usage: ${usageOf(command)}`)
  const entries = Object.entries(values)
  const lists = entries.filter(([, value]) => Array.isArray(value))
  const options = entries
    .filter(([, value]) => !Array.isArray(value))
    .map(([name, value]) => [name, value === true ? 'on' : value])
  // The casts: options other than switches are declared as texts, alone or in lists.
  return {
    options: Object.fromEntries(options) as { [name: string]: string | undefined },
    lists: Object.fromEntries(lists) as { [name: string]: readonly string[] | undefined },
    positionals,
  }
}

function parseCommandLine(command: Command, rest: readonly string[]) {
  try {
    const args = rest.map((arg) => arg.replace(negativeNumber, `${asValue}$&`))
    const { values, positionals } = parseArgs({ args, options: toParseOptions(command), allowPositionals: true })
    const read = Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'string' ? given(value) : Array.isArray(value) ? value.map((one) => given(`${one}`)) : value,
    ])
    return {
      values: Object.fromEntries(read) as typeof values,
      positionals: positionals.map(given),
    }
  } catch (error) {
    const [problem = ''] = (error as Error).message.split(/\. |\n/)
    const [, unknown = ''] = /^Unknown option '--([^']+)'/.exec(problem) ?? []
    const nearest = unknown === '' ? undefined : nearestName(unknown, Object.keys(command.options))
    const advice = nearest === undefined ? `site-api help ${command.name} lists them` : `did you mean --${nearest}?`
    throw new UsageError(unknown === '' ? `${problem}; usage: ${usageOf(command)}` : `${problem}: ${advice}`)
  }
}

/** The parser takes what begins with a hyphen for an option: a sign that no argument has keeps numbers from it. */
const negativeNumber = /^-\d+(?:\.\d+)?$/
const asValue = '\u0000'
const given = (value: string): string => value.replace(asValue, '')

async function help(): Promise<void> {
  const entries = await Promise.all(Object.values(commands).map((load) => load()))
  print(entries.map((command) => `${usageOf(command)}\n    ${command.summary}`).join('\n'))
  print('site-api help COMMAND\n    Say what each option of a command does, with examples.')
}

/** Node 22.16 is the first version whose `node:sqlite` has the search index. */
function checkNode(): void {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major > 22 || (major === 22 && minor >= 16)) return
  throw new CliError(`site-api needs Node 22.16 or newer, and this is ${process.version}`)
}

const versionOf = (folder: URL): string => JSON.parse(readFileSync(new URL('package.json', folder), 'utf8')).version

const print = (text: string) => void process.stdout.write(`${text}\n`)

// EPIPE: the reader of the output closed the pipe.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0)
  process.stderr.write(`site-api: the output can not be written: ${error.message}\n`)
  process.exit(1)
})

main(process.argv.slice(2)).catch((error: unknown) => {
  const line = error instanceof CliError ? error.message : machineFailure(error)
  if (line === undefined) console.error(error)
  else process.stderr.write(`site-api: ${line}\n`)
  process.exitCode = error instanceof CliError ? error.exitCode : 1
})
