/** The writes of one restoration: what differs between the storage as it is and as it was. */

import { postFields } from '../../../contract/fields/posts.ts'
import type { StoredFields } from '../../../contract/fields/stored-field.ts'
import { termFields } from '../../../contract/fields/terms.ts'
import type { Past } from '../../../contract/past.ts'
import type {
  Collection,
  Json,
  Post,
  PostValues,
  RecordValues,
  Storage,
  StoredRecord,
  TermValues,
} from '../../../contract/storage.ts'
import { ApiError } from '../../../core/declare/errors.ts'
import { randomId } from '../../../core/runtime/crypto.ts'
import { revisionType } from '../../content/revisions/model.ts'
import { markTermsChanged } from '../../content/terms/model.ts'
import type { HistoryScope } from './record.ts'

/** The rows of one table that have to be written. `V`: the values of a row. */
interface Differences<R, V> {
  readonly inserted: readonly R[]
  readonly removed: readonly number[]
  readonly updated: readonly { readonly id: number; readonly changes: Partial<V> }[]
}

type Modified = Pick<Post, 'modified' | 'modifiedGmt'>

const everything = { order: { by: 'id', descending: false }, offset: 0, limit: Number.MAX_SAFE_INTEGER } as const
const mediaType = 'attachment'

export class Restoration {
  readonly records = new Set<string>()
  readonly left = new Set<string>()
  /** The posts that are written, as they were before. */
  readonly posts = new Map<number, Post | undefined>()
  readonly #now: Storage
  readonly #then: Storage
  readonly #past: Past
  readonly #scope: HistoryScope
  readonly #isWhole: boolean
  readonly #before = new Map<number, Post | undefined>()

  /** `isWhole`: media and revisions come and go like other posts, as a release has made them. */
  constructor(now: Storage, then: Storage, past: Past, scope: HistoryScope, { isWhole = false } = {}) {
    this.#isWhole = isWhole
    this.#now = now
    this.#then = then
    this.#past = past
    this.#scope = scope
  }

