/** The performance targets. A target is met or missed by the median of its rounds; reports show the spread too. */
import type { Timings } from './contenders.ts'
import type { HttpFigures } from './http.ts'
import type { PartName } from './options.ts'
import type { StartFigures } from './start.ts'
import { geometricMean } from './statistics.ts'

export interface Target {
  readonly part: PartName
  readonly what: string
  /** The contender that the figure is relative to, or the unit of the figure. */
  readonly than: string
  readonly sense: 'at least' | 'at most'
  readonly bound: number
  /** The milestone that must meet the target. */
  readonly by: 'foundation' | 'speed'
  /** Figures by round. */
  readonly reached: readonly number[]
  /** The work to profile if the target is missed. */
  readonly workload?: Measured
}

/** Names one contender of a part, or our server under a workload. */
export type Measured =
  | { readonly file: string; readonly contender: string; readonly case: string }
  | { readonly server: string }

type Goal = Pick<Target, 'bound' | 'by'>
const foundation = (bound: number): Goal => ({ bound, by: 'foundation' })
const speed = (bound: number): Goal => ({ bound, by: 'speed' })

const perRound = <T>(values: readonly T[], make: (value: T, round: number) => number) => values.map(make)

/** The time of another contender divided by ours, as the geometric mean over the cases. */
function ratios(timings: Timings, other: string, ownName = 'site-api', cases?: readonly string[]): number[] {
  const [theirs, ours] = [timings[other] ?? {}, timings[ownName] ?? {}]
  const names = cases ?? Object.keys(ours)
  return perRound(ours[names[0] ?? ''] ?? [], (_, round) =>
    geometricMean(names.map((name) => (theirs[name]?.[round] ?? Number.NaN) / (ours[name]?.[round] ?? Number.NaN))),
  )
}

export function routingTargets(timings: Timings): Target[] {
  const workload = { file: 'routing.ts', contender: 'site-api', case: 'one parameter' }
  const goals: readonly (readonly [string, Goal])[] = [
    ['hono', foundation(7)],
    ['ordered patterns', foundation(10)],
    ['find-my-way', foundation(1)],
  ]
  return goals.map(([other, goal]) => ({
    part: 'routing',
    what: 'routing, mean of all cases',
    than: other,
    sense: 'at least',
    workload,
    ...goal,
    reached: ratios(timings, other),
  }))
}

export function argumentTargets(timings: Timings): Target[] {
  const query = { file: 'arguments.ts', contender: 'site-api', case: 'ten filters' }
  const body = { file: 'arguments.ts', contender: 'body: site-api', case: longBody }
  const what = 'query to typed filters'
  return [
    {
      part: 'arguments',
      what,
      than: 'picoquery and zod',
      sense: 'at least',
      workload: query,
      ...foundation(3),
      reached: ratios(timings, 'picoquery and zod'),
    },
    {
      part: 'arguments',
      what,
      than: 'picoquery and TypeBox Value',
      sense: 'at least',
      workload: query,
      ...foundation(7),
      reached: ratios(timings, 'picoquery and TypeBox Value'),
    },
    {
      part: 'arguments',
      what: 'checked body of a new post',
      than: 'JSON.parse',
      sense: 'at most',
      workload: body,
      ...foundation(1.1),
      reached: ratios(timings, 'body: site-api', 'body: JSON.parse', [longBody]),
    },
  ]
}

const longBody = 'body with 40 paragraphs'

export function inProcessTargets(timings: Timings): Target[] {
  return [
    {
      part: 'in-process',
      what: 'handle() in process',
      than: 'fetch of Hono',
      sense: 'at least',
      ...foundation(10),
      reached: ratios(timings, 'hono fetch', 'site-api handle'),
      workload: { file: 'in-process.ts', contender: 'site-api handle', case: 'request' },
    },
    {
      part: 'in-process',
      what: 'fetch(Request)',
      than: 'fetch of Hono',
      sense: 'at least',
      ...foundation(1.7),
      reached: ratios(timings, 'hono fetch', 'site-api fetch'),
      workload: { file: 'in-process.ts', contender: 'site-api fetch', case: 'request' },
    },
  ]
}

