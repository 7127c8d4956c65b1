/**
 * Maps the names of the package to its sources: examples import `site-api` as a host does, and tests run them without a build.
 * `node --import` this file does it for a process.
 */
import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const home = join(import.meta.dirname, '../..')

interface Manifest {
  readonly exports: { readonly [entry: string]: string | { readonly default: string } }
  readonly tsup: { readonly entry: { readonly [built: string]: string } }
}
// The cast: package.json of this repository.
const { exports: entries, tsup } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as Manifest

/** Holds the path of each source file by the name that a host imports. */
export const packageSources: ReadonlyMap<string, string> = new Map(
  Object.entries(entries).flatMap(([entry, target]) => {
    const built = typeof target === 'string' ? target : target.default
    const source = tsup.entry[built.replace(/^\.\/dist\/|\.js$/g, '')]
    return source === undefined ? [] : [[join('site-api', entry).replaceAll('\\', '/'), join(home, source)] as const]
  }),
)

/** The option `resolve` of vitest. Whole names: `site-api` is the beginning of the others. */
export const resolveSources = {
  alias: [...packageSources].map(([name, replacement]) => ({ find: new RegExp(`^${name}$`), replacement })),
}

if (process.execArgv.some((option) => option.endsWith('package-sources.ts'))) {
  registerHooks({
    resolve(specifier, context, next) {
      const source = packageSources.get(specifier)
      return next(source === undefined ? specifier : pathToFileURL(source).href, context)
    },
  })
}
