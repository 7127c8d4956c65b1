/**
 * `node bench/lists.ts [--sizes 10000,100000] [--storages sqlite,postgres] [--only TEXT,TEXT]`: fills sites with pages, media, terms and
 * comments, and measures their lists, an upload and writes that move counters through the interface, in process. With all sizes and lists it writes its part of the report.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { SiteUploads } from '../src/features/content/media/management.ts'
import { createMedia, createSiteApi } from '../src/index.ts'
import { content } from '../src/profiles/content.ts'
import { type Opened, open, type StorageName } from './growth-storages.ts'
import { fillLists } from './list-content.ts'
import { listShapes } from './list-shapes.ts'
import { writeShapes } from './list-writes.ts'
import { begin, end, showProgress } from './progress.ts'
import { machineLine } from './report.ts'
import { writePart } from './report-file.ts'
import { median } from './statistics.ts'
import { measureAfter } from './warm-runs.ts'

const rounds = 7
const warmUp = 20
/** The largest ratio of the costs on ten times as many rows. */
const bound = 1.5
const origin = 'https://quay.example'

interface ListFigures {
  readonly storage: StorageName
  readonly size: number
  /** Microseconds by list. */
  readonly costs: ReadonlyMap<string, number>
}

interface Measured {
  readonly size: number
  readonly close: () => Promise<void>
  readonly opened: Opened
  readonly folder: string
  readonly measurements: ReadonlyMap<string, () => Promise<number>>
}

async function fillSite(opened: Opened, size: number): Promise<Measured> {
  const filled = await fillLists(opened.storage, size)
  const storage = await opened.settle()
  const folder = mkdtempSync(join(tmpdir(), 'site-api-lists-'))
  const api = createSiteApi({
    ...{ storage, profile: content, url: origin, services: { media: createMedia({ folder }) } },
    authenticate: ({ header }) => (header('x-user') ? 1 : null),
  })
  const read = async (path: string, headers = {}) => {
    const response = await api.fetch(new Request(`${origin}/api/cms/v2${path}`, { headers }))
    const body = await response.text()
    if (response.status !== 200) throw new Error(`${path} answered ${response.status}: ${body}`)
    return JSON.parse(body) as readonly unknown[]
  }
  const send = async (path: string, body: object, method = 'POST'): Promise<unknown> => {
    const headers = { 'x-user': '1', 'content-type': 'application/json' }
    const init = { method, headers, body: JSON.stringify(body) }
    const response = await api.fetch(new Request(`${origin}/api/cms/v2${path}`, init))
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
    return response.json()
  }
  let writes = 0
  const write = () => storage.options.write({ bench_writes: ++writes })
  const measurements = new Map<string, () => Promise<number>>()
  for (const { name, path, isOwn } of listShapes) {
    if (!isChosen(name)) continue
    const headers = isOwn ? { 'x-user': '1' } : {}
    showProgress(`warming up: ${name}`)
    measurements.set(name, await measureAfter(write, (turn) => read(path(filled, turn), headers), warmUp))
  }
  // The cast: the profile has media.
  const media = api.site.media as unknown as SiteUploads
  const bytes = new TextEncoder().encode('High at six.')
  const upload = (turn: number) => media.upload(`note-${turn}.txt`, bytes)
  if (isChosen('upload')) measurements.set('upload', await measureAfter(write, upload, warmUp))
  for (const { name, prepare = write, write: run } of writeShapes(send, storage, filled)) {
    if (isChosen(name)) measurements.set(name, await measureAfter(prepare, run, warmUp))
  }
  return { size, close: () => api.close(), opened, folder, measurements }
}

/** All sizes in interleaved rounds, so that other load on the machine affects all of them. */
async function measureSites(storage: StorageName, sizes: readonly number[]): Promise<ListFigures[]> {
  const sites: Measured[] = []
  try {
    for (const size of sizes) {
      begin(`${storage}, ${size} rows of each`)
      sites.push(await fillSite(await open[storage](), size))
    }
    const figures = sites.map(
      ({ measurements }) => new Map([...measurements.keys()].map((name) => [name, [] as number[]])),
    )
    begin(`${storage}, all sizes`)
    for (let round = 1; round <= rounds; round++) {
      showProgress(`round ${round} of ${rounds}`)
      for (const [index, { measurements }] of sites.entries()) {
        for (const [name, run] of measurements) figures[index]?.get(name)?.push(await run())
      }
    }
    return sites.map(({ size }, index) => ({
      ...{ storage, size },
      costs: new Map([...(figures[index] ?? [])].map(([name, values]) => [name, median(values)])),
    }))
  } finally {
    for (const { close, opened, folder } of sites) {
      await close()
      await opened.dispose()
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

function reportText(name: StorageName, sites: readonly ListFigures[]): string {
  const [first, last] = [sites[0], sites.at(-1)]
  const lines = [...(first?.costs.keys() ?? [])].map((list) => {
    const [before = 0, after = 0] = [first?.costs.get(list), last?.costs.get(list)]
    const ratio = after / before
    const cells = [list, ...sites.map(({ costs }) => (costs.get(list) ?? 0).toFixed(0)), ratio.toFixed(2)]
    return `| ${[...cells, ratio <= bound ? 'flat' : '**grows**'].join(' | ')} |`
  })
  const heads = [`µs, ${name}`, ...sites.map(({ size }) => `${size / 1000} k`), 'ratio', `≤ ${bound}`]
  return [`| ${heads.join(' | ')} |`, `| ${heads.map(() => '---').join(' | ')} |`, ...lines].join('\n')
}

// ---------------------------------------------------------------- start

const options = { sizes: { type: 'string' }, storages: { type: 'string' }, only: { type: 'string' } } as const
const { values } = parseArgs({ options })
const only = values.only?.split(',') ?? ['']
const isChosen = (name: string) => only.some((text) => name.includes(text))
const sizes = values.sizes?.split(',').map(Number) ?? [10_000, 100_000]
const names = (values.storages?.split(',') ?? ['sqlite', 'postgres']) as StorageName[]
const tables: string[] = []
for (const name of names) tables.push(reportText(name, await measureSites(name, sizes)))
end()
const text = [
  '## Lists of the content interface',
  '',
  'Written by `node bench/lists.ts`. Microseconds of wall time for one request inside the process, with its arguments, rights, views and',
  `JSON, each after a write of an option, so that no answer is cached; the median of ${rounds} interleaved rounds. A site of 10 k has as many pages, media, tags, categories and comments each, of which`,
  'half are on one post; an upload stores a small text file. Each published post adds to the counters of its categories and those above.',
  '',
  machineLine(),
  '',
  tables.join('\n\n'),
].join('\n')
if (values.sizes === undefined && values.only === undefined) writePart('lists', text)
console.log(text)
