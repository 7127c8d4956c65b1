/**
 * `node bench/texts-against.ts --against FOLDER [--rounds 11] [--at name=file#export ...]`: the text rules of this checkout and
 * of another one on the same texts, in one process and in alternating rounds. `--at` says where the other one has a function.
 */
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { median } from './statistics.ts'
import { loadTextRules, places, type RuleName, ruleNames, runsOfRules } from './text-rules.ts'

const warmUpMs = 200
const roundMs = 20

function readArguments() {
  const { values } = parseArgs({
    options: {
      against: { type: 'string' },
      rounds: { type: 'string', default: '11' },
      at: { type: 'string', multiple: true, default: [] },
    },
  })
  const rounds = Number(values.rounds)
  if (values.against === undefined) throw new Error('--against takes the folder of another checkout')
  if (!Number.isInteger(rounds) || rounds < 1) throw new Error('--rounds takes a number from 1')
  const others = Object.fromEntries(values.at.map(readPlace))
  return { folder: resolve(values.against), rounds, at: { ...places, ...others } }
}

function readPlace(option: string): readonly [name: string, place: string] {
  const [, name = '', place = ''] = /^(\w+)=(.+#\w+)$/.exec(option) ?? []
  if (!Object.hasOwn(places, name)) {
    throw new Error(`--at takes name=file#export; the names are ${Object.keys(places).join(', ')}`)
  }
  return [name, place]
}

type Run = () => number

/** How many runs take as long as a round. */
function runsPerRound(run: Run): number {
  const end = performance.now() + warmUpMs
  let runs = 0
  while (performance.now() < end) {
    run()
    runs++
  }
  return Math.max(1, Math.round((runs * roundMs) / warmUpMs))
}

/** Microseconds of CPU time for one run. */
function cost(run: Run, times: number): number {
  const before = process.cpuUsage()
  for (let at = 0; at < times; at++) run()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / times
}

function compare(own: Run, other: Run, rounds: number): readonly (readonly [own: number, other: number])[] {
  const times = { own: runsPerRound(own), other: runsPerRound(other) }
  return Array.from({ length: rounds }, (_, round) => {
    // Neither is always the second, which would find the memory of the first.
    if (round % 2 === 0) return [cost(own, times.own), cost(other, times.other)]
    const otherCost = cost(other, times.other)
    return [cost(own, times.own), otherCost]
  })
}

const { folder, rounds, at } = readArguments()
const own = runsOfRules(await loadTextRules(fileURLToPath(new URL('..', import.meta.url))))
const other = runsOfRules(await loadTextRules(folder, at))

const row = (rule: RuleName) => {
  const costs = compare(own[rule], other[rule], rounds)
  const ratios = costs.map(([ownCost, otherCost]) => ownCost / otherCost)
  return {
    rule,
    'this, µs': median(costs.map(([ownCost]) => ownCost)).toFixed(1),
    'other, µs': median(costs.map(([, otherCost]) => otherCost)).toFixed(1),
    'this / other': median(ratios).toFixed(2),
    spread: `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`,
  }
}
console.table(ruleNames.map(row))
