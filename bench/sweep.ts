/**
 * `node bench/sweep.ts [--sizes 10000,100000] [--storages sqlite,postgres] [--only TEXT]`: every list of posts that the interface
 * offers, usual ones, and deep pages, each with its total after a write to a post; searches after one to a page, but for the last part.
 * Prints how many keep their bounds; writes it to the report without options, and with a size of a million.
 */
import { parseArgs } from 'node:util'
import type { PostQuery, Storage } from '../src/contract/storage.ts'
import { postListsOf, queriesOf } from '../test/support/post-lists.ts'
import { plainColumns } from './content.ts'
import { fill, rareWord } from './growth-content.ts'
import { open, type StorageName } from './growth-storages.ts'
import { begin, end, showProgress } from './progress.ts'
import { machineLine } from './report.ts'
import { writePart } from './report-file.ts'
import { median } from './statistics.ts'
import { deepLists, type NamedQuery, summedLists, type UsualSite, usualLists } from './sweep-lists.ts'
import { type Kind, type Measured, type Swept, sweepText } from './sweep-report.ts'

/** A list is measured until it took this long, at least and at most so many times; the first run compiles its statements. */
const minMs = 30
const minRuns = 4
const maxRuns = 25

interface SweptSite {
  readonly storage: Storage
  readonly isServer: boolean
  /** Rows that the writes change: one of another type, and one of the lists. */
  readonly page: number
  readonly post: number
}

const firstDate = '2004-01-01T00:00:00'
const rowOf = (type: string, slug: string) => ({
  ...{ type, status: 'publish', slug, title: `The ${slug}`, content: '<p>Words.</p>', author: 1 },
  ...plainColumns(firstDate),
})

/** Pages and files beside the posts, and posts that are unusual in some way. */
async function addOthers(storage: Storage, ids: readonly number[]) {
  const size = ids.length
  const update = (of: (at: number) => boolean, changes: object) =>
    storage.posts.update(ids.filter((_, at) => of(at)).map((id) => ({ id, changes })))
  await update((at) => at % Math.floor(size / 20) === 3, { sticky: true })
  await update((at) => at % 97 === 5, { format: 'gallery' })
  await update((at) => at % 499 === 9, { password: 'tide' })
  const insert = async (count: number, row: (at: number) => ReturnType<typeof rowOf>) => {
    const inserted: number[] = []
    for (let from = 0; from < count; from += 1000) {
      const rows = Array.from({ length: Math.min(1000, count - from) }, (_, at) => row(from + at))
      inserted.push(...(await storage.posts.insert(rows)))
    }
    return inserted
  }
  const mimeTypes = ['image/jpeg', 'image/jpeg', 'image/jpeg', 'image/png']
  const files = await insert(size / 5, (at) => ({
    ...rowOf('attachment', `file-${at}`),
    status: 'inherit',
    mimeType: at % 500 === 0 ? 'audio/mpeg' : (mimeTypes[at % 4] as string),
  }))
  await update((at) => at % 2000 === 11, { featuredMedia: files[0] })
  const tops = await insert(20, (at) => ({ ...rowOf('page', `top-${at}`), menuOrder: at }))
  const pages = await insert(size / 20, (at) => ({
    ...rowOf('page', `page-${at}`),
    parent: tops[at % 20] as number,
    menuOrder: at % 50,
  }))
  return { picture: files[0] ?? 0, parentPage: tops[3] ?? 0, page: pages[0] ?? 0 }
}

async function sweep(name: StorageName, size: number): Promise<Swept> {
  begin(`${name}, ${size} posts`)
  const opened = await open[name]()
  try {
    const filled = await fill(opened.storage, size)
    const { ids } = filled
    const [editor = 0] = await opened.storage.users.insert([
      {
        ...{ login: 'ada', slug: 'ada', displayName: 'Ada', email: 'ada@example.test', url: '', password: '' },
        ...{ roles: ['administrator'], capabilities: {}, blocked: false, registered: firstDate },
      },
    ])
    const { page, ...others } = await addOthers(opened.storage, ids)
    const storage = await opened.settle()
    const dateAt = async (part: number) =>
      (await storage.posts.read([ids[Math.min(size - 1, Math.floor(size * part))] ?? 0]))[0]?.date ?? ''
    const site: UsualSite = {
      ...others,
      size,
      category: filled.category,
      otherCategory: filled.category + 1,
      tag: filled.tag,
      otherTag: filled.tag + 1,
      author: 7,
      otherAuthor: 9,
      ids: ids.filter((_, at) => at % Math.floor(size / 40) === 0),
      slug: `post-${size >> 2}`,
      middle: await dateAt(0.5),
      later: await dateAt(0.55),
      month: { after: await dateAt(1 - 5000 / size), before: await dateAt(1 - 200 / size) },
      day: { after: await dateAt(1 - 400 / size), before: await dateAt(1 - 240 / size) },
      recent: { after: await dateAt(1 - 60 / size) },
      rareWord,
      commonWord: 'harbour',
      editor,
    }
    const swept = { storage, isServer: name === 'postgres', page, post: ids[size >> 1] ?? 0 }
    return { storage: name, size, lists: await measureAll(swept, site) }
  } finally {
    await opened.dispose()
  }
}

