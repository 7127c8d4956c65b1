/** The medians of the last whole runs, in bench/runs.json: the machine is shared, so two of three runs judge a target. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { median } from './statistics.ts'
import type { Target } from './targets.ts'
import { reaches } from './verdict.ts'

/** The figures that a run reached, by target. */
export interface Run {
  readonly date: string
  readonly reached: { readonly [target: string]: number }
}

const file = new URL('runs.json', import.meta.url)
const kept = 3

/** Targets of two milestones that measure the same have one. */
export const keyOf = ({ what, than }: Pick<Target, 'what' | 'than'>): string => `${what}; ${than}`

/** The last runs before this one, oldest first. */
function readRuns(): readonly Run[] {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as readonly Run[]) : []
}

/** Stores a whole run; returns the last runs, this one at the end. */
export function addRun(targets: readonly Target[]): readonly Run[] {
  const reached = Object.fromEntries(
    targets.map((target) => [keyOf(target), Number(median(target.reached).toPrecision(4))]),
  )
  const runs = [...readRuns(), { date: new Date().toISOString().slice(0, 10), reached }].slice(-kept)
  writeFileSync(file, `${JSON.stringify(runs, undefined, 2)}\n`)
  return runs
}

/** The figures of the runs for a target that they all have. */
export function reachedIn(runs: readonly Run[], target: Target): readonly number[] {
  return runs.flatMap(({ reached }) => reached[keyOf(target)] ?? [])
}

/** Of three runs two decide, of two both. */
export function isMetIn(runs: readonly Run[], target: Target): boolean {
  const reached = reachedIn(runs, target)
  return 3 * reached.filter((value) => reaches(target, value)).length >= 2 * reached.length
}
