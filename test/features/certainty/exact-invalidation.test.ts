/** A cache that trusts tags alone shows nothing stale, whatever is edited, and ends little that has not changed. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { withMembers } from '../../../src/contract/replaced-members.ts'
import type { Storage } from '../../../src/contract/storage.ts'
import { knownLists } from '../../../src/core/tags/known-lists.ts'
import { touchedTags } from '../../../src/core/tags/touched-tags.ts'
import { createSiteApi } from '../../../src/host/create-site-api.ts'
import { full } from '../../../src/profiles/full.ts'
import { createSitePages } from '../../../src/site-pages/index.ts'
import { memoryStorage } from '../../../src/storage/memory/index.ts'
import { sqliteStorage } from '../../../src/storage/sqlite.ts'
import { createEditor, type Editor, startEditor } from '../../support/editor.ts'
import { isFullRun } from '../../support/generated-cases.ts'
import { newSchema, openPostgres, postgresUrl } from '../../support/postgres.ts'
import type { Edited } from '../../support/random-edits.ts'
import { baseUrl } from '../../support/site.ts'
import { openTwo } from '../../support/two-storages.ts'

const api = '/api/cms/v2'

function pathsOf(
  { posts, built, pages, categories, tags, users, media, comments }: Edited,
  ids: { readonly [reference: string]: number },
) {
  const lists = [
    ...[
      '',
      '?per_page=3',
      '?per_page=3&page=2',
      '?orderby=title&order=asc',
      '?orderby=modified',
      '?_embed=1',
      '?sticky=true',
    ],
    ...['?search=hull', '?search=lantern', `?author=${users[0]}`, `?categories=${categories[0]}`, `?tags=${tags[0]}`],
    ...[
      `?categories=${categories[1]}&orderby=title`,
      `?include=${posts.slice(0, 3).join()}`,
      '?_fields=id,title',
      `?exclude=${posts[0]}`,
    ],
    ...[`?tags_exclude=${tags[1]}`, '?after=2024-02-01T00:00:00', '?slug=hello,ferry'],
  ].map((query) => `${api}/posts${query}`)
  const single = [...posts, ...built].map((id) => `${api}/posts/${id}`)
  return [
    ...lists,
    ...single,
    ...[
      '/pages',
      '/categories',
      '/categories?hide_empty=true',
      '/tags?orderby=count',
      '/users',
      '/comments',
      '/media',
      '/types',
      '/statuses',
      '/taxonomies',
    ].map((path) => api + path),
    ...['search?search=quay', 'search?search=mast', 'search?search=rope&type=term'].map((path) => `${api}/${path}`),
    ...pages.map((id) => `${api}/pages/${id}`),
    ...categories.map((id) => `${api}/categories/${id}`),
    ...users.map((id) => `${api}/users/${id}`),
    ...media.map((id) => `${api}/media/${id}`),
    ...comments.map((id) => `${api}/comments/${id}`),
    ...posts.slice(0, 3).map((id) => `${api}/comments?post=${id}`),
    `/api/oembed/1.0/embed?url=${encodeURIComponent(`${baseUrl}/ferry/`)}`,
    ...[
      '/',
      '/journal/',
      '/hello/',
      '/ferry/',
      '/tide/',
      '/front/about/',
      '/category/news/',
      '/tag/red/',
      '/author/arthur-author/',
    ],
    ...[
      '/2024/',
      '/?s=quay',
      '/feed/',
      '/category/news/feed/',
      '/hello/feed/',
      '/hello/embed/',
      '/sitemap.xml',
      '/sitemap-posts.xml',
      '/robots.txt',
    ],
    ...['/built-one/', '/built-two/', '/built-three/', '/built-four/'],
    ...(ids['page.front'] === undefined ? [] : ['/front/']),
  ]
}

interface Answer {
  readonly text: string
  readonly tags: ReadonlySet<string>
}

type Fetch = (request: Request) => Promise<Response>

/** A client sees everything but the tags. */
async function answerOf(fetch: Fetch, path: string): Promise<Answer & { readonly isKept: boolean }> {
  const response = await fetch(new Request(baseUrl + path))
  const { status, headers } = response
  // The entity tag of an answer with embedded records is that of the whole storage.
  const own = path.includes('_embed') ? [] : ['etag']
  const shown = [...own, 'content-type', 'link', 'x-cms-total', 'x-cms-totalpages', 'location'].map((name) =>
    headers.get(name),
  )
  const tags = new Set((headers.get('cache-tag') ?? '').split(',').filter((tag) => tag !== ''))
  const isKept = status === 200 && tags.size > 0 && !/no-store|no-cache/.test(headers.get('cache-control') ?? '')
  return { text: JSON.stringify([status, shown, await response.text()]), tags, isKept }
}

/** The cache reads these collections for itself: they are no part of an answer. */
const isOfTags = (first: unknown): boolean => first === touchedTags || first === knownLists

