/**
 * `npm run bench:storage -- [--sizes 10000,100000] [--storages sqlite,postgres]`: fills sites of growing size and measures
 * each shape of a list on them. With all sizes and storages it writes its part of the report, and a chart.
 */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type { Storage } from '../src/storage/contract.ts'
import { growthChart } from './growth-chart.ts'
import { type Filled, fill } from './growth-content.ts'
import { type Shape, shapes } from './growth-shapes.ts'
import { open, type StorageName, storageNames } from './growth-storages.ts'
import { begin, end, tell } from './progress.ts'
import { machineLine } from './report.ts'
import { writePart } from './report-file.ts'
import { median } from './statistics.ts'

const rounds = 9
/** Milliseconds of one shape in one round, at least. */
const roundMs = 20
/** Memory is the plain reference: it sorts what it finds, and is not meant for more. */
const memoryLimit = 100_000

const allSizes = [10_000, 100_000, 1_000_000]

interface Site {
  readonly storage: StorageName
  readonly size: number
  readonly bytes: number
  /** Microseconds by shape. */
  readonly costs: ReadonlyMap<string, number>
}

async function measure(run: (turn: number) => Promise<unknown>): Promise<() => Promise<number>> {
  let turn = 0
  for (; turn < 5; turn++) await run(turn)
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
async function costsOf(
  storage: Storage,
  filled: Filled,
  asked: readonly Shape[],
): Promise<ReadonlyMap<string, number>> {
  const figures = new Map<string, number[]>(asked.map(({ name }) => [name, []]))
  const ways = new Map<string, () => Promise<number>>()
  for (const { name, run } of asked) {
    tell(`warming up: ${name}`)
    ways.set(name, await measure((turn) => run(storage, filled, turn)))
  }
  for (let round = 1; round <= rounds; round++) {
    tell(`round ${round} of ${rounds}`)
    for (const [name, figure] of figures) figure.push(await (ways.get(name) as () => Promise<number>)())
  }
  return new Map([...figures].map(([name, figure]) => [name, median(figure)]))
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

// ---------------------------------------------------------------- the report

interface Verdict {
  readonly storage: string
  readonly shape: string
  readonly than: string
  readonly hold: number
  readonly reached: number
}

function verdictsOf(sites: readonly Site[], name: StorageName): Verdict[] {
  const of = (size: number) => sites.find(({ storage, size: own }) => storage === name && own === size)?.costs
  const [before, after] = [of(100_000), of(1_000_000)]
  if (!before || !after) return []
  return shapes.flatMap(({ name: shape, hold, against }) => {
    const [cost, base] = [after.get(shape), against ? after.get(against) : before.get(shape)]
    if (hold === undefined || cost === undefined || base === undefined) return []
    return [{ storage: name, shape, than: against ? `${against}, 1 M` : '100 k', hold, reached: cost / base }]
  })
}

const figure = (microseconds: number | undefined) =>
  microseconds === undefined ? '' : microseconds < 1000 ? `${microseconds.toPrecision(3)}` : microseconds.toFixed(0)

const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`

function textOf(sites: readonly Site[]): string {
  const verdicts = storageNames.flatMap((name) => verdictsOf(sites, name))
  const met = verdicts.filter(({ reached, hold }) => reached <= hold)
  const heads = sites.map(({ storage, size }) => `${storage} ${size / 1000} k`)
  return [
    '## How costs grow with a site',
    '',
    'Written by `npm run bench:storage`. Microseconds of wall time for one list with its rows, asked of the storage itself;',
    `the median of ${rounds} interleaved rounds, warm. Sizes are posts of about 400 characters with two terms each; memory is the`,
    'plain reference, shown and held to nothing.',
    '',
    machineLine(),
    '',
    `${met.length} of ${verdicts.length} bounds are kept.`,
    '',
    '![Cost against size](growth.svg)',
    '',
    row(['1 M posts', 'storage', 'against', 'hold', 'reached', 'verdict']),
    row(Array(6).fill('---')),
    ...verdicts.map(({ storage, shape, than, hold, reached }) =>
      row([shape, storage, than, `≤ ${hold}`, reached.toPrecision(3), reached <= hold ? 'met' : '**missed**']),
    ),
    '',
    row(['µs', ...heads]),
    row(Array(heads.length + 1).fill('---')),
    ...shapes.map(({ name }) => row([name, ...sites.map(({ costs }) => figure(costs.get(name)))])),
    row(['on disk, MB', ...sites.map(({ bytes }) => (bytes === 0 ? '' : (bytes / 2 ** 20).toFixed(0)))]),
  ].join('\n')
}

const panelsOf = (sites: readonly Site[]) =>
  storageNames.map((name) => {
    const own = sites.filter(({ storage }) => storage === name)
    const pointsOf = (shape: string) =>
      own.flatMap(({ size, costs }) => {
        const microseconds = costs.get(shape)
        return microseconds === undefined ? [] : [{ size, microseconds }]
      })
    return { title: name, lines: shapes.map((shape) => ({ name: shape.name, points: pointsOf(shape.name) })) }
  })

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
  for (const size of sizes) {
    if (name === 'memory' && size > memoryLimit) continue
    const site = await measureSite(name, size)
    for (const [shape, cost] of site.costs) console.log(`${name} ${size} ${shape}: ${figure(cost)} µs`)
    sites.push(site)
  }
}
end()
const text = textOf(sites)
console.log(text)
if (values.sizes === undefined && values.storages === undefined) {
  writePart('growth', text)
  writeFileSync(new URL('growth.svg', import.meta.url), growthChart(panelsOf(sites)))
}
