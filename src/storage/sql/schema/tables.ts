/**
 * The tables and indexes of both engines. The words of an engine make statements of them; triggers keep the counters and copies.
 */
import { postFields, typesBesideSearch, typesWithFreeSlugs } from '../../../contract/fields/posts.ts'
import type { StoredFields } from '../../../contract/fields/stored-field.ts'
import { termFields } from '../../../contract/fields/terms.ts'
import { userFields } from '../../../contract/fields/users.ts'

/** `document` is JSON that keeps the order of its keys, `set` is JSON that an index may look into, triggers add to a `counter`. */
export type ColumnKind = 'id' | 'integer' | 'counter' | 'text' | 'document' | 'set'

export interface Column {
  readonly name: string
  readonly kind: ColumnKind
  readonly default?: string
  /** A table whose rows take theirs with them when they are removed. */
  readonly references?: string
}

export type Engine = 'sqlite' | 'postgres'

export interface Table {
  readonly name: string
  readonly columns: readonly Column[]
  /** Stored fields, whose columns follow the others. */
  readonly fields?: StoredFields
  /** Absent where the column `id` is the key. */
  readonly key?: readonly string[]
  readonly engine?: Engine
}

export interface Index {
  readonly name: string
  readonly table: string
  /** Names columns or expressions; of a `prefix`, an engine with short index entries stores the beginning. */
  readonly columns: readonly (string | { readonly prefix: string })[]
  readonly isUnique?: boolean
  readonly where?: string
  readonly engine?: Engine
  /** How the index finds rows, where it is not by order. */
  readonly using?: string
  /** The addition to the schema that made it, in place of an index of that name; absent for those of the first schema. */
  readonly since?: number
}

const columns = (kind: ColumnKind, ...names: readonly string[]): Column[] => names.map((name) => ({ name, kind }))
const id: Column = { name: 'id', kind: 'id' }

export const tables: readonly Table[] = [
  { name: 'posts', columns: [id, { name: 'version', kind: 'integer', default: '1' }], fields: postFields },
  { name: 'terms', columns: [id], fields: termFields },
  { name: 'users', columns: [id], fields: userFields },
  {
    // The terms of posts, with the columns of a post that lists of a term filter and order by.
    name: 'post_terms',
    columns: [
      { name: 'post_id', kind: 'integer', references: 'posts' },
      { name: 'term_id', kind: 'integer', references: 'terms' },
      ...columns('text', 'type', 'status', 'date'),
      ...columns('integer', 'author'),
    ],
    key: ['post_id', 'term_id'],
  },
  {
    name: 'post_counts',
    columns: [
      ...columns('text', 'type', 'status'),
      ...columns('integer', 'author'),
      ...columns('text', 'mime_type'),
      ...columns('counter', 'count'),
    ],
    key: ['type', 'status', 'author', 'mime_type'],
  },
  {
    name: 'term_counts',
    columns: [...columns('integer', 'term_id'), ...columns('text', 'type', 'status'), ...columns('counter', 'count')],
    key: ['term_id', 'type', 'status'],
  },
  {
    // A number of each type that differs after each write to its posts or their terms, and of each collection that is searched.
    name: 'post_changes',
    columns: [...columns('text', 'type'), ...columns('counter', 'version')],
    key: ['type'],
  },
  {
    name: 'meta',
    columns: [...columns('text', 'owner'), ...columns('integer', 'owner_id'), ...columns('text', 'key', 'value')],
    key: ['owner', 'owner_id', 'key'],
  },
  { name: 'options', columns: columns('text', 'name', 'value', 'canonical'), key: ['name'] },
  {
    name: 'records',
    columns: [id, ...columns('text', 'collection'), ...columns('document', 'body'), ...columns('set', 'folded')],
  },
  {
    name: 'user_roles',
    engine: 'sqlite',
    columns: [...columns('text', 'role'), { name: 'user_id', kind: 'integer', references: 'users' }],
    key: ['role', 'user_id'],
  },
]

const listOf = (types: readonly string[]) => types.map((type) => `'${type}'`).join(', ')

/** The posts whose texts an index for searches has. A query has to say the same: PostgreSQL does not use a partial index otherwise. */
export const isInSearch = (row: string) => `${row}type not in (${listOf(typesBesideSearch)})`

/** The rows that are not like most: drafts, sticky ones, those with a format or a password. */
export const unusualFormat = 'standard'
/** A number, not a boolean, of which PostgreSQL would expect half of the rows to be true. */
export const hasPassword = (row: string) => `(case when ${row}password = '' then 0 else 1 end)`
export const isUnusual = (row: string) =>
  `(${row}status <> 'publish' or ${row}sticky = 1 or ${row}format <> '${unusualFormat}' or ${row}password <> '')`

