/**
 * `node bench/storage-writes.ts --against FOLDER [--posts 100000] [--rounds 15] [--files FOLDER]`: writes through the storage contract
 * on SQLite, of this checkout and of another one, in alternating rounds of one run. Figures are CPU time of the process; `--files`
 * keeps the two sites for the next run. Two checkouts with one schema still differ by some hundredths.
 */
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import type { PostValues, Storage } from '../src/contract/storage.ts'
import { plainColumns } from './content.ts'
import { fill } from './growth-content.ts'
import { showProgress } from './progress.ts'
import { median } from './statistics.ts'

const { values } = parseArgs({
  options: {
    against: { type: 'string' },
    posts: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '15' },
    files: { type: 'string' },
  },
})
if (values.against === undefined) throw new Error('--against takes the folder of another checkout')
const posts = Number(values.posts)
const rounds = Number(values.rounds)
/** Writes of a kind in a round: few enough that the log is not written back meanwhile. */
const defaultTurns = 20

interface Side {
  readonly name: string
  readonly storage: Storage
  /** Another connection, which writes the log back. */
  readonly database: DatabaseSync
  /** Ids of terms: three categories, then tags. */
  readonly terms: readonly number[]
  /** Posts of the rounds before, for changes and removals. */
  readonly made: number[]
}

const folder = values.files ?? mkdtempSync(join(tmpdir(), 'site-api-writes-'))
mkdirSync(folder, { recursive: true })

async function openSide(name: string, checkout: string): Promise<Side> {
  const file = join(folder, `${name}-${posts}.db`)
  const isFilled = existsSync(file)
  // The cast: the module of another checkout has the same export.
  const module = (await import(pathToFileURL(resolve(checkout, 'src/storage/sqlite.ts')).href)) as {
    readonly sqliteStorage: (file: string, options: object) => Storage
  }
  const storage = module.sqliteStorage(file, { durability: 'normal' })
  await storage.open?.()
  showProgress(`filling the site of ${name}`)
  if (!isFilled) await fill(storage, posts)
  const order = { by: 'id', descending: false } as const
  const { rows } = await storage.terms.query({ order, offset: 0, limit: 50 })
  return { name, storage, database: new DatabaseSync(file), terms: rows.map(({ id }) => id), made: [] }
}

let seeds = 0
function newPost(): PostValues {
  const seed = seeds++
  const date = new Date(Date.UTC(2025, 0, 1) + seed * 60_000).toISOString().slice(0, 19)
  return {
    type: 'post',
    status: 'publish',
    slug: `new-${Date.now().toString(36)}-${seed}`,
    title: `High water ${seed}`,
    content: `<p>The ferry leaves the harbour at ${seed}, and the lantern waits for the morning on the bridge.</p>`,
    author: 1 + (seed % 20),
    ...plainColumns(date),
  }
}

async function insert(storage: Storage, { terms }: Side, count: number): Promise<number[]> {
  const ids = await storage.posts.insert(Array.from({ length: count }, newPost))
  await storage.terms.assign(
    ids.flatMap((post) => [
      { post, taxonomy: 'category', terms: [terms[post % 3] as number] },
      { post, taxonomy: 'post_tag', terms: [5 + (post % 40), 5 + ((post * 7) % 40)].map((at) => terms[at] as number) },
    ]),
  )
  await storage.meta.write(
    'post',
    ids.map((id) => ({ id, key: 'footnotes', value: '[]' })),
  )
  return ids
}

const atomic = async (storage: Storage, work: (transaction: Storage) => Promise<void>) =>
  storage.atomic?.(work) as Promise<void>

interface Write {
  readonly name: string
  readonly bound: number
  readonly turns?: number
  readonly run: (side: Side, turn: number) => Promise<void>
}

const pick = ({ made }: Side, turn: number) => made[made.length - 1 - turn] as number

const update = (side: Side, id: number, changes: Partial<PostValues>) =>
  atomic(side.storage, async (transaction) => void (await transaction.posts.update([{ id, changes }])))

const remove = (side: Side, ids: readonly number[]) =>
  atomic(side.storage, async (transaction) => transaction.posts.remove(ids))

const writes: Write[] = [
  {
    name: 'create (3 terms, 1 meta)',
    bound: 0.7,
    run: (side) =>
      atomic(side.storage, async (transaction) => void side.made.push(...(await insert(transaction, side, 1)))),
  },
  {
    name: 'batch of 25',
    bound: 0.6,
    turns: 3,
    run: (side) =>
      atomic(side.storage, async (transaction) => void side.made.push(...(await insert(transaction, side, 25)))),
  },
  {
    name: 'another status',
    bound: 0.6,
    run: (side, turn) => update(side, pick(side, turn), { status: 'draft' }),
  },
  {
    name: 'title and content',
    bound: 1,
    run: (side, turn) =>
      update(side, pick(side, turn), { title: `Low water ${turn}`, content: `<p>Low at ${turn}: ${seeds++}.</p>` }),
  },
  {
    name: 'delete',
    bound: 0.6,
    // The last ones are drafts by now.
    run: (side) => remove(side, side.made.splice(-1 - defaultTurns, 1)),
  },
  {
    name: 'delete a draft',
    bound: 0.6,
    run: (side) => remove(side, side.made.splice(-1, 1)),
  },
]

/** Microseconds of CPU for one write. */
async function roundOf({ run, turns = defaultTurns }: Write, side: Side): Promise<number> {
  const before = process.cpuUsage()
  for (let turn = 0; turn < turns; turn++) await run(side, turn)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / turns
}

/** The search index is filled between the rounds, and the log is written back: its pages belong to many writes. */
async function settle({ database }: Side): Promise<void> {
  for (let wait = 0; wait < 20; wait++) await new Promise((done) => setImmediate(done))
  database.exec('pragma wal_checkpoint(truncate)')
}

const sides = [await openSide('this', '.'), await openSide('against', values.against)] as const
const ratios: number[][] = writes.map(() => [])
const costs: number[][][] = writes.map(() => [[], []])
for (let round = 0; round <= rounds; round++) {
  showProgress(`round ${round} of ${rounds}`)
  for (const [at, write] of writes.entries()) {
    const order = round % 2 === 0 ? [0, 1] : [1, 0]
    const found: number[] = []
    for (const side of order) {
      await settle(sides[side] as Side)
      found[side] = await roundOf(write, sides[side] as Side)
    }
    // The first round warms up.
    if (round === 0) continue
    ratios[at]?.push((found[0] as number) / (found[1] as number))
    for (const side of [0, 1]) costs[at]?.[side]?.push(found[side] as number)
  }
}
for (const { storage, database } of sides) {
  database.close()
  await storage.close?.()
}
if (values.files === undefined) rmSync(folder, { recursive: true, force: true })

console.log(`\n| ${posts} posts, µs of CPU | this | against | ratio | bound |\n| --- | --- | --- | --- | --- |`)
for (const [at, { name, bound }] of writes.entries()) {
  const [ours = [], theirs = []] = costs[at] ?? []
  const ratio = median(ratios[at] ?? [])
  const cells = [median(ours).toFixed(0), median(theirs).toFixed(0), ratio.toFixed(2)]
  console.log(`| ${name} | ${cells.join(' | ')} | ≤ ${bound}: ${ratio <= bound ? 'met' : '**missed**'} |`)
}