  /** Posts that change get the time `modified`; undefined: that of the other storage. */
  async run(modified?: Modified): Promise<void> {
    // All that is read of the past comes before the first write: it is made from the rows of now.
    const posts = await this.#changedPosts(modified ? ['modified', 'modifiedGmt'] : [])
    const terms = await this.#changedTerms()
    const postMeta = await this.#changedMeta(
      'post',
      [...this.#past.posts.keys()].filter((id) => !posts.ignored.has(id)),
    )
    const termMeta = await this.#changedMeta('term', [...this.#past.terms.keys()])
    const assignments = await this.#changedAssignments(posts.ignored)
    const options = await this.#changedOptions()
    const records = await this.#changedRecords()
    await this.#writeTerms(terms)
    await this.#writePosts(
      posts,
      modified,
      new Set([...postMeta.map(({ id }) => id), ...assignments.map(({ post }) => post)]),
    )
    const isThere = (gone: readonly number[]) => (id: number) => !gone.includes(id)
    await this.#now.meta.write(
      'post',
      postMeta.filter(({ id }) => isThere(posts.removed)(id)),
    )
    await this.#now.meta.write(
      'term',
      termMeta.filter(({ id }) => isThere(terms.removed)(id)),
    )
    await this.#assign(assignments.filter(({ post }) => isThere(posts.removed)(post)))
    await this.#now.options.write(options)
    for (const [collection, changes] of records) await this.#writeRecords(collection, changes)
    if (this.records.size > 0) {
      await this.#now.options.write(Object.fromEntries(this.#scope.derivedOptions.map((name) => [name, null])))
    }
  }

  /** Revisions come and go with their posts only: they are the versions of a post, which a restoration must not take away. */
  async #changedPosts(setOnWrite: readonly string[]) {
    const ids = [...this.#past.posts.keys()]
    const now = byId(await this.#now.posts.read(ids))
    const then = byId(await this.#then.posts.read(ids))
    const ignored = new Set<number>()
    const comesOrGoes = (id: number) => now.has(id) !== then.has(id)
    const isIgnored = (id: number) => {
      const { type, parent } = (now.get(id) ?? then.get(id)) as Post
      if (type === mediaType) return comesOrGoes(id)
      return type === revisionType && !(comesOrGoes(id) && comesOrGoes(parent))
    }
    for (const id of ids) {
      if (!now.has(id) && !then.has(id)) ignored.add(id)
      else if (!this.#isWhole && isIgnored(id)) {
        ignored.add(id)
        if ((now.get(id) ?? then.get(id))?.type === mediaType) this.left.add(`post:${id}`)
      }
    }
    const kept = ids.filter((id) => !ignored.has(id))
    for (const id of kept) this.#before.set(id, now.get(id))
    const differences = differencesOf<Post, PostValues>(kept, now, then, postFields, setOnWrite)
    return { ...differences, ignored }
  }

  async #changedTerms() {
    const ids = [...this.#past.terms.keys()]
    const now = byId((await this.#now.terms.query({ ids, ...everything })).rows)
    const then = byId((await this.#then.terms.query({ ids, ...everything })).rows)
    return differencesOf<TermValues & { readonly id: number }, TermValues>(ids, now, then, termFields)
  }

  async #changedMeta(owner: 'post' | 'term', ids: readonly number[]) {
    const keyOf = ({ id, key }: { readonly id: number; readonly key: string }) => `${id} ${key}`
    const now = new Map((await this.#now.meta.read(owner, ids)).map((entry) => [keyOf(entry), entry]))
    const then = new Map((await this.#then.meta.read(owner, ids)).map((entry) => [keyOf(entry), entry]))
    const gone = [...now].filter(([key]) => !then.has(key)).map(([, entry]) => ({ ...entry, value: null }))
    const set = [...then].filter(([key, { value }]) => isOther(now.get(key)?.value, value)).map(([, entry]) => entry)
    const changes = [...gone, ...set]
    for (const { id } of changes) this.records.add(`${owner}:${id}`)
    return changes
  }

  async #changedAssignments(ignored: ReadonlySet<number>) {
    const ids = [...this.#past.posts.keys()].filter((id) => !ignored.has(id))
    const [now, then] = [await this.#now.terms.of(ids), await this.#then.terms.of(ids)]
    const lists = new Map<string, { post: number; taxonomy: string; is: number[]; was: number[] }>()
    const add = (rows: typeof now, when: 'is' | 'was') => {
      for (const { post, taxonomy, term } of rows) {
        const list = lists.get(`${post} ${taxonomy}`) ?? { post, taxonomy, is: [], was: [] }
        list[when].push(term)
        lists.set(`${post} ${taxonomy}`, list)
      }
    }
    add(now, 'is')
    add(then, 'was')
    const changes = [...lists.values()].filter((list) => isOther(list.is, list.was))
    for (const { post } of changes) this.records.add(`post:${post}`)
    return changes.map(({ post, taxonomy, was: terms }) => ({ post, taxonomy, terms }))
  }

  async #changedOptions() {
    const names = [...this.#past.options.keys()]
    const [now, then] = [await this.#now.options.read(names), await this.#then.options.read(names)]
    const changed = names.filter((name) => isOther(now[name], then[name]))
    for (const name of changed) this.records.add(`option:${name}`)
    return Object.fromEntries(changed.map((name) => [name, then[name] ?? null]))
  }

  async #changedRecords() {
    const all: [Collection, Differences<StoredRecord, { readonly [field: string]: Json }>][] = []
    for (const [name, changes] of this.#past.records) {
      const collection = this.#scope.collections.get(name)
      if (!collection) continue
      const ids = [...changes.keys()]
      const where = { field: 'id', in: ids } as const
      const now = byId((await this.#now.records.query(collection, { where })).rows)
      const then = byId((await this.#then.records.query(collection, { where })).rows)
      const differences = differencesOf<StoredRecord, { readonly [field: string]: Json }>(
        ids,
        now,
        then,
        collection.fields,
      )
      for (const id of changedIn(differences)) this.records.add(`${name}:${id}`)
      all.push([collection, differences])
    }
    return all
  }

  async #writeTerms({ inserted, removed, updated }: Differences<TermValues & { readonly id: number }, TermValues>) {
    const { terms } = this.#now
    for (const id of changedIn({ inserted, removed, updated })) this.records.add(`term:${id}`)
    await terms.remove(removed)
    // Two terms may have changed their slugs with each other.
    const slugs = updated.filter(({ changes }) => changes.slug !== undefined)
    await terms.update(slugs.map(({ id }) => ({ id, changes: { slug: `restored-${id}-${randomId()}` } })))
    await this.#insert(inserted, (ids) =>
      terms.insert(
        inserted.map((row) => valuesOf<TermValues>(row, termFields)),
        ids,
      ),
    )
    await terms.update(updated)
    if (inserted.length + removed.length + updated.length > 0) await markTermsChanged(this.#now)
  }

  /** Each post that is written gets a new version, and with it a new tag; also one of which only meta or terms change. */
  async #writePosts(
    { inserted, removed, updated }: Differences<Post, PostValues>,
    modified: Modified | undefined,
    touched: ReadonlySet<number>,
  ) {
    const { posts } = this.#now
    for (const id of changedIn({ inserted, removed, updated })) this.records.add(`post:${id}`)
    await posts.remove(removed)
    await posts.update(
      updated.filter(({ changes }) => changes.slug !== undefined).map(({ id }) => ({ id, changes: { slug: '' } })),
    )
    const values = inserted.map((row) => ({ ...valuesOf<PostValues>(row, postFields), ...modified }))
    await this.#insert(inserted, (ids) => posts.insert(values, ids))
    const written = new Set(changedIn({ inserted, removed, updated }))
    const others = [...touched].filter((id) => !written.has(id)).map((id) => ({ id, changes: {} }))
    await posts.update([...updated, ...others].map(({ id, changes }) => ({ id, changes: { ...changes, ...modified } })))
    for (const id of [...written, ...touched]) this.posts.set(id, this.#before.get(id))
  }

  async #writeRecords(
    collection: Collection,
    { inserted, removed, updated }: Differences<StoredRecord, { readonly [field: string]: Json }>,
  ) {
    const { records } = this.#now
    await records.remove(collection, { field: 'id', in: removed })
    const unique = (collection.unique ?? []).flat()
    const without = (changes: object) =>
      Object.fromEntries(unique.filter((name) => name in changes).map((name) => [name, null]))
    const freed = updated.filter(({ changes }) => unique.some((name) => name in changes))
    await records.update(
      collection,
      freed.map(({ id, changes }) => ({ id, changes: without(changes) })),
    )
    const values = inserted.map((row) => valuesOf<{ [field: string]: Json }>(row, collection.fields))
    await this.#insert(inserted, (ids) => records.insert(collection, values, ids))
    // The cast: only members that differ are there.
    await records.update(collection, updated as readonly { readonly id: number; readonly changes: RecordValues }[])
  }

  async #insert(rows: readonly { readonly id: number }[], insert: (ids: readonly number[]) => unknown): Promise<void> {
    if (rows.length === 0) return
    if (!this.#now.keepsIds) {
      throw new ApiError('history_no_ids', 'This storage cannot bring removed records back under their ids.', 409)
    }
    await insert(rows.map(({ id }) => id))
  }

  /** Without terms that are gone: only a whole restoration brings them back. */
  async #assign(
    assignments: readonly { readonly post: number; readonly taxonomy: string; readonly terms: readonly number[] }[],
  ) {
    const ids = [...new Set(assignments.flatMap(({ terms }) => terms))]
    const { rows } = await this.#now.terms.query({ ids, ...everything })
    const known = new Set(rows.map(({ id, taxonomy }) => `${taxonomy} ${id}`))
    const isKnown = (taxonomy: string) => (id: number) => known.has(`${taxonomy} ${id}`)
    await this.#now.terms.assign(
      assignments.map(({ post, taxonomy, terms }) => ({ post, taxonomy, terms: terms.filter(isKnown(taxonomy)) })),
    )
  }
}

const byId = <R extends { readonly id: number }>(rows: readonly R[]) => new Map(rows.map((row) => [row.id, row]))

/** The order of keys counts: style sheets are made in it. */
const isOther = (a: unknown, b: unknown): boolean => JSON.stringify(a) !== JSON.stringify(b)

const changedIn = ({ inserted, removed, updated }: Differences<{ readonly id: number }, object>): number[] => [
  ...inserted.map(({ id }) => id),
  ...removed,
  ...updated.map(({ id }) => id),
]

function valuesOf<V>(row: object, fields: StoredFields | Collection['fields'], except: readonly string[] = []): V {
  const values = row as { readonly [name: string]: unknown }
  const names = Object.keys(fields).filter((name) => !except.includes(name))
  // The cast: a row has the members of its table.
  return Object.fromEntries(names.map((name) => [name, values[name]])) as V
}

function differencesOf<R extends { readonly id: number }, V extends object>(
  ids: readonly number[],
  now: ReadonlyMap<number, R>,
  then: ReadonlyMap<number, R>,
  fields: StoredFields | Collection['fields'],
  except: readonly string[] = [],
): Differences<R, V> {
  const updated = ids.flatMap((id) => {
    const [before, after] = [now.get(id), then.get(id)]
    if (!before || !after) return []
    const is = valuesOf<{ readonly [name: string]: unknown }>(before, fields)
    const was = Object.entries(valuesOf<object>(after, fields, except)).filter(([name, value]) =>
      isOther(is[name], value),
    )
    // The cast: the members are those of the row.
    return was.length > 0 ? [{ id, changes: Object.fromEntries(was) as Partial<V> }] : []
  })
  return {
    updated,
    removed: ids.filter((id) => now.has(id) && !then.has(id)),
    inserted: ids.flatMap((id) => (now.has(id) ? [] : (then.get(id) ?? []))),
  }
}
