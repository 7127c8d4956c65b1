/**
 * `node bench/requests-against.ts --against FOLDER [--storage memory] [--posts 2000] [--rounds 15] [--profile full]`: requests in process, of this checkout
 * and of another one, in alternating rounds of one run. Each checkout runs in a separate process; figures are its CPU time. `--storage
 * memory` shows what the core alone costs; the default is a SQLite file. `--record` has this side record its requests: with `--against .`
 * the cost of a recording.
 */
import { fork } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import type { SiteApi } from '../src/index.ts'
import { begin, end, showProgress } from './progress.ts'
import { median } from './statistics.ts'

const { values } = parseArgs({
  options: {
    against: { type: 'string' },
    storage: { type: 'string', default: 'sqlite' },
    posts: { type: 'string', default: '2000' },
    rounds: { type: 'string', default: '15' },
    /** `full` has features that `content` lacks, such as the history. */
    profile: { type: 'string', default: 'content' },
    record: { type: 'boolean', default: false },
    /** The checkout whose requests this process runs. */
    serve: { type: 'string' },
  },
})

interface Side {
  readonly api: SiteApi
  readonly as: number
  readonly ids: readonly number[]
  /** Gives a new post a category and two tags. */
  readonly terms: { readonly categories: readonly number[]; readonly tags: readonly number[] }
}

interface Case {
  readonly name: string
  readonly turns: number
  readonly run: (side: Side, turn: number) => Promise<{ readonly status: number }>
}

let seeds = 0
const newPost = () => ({
  title: `High water ${++seeds}`,
  content: `<!-- cms:paragraph -->\n<p>The ferry leaves the harbour at ${seeds}.</p>\n<!-- /cms:paragraph -->`,
  status: 'publish',
})
const batchOf = (count: number, terms: object = {}) => ({
  requests: Array.from({ length: count }, () => ({
    method: 'POST',
    path: '/cms/v2/posts',
    body: { ...newPost(), ...terms },
  })),
})

const idOf = ({ ids }: Side, turn: number) => ids[(turn * 7919) % ids.length] as number
const read = ({ api }: Side, path: string) => api.fetch(new Request(`https://site.example/api/cms/v2${path}`))

const cases: readonly Case[] = [
  { name: 'a post by its id', turns: 400, run: (side, turn) => read(side, `/posts/${idOf(side, turn)}`) },
  { name: 'a list of 10', turns: 100, run: (side, turn) => read(side, `/posts?page=${1 + (turn % 90)}`) },
  {
    name: 'a post by its id, edit context, call()',
    turns: 400,
    run: (side, turn) =>
      side.api.call('GET', `/cms/v2/posts/${idOf(side, turn)}`, { context: 'edit' }, { as: side.as }),
  },
  { name: 'a new post', turns: 50, run: ({ api, as }) => api.call('POST', '/cms/v2/posts', newPost(), { as }) },
  {
    name: 'a new post with a category and two tags',
    turns: 50,
    run: ({ api, as, terms }) => api.call('POST', '/cms/v2/posts', { ...newPost(), ...terms }, { as }),
  },
  {
    name: 'a change of a title',
    turns: 50,
    run: (side, turn) =>
      side.api.call('POST', `/cms/v2/posts/${idOf(side, turn)}`, { title: `Low water ${++seeds}` }, { as: side.as }),
  },
  {
    name: 'a batch of 25 new posts',
    turns: 4,
    run: ({ api, as }) => api.call('POST', '/batch/v1', batchOf(25), { as }),
  },
  {
    name: 'a batch of 25 with a category and two tags',
    turns: 4,
    run: ({ api, as, terms }) => api.call('POST', '/batch/v1', batchOf(25, terms), { as }),
  },
]

