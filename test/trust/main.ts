/**
 * `npm run test:trust`: measures what SECURITY.md promises in figures, and prints them as one table. `--short` takes minutes, the
 * long form hours. `--only crash-sqlite,bystander` takes the rows whose names begin so, `--size 20` another size for them.
 */
import { parseArgs } from 'node:util'
import type { Figure, Row } from './row.ts'
import { bystanderRows } from './rows/bystanders.ts'
import { durabilityRows } from './rows/durability.ts'
import { hostileRows } from './rows/hostile.ts'
import { loadRows } from './rows/load.ts'
import { promiseRows } from './rows/promises.ts'
import { signInRows } from './rows/sign-in.ts'
import { suiteRows } from './rows/suites.ts'
import { printTable, type Result } from './table.ts'

const { values } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    size: { type: 'string' },
  },
})
const rows = [
  ...durabilityRows,
  ...hostileRows,
  ...bystanderRows,
  ...loadRows,
  ...signInRows,
  ...promiseRows,
  ...suiteRows,
]
const only = values.only.split(',').filter(Boolean)
const unknown = only.filter((name) => !rows.some((row) => row.name.startsWith(name)))
if (unknown.length > 0) {
  console.error(`no row is called ${unknown.join(', ')}; there are: ${rows.map(({ name }) => name).join(', ')}`)
  process.exit(2)
}
const chosen = rows.filter(({ name }) => only.length === 0 || only.some((one) => name.startsWith(one)))
const sizeOf = ({ size }: Row) => Number(values.size ?? (values.short ? size.short : size.long))

async function measure(row: Row): Promise<Figure> {
  if (sizeOf(row) === 0) return { figure: 'left out of the short form', isMet: undefined }
  try {
    return await row.run(sizeOf(row), (line) => console.log(`  ${row.name}: ${line}`))
  } catch (error) {
    return { figure: `failed: ${error instanceof Error ? error.message : error}`, isMet: false }
  }
}

const results: Result[] = []
for (const [at, row] of chosen.entries()) {
  console.log(`[${at + 1}/${chosen.length}] ${row.name}, ${sizeOf(row)} ${row.size.unit}: ${row.what}`)
  const started = performance.now()
  const figure = await measure(row)
  const seconds = Math.round((performance.now() - started) / 1000)
  results.push({ row, size: sizeOf(row), seconds, ...figure })
  console.log(`[${at + 1}/${chosen.length}] ${row.name}: ${figure.figure} (${seconds} s)`)
}
printTable(results)
process.exitCode = results.some(({ isMet }) => isMet === false) ? 1 : 0
