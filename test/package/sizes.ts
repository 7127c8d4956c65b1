/**
 * The size of each entry in a bundle, and of an application with each profile: minified, with dependencies, without optional peers.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { entries, manifest } from './packed.ts'

/** Compressed kilobytes, with some room above the measured size. */
const limits: { readonly [entry: string]: number } = JSON.parse(
  readFileSync(join(import.meta.dirname, 'sizes.json'), 'utf8'),
)

export async function checkSizes(blank: string): Promise<readonly string[]> {
  const rows: (readonly string[])[] = [['entry', 'minified', 'compressed', 'limit']]
  const problems: string[] = []
  const whole = entries.map(({ name }) => [name, `export * from '${name}'`] as const)
  for (const [name, contents] of [...whole, ...applications, worker]) {
    const bundle = await bundleOf(contents, blank)
    const compressed = gzipSync(bundle).length / 1000
    const limit = limits[name]
    rows.push([name, kilobytes(bundle.length / 1000), kilobytes(compressed), limit === undefined ? '' : `${limit} kB`])
    if (limit === undefined) problems.push(`${name} has no limit in test/package/sizes.json`)
    else if (compressed > limit) problems.push(`${name} has ${kilobytes(compressed)}, and ${limit} kB are its limit`)
  }
  for (const [name = '', ...figures] of rows) {
    console.log(`  ${name.padEnd(34)}${figures.map((figure) => figure.padStart(12)).join('')}`)
  }
  return problems
}

/** A bundler leaves out the features that a profile does not have: `pure-values.ts` marks them. */
const applications = ['content', 'd1', 'd2', 'full'].map(
  (profile) =>
    [
      `an application with ${profile}`,
      `import { createSiteApi, ${profile} } from 'site-api'
       import { memoryStorage } from 'site-api/storage/memory'
       export const api = createSiteApi({ storage: memoryStorage(), profile: ${profile} })`,
    ] as const,
)

/** A worker is one file, with all that it would load late. */
const worker = [
  'a worker with the content features',
  `import { baseFeatures, contentFeatures, createSiteApi, profile } from 'site-api'
   import { memoryStorage } from 'site-api/storage/memory'
   const features = [...baseFeatures, ...contentFeatures]
   export const api = createSiteApi({ storage: memoryStorage(), profile: profile({ name: 'site', gmtOffset: 'number', features }) })`,
] as const

async function bundleOf(contents: string, resolveDir: string): Promise<Uint8Array> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir },
    ...{ bundle: true, write: false, minify: true, format: 'esm', platform: 'node', target: 'node22' },
    external: Object.keys(manifest.peerDependencies),
  })
  return outputFiles[0]?.contents ?? new Uint8Array()
}

const kilobytes = (figure: number) => `${figure.toFixed(1)} kB`