/** Runs in the process of one side: opens its site, then answers with the CPU time of each case that it is sent. */
async function serve(checkout: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'site-api-requests-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  const from = (path: string) => import(pathToFileURL(resolve(checkout, path)).href)
  // The casts: modules of another checkout have the same exports.
  const { createSiteApi, content, full } = (await from('src/index.ts')) as typeof import('../src/index.ts')
  const { memoryStorage } = (await from(
    'src/storage/memory/index.ts',
  )) as typeof import('../src/storage/memory/index.ts')
  const { sqliteStorage } = (await from('src/storage/sqlite.ts')) as typeof import('../src/storage/sqlite.ts')
  const storage =
    values.storage === 'memory' ? memoryStorage() : sqliteStorage(join(folder, 'site.db'), { durability: 'normal' })
  const api = createSiteApi({
    storage,
    profile: values.profile === 'full' ? full : content,
    url: 'https://site.example',
    ...(values.record ? { record: join(folder, 'requests.jsonl') } : {}),
  })
  const { id: as } = await api.site.users.create({ login: 'ed', email: 'ed@quay.example', roles: ['editor'] })
  const ids: number[] = []
  while (ids.length < Number(values.posts)) {
    const { data } = await api.call<{ responses: { body: { id: number } }[] }>('POST', '/batch/v1', batchOf(25), { as })
    ids.push(...data.responses.map(({ body }) => body.id))
  }
  const create = async (path: string, name: string) =>
    (await api.call<{ id: number }>('POST', path, { name }, { as: 'system' })).data.id
  const tags = [await create('/cms/v2/tags', 'Ferries'), await create('/cms/v2/tags', 'Lanterns')]
  const side = { api, as, ids, terms: { categories: [await create('/cms/v2/categories', 'Harbour')], tags } }
  process.on('message', async (at: number) => {
    const { run, turns } = cases[at] as Case
    const before = process.cpuUsage()
    for (let turn = 0; turn < turns; turn++) {
      const { status } = await run(side, turn)
      if (status >= 300) throw new Error(`${cases[at]?.name} returned ${status}`)
    }
    const { user, system } = process.cpuUsage(before)
    process.send?.((user + system) / turns)
  })
  process.send?.('ready')
}

const file = fileURLToPath(import.meta.url)
function start(checkout: string, { isRecorded = false } = {}) {
  const options = [
    '--serve',
    checkout,
    '--storage',
    values.storage,
    '--posts',
    values.posts,
    '--profile',
    values.profile,
    ...(isRecorded ? ['--record'] : []),
  ]
  const child = fork(file, options, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const next = () =>
    new Promise<unknown>((done, fail) => {
      child.once('message', done)
      child.once('exit', () => fail(new Error(`the process of ${checkout} has ended`)))
    })
  const run = async (at: number) => {
    child.send(at)
    return Number(await next())
  }
  return { ready: next(), run, stop: () => child.kill() }
}

type Costs = readonly [ours: number[], theirs: number[]]

/** Runs each case on both sides, which take turns in being first. The first round warms up. */
async function runRounds(sides: readonly ReturnType<typeof start>[], rounds: number): Promise<readonly Costs[]> {
  const costs = cases.map((): Costs => [[], []])
  for (let round = 0; round <= rounds; round++) {
    showProgress(`round ${round} of ${rounds}`)
    for (const [at, cost] of costs.entries()) {
      for (const side of round % 2 === 0 ? [0, 1] : [1, 0]) {
        const found = await (sides[side] as ReturnType<typeof start>).run(at)
        if (round > 0) cost[side]?.push(found)
      }
    }
  }
  return costs
}

async function compare(against: string): Promise<void> {
  begin('requests')
  const sides = [start('.', { isRecorded: values.record }), start(against)]
  showProgress(`filling two sites with ${values.posts} posts`)
  await Promise.all(sides.map(({ ready }) => ready))
  const costs = await runRounds(sides, Number(values.rounds))
  for (const { stop } of sides) stop()
  end()
  const head = `| ${values.storage}, ${values.posts} posts, µs of CPU | this | against | ratio |`
  const rows = costs.map(([ours, theirs], at) => {
    const ratio = median(ours.map((cost, round) => cost / (theirs[round] as number)))
    return `| ${cases[at]?.name} | ${median(ours).toFixed(0)} | ${median(theirs).toFixed(0)} | ${ratio.toFixed(2)} |`
  })
  console.log(['', head, '| --- | --- | --- | --- |', ...rows].join('\n'))
}

if (values.serve !== undefined) await serve(values.serve)
else if (values.against !== undefined) await compare(values.against)
else throw new Error('--against takes the folder of another checkout')
