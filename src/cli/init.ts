/** `site-api init`: writes a minimal program for the host of the current folder, with a SQLite file and an administrator. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { CliError, type Command, UsageError } from './command.ts'
import { type HostName, type HostProgram, hosts } from './init-programs.ts'
import { withSite } from './site.ts'

const databaseFile = 'site.db'
const login = 'admin'

export const init: Command = {
  usage: `init [--host ${Object.keys(hosts).join('|')}]`,
  summary: 'Write a minimal program for the host of this folder, with a SQLite file and an administrator.',
  options: ['host'],
  positionals: 0,
  async run({ options }) {
    const program = hosts[options['host'] === undefined ? detectedHost() : namedHost(options['host'])]
    const files = Object.entries(program.files(sourceFolder()))
    const taken = [...files.map(([file]) => file), databaseFile].filter((file) => existsSync(file))
    if (taken.length > 0)
      throw new CliError(`${taken.join(' and ')} is there already: remove it, or use another folder`)
    for (const [file, text] of files) {
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, text)
    }
    const { password } = await withSite(`sqlite:${databaseFile}`, { mustExist: false }, async (site) => {
      const { id } = await site.users.create({ login, roles: ['administrator'] })
      await site.options.write({ name: 'A new site', url: program.url })
      return site.passwords.create(id, 'site-api init')
    })
    process.stdout.write(`${report(program, files, password)}\n`)
  },
}

function report({ install, start, url }: HostProgram, files: readonly (readonly [string, string])[], password: string) {
  const missing = install.filter((name) => !existsSync(`node_modules/${name}`))
  return [
    ...files.map(([file]) => `wrote ${file}`),
    `wrote ${databaseFile}, with the administrator ${login}`,
    ...(missing.length > 0 ? [`install: npm install ${missing.join(' ')}`] : []),
    `start: ${start}`,
    `try: curl -u '${login}:${password}' '${url}/api/cms/v2/posts?context=edit'`,
  ].join('\n')
}

function namedHost(name: string): HostName {
  if (Object.hasOwn(hosts, name)) return name as HostName
  throw new UsageError(`--host must be ${Object.keys(hosts).join(' or ')}, not ${name}`)
}

/** Detects the host by the dependencies of package.json, else by the runtime. */
function detectedHost(): HostName {
  const { dependencies = {}, devDependencies = {} } = manifest()
  const all = { ...dependencies, ...devDependencies }
  const found = (['next', 'express', 'fastify', 'hono'] as const).find((name) => Object.hasOwn(all, name))
  if (found) return found
  const isBun = process.versions['bun'] !== undefined || ['bun.lock', 'bun.lockb'].some((file) => existsSync(file))
  return isBun ? 'bun' : 'node'
}

interface Manifest {
  readonly dependencies?: { readonly [name: string]: string }
  readonly devDependencies?: { readonly [name: string]: string }
}

function manifest(): Manifest {
  if (!existsSync('package.json')) return {}
  try {
    return JSON.parse(readFileSync('package.json', 'utf8'))
  } catch {
    throw new CliError('package.json is not valid JSON: mend it first')
  }
}

/** Next looks for `app` in `src` if the application has it there. */
const sourceFolder = () => (existsSync('src/app') ? 'src/' : '')
