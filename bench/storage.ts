/**
 * `npm run bench:storage -- [--sizes 10000,100000] [--storages sqlite,postgres]`: fills sites of growing size and measures
 * each shape of a list on them. With all sizes it keeps the figures, and writes its part of the report and a chart.
 */
import { parseArgs } from 'node:util'
import type { Storage } from '../src/storage/contract.ts'
import { type Filled, fill } from './growth-content.ts'
import { figure, keep, rounds, type Site, textOf } from './growth-report.ts'
import { type Shape, shapes } from './growth-shapes.ts'
import { open, type StorageName, storageNames } from './growth-storages.ts'
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

/** All shapes in turn, round after round: what else the machine does hits them alike. */
async function costsOf(storage: Storage, filled: Filled, asked: readonly Shape[]): Promise<Site['costs']> {
  const figures = new Map<string, number[]>(asked.map(({ name }) => [name, []]))
  const ways = new Map<string, () => Promise<number>>()
  for (const { name, run, warmUp = fewTurns } of asked) {
    tell(`warming up: ${name}`)
    ways.set(name, await measure((turn) => run(storage, filled, turn), warmUp))
  }
  for (let round = 1; round <= rounds; round++) {
    tell(`round ${round} of ${rounds}`)
    for (const [name, costs] of figures) costs.push(await (ways.get(name) as () => Promise<number>)())
  }
  return Object.fromEntries([...figures].map(([name, costs]) => [name, median(costs)]))
}

async function measureSite(name: StorageName, size: number): Promise<Site> {
  begin(`${name}, ${size} posts`)
  const opened = await open[name]()
  try {
    const filled = await fill(opened.storage, size)
    const settled = await opened.settle()
    const asked = shapes.filter(({ atLeast = 0 }) => size * 0.9 > atLeast)
    const costs = await costsOf(settled, filled, asked)
    return { storage: name, size, bytes: await opened.size(), costs }
  } finally {
    await opened.dispose()
  }
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
  const own: Site[] = []
  for (const size of sizes) {
    if (name === 'memory' && size > memoryLimit) continue
    const site = await measureSite(name, size)
    for (const [shape, cost] of Object.entries(site.costs)) console.log(`${name} ${size} ${shape}: ${figure(cost)} µs`)
    own.push(site)
  }
  if (values.sizes === undefined) keep(name, own)
  sites.push(...own)
}
end()
console.log(textOf(sites))