/** Counts the reads of a storage: an answer that was kept reads no rows. */
function counting(storage: Storage) {
  const counted = { reads: 0 }
  const counts = <S extends object>(store: S): S =>
    withMembers(store, (name, member) =>
      name === 'query' || name === 'read' || name === 'of'
        ? (...values: never[]) => {
            if (!isOfTags(values[0])) counted.reads++
            return Reflect.apply(member, store, values) as unknown
          }
        : undefined,
    )
  const stores: ReadonlySet<PropertyKey> = new Set(['posts', 'terms', 'users', 'meta', 'records'])
  const counting = withMembers(storage, (name, member) => (stores.has(name) ? counts(member) : undefined))
  return { counted, storage: counting }
}

const begin = Date.parse('2024-06-15T12:00:00Z')

interface Sites {
  readonly editor: Editor
  /** The storage that answers are made from. */
  readonly storage: Storage
  /** The reads of the storage. */
  readonly counted: { reads: number }
  /** Whether the process that edits answers, too. */
  readonly isInside?: boolean
}

/** Opens the site that shows, and one that keeps nothing. */
function openSites(storage: Storage, editing: Editor['api']) {
  const clock = { now: begin }
  const options = { profile: full, clock: () => clock.now, url: baseUrl, passwordCost: 10, storage }
  const api = editing ?? createSiteApi({ ...options, cacheTags: {} })
  const plain = createSiteApi({ ...options, limits: { responseBytes: 0 }, render: { cache: false } })
  let cursor = 0
  return {
    clock,
    api,
    shown: createSitePages(api, { cacheTags: 'Cache-Tag' }),
    reference: createSitePages(plain),
    /** The tags of all commits since the last call, whichever process has made them. */
    changed: async (): Promise<ReadonlySet<string>> => {
      const { events, cursor: next, missed } = await api.events.since(cursor, { limit: 1000 })
      expect([missed ?? false, events.length < 1000]).toEqual([false, true])
      cursor = next
      // The cast: the payload of this event.
      return new Set(
        events.flatMap(({ name, data }) => (name === 'tags.changed' ? (data as { tags: string[] }).tags : [])),
      )
    },
  }
}

/** A cache of answers that ends them by their tags alone. */
class TagCache {
  readonly #answers = new Map<string, Answer>()
  readonly #shown: Fetch
  readonly #reference: Fetch
  ended = 0
  readonly needless: string[] = []
  /** Pairs of an edit and an answer that was there. */
  pairs = 0
  /** Counts the answers that the api has not kept. */
  readonly made = { anew: 0, needless: [] as string[] }
  readonly #counted: { reads: number }

  constructor(shown: Fetch, reference: Fetch, counted: { reads: number }) {
    this.#counted = counted
    this.#shown = shown
    this.#reference = reference
  }

  get size(): number {
    return this.#answers.size
  }