/**
 * Each rule in passes over its texts: of htmlparser2's tokenizer for contents, of a scan for titles. The bounds are half as
 * much again as was measured, so that a rule that becomes slower is seen.
 */
export function textTargets(timings: Timings): Target[] {
  const goals: readonly (readonly [rule: string, yardstick: 'tokenizer pass' | 'scan', bound: number])[] = [
    ['title', 'scan', 2],
    ['filter of titles', 'scan', 1.1],
    ['typography of titles', 'scan', 1.6],
    ['slug', 'scan', 9],
    ['content', 'tokenizer pass', 7.5],
    ['excerpt', 'tokenizer pass', 10],
    ['filter of contents', 'tokenizer pass', 5],
    ['typography of contents', 'tokenizer pass', 2],
    ['paragraphs', 'tokenizer pass', 7],
  ]
  return goals.map(([rule, yardstick, bound]) => ({
    part: 'texts',
    what: `text rules: ${rule}`,
    than: yardstick,
    sense: 'at most',
    ...speed(bound),
    reached: ratios(timings, 'text rules', yardstick, [rule]),
    workload: { file: 'texts.ts', contender: 'text rules', case: rule },
  }))
}

/** Per element, in microseconds; and whether the work grows with the elements alone. The bounds leave room for a slower machine. */
export function renderTargets(timings: Timings): Target[] {
  const figures: readonly (readonly [contender: string, kept: 'cold' | 'cached', bound: number])[] = [
    ['page of 60 elements', 'cold', 200],
    ['page of 60 elements', 'cached', 5],
    ['loop of 10 posts', 'cold', 200],
    ['loop of 10 posts', 'cached', 5],
  ]
  const timesOf = (name: string, kept: string) => timings[name]?.[kept] ?? []
  const perElement = figures.map(
    ([contender, kept, bound]): Target => ({
      part: 'render',
      what: `${contender}, ${kept}, each element`,
      than: 'µs',
      sense: 'at most',
      ...speed(bound),
      reached: timesOf(contender, kept).map((nanoseconds) => nanoseconds / 1000),
      workload: { file: 'render.ts', contender, case: kept },
    }),
  )
  const [small, large] = ['page of 100 elements', 'page of 1,000 elements']
  const growth: Target = {
    part: 'render',
    what: 'render of 1,000 elements, cold',
    than: 'render of 100',
    sense: 'at most',
    ...speed(12),
    reached: perRound(
      timesOf(large, 'cold'),
      (each, round) => (each * 1000) / ((timesOf(small, 'cold')[round] ?? Number.NaN) * 100),
    ),
    workload: { file: 'render.ts', contender: large, case: 'cold' },
  }
  return [...perElement, growth]
}

export function startTargets(figures: { readonly [profile: string]: StartFigures }): Target[] {
  return Object.entries(figures).flatMap(([name, { create, first }]): Target[] => [
    {
      part: 'start',
      what: `createSiteApi with ${name}`,
      than: 'ms',
      sense: 'at most',
      ...foundation(30),
      reached: create,
    },
    {
      part: 'start',
      what: `first request to ${name}`,
      than: 'ms',
      sense: 'at most',
      ...foundation(5),
      reached: first,
    },
  ])
}

export function batchTargets(timings: Timings): Target[] {
  const workload = { file: 'batch.ts', contender: 'batch', case: 'create a post' }
  const what = 'batch of 25 creates, SQLite'
  const separate = ratios(timings, 'separate calls', 'batch')
  const perSecond = perRound(timings['batch']?.['create a post'] ?? [], (nanoseconds) => 1e9 / nanoseconds / 25)
  return [
    { part: 'batch', what, than: 'separate calls', sense: 'at least', ...foundation(4), reached: separate, workload },
    { part: 'batch', what, than: 'separate calls', sense: 'at least', ...speed(6), reached: separate, workload },
    {
      part: 'batch',
      what,
      than: 'reference implementation (10/s)',
      sense: 'at least',
      workload,
      ...speed(100),
      reached: perSecond.map((rate) => rate / 10),
    },
  ]
}

