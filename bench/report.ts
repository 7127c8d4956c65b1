/** Prints the report and writes it to bench/report.md with a chart. Missed targets include a CPU profile. */
import { writeFileSync } from 'node:fs'
import { cpus, loadavg, release, totalmem, type } from 'node:os'
import { chartOf } from './chart.ts'
import { canPin, type Timings } from './contenders.ts'
import type { HttpFigures } from './http.ts'
import type { BenchOptions } from './options.ts'
import type { Share } from './profile.ts'
import { reasonOf } from './reasons.ts'
import { writePart } from './report-file.ts'
import { isMetIn, type Run, reachedIn } from './runs.ts'
import { median } from './statistics.ts'
import { bare, lineRatios, requestLines, type Target } from './targets.ts'
import { isMet, reaches } from './verdict.ts'
import { commit } from './workloads.ts'

interface Measurements {
  readonly targets: readonly Target[]
  readonly tables: readonly Table[]
}

/** The figures of a whole run. */
interface Report extends Measurements {
  readonly options: BenchOptions
  /** This run, and those before it. */
  readonly runs: readonly Run[]
  /** Profiles by the name of the profiled work. */
  readonly profiles: ReadonlyMap<string, readonly Share[]>
}

export interface Table {
  readonly title: string
  readonly head: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

const digits = (value: number): string => (Math.abs(value) >= 1000 ? value.toFixed(0) : value.toPrecision(3))

const spread = (values: readonly number[]): string => `${digits(Math.min(...values))} to ${digits(Math.max(...values))}`

export function timingTable(title: string, timings: Timings): Table {
  const cases = [...new Set(Object.values(timings).flatMap((ofCase) => Object.keys(ofCase)))]
  const rows = Object.entries(timings).map(([name, ofCase]) => [
    name,
    ...cases.map((caseName) => {
      const values = ofCase[caseName]
      return values ? `${digits(median(values))} (${spread(values)})` : ''
    }),
  ])
  return { title, head: ['ns per operation', ...cases], rows }
}

export function serverTables(figures: HttpFigures): Table[] {
  return Object.entries(figures).map(([workload, servers]) => ({
    title: workload,
    head: ['server', 'CPU per request, µs', 'spread', 'requests per second'],
    rows: Object.entries(servers).map(([name, { cpu, rate }]) => [
      name,
      digits(median(cpu)),
      spread(cpu),
      digits(median(rate)),
    ]),
  }))
}

/**
 * The lines of requests, each beside the bare server and beside the other commit. For reads the bare server sends the same bytes, for
 * writes it writes equal rows; a ratio is above 1 where a read is faster, or a write dearer.
 */
export function requestTable(figures: HttpFigures): Table {
  const cell = (values: readonly number[] | undefined) =>
    values === undefined ? '' : `${digits(median(values))} (${spread(values)})`
  const rows = requestLines.flatMap((line) => {
    const { [line.name]: { 'site-api': ours, [bare]: floor, [commit]: before } = {} } = figures
    if (ours === undefined || floor === undefined) return []
    const [reached, ofBefore] = [lineRatios(figures, line, bare), before && lineRatios(figures, line, commit)]
    const { sense, bound } = line
    return [
      [
        ...[line.name, cell(ours.cpu), cell(floor.cpu), cell(before?.cpu)],
        ...[cell(reached), `${sense === 'at least' ? '≥' : '≤'} ${bound}`],
        ...[reaches(line, median(reached)) ? 'met' : '**missed**', cell(ofBefore)],
      ],
    ]
  })
  const head = ['CPU per request, µs', 'site-api', 'bare', commit, '× bare', 'hold', 'verdict', `× ${commit}`]
  return { title: 'Requests to 1,000 posts in SQLite', head, rows }
}

function targetTable(targets: readonly Target[]): Table {
  const rows = targets.map((target) => [
    target.what,
    target.than,
    `${target.sense === 'at least' ? '≥' : '≤'} ${target.bound}`,
    target.by,
    digits(median(target.reached)),
    spread(target.reached),
    isMet(target) ? 'met' : '**missed**',
  ])
  return { title: 'Targets', head: ['what', 'against', 'hold', 'by', 'reached', 'spread', 'verdict'], rows }
}

/** Judged by the last runs. */
function verdictTable(targets: readonly Target[], runs: readonly Run[]): Table {
  const { title, head, rows } = targetTable(targets)
  const judged = targets.map((target, at) => [
    ...(rows[at] ?? []).slice(0, -1),
    reachedIn(runs, target).map(digits).join(', '),
    isMetIn(runs, target) ? 'met' : '**missed**',
  ])
  return { title, head: [...head.slice(0, -1), 'last runs', 'verdict'], rows: judged }
}

// ---------------------------------------------------------------- to the terminal

export function printReport({ targets, tables }: Measurements): void {
  for (const table of [...tables, targetTable(targets)]) {
    console.log(`\n${table.title}`)
    const lines = [table.head, ...table.rows]
    const widths = table.head.map((_, column) => Math.max(...lines.map((line) => (line[column] ?? '').length)))
    for (const line of lines) {
      console.log(
        line
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join('  ')
          .replaceAll('**', ''),
      )
    }
  }
}

// ---------------------------------------------------------------- as a file

export function writeReport(report: Report): void {
  const { options, targets, tables, profiles, runs } = report
  const missed = targets.filter((target) => !isMetIn(runs, target))
  const text = [
    '# Benchmark report',
    '',
    'Written by `npm run bench`. A figure is the median of its rounds; the spread is from the smallest to the largest.',
    'Each contender runs in a process of its own, each server in a new one for each round; rounds are interleaved. Times are CPU times, but for the batch, where',
    'waiting for the disk is part of the work. For servers the CPU that a request costs is the main figure: requests per',
    'second depend on what else the machine does.',
    '',
    ...machineLines(options),
    '',
    `${targets.length - missed.length} of ${targets.length} targets are met, by two of three runs (${[...new Set(runs.map(({ date }) => date))].join(', ')}).`,
    '',
    '![How far each target is reached](report.svg)',
    '',
    ...markdownTable(verdictTable(targets, runs)),
    ...missedLines(missed),
    ...tables.flatMap(markdownTable),
    ...profileLines(profiles),
  ].join('\n')
  writePart('targets', text)
  writeFileSync(new URL('report.svg', import.meta.url), chartOf(targets))
}

/** The date, the machine and its load. */
export function machineLine(): string {
  const [core] = cpus()
  const [load = 0] = loadavg()
  return [
    `- ${new Date().toISOString().slice(0, 10)}, Node ${process.version}, ${type()} ${release()}`,
    `- ${cpus().length} cores (${core?.model.trim() ?? 'unknown'}), ${Math.round(totalmem() / 2 ** 30)} GB; load at the end ${load.toFixed(1)}`,
  ].join('\n')
}

function machineLines({ rounds, seconds, loadSeconds, warmUpSeconds }: BenchOptions): string[] {
  return [
    machineLine(),
    `- ${rounds} rounds; ${seconds} s a case, ${loadSeconds} s a server after ${warmUpSeconds} s to warm up${canPin ? '; contenders on core 0, the load on core 1' : '; nothing could be pinned to a core'}`,
    ...(rounds < 5 ? ['- **fewer than five rounds: a look, not a judgement**'] : []),
  ]
}

function markdownTable({ title, head, rows }: Table): string[] {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [`## ${title}`, '', line(head), line(head.map(() => '---')), ...rows.map(line), '']
}

function missedLines(missed: readonly Target[]): string[] {
  if (missed.length === 0) return []
  const lines = missed.map(
    (target) => `- **${target.what}, against ${target.than}**: ${reasonOf(target) ?? 'not explained yet.'}`,
  )
  return ['## What was missed, and why', '', ...new Set(lines), '']
}

function profileLines(profiles: Report['profiles']): string[] {
  if (profiles.size === 0) return []
  return [
    '## Where the time goes in what was missed',
    '',
    'Shares of the functions themselves in a CPU profile of our side alone.',
    '',
    ...[...profiles].flatMap(([name, shares]) => [
      `**${name}**`,
      '',
      ...shares.map((share) => `- ${share.percent.toFixed(1)} % ${share.name}`),
      '',
    ]),
  ]
}
