/** What `npm run bench --` takes: names of parts, `--rounds N`, `--quick`. */
import { parseArgs } from 'node:util'

export const partNames = ['routing', 'arguments', 'in-process', 'start', 'batch', 'http', 'posts'] as const
export type PartName = (typeof partNames)[number]

export interface BenchOptions {
  readonly parts: readonly PartName[]
  /** Interleaved rounds; a ratio is judged by the median of at least five. */
  readonly rounds: number
  /** For one case in one round. */
  readonly seconds: number
  /** For one server in one round. */
  readonly loadSeconds: number
  /** Before that: the compiler of the runtime needs some ten thousand requests to be done. */
  readonly warmUpSeconds: number
  readonly isQuick: boolean
}

export function readOptions(args: readonly string[]): BenchOptions {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { rounds: { type: 'string' }, quick: { type: 'boolean', default: false } },
  })
  const unknown = positionals.find((name) => !partNames.includes(name as PartName))
  if (unknown) throw new Error(`there is no part ${unknown}; the parts are ${partNames.join(', ')}`)
  const rounds = Number(values.rounds ?? (values.quick ? 3 : 5))
  if (!Number.isInteger(rounds) || rounds < 1 || rounds > 50) throw new Error('--rounds takes a number from 1 to 50')
  return {
    parts: positionals.length > 0 ? (positionals as PartName[]) : partNames,
    rounds,
    seconds: values.quick ? 0.1 : 0.25,
    loadSeconds: values.quick ? 1 : 2,
    warmUpSeconds: values.quick ? 1 : 2.5,
    isQuick: values.quick,
  }
}
