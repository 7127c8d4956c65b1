/** Posts in memory: queries through the smallest index, and writes that check the uniqueness of slugs. */

import { postFields, typesWithFreeSlugs } from '../../contract/fields/posts.ts'
import { postFilter } from '../../contract/post-filter.ts'
import { postOrder } from '../../contract/row-order.ts'
import {
  type IdsPageEntry,
  type Post,
  type PostQuery,
  type PostStore,
  type PostUpdate,
  StorageConflict,
} from '../../contract/storage.ts'
import { versionOfGivenId } from '../post-rules.ts'
import { pageOf, scanSorted } from './paging.ts'
import { insertRows, type RowTable, updateRows } from './rows.ts'
import type { State } from './state.ts'
import { countStatusChange } from './term-counts.ts'
import type { Access } from './transactions.ts'

/** Up to this number of candidates, sorting them is cheaper than scanning all posts by date. */
const MAX_SORTED = 500

export function postStore(state: State, access: Access): PostStore {
  const { posts, assignments, meta } = state
  const rowTable: RowTable<Post> = {
    table: posts,
    fields: postFields,
    assertUnique: (post, depth) => assertUniqueSlug(state, post, depth),
  }
  return {
    query: (query) => access.read((depth) => queryPosts(state, query, depth)),
    read: (ids) => access.read((depth) => posts.getMany(ids, depth)),
    insert: (rows, ids) =>
      access.write((depth) =>
        insertRows(rowTable, rows, depth, { ids, defaults: { version: ids === undefined ? 1 : versionOfGivenId() } }),
      ),
    update: (updates) =>
      access.write((depth) =>
        updateRows(rowTable, updates, depth, (before, { when, changes }) => {
          if (!matchesCondition(before, when)) return undefined
          if (changes.status !== undefined) countStatusChange(state, before, changes.status, depth)
          return { version: before.version + 1 }
        }),
      ),
    remove: (ids) =>
      access.write((depth) => {
        for (const id of ids) {
          const post = posts.get(id, depth)
          if (post !== undefined) countStatusChange(state, post, '', depth)
          posts.delete(id)
          assignments.delete(id)
          meta.post.delete(id)
        }
      }),
    takenSlugs: (type, slugs, parent) =>
      access.read((depth) =>
        [...new Set(slugs)].filter((slug) =>
          posts
            .find('slug', [slug], depth)
            .some((post) => post.type === type && (parent === undefined || post.parent === parent)),
        ),
      ),
    childCounts: (type, parents) =>
      access.read((depth) =>
        [...new Set(parents)]
          .map((parent) => {
            const children = posts.find('parent', [parent], depth).filter((post) => post.type === type)
            const latest = children.reduce((highest, { id }) => Math.max(highest, id), 0)
            return { parent, count: children.length, latest }
          })
          .filter((family) => family.count > 0),
      ),
  }
}

function matchesCondition(post: Post, when: PostUpdate['when']): boolean {
  if (when === undefined) return true
  const matchesVersion = when.version === undefined || when.version === post.version
  return matchesVersion && (when.status === undefined || when.status === post.status)
}

function assertUniqueSlug({ posts }: State, post: Post, depth: number): void {
  if (post.slug === '' || typesWithFreeSlugs.includes(post.type)) return
  const others = posts.find('slug', [post.slug], depth)
  if (others.some((other) => other.type === post.type && other.parent === post.parent && other.id !== post.id))
    throw new StorageConflict('slug')
}

function queryPosts(state: State, query: PostQuery, depth: number): { idsPage: IdsPageEntry[]; total: number } {
  const filter = postFilter(query, {
    termsOf: (post) => state.assignments.get(post, depth)?.terms ?? [],
    metaOf: (post, key) => state.meta.post.get(post, depth)?.entries.find((entry) => entry.key === key)?.value,
  })
  const compare = postOrder(query.order, query)
  const source = smallestSource(state, query, depth)
  if (query.order.by === 'date' && source.size > MAX_SORTED && state.posts.isCurrent(depth)) {
    const { rows, total } = scanSorted(state.postsByDate.rows(), query, query.order.descending, filter)
    return { idsPage: rows.map(headOf), total }
  }
  const matches = source.rows().filter(filter)
  const total = query.total ? matches.length : 0
  return { idsPage: pageOf(matches, compare, query).map(headOf), total }
}

function headOf({ id, type, status, author, parent, version }: Post): IdsPageEntry {
  return { id, type, status, author, parent, version }
}

interface Source {
  readonly size: number
  readonly rows: () => Post[]
}

/** The smallest indexed set of rows that includes all matches; the filter still tests each row. */
function smallestSource(state: State, query: PostQuery, depth: number): Source {
  const { posts, assignments } = state
  const indexed = (name: string, keys: readonly (string | number)[]): Source => ({
    size: posts.estimate(name, keys),
    rows: () => posts.find(name, keys, depth),
  })
  const sources: Source[] = [indexed('type', query.types)]
  const { ids, slugs, parents, authors, featuredMedia, terms } = query
  if (ids !== undefined) sources.push({ size: ids.length, rows: () => posts.getMany(ids, depth) })
  if (slugs !== undefined) sources.push(indexed('slug', slugs))
  if (parents !== undefined) sources.push(indexed('parent', parents))
  if (featuredMedia !== undefined && !featuredMedia.includes(0)) sources.push(indexed('featured', featuredMedia))
  if (authors !== undefined) sources.push(indexed('author', authors))
  if (terms !== undefined && 'terms' in terms && terms.has === 'any') {
    sources.push({
      size: assignments.estimate('term', terms.terms),
      rows: () => {
        const assigned = assignments.find('term', terms.terms, depth)
        return posts.getMany(
          assigned.map(({ post }) => post),
          depth,
        )
      },
    })
  }
  return sources.reduce((smallest, source) => (source.size < smallest.size ? source : smallest))
}
