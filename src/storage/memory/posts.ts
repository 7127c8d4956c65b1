/** Posts: which rows a query can mean, their order, and writes that keep slugs unique. */
import {
  type Post,
  type PostHead,
  type PostOrder,
  type PostQuery,
  type PostStore,
  type PostValues,
  StorageConflict,
  typesWithFreeSlugs,
} from '../contract.ts'
import { rank } from '../relevance.ts'
import { foldedText, postFilter } from './post-filter.ts'
import type { State } from './state.ts'
import type { Access } from './transactions.ts'
import { allValues, knownValues } from './values.ts'
import { byColumn, type Compare, compareValues, windowOf } from './paging.ts'

const postFields: ReadonlySet<string> = new Set<keyof PostValues>([
  'type',
  'status',
  'slug',
  'title',
  'content',
  'excerpt',
  'author',
  'parent',
  'date',
  'dateGmt',
  'modified',
  'modifiedGmt',
  'password',
  'commentStatus',
  'pingStatus',
  'format',
  'sticky',
  'template',
  'featuredMedia',
  'mimeType',
])

/** With fewer candidates than this, sorting them is cheaper than walking all posts by date. */
const FEW = 500

export function postStore(state: State, access: Access): PostStore {
  const { posts, assignments, meta } = state
  return {
    query: (query) => access.read((depth) => queryPosts(state, query, depth)),
    read: (ids) => access.read((depth) => present([...new Set(ids)].map((id) => posts.get(id, depth)))),
    insert: (rows) =>
      access.write((depth) =>
        rows.map((row) => {
          // The cast: `allValues` saw every field, and none besides.
          const values = allValues(row, postFields) as unknown as PostValues
          const post: Post = Object.freeze({ id: posts.nextId(), ...values, version: 1 })
          refuseTakenSlug(state, post, depth)
          posts.put(post.id, post)
          return post.id
        }),
      ),
    update: (updates) =>
      access.write((depth) => {
        const changed: number[] = []
        for (const { id, changes, when } of updates) {
          const values = knownValues(changes, postFields)
          const before = posts.get(id, depth)
          if (before === undefined || !holds(before, when)) continue
          const post: Post = Object.freeze({ ...before, ...values, version: before.version + 1 })
          refuseTakenSlug(state, post, depth)
          posts.put(id, post)
          changed.push(id)
        }
        return changed
      }),
    remove: (ids) =>
      access.write(() => {
        for (const id of ids) {
          posts.delete(id)
          assignments.delete(id)
          meta.post.delete(id)
        }
      }),
    takenSlugs: (type, slugs) =>
      access.read((depth) =>
        [...new Set(slugs)].filter((slug) => posts.find('slug', [slug], depth).some((post) => post.type === type)),
      ),
    families: (type, parents) =>
      access.read((depth) =>
        [...new Set(parents)]
          .map((parent) => {
            const ids = posts.find('parent', [parent], depth).filter((post) => post.type === type)
            return { parent, count: ids.length, latest: ids.reduce((latest, post) => Math.max(latest, post.id), 0) }
          })
          .filter((family) => family.count > 0),
      ),
  }
}

function present<T>(values: readonly (T | undefined)[]): T[] {
  return values.filter((value) => value !== undefined)
}

function holds(post: Post, when: { readonly version?: number; readonly status?: string } | undefined): boolean {
  if (when === undefined) return true
  const versionHolds = when.version === undefined || when.version === post.version
  return versionHolds && (when.status === undefined || when.status === post.status)
}

function refuseTakenSlug({ posts }: State, post: Post, depth: number): void {
  if (post.slug === '' || typesWithFreeSlugs.includes(post.type)) return
  const others = posts.find('slug', [post.slug], depth)
  if (others.some((other) => other.type === post.type && other.id !== post.id)) throw new StorageConflict('slug')
}

