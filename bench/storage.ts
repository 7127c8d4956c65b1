/**
 * `npm run bench:storage -- [--sizes 10000,100000] [--storages sqlite,postgres]`: fills sites of several sizes and measures
 * each shape of a list on them; `bench/sweep.ts` measures all lists of posts. With all sizes it stores the figures, and writes its part of the report and a chart.
 */
import { parseArgs } from 'node:util'
import { fill } from './growth-content.ts'
import { reportText, rounds, type Site, saveFigures } from './growth-report.ts'
import { shapes } from './growth-shapes.ts'
import { type Opened, open, type StorageName, storageNames } from './growth-storages.ts'
import { begin, end, showProgress } from './progress.ts'
import { median } from './statistics.ts'
import { measure } from './warm-runs.ts'

const defaultWarmUp = 5
/** The memory storage sorts all matches, so it is not measured with more posts. */
const maxMemoryPosts = 100_000

const allSizes = [10_000, 100_000, 1_000_000]

/** A filled site, a measurement function for each shape, and the results. */
interface FilledSite {
  readonly size: number
  readonly opened: Opened
  readonly measurements: ReadonlyMap<string, () => Promise<number>>
  readonly figures: Map<string, number[]>
}

async function fillSite(opened: Opened, size: number): Promise<FilledSite> {
  const filled = await fill(opened.storage, size)
  const storage = await opened.settle()
  const measurements = new Map<string, () => Promise<number>>()
  for (const { name, run, warmUp = defaultWarmUp, minPosts = 0 } of shapes) {
    if (size * 0.9 <= minPosts) continue
    showProgress(`warming up: ${name}`)
    measurements.set(name, await measure((turn) => run(storage, filled, turn), warmUp))
  }
  return { size, opened, measurements, figures: new Map([...measurements.keys()].map((name) => [name, []])) }
}

/** Measures each shape on all sizes in interleaved rounds, so that other load on the machine affects all of them. */
async function measureSites(name: StorageName, sizes: readonly number[]): Promise<Site[]> {
  const opened: Opened[] = []
  try {
    const sites: FilledSite[] = []
    for (const size of sizes) {
      begin(`${name}, ${size} posts`)
      const site = await open[name]()
      opened.push(site)
      sites.push(await fillSite(site, size))
    }
    begin(`${name}, all sizes`)
    for (let round = 1; round <= rounds; round++) {
      showProgress(`round ${round} of ${rounds}`)
      for (const { name: shape } of shapes) {
        for (const { measurements, figures } of sites) {
          const cost = await measurements.get(shape)?.()
          if (cost !== undefined) figures.get(shape)?.push(cost)
        }
      }
    }
    return await Promise.all(sites.map((site) => resultOf(name, site)))
  } finally {
    for (const site of opened) await site.dispose()
  }
}

async function resultOf(storage: StorageName, { size, opened, figures }: FilledSite): Promise<Site> {
  const costs = Object.fromEntries([...figures].map(([shape, values]) => [shape, median(values)]))
  return { storage, size, bytes: await opened.size(), costs }
}

// ---------------------------------------------------------------- start

const { values } = parseArgs({ options: { sizes: { type: 'string' }, storages: { type: 'string' } } })
const sizes = values.sizes?.split(',').map(Number) ?? allSizes
const names = (values.storages?.split(',') ?? storageNames) as StorageName[]
const unknown = names.find((name) => !storageNames.includes(name))
if (unknown || sizes.some((size) => !Number.isInteger(size) || size < 100)) {
  console.error(`--sizes takes numbers from 100 on, --storages some of ${storageNames.join(', ')}`)
  process.exit(1)
}
const sites: Site[] = []
for (const name of names) {
  const results = await measureSites(
    name,
    sizes.filter((size) => name !== 'memory' || size <= maxMemoryPosts),
  )
  if (values.sizes === undefined) saveFigures(name, results)
  sites.push(...results)
}
end()
console.log(reportText(sites))
console.log('\nAll lists of posts, each after a write: node bench/sweep.ts')
