/**
 * Checks the types of the packed package: a program of a host for each entry, with each supported TypeScript and both ways of
 * module resolution, under the strictest options. Errors in declarations count.
 */
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isFullRun } from '../support/generated-cases.ts'
import { entries, home, installBeside } from './packed.ts'
import { run } from './run.ts'

/** Aliases for `npm install`: as packages of the repository they would put their own `tsc` in its place. */
export const compilerPackages: readonly string[] = [
  'typescript-5.9@npm:typescript@~5.9.3',
  'typescript-7@npm:typescript@~7.0.2',
]

/** All declarations together, in kilobytes: with their comments, which editors show, and without. */
const declarationLimits = { all: 684, code: 378 }
/** How many types the compiler instantiates for 200 calls: what decides how long the check takes. */
const instantiationLimit = 250_000
const calls = 200

const strictest = {
  // With declarations, every type that a host's exports are made of needs a name it may import.
  ...{
    strict: true,
    noEmit: true,
    declaration: true,
    target: 'es2023',
    lib: ['es2024', 'dom', 'dom.iterable'],
    types: ['node'],
  },
  ...{ exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, noPropertyAccessFromIndexSignature: true },
  ...{ verbatimModuleSyntax: true, isolatedModules: true, skipLibCheck: false },
}
const resolutions = { nodenext: 'nodenext', bundler: 'esnext' } as const

export async function checkTypes(folder: string, blank: string): Promise<readonly string[]> {
  mkdirSync(folder)
  installBeside(folder, blank)
  writeFileSync(join(folder, 'package.json'), '{ "name": "typed", "private": true, "type": "module" }')
  const { files, missing } = copyPrograms(folder)
  writeFileSync(join(folder, 'calls.ts'), manyCalls())
  copyFileSync(join(home, 'docs/examples/bun/server.ts'), join(folder, 'bun-server.ts'))

  const compilers = compilersIn(blank)
  const [own = ''] = compilers
  const matrix = compilers.flatMap((compiler, at) =>
    resolutionsOf(at).map(([moduleResolution, module]) =>
      compile(folder, compiler, { ...strictest, module, moduleResolution, files }),
    ),
  )
  const forBun = { ...strictest, module: 'esnext', moduleResolution: 'bundler', types: ['bun'], skipLibCheck: true }
  const problems = await Promise.all([...matrix, compile(folder, own, { ...forBun, files: ['bun-server.ts'] })])
  return [...missing, ...problems.flat(), ...declarationProblems(folder), ...(await callProblems(folder, own))]
}

/** The TypeScript of the repository resolves modules in both ways; each other one in one of them, and in both in a full run. */
const resolutionsOf = (compiler: number) =>
  Object.entries(resolutions).filter((_, at) => isFullRun || compiler === 0 || at === compiler % 2)

/** Lists the folders of the supported TypeScripts, that of the repository first. */
export const compilersIn = (blank: string): readonly string[] => [
  join(home, 'node_modules/typescript'),
  ...['5.9', '7'].map((version) => join(blank, `node_modules/typescript-${version}`)),
]

/** The program of `site-api/storage/sqlite` is `storage-sqlite.ts`. */
function copyPrograms(folder: string): { readonly files: readonly string[]; readonly missing: readonly string[] } {
  const programs = join(import.meta.dirname, 'programs')
  const files = entries.map(({ name }) => `${name.split('/').slice(1).join('-') || 'index'}.ts`)
  const missing = files.filter((file) => !existsSync(join(programs, file)))
  for (const file of files) if (!missing.includes(file)) copyFileSync(join(programs, file), join(folder, file))
  return {
    files: files.filter((file) => !missing.includes(file)),
    missing: missing.map((file) => `write a program that uses the entry: test/package/programs/${file}`),
  }
}

let projects = 0

