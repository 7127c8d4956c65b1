/** Counts the results of whole suites of tests. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { groups } from '../../mutation/groups.ts'
import { type FileScore, runGroup, shareKilled } from '../../mutation/run-group.ts'
import { groupsOf, runNode, runProgram } from '../program.ts'
import type { Row } from '../row.ts'
import { suite } from '../suite.ts'

const permissions = suite({
  name: 'permissions',
  what: 'all routes × methods × 7 actors',
  bound: '100 % of the cells stated, and as stated',
  files: ['test/security/permission-table.test.ts'],
  projects: ['memory'],
  least: { cells: 1000 },
})

const kit = suite({
  name: 'storage-kit',
  what: 'storages that are broken on purpose fail the conformance cases',
  bound: 'at least 20, each caught',
  files: ['test/testing/broken.test.ts'],
  projects: ['memory'],
  least: { 'broken storages caught': 20 },
})

const compatibility = suite({
  name: 'compatibility',
  what: 'a stored site of version 0.1 is migrated and answers',
  bound: 'every test',
  files: ['test/storage/sqlite/upgrade.test.ts'],
  projects: ['sqlite'],
})

const coveredFully = [
  'src/core/request/',
  'src/core/declare/permissions.ts',
  'src/features/content/batch.ts',
  'src/services/http-client',
  'src/render/filter/',
]
const leastElsewhere = 90
/** V8 counts in Node. These run in browsers (`npm run test:browser`) and under Bun, whose tests run where it is installed. */
const elsewhere = ['src/**/browser/**', 'adapters/bun.ts', 'adapters/bun/**', 'src/storage/sql/sqlite/bun-driver.ts']

interface Covered {
  readonly branches: { readonly total: number; readonly covered: number; readonly pct: number }
}

type CoveredFiles = readonly (readonly [name: string, covered: Covered])[]

/** Undefined when a test failed. */
async function coveredBy(args: readonly string[], say: (line: string) => void): Promise<CoveredFiles | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'site-api-coverage-'))
  try {
    const report = ['--coverage.enabled', '--coverage.reporter=json-summary', `--coverage.reportsDirectory=${folder}`]
    // Counting makes processes slow: this row is not about time.
    const vitest = ['run', '--config', 'test/vitest.config.ts', '--testTimeout=240000', ...report, ...args]
    await runNode('node_modules/vitest/vitest.mjs', vitest, { say })
    const file = join(folder, 'coverage-summary.json')
    if (!existsSync(file)) return undefined
    const files = Object.entries(JSON.parse(readFileSync(file, 'utf8')) as { readonly [file: string]: Covered })
    return files.filter(([name]) => name !== 'total')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The command line runs in processes that tests start. Counted on its own: positions in both kinds of process differ, and would add up. */
const commandLine = 'src/cli/**'

const coverage: Row = {
  name: 'coverage',
  what: 'branches that `npm test` runs in Node, the command line included; not what runs in browsers or under Bun',
  bound: `100 % of parsing, permissions, batch, egress and the filter; ${leastElsewhere} % elsewhere`,
  size: { short: 0, long: 1, unit: 'run' },
  run: async (_, say) => {
    const modules = await coveredBy(
      [
        ...['src/**', 'adapters/**'].map((pattern) => `--coverage.include=${pattern}`),
        ...[...elsewhere, commandLine].map((pattern) => `--coverage.exclude=${pattern}`),
      ],
      say,
    )
    const inProcesses = ['--coverage.autoAttachSubprocess', `--coverage.include=${commandLine}`]
    const commands = await coveredBy(['--project', 'plain', 'test/cli', 'test/mcp', ...inProcesses], say)
    if (!modules || !commands) return { figure: 'no report: a test failed', isMet: false }
    const isFully = ([name]: CoveredFiles[number]) => coveredFully.some((part) => name.includes(part))
    const share = (chosen: CoveredFiles) => {
      const sum = (of: 'total' | 'covered') => chosen.reduce((all, [, { branches }]) => all + branches[of], 0)
      return (100 * sum('covered')) / sum('total')
    }
    const inner = share(modules.filter(isFully))
    const outer = share([...modules.filter((one) => !isFully(one)), ...commands])
    return {
      figure: `${inner.toFixed(2)} % and ${outer.toFixed(2)} %`,
      isMet: inner === 100 && outer >= leastElsewhere,
    }
  },
}

const leastKilled = 95

const mutation: Row = {
  name: 'mutation',
  what: 'changes of permissions, pipeline, batch, posts, notes and storage conditions that a test notices',
  bound: `${leastKilled} %`,
  size: { short: 0, long: 1, unit: 'run' },
  run: async (_, say) => {
    const scores: FileScore[] = []
    for (const name of Object.keys(groups)) scores.push(...(await runGroup(name, say)))
    const sum = (of: 'killed' | 'survived') => scores.reduce((all, score) => all + score[of], 0)
    const share = shareKilled(scores)
    const figure = `${share.toFixed(1)} %: ${sum('killed')} noticed, ${sum('survived')} not`
    return { figure, isMet: share >= leastKilled }
  },
}

const builtPackage: Row = {
  name: 'package',
  what: 'the packed build in a blank folder: each part that loads late acts, each name of a dynamic import is looked up',
  bound: 'all act on Node 22 and 26, Bun, Deno and workerd',
  size: { short: 1, long: 1, unit: 'run' },
  run: async (_, say) => {
    const built = await runProgram('npm', ['run', '-s', 'build'], { say })
    if (built.code !== 0) return { figure: 'it can not be built', isMet: false }
    const { code, lines } = await runNode('test/package/main.ts', ['runtimes', 'late parts'], { say })
    const [imports, names] = groupsOf(lines, /(\d+) dynamic imports, (\d+) names/)
    const acted = lines.map((line) => Number(/^ *(\d+) parts acted/.exec(line)?.[1] ?? 0))
    const runs = lines.filter((line) => /: \d+ problems, /.test(line)).length
    const parts = `${acted.reduce((sum, count) => sum + count, 0)} late parts acted`
    const figure = `${imports} dynamic imports with ${names} names, ${parts}; ${runs} runs on runtimes, ended with ${code}`
    return { figure, isMet: code === 0 }
  },
}

export const suiteRows: readonly Row[] = [permissions, builtPackage, kit, compatibility, coverage, mutation]
