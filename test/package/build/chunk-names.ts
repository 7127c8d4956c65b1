/**
 * Names the files that entries share by the code they hold, where the bundler wrote a digest: `chunk-2EDCTO4C.js` becomes
 * `declare-errors.js`, so that the frames of a stack say where they lead.
 */
import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'

const dist = join(import.meta.dirname, '../../../dist')

interface Output {
  readonly entryPoint?: string
  readonly inputs: { readonly [file: string]: { readonly bytesInOutput: number } }
}

/** The bundler ends the names of shared files with a digest. */
const withDigest = /[\w.-]+-[A-Z0-9]{8}\.js/g

// The cast: the form of esbuild's metafile.
const { outputs } = JSON.parse(readFileSync(join(dist, 'metafile-esm.json'), 'utf8')) as {
  readonly outputs: { readonly [file: string]: Output }
}

function namesOf(): ReadonlyMap<string, string> {
  const files = Object.entries(outputs).map(([file, output]) => [basename(file), output] as const)
  const [made, entries] = [
    files.filter(([file]) => file.match(withDigest)),
    files.filter(([file]) => !file.match(withDigest)),
  ]
  const taken = new Set(entries.map(([file]) => file))
  // In an order that does not depend on the digests.
  const wanted = made.map(([file, output]) => ({ file, name: nameOf(output), bytes: bytesIn(output) }))
  wanted.sort((one, other) => other.bytes - one.bytes)
  return new Map(
    wanted.map(({ file, name }) => {
      let free = `${name}.js`
      for (let at = 2; taken.has(free); at++) free = `${name}-${at}.js`
      taken.add(free)
      return [file, free]
    }),
  )
}

const bytesIn = ({ inputs }: Output): number =>
  Object.values(inputs).reduce((sum, { bytesInOutput }) => sum + bytesInOutput, 0)

/** The path of the file that is loaded by its name, or the deepest folder or file that has more than half of the code. */
function nameOf(output: Output): string {
  if (output.entryPoint !== undefined) return nameOfPath(output.entryPoint)
  const half = bytesIn(output) / 2
  const sizes = new Map<string, number>()
  for (const [file, { bytesInOutput }] of Object.entries(output.inputs)) {
    const steps = stepsOf(file)
    for (const at of steps.keys()) {
      const path = steps.slice(0, at + 1).join('/')
      sizes.set(path, (sizes.get(path) ?? 0) + bytesInOutput)
    }
  }
  const [main = 'shared'] = [...sizes]
    .filter(([, bytes]) => bytes > half)
    .map(([path]) => path)
    .sort((a, b) => b.length - a.length)
  return main === 'src' ? 'shared' : nameOfPath(main)
}

/** A package counts as one folder, wherever it is installed. */
function stepsOf(file: string): readonly string[] {
  const name = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1]
  return name === undefined ? file.split('/') : [name]
}

/** The last folders say most; a stack has the rest in the comment above the code. */
function nameOfPath(path: string): string {
  const steps = stepsOf(path).filter((step) => step !== 'src' && step !== 'index.ts')
  return steps
    .slice(-2)
    .join('-')
    .replace(/\.ts$/, '')
    .replace(/[^\w.-]+/g, '-')
    .replace(/^-/, '')
}

const names = namesOf()
for (const file of readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((one) => one.endsWith('.js'))) {
  const path = join(dist, file)
  const text = readFileSync(path, 'utf8')
  const renamed = text.replace(withDigest, (name) => names.get(name) ?? name)
  if (renamed !== text) writeFileSync(path, renamed)
}
for (const [file, name] of names) renameSync(join(dist, file), join(dist, name))
