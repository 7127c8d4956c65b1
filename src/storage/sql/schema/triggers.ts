/**
 * Describes the triggers in words that each engine has: no statement, of a host either, can miss them, and they cost less
 * than separate statements.
 */
import type { Engine } from './tables.ts'

/** Rows as they were, or as they are now. */
export type Rows = 'old' | 'new'

export interface Counter {
  readonly table: 'post_counts' | 'term_counts'
  readonly by: readonly string[]
}

export const postCounts: Counter = { table: 'post_counts', by: ['type', 'status', 'author', 'mime_type'] }
export const termCounts: Counter = { table: 'term_counts', by: ['term_id', 'type', 'status'] }

/** The columns that `post_terms` copies from posts. */
export const copied = ['type', 'status', 'date', 'author'] as const

/** Writes the statements of one engine, about one row or about all rows of a statement. */
export interface TriggerWords {
  count(counter: Counter, rows: Rows, change: 1 | -1): string
  /** The types of the rows have another change number. */
  markTypes(rows: Rows): string
  /** Removes what belonged to rows. */
  remove(table: string, where: string, column: string, rows: Rows): string
  /** The row has a new text for the search index. */
  markText(rows: Rows): string
  copyToTerms(): string
  addRoles(): string
  removeRoles(): string
}

export interface Trigger {
  readonly name: string
  readonly table: string
  readonly on: 'insert' | 'delete' | 'update'
  /** An update of these columns, where one of them differs. */
  readonly of?: readonly string[]
  /** On PostgreSQL, an update of many rows runs it once, so that a counter is not written for each of them. Others with `of` run for each row. */
  readonly isOfMany?: true
  readonly engine?: Engine
  /** Only where there is a search index with pending texts. */
  readonly isOfSearch?: true
  run(words: TriggerWords): readonly string[]
}

const foldedTexts = ['title_folded', 'excerpt_folded', 'content_folded']

export const triggers: readonly Trigger[] = [
  {
    name: 'posts_inserted',
    table: 'posts',
    on: 'insert',
    run: (w) => [w.count(postCounts, 'new', 1), w.markTypes('new'), w.markText('new')],
  },
  {
    name: 'posts_deleted',
    table: 'posts',
    on: 'delete',
    run: (w) => [
      w.count(postCounts, 'old', -1),
      w.markTypes('old'),
      w.markText('old'),
      w.remove('meta', "owner = 'post' and ", 'owner_id', 'old'),
    ],
  },
  { name: 'posts_changed', table: 'posts', on: 'update', run: (w) => [w.markTypes('new')] },
  {
    name: 'posts_moved',
    table: 'posts',
    on: 'update',
    of: ['type', 'status', 'author', 'date', 'mime_type'],
    isOfMany: true,
    run: (w) => [w.count(postCounts, 'old', -1), w.count(postCounts, 'new', 1), w.markTypes('old'), w.copyToTerms()],
  },
  {
    name: 'posts_retexted',
    table: 'posts',
    on: 'update',
    of: [...foldedTexts, 'type'],
    engine: 'sqlite',
    isOfSearch: true,
    run: (w) => [w.markText('new')],
  },
  {
    name: 'post_terms_inserted',
    table: 'post_terms',
    on: 'insert',
    run: (w) => [w.count(termCounts, 'new', 1), w.markTypes('new')],
  },
  {
    name: 'post_terms_deleted',
    table: 'post_terms',
    on: 'delete',
    run: (w) => [w.count(termCounts, 'old', -1), w.markTypes('old')],
  },
  {
    name: 'post_terms_moved',
    table: 'post_terms',
    on: 'update',
    of: ['type', 'status'],
    run: (w) => [w.count(termCounts, 'old', -1), w.count(termCounts, 'new', 1)],
  },
  {
    name: 'terms_deleted',
    table: 'terms',
    on: 'delete',
    run: (w) => [
      w.remove('term_counts', '', 'term_id', 'old'),
      w.remove('meta', "owner = 'term' and ", 'owner_id', 'old'),
    ],
  },
  {
    name: 'users_deleted',
    table: 'users',
    on: 'delete',
    run: (w) => [w.remove('meta', "owner = 'user' and ", 'owner_id', 'old')],
  },
  { name: 'users_roles_inserted', table: 'users', on: 'insert', engine: 'sqlite', run: (w) => [w.addRoles()] },
  {
    name: 'users_roles_updated',
    table: 'users',
    on: 'update',
    of: ['roles'],
    engine: 'sqlite',
    run: (w) => [w.removeRoles(), w.addRoles()],
  },
]

/** That one of the columns differs between two rows. */
export const differs = ({ of = [] }: Trigger, before = 'old', after = 'new'): string =>
  of.map((column) => `${before}.${column} <> ${after}.${column}`).join(' or ')
