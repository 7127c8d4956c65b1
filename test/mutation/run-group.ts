/** Runs Stryker for the files of one group, and counts its report. */
import { readFileSync, rmSync } from 'node:fs'
import { runNode } from '../trust/program.ts'

export interface FileScore {
  readonly file: string
  readonly killed: number
  readonly survived: number
}

interface Report {
  readonly files: { readonly [file: string]: { readonly mutants: readonly { readonly status: string }[] } }
}

/** `mutate` names other files than those of the group, or lines of one (`FILE:10-80`). */
export async function runGroup(
  name: string,
  say: (line: string) => void,
  mutate?: string,
): Promise<readonly FileScore[]> {
  const report = `reports/mutation/${name}.json`
  rmSync(report, { force: true })
  const args = ['run', 'test/mutation/stryker.config.ts', ...(mutate === undefined ? [] : ['--mutate', mutate])]
  await runNode('node_modules/@stryker-mutator/core/bin/stryker.js', args, { say, env: { MUTATION_GROUP: name } })
  const { files } = JSON.parse(readFileSync(report, 'utf8')) as Report
  return Object.entries(files).map(([file, { mutants }]) => {
    const count = (...statuses: string[]) => mutants.filter(({ status }) => statuses.includes(status)).length
    return { file, killed: count('Killed', 'Timeout'), survived: count('Survived', 'NoCoverage') }
  })
}

/** The score in percent. */
export function shareKilled(scores: readonly FileScore[]): number {
  const sum = (of: 'killed' | 'survived') => scores.reduce((all, score) => all + score[of], 0)
  return (100 * sum('killed')) / (sum('killed') + sum('survived'))
}
