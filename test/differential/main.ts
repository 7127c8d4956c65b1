/**
 * `npm run test:differential`: the same random requests to a site on memory, on SQLite and on PostgreSQL, the last two with two
 * processes each. Every answer is compared. `--seeds 20`, `--first 1`, `--steps 400`, `--storages memory,sqlite`; `--trace`
 * prints each request. A difference is printed with its seed and step; the same seed gives the same run again.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { randomOf } from '../simulation/random.ts'
import { startPostgres } from '../support/postgres-server.ts'
import { now } from '../support/small-site.ts'
import { differenceOf } from './compare.ts'
import { drawRequest, type Known, learn } from './operations.ts'
import type { Answer, Request } from './request.ts'
import { type Site, startSite } from './sites.ts'

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '20' },
    first: { type: 'string', default: '1' },
    steps: { type: 'string', default: '400' },
    storages: { type: 'string', default: 'memory,sqlite,postgres' },
    trace: { type: 'boolean', default: false },
  },
})
const storages = values.storages.split(',')
const first = Number(values.first)
const last = first + Number(values.seeds) - 1
const steps = Number(values.steps)

/** The clock moves on by up to so much with each request. */
const maxPauseMs = 4000

const postgres = storages.includes('postgres') ? await startPostgres() : undefined
const folder = mkdtempSync(join(tmpdir(), 'site-api-differential-'))
let requests = 0
let refused = 0
let differences = 0

async function startSites(seed: number): Promise<Site[]> {
  const uploads = (name: string) => join(folder, `uploads-${name}-${seed}`)
  const texts: { readonly [name: string]: string } = {
    memory: 'memory',
    sqlite: `sqlite:${join(folder, `site-${seed}.db`)}`,
    postgres: `${postgres?.url ?? ''}?schema=seed_${seed}`,
  }
  const options = (name: string) => ({
    storage: texts[name] ?? '',
    folder: uploads(name),
    processes: name === 'memory' ? 1 : 2,
  })
  return Promise.all(storages.map((name) => startSite(name, options(name))))
}

/** Returns false at the first difference, since what follows may differ for it. */
function isSame(sites: readonly Site[], answers: readonly Answer[], where: string, request: Request): boolean {
  const [expected] = answers
  if (!expected) return true
  let same = true
  for (const [at, seen] of answers.entries()) {
    const difference = differenceOf(expected, seen)
    const isFault = seen.status === 0 || seen.status >= 500
    if (difference === undefined && !isFault) continue
    same = false
    const body = typeof request.body === 'string' ? ` ${request.body}` : ''
    console.error(`${where}: ${request.method} ${request.path}${body}`)
    console.error(`  ${sites[0]?.name} and ${sites[at]?.name}: ${difference ?? `${seen.status} ${seen.body}`}`)
  }
  return same
}

async function runSeed(seed: number): Promise<void> {
  const random = randomOf(seed)
  const sites = await startSites(seed)
  const known: Known = { ids: new Map() }
  let time = now
  try {
    for (let step = 1; step <= steps; step++) {
      time += random.below(maxPauseMs)
      const request: Request = { ...drawRequest(known, random), time, isDue: random.chance(0.05) }
      const process = random.below(2)
      const answers = await Promise.all(sites.map((site) => site.ask(process, request)))
      requests += 1
      const [answer] = answers
      if (values.trace)
        console.log(`${step} process ${process}: ${request.method} ${request.path} -> ${answer?.status}`)
      if (answer && answer.status >= 400) refused += 1
      if (!isSame(sites, answers, `seed ${seed}, step ${step}`, request)) {
        differences += 1
        return
      }
      if (answer && answer.status < 300) learn(known, request.path, JSON.parse(answer.body === '' ? '{}' : answer.body))
    }
  } finally {
    await Promise.all(sites.map((site) => site.end()))
  }
}

try {
  for (let seed = first; seed <= last; seed++) {
    await runSeed(seed)
    console.log(`seed ${seed} of ${last}: ${requests} requests, ${refused} refused, ${differences} differences`)
  }
} finally {
  await postgres?.stop()
  rmSync(folder, { recursive: true, force: true })
}
console.log(
  `${values.seeds} seeds on ${storages.join(', ')}: ${requests} requests, ${refused} refused, ${differences} differences`,
)
process.exitCode = differences === 0 ? 0 : 1
