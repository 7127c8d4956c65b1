/** How long others wait while a server is attacked, and what it takes of memory. */
import { createInterface } from 'node:readline'
import { type Attack, attacks } from '../attacks.ts'
import { latenciesOf, readPlainly } from '../latency.ts'
import type { Figure, Row } from '../row.ts'
import { endProcess, type Runtime, startProcess, startTarget } from '../target.ts'

const longestP99Ms = 100
const longestReadMs = 1000
const longestQueryMs = 1000
const mostMegabytes = 256

/** Memory is read this often. */
const sampleMs = 100

async function underAttack(attack: Attack, seconds: number, runtime: Runtime): Promise<Figure> {
  const target = await startTarget(runtime)
  try {
    await readPlainly(target.base, 2)
    const calm = await readPlainly(target.base, seconds)
    const before = target.memory()
    let most = before
    const watching = setInterval(() => {
      most = Math.max(most, target.memory())
    }, sampleMs)
    const { child } = await startProcess('node', 'attacker.ts', [target.base, attack.name])
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
    const ratioOfP99s = attacked.p99 / calm.p99
    const p99s = `p99 ${calm.p99.toFixed(1)} to ${attacked.p99.toFixed(1)} ms (× ${ratioOfP99s.toFixed(1)}), longest ${attacked.longest.toFixed(0)} ms`
    const own = latenciesOf(queries)
    const ofQueries = queries.length === 0 ? '' : `; the ${own.count} queries p99 ${own.p99.toFixed(0)} ms`
    const isCalm = attack.longestRatio === undefined || ratioOfP99s <= attack.longestRatio
    const isServed = isCalm && attacked.p99 < longestP99Ms && attacked.longest < longestReadMs
    const isQuick = isServed && (queries.length === 0 || own.p99 < longestQueryMs)
    return { figure: `${waits}, ${p99s}; memory + ${grown} MB${ofQueries}`, isMet: isQuick && grown < mostMegabytes }
  } finally {
    await target.end()
  }
}

const boundOf = ({ name, longestRatio }: Attack) =>
  [
    `p99 below ${longestP99Ms} ms${longestRatio === undefined ? '' : ` and at most ${longestRatio} × at rest`}`,
    `each below ${longestReadMs / 1000} s`,
    `memory + ${mostMegabytes} MB at most`,
    ...(name === 'worst-queries' ? [`the queries below ${longestQueryMs} ms`] : []),
  ].join(', ')

const bystander = (attack: Attack, runtime: Runtime): Row => ({
  name: runtime === 'node' ? `bystander-${attack.name}` : `bystander-${runtime}-${attack.name}`,
  what: `plain reads while ${attack.what}${runtime === 'node' ? '' : ', under Bun'}`,
  bound: boundOf(attack),
  size: { short: 5, long: 30, unit: 'seconds' },
  run: (seconds) => underAttack(attack, seconds, runtime),
})

export const bystanderRows: readonly Row[] = [
  ...attacks.map((attack) => bystander(attack, 'node')),
  ...attacks.filter(({ name }) => name === 'pipelining').map((attack) => bystander(attack, 'bun')),
]
