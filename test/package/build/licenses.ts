/**
 * Writes `dist/THIRD-PARTY-LICENSES.txt`: the licences of the packages whose code is part of the build, by the list of its
 * inputs that the bundler wrote.
 */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const home = join(import.meta.dirname, '../../..')
const list = join(home, 'dist/metafile-esm.json')

// The cast: the form of esbuild's metafile.
const { outputs } = JSON.parse(readFileSync(list, 'utf8')) as {
  readonly outputs: { readonly [file: string]: { readonly inputs: { readonly [file: string]: unknown } } }
}
const inputs = Object.values(outputs).flatMap((output) => Object.keys(output.inputs))
const names = new Set(inputs.flatMap((file) => /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? []))

function licenseOf(name: string): string {
  const folder = join(home, 'node_modules', name)
  const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each))
  const { version, license, author } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const text = file === undefined ? termsOf(name, license, author) : readFileSync(join(folder, file), 'utf8')
  return `${name} ${version} (${license})\n\n${text.trim()}\n`
}

/** For packages that name their licence and have no file of it. */
function termsOf(name: string, license: unknown, author: unknown): string {
  if (license !== 'MIT' || typeof author !== 'string') {
    throw new Error(`${name} is part of the build and has no file with its licence`)
  }
  return readFileSync(join(home, 'LICENSE'), 'utf8').replace(/^Copyright .*$/m, `Copyright (c) ${author}`)
}

const texts = [...names].sort().map(licenseOf)
writeFileSync(join(home, 'dist/THIRD-PARTY-LICENSES.txt'), texts.join(`\n${'-'.repeat(80)}\n\n`))
rmSync(list)
