/** How long others wait while a server is attacked, and what it takes of memory. */
import { createInterface } from 'node:readline'
import { attacks } from '../attacks.ts'
import { latenciesOf, readPlainly } from '../latency.ts'
import type { Figure, Row } from '../row.ts'
import { endProcess, type Runtime, startProcess, startTarget } from '../target.ts'

const longestP99Ms = 100
const longestReadMs = 1000
const longestQueryMs = 1000
const mostMegabytes = 256

/** Memory is read this often. */
const sampleMs = 100

async function underAttack(name: string, seconds: number, runtime: Runtime): Promise<Figure> {
  const target = await startTarget(runtime)
  try {
    await readPlainly(target.base, 2)
    const calm = await readPlainly(target.base, seconds)
    const before = target.memory()
    let most = before
    const watching = setInterval(() => {
      most = Math.max(most, target.memory())
    }, sampleMs)
    const { child } = await startProcess('node', 'attacker.ts', [target.base, name])
    const queries: number[] = []
    createInterface({ input: child.stdout ?? process.stdin }).on('line', (line) => {
      const took = /^200 ([\d.]+) ms/.exec(line)?.[1]
      if (took !== undefined) queries.push(Number(took))
    })
    const attacked = await readPlainly(target.base, seconds).finally(() => {
      clearInterval(watching)
      return endProcess(child)
    })
    const grown = Math.round(most - before)
    const ratio = attacked.p50 / calm.p50
    const waits = `p50 ${calm.p50.toFixed(1)} to ${attacked.p50.toFixed(1)} ms (× ${ratio.toFixed(1)})`
    const p99s = `p99 ${calm.p99.toFixed(1)} to ${attacked.p99.toFixed(1)} ms, longest ${attacked.longest.toFixed(0)} ms`
    const own = latenciesOf(queries)
    const ofQueries = queries.length === 0 ? '' : `; the ${own.count} queries p99 ${own.p99.toFixed(0)} ms`
    const isServed = attacked.p99 < longestP99Ms && attacked.longest < longestReadMs
    const isQuick = isServed && (queries.length === 0 || own.p99 < longestQueryMs)
    return { figure: `${waits}, ${p99s}; memory + ${grown} MB${ofQueries}`, isMet: isQuick && grown < mostMegabytes }
  } finally {
    await target.end()
  }
}

const bystander = (name: string, what: string, runtime: Runtime): Row => ({
  name: runtime === 'node' ? `bystander-${name}` : `bystander-${runtime}-${name}`,
  what: `plain reads while ${what}${runtime === 'node' ? '' : ', under Bun'}`,
  bound: `p99 below ${longestP99Ms} ms, each below ${longestReadMs / 1000} s, memory + ${mostMegabytes} MB at most${name === 'worst-queries' ? `, the queries below ${longestQueryMs} ms` : ''}`,
  size: { short: 5, long: 30, unit: 'seconds' },
  run: (seconds) => underAttack(name, seconds, runtime),
})

export const bystanderRows: readonly Row[] = [
  ...attacks.map(({ name, what }) => bystander(name, what, 'node')),
  ...attacks.filter(({ name }) => name === 'pipelining').map(({ name, what }) => bystander(name, what, 'bun')),
]
