/** Reads the lists of a site as records: terms with their counts, the dates that have posts, approved comments. */

import type { PostQuery, Term, TermQuery } from '../../../contract/storage.ts'
import { type Comment, commentsCollection, toComment } from '../../../site/comments/comment.ts'
import { termAddresses } from '../../../site/term-address.ts'
import { decodeReferences } from '../../filter/references.ts'
import type { RecordKind, RecordSource } from './records.ts'

/** Reads each key by itself, at the same time. A list has few keys: one for each block or widget. */
function listKind<V>(name: string, read: (key: string, source: RecordSource) => Promise<V>): RecordKind<string, V> {
  return {
    name,
    load: async (keys, source) =>
      new Map(await Promise.all(keys.map(async (key) => [key, await read(key, source)] as const))),
  }
}

// ---------------------------------------------------------------- terms

/** Holds a term with its address and the number of published posts. */
export interface ListedTerm extends Term {
  readonly address: string
}

/** Terms by query; the key is the query as JSON. */
export const termLists: RecordKind<string, readonly ListedTerm[]> = listKind<readonly ListedTerm[]>(
  'term lists',
  async (key, source) => {
    const { storage, site } = source
    // The cast: `termListKey` writes the key.
    const { rows } = await storage.terms.query(JSON.parse(key) as TermQuery)
    const addresses = await termAddresses(rows, { storage, settings: site })
    return rows.map((row, index) => ({ ...row, name: decodeReferences(row.name), address: addresses[index] ?? '' }))
  },
)

export const termListKey = (query: TermQuery): string => JSON.stringify(query)

// ---------------------------------------------------------------- dates

/** A year, a month or a day with published posts. */
interface PostPeriod {
  /** `['2026']`, `['2026', '01']`, `['2026', '01', '09']`. */
  readonly parts: readonly string[]
  readonly count: number
}

/** The key is `yearly <type>` or `monthly <type>`: the periods that have published posts, newest first. */
export const postPeriods: RecordKind<string, readonly PostPeriod[]> = listKind('post periods', async (key, source) => {
  const [unit, type = 'post'] = key.split(' ')
  const years = await yearsWithPosts(type, source)
  if (unit === 'yearly') return years
  const months = years.flatMap(({ parts: [year = ''] }) =>
    Array.from({ length: 12 }, (_, index) => [year, String(12 - index).padStart(2, '0')] as const),
  )
  return counted(months, type, source)
})

const maxYears = 100

async function yearsWithPosts(type: string, source: RecordSource): Promise<readonly PostPeriod[]> {
  const { storage } = source
  const end = async (descending: boolean) => {
    const order = { by: 'date', descending } as const
    const { idsPage } = await storage.posts.query({ ...published(type), order, offset: 0, limit: 1 })
    return idsPage.map(({ id }) => id)
  }
  const ids = (await Promise.all([end(true), end(false)])).flat()
  const [newest, oldest = newest] = await storage.posts.read(ids)
  if (!newest || !oldest) return []
  const [last, first] = [Number(newest.date.slice(0, 4)), Number(oldest.date.slice(0, 4))]
  const length = Math.min(maxYears, last - first + 1)
  const years = Array.from({ length }, (_, index) => [String(last - index).padStart(4, '0')])
  return counted(years, type, source)
}

async function counted(
  periods: readonly (readonly string[])[],
  type: string,
  { storage }: RecordSource,
): Promise<readonly PostPeriod[]> {
  const found = await Promise.all(
    periods.map(async (parts) => {
      const query: PostQuery = {
        ...published(type),
        dates: [{ field: 'date', ...periodBounds(parts) }],
        order: { by: 'id', descending: false },
        offset: 0,
        limit: 1,
        total: true,
      }
      return { parts, count: (await storage.posts.query(query)).total }
    }),
  )
  return found.filter(({ count }) => count > 0)
}

const published = (type: string) => ({ types: [type], statuses: [{ status: 'publish' }] })

const textAt = (time: number): string => new Date(time).toISOString().slice(0, 19)

/** Bounds of a query are exclusive, so the first one is a second before the period. */
export function periodBounds([year, month, day]: readonly string[]): {
  readonly after: string
  readonly before: string
} {
  const [y, m, d] = [Number(year), Number(month ?? 1) - 1, Number(day ?? 1)]
  const end =
    day !== undefined ? Date.UTC(y, m, d + 1) : month !== undefined ? Date.UTC(y, m + 1, 1) : Date.UTC(y + 1, 0, 1)
  return { after: textAt(Date.UTC(y, m, d) - 1000), before: textAt(end) }
}

// ---------------------------------------------------------------- comments

const approved = [
  { field: 'type', is: 'comment' },
  { field: 'status', is: 'approved' },
]

interface CommentList {
  readonly comments: readonly Comment[]
  readonly total: number
}

/** Approved comments; the key is that of `commentListKey`. */
export const commentLists: RecordKind<string, CommentList> = listKind<CommentList>(
  'comment lists',
  async (key, { storage }) => {
    // The cast: `commentListKey` writes the key.
    const { post, limit, descending } = JSON.parse(key) as CommentQuery
    const { rows, total } = await storage.records.query(commentsCollection, {
      where: {
        every: [...(post === undefined ? [] : [{ field: 'post', is: post }]), ...approved],
      },
      order: [
        { by: 'date', descending },
        { by: 'id', descending },
      ],
      offset: 0,
      limit,
      total: true,
    })
    return { comments: rows.map(toComment), total }
  },
)

/** The numbers of approved comments; the key is the id of the post. */
export const commentCounts: RecordKind<number, number> = {
  name: 'comment counts',
  load: async (posts, { storage }) => {
    const counts = new Map(posts.map((post) => [post, 0]))
    for (let page = 0; page < countedPages; page++) {
      const { rows } = await storage.records.query(commentsCollection, {
        where: { every: [{ field: 'post', in: posts }, ...approved] },
        order: [{ by: 'id' }],
        offset: page * countedAtOnce,
        limit: countedAtOnce,
      })
      for (const { post } of rows.map(toComment)) counts.set(post, (counts.get(post) ?? 0) + 1)
      if (rows.length < countedAtOnce) break
    }
    return counts
  },
}

/** The storage counts no groups, so comments are read to be counted, up to 10,000 on all posts of a list. */
const [countedPages, countedAtOnce] = [10, 1000]

interface CommentQuery {
  /** Default: comments on all posts. */
  readonly post?: number
  readonly limit: number
  readonly descending: boolean
}

export const commentListKey = (query: CommentQuery): string => JSON.stringify(query)