/** Divides the CPU time per request of another server by ours. */
function serverRatios(figures: HttpFigures, workload: string, other: string): number[] {
  const { [other]: theirs, 'site-api': ours } = figures[workload] ?? {}
  return perRound(ours?.cpu ?? [], (ownCpu, round) => (theirs?.cpu[round] ?? Number.NaN) / ownCpu)
}

/** A fixed CPU time in microseconds divided by ours. */
const against = (figures: HttpFigures, workload: string, microseconds: number): number[] =>
  perRound(figures[workload]?.['site-api']?.cpu ?? [], (ownCpu) => microseconds / ownCpu)

export function httpTargets(figures: HttpFigures): Target[] {
  const goals: readonly (readonly [string, Goal])[] = [
    ['bare node:http', foundation(0.8)],
    ['bare node:http', speed(0.85)],
    ['fastify', foundation(1.05)],
    ['fastify', speed(1.1)],
    ['hono', foundation(1.35)],
    ['express', foundation(5)],
  ]
  return goals.map(([other, goal]) => ({
    part: 'http',
    what: 'HTTP, routed and checked GET',
    than: other,
    sense: 'at least',
    ...goal,
    reached: serverRatios(figures, 'fixed answer', other),
    workload: { server: 'fixed answer' },
  }))
}

/** A line of the table of requests: the bound is a share of the bare server's speed, for writes a multiple of its cost. */
export interface Line {
  readonly name: string
  readonly sense: Target['sense']
  readonly bound: number
}

const share = (name: string, bound: number): Line => ({ name, sense: 'at least', bound })
const multiple = (name: string, bound: number): Line => ({ name, sense: 'at most', bound })

export const requestLines: readonly Line[] = [
  share('post by id', 0.85),
  share('post by id, editor', 0.5),
  share('post by id to edit', 0.5),
  share('list of 20 full posts', 1),
  share('list of 20, another page each', 0.4),
  share('list of 20 to edit', 0.25),
  share('list of 20, one write of another post in 20 reads', 0.6),
  share('list of 20, one write of a post in it in 20 reads', 0.6),
  share('search, another word each', 0.2),
  multiple('create', 1.8),
  multiple('update', 1.8),
  multiple('batch of 25 creates', 1.8),
]

/** By round: how a line compares with another contender. */
export function lineRatios(figures: HttpFigures, { name, sense }: Line, other: string): number[] {
  const ratios = serverRatios(figures, name, other)
  return sense === 'at least' ? ratios : ratios.map((ratio) => 1 / ratio)
}

export function postTargets(figures: HttpFigures): Target[] {
  const servers: readonly (readonly [string, string, Goal])[] = [
    ['post by id', 'fastify', speed(2)],
    ['list of 20 full posts', 'fastify', speed(5)],
  ]
  const fixed: readonly (readonly [string, string, number, Goal])[] = [
    // Rates are converted to the CPU time per request of one core.
    ['post by id', 'reference implementation (125/s)', 1e6 / 125, foundation(100)],
    ['list of 10 posts', 'reference implementation (68/s)', 1e6 / 68, speed(100)],
    ['post by id', 'best peer (537 µs)', 537, speed(25)],
    ['list of 10 posts', 'best peer (4.4 ms)', 4400, speed(50)],
    ['search, another word each', 'best peer (4 ms)', 4000, speed(50)],
    ['create, 24 at once', 'best peer (5 ms)', 5000, speed(20)],
  ]
  const target = (workload: string, than: string, goal: Goal, reached: readonly number[]): Target => ({
    part: 'posts',
    what: `${workload}, SQLite, HTTP`,
    than,
    sense: 'at least',
    workload: { server: workload },
    ...goal,
    reached,
  })
  return [
    ...requestLines.map((line) => ({
      ...target(line.name, bare, speed(line.bound), lineRatios(figures, line, bare)),
      sense: line.sense,
    })),
    ...servers.map(([workload, other, goal]) => target(workload, other, goal, serverRatios(figures, workload, other))),
    ...fixed.map(([workload, than, cpu, goal]) => target(workload, than, goal, against(figures, workload, cpu))),
  ].filter(({ reached }) => reached.length > 0)
}

export const bare = 'bare node:http'
