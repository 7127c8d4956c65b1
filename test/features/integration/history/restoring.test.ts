/**
 * A site that is edited at random, in all kinds: as of each moment it reads as it did then, and a restoration to each moment gives
 * what was stored then.
 */
import { expect, test } from 'vitest'
import type { Storage } from '../../../../src/contract/storage.ts'
import { full } from '../../../../src/profiles/full.ts'
import { casesOf, isFullRun } from '../../../support/generated-cases.ts'
import { createTestSite, type Requester, type TestSite } from '../../../support/site.ts'

const edits = casesOf(100)
const ids = Array.from({ length: 600 }, (_, at) => at + 1)

/** A sequence of numbers from 0 to 1 that is the same in each run. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

/** All rows that a history keeps, without what each write changes: versions and times of the change. */
async function storedState(storage: Storage) {
  const posts = (await storage.posts.read(ids)).filter(({ type }) => type !== 'revision')
  const kept = posts.map(({ id }) => id)
  const terms = await storage.terms.query({ order: { by: 'id', descending: false }, offset: 0, limit: 1000 })
  // The history leaves out options that features store for themselves.
  const own = new Set([
    'next_due',
    'due',
    'outbox_sequence',
    'history_since',
    'history_restored',
    'terms_changed',
    'plain_forms_after',
  ])
  const options = Object.entries(await storage.options.read()).filter(([name]) => !own.has(name))
  return {
    posts: posts.map(({ version: _version, modified: _modified, modifiedGmt: _gmt, ...post }) => post),
    terms: terms.rows,
    assigned: await storage.terms.of(kept),
    meta: [...(await storage.meta.read('post', kept)), ...(await storage.meta.read('term', ids))],
    options: Object.fromEntries(options.sort(([a], [b]) => (a < b ? -1 : 1))),
  }
}

const element = (id: string, text: string) => ({
  ...{ id, elType: 'widget', widgetType: 'heading', isInner: false, elements: [] },
  settings: { title: text },
})

/** Makes random edits of all kinds through the routes; an edit may be refused. */
class Editor {
  readonly #send: Requester
  readonly #random: () => number
  readonly #documents: number[]
  #made = 0

  constructor(send: Requester, random: () => number, documents: readonly number[]) {
    this.#send = send
    this.#random = random
    this.#documents = [...documents]
  }

