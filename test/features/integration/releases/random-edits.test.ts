/**
 * Random edits in three releases and on the site by four writers at once, in two processes of the system, compared with a model: what each shows, what
 * publishing leaves, and that undoing brings back all of it.
 */
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Storage } from '../../../../src/contract/storage.ts'
import { createSiteApi } from '../../../../src/host/create-site-api.ts'
import { isApiError, type SiteApi } from '../../../../src/index.ts'
import { full } from '../../../../src/profiles/full.ts'
import { memoryStorage } from '../../../../src/storage/memory/index.ts'
import { postgresStorage } from '../../../../src/storage/postgres.ts'
import { sqliteStorage } from '../../../../src/storage/sqlite.ts'
import { isFullRun } from '../../../support/generated-cases.ts'
import { newSchema, postgresPool, postgresUrl } from '../../../support/postgres.ts'
import { RemoteSite } from '../../../support/remote-site.ts'
import { smallSite } from '../../../support/small-site.ts'
import { emptyFile } from '../../../support/storage.ts'
import { ReleaseModel } from './release-model.ts'

const project = process.env['TEST_STORAGE'] ?? 'memory'

interface Place {
  readonly storage: Storage
  /** The file, or the address and the schema. Undefined: no other process can open it. */
  readonly at?: readonly [string, string?]
}

