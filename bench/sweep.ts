/**
 * `node bench/sweep.ts [--sizes 10000,100000] [--storages sqlite,postgres] [--only TEXT]`: every list of posts that the
 * interface offers, with its total, each after an unrelated write. Prints the worst, and how many grow; writes it to the report
 * without options, and with a size of a million.
 */
import { parseArgs } from 'node:util'
import type { PostQuery, Storage } from '../src/contract/storage.ts'
import { type ListedSite, type PostList, postListsOf, queriesOf } from '../test/support/post-lists.ts'
import { plainColumns } from './content.ts'
import { fill, rareWord } from './growth-content.ts'
import { type Opened, open, type StorageName } from './growth-storages.ts'
import { begin, end, showProgress } from './progress.ts'
import { machineLine } from './report.ts'
import { writePart } from './report-file.ts'
import { median } from './statistics.ts'
import { type Figure, type Swept, sweepText } from './sweep-report.ts'

/** A list is measured until it took this long, at least and at most so many times. */
const minMs = 15
const minRuns = 5
const maxRuns = 25

interface SweptSite {
  readonly size: number
  readonly opened: Opened
  readonly storage: Storage
  readonly lists: readonly PostList[]
  readonly queries: ReadonlyMap<string, PostQuery>
  /** A row of another type, which the unrelated writes change. */
  readonly page: number
}

async function prepare(opened: Opened, size: number): Promise<SweptSite> {
  const filled = await fill(opened.storage, size)
  const { ids } = filled
  const [editor = 0] = await opened.storage.users.insert([
    {
      ...{ login: 'ada', slug: 'ada', displayName: 'Ada', email: 'ada@example.test', url: '', password: '' },
      ...{ roles: ['administrator'], capabilities: {}, blocked: false, registered: '2004-01-01T00:00:00' },
    },
  ])
  const sticky = ids.filter((_, at) => at % Math.floor(size / 20) === 3)
  const galleries = ids.filter((_, at) => at % 97 === 5)
  await opened.storage.posts.update(sticky.map((id) => ({ id, changes: { sticky: true } })))
  await opened.storage.posts.update(galleries.map((id) => ({ id, changes: { format: 'gallery' } })))
  const [page = 0] = await opened.storage.posts.insert([
    {
      ...{ type: 'page', status: 'publish', slug: 'quay', title: 'The quay', content: '<p>Words.</p>', author: 1 },
      ...plainColumns('2004-01-01T00:00:00'),
    },
  ])
  const storage = await opened.settle()
  const rows = await storage.posts.read([ids[size >> 1] ?? 0, ids[Math.floor(size * 0.55)] ?? 0])
  const site: ListedSite = {
    category: filled.category,
    otherCategory: filled.category + 1,
    tag: filled.tag,
    otherTag: filled.tag + 1,
    author: 7,
    otherAuthor: 9,
    ids: ids.filter((_, at) => at % Math.floor(size / 40) === 0),
    slug: `post-${size >> 2}`,
    middle: rows[0]?.date ?? '',
    later: rows[1]?.date ?? '',
    rareWord,
    commonWord: 'harbour',
    editor,
  }
  const lists = postListsOf(site).filter(({ name }) => name.includes(only))
  return { size, opened, storage, lists, page, queries: await queriesOf(storage, lists, editor) }
}

let writes = 0

async function costOf({ storage, page }: SweptSite, query: PostQuery): Promise<Figure> {
  const runs: number[] = []
  let spent = 0
  while (runs.length < minRuns || (spent < minMs && runs.length < maxRuns)) {
    await storage.posts.update([{ id: page, changes: { template: `template-${writes++}` } }])
    const from = performance.now()
    const { heads } = await storage.posts.query(query)
    await storage.posts.read(heads.map(({ id }) => id))
    const cost = performance.now() - from
    spent += cost
    runs.push(cost * 1000)
  }
  // The first run also compiles its statements.
  const warm = runs.slice(1).toSorted((a, b) => a - b)
  return { median: median(warm), p99: warm[Math.ceil(warm.length * 0.99) - 1] ?? 0 }
}

/** List by list on all sizes, so that other load on the machine affects all of them. */
async function sweep(name: StorageName, sizes: readonly number[]): Promise<Swept> {
  const sites: SweptSite[] = []
  try {
    for (const size of sizes) {
      begin(`${name}, ${size} posts`)
      const opened = await open[name]()
      sites.push(await prepare(opened, size).catch(async (error) => opened.dispose().then(() => Promise.reject(error))))
    }
    begin(`${name}, all sizes`)
    const lists = sites[0]?.lists ?? []
    const figures = new Map<string, readonly Figure[]>()
    for (const [at, { name: list }] of lists.entries()) {
      if (at % 20 === 0) showProgress(`list ${at + 1} of ${lists.length}: ${list}`)
      const measured: Figure[] = []
      for (const site of sites) measured.push(await costOf(site, site.queries.get(list) as PostQuery))
      figures.set(list, measured)
    }
    return { storage: name, sizes, figures }
  } finally {
    for (const { opened } of sites) await opened.dispose()
  }
}

// ---------------------------------------------------------------- start

const options = { sizes: { type: 'string' }, storages: { type: 'string' }, only: { type: 'string' } } as const
const { values } = parseArgs({ options })
const only = values.only ?? ''
const sizes = values.sizes?.split(',').map(Number) ?? [10_000, 100_000]
const names = (values.storages?.split(',') ?? ['sqlite', 'postgres']) as StorageName[]
const swept: Swept[] = []
for (const name of names) swept.push(await sweep(name, sizes))
end()
const hasMillion = sizes.includes(1_000_000)
const text = [
  hasMillion ? '## Every list of a million posts' : '## Every list of posts',
  `Written by \`node bench/sweep.ts${hasMillion ? ` --sizes ${sizes.join()} --storages ${names.join()}` : ''}\`: each filter with each order, direction, set of statuses and search, with its total, after a write to a page.`,
  machineLine(),
  ...swept.map(sweepText),
].join('\n\n')
if (Object.keys(values).length === 0) writePart('sweep', text)
else if (hasMillion && only === '') writePart('million', text)
console.log(text)
