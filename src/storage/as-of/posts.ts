/** Posts as they were. */
import type { Past } from '../../contract/past.ts'
import { postFilter } from '../../contract/post-filter.ts'
import { postOrder } from '../../contract/row-order.ts'
import type { IdsPageEntry, MetaStore, Paging, Post, PostQuery, PostStore, Storage } from '../../contract/storage.ts'
import type { Undo } from '../../contract/undo.ts'
import { readsOnly } from './reads-only.ts'
import { mergedPage, PastRows } from './rows.ts'

interface Related {
  readonly termsOf: (posts: readonly number[]) => Promise<{ post: number; term: number }[]>
  readonly meta: MetaStore
}

export function pastPosts(storage: Storage, past: Past, related: Related): PostStore {
  const posts = new PastPosts(storage, past, related)
  return {
    query: (query) => posts.query(query),
    read: (ids) => posts.read(ids),
    async takenSlugs(type, slugs, parent) {
      const { idsPage } = await posts.query({
        types: [type],
        slugs,
        ...(parent === undefined ? {} : { parents: [parent] }),
        ...all,
      })
      const taken = new Set((await posts.read(idsPage.map(({ id }) => id))).map(({ slug }) => slug))
      return [...new Set(slugs)].filter((slug) => taken.has(slug))
    },
    async childCounts(type, parents) {
      if (!posts.hasChanged([type])) return storage.posts.childCounts(type, parents)
      const { idsPage } = await posts.query({ types: [type], parents, ...all })
      const families = [...new Set(parents)].map((parent) => {
        const children = idsPage.filter((child) => child.parent === parent)
        return { parent, count: children.length, latest: children.at(-1)?.id ?? 0 }
      })
      return families.filter(({ count }) => count > 0)
    },
    insert: readsOnly,
    update: readsOnly,
    remove: readsOnly,
  }
}

const all = { order: { by: 'id', descending: false }, offset: 0, limit: Number.MAX_SAFE_INTEGER } as const

class PastPosts {
  readonly #storage: Storage
  readonly #past: Past
  readonly #related: Related
  readonly #rows: PastRows<Post>

  constructor(storage: Storage, past: Past, related: Related) {
    this.#storage = storage
    this.#past = past
    this.#related = related
    this.#rows = new PastRows(past.posts, async (ids) => storage.posts.read(ids))
  }

  async read(ids: readonly number[]): Promise<Post[]> {
    const stored = await this.#storage.posts.read(ids.filter((id) => !this.#rows.has(id)))
    const rows = new Map([...stored, ...(await this.#visible(ids))].map((row) => [row.id, row]))
    return [...new Set(ids)].flatMap((id) => rows.get(id) ?? [])
  }

  /** Whether a list of these types may differ from the stored one, because of the posts themselves. */
  hasChanged(types: readonly string[]): boolean {
    return this.#changed(types, hasRow).length > 0
  }

  async query(query: PostQuery): Promise<{ idsPage: IdsPageEntry[]; total: number }> {
    const readsTerms = query.terms !== undefined
    const readsMeta = query.search?.meta !== undefined
    const changed = this.#changed(
      query.types,
      (undo) => hasRow(undo) || (readsTerms && undo.terms !== undefined) || (readsMeta && undo.meta !== undefined),
    )
    if (changed.length === 0) return this.#storage.posts.query(query)
    const matches = await this.#matches(query, changed)
    const notIds = [...(query.notIds ?? []), ...changed]
    const stored = async (paging: Paging) => {
      const { total: _total, ...rest } = query
      const { idsPage, total } = await this.#storage.posts.query({ ...rest, ...paging, notIds })
      const rows = await this.#storage.posts.read(idsPage.map(({ id }) => id))
      return { rows, total }
    }
    if (matches.length === 0) return this.#storage.posts.query({ ...query, notIds })
    const { rows, total } = await mergedPage(query, matches, postOrder(query.order, query), stored)
    return { idsPage: rows.map(headOf), total }
  }

  /** The posts of these types with such a change. */
  #changed(types: readonly string[], hasChange: (undo: Undo) => boolean): number[] {
    const { posts, typesOf } = this.#past
    const isOfTypes = (id: number) => {
      const known = typesOf.get(id)
      return known === undefined || types.some((type) => known.has(type))
    }
    return [...posts].filter(([id, undos]) => isOfTypes(id) && undos.some(hasChange)).map(([id]) => id)
  }

  async #matches(query: PostQuery, changed: readonly number[]): Promise<Post[]> {
    const rows = await this.read(changed)
    const ids = rows.map(({ id }) => id)
    const terms = Map.groupBy(query.terms ? await this.#related.termsOf(ids) : [], ({ post }) => post)
    const keys = query.search?.meta
    const meta = Map.groupBy(keys ? await this.#related.meta.read('post', ids, keys) : [], ({ id }) => id)
    const filter = postFilter(query, {
      termsOf: (post) => terms.get(post)?.map(({ term }) => term) ?? [],
      metaOf: (post, key) => meta.get(post)?.find((entry) => entry.key === key)?.value,
    })
    return rows.filter(filter)
  }

  async #visible(ids: readonly number[]): Promise<Post[]> {
    const { isHidden } = this.#past
    const changed = await this.#rows.of(ids)
    return changed.flatMap(({ was, is }) => (was && !isHidden?.(was, is) ? [was] : []))
  }
}

const hasRow = ({ row }: Undo): boolean => row !== undefined

const headOf = ({ id, type, status, author, parent, version }: IdsPageEntry): IdsPageEntry => ({
  ...{ id, type, status, author, parent, version },
})