async function measureAll(swept: SweptSite, site: UsualSite): Promise<readonly Measured[]> {
  const lists = postListsOf(site)
  const queries = await queriesOf(swept.storage, lists, site.editor)
  const every = lists.map(({ name }): NamedQuery => ({ name, query: queries.get(name) as PostQuery }))
  const deep = await Promise.all(
    deepLists(site).map(async ({ name, query, part }) => {
      const { total } = await swept.storage.posts.query({ ...query, limit: 1 })
      const offset = part === 1 ? Math.max(0, total - query.limit) : Math.ceil(total * part)
      return { name, query: { ...query, offset } }
    }),
  )
  const ofWord = every.filter(({ name }) => name.includes('a common word'))
  const isFiltered = ({ name }: NamedQuery) => name.includes('a common word') && !/^(a|no filter, a) common/.test(name)
  const kinds: readonly (readonly [Kind, readonly NamedQuery[]])[] = [
    ['every list', every.filter((list) => !isFiltered(list))],
    ['word', every.filter(isFiltered)],
    ['usual', usualLists(site)],
    ['added up', summedLists(site)],
    ['deep', deep],
    ['first', ofWord],
  ]
  const measured: Measured[] = []
  for (const [kind, named] of kinds) {
    for (const [at, { name, query }] of named.filter((list) => list.name.includes(only)).entries()) {
      if (at % 20 === 0) showProgress(`${kind} ${at + 1} of ${named.length}: ${name}`)
      measured.push({ kind, name, ms: await costOf(swept, query, kind === 'first' || query.search === undefined) })
    }
  }
  return measured
}

let writes = 0

async function costOf({ storage, isServer, page, post }: SweptSite, query: PostQuery, isRelated: boolean) {
  const runs: number[] = []
  let spent = 0
  while (runs.length < minRuns || (spent < minMs && runs.length < maxRuns)) {
    await storage.posts.update([{ id: isRelated ? post : page, changes: { template: `template-${writes++}` } }])
    const [from, used] = [performance.now(), process.cpuUsage()]
    const { idsPage } = await storage.posts.query(query)
    await storage.posts.read(idsPage.map(({ id }) => id))
    const { user, system } = process.cpuUsage(used)
    const ms = performance.now() - from
    spent += ms
    runs.push(isServer ? ms : (user + system) / 1000)
  }
  return median(runs.slice(1).toSorted((a, b) => a - b))
}

// ---------------------------------------------------------------- start

const options = { sizes: { type: 'string' }, storages: { type: 'string' }, only: { type: 'string' } } as const
const { values } = parseArgs({ options })
const only = values.only ?? ''
const sizes = values.sizes?.split(',').map(Number) ?? [10_000, 100_000]
const names = (values.storages?.split(',') ?? ['sqlite', 'postgres']) as StorageName[]
const swept: Swept[] = []
for (const name of names) for (const size of sizes) swept.push(await sweep(name, size))
end()
const hasMillion = sizes.includes(1_000_000)
const text = [
  hasMillion ? '## Every list of a million posts' : '## Every list of posts',
  `Written by \`node bench/sweep.ts${hasMillion ? ` --sizes ${sizes.join()} --storages ${names.join()}` : ''}\`: each filter with each order, direction, set of statuses and search; usual lists; deep pages. Each with its total after a write to a post, so that nothing is cached; searches after a write to a page, with their cached total, but \`first\`.`,
  machineLine(),
  ...swept.map(sweepText),
].join('\n\n')
if (Object.keys(values).length === 0) writePart('sweep', text)
else if (hasMillion && only === '') writePart('million', text)
console.log(text)
