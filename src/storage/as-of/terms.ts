/** Terms and their assignments as they were. Their numbers of posts follow from the posts that changed. */
import type { Past } from '../../contract/past.ts'
import type { PostStore, Storage, Term, TermQuery, TermStore } from '../../contract/storage.ts'
import { type Undo, undoneRow } from '../../contract/undo.ts'
import { createState } from '../memory/state.ts'
import { isCounted } from '../memory/term-counts.ts'
import { queryTerms } from '../memory/terms.ts'
import { readsOnly } from './reads-only.ts'

interface Assigned {
  readonly post: number
  readonly term: number
  readonly taxonomy: string
}

const everything = { order: { by: 'id', descending: false }, offset: 0, limit: Number.MAX_SAFE_INTEGER } as const

export function pastTerms(storage: Storage, past: Past) {
  const terms = new PastTerms(storage, past)
  const store: TermStore = {
    query: (query) => terms.query(query),
    of: (posts) => terms.of(posts),
    below: (ids) => terms.below(ids),
    insert: readsOnly,
    update: readsOnly,
    remove: readsOnly,
    assign: readsOnly,
  }
  return {
    store,
    of: (posts: readonly number[]) => terms.of(posts),
    connect: (posts: PostStore) => {
      terms.posts = posts
    },
  }
}

class PastTerms {
  posts: PostStore | undefined
  readonly #storage: Storage
  readonly #past: Past
  #counts: Promise<ReadonlyMap<number, number>> | undefined

  constructor(storage: Storage, past: Past) {
    this.#storage = storage
    this.#past = past
  }

