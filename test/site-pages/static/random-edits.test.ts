/** After any edits, a run that asks for what they have touched leaves the files of a whole run into an empty folder. */
import { expect, test } from 'vitest'
import type { Storage } from '../../../src/contract/storage.ts'
import { createSiteApi, type SiteApi } from '../../../src/host/create-site-api.ts'
import { full } from '../../../src/profiles/full.ts'
import { writeStaticSite } from '../../../src/site-pages/static/index.ts'
import { memoryStorage } from '../../../src/storage/memory/index.ts'
import { createEditor, type Editor } from '../../support/editor.ts'
import { type Edited, randomOf } from '../../support/random-edits.ts'
import { baseUrl } from '../../support/site.ts'
import { openTwo } from '../../support/two-storages.ts'
import { mapDriver } from './sample.ts'

const begin = Date.parse('2024-06-15T12:00:00Z')
const options = { url: 'https://www.example.com', server: baseUrl }

/** So many edits are between two runs. */
const batches = [1, 1, 2, 3, 5, 10, 25]

type Files = Map<string, Uint8Array>
type Random = ReturnType<typeof randomOf>

/** Edits that change which addresses the site has, besides those of every kind. */
const moves: readonly ((api: SiteApi, edited: Edited, random: Random, now: number) => Promise<unknown>)[] = [
  (api, _, random) =>
    api.site.options.write({ permalink_structure: random.pick(['/%postname%/', '/%year%/%postname%/', '']) }),
  (api, { pages }, random) =>
    api.site.options.write(
      random.below(2) === 0
        ? { show_on_front: 'posts' }
        : { show_on_front: 'page', page_on_front: pages[0] ?? 0, page_for_posts: pages[1] ?? 0 },
    ),
  (api, { posts }, random) =>
    call(api, `/cms/v2/posts/${random.pick(posts)}`, { password: random.pick(['', '', 'secret']) }),
  (api, _, random, now) =>
    call(api, '/cms/v2/posts', {
      title: random.words(2),
      status: 'future',
      date_gmt: new Date(now + 300_000).toISOString().slice(0, 19),
    }),
  (api, { pages }, random) => call(api, `/cms/v2/pages/${random.pick(pages)}`, { slug: random.words(2) }),
  (api, { pages }, random) =>
    call(api, `/cms/v2/pages/${pages[2] ?? 0}`, { parent: random.pick([0, pages[0] ?? 0, pages[1] ?? 0]) }),
  (api, { posts, pages }, random) =>
    call(api, `/cms/v2/posts/${random.pick(posts)}`, {
      content: ['hello', 'ferry', 'tide', 'front/about', 'nowhere']
        .map((slug) => `<a href="${baseUrl}/${slug}/">${random.words(1)}</a> <a href="/?p=${random.pick(pages)}">x</a>`)
        .join(' '),
    }),
  (api, _, random) =>
    call(api, '/a11y/v1/remediation/item', {
      ...{ url: `${baseUrl}/${random.pick(['hello', 'ferry', 'built-one'])}/`, rule: 'title_missing', group: 'other' },
      remediation: {
        ...{ type: 'ATTRIBUTE', category: 'A', action: 'add', xpath: '//h1' },
        ...{ attribute_name: 'title', attribute_value: random.words(1) },
      },
    }),
]

const call = (api: SiteApi, path: string, body: object) =>
  api.call('POST', path, { ...body }, { as: 'system' }).catch(() => undefined)

/** The pages that the runs have asked for, and the files whose bytes they have changed. */
interface Counts {
  edits: number
  runs: number
  whole: number
  requested: number
  written: number
  /** Whole runs have asked for so many pages. */
  all: number
}

interface Sites {
  readonly editor: Editor
  /** The api whose pages are written. */
  readonly writing: SiteApi
  readonly reference: SiteApi
  readonly clock: { now: number }
}

async function compareRuns({ editor, writing, reference, clock }: Sites, edits: number): Promise<Counts> {
  const files: Files = new Map()
  const counts: Counts = { edits, runs: 0, whole: 0, requested: 0, written: 0, all: 0 }
  const random = randomOf(seed + 1)
  await writeStaticSite(writing, { to: mapDriver(files), ...options })
  for (let turn = 1; turn <= edits; ) {
    const made: string[] = []
    for (const end = Math.min(edits, turn + random.pick(batches) - 1); turn <= end; turn++) {
      clock.now += 61_000
      const { kind, edited } = await editor.edit(turn, clock.now)
      made.push(kind)
      if (random.below(8) > 0) continue
      const at = random.below(moves.length)
      await moves[at]?.(writing, edited, random, clock.now)
      made.push(`move ${at}`)
    }
    const { requested, written, whole } = await writeStaticSite(writing, { to: mapDriver(files), ...options })
    const expected: Files = new Map()
    const { requested: all } = await writeStaticSite(reference, { to: mapDriver(expected), ...options })
    expect(differences(files, expected), `after ${made.join(', ')}`).toEqual([])
    counts.runs++
    counts.whole += whole === undefined ? 0 : 1
    counts.requested += requested
    counts.written += written
    counts.all += all
  }
  return counts
}

const manifestName = '.site-api-static.json'

/** The manifests of both name the files with the same digests. */
function differences(files: Files, expected: Files): readonly string[] {
  const names = [...new Set([...files.keys(), ...expected.keys()])].filter((name) => name !== manifestName)
  const textOf = (all: Files, name: string) => all.get(name) && Buffer.from(all.get(name) ?? []).toString('latin1')
  const digests = (all: Files) => JSON.parse(Buffer.from(all.get(manifestName) ?? []).toString()).files
  expect(digests(files)).toEqual(digests(expected))
  return names.filter((name) => textOf(files, name) !== textOf(expected, name))
}

/** `npm run test:static` makes 1,000 edits. */
const given = process.env['STATIC_EDITS']
const count = Number(given ?? 40)
const seed = Number(process.env['STATIC_SEED'] ?? 7)
const project = process.env.TEST_STORAGE ?? 'memory'

async function run(storage: Storage, other: Storage | undefined): Promise<void> {
  const editor = await createEditor(storage, seed, begin)
  const clock = { now: begin }
  const settings = { profile: full, clock: () => clock.now, url: baseUrl, passwordCost: 10 }
  const reference = createSiteApi({
    ...{ ...settings, storage },
    ...{ limits: { responseBytes: 0 }, cacheTags: {}, render: { cache: false } },
  })
  const writing = createSiteApi({ ...settings, storage: other ?? storage })
  const counts = await compareRuns({ editor, writing, reference, clock }, count)
  console.log(
    `${counts.edits} edits, ${counts.runs} runs, ${counts.whole} whole: ${counts.requested} pages asked for, ${counts.written} files written; whole runs asked for ${counts.all}`,
  )
  expect(counts.whole).toBe(0)
  expect(counts.requested).toBeLessThan(counts.all)
  await editor.close()
  if (other) await writing.close()
}

test('in one process', { timeout: 3_600_000 }, async () => {
  if (project === 'memory') return run(memoryStorage(), undefined)
  const { storage, other } = await openTwo()
  await run(storage, other)
})
