/** The package as it would be published, and blank projects that it is installed in. */
import { cpSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { outputOf } from './run.ts'

export const home = join(import.meta.dirname, '../..')

interface Manifest {
  readonly exports: { readonly [entry: string]: string | { readonly default: string } }
  readonly peerDependencies: { readonly [name: string]: string }
}

// The cast: package.json of this repository.
export const manifest = createRequire(import.meta.url)(join(home, 'package.json')) as Manifest

/** Lists the modules of `exports` with their files: `site-api`, `site-api/node` and so on. */
export const entries: readonly { readonly name: string; readonly file: string }[] = Object.entries(
  manifest.exports,
).flatMap(([entry, target]) =>
  typeof target === 'string' ? [] : [{ name: `site-api${entry.slice(1)}`, file: target.default }],
)

/** Packs the build as a tarball in the given folder. */
export async function pack(folder: string): Promise<string> {
  const missing = entries.filter(({ file }) => !existsSync(join(home, file)))
  if (missing.length > 0) throw new Error(`run \`npm run build\` first: ${missing.map(({ file }) => file).join(', ')}`)
  const args = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder]
  const [made] = JSON.parse(await outputOf('npm', args, home)) as readonly { readonly filename: string }[]
  if (!made) throw new Error('npm pack made nothing')
  return join(folder, made.filename)
}

/** Installs the tarball with its dependencies, and the further packages; no optional peer. */
export async function installBlank(folder: string, tarball: string, further: readonly string[]): Promise<void> {
  mkdirSync(folder)
  writeFileSync(join(folder, 'package.json'), '{ "name": "blank", "private": true, "type": "module" }')
  await outputOf('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', tarball, ...further], folder)
}

/** Gives a project the installed package, and all that the repository has beside it: frameworks, drivers, types. */
export function installBeside(folder: string, blank: string): void {
  const modules = join(folder, 'node_modules')
  cpSync(join(blank, 'node_modules/site-api'), join(modules, 'site-api'), { recursive: true })
  for (const name of readdirSync(join(home, 'node_modules'))) {
    if (name !== 'site-api') symlinkSync(join(home, 'node_modules', name), join(modules, name))
  }
}
