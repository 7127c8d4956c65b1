/**
 * The options of `npm run bench --`: names of parts, `--rounds N`, `--quick`, `--against none` or the folder or commit of another
 * checkout, and `--lines create,update`, which takes some lines of the parts that load servers.
 */
import { parseArgs } from 'node:util'
import { hasCommit } from './checkout.ts'
import { commit } from './workloads.ts'

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
  /** The checkout that the lines of requests are measured beside: a folder, or a commit to clone. */
  readonly against: string | undefined
  /** Only workloads whose names contain one of these are measured. Undefined: all. */
  readonly lines: readonly string[] | undefined
}

export function readOptions(args: readonly string[]): BenchOptions {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      rounds: { type: 'string' },
      quick: { type: 'boolean', default: false },
      against: { type: 'string' },
      lines: { type: 'string' },
    },
  })
  const unknown = positionals.find((name) => !partNames.includes(name as PartName))
  if (unknown) throw new Error(`there is no part ${unknown}; the parts are ${partNames.join(', ')}`)
  const rounds = Number(values.rounds ?? (values.quick ? 3 : leastRounds))
  if (!Number.isInteger(rounds) || rounds < 1 || rounds > 50) throw new Error('--rounds takes a number from 1 to 50')
  return {
    parts: positionals.length > 0 ? (positionals as PartName[]) : partNames,
    isWhole: positionals.length === 0 && !values.quick && values.lines === undefined && rounds >= leastRounds,
    against: values.against === 'none' ? undefined : (values.against ?? (hasCommit(commit) ? commit : undefined)),
    lines: values.lines?.split(',').map((name) => name.trim()),
    rounds,
    seconds: values.quick ? 0.1 : 0.25,
    loadSeconds: values.quick ? 1 : 2,
    warmUpSeconds: values.quick ? 1 : 2.5,
  }
}
