/** The modules that each entry of the package imports, from the module graph of its sources. */
import { readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { build } from 'esbuild'
import { describe, expect, test } from 'vitest'
import { listed } from '../support/assertion-messages.ts'

const home = join(import.meta.dirname, '../..')
const manifest: {
  readonly exports: { readonly [entry: string]: string | { readonly default: string } }
  readonly tsup: {
    readonly entry: { readonly [name: string]: string }
    /** Packages whose code becomes part of the build. */
    readonly noExternal: readonly string[]
  }
  readonly dependencies: { readonly [name: string]: string }
  readonly peerDependencies: { readonly [name: string]: string }
} = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'))

/** The entries of `exports`, each with the source file that tsup builds it from. */
const sources = Object.entries(manifest.exports).flatMap(([entry, target]) => {
  if (typeof target === 'string') return []
  const built = target.default.replace(/^\.\/dist\/|\.js$/g, '')
  return [[`site-api${entry.slice(1)}`, manifest.tsup.entry[built] ?? `no tsup entry builds ${built}`] as const]
})

interface Imported {
  readonly path: string
  readonly kind: string
}

interface Graph {
  /** Source files, relative to the root of the repository. */
  readonly files: readonly string[]
  readonly packages: readonly Imported[]
}

async function graphOf(source: string): Promise<Graph> {
  const { metafile } = await build({
    entryPoints: [join(home, source)],
    absWorkingDir: home,
    bundle: true,
    write: false,
    outdir: 'out',
    metafile: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
  })
  const inputs = Object.entries(metafile.inputs)
  const packages = inputs.flatMap(([, { imports }]) => imports.filter(({ external }) => external))
  return { files: inputs.map(([file]) => file), packages: packages.filter(({ path }) => !isBuiltin(path)) }
}

const packageOf = (path: string) => path.split('/', path.startsWith('@') ? 2 : 1).join('/')

describe.each(sources)('%s', (name, source) => {
  const graph = graphOf(source)

  test('imports only dependencies, and peers lazily', async () => {
    const { packages } = await graph
    const wrong = packages.filter(({ path, kind }) =>
      packageOf(path) in manifest.peerDependencies
        ? kind !== 'dynamic-import'
        : !(packageOf(path) in manifest.dependencies) && !manifest.tsup.noExternal.includes(packageOf(path)),
    )
    const paths = wrong.map(({ path, kind }) => `${path} (${kind})`)
    const advice = `${name} imports these: add a dependency to package.json, or bundle a package by noExternal of tsup; import a peer dependency with await import():`
    expect(wrong, listed(advice, paths)).toEqual([])
  })

  test('imports no module that a runtime lacks', async () => {
    const { files, packages } = await graph
    expect(packages.filter(({ path }) => /^bun:|^bun$/.test(path))).toEqual([])
    // SQLite is loaded at run time, so that a bundle loads under Bun and in Node versions before 22.
    const all = files.map((file) => readFileSync(join(home, file), 'utf8'))
    expect(all.filter((text) => /^import (?!type)[^\n]*'(?:node|bun):sqlite'/m.test(text))).toEqual([])
  })

  test('pulls in no other entry except its subject', async () => {
    const { files } = await graph
    // The past is read with the conditions and orders of the memory storage, which `site-api` loads late.
    const others = name === 'site-api' ? /^src\/storage\/sql\// : /^src\/storage\/(?:sql|memory)\//
    const storages = files.filter((file) => others.test(file))
    const adapters = files.filter((file) => /^adapters\/[a-z]+\.ts$/.test(file) && file !== source)
    expect(adapters).toEqual([])
    if (!name.startsWith('site-api/storage/')) expect(storages).toEqual([])
  })
})

test('site-api pulls no framework, no driver and no SQL', async () => {
  const { files, packages } = await graphOf('src/index.ts')
  const names = new Set(packages.map(({ path }) => packageOf(path)))
  expect(Object.keys(manifest.peerDependencies).filter((name) => names.has(name))).toEqual([])
  expect(files.filter((file) => file.startsWith('src/storage/sql/'))).toEqual([])
})