async function openPlace(): Promise<Place> {
  if (project === 'sqlite') {
    const folder = mkdtempSync(join(tmpdir(), 'site-api-releases-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const file = join(folder, 'site.db')
    copyFileSync(await emptyFile(), file)
    return { storage: sqliteStorage(file), at: [file] }
  }
  if (project === 'postgres') {
    const schema = newSchema()
    onTestFinished(async () => void (await postgresPool().query(`drop schema if exists ${schema} cascade`)))
    return { storage: postgresStorage(postgresUrl(), { schema }), at: [postgresUrl(), schema] }
  }
  return { storage: memoryStorage() }
}

const words = ['ebb', 'flow', 'pier', 'quay', 'gull', 'buoy', 'reef', 'tide']
const elements = ['aaaa111', 'bbbb222', 'cccc333']
const releases = [0, 1, 2]
const pageCount = 6

type Parts = { readonly [part: string]: string }

const documentOf = (parts: Parts) =>
  elements.map((id) => ({
    ...{ id, elType: 'widget', widgetType: 'heading', isInner: false, elements: [] },
    settings: { title: parts[id] },
  }))

interface Site {
  readonly api: SiteApi<typeof full>
  /** They send the calls: the api of this process, and one of another. */
  readonly callers: readonly Pick<RemoteSite, 'call'>[]
}

async function opened(): Promise<Site> {
  const { storage, at } = await openPlace()
  const api = createSiteApi({ storage, profile: full, url: 'https://quay.example', passwordCost: 10 })
  onTestFinished(() => api.close())
  await api.site.seed(smallSite)
  // The cast: the routes of the calls are not known to the types.
  const own = api as unknown as Pick<RemoteSite, 'call'>
  if (!at) return { api, callers: [own, own] }
  const other = await RemoteSite.start(...at)
  onTestFinished(() => other.close())
  return { api, callers: [own, other] }
}

class Run {
  readonly model = new ReleaseModel(releases.length)
  readonly ids: number[] = []
  readonly names: number[] = []
  readonly #site: Site
  readonly #pick: (count: number) => number

  constructor(site: Site, seed: number) {
    this.#site = site
    let state = seed
    this.#pick = (count) => {
      state = (Math.imul(state, 1103515245) + 12345) >>> 0
      return (state >>> 8) % count
    }
  }

  #call(release: number, method: string, path: string, args: object = {}) {
    const { callers } = this.#site
    const caller = callers[this.#pick(callers.length)] as Site['callers'][number]
    const named = release === -1 ? {} : { release: this.names[release] as number }
    return caller.call<{ id: number }>(method, path, args, { as: 'system', ...named })
  }

  async begin(): Promise<void> {
    for (const index of releases) {
      this.names.push((await this.#site.api.site.releases.create(`Release ${index}`)).id)
    }
    for (let at = 0; at < pageCount; at++) await this.#create(-1)
  }

  async #create(release: number): Promise<void> {
    const title = this.#word()
    const { data } = await this.#call(release, 'POST', '/cms/v2/pages', { title, excerpt: '', status: 'publish' })
    const parts = Object.fromEntries(elements.map((id) => [id, this.#word()]))
    await this.#call(release, 'POST', `/site-api/v1/documents/${data.id}`, { elements: documentOf(parts) })
    const row = new Map<string, Parts>([
      ['title', { '': title }],
      ['excerpt', { '': '' }],
      ['document', parts],
    ])
    if (release === -1) this.model.live.set(data.id, row)
    else this.model.added[release]?.set(data.id, row)
    this.ids.push(data.id)
  }

  #word(): string {
    return `${words[this.#pick(words.length)]}${this.#pick(50)}`
  }

  /** Four writers at once, each at another page. */
  async round(): Promise<void> {
    const ids = [...this.ids]
    const edits: (() => Promise<void>)[] = []
    for (let writer = 0; writer < 4; writer++) {
      const [id = 0] = ids.splice(this.#pick(ids.length), 1)
      edits.push(this.#edit(this.#pick(releases.length + 1) - 1, id))
    }
    await Promise.all(edits.map((edit) => edit()))
    const chance = this.#pick(12)
    if (chance < 2) await this.#create(this.#pick(releases.length + 1) - 1)
    else if (chance === 2) await this.#remove()
  }

  #edit(release: number, id: number): () => Promise<void> {
    const member = ['title', 'excerpt', 'document'][this.#pick(3)] as string
    const part = member === 'document' ? (elements[this.#pick(elements.length)] as string) : ''
    const value = this.#word()
    const shown = this.model.shown(release, id, member)
    if (!shown) return async () => {}
    const next = { ...shown, [part]: value }
    const args = member === 'document' ? { elements: documentOf(next) } : { [member]: value }
    const path = member === 'document' ? `/site-api/v1/documents/${id}` : `/cms/v2/pages/${id}`
    return async () => {
      await this.#call(release, 'POST', path, args)
      this.model.write(release, id, member, part, value)
    }
  }

  async #remove(): Promise<void> {
    const release = this.#pick(releases.length)
    const id = this.ids[this.#pick(this.ids.length)] as number
    if (!this.model.shown(release, id, 'title')) return
    await this.#call(release, 'DELETE', `/cms/v2/pages/${id}?force=true`)
    this.model.remove(release, id)
  }

  /** Every page as the site, or a release, shows it. */
  async shown(release: number): Promise<Map<number, { readonly [member: string]: unknown } | undefined>> {
    const all = new Map<number, { readonly [member: string]: unknown } | undefined>()
    for (const id of this.ids) all.set(id, await this.#read(release, id))
    return all
  }

  async #read(release: number, id: number) {
    try {
      const { data } = await this.#call(release, 'GET', `/cms/v2/pages/${id}?context=edit`)
      const { data: document } = await this.#call(release, 'GET', `/site-api/v1/documents/${id}`)
      // The cast: the members of pages and documents.
      const page = data as unknown as { title: { raw: string }; excerpt: { raw: string } }
      const found = (document as unknown as { elements: { id: string; settings: { title: string } }[] }).elements
      return {
        title: page.title.raw,
        excerpt: page.excerpt.raw,
        document: Object.fromEntries(found.map((one) => [one.id, one.settings.title])),
      }
    } catch (error) {
      if (isApiError(error) && error.status === 404) return undefined
      throw error
    }
  }

  expected(release: number) {
    return new Map(
      this.ids.map((id) => {
        const text = (member: string) => this.model.shown(release, id, member)?.['']
        const document = this.model.shown(release, id, 'document')
        return [id, document && { title: text('title'), excerpt: text('excerpt'), document }]
      }),
    )
  }

  async check(when: string): Promise<void> {
    for (const release of [-1, ...releases]) {
      expect(await this.shown(release), `${when}: release ${release}`).toEqual(this.expected(release))
    }
  }

  async publishAndUndo(release: number): Promise<void> {
    const { api, callers } = this.#site
    const id = this.names[release] as number
    const before = await this.shown(-1)
    const tried = await api.site.releases.publish(id).catch((error: unknown) => error)
    expect(isApiError(tried) && tried.code === 'release_conflict').toBe(this.model.hasConflicts(release))
    const gone = this.model.gone(release).map((one) => [`post:${one}`, 'live'] as const)
    const decide = { '*': 'release', ...Object.fromEntries(gone) } as const
    if (isApiError(tried)) {
      expect(await this.shown(-1)).toEqual(before)
      // Two processes at once: one of them publishes.
      const path = `/site-api/v1/releases/${id}/publish`
      const publish = (one: Site['callers'][number]) => one.call('POST', path, { decide }, { as: 'system' })
      const both = await Promise.allSettled(callers.map(publish))
      expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    }
    const shown = this.expected(release)
    expect(await this.shown(-1)).toEqual(shown)
    await api.site.releases.undo(id)
    expect(await this.shown(-1)).toEqual(before)
    await this.check(`undone ${release}`)
    await api.site.releases.publish(id, { decide })
    expect(await this.shown(-1)).toEqual(shown)
    this.model.publish(release)
  }
}

const seeds = isFullRun ? [1, 2, 3, 4, 5, 6, 7, 8] : [Number(process.env['RELEASES_SEED'] ?? 1)]
const rounds = isFullRun ? 60 : 6

test.each(seeds)(
  'four writers, three releases and two processes agree with the model (seed %i)',
  { timeout: 600_000 },
  async (seed) => {
    const site = await opened()
    const run = new Run(site, seed)
    await run.begin()
    for (let round = 0; round < rounds; round++) {
      await run.round()
      if (round % 6 === 5) await run.check(`round ${round}`)
    }
    const { releases: published } = site.api.site
    const states: Awaited<ReturnType<Run['shown']>>[] = []
    for (const release of releases) {
      states.push(await run.shown(-1))
      await run.publishAndUndo(release)
    }
    for (const release of [...releases].reverse()) {
      await published.undo(run.names[release] as number)
      expect(await run.shown(-1), `undone at the end: ${release}`).toEqual(states[release])
    }
  },
)
