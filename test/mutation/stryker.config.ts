import type { PartialStrykerOptions } from '@stryker-mutator/api/core'
import { mutatedGroup } from './groups.ts'

const { name, mutate } = mutatedGroup()

const options: PartialStrykerOptions = {
  packageManager: 'npm',
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: 'test/mutation/vitest.config.ts', related: false },
  coverageAnalysis: 'perTest',
  concurrency: 2,
  mutate: [...mutate],
  reporters: ['clear-text', 'progress-append-only', 'json'],
  jsonReporter: { fileName: `reports/mutation/${name}.json` },
  // On a busy machine: a loop without an end is noticed by how often it runs, a promise that stays open by the tests' own time.
  timeoutMS: 30_000,
  // A mutant of what runs at import costs a run of all tests. Most are words of declarations, which the fixtures of the index and
  // the generated documents hold.
  ignoreStatic: true,
  ignorePatterns: ['dist', 'bench/.cache', 'reports', '.stryker-tmp'],
  tempDirName: '.stryker-tmp',
}
export default options