  async fill(paths: readonly string[]): Promise<void> {
    for (const path of paths) {
      if (this.#answers.has(path)) continue
      const answer = await answerOf(this.#shown, path)
      if (answer.isKept) this.#answers.set(path, answer)
    }
  }

  /** Ends what an edit has touched, and compares all answers with those of a site that keeps nothing. */
  async end(changed: ReadonlySet<string>, edit: string): Promise<void> {
    for (const [path, answer] of this.#answers) {
      this.pairs++
      const now = await answerOf(this.#reference, path)
      await this.#askApi(path, { answer, now }, edit)
      const why = [...answer.tags].filter((tag) => changed.has(tag))
      if (why.length > 0) await this.#endOne(path, { answer, now, why: `${edit} ${path} ${why.join(' ')}` })
      else expect(answer.text, `${path} after ${edit}: ${[...changed].join(' ')}`).toBe(now.text)
    }
  }

  /** The api keeps answers itself. In the process that edits, it knows the rows before and after each edit, and keeps more. */
  async #askApi(path: string, { answer, now }: { readonly answer: Answer; readonly now: Answer }, edit: string) {
    if (!path.startsWith('/api/')) return
    this.#counted.reads = 0
    const given = await answerOf(this.#shown, path)
    expect(given.text, `the api after ${edit}: ${path}`).toBe(now.text)
    if (this.#counted.reads === 0) return
    this.made.anew++
    if (now.text === answer.text) this.made.needless.push(`${edit} ${path}`)
  }

  async #endOne(
    path: string,
    { answer, now, why }: { readonly answer: Answer; readonly now: Answer; readonly why: string },
  ) {
    this.#answers.delete(path)
    this.ended++
    if (answer.text === now.text) this.needless.push(why)
    const again = await answerOf(this.#shown, path)
    expect(again.text, `made anew after ${why}`).toBe(now.text)
  }
}

async function run(
  { editor, storage, counted, isInside = false }: Sites,
  { count, share }: { count: number; share: number },
) {
  const { clock, api, shown, reference, changed } = openSites(storage, isInside ? editor.api : undefined)
  const paths = pathsOf(editor.edited, editor.ids).filter((_, at) => at % share === 0)
  const cache = new TagCache(shown.fetch, reference.fetch, counted)
  await changed()
  await cache.fill(paths)
  for (let turn = 1; turn <= count; turn++) {
    clock.now += 61_000
    const { kind, changed: told } = await editor.edit(turn, clock.now)
    const tags = await changed()
    expect(tags).toEqual(new Set(told))
    await cache.end(tags, kind)
    await cache.fill(paths)
  }
  const { ended, needless, size, pairs, made } = cache
  const percent = (100 * needless.length) / Math.max(1, ended)
  console.log(`${count} edits, ${size} answers, ${ended} ended, ${needless.length} needless (${percent.toFixed(1)} %)`)
  const ofMade = (100 * made.needless.length) / Math.max(1, made.anew)
  console.log(
    `${pairs} pairs; the api made ${made.anew} anew, ${made.needless.length} needlessly (${ofMade.toFixed(1)} %)`,
  )
  if (process.env['TAGS_WHY'])
    console.log([tableOf(needless), mostOf(needless), tableOf(made.needless), mostOf(made.needless)].join('\n\n'))
  await editor.close()
  await api.close()
  expect(needless.length).toBeLessThanOrEqual(1 + ended * most.byTags)
  expect(made.needless.length).toBeLessThanOrEqual(1 + made.anew * most.byApi)
}

/** Counts the reasons by the kinds of their edits and answers. */
function tableOf(reasons: readonly string[]): string {
  const cells = reasons.map((reason) => {
    const [edit = '', path = ''] = reason.split(' ')
    return [edit, kindOf(path)] as const
  })
  const columns = [...new Set(cells.map(([edit]) => edit))].sort()
  const rows = [...Map.groupBy(cells, ([, kind]) => kind)].sort((a, b) => b[1].length - a[1].length)
  const lineOf = (name: string, values: readonly (number | string)[]) =>
    name.padEnd(16) + values.map((value) => String(value).padStart(11)).join('')
  return [
    lineOf('', [...columns, 'all']),
    ...rows.map(([kind, inRow]) =>
      lineOf(kind, [...columns.map((edit) => inRow.filter(([one]) => one === edit).length), inRow.length]),
    ),
  ].join('\n')
}

function kindOf(path: string): string {
  const [place = '', query = ''] = path.replace(api, '').split('?')
  if (path.includes('search') || query.startsWith('s=')) return 'searches'
  if (path.startsWith(api)) return `${place.split('/')[1]} ${/\d/.test(place) ? 'one' : query === '' ? 'all' : 'lists'}`
  if (/feed|sitemap|embed|robots/.test(place)) return /feed/.test(place) ? 'feeds' : 'other files'
  return /^\/($|journal|category|tag|author|\d+)/.test(place) ? 'archive pages' : 'single pages'
}

function mostOf(reasons: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const reason of reasons) {
    const kind = reason.slice(0, 150)
    counts.set(kind, (counts.get(kind) ?? 0) + 1)
  }
  const most = [...counts].sort((a, b) => b[1] - a[1]).slice(0, Number(process.env['TAGS_WHY']))
  return most.map(([reason, times]) => `${times} ${reason}`).join('\n')
}

const project = process.env.TEST_STORAGE ?? 'memory'
const isMemory = project === 'memory'
/** `npm run test:invalidation` makes 1,000 edits and asks for all answers. */
const given = process.env['TAGS_EDITS']
const count = Number(given ?? (isFullRun ? 100 : isMemory ? 30 : 12))
const share = Number(process.env['TAGS_SHARE'] ?? (given || isFullRun ? 1 : isMemory ? 4 : 8))
const seed = Number(process.env['TAGS_SEED'] ?? 7)
/** Lists that are not asked for twice yet end more. */
const most = count >= 400 ? { byTags: 0.05, byApi: 0.03 } : { byTags: 0.11, byApi: 0.08 }
const timeout = 3_600_000

test.runIf(isMemory)('in one process', { timeout }, async () => {
  const { counted, storage } = counting(memoryStorage())
  const editor = await createEditor(storage, seed, begin)
  await run({ editor, storage, counted, isInside: true }, { count, share })
})

test.runIf(!isMemory && (given || isFullRun))('on two storages of one database', { timeout }, async () => {
  const { storage: first, other } = await openTwo()
  const { counted, storage } = counting(other)
  const editor = await createEditor(first, seed, begin)
  await run({ editor, storage, counted }, { count, share })
})

test.runIf(!isMemory)('beside another process that edits', { timeout }, async () => {
  const { place, storage: opened } = await openPlace()
  const { counted, storage } = counting(opened)
  const editor = await startEditor(place, { seed, begin, postgresUrl: project === 'postgres' ? postgresUrl() : '' })
  await run({ editor, storage, counted }, { count, share })
})

/** A database, and where another process finds it. */
async function openPlace(): Promise<{ readonly place: string; readonly storage: Storage }> {
  if (project === 'postgres') {
    const schema = newSchema()
    const { storage, dispose } = await openPostgres({ schema })
    onTestFinished(dispose)
    return { place: `postgres:${schema}`, storage }
  }
  const folder = mkdtempSync(join(tmpdir(), 'site-api-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'site.db')
  return { place: `sqlite:${file}`, storage: sqliteStorage(file) }
}