  async edit(): Promise<void> {
    await this.#oneOf([
      async () => {
        const { body } = await this.#send('POST', '/cms/v2/posts', { body: this.#post() })
        if (body?.id) this.#documents.push(body.id)
      },
      () => this.#send('PUT', `/cms/v2/posts/${this.#document()}`, { body: this.#post() }),
      () =>
        this.#send('PUT', `/cms/v2/pages/${this.#document()}`, {
          body: { title: this.#text(), content: this.#text() },
        }),
      () => this.#send('DELETE', `/cms/v2/posts/${this.#document()}`, { query: { force: this.#random() < 0.5 } }),
      () =>
        this.#send('POST', `/site-api/v1/documents/${this.#document()}`, {
          body: { elements: [element('aaaa111', this.#text()), element('bbbb222', this.#text())] },
        }),
      () => this.#send('POST', '/cms/v2/settings', { body: { title: this.#text(), timezone: 'Europe/Paris' } }),
      () => this.#send('POST', '/cms/v2/categories', { body: { name: this.#text(), slug: `made-${this.#made++}` } }),
      () => this.#send('PUT', '/cms/v2/categories/2', { body: { name: this.#text(), description: this.#text() } }),
      () =>
        this.#send('DELETE', `/cms/v2/categories/${2 + Math.floor(this.#random() * 6)}`, { query: { force: true } }),
      () =>
        this.#send('POST', '/builder/v1/globals/colors/ab12', { body: { title: this.#text(), value: this.#color() } }),
      () =>
        this.#send('POST', '/builder/v1/variables/create', {
          body: { type: 'global-color-variable', label: `v-${this.#made++}`, value: this.#color() },
        }),
      () => this.#send('POST', '/cms/v2/menus', { body: { name: `Menu ${this.#made++}` } }),
      () => this.#send('POST', '/cms/v2/tags', { body: { name: `Tag ${this.#made++}` } }),
    ])
  }

  #oneOf(works: readonly (() => Promise<unknown>)[]): Promise<unknown> {
    return (works[Math.floor(this.#random() * works.length)] as () => Promise<unknown>)()
  }

  #document(): number {
    return this.#documents[Math.floor(this.#random() * this.#documents.length)] as number
  }

  #text(): string {
    const words = ['harbour', 'tide', 'lantern', 'Über', '港', 'quay']
    return Array.from(
      { length: 3 + Math.floor(this.#random() * 40) },
      () => words[Math.floor(this.#random() * 6)],
    ).join(' ')
  }

  #color(): string {
    return `#${Math.floor(this.#random() * 0xffffff)
      .toString(16)
      .padStart(6, '0')}`
  }

  #post() {
    const status = ['publish', 'draft', 'private', 'future'][Math.floor(this.#random() * 4)]
    return {
      ...{ title: this.#text(), content: this.#text(), status, sticky: this.#random() < 0.3 },
      ...(status === 'future' ? { date_gmt: '2030-01-01T00:00:00' } : { date_gmt: '2024-01-01T00:00:00' }),
      categories: [2, 3, 4].filter(() => this.#random() < 0.5),
    }
  }
}

const lists = [
  '/cms/v2/posts?context=edit&per_page=5&status=any',
  '/cms/v2/posts?context=edit&per_page=4&page=2&orderby=title&order=asc&status=publish,draft',
  '/cms/v2/posts?search=harbour&categories=2,3',
  '/cms/v2/pages?context=edit&per_page=100&status=any',
  '/cms/v2/categories?context=edit&per_page=100&orderby=count',
  '/cms/v2/categories?hide_empty=true',
  '/cms/v2/menus?context=edit',
  '/cms/v2/settings',
  '/builder/v1/globals',
  '/builder/v1/variables/list',
]

interface Moment {
  readonly at: string
  readonly answers: readonly unknown[]
  readonly state: unknown
}

const isoOf = (site: TestSite) => new Date(site.clock.now).toISOString()

// The storages agree; each of them is asked in a full run.
const isAsked = isFullRun || process.env.TEST_STORAGE === 'sqlite'

test.runIf(isAsked)(
  'reads as of each moment as it read then, and is restored to it',
  { timeout: 600_000 },
  async () => {
    let storage: Storage | undefined
    const site = await createTestSite({
      profile: full,
      storage: (opened) => {
        storage = opened
        return opened
      },
    })
    try {
      const stored = storage as unknown as Storage
      const ada = site.as('ada')
      const random = randomFrom(7)
      const { body } = await ada('GET', '/cms/v2/posts', { query: { per_page: 20, status: 'any' } })
      const pages = await ada('GET', '/cms/v2/pages', { query: { per_page: 20 } })
      const editor = new Editor(
        ada,
        random,
        [...body, ...pages.body].map(({ id }: { id: number }) => id),
      )
      const moments: Moment[] = []
      const keep = async () => {
        site.clock.now += 60_000
        const answers = []
        for (const path of lists) answers.push(pageOf(await ada('GET', path)))
        moments.push({ at: isoOf(site), answers, state: await storedState(stored) })
        site.clock.now += 60_000
      }
      for (let at = 0; at < edits; at++) {
        if (at % 4 === 0) await keep()
        await editor.edit()
      }
      await keep()
      for (const { at, answers } of moments) {
        for (const [index, path] of lists.entries()) {
          const then = await ada('GET', '/site-api/v1/history/read', { query: { path, as_of: at } })
          expect(pageOf(then), `${path} as of ${at}`).toEqual(answers[index])
        }
      }
      for (const { at, state } of moments.toReversed()) {
        const before = { at: isoOf(site), state: await storedState(stored) }
        site.clock.now += 1000
        const { status, body: restored } = await ada('POST', '/site-api/v1/history/restore', { body: { to: at } })
        expect(status, JSON.stringify(restored)).toBe(200)
        expect(await storedState(stored)).toEqual(state)
        if (random() < 0.7) continue
        site.clock.now += 1000
        await ada('POST', '/site-api/v1/history/restore', { body: { to: before.at } })
        expect(await storedState(stored)).toEqual(before.state)
        site.clock.now += 1000
      }
      expect(site.failures).toEqual([])
    } finally {
      await site.dispose()
    }
  },
)

const pageOf = ({ status, headers, body }: Awaited<ReturnType<Requester>>) => ({
  ...{ status, body, total: headers.get('x-cms-total'), pages: headers.get('x-cms-totalpages') },
})
