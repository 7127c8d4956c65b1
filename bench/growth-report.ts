/** Writes the report of `npm run bench:storage`: the last figures of each storage, the bounds, a chart. */
import { readFileSync, writeFileSync } from 'node:fs'
import { growthChart } from './growth-chart.ts'
import { shapes } from './growth-shapes.ts'
import { type StorageName, storageNames } from './growth-storages.ts'
import { machineLine } from './report.ts'
import { writePart } from './report-file.ts'

/** The number of rounds; a figure is their median. */
export const rounds = 9

export interface Site {
  readonly storage: StorageName
  readonly size: number
  readonly bytes: number
  /** Microseconds by shape. */
  readonly costs: { readonly [shape: string]: number }
}

/** The figures of one storage and the machine of that run. Figures are compared only within a run. */
interface Measured {
  readonly machine: string
  readonly sites: readonly Site[]
}

const file = new URL('growth.json', import.meta.url)
const chart = new URL('growth.svg', import.meta.url)

type StoredFigures = { [storage: string]: Measured }

const readFigures = (): StoredFigures => JSON.parse(readFileSync(file, 'utf8'))

/** Stores the figures of a storage, and writes the report with the last figures of all storages. */
export function saveFigures(name: StorageName, sites: readonly Site[]): void {
  const stored = { ...readFigures(), [name]: { machine: machineLine(), sites } }
  writeFileSync(file, `${JSON.stringify(stored, undefined, 2)}\n`)
  writeGrowth()
}

/** Writes the report and the chart from the stored figures. */
function writeGrowth(): void {
  const stored = readFigures()
  const measured = storageNames.flatMap((storage) => stored[storage]?.sites ?? [])
  const machines = storageNames.flatMap((storage) => (stored[storage] ? [`${storage}:`, stored[storage].machine] : []))
  writePart('growth', reportText(measured, machines))
  writeFileSync(chart, growthChart(panelsOf(measured)))
}

interface Verdict {
  readonly storage: string
  readonly shape: string
  readonly than: string
  readonly bound: number
  readonly reached: number
}

function verdictsOf(sites: readonly Site[], name: StorageName): Verdict[] {
  const of = (size: number) => sites.find((site) => site.storage === name && site.size === size)?.costs
  const [before, after] = [of(100_000), of(1_000_000)]
  if (!before || !after) return []
  return shapes.flatMap(({ name: shape, bound, against }) => {
    const [cost, base] = [after[shape], against ? after[against] : before[shape]]
    if (bound === undefined || cost === undefined || base === undefined) return []
    return [{ storage: name, shape, than: against ? `${against}, 1 M` : '100 k', bound, reached: cost / base }]
  })
}

const figure = (microseconds: number | undefined) =>
  microseconds === undefined ? '' : microseconds < 1000 ? `${microseconds.toPrecision(3)}` : microseconds.toFixed(0)

const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`

export function reportText(sites: readonly Site[], machines: readonly string[] = [machineLine()]): string {
  const verdicts = storageNames.flatMap((name) => verdictsOf(sites, name))
  const met = verdicts.filter(({ reached, bound }) => reached <= bound)
  const heads = sites.map(({ storage, size }) => `${storage} ${size / 1000} k`)
  return [
    '## How costs grow with a site',
    '',
    'Written by `npm run bench:storage`. Microseconds of wall time for one list with its rows, asked of the storage itself;',
    `the median of ${rounds} interleaved rounds, warm. Sizes are posts of about 400 characters with two terms each; memory is the`,
    'plain reference, shown and held to nothing. Storages may have been measured in runs of their own; a bound compares',
    'figures of one run. By id asks for 5,000 posts that are spread over the site, again and again.',
    '',
    machines.join('\n\n'),
    '',
    `${met.length} of ${verdicts.length} bounds are kept.`,
    '',
    '![Cost against size](growth.svg)',
    '',
    row(['1 M posts', 'storage', 'against', 'hold', 'reached', 'verdict']),
    row(Array(6).fill('---')),
    ...verdicts.map(({ storage, shape, than, bound, reached }) =>
      row([shape, storage, than, `≤ ${bound}`, reached.toPrecision(3), reached <= bound ? 'met' : '**missed**']),
    ),
    '',
    row(['µs', ...heads]),
    row(Array(heads.length + 1).fill('---')),
    ...shapes.map(({ name }) => row([name, ...sites.map(({ costs }) => figure(costs[name]))])),
    row(['on disk, MB', ...sites.map(({ bytes }) => (bytes === 0 ? '' : (bytes / 2 ** 20).toFixed(0)))]),
  ].join('\n')
}

const panelsOf = (sites: readonly Site[]) =>
  storageNames.map((name) => {
    const ownSites = sites.filter(({ storage }) => storage === name)
    const pointsOf = (shape: string) =>
      ownSites.flatMap(({ size, costs }) => {
        const microseconds = costs[shape]
        return microseconds === undefined ? [] : [{ size, microseconds }]
      })
    return { title: name, lines: shapes.map((shape) => ({ name: shape.name, points: pointsOf(shape.name) })) }
  })

if (import.meta.main) writeGrowth()