/**
 * The indexes of posts have the filters of lists after the id, so that a scan in the order of an index reads few rows.
 * `status` is there too: one scan serves any set of statuses.
 */
export const indexes: readonly Index[] = [
  {
    // Rows with a null are exempt: they may share a slug.
    name: 'posts_unique_slug',
    table: 'posts',
    columns: [
      'type',
      'parent',
      'slug',
      `(case when slug = '' or type in (${listOf(typesWithFreeSlugs)}) then null else 0 end)`,
    ],
    isUnique: true,
  },
  { name: 'posts_by_date', table: 'posts', columns: ['type', 'date', 'id', 'status', 'author'] },
  { name: 'posts_by_modified', table: 'posts', columns: ['type', 'modified', 'id', 'status', 'author', 'date'] },
  {
    name: 'posts_by_title',
    table: 'posts',
    columns: ['type', 'title_folded', 'id', 'status', 'author', 'date'],
    engine: 'sqlite',
  },
  {
    // A column, not an expression: of those, PostgreSQL reads the row.
    name: 'posts_by_title',
    table: 'posts',
    columns: ['type', 'title_prefix', 'id', 'status', 'author', 'date'],
    engine: 'postgres',
    since: 2,
  },
  { name: 'posts_by_slug', table: 'posts', columns: ['type', 'slug', 'id', 'status', 'author', 'date'] },
  { name: 'posts_by_id', table: 'posts', columns: ['type', 'id', 'status', 'author', 'date'] },
  { name: 'posts_by_author', table: 'posts', columns: ['type', 'author', 'date', 'id', 'status'] },
  { name: 'posts_by_menu_order', table: 'posts', columns: ['type', 'menu_order', 'id', 'status', 'parent'] },
  {
    name: 'posts_unusual',
    table: 'posts',
    columns: ['type', 'status', hasPassword(''), 'sticky', 'format', 'date', 'id'],
    where: isUnusual(''),
  },
  {
    name: 'posts_by_mime',
    table: 'posts',
    columns: ['type', 'mime_type', 'date', 'id', 'status'],
    where: "mime_type <> ''",
  },
  { name: 'posts_featured', table: 'posts', columns: ['featured_media', 'id'], where: 'featured_media > 0' },
  {
    name: 'post_terms_by_date',
    table: 'post_terms',
    columns: ['term_id', 'type', 'date', 'post_id', 'status', 'author'],
  },

  { name: 'terms_unique_slug', table: 'terms', columns: ['taxonomy', 'slug'], isUnique: true },
  { name: 'terms_by_name', table: 'terms', columns: ['taxonomy', { prefix: 'name_folded' }, 'id'] },
  { name: 'terms_by_identity', table: 'terms', columns: ['taxonomy', { prefix: 'name_identity' }, 'id'], since: 1 },
  { name: 'terms_by_id', table: 'terms', columns: ['taxonomy', 'id'] },
  { name: 'terms_by_parent', table: 'terms', columns: ['parent', 'id'] },
  { name: 'terms_in_trees', table: 'terms', columns: ['taxonomy', 'parent', { prefix: 'name_folded' }, 'id'] },

  { name: 'users_unique_login', table: 'users', columns: ['login_identity'], isUnique: true, since: 1 },
  { name: 'users_unique_slug', table: 'users', columns: ['slug'], isUnique: true },
  {
    name: 'users_unique_email',
    table: 'users',
    columns: ['email_identity'],
    isUnique: true,
    where: "email_identity <> ''",
    since: 1,
  },
  { name: 'users_by_login', table: 'users', columns: [{ prefix: 'login_folded' }, 'id'], since: 1 },
  { name: 'users_by_name', table: 'users', columns: [{ prefix: 'display_name_folded' }, 'id'] },
  { name: 'users_by_email', table: 'users', columns: [{ prefix: 'email_folded' }, 'id'] },
  { name: 'users_by_url', table: 'users', columns: [{ prefix: 'url' }, 'id'] },
  { name: 'users_by_registered', table: 'users', columns: ['registered', 'id'] },
  { name: 'users_by_role', table: 'users', columns: ['roles'], engine: 'postgres', using: 'gin' },
  { name: 'user_roles_by_user', table: 'user_roles', columns: ['user_id'], engine: 'sqlite' },

  { name: 'records_by_collection', table: 'records', columns: ['collection', 'id'] },
]
