/**
 * `npm run test:simulation`: many seeds, on the memory storage and on SQLite in turn: of clients beside each other, and of what
 * leaves the storage. `--seeds 10000`, `--first 1`. A seed with a problem is printed with its trace; the same seed gives the same
 * run again.
 */
import { mock } from 'node:test'
import { parseArgs } from 'node:util'
import { memoryStorage } from '../../src/storage/memory/index.ts'
import { sqliteStorage } from '../../src/storage/sqlite.ts'
import { simulateOutside } from './outside.ts'
import { simulate } from './simulate.ts'

const { values } = parseArgs({
  options: { seeds: { type: 'string', default: '10000' }, first: { type: 'string', default: '1' } },
})
const first = Number(values.first)
const last = first + Number(values.seeds) - 1
let operations = 0
let unknown = 0
let deliveries = 0

async function opened(seed: number) {
  const storage = seed % 2 === 0 ? sqliteStorage(':memory:') : memoryStorage()
  await storage.open?.()
  return storage
}

function stopAt(seed: number, problems: readonly string[], trace: string): void {
  if (problems.length === 0) return
  console.error(`seed ${seed}:\n${problems.join('\n')}\n${trace}`)
  process.exit(1)
}

for (let seed = first; seed <= last; seed++) {
  const storage = await opened(seed)
  const report = await simulate({ seed, storage })
  await storage.close?.()
  operations += report.operations
  unknown += report.unknown
  stopAt(seed, report.problems, report.trace)
  if (seed % 500 === 0) console.log(`${seed - first + 1} seeds, ${operations} operations`)
}
// Background work waits for the seed, not for the clock of the machine.
mock.timers.enable({ apis: ['setTimeout'] })
for (let seed = first; seed <= last; seed++) {
  const report = await simulateOutside(seed, await opened(seed))
  operations += report.operations
  unknown += report.unknown
  deliveries += report.deliveries
  stopAt(seed, report.problems, report.trace)
  if (seed % 500 === 0) console.log(`${seed - first + 1} seeds with files and webhooks, ${deliveries} deliveries`)
}
console.log(
  `${values.seeds} seeds, ${operations} operations, ${unknown} of unknown outcome, ${deliveries} deliveries, 0 faults`,
)