async function compile(
  folder: string,
  compiler: string,
  { files, ...compilerOptions }: { readonly files: readonly string[]; readonly [option: string]: unknown },
): Promise<readonly string[]> {
  const { version } = JSON.parse(readFileSync(join(compiler, 'package.json'), 'utf8'))
  const label = `TypeScript ${version}, ${compilerOptions['moduleResolution']}, types of ${compilerOptions['types']}`
  const { said, code } = await tsc(folder, compiler, { compilerOptions, files })
  const lines = said.split('\n').filter((line) => /error TS/.test(line))
  if (code !== 0 && lines.length === 0) lines.push(`tsc ended with ${code}: ${said}`)
  console.log(`  ${label}: ${lines.length} problems`)
  return lines.map((line) => `${label}: ${line}`)
}

function tsc(folder: string, compiler: string, project: object, ...options: readonly string[]) {
  const file = join(folder, `tsconfig.${projects++}.json`)
  writeFileSync(file, JSON.stringify(project))
  return run(process.execPath, [join(compiler, 'bin/tsc'), '-p', file, '--pretty', 'false', ...options], folder)
}

function declarationProblems(folder: string): readonly string[] {
  const dist = join(folder, 'node_modules/site-api/dist')
  const declarations = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.d.ts'))
  const texts = declarations.map((file) => readFileSync(join(dist, file), 'utf8'))
  const sizes = {
    all: kilobytes(texts),
    code: kilobytes(texts.map((text) => text.replace(/\/\*\*[\s\S]*?\*\//g, ''))),
  }
  const shown = `${sizes.all} kB (${declarationLimits.all}), ${sizes.code} kB without comments (${declarationLimits.code})`
  console.log(`  declarations: ${shown}, in ${declarations.length} files`)
  return sizes.all > declarationLimits.all || sizes.code > declarationLimits.code
    ? [`the declarations have ${shown}`]
    : []
}

const kilobytes = (texts: readonly string[]): number =>
  Math.round(texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0) / 100) / 10

/** Different calls: a call that is repeated costs nothing. */
function manyCalls(): string {
  const kinds = [
    (at: number) => `await client.orThrow.get('/cms/v2/posts', { per_page: ${at}, _fields: ['id', 'slug'] })`,
    (at: number) => `await client.post('/cms/v2/posts', { title: 'Post ${at}', status: 'draft' })`,
    (at: number) => `await client.patch('/cms/v2/posts/{id}', { id: ${at}, title: 'Post ${at}' })`,
    (at: number) => `await client.get('/builder/v1/notes', { route_url: '/${at}' })`,
    (at: number) => `await client.delete('/builder/v1/form-submissions/{id}', { id: ${at} })`,
  ]
  const lines = Array.from({ length: calls }, (_, at) => {
    const call = kinds[at % kinds.length]?.(at + 1)
    return `const result${at} = ${call}\nexport const data${at} = result${at}.data`
  })
  const head = `import type { D2 } from 'site-api'\nimport { createClient } from 'site-api/client'\n`
  return `${head}const client = createClient<D2>({ url: '/api' })\n${lines.join('\n')}\n`
}

async function callProblems(folder: string, compiler: string): Promise<readonly string[]> {
  const compilerOptions = { ...strictest, module: 'nodenext', moduleResolution: 'nodenext', skipLibCheck: true }
  const { said, code } = await tsc(folder, compiler, { compilerOptions, files: ['calls.ts'] }, '--extendedDiagnostics')
  const instantiations = Number(/^Instantiations:\s+(\d+)/m.exec(said)?.[1])
  const seconds = /^Check time:\s+([\d.]+)s/m.exec(said)?.[1]
  console.log(
    `  ${calls} calls: checked in ${seconds} s (3 s), ${instantiations} instantiations (${instantiationLimit})`,
  )
  if (code !== 0) return [`${calls} calls: ${said}`]
  return instantiations > instantiationLimit ? [`${calls} calls take ${instantiations} instantiations`] : []
}
