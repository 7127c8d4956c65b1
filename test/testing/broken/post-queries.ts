/** Storages that find the wrong posts, or the right ones in a wrong order. */
import { compareText, fold } from '../../../src/site/text-fold.ts'
import type { Post, PostQuery } from '../../../src/storage/contract.ts'
import type { Break } from './break.ts'

/** A store whose query is asked something else. */
function asking(change: (query: PostQuery) => PostQuery): Break {
  return ({ posts }) => ({ posts: { query: (query) => posts.query(change(query)) } })
}

/** A store whose query answers something else. */
function answering(change: (rows: Post[], query: PostQuery) => Post[]): Break {
  return ({ posts }) => ({
    posts: {
      query: async (query) => {
        const { heads } = await posts.query({ ...query, offset: 0, limit: 1e6 })
        const rows = change(await posts.read(heads.map((head) => head.id)), query)
        const found = rows.map(({ id, type, status, author, parent, version }) => ({
          id,
          type,
          status,
          author,
          parent,
          version,
        }))
        const window = found.slice(query.offset, query.offset + query.limit)
        return { heads: window, total: query.total ? found.length : 0 }
      },
    },
  })
}

function withSearch(
  query: PostQuery,
  change: (search: NonNullable<PostQuery['search']>) => PostQuery['search'],
): PostQuery {
  return query.search === undefined ? query : { ...query, search: change(query.search) }
}

function withTerms(query: PostQuery, change: (terms: readonly number[], has: string) => PostQuery['terms']): PostQuery {
  if (query.terms === undefined || !('terms' in query.terms)) return query
  return { ...query, terms: change(query.terms.terms, query.terms.has) }
}

export const brokenQueries: { readonly [name: string]: Break } = {
  'begins a window one row late': asking((query) => ({ ...query, offset: query.offset + 1 })),
  'gives one row too many': asking((query) => ({ ...query, limit: query.limit + 1 })),
  'counts the window': ({ posts }) => ({
    posts: {
      query: async (query) => {
        const found = await posts.query(query)
        return { ...found, total: query.total ? found.heads.length : 0 }
      },
    },
  }),
  'counts without being asked': asking((query) => ({ ...query, total: true })),
  'takes an empty list of ids for no condition': asking((query) => ({
    ...query,
    ids: query.ids?.length ? query.ids : undefined,
  })),
  'takes an empty list of statuses for no condition': asking((query) => ({
    ...query,
    statuses: query.statuses?.length ? query.statuses : undefined,
  })),
  'passes over unwanted ids': asking((query) => ({ ...query, notIds: undefined })),
  'passes over the author of a status': asking((query) => ({
    ...query,
    statuses: query.statuses?.map(({ status }) => ({ status })),
  })),
  'takes the ends of dates in': asking((query) => ({
    ...query,
    dates: query.dates?.map((range) => ({ ...range, after: range.after?.slice(0, -2) })),
  })),
  'orders equal rows by id ascending': answering((rows, { order }) => {
    if (order.by !== 'author' || !order.descending) return rows
    return rows.toSorted((a, b) => b.author - a.author || a.id - b.id)
  }),
  'orders titles by UTF-16': answering((rows, { order }) => {
    if (order.by !== 'title') return rows
    const sorted = rows.toSorted((a, b) =>
      fold(a.title) < fold(b.title) ? -1 : fold(a.title) > fold(b.title) ? 1 : a.id - b.id,
    )
    return order.descending ? sorted.reverse() : sorted
  }),
  'orders titles with case and accents': answering((rows, { order }) => {
    if (order.by !== 'title') return rows
    const sorted = rows.toSorted((a, b) => compareText(a.title, b.title) || a.id - b.id)
    return order.descending ? sorted.reverse() : sorted
  }),
  'orders equal relevance oldest first': answering((rows, { order }) =>
    order.by === 'relevance' && order.words.length === 1 ? rows.toSorted((a, b) => a.id - b.id) : rows,
  ),
  'searches with case': answering((rows, { search }) =>
    rows.filter(
      (row) => search?.every.every((text) => search.columns.some((column) => row[column].includes(text))) ?? true,
    ),
  ),
  'takes a percent sign for anything': asking((query) =>
    withSearch(query, (search) => ({ ...search, every: search.every.filter((text) => text !== '%') })),
  ),
  'finds no text below three characters': answering((rows, { search }) =>
    search?.every.some((text) => text.length > 0 && text.length < 3) ? [] : rows,
  ),
  'finds any of several texts': asking((query) =>
    withSearch(query, (search) => ({ ...search, every: search.every.slice(0, 1) })),
  ),
  'passes over unwanted texts': asking((query) => withSearch(query, (search) => ({ ...search, none: [] }))),
  'takes an exact search for a part': asking((query) => withSearch(query, (search) => ({ ...search, exact: false }))),
  'searches all columns': asking((query) =>
    withSearch(query, (search) => ({ ...search, columns: ['title', 'content', 'excerpt'] })),
  ),
  'takes all of some terms for any': asking((query) =>
    withTerms(query, (terms, has) => ({ terms, has: has === 'none' ? 'none' : terms.length > 0 ? 'any' : 'all' })),
  ),
  'finds nothing by none of no terms': asking((query) =>
    withTerms(query, (terms, has) => ({ terms, has: terms.length === 0 ? 'any' : (has as 'any') })),
  ),
}
