/** `site-api init`: makes a project that runs at once, or adds the site to an application. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { CliError, type Command, UsageError } from '../command.ts'
import { addedFiles, type ProjectFiles, type ProjectOptions, projectFiles } from './files.ts'
import { type HostName, hosts } from './hosts.ts'

export const init: Command = {
  name: 'init',
  takes: '[FOLDER]',
  summary: 'Make a project that runs at once, or add the site to the application of the folder.',
  options: {
    host: { value: Object.keys(hosts).join('|'), says: 'The host; without it that of the folder, else node' },
    sample: { says: 'Fill the site with the sample site' },
  },
  positionals: [0, 1],
  examples: ['init my-site', 'init my-site --host next --sample'],
  async run({ options, positionals: [folder = '.'] }, { home }) {
    const manifest = manifestOf(folder)
    const { version } = JSON.parse(readFileSync(new URL('package.json', home), 'utf8'))
    const project: ProjectOptions = {
      name: packageName(basename(resolve(folder))),
      host: options['host'] === undefined ? detectedHost(folder, manifest) : namedHost(options['host']),
      isSample: options['sample'] !== undefined,
      ...{ home, version },
    }
    const lines = manifest ? addTo(folder, manifest, project) : makeIn(folder, project)
    process.stdout.write(`${lines.join('\n')}\n`)
  },
}

function makeIn(folder: string, project: ProjectOptions): readonly string[] {
  const files = projectFiles(project)
  write(folder, files)
  const npm = project.host === 'bun' ? 'bun' : 'npm'
  const enter = folder === '.' ? [] : [`cd ${folder}`]
  return [
    `made ${project.name} for ${project.host}: ${Object.keys(files).length} files; its README.md says what they are`,
    `start: ${[...enter, `${npm} install`, `${npm} run dev`].join(' && ')}`,
  ]
}

function addTo(folder: string, manifest: Manifest, project: ProjectOptions): readonly string[] {
  const sources = project.host === 'next' && !existsSync(join(folder, 'src/app')) ? '' : 'src/'
  const { [`${sources}server.ts`]: server, ...files } = addedFiles(project, sources)
  const isServed = server === undefined || existsSync(join(folder, `${sources}server.ts`))
  const written = isServed ? files : { ...files, [`${sources}server.ts`]: server }
  write(folder, written)
  const needed = { ...hosts[project.host].dependencies, 'site-api': '' }
  const missing = Object.keys(needed).filter((name) => !Object.hasOwn(dependenciesOf(manifest), name))
  return [
    ...Object.keys(written).map((file) => `wrote ${file}`),
    ...(missing.length > 0 ? [`install: npm install ${missing.join(' ')}`] : []),
    nextStep(project.host, sources, { isServed }),
    'data/ will hold the site: keep it out of version control',
  ]
}

function nextStep(host: HostName, sources: string, { isServed }: { readonly isServed: boolean }): string {
  if (host === 'next') return 'start: npx next dev'
  if (!isServed) return `start: ${hosts[host].scripts['start']}`
  return `${sources}server.ts is yours: mount the api of ${sources}site.ts in it, as docs/mounting.md of the package shows`
}

function write(folder: string, files: ProjectFiles): void {
  const taken = Object.keys(files).filter((file) => existsSync(join(folder, file)))
  if (taken.length > 0) {
    throw new CliError(`${taken.join(' and ')} ${taken.length > 1 ? 'are' : 'is'} there already: use another folder`)
  }
  for (const [file, content] of Object.entries(files)) {
    const path = join(folder, file)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, content)
  }
}

function namedHost(name: string): HostName {
  if (Object.hasOwn(hosts, name)) return name as HostName
  throw new UsageError(`--host must be ${Object.keys(hosts).join(' or ')}, not ${name}`)
}

interface Manifest {
  readonly dependencies?: { readonly [name: string]: string }
  readonly devDependencies?: { readonly [name: string]: string }
}

const dependenciesOf = ({ dependencies = {}, devDependencies = {} }: Manifest) => ({
  ...dependencies,
  ...devDependencies,
})

/** Detects the host by the dependencies of package.json, else by the runtime. */
function detectedHost(folder: string, manifest: Manifest = {}): HostName {
  const all = dependenciesOf(manifest)
  const found = (['next', 'express', 'fastify', 'hono'] as const).find((name) => Object.hasOwn(all, name))
  if (found) return found
  const isBun = process.versions['bun'] !== undefined
  return isBun || ['bun.lock', 'bun.lockb'].some((file) => existsSync(join(folder, file))) ? 'bun' : 'node'
}

/** Undefined where no application is. */
function manifestOf(folder: string): Manifest | undefined {
  const file = join(folder, 'package.json')
  if (!existsSync(file)) return undefined
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    throw new CliError(`${file} is not valid JSON: mend it first`)
  }
}

/** A name that npm takes. */
const packageName = (folder: string): string =>
  folder
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[._-]+|-+$/g, '') || 'site'
