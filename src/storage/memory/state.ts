/** The tables of one memory storage and their indexes. */

import { foldedName } from '../../contract/row-filters.ts'
import { byColumn } from '../../contract/row-order.ts'
import type { Collection, Json, MetaOwner, Post, Scalar, Term, User } from '../../contract/storage.ts'
import { identityFold } from '../../contract/text-fold.ts'
import { SortedRows } from './sorted-rows.ts'
import { Table } from './table.ts'
import { Transactions } from './transactions.ts'

/** The terms of one post, ascending. */
interface Assignment {
  readonly post: number
  readonly terms: readonly number[]
}

/** The meta of one owner, ordered by key. */
export interface OwnerMeta {
  readonly entries: readonly { readonly id: number; readonly key: string; readonly value: Json }[]
}

interface Option {
  readonly name: string
  readonly value: Json
}

/** The values as written; fields that were declared later are missing. */
export interface RecordRow {
  readonly id: number
  readonly values: { readonly [field: string]: Json }
}

export interface State {
  readonly transactions: Transactions
  readonly posts: Table<number, Post>
  readonly postsByDate: SortedRows<Post>
  readonly assignments: Table<number, Assignment>
  readonly terms: Table<number, Term>
  readonly termsByName: SortedRows<Term>
  readonly users: Table<number, User>
  readonly meta: { readonly [owner in MetaOwner]: Table<number, OwnerMeta> }
  readonly options: Table<string, Option>
  readonly collections: Map<string, Table<number, RecordRow>>
}

export function createState(): State {
  const transactions = new Transactions()
  const postsByDate = new SortedRows<Post>(byColumn((post) => post.date, false))
  const termsByName = new SortedRows<Term>(byColumn(foldedName, false))
  const posts = new Table<number, Post>(transactions, {
    type: (post) => [post.type],
    slug: (post) => [post.slug],
    author: (post) => [post.author],
    parent: (post) => [post.parent],
    featured: (post) => (post.featuredMedia > 0 ? [post.featuredMedia] : []),
  })
  posts.onChange((before, after) => postsByDate.change(before, after))
  const terms = new Table<number, Term>(transactions, {
    taxonomy: (term) => [term.taxonomy],
    slug: (term) => [term.slug],
    parent: (term) => [term.parent],
    isUsed: (term) => (term.count > 0 ? [1] : []),
    name: (term) => [identityFold(term.name)],
  })
  terms.onChange((before, after) => termsByName.change(before, after))
  return {
    transactions,
    posts,
    postsByDate,
    assignments: new Table(transactions, { term: (row) => row.terms }),
    terms,
    termsByName,
    users: new Table<number, User>(transactions, {
      login: (user) => [identityFold(user.login)],
      slug: (user) => [user.slug],
      email: (user) => [identityFold(user.email)],
    }),
    meta: { post: new Table(transactions), user: new Table(transactions), term: new Table(transactions) },
    options: new Table(transactions),
    collections: new Map(),
  }
}

/** The table of a collection, created on first use, with the indexes that the collection declares. */
export function collectionTable(state: State, collection: Collection): Table<number, RecordRow> {
  let table = state.collections.get(collection.name)
  if (table === undefined) {
    table = new Table(state.transactions)
    state.collections.set(collection.name, table)
  }
  for (const field of indexedFields(collection)) table.createIndex(field, (row) => [scalarKey(row.values[field])])
  for (const fields of collection.unique ?? [])
    table.createIndex(uniqueIndexName(fields), (row) => uniqueKeys(fields, row.values))
  return table
}

/** The fields that an index finds rows by. */
export const indexedFields = ({ indexed = [], orders = [] }: Collection): readonly string[] => [
  ...new Set([...indexed, ...orders.flatMap(([first]) => first ?? [])]),
]

/** Distinguishes 1 from '1' and both from true. */
export function scalarKey(value: Json | Scalar | undefined): string {
  return JSON.stringify(value ?? null)
}

export function uniqueIndexName(fields: readonly string[]): string {
  return JSON.stringify(fields)
}

/** The index key of a unique set; none if one of its values is null. */
export function uniqueKeys(fields: readonly string[], values: RecordRow['values']): string[] {
  const key = fields.map((field) => values[field] ?? null)
  return key.includes(null) ? [] : [JSON.stringify(key)]
}
