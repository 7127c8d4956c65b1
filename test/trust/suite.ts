/** Makes rows of files of `npm test`. */
import { runTests } from './program.ts'
import type { Row } from './row.ts'

type Storage = 'plain' | 'memory' | 'sqlite' | 'postgres'

interface SuiteOptions extends Pick<Row, 'name' | 'what' | 'bound'> {
  readonly files: readonly string[]
  /** The projects of vitest in which the files run. */
  readonly projects: readonly Storage[]
  /** Smaller sums of what the tests hand to `counted`, by their units, miss the bound. */
  readonly least?: { readonly [unit: string]: number }
  /** Default: false. True: the tests take as many generated cases as in `npm run test:long`. */
  readonly isFull?: boolean
}

/** The sums of what the tests have counted, by their units. */
function sumsOf(lines: readonly string[]): ReadonlyMap<string, number> {
  const sums = new Map<string, number>()
  for (const line of lines) {
    const [, count, unit] = /^counted: (\d+) (.+)$/.exec(line) ?? []
    if (unit !== undefined) sums.set(unit, (sums.get(unit) ?? 0) + Number(count))
  }
  return sums
}

/** A row that is met when all tests of some files pass. */
export const suite = ({ name, what, bound, files, projects, least = {}, isFull = false }: SuiteOptions): Row => ({
  ...{ name, what, bound },
  size: { short: 1, long: 1, unit: 'run' },
  run: async (_, say) => {
    const env = { TRUST_REPORT: '1', ...(isFull ? { TEST_FULL: '1' } : {}) }
    const { passed, failed, skipped, lines } = await runTests(files, { say, projects, env })
    const sums = sumsOf(lines)
    const figure = [
      ...[...sums].map(([unit, sum]) => `${sum.toLocaleString('en')} ${unit}`),
      `${passed} tests passed${projects.length > 1 ? ` on ${projects.join(', ')}` : ''}`,
      ...(failed === 0 ? [] : [`${failed} failed`]),
      ...(skipped === 0 ? [] : [`${skipped} skipped`]),
    ].join(', ')
    const isEnough = passed > 0 && Object.entries(least).every(([unit, sum]) => (sums.get(unit) ?? 0) >= sum)
    return { figure, isMet: failed > 0 || !isEnough ? false : skipped > 0 ? undefined : true }
  },
})