  async of(posts: readonly number[]): Promise<Assigned[]> {
    const stored = await this.#storage.terms.of(posts)
    const changed = new Set(posts.filter((post) => this.#past.posts.get(post)?.some(hasTerms)))
    if (changed.size === 0) return stored
    const kept = stored.filter(({ post }) => !changed.has(post))
    for (const post of changed) {
      const now = stored.filter((one) => one.post === post)
      kept.push(...undoneTerms(post, now, this.#past.posts.get(post) ?? []))
    }
    return kept.sort((a, b) => a.post - b.post || a.term - b.term)
  }

  async below(ids: readonly number[]): Promise<number[]> {
    if (this.#past.terms.size === 0) return this.#storage.terms.below(ids)
    const found = new Set<number>()
    let parents = ids
    while (parents.length > 0) {
      const { rows } = await this.query({ parents, ...everything })
      parents = rows.map(({ id }) => id).filter((id) => !found.has(id))
      for (const id of parents) found.add(id)
    }
    return [...found].sort((a, b) => a - b)
  }

  async query(query: TermQuery): Promise<{ rows: Term[]; total: number }> {
    const counts = await this.#countChanges()
    if (this.#past.terms.size === 0 && counts.size === 0) return this.#storage.terms.query(query)
    const { posts, usedBy, counted, notIds = [], offset: _offset, limit: _limit, total: _total, ...rest } = query
    const assigned = posts && new Set((await this.of(posts)).map(({ term }) => term))
    const ids = assigned ? (query.ids ?? [...assigned]).filter((id) => assigned.has(id)) : query.ids
    const narrowed = { ...rest, ...(ids ? { ids } : {}) }
    // A term has a count where one below it has: all of them are read for that.
    const scope: Partial<TermQuery> = counted === 'orBelow' ? {} : narrowed
    const rows = await this.#rows(scope, counts)
    const used = usedBy && (await this.#used(rows, usedBy))
    const state = createState()
    for (const row of rows) state.terms.put(row.id, row)
    const unused = used ? rows.map(({ id }) => id).filter((id) => !used.has(id)) : []
    const page = { offset: query.offset, limit: query.limit, ...(query.total ? { total: true } : {}) }
    const conditions = { ...narrowed, ...(counted ? { counted } : {}), notIds: [...notIds, ...unused] }
    return queryTerms(state, { ...conditions, ...page }, 0)
  }

  /** The terms that meet the conditions, and all that changed, with their numbers of posts. */
  async #rows(scope: Partial<TermQuery>, counts: ReadonlyMap<number, number>): Promise<Term[]> {
    const changed = [...this.#past.terms.keys()]
    const { rows: stored } = await this.#storage.terms.query({ ...scope, ...everything, notIds: changed })
    const { rows: now } = await this.#storage.terms.query({ ids: changed, ...everything })
    const known = new Map(now.map((row) => [row.id, row]))
    const then = changed.flatMap((id) => {
      const row = (this.#past.terms.get(id) ?? []).reduce<Term | undefined>(undoneRow, known.get(id))
      return row ? [{ ...row, id, count: known.get(id)?.count ?? 0 }] : []
    })
    return [...stored, ...then].map((row) => Object.freeze({ ...row, count: row.count + (counts.get(row.id) ?? 0) }))
  }

  /** Those that a post of these types and statuses had. One is asked for each term of a changed post, and once for all others. */
  async #used(rows: readonly Term[], { types, statuses }: NonNullable<TermQuery['usedBy']>) {
    const changed = [...this.#past.posts.keys()]
    const touched = [...(await this.#storage.terms.of(changed)), ...(await this.of(changed))]
    const affected = new Set(touched.map(({ term }) => term))
    const others = rows.map(({ id }) => id).filter((id) => !affected.has(id))
    const stored = await this.#storage.terms.query({ ids: others, usedBy: { types, statuses }, ...everything })
    const used = new Set(stored.rows.map(({ id }) => id))
    for (const { id } of rows) {
      if (!affected.has(id)) continue
      const query = {
        types,
        statuses: statuses.map((status) => ({ status })),
        terms: { terms: [id], has: 'any' } as const,
        ...{ order: { by: 'id', descending: false } as const, offset: 0, limit: 1 },
      }
      // Connected by `storageAsOf`.
      const found = await this.posts?.query(query)
      if (found && found.idsPage.length > 0) used.add(id)
    }
    return used
  }

  /** By how much the numbers of posts differ from those of now. */
  #countChanges(): Promise<ReadonlyMap<number, number>> {
    this.#counts ??= this.#readCountChanges()
    return this.#counts
  }

  async #readCountChanges(): Promise<ReadonlyMap<number, number>> {
    const changed = [...this.#past.posts].filter(([, undos]) => undos.some(movesCounts)).map(([id]) => id)
    const differences = new Map<number, number>()
    if (changed.length === 0) return differences
    const add = (assigned: readonly Assigned[], counted: ReadonlySet<number>, by: number) => {
      for (const { post, term } of assigned) {
        if (counted.has(post)) differences.set(term, (differences.get(term) ?? 0) + by)
      }
    }
    const countedOf = (posts: readonly { id: number; status: string }[] = []) =>
      new Set(posts.filter(isCounted).map(({ id }) => id))
    const stored = await this.#storage.posts.read(changed)
    add(await this.#storage.terms.of(changed), countedOf(stored), -1)
    const statuses = stored.map(({ id, status }) => ({ id, status }))
    add(await this.of(changed), countedOf(this.#statusesThen(changed, statuses)), 1)
    return new Map([...differences].filter(([, difference]) => difference !== 0))
  }

  /** Counts are those of all posts, also of those that the reader may not see. */
  #statusesThen(ids: readonly number[], stored: readonly { id: number; status: string }[]) {
    const known = new Map(stored.map((one) => [one.id, one]))
    return ids.flatMap((id) => {
      const status = (this.#past.posts.get(id) ?? []).reduce<string | undefined>(statusBefore, known.get(id)?.status)
      return status === undefined ? [] : [{ id, status }]
    })
  }
}

function statusBefore(now: string | undefined, { row }: Undo): string | undefined {
  if (row === undefined) return now
  if (row === null) return undefined
  const status = row['status']
  return status === undefined ? now : String(status[0])
}

const hasTerms = ({ row, terms }: Undo): boolean => terms !== undefined || row === null
const movesCounts = ({ row, terms }: Undo): boolean =>
  terms !== undefined || row === null || row?.['status'] !== undefined

function undoneTerms(post: number, now: readonly Assigned[], undos: readonly Undo[]): Assigned[] {
  const byTaxonomy = new Map(
    [...Map.groupBy(now, ({ taxonomy }) => taxonomy)].map(([name, all]) => [name, all.map(({ term }) => term)]),
  )
  for (const { row, terms = {} } of undos) {
    if (row === null) byTaxonomy.clear()
    else for (const [taxonomy, ids] of Object.entries(terms)) byTaxonomy.set(taxonomy, [...ids])
  }
  return [...byTaxonomy].flatMap(([taxonomy, ids]) => ids.map((term) => ({ post, term, taxonomy })))
}
