/** The options of `npm run bench --`: names of parts, `--rounds N`, `--quick`. */
import { parseArgs } from 'node:util'

export const partNames = [
  'routing',
  'arguments',
  'in-process',
  'texts',
  'render',
  'answers',
  'start',
  'batch',
  'http',
  'posts',
] as const
export type PartName = (typeof partNames)[number]

/** Fewer decide about no target. */
const leastRounds = 5

export interface BenchOptions {
  readonly parts: readonly PartName[]
  /** Interleaved rounds. */
  readonly rounds: number
  /** Seconds for one case in one round. */
  readonly seconds: number
  /** Seconds for one server in one round. */
  readonly loadSeconds: number
  /** Seconds before that: the runtime needs about ten thousand requests to finish compiling. */
  readonly warmUpSeconds: number
  /** Whether the run is one of those that judge the targets. */
  readonly isWhole: boolean
}

export function readOptions(args: readonly string[]): BenchOptions {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { rounds: { type: 'string' }, quick: { type: 'boolean', default: false } },
  })
  const unknown = positionals.find((name) => !partNames.includes(name as PartName))
  if (unknown) throw new Error(`there is no part ${unknown}; the parts are ${partNames.join(', ')}`)
  const rounds = Number(values.rounds ?? (values.quick ? 3 : leastRounds))
  if (!Number.isInteger(rounds) || rounds < 1 || rounds > 50) throw new Error('--rounds takes a number from 1 to 50')
  return {
    parts: positionals.length > 0 ? (positionals as PartName[]) : partNames,
    isWhole: positionals.length === 0 && !values.quick && rounds >= leastRounds,
    rounds,
    seconds: values.quick ? 0.1 : 0.25,
    loadSeconds: values.quick ? 1 : 2,
    warmUpSeconds: values.quick ? 1 : 2.5,
  }
}