function queryPosts(state: State, query: PostQuery, depth: number): { heads: PostHead[]; total: number } {
  const filter = postFilter(query, (post) => state.assignments.get(post, depth)?.terms ?? [])
  const compare = postOrder(query.order, query)
  const source = narrowest(state, query, depth)
  if (query.order.by === 'date' && source.size > FEW && state.posts.isCurrent(depth)) {
    return walk(state.postsByDate.rows(), query, query.order.descending, filter)
  }
  const found = source.rows().filter(filter)
  const total = query.total ? found.length : 0
  return { heads: windowOf(found, compare, query).map(head), total }
}

/** The window out of rows that stand in order already. */
function walk(
  rows: readonly Post[],
  query: PostQuery,
  descending: boolean,
  filter: (post: Post) => boolean,
): { heads: PostHead[]; total: number } {
  const heads: PostHead[] = []
  const end = query.offset + query.limit
  let seen = 0
  for (let at = 0; at < rows.length && (query.total || seen < end); at++) {
    const post = rows[descending ? rows.length - 1 - at : at] as Post
    if (!filter(post)) continue
    if (seen >= query.offset && seen < end) heads.push(head(post))
    seen++
  }
  return { heads, total: query.total ? seen : 0 }
}

function head({ id, type, status, author, parent, version }: Post): PostHead {
  return { id, type, status, author, parent, version }
}

interface Source {
  readonly size: number
  readonly rows: () => Post[]
}

/** The smallest set of rows that holds everything the query can find; the filter decides about each of them. */
function narrowest(state: State, query: PostQuery, depth: number): Source {
  const { posts, assignments } = state
  const ofIds = (ids: readonly number[]) => present([...new Set(ids)].map((id) => posts.get(id, depth)))
  const indexed = (name: string, keys: readonly (string | number)[]): Source => ({
    size: posts.count(name, keys),
    rows: () => posts.find(name, keys, depth),
  })
  const sources: Source[] = [indexed('type', query.types)]
  const { ids, slugs, parents, authors, terms } = query
  if (ids !== undefined) sources.push({ size: ids.length, rows: () => ofIds(ids) })
  if (slugs !== undefined) sources.push(indexed('slug', slugs))
  if (parents !== undefined) sources.push(indexed('parent', parents))
  if (authors !== undefined) sources.push(indexed('author', authors))
  if (terms !== undefined && 'terms' in terms && terms.has === 'any') {
    sources.push({
      size: assignments.count('term', terms.terms),
      rows: () => ofIds(assignments.find('term', terms.terms, depth).map((row) => row.post)),
    })
  }
  return sources.reduce((best, source) => (source.size < best.size ? source : best))
}

function postOrder(order: PostOrder, query: PostQuery): Compare<Post> {
  switch (order.by) {
    case 'ids':
      return byPlace(query.ids, (post) => post.id)
    case 'slugs':
      return byPlace(query.slugs, (post) => post.slug)
    case 'relevance':
      return byRelevance(order.phrase, order.words)
    case 'title':
      return byColumn((post) => foldedText(post).title, order.descending)
    case 'date':
    case 'modified':
    case 'id':
    case 'author':
    case 'parent':
    case 'slug': {
      const column = order.by
      return byColumn((post) => post[column], order.descending)
    }
    default:
      throw new TypeError(`unknown field ${String((order as { by: unknown }).by)}`)
  }
}

function byPlace<T>(values: readonly T[] | undefined, column: (post: Post) => T): Compare<Post> {
  if (values === undefined) throw new TypeError('the order of a list needs that list')
  const places = new Map<T, number>()
  for (const [place, value] of values.entries()) if (!places.has(value)) places.set(value, place)
  return byColumn((post) => places.get(column(post)) ?? values.length, false)
}

function byRelevance(phrase: string, words: readonly string[]): Compare<Post> {
  const ranks = new Map<number, number>()
  const rankOf = (post: Post): number => {
    const known = ranks.get(post.id) ?? rank(foldedText(post), phrase, words)
    ranks.set(post.id, known)
    return known
  }
  return (a, b) => rankOf(a) - rankOf(b) || compareValues(b.date, a.date) || b.id - a.id
}
