/** The files of a project: those of `docs/starters`, and those that follow from the host and the name. */
import { randomBytes } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type HostName, hosts } from './hosts.ts'

/** Contents by path. */
export type ProjectFiles = { readonly [path: string]: string | Uint8Array }

export interface ProjectOptions {
  readonly name: string
  readonly host: HostName
  /** Whether the content is that of the sample site. */
  readonly isSample: boolean
  /** The folder of the package. */
  readonly home: URL
  /** The version of the package. */
  readonly version: string
}

/** Returns the files of a new project. */
export function projectFiles(options: ProjectOptions): ProjectFiles {
  const { name, host, home, version, isSample } = options
  const { scripts, dependencies, devDependencies } = hosts[host]
  const manifest = {
    ...{ name, version: '0.0.0', private: true, type: 'module' },
    ...(host === 'bun' ? {} : { engines: { node: '>=22.18' } }),
    ...{ scripts, dependencies: sorted({ ...dependencies, 'site-api': `^${version}` }) },
    devDependencies: sorted(devDependencies),
  }
  const { gitignore, dockerignore, ...common } = filesBelow(new URL('docs/starters/common/', home))
  return {
    ...withoutSeed(common, isSample),
    ...(isSample ? sampleFiles(home) : {}),
    ...filesBelow(new URL(`docs/starters/${host}/`, home)),
    ...{
      '.gitignore': gitignore ?? '',
      '.dockerignore': dockerignore ?? '',
      'package.json': jsonText(manifest),
      'README.md': readme(options),
    },
    ...{ 'tsconfig.json': jsonText(host === 'next' ? nextCompiler : compiler) },
    ...(host === 'next' ? { '.env': `DRAFT_SECRET=${randomBytes(24).toString('base64url')}\n` } : {}),
  }
}

/**
 * The files that an application which is there already gets. `folder`: where its sources are, empty or with a slash at its end.
 * Next compiles them with the configuration of the application, by default without endings in imports.
 */
export function addedFiles({ host, home, isSample }: ProjectOptions, folder: string): ProjectFiles {
  const all = {
    ...filesBelow(new URL('docs/starters/common/', home)),
    ...filesBelow(new URL(`docs/starters/${host}/`, home)),
  }
  const sources = hosts[host].added.map((path) => {
    const text = textOf(all[`src/${path}`])
    return [folder + path, host === 'next' ? text.replace(/((?:from |import\()'\.[^']*)\.ts'/g, "$1'") : text] as const
  })
  const seeds = isSample ? sampleFiles(home) : { 'seed/site.json': all['seed/site.json'] ?? '' }
  return { ...Object.fromEntries(sources), ...seeds }
}

const textOf = (bytes: string | Uint8Array = ''): string =>
  typeof bytes === 'string' ? bytes : `${Buffer.from(bytes)}`

function filesBelow(folder: URL): ProjectFiles {
  const entries = globSync('**/*', { cwd: fileURLToPath(folder), withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  )
  return Object.fromEntries(
    entries.map(({ parentPath, name }) => {
      const path = `${parentPath}/${name}`.replaceAll('\\', '/')
      return [path.slice(fileURLToPath(folder).replaceAll('\\', '/').length), readFileSync(path)]
    }),
  )
}

const withoutSeed = (files: ProjectFiles, isSample: boolean): ProjectFiles =>
  Object.fromEntries(Object.entries(files).filter(([path]) => !isSample || !path.startsWith('seed/')))

/** The documents of the sample site, in the order in which they complete each other, and its pictures. */
function sampleFiles(home: URL): ProjectFiles {
  const pictures = Object.entries(filesBelow(new URL('docs/sample-site/uploads/', home)))
  return {
    'seed/1-site.json': readFileSync(new URL('docs/sample-site.json', home)),
    'seed/2-pages.json': readFileSync(new URL('docs/sample-site/pages.json', home)),
    ...Object.fromEntries(pictures.map(([path, bytes]) => [`seed/uploads/${path}`, bytes])),
  }
}

const compiler = {
  compilerOptions: {
    ...{ target: 'es2023', module: 'nodenext', types: ['node'], strict: true, noEmit: true, skipLibCheck: true },
    ...{ allowImportingTsExtensions: true, erasableSyntaxOnly: true, verbatimModuleSyntax: true },
  },
  include: ['src', 'test'],
}

/** Next adds what it misses when it starts, and leaves the rest. */
const nextCompiler = {
  compilerOptions: {
    ...{ target: 'es2023', lib: ['dom', 'dom.iterable', 'es2023'], module: 'esnext', moduleResolution: 'bundler' },
    ...{ strict: true, noEmit: true, skipLibCheck: true, allowImportingTsExtensions: true, isolatedModules: true },
    ...{ esModuleInterop: true, resolveJsonModule: true, jsx: 'react-jsx', incremental: true },
    plugins: [{ name: 'next' }],
  },
  include: ['next-env.d.ts', '**/*.ts', '**/*.tsx', '.next/types/**/*.ts', '.next/dev/types/**/*.ts'],
  exclude: ['node_modules'],
}

const jsonText = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`

const sorted = (names: { readonly [name: string]: string }) =>
  Object.fromEntries(Object.entries(names).sort(([one], [other]) => (one < other ? -1 : 1)))

function readme({ name, host }: ProjectOptions): string {
  const npm = host === 'bun' ? 'bun' : 'npm'
  return `# ${name}

A site with its API, made by \`site-api init\`.

\`\`\`sh
${npm} install
${npm} run dev
\`\`\`

The first start fills the storage from the folder \`seed\` and prints how to sign in. Then the site is at <http://localhost:3000/>,
and <http://localhost:3000/api/docs> shows every route, to read and to try.

| File | What it has |
|---|---|
| \`src/content.ts\` | the content types and fields of the site: begin here |
| \`src/site.ts\` | the storage, the uploads and the options of the API |
| ${host === 'next' ? '`src/app/`' : '`src/server.ts`'} | ${host === 'next' ? 'the pages and routes of the application' : 'the server'} |
| \`test/site.test.ts\` | a test, run by \`${npm} test\` |
| \`Dockerfile\` | a container for a server: \`docker build --tag ${name} .\` |
| \`data/\` | the site itself: keep a copy of it, and out of version control |

The environment decides where the site runs: \`PORT\` (3000), \`HOST\` (127.0.0.1), \`URL\` (the address that links begin with, by
default \`http://localhost:3000\`) and \`DATA\` (the folder of the storage and of uploads).
${host === 'next' ? '`DRAFT_SECRET` in `.env` opens drafts: `/draft?secret=…&id=12`.\n' : ''}
The guides of the package are in \`node_modules/site-api/docs\`.
`
}
