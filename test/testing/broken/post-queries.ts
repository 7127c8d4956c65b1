/** Storages with defects of post queries and their orders. */

import { rank } from '../../../src/contract/post-rank.ts'
import type { Post, PostQuery } from '../../../src/contract/storage.ts'
import { compareText, fold } from '../../../src/contract/text-fold.ts'
import type { Break } from './break.ts'

/** Changes each post query. */
function changingQuery(change: (query: PostQuery) => PostQuery): Break {
  return ({ posts }) => ({ posts: { query: (query) => posts.query(change(query)) } })
}

/** Changes the result of each post query. */
function changingResult(change: (rows: Post[], query: PostQuery) => Post[]): Break {
  return ({ posts }) => ({
    posts: {
      query: async (query) => {
        const matches = await posts.query({ ...query, offset: 0, limit: 1e6 })
        const rows = change(await posts.read(matches.idsPage.map((head) => head.id)), query)
        const idsPage = rows.map(({ id, type, status, author, parent, version }) => ({
          id,
          type,
          status,
          author,
          parent,
          version,
        }))
        const page = idsPage.slice(query.offset, query.offset + query.limit)
        return { idsPage: page, total: query.total ? idsPage.length : 0 }
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
  'begins a page one row late': changingQuery((query) => ({ ...query, offset: query.offset + 1 })),
  'returns one row too many': changingQuery((query) => ({ ...query, limit: query.limit + 1 })),
  'counts only the page': ({ posts }) => ({
    posts: {
      query: async (query) => {
        const page = await posts.query(query)
        return { ...page, total: query.total ? page.idsPage.length : 0 }
      },
    },
  }),
  'counts a total that was not requested': changingQuery((query) => ({ ...query, total: true })),
  'treats an empty list of ids as no condition': changingQuery((query) => ({
    ...query,
    ids: query.ids?.length ? query.ids : undefined,
  })),
  'treats an empty list of statuses as no condition': changingQuery((query) => ({
    ...query,
    statuses: query.statuses?.length ? query.statuses : undefined,
  })),
  'ignores excluded ids': changingQuery((query) => ({ ...query, notIds: undefined })),
  'ignores the author of a status': changingQuery((query) => ({
    ...query,
    statuses: query.statuses?.map(({ status }) => ({ status })),
  })),
  'includes the bounds of dates': changingQuery((query) => ({
    ...query,
    dates: query.dates?.map((range) => ({ ...range, after: range.after?.slice(0, -2) })),
  })),
  'orders ties by id ascending in a descending order': changingResult((rows, { order }) => {
    if (order.by !== 'author' || !order.descending) return rows
    return rows.toSorted((a, b) => b.author - a.author || a.id - b.id)
  }),
  'orders titles by UTF-16': changingResult((rows, { order }) => {
    if (order.by !== 'title') return rows
    const sorted = rows.toSorted((a, b) =>
      fold(a.title) < fold(b.title) ? -1 : fold(a.title) > fold(b.title) ? 1 : a.id - b.id,
    )
    return order.descending ? sorted.reverse() : sorted
  }),
  'orders titles with case and accents': changingResult((rows, { order }) => {
    if (order.by !== 'title') return rows
    const sorted = rows.toSorted((a, b) => compareText(a.title, b.title) || a.id - b.id)
    return order.descending ? sorted.reverse() : sorted
  }),
  'orders equal relevance oldest first': changingResult((rows, { order }) =>
    order.by === 'relevance' && order.words.length === 1 ? rows.toSorted((a, b) => a.id - b.id) : rows,
  ),
  'orders equal relevance by id instead of date': changingResult((rows, { order }) => {
    if (order.by !== 'relevance') return rows
    const rankOf = ({ title, excerpt, content }: Post) =>
      rank({ title: fold(title), excerpt: fold(excerpt), content: fold(content) }, order.phrase, order.words)
    return rows.toSorted((a, b) => rankOf(a) - rankOf(b) || b.id - a.id)
  }),
  'searches unfolded text': changingResult((rows, { search }) =>
    rows.filter(
      (row) => search?.every.every((text) => search.columns.some((column) => row[column].includes(text))) ?? true,
    ),
  ),
  'finds no text with marks': changingResult((rows, { search }) =>
    search?.every.some((text) => /\p{M}/u.test(text)) ? [] : rows,
  ),
  'treats a percent sign as a wildcard': changingQuery((query) =>
    withSearch(query, (search) => ({ ...search, every: search.every.filter((text) => text !== '%') })),
  ),
  'finds no text below three characters': changingResult((rows, { search }) =>
    search?.every.some((text) => text.length > 0 && text.length < 3) ? [] : rows,
  ),
  'finds any of several texts': changingQuery((query) =>
    withSearch(query, (search) => ({ ...search, every: search.every.slice(0, 1) })),
  ),
  'ignores excluded texts': changingQuery((query) => withSearch(query, (search) => ({ ...search, none: [] }))),
  'ignores that a search is exact': changingQuery((query) =>
    withSearch(query, (search) => ({ ...search, exact: false })),
  ),
  'searches all columns': changingQuery((query) =>
    withSearch(query, (search) => ({ ...search, columns: ['title', 'content', 'excerpt'] })),
  ),
  'treats all of several terms as any': changingQuery((query) =>
    withTerms(query, (terms, has) => ({ terms, has: has === 'none' ? 'none' : terms.length > 0 ? 'any' : 'all' })),
  ),
  'matches nothing with none of an empty list of terms': changingQuery((query) =>
    withTerms(query, (terms, has) => ({ terms, has: terms.length === 0 ? 'any' : (has as 'any') })),
  ),
}
