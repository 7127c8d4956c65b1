/** The stored fields of posts of all types. `id` and `version` are set by the storage. */
import type { StoredFields } from './stored-field.ts'

/**
 * The fields of `storage.posts`. Each row has `id` and `version` besides.
 *
 * ```ts
 * import { postFields } from 'site-api/storage'
 *
 * export const columns = Object.values(postFields).map(({ column }) => column)
 * ```
 */
export const postFields = {
  type: { kind: 'text', column: 'type' },
  status: { kind: 'text', column: 'status' },
  author: { kind: 'integer', column: 'author' },
  parent: { kind: 'integer', column: 'parent', default: 0 },
  /** Unique per type and parent unless empty; the types in `typesWithFreeSlugs` are exempt. */
  slug: { kind: 'text', column: 'slug' },
  date: { kind: 'text', column: 'date' },
  /** Null: a draft without a fixed date. */
  dateGmt: { kind: 'text', column: 'date_gmt', isNullable: true },
  modified: { kind: 'text', column: 'modified' },
  modifiedGmt: { kind: 'text', column: 'modified_gmt' },
  password: { kind: 'text', column: 'password', default: '', inDocuments: true },
  commentStatus: { kind: 'text', column: 'comment_status', default: 'closed', inDocuments: true },
  pingStatus: { kind: 'text', column: 'ping_status', default: 'closed', inDocuments: true },
  format: { kind: 'text', column: 'format', default: 'standard', inDocuments: true },
  sticky: { kind: 'boolean', column: 'sticky', default: false, inDocuments: true },
  template: { kind: 'text', column: 'template', default: '', inDocuments: true },
  featuredMedia: { kind: 'integer', column: 'featured_media', default: 0 },
  mimeType: { kind: 'text', column: 'mime_type', default: '', inDocuments: true },
  /** The place among its siblings: the lowest comes first. */
  menuOrder: { kind: 'integer', column: 'menu_order', default: 0, inDocuments: true },
  title: { kind: 'text', column: 'title', default: '', isFolded: true, isRevisioned: true, inDocuments: true },
  excerpt: { kind: 'text', column: 'excerpt', default: '', isFolded: true, isRevisioned: true, inDocuments: true },
  content: { kind: 'text', column: 'content', default: '', isFolded: true, isRevisioned: true, inDocuments: true },
} as const satisfies StoredFields

/**
 * Types whose rows may share a slug: a revision has a slug derived from its post.
 *
 * ```ts
 * import { typesWithFreeSlugs } from 'site-api/storage'
 *
 * export const isUnique = (type: string) => !typesWithFreeSlugs.some((free) => free === type)
 * ```
 */
export const typesWithFreeSlugs: readonly string[] = ['revision']

/** Types whose rows are listed by the post that they are versions of: an index for searches leaves out their texts. */
export const typesBesideSearch: readonly string[] = ['revision']
