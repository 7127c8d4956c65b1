/**
 * `npm run test:simulation`: many seeds, on the memory storage and on SQLite in turn. `--seeds 10000`, `--first 1`. A seed with a
 * problem is printed with its trace; the same seed gives the same run again.
 */
import { parseArgs } from 'node:util'
import { memoryStorage } from '../../src/storage/memory/index.ts'
import { sqliteStorage } from '../../src/storage/sqlite.ts'
import { simulate } from './simulate.ts'

const { values } = parseArgs({
  options: { seeds: { type: 'string', default: '10000' }, first: { type: 'string', default: '1' } },
})
const first = Number(values.first)
const last = first + Number(values.seeds) - 1
let operations = 0
let unknown = 0
for (let seed = first; seed <= last; seed++) {
  const storage = seed % 2 === 0 ? sqliteStorage(':memory:') : memoryStorage()
  await storage.open?.()
  const report = await simulate({ seed, storage })
  await storage.close?.()
  operations += report.operations
  unknown += report.unknown
  if (report.problems.length > 0) {
    console.error(`seed ${seed}:\n${report.problems.join('\n')}\n${report.trace}`)
    process.exit(1)
  }
  if (seed % 500 === 0) console.log(`${seed - first + 1} seeds, ${operations} operations`)
}
console.log(`${values.seeds} seeds, ${operations} operations, ${unknown} of unknown outcome, 0 faults`)
