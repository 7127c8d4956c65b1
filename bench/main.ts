/**
 * `npm run bench -- [parts] [--rounds N] [--quick]`: measures and prints; writes the report if all parts ran without `--quick`.
 */
import { fileURLToPath } from 'node:url'
import { measureContenders, type Timings } from './contenders.ts'
import { measureServers } from './http.ts'
import { type BenchOptions, type PartName, readOptions } from './options.ts'
import { profileOf, type Share } from './profile.ts'
import { begin, end, showProgress } from './progress.ts'
import { printReport, requestTable, serverTables, type Table, timingTable, writeReport } from './report.ts'
import { addRun, isMetIn } from './runs.ts'
import { measureStarts } from './start.ts'
import {
  argumentTargets,
  batchTargets,
  httpTargets,
  inProcessTargets,
  type Measured,
  postTargets,
  renderTargets,
  routingTargets,
  startTargets,
  type Target,
  textTargets,
} from './targets.ts'

interface Result {
  readonly targets: readonly Target[]
  readonly tables: readonly Table[]
}

type Part = (options: BenchOptions) => Promise<Result>

const contenders =
  (file: string, names: readonly string[], title: string, targets: (timings: Timings) => Target[]): Part =>
  async (options) => {
    const timings = await measureContenders(fileURLToPath(new URL(file, import.meta.url)), names, options)
    return { targets: targets(timings), tables: [timingTable(title, timings)] }
  }

const parts: { readonly [name in PartName]: Part } = {
  routing: contenders(
    'routing.ts',
    ['site-api', 'find-my-way', 'hono', 'ordered patterns'],
    'Routing, 135 routes',
    routingTargets,
  ),
  arguments: contenders(
    'arguments.ts',
    ['site-api', 'picoquery and zod', 'picoquery and TypeBox Value', 'body: site-api', 'body: JSON.parse'],
    'Arguments of the posts list and of a new post',
    argumentTargets,
  ),
  'in-process': contenders(
    'in-process.ts',
    ['site-api handle', 'site-api fetch', 'hono fetch'],
    'One routed and checked GET in process',
    inProcessTargets,
  ),
  texts: contenders(
    'texts.ts',
    ['text rules', 'tokenizer pass', 'scan'],
    'Text rules, for each text of the sample site',
    textTargets,
  ),
  render: contenders(
    'render.ts',
    ['page of 60 elements', 'loop of 10 posts', 'page of 100 elements', 'page of 1,000 elements'],
    'Drawing builder documents, for each element',
    renderTargets,
  ),
  answers: contenders(
    'answers.ts',
    ['cached responses', 'kept rows alone', 'cached responses, 1 % writes', 'cached responses, a write before each'],
    'A visitor’s reads of posts in SQLite, in process',
    () => [],
  ),
  start: async (options) => ({ targets: startTargets(await measureStarts(options)), tables: [] }),
  batch: contenders(
    'batch.ts',
    ['batch', 'separate calls'],
    'Creating posts on SQLite (wall time of each of 25)',
    batchTargets,
  ),
  http: async (options) => {
    const figures = await measureServers('fixed', options)
    return { targets: httpTargets(figures), tables: serverTables(figures) }
  },
  posts: async (options) => {
    const figures = await measureServers('posts', options)
    return { targets: postTargets(figures), tables: [requestTable(figures), ...serverTables(figures)] }
  },
}

const nameOf = (measured: Measured): string =>
  'server' in measured ? `${measured.server}, our server` : `${measured.contender}, ${measured.case}`

/** A profile for each work that missed a target. */
async function profilesOf(missed: readonly Target[]): Promise<ReadonlyMap<string, readonly Share[]>> {
  const profiles = new Map<string, readonly Share[]>()
  for (const { workload } of missed) {
    if (workload === undefined || profiles.has(nameOf(workload))) continue
    showProgress(nameOf(workload))
    profiles.set(nameOf(workload), await profileOf(workload))
  }
  return profiles
}

const options = readOptions(process.argv.slice(2))
const results: Result[] = []
for (const name of options.parts) {
  begin(name)
  results.push(await parts[name](options))
}
const targets = results.flatMap((result) => result.targets)
const tables = results.flatMap((result) => result.tables)
end()
printReport({ targets, tables })
if (options.isWhole) {
  const runs = addRun(targets)
  begin('profiles')
  const profiles = await profilesOf(targets.filter((target) => !isMetIn(runs, target)))
  end()
  writeReport({ options, targets, tables, profiles, runs })
}
