/**
 * `npm run bench:storage -- [--sizes 10000,100000] [--storages sqlite,postgres]`: fills sites of growing size and measures
 * each shape of a list on them. With all sizes it keeps the figures, and writes its part of the report and a chart.
 */
import { parseArgs } from 'node:util'
import { fill } from './growth-content.ts'
import { keep, rounds, type Site, textOf } from './growth-report.ts'
import { shapes } from './growth-shapes.ts'
import { type Opened, open, type StorageName, storageNames } from './growth-storages.ts'
import { begin, end, tell } from './progress.ts'
import { median } from './statistics.ts'

/** Milliseconds of one shape in one round, at least. */
const roundMs = 20
const fewTurns = 5
/** Memory is the plain reference: it sorts what it finds, and is not meant for more. */
const memoryLimit = 100_000

const allSizes = [10_000, 100_000, 1_000_000]

async function measure(run: (turn: number) => Promise<unknown>, warmUp: number): Promise<() => Promise<number>> {
  let turn = 0
  for (; turn < warmUp; turn++) await run(turn)
  return async () => {
    const from = performance.now()
    let runs = 0
    let spent = 0
    do {
      await run(turn++)
      runs++
      spent = performance.now() - from
    } while (spent < roundMs)
    return (spent * 1000) / runs
  }
}

/** A site that is full, with a way to measure each shape on it, and what that has shown. */
interface Full {
  readonly size: number
  readonly opened: Opened
  readonly ways: ReadonlyMap<string, () => Promise<number>>
  readonly figures: Map<string, number[]>
}

async function fillSite(opened: Opened, size: number): Promise<Full> {
  const filled = await fill(opened.storage, size)
  const storage = await opened.settle()
  const ways = new Map<string, () => Promise<number>>()
  for (const { name, run, warmUp = fewTurns, atLeast = 0 } of shapes) {
    if (size * 0.9 <= atLeast) continue
    tell(`warming up: ${name}`)
    ways.set(name, await measure((turn) => run(storage, filled, turn), warmUp))
  }
  return { size, opened, ways, figures: new Map([...ways.keys()].map((name) => [name, []])) }
}

/** Each shape on all sizes, one right after the other, round after round: what else the machine does hits them alike. */
async function measureSites(name: StorageName, sizes: readonly number[]): Promise<Site[]> {
  const opened: Opened[] = []
  try {
    const sites: Full[] = []
    for (const size of sizes) {
      begin(`${name}, ${size} posts`)
      const site = await open[name]()
      opened.push(site)
      sites.push(await fillSite(site, size))
    }
    begin(`${name}, all sizes`)
    for (let round = 1; round <= rounds; round++) {
      tell(`round ${round} of ${rounds}`)
      for (const { name: shape } of shapes) {
        for (const { ways, figures } of sites) {
          const cost = await ways.get(shape)?.()
          if (cost !== undefined) figures.get(shape)?.push(cost)
        }
      }
    }
    return await Promise.all(sites.map((site) => shown(name, site)))
  } finally {
    for (const site of opened) await site.dispose()
  }
}

async function shown(storage: StorageName, { size, opened, figures }: Full): Promise<Site> {
  const costs = Object.fromEntries([...figures].map(([shape, own]) => [shape, median(own)]))
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
  const own = await measureSites(
    name,
    sizes.filter((size) => name !== 'memory' || size <= memoryLimit),
  )
  if (values.sizes === undefined) keep(name, own)
  sites.push(...own)
}
end()
console.log(textOf(sites))
