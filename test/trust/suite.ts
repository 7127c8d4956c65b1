/** Makes rows of files of `npm test`. */
import { runTests, type Tests } from './program.ts'
import type { Row } from './row.ts'

type Storage = 'plain' | 'memory' | 'sqlite' | 'postgres'

interface SuiteOptions extends Pick<Row, 'name' | 'what' | 'bound'> {
  readonly files: readonly string[]
  /** The projects of vitest in which the files run, one after another. */
  readonly projects: readonly Storage[]
  /** Counts the unit of the figure. Default: the tests that passed. */
  readonly count?: (tests: Tests) => number
  readonly unit?: string
  /** A smaller count misses the bound. Default: 1 for each project. */
  readonly least?: number
  /** Default: false. True: the tests take as many generated cases as in `npm run test:long`. */
  readonly isFull?: boolean
}

/** A row that is met when all tests of some files pass. */
export const suite = ({ name, what, bound, files, projects, isFull = false, ...options }: SuiteOptions): Row => ({
  ...{ name, what, bound },
  size: { short: 1, long: 1, unit: 'run' },
  run: async (_, say) => {
    const { count = ({ passed }) => passed, unit = 'tests passed', least = projects.length } = options
    const env = { TRUST_REPORT: '1', ...(isFull ? { TEST_FULL: '1' } : {}) }
    let counted = 0
    let failed = 0
    let skipped = 0
    for (const project of projects) {
      const tests = await runTests(files, { say, project, env })
      counted += count(tests)
      failed += tests.failed
      skipped += tests.skipped
    }
    const where = projects.length > 1 ? ` on ${projects.join(', ')}` : ''
    const left = skipped === 0 ? '' : `, ${skipped} skipped`
    const figure = `${counted.toLocaleString('en')} ${unit}${where}, ${failed} tests failed${left}`
    return { figure, isMet: failed > 0 || counted < least ? false : skipped > 0 ? undefined : true }
  },
})
